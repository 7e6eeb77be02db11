"""Importance ratios of token sequences, on the log scale.

Everything is a log-ratio in nats, so that long sequences neither overflow nor vanish; ``np.exp``
gives the ratio. Arrays are (..., tokens). A mask marks the tokens that count (1 or True); results
are 0 at the others, and what stands there is never looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import integer_array, real_array
from rolltheory.staleness._arrays import BoolArray, FloatArray, token_array, token_mask

__all__ = [
    "RatioFactors",
    "factorise_log_ratio",
    "factorise_log_ratio_exact",
    "minimum_prefix_log_ratio",
    "minimum_prefix_log_ratio_exact",
    "prefix_log_ratio",
    "prefix_log_ratio_exact",
    "prefix_log_ratio_variance",
    "prefix_mean_log_ratio",
    "prefix_mean_log_ratio_exact",
    "prefix_mean_log_ratio_variance",
    "sequence_log_ratio",
    "sequence_mean_log_ratio",
    "token_log_ratio",
]


def token_log_ratio(
    log_probability: Any, behaviour_log_probability: Any, *, mask: Any = None
) -> FloatArray:
    r"""Log-ratio of each token.

    .. math:: \log r_t = \log \pi_\theta(y_t \mid y_{<t}) - \log \pi_\phi(y_t \mid y_{<t})

    Parameters
    ----------
    log_probability : array (..., tokens) in nats, of the sampled tokens under the learner
    behaviour_log_probability : array of the same shape, under the policy that sampled them
    mask : array that broadcasts to (..., tokens), 1 for tokens that count

    Returns
    -------
    array (..., tokens), 0 where masked

    Raises
    ------
    DomainError
        if an unmasked log-probability is positive or not finite, or the shapes differ.

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> token_log_ratio([-1.0, -2.0, -9.0], [-1.5, -1.0, float("nan")], mask=[1, 1, 0])
    array([ 0.5, -1. ,  0. ])
    """
    learner = token_array("log_probability", log_probability, mask, at_most=0.0)
    sampler = token_array("behaviour_log_probability", behaviour_log_probability, mask, at_most=0.0)
    if learner.shape != sampler.shape:
        raise DomainError(
            "behaviour_log_probability", sampler.shape, f"the learner's shape {learner.shape}"
        )
    return learner - sampler


def prefix_log_ratio(log_ratio: Any, *, mask: Any = None) -> FloatArray:
    r"""Log of the product of the token ratios up to and including each token.

    .. math:: \log \rho_t = \sum_{u \le t} \log r_u

    Corrects the distribution of the prefix, not of its continuation: for a reward at the end it
    leaves a bias, see :func:`sequence_log_ratio`.

    Parameters
    ----------
    log_ratio : array (..., tokens), see :func:`token_log_ratio`
    mask : array that broadcasts to (..., tokens)

    Returns
    -------
    array (..., tokens), 0 where masked

    Raises
    ------
    DomainError
        if an unmasked log-ratio is not finite.

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> prefix_log_ratio([0.5, -1.0, 0.25])
    array([ 0.5 , -0.5 , -0.25])
    """
    ratio, inside = _ratios(log_ratio, mask)
    return np.where(inside, np.cumsum(ratio, axis=-1), 0.0)


def prefix_log_ratio_exact(log_ratio: Sequence[Fraction]) -> list[Fraction]:
    """Exact twin of :func:`prefix_log_ratio` for one sequence.

    >>> prefix_log_ratio_exact([Fraction(1, 2), Fraction(-1)])
    [Fraction(1, 2), Fraction(-1, 2)]
    """
    return list(accumulate(map(Fraction, log_ratio)))


def prefix_mean_log_ratio(log_ratio: Any, *, mask: Any = None) -> FloatArray:
    r"""Log of the geometric mean of the token ratios along the causal prefix (PNPO).

    .. math:: \log \rho_t = \frac1t \sum_{u \le t} \log r_u

    The last token's value is that of :func:`sequence_mean_log_ratio`. Its variance falls with t,
    see :func:`prefix_mean_log_ratio_variance`; it is biased.

    Parameters
    ----------
    log_ratio : array (..., tokens)
    mask : array that broadcasts to (..., tokens); t counts unmasked tokens

    Returns
    -------
    array (..., tokens), 0 where masked

    Raises
    ------
    DomainError
        if an unmasked log-ratio is not finite.

    Notes
    -----
    Source: arXiv:2608.01418, the ratio without its rejection rule.

    Examples
    --------
    >>> prefix_mean_log_ratio([0.5, -1.0, 0.25]).round(4)
    array([ 0.5   , -0.25  , -0.0833])
    """
    ratio, inside = _ratios(log_ratio, mask)
    position = np.maximum(np.cumsum(inside, axis=-1), 1)
    return np.where(inside, np.cumsum(ratio, axis=-1) / position, 0.0)


def prefix_mean_log_ratio_exact(log_ratio: Sequence[Fraction]) -> list[Fraction]:
    """Exact twin of :func:`prefix_mean_log_ratio` for one sequence.

    >>> prefix_mean_log_ratio_exact([Fraction(1, 2), Fraction(-1)])
    [Fraction(1, 2), Fraction(-1, 4)]
    """
    return [total / t for t, total in enumerate(prefix_log_ratio_exact(log_ratio), start=1)]


def minimum_prefix_log_ratio(log_ratio: Any, *, mask: Any = None) -> FloatArray:
    r"""Log of each token's ratio times the smallest ratio in the prefix before it (MinPRO).

    .. math:: \log \rho_t = \log r_t + \min_{u < t} \log r_u

    The first token, whose prefix is empty, keeps its own ratio (a convention).

    Parameters, returns, raises : as :func:`prefix_log_ratio`.

    Source: arXiv:2601.22718, from its summary.

    >>> minimum_prefix_log_ratio([0.5, -1.0, 0.25])
    array([ 0.5 , -0.5 , -0.75])
    """
    ratio, inside = _ratios(log_ratio, mask)
    lowest = np.minimum.accumulate(np.where(inside, ratio, np.inf), axis=-1)
    before = np.concatenate([np.full_like(lowest[..., :1], np.inf), lowest[..., :-1]], axis=-1)
    return np.where(inside, ratio + np.where(np.isinf(before), 0.0, before), 0.0)


def minimum_prefix_log_ratio_exact(log_ratio: Sequence[Fraction]) -> list[Fraction]:
    """Exact twin of :func:`minimum_prefix_log_ratio` for one sequence.

    >>> minimum_prefix_log_ratio_exact([Fraction(1, 2), Fraction(-1), Fraction(1, 4)])
    [Fraction(1, 2), Fraction(-1, 2), Fraction(-3, 4)]
    """
    exact = [Fraction(ratio) for ratio in log_ratio]
    before = [Fraction(0), *accumulate(exact, min)]
    return [ratio + lowest for ratio, lowest in zip(exact, before, strict=False)]


def sequence_log_ratio(log_ratio: Any, *, mask: Any = None) -> FloatArray:
    r"""Log-ratio of the whole sequence; the only one that removes all bias.

    .. math:: \log \rho = \sum_t \log r_t

    Its variance grows with the length, so truncation deflates its mean although nothing else has
    changed, see :func:`rolltheory.staleness.lognormal.truncated_lognormal_mean`.

    Parameters
    ----------
    log_ratio : array (..., tokens)
    mask : array that broadcasts to (..., tokens)

    Returns
    -------
    array (...)

    Raises
    ------
    DomainError
        if an unmasked log-ratio is not finite.

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> float(sequence_log_ratio([0.5, -1.0, 0.25]))
    -0.25
    """
    ratio, _ = _ratios(log_ratio, mask)
    return np.asarray(ratio.sum(axis=-1))


def sequence_mean_log_ratio(log_ratio: Any, *, mask: Any = None) -> FloatArray:
    r"""Log of the geometric mean of a sequence's token ratios (GSPO).

    .. math:: \log \rho = \frac1L \sum_t \log r_t

    Comparable across lengths; biased.

    Parameters
    ----------
    log_ratio : array (..., tokens)
    mask : array that broadcasts to (..., tokens); L counts unmasked tokens

    Returns
    -------
    array (...)

    Raises
    ------
    DomainError
        if an unmasked log-ratio is not finite, or a sequence has no token that counts.

    Notes
    -----
    Source: known (GSPO).

    Examples
    --------
    >>> sequence_mean_log_ratio([[0.5, -1.0], [0.25, 9.0]], mask=[[1, 1], [1, 0]])
    array([-0.25,  0.25])
    """
    ratio, inside = _ratios(log_ratio, mask)
    length = inside.sum(axis=-1)
    if (length == 0).any():
        raise DomainError("mask", "a sequence without tokens", "a token that counts in each")
    return np.asarray(ratio.sum(axis=-1) / length)


class RatioFactors(NamedTuple):
    """A log-ratio as a sum of two: training against inference, and age."""

    discrepancy: FloatArray
    staleness: FloatArray

    @property
    def total(self) -> FloatArray:
        """The log-ratio of learner over sampler."""
        return self.discrepancy + self.staleness


def factorise_log_ratio(
    log_probability: Any,
    old_log_probability: Any,
    behaviour_log_probability: Any,
    *,
    mask: Any = None,
) -> RatioFactors:
    r"""Split each token's log-ratio into training-inference discrepancy and staleness.

    .. math:: \log \frac{\pi_\theta}{\mu} = \log \frac{\pi_{old}}{\mu}
        + \log \frac{\pi_\theta}{\pi_{old}}

    Here old is the trainer's own evaluation of the weights that sampled. If it was lost and is
    recomputed with the current weights, staleness reads 0 and discrepancy absorbs both. With a
    sparse or quantised sampler, discrepancy is the acceptance ratio of sparse rollouts.

    Parameters
    ----------
    log_probability : array (..., tokens) in nats, learner now
    old_log_probability : array of the same shape, trainer at the weights that sampled
    behaviour_log_probability : array of the same shape, as the sampler reported it
    mask : array that broadcasts to (..., tokens)

    Returns
    -------
    RatioFactors of arrays (..., tokens), 0 where masked; ``total`` is their sum

    Raises
    ------
    DomainError
        as :func:`token_log_ratio`.

    Notes
    -----
    Source: arXiv:2605.12070; arXiv:2601.10079 for sparse samplers.

    Examples
    --------
    >>> factors = factorise_log_ratio([-1.0], [-1.25], [-1.5])
    >>> factors.discrepancy, factors.staleness, factors.total
    (array([0.25]), array([0.25]), array([0.5]))
    """
    return RatioFactors(
        discrepancy=token_log_ratio(old_log_probability, behaviour_log_probability, mask=mask),
        staleness=token_log_ratio(log_probability, old_log_probability, mask=mask),
    )


def factorise_log_ratio_exact(
    log_probability: Sequence[Fraction],
    old_log_probability: Sequence[Fraction],
    behaviour_log_probability: Sequence[Fraction],
) -> tuple[list[Fraction], list[Fraction]]:
    """Exact twin of :func:`factorise_log_ratio` for one sequence: discrepancy, staleness.

    >>> factorise_log_ratio_exact([Fraction(-1)], [Fraction(-5, 4)], [Fraction(-3, 2)])
    ([Fraction(1, 4)], [Fraction(1, 4)])
    """
    triples = zip(log_probability, old_log_probability, behaviour_log_probability, strict=True)
    rows = [(Fraction(old) - sampler, Fraction(now) - old) for now, old, sampler in triples]
    return [discrepancy for discrepancy, _ in rows], [staleness for _, staleness in rows]


def prefix_log_ratio_variance(token_variance: Any, position: Any) -> FloatArray:
    r"""Variance of :func:`prefix_log_ratio` when token log-ratios are uncorrelated.

    .. math:: \mathrm{Var} \log \rho_t = v\,t

    Parameters
    ----------
    token_variance : array, v in nats squared
    position : array that broadcasts with it, t counted from 1; L for a whole sequence

    Returns
    -------
    array of the broadcast shape

    Raises
    ------
    DomainError
        if the variance is negative or a position below 1.

    Examples
    --------
    Known for uncorrelated terms.

    >>> float(prefix_log_ratio_variance(0.01, 32))
    0.32
    """
    return np.asarray(_variance(token_variance) * _position(position))


def prefix_mean_log_ratio_variance(token_variance: Any, position: Any) -> FloatArray:
    r"""Variance of :func:`prefix_mean_log_ratio` when token log-ratios are uncorrelated.

    .. math:: \mathrm{Var} \log \rho_t = v / t

    Parameters, raises : as :func:`prefix_log_ratio_variance`.

    Source: arXiv:2608.01418.

    >>> float(prefix_mean_log_ratio_variance(0.01, 32))
    0.0003125
    """
    return np.asarray(_variance(token_variance) / _position(position))


def _ratios(log_ratio: Any, mask: Any) -> tuple[FloatArray, BoolArray]:
    ratio = token_array("log_ratio", log_ratio, mask)
    return ratio, token_mask(mask, ratio.shape)


def _variance(token_variance: Any) -> FloatArray:
    return real_array("token_variance", token_variance, at_least=0.0)


def _position(position: Any) -> Any:
    return integer_array("position", position, at_least=1)
