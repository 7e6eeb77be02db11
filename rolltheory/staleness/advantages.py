"""Advantages of the responses in a group, and their means over the rest of the group."""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
import numpy.typing as npt
from scipy.special import gammaln, xlogy

from rolltheory.errors import DomainError, UnsupportedError
from rolltheory.numerics.arguments import integer_array, probability_array, real_array
from rolltheory.numerics.rounding import rounded_up

__all__ = [
    "ConditionalAdvantages",
    "StandardDeviation",
    "advantage_bound",
    "conditional_advantages",
    "group_advantages",
    "paired_advantages",
    "sample_std_factor",
]

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]
StandardDeviation = Literal["population", "sample"]
"""The divisor of the variance: n, or n - 1."""

_LARGEST_TABLE = 20_000_000
_LARGEST_REWARD = 1e290


class ConditionalAdvantages(NamedTuple):
    """Mean positive and mean negative part of an action's advantage; both are at least 0."""

    positive: FloatArray
    negative: FloatArray


def group_advantages(
    rewards: Any, *, std: StandardDeviation | None = "population", std_offset: float = 0.0
) -> FloatArray:
    r"""Advantages within groups.

    .. math:: A_i = \frac{R_i - \bar R}{\mathrm{std}(R) + \text{offset}}, \qquad
              A := 0 \text{ if all rewards of the group are equal}

    and :math:`A_i = R_i - \bar R` without a standard deviation. A group is constant if its largest
    reward equals its smallest; its computed standard deviation need not be 0 (numpy gives 1.4e-17
    for three rewards of 0.1, and with it advantages of -1).

    Parameters
    ----------
    rewards : array (..., n), the rewards of one group along the last axis, n at least 2
    std : divisor n ("population") or n - 1 ("sample") in the standard deviation; None: mean only
    std_offset : added to the standard deviation, at least 0

    Returns
    -------
    array of the shape of the rewards; sums to 0 along the last axis

    Raises
    ------
    DomainError
        if a reward exceeds 1e290 in size, a group has fewer than 2 responses, the offset is
        negative, or std is unknown.

    Notes
    -----
    Source: known (GRPO; without standard deviation: Dr. GRPO).

    Examples
    --------
    >>> group_advantages([[1, 0, 0, 0], [0.1, 0.1, 0.1, 0.1]]).round(4) + 0.0
    array([[ 1.7321, -0.5774, -0.5774, -0.5774],
           [ 0.    ,  0.    ,  0.    ,  0.    ]])
    """
    values = _checked_rewards(rewards)
    if values.ndim == 0 or values.shape[-1] < 2:
        raise DomainError("rewards", rewards, "at least 2 responses per group")
    offset = float(real_array("std_offset", std_offset, at_least=0.0))
    spread = np.ptp(values, axis=-1, keepdims=True)
    # Differences to a member of the group are exact 0 in a constant group.
    relative = values - values[..., :1]
    centred = relative - relative.mean(axis=-1, keepdims=True)
    if std is None:
        return np.asarray(centred)
    unit = centred / np.where(spread > 0, spread, 1.0)
    deviation = unit.std(axis=-1, keepdims=True) / sample_std_factor(values.shape[-1], std)
    return np.asarray(centred / np.where(spread > 0, deviation * spread + offset, 1.0))


def advantage_bound(group_size: Any, *, std: StandardDeviation = "population") -> FloatArray:
    r"""Largest group-normalised advantage, rounded up.

    .. math:: |A_i| \le \sqrt{n - 1} \;(\text{population}), \qquad
              |A_i| \le \frac{n - 1}{\sqrt n} \;(\text{sample})

    for any real rewards, with equality for one success among n.

    Parameters
    ----------
    group_size : array, responses n per group, at least 2
    std : as in :func:`group_advantages`

    Returns
    -------
    array of the shape of n

    Raises
    ------
    DomainError
        if a group has fewer than 2 responses or std is unknown.

    Notes
    -----
    Source: known (Samuelson's inequality): sum A = 0 and sum A^2 <= n.

    Examples
    --------
    >>> advantage_bound([4, 8]).round(4), advantage_bound([4, 8], std="sample").round(4)
    (array([1.7321, 2.6458]), array([1.5   , 2.4749]))
    """
    sizes = integer_array("group_size", group_size, at_least=2)
    return rounded_up(np.sqrt(sizes - 1) * sample_std_factor(sizes, std))


def sample_std_factor(group_size: Any, std: StandardDeviation) -> FloatArray:
    r"""Advantage under the given standard deviation over advantage under the population's.

    .. math:: 1 \;(\text{population}), \qquad \sqrt{(n - 1)/n} \;(\text{sample})

    Parameters
    ----------
    group_size : array, responses n per group, at least 2
    std : as in :func:`group_advantages`

    Returns
    -------
    array of the shape of n

    Raises
    ------
    DomainError
        if a group has fewer than 2 responses or std is unknown.

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> sample_std_factor([2, 4], "sample").round(4)
    array([0.7071, 0.866 ])
    """
    sizes = integer_array("group_size", group_size, at_least=2)
    if std not in get_args(StandardDeviation):
        raise DomainError("std", std, "'population' or 'sample'")
    return np.sqrt((sizes - 1) / sizes) if std == "sample" else np.ones(sizes.shape)


def conditional_advantages(
    probabilities: Any,
    rewards: Any,
    group_size: int,
    *,
    std: StandardDeviation | None = "population",
) -> ConditionalAdvantages:
    r"""Means of an action's advantage when the rest of its group is drawn from a policy.

    .. math:: \bar A^{\pm}(y) = \mathbb{E}_{y_2, \dots, y_n \sim \pi}\,
              \max(\pm A_1, 0) \quad \text{given } y_1 = y

    by enumeration of how often each distinct reward occurs among the other n - 1 responses:
    ``comb(n + levels - 2, levels - 1)`` terms.

    Parameters
    ----------
    probabilities : array (..., actions), the policy pi
    rewards : array (actions,)
    group_size : responses n per group, at least 2
    std : as in :func:`group_advantages`

    Returns
    -------
    ConditionalAdvantages of arrays (..., actions)

    Raises
    ------
    DomainError
        if the shapes do not agree, an entry is out of range, or a reward exceeds 1e290 in size.
    UnsupportedError
        if the enumeration would be too large.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> found = conditional_advantages([0.5, 0.5], [1, 0], 4)
    >>> (found.positive - found.negative).round(6)
    array([ 0.808013, -0.808013])
    """
    mass, levels, level_of, n = _levels(probabilities, rewards, group_size)
    others = _compositions(n - 1, len(levels))
    advantages = _advantage_table(levels, others, std)
    chances = _multinomial(others, mass)
    return ConditionalAdvantages(
        positive=(chances @ np.maximum(advantages, 0.0))[..., level_of],
        negative=(chances @ np.maximum(-advantages, 0.0))[..., level_of],
    )


def paired_advantages(
    probabilities: Any,
    rewards: Any,
    group_size: int,
    *,
    std: StandardDeviation | None = "population",
) -> FloatArray:
    r"""Mean advantage of an action whose group holds another given action.

    .. math:: B(y, z) = \mathbb{E}_{y_3, \dots, y_n \sim \pi}\, A_1
              \quad \text{given } y_1 = y,\ y_2 = z

    Parameters, errors and limits as in :func:`conditional_advantages`.

    Returns
    -------
    array (..., actions, actions), y before z

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> paired_advantages([0.2, 0.3, 0.5], [0, 1, 2], 2)
    array([[ 0., -1., -1.],
           [ 1.,  0., -1.],
           [ 1.,  1.,  0.]])
    """
    mass, levels, level_of, n = _levels(probabilities, rewards, group_size)
    rest = _compositions(n - 2, len(levels))
    others = rest[:, None, :] + np.eye(len(levels), dtype=np.int64)
    advantages = _advantage_table(levels, others.reshape(-1, len(levels)), std)
    by_pair = advantages.reshape(len(rest), -1)  # (rest, level of z then level of y)
    means = (_multinomial(rest, mass) @ by_pair).reshape(*mass.shape, len(levels))
    return np.asarray(means.swapaxes(-1, -2)[..., level_of[:, None], level_of])


def _checked_rewards(rewards: Any) -> FloatArray:
    # Sums over a group of any size must not overflow.
    return real_array("rewards", rewards, at_least=-_LARGEST_REWARD, at_most=_LARGEST_REWARD)


def _levels(
    probabilities: Any, rewards: Any, group_size: int
) -> tuple[FloatArray, FloatArray, IntArray, int]:
    """Mass of each distinct reward, the rewards, the level of each action, and the group size."""
    policy = probability_array("probabilities", probabilities)
    values = _checked_rewards(rewards)
    if values.ndim != 1 or policy.shape[-1:] != values.shape:
        raise DomainError("rewards", rewards, f"one reward for each of {policy.shape[-1:]} actions")
    n = int(integer_array("group_size", group_size, at_least=2))
    levels, level_of = np.unique(values, return_inverse=True)
    return policy @ np.eye(len(levels))[level_of], levels, level_of, n


def _multinomial(counts: IntArray, mass: FloatArray) -> FloatArray:
    """Probability of each row of counts, which sum to one total: (..., rows)."""
    logs = gammaln(counts[0].sum() + 1) - gammaln(counts + 1).sum(axis=-1)
    chances = np.exp(logs + xlogy(counts, mass[..., None, :]).sum(axis=-1))
    # The sum of the chances is 1; dividing by it removes the shared part of their error.
    return np.asarray(chances / chances.sum(axis=-1, keepdims=True))


def _compositions(total: int, parts: int) -> IntArray:
    """Every way to write the total as an ordered sum of so many whole numbers, one a row."""
    rows = comb(total + parts - 1, parts - 1)
    if rows * parts**2 > _LARGEST_TABLE:
        raise UnsupportedError(
            f"enumerating {rows} groups of {parts} distinct rewards",
            f"at most {_LARGEST_TABLE} table entries; use fewer responses or fewer reward levels",
        )
    bars = combinations(range(total + parts - 1), parts - 1)
    places = np.array(list(bars), dtype=np.int64).reshape(rows, parts - 1)
    edges = np.pad(places, ((0, 0), (1, 1)), constant_values=((0, 0), (-1, total + parts - 1)))
    return np.diff(edges, axis=-1) - 1


def _advantage_table(
    levels: FloatArray, others: IntArray, std: StandardDeviation | None
) -> FloatArray:
    """Advantage of a response of each level (column) beside each rest of the group (row)."""
    n = int(others[0].sum()) + 1
    span = levels[-1] - levels[0]
    unit = (levels - levels[0]) / (span or 1.0)
    counts = others[:, None, :] + np.eye(len(levels), dtype=np.int64)
    means = counts @ unit / n
    centred = unit - means
    if std is None:
        return np.asarray(centred * span)
    gaps = np.where(counts > 0, np.abs(unit - means[..., None]), 0.0)
    # Relative to its widest gap, no group's deviation can underflow.
    constant = counts.max(axis=-1) == n
    widest = np.where(constant, 1.0, gaps.max(axis=-1))
    deviations = np.sqrt((counts * (gaps / widest[..., None]) ** 2).sum(axis=-1) / n)
    scaled = centred / widest / np.where(constant, 1.0, deviations)
    return np.asarray(np.where(constant, 0.0, scaled) * sample_std_factor(n, std))
