r"""The surrogate-gradient map when responses are sequences of tokens, computed exactly."""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import real_array
from rolltheory.staleness._arrays import BoolArray, FloatArray
from rolltheory.staleness.advantages import StandardDeviation, conditional_advantages
from rolltheory.staleness.clipping import Clip, ClipRule
from rolltheory.staleness.masks import one_sided_mask, two_sided_mask
from rolltheory.staleness.softmax import log_policy

__all__ = ["TokenRatio", "token_gradient_bias", "token_surrogate_gradient"]

TokenRatio = Literal[
    "sequence",
    "none",
    "token",
    "prefix_product",
    "prefix_geometric_mean",
    "sequence_geometric_mean",
]


def token_surrogate_gradient(
    logits: Any,
    behaviour_logits: Any,
    rewards: Any,
    group_size: int,
    *,
    ratio: TokenRatio = "token",
    std: StandardDeviation | None = "population",
    clip: Clip | None = None,
    clip_rule: ClipRule = "one_sided",
) -> FloatArray:
    r"""Surrogate-gradient map of one prompt whose responses are sequences of L tokens.

    .. math:: H(\theta, \phi) = \mathbb{E}\,\frac1n \sum_i \frac1L \sum_{t=1}^{L}
              A_i\, \rho_{i,t}\, m_{i,t}\, \nabla_\theta \log \pi_\theta(y_{i,t} | y_{i,<t})

    with the token ratios r_u, the loss averaged over tokens, the weights held constant, and

    =========================== ==========================================
    ratio                       :math:`\rho_t`
    =========================== ==========================================
    ``none``                    1
    ``token``                   :math:`r_t`
    ``prefix_product``          :math:`\prod_{u \le t} r_u`
    ``prefix_geometric_mean``   :math:`(\prod_{u \le t} r_u)^{1/t}` (PNPO)
    ``sequence``                :math:`\prod_{u \le L} r_u`
    ``sequence_geometric_mean`` :math:`(\prod_{u \le L} r_u)^{1/L}` (GSPO)
    =========================== ==========================================

    Only ``sequence`` is exact for a reward at the end. Policies are tables: row 0 holds the logits
    of the first token, the next V rows those after each first token, and so on, breadth first.
    Leading axes broadcast.

    Parameters
    ----------
    logits : array (..., prefixes, V), learner; (V**L - 1)/(V - 1) prefixes
    behaviour_logits : array (..., prefixes, V), behaviour policy
    rewards : array (V**L,), one reward per sequence, in lexicographic order
    group_size, std, clip, clip_rule : as in
        :func:`~rolltheory.staleness.surrogate.surrogate_gradient`
    ratio : a row of the table above

    Returns
    -------
    array of the broadcast shape (..., prefixes, V)

    Raises
    ------
    DomainError, UnsupportedError
        as :func:`~rolltheory.staleness.surrogate.surrogate_gradient`.

    Notes
    -----
    Source: derived here; the ratios from GSPO and 2608.01418 (PNPO).

    Examples
    --------
    >>> behaviour = [[0.5, 0.0], [0.3, 0.0], [-0.4, 0.0]]
    >>> equal = [1, 0, 0, 1]  # the reward of two equal tokens
    >>> found = token_surrogate_gradient(
    ...     np.zeros((3, 2)), behaviour, equal, 2, ratio="sequence", std=None
    ... )
    >>> (32 * found).round(6) + 0.0
    array([[ 0.,  0.],
           [ 1., -1.],
           [-1.,  1.]])
    """
    if ratio not in get_args(TokenRatio):
        raise DomainError("ratio", ratio, f"one of {', '.join(get_args(TokenRatio))}")
    learner, behaviour = np.broadcast_arrays(
        log_policy("logits", logits), log_policy("behaviour_logits", behaviour_logits)
    )
    length = _tree_length(learner, rewards)
    sampled = _sequence_logs(behaviour, length)
    log_mass = sampled.sum(axis=-1)
    log_weights = _log_weights(_sequence_logs(learner, length) - sampled, ratio)
    mean = conditional_advantages(np.minimum(np.exp(log_mass), 1.0), rewards, group_size, std=std)
    positive, negative = mean.positive[..., None], mean.negative[..., None]
    if clip is not None:
        kept_gains, kept_losses = _masks(log_weights, clip, clip_rule)
        positive, negative = positive * kept_gains, negative * kept_losses
    coefficients = np.exp(log_mass[..., None] + log_weights) * (positive - negative) / length
    return _summed_scores(coefficients, np.exp(learner))


def token_gradient_bias(
    logits: Any,
    behaviour_logits: Any,
    rewards: Any,
    group_size: int,
    *,
    ratio: TokenRatio = "token",
    std: StandardDeviation | None = "population",
    clip: Clip | None = None,
    clip_rule: ClipRule = "one_sided",
) -> FloatArray:
    r"""What staleness adds to a prompt's token-level gradient.

    .. math:: \delta = H(\theta, \phi) - H(\theta, \theta)

    Parameters, errors and broadcasting as in :func:`token_surrogate_gradient`.

    Returns
    -------
    array of the broadcast shape (..., prefixes, V)

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> behaviour = [[0.5, 0.0], [0.3, 0.0], [-0.4, 0.0]]
    >>> bias = token_gradient_bias(
    ...     np.zeros((3, 2)), behaviour, [1, 0, 0, 1], 2, ratio="prefix_product", std=None
    ... )
    >>> float(np.linalg.norm(bias).round(10))
    0.0021429882
    """

    def at(source: Any, masked: Clip | None) -> FloatArray:
        return token_surrogate_gradient(
            logits,
            source,
            rewards,
            group_size,
            ratio=ratio,
            std=std,
            clip=masked,
            clip_rule=clip_rule,
        )

    # The learner's own data have ratio 1, which no band clips.
    return at(behaviour_logits, clip) - at(logits, None)


def _tree_length(logs: FloatArray, rewards: Any) -> int:
    """The length L of the sequences, if the shapes fit together."""
    sequences = real_array("rewards", rewards).size
    prefixes, tokens = logs.shape[-2:] if logs.ndim > 1 else (0, 0)
    length, rows, level = 0, 0, 1
    while level < sequences and tokens > 1:
        length, rows, level = length + 1, rows + level, level * tokens
    if level != sequences or rows != prefixes or length == 0:
        raise DomainError(
            "rewards",
            rewards,
            "V**L rewards for (V**L - 1)/(V - 1) rows of V > 1 logits; "
            f"there are {prefixes} rows of {tokens}",
        )
    return length


def _sequence_logs(logs: FloatArray, length: int) -> FloatArray:
    """Log-probability of each token of each sequence: (..., V**L, L)."""
    tokens = logs.shape[-1]
    columns = []
    for depth, rows in enumerate(_levels(logs, length)):
        flat = rows.reshape(*rows.shape[:-2], tokens ** (depth + 1))
        columns.append(np.repeat(flat, tokens ** (length - depth - 1), axis=-1))
    return np.stack(columns, axis=-1)


def _levels(table: FloatArray, length: int) -> list[FloatArray]:
    """The rows of a table by the depth of their prefix."""
    sizes = table.shape[-1] ** np.arange(length)
    return np.split(table, np.cumsum(sizes)[:-1], axis=-2)


def _log_weights(log_ratios: FloatArray, ratio: TokenRatio) -> FloatArray:
    """Logarithm of the weight of each token, from the log-ratios of the tokens (..., L)."""
    length = log_ratios.shape[-1]
    whole = np.broadcast_to(log_ratios.sum(axis=-1, keepdims=True), log_ratios.shape)
    prefix = log_ratios.cumsum(axis=-1)
    weights: dict[str, FloatArray] = {
        "none": np.zeros(log_ratios.shape),
        "token": log_ratios,
        "prefix_product": prefix,
        "prefix_geometric_mean": prefix / np.arange(1, length + 1),
        "sequence": whole,
        "sequence_geometric_mean": whole / length,
    }
    return weights[ratio]


def _masks(log_weights: FloatArray, clip: Clip, clip_rule: ClipRule) -> tuple[BoolArray, BoolArray]:
    """Which weights keep the gradient of a positive advantage, and of a negative one."""
    widths = {"clip_low": clip[0], "clip_high": clip[1]}
    if clip_rule == "two_sided":
        inside = two_sided_mask(log_weights, **widths)
        return inside, inside
    if clip_rule == "one_sided":
        gains, losses = (one_sided_mask(log_weights, sign, **widths) for sign in (1, -1))
        return gains, losses
    raise DomainError("clip_rule", clip_rule, f"one of {', '.join(get_args(ClipRule))}")


def _summed_scores(coefficients: FloatArray, policy: FloatArray) -> FloatArray:
    """Sum over sequences and tokens of a coefficient (..., V**L, L) times the token's score."""
    length, tokens = coefficients.shape[-1], policy.shape[-1]
    gradient = []
    for depth, rows in enumerate(_levels(policy, length)):
        shape = (*rows.shape[:-2], tokens**depth, tokens, tokens ** (length - depth - 1))
        taken = coefficients[..., depth].reshape(shape).sum(axis=-1)
        gradient.append(taken - taken.sum(axis=-1, keepdims=True) * rows)
    return np.concatenate(gradient, axis=-2)
