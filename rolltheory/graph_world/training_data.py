"""Which data a model is trained on: replay of past policies, and how to split a budget."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import (
    exact_probability,
    integer_array,
    positive_array,
    probability_array,
    real_array,
)
from rolltheory.numerics.rounding import product_above, rounded_up

__all__ = [
    "best_replay_window",
    "gaussian_pinsker_bound",
    "mixture_shift_bound",
    "mixture_shift_bound_exact",
    "optimal_data_split",
]

FloatArray = npt.NDArray[np.float64]


def mixture_shift_bound(
    discount: float, weights: Any, policy_shifts: Any, *, mixture_error: float, largest_error: float
) -> float:
    r"""Value error of a model trained on replay of past policies, with rewards in [0, 1].

    .. math:: |J - \hat J| \le \frac{\gamma}{(1 - \gamma)^2} \Bigl( E_{\mathrm{mix}}[\mathrm{err}]
        + \frac{\mathrm{err}_{\max}}{1 - \gamma} \sum_i w_i \max_s TV(\pi, \pi_i) \Bigr)

    with err the total variation of the model at a state and action.

    Parameters
    ----------
    discount : gamma, within [0, 1)
    weights : (m,) shares of the past policies in the replay, summing to 1
    policy_shifts : (m,) largest total variation between each past policy and the present one
    mixture_error : expected err on the replay
    largest_error : err_max, within [mixture_error, 1]

    Raises
    ------
    DomainError
        outside these ranges.

    Notes
    -----
    Source: derived here, docs/theory/graph_world.md.

    Examples
    --------
    >>> bound = mixture_shift_bound(
    ...     0.5, [0.5, 0.5], [0, 0.1], mixture_error=0.1, largest_error=0.2
    ... )
    >>> round(bound, 9)
    0.24
    """
    gamma = float(real_array("discount", discount, at_least=0, at_most=1))
    if gamma == 1:
        raise DomainError("discount", gamma, "a discount below 1")
    shares = np.atleast_1d(probability_array("weights", weights))
    shifts = np.atleast_1d(probability_array("policy_shifts", policy_shifts))
    if shares.ndim != 1 or shares.shape != shifts.shape:
        raise DomainError("policy_shifts", shifts.shape, f"one per weight, {shares.shape}")
    if abs(shares.sum() - 1) > 1e-9:
        raise DomainError("weights", float(shares.sum()), "weights that sum to 1")
    expected = float(probability_array("mixture_error", mixture_error))
    largest = float(real_array("largest_error", largest_error, at_least=expected, at_most=1.0))
    shift = product_above(shares, shifts).sum() / (1 - gamma)
    on_policy = min(expected + float(product_above(largest, shift)), largest)
    lost = product_above(gamma, on_policy) / (1 - gamma) ** 2
    return float(rounded_up(lost, 32 + 2 * shares.size))


def mixture_shift_bound_exact(
    discount: Any,
    weights: Sequence[Any],
    policy_shifts: Sequence[Any],
    *,
    mixture_error: Any,
    largest_error: Any,
) -> Fraction:
    """The same in rationals.

    >>> half = Fraction(1, 2)
    >>> mixture_shift_bound_exact(
    ...     half, [half, half], [0, half / 5], mixture_error=half / 5, largest_error=2 * half / 5
    ... )
    Fraction(6, 25)
    """
    gamma, expected, largest = (
        exact_probability(name, value)
        for name, value in (
            ("discount", discount),
            ("mixture_error", mixture_error),
            ("largest_error", largest_error),
        )
    )
    shares = [exact_probability("weights", weight) for weight in weights]
    shifts = [exact_probability("policy_shifts", shift) for shift in policy_shifts]
    if gamma == 1:
        raise DomainError("discount", gamma, "a discount below 1")
    if sum(shares) != 1 or len(shifts) != len(shares):
        raise DomainError("weights", shares, "weights that sum to 1, one per policy shift")
    if expected > largest:
        raise DomainError("largest_error", largest, f"at least mixture_error, {expected}")
    shift = sum((w * s for w, s in zip(shares, shifts, strict=True)), Fraction(0)) / (1 - gamma)
    return gamma / (1 - gamma) ** 2 * min(expected + largest * shift, largest)


def gaussian_pinsker_bound(mean: Any, other_mean: Any, *, std: Any, other_std: Any) -> FloatArray:
    r"""Bound on the total variation of two Gaussian policies with independent coordinates.

    .. math:: TV \le \sqrt{\tfrac12 KL}, \qquad KL = \tfrac12 \sum_i \Bigl(
        \frac{s_i^2 + (m_i - n_i)^2}{t_i^2} - 1 - \ln\frac{s_i^2}{t_i^2} \Bigr)

    and never above 1. Variances, not standard deviations, belong into KL. Broadcasts over all
    axes but the last, of coordinates.

    Parameters
    ----------
    mean, other_mean : (..., d) m and n
    std, other_std : (..., d) standard deviations s and t, above 0

    Returns
    -------
    (...) bounds on the policy shift at a state.

    Raises
    ------
    DomainError
        for standard deviations that are not above 0.

    Notes
    -----
    Source: Pinsker (known).

    Examples
    --------
    >>> float(gaussian_pinsker_bound([0.0], [0.05], std=[0.1], other_std=[0.1]).round(9))
    0.25
    """
    width, other = positive_array("std", std), positive_array("other_std", other_std)
    shift = real_array("mean", mean) - real_array("other_mean", other_mean)
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        ratio = width / other
        excess = (ratio - 1) * (ratio + 1)
        # x - log(1 + x) cancels for nearly equal widths, by at most some units of x
        spread = excess - np.log1p(excess) + 8 * 2.0**-52 * np.abs(excess)
        apart = product_above(np.abs(shift), 1 / other)
        divergence = (product_above(apart, apart) + spread).sum(axis=-1) / 2
    bound = np.sqrt(np.where(np.isnan(divergence), np.inf, divergence) / 2)
    return np.asarray(np.minimum(rounded_up(bound, 32 + width.size), 1.0))[()]


def best_replay_window(drift: Any, *, samples: Any, noise: Any) -> FloatArray:
    r"""How many past policies to keep so that shift plus sampling error is least. Broadcasts.

    .. math:: m^* = \Bigl( \frac{c}{\delta \sqrt n} \Bigr)^{2/3}
        \quad\text{minimises}\quad \delta\,\frac{m - 1}{2} + \frac{c}{\sqrt{n m}}

    Parameters
    ----------
    drift : delta, total variation between successive policies, above 0
    samples : n per policy, at least 1
    noise : c, sampling error of one sample, above 0

    Returns
    -------
    The real minimiser; below 1 means one policy. Compare the cost at the whole numbers beside.

    Raises
    ------
    DomainError
        outside these ranges.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> float(best_replay_window(0.02, samples=100, noise=1).round(2))
    2.92
    """
    count = integer_array("samples", samples, at_least=1)
    scale = positive_array("noise", noise) / (positive_array("drift", drift) * np.sqrt(count))
    return np.asarray(np.cbrt(scale) ** 2)[()]


def optimal_data_split(
    budget: float,
    *,
    error_scales: tuple[float, float],
    exponents: tuple[float, float],
    unit_costs: tuple[float, float],
) -> tuple[float, float]:
    r"""How to spend a budget between data for the dynamics and data for the reward.

    .. math:: \min_{k_d n_d + k_r n_r = B} C_d n_d^{-\alpha} + C_r n_r^{-\beta}
        \iff \frac{\alpha C_d n_d^{-\alpha - 1}}{k_d} = \frac{\beta C_r n_r^{-\beta - 1}}{k_r}

    Parameters
    ----------
    budget : B, above 0, in units of cost
    error_scales : C_d, C_r, above 0, in units of value
    exponents : alpha, beta, above 0
    unit_costs : k_d, k_r, above 0, cost per sample

    Returns
    -------
    (n_d, n_r), real numbers of samples.

    Raises
    ------
    DomainError
        outside these ranges.

    Notes
    -----
    Source: the law of arXiv 2605.06732 (abstract); the split is derived here.

    Examples
    --------
    >>> optimal_data_split(10.0, error_scales=(1, 1), exponents=(0.5, 0.5), unit_costs=(1, 1))
    (5.0, 5.0)
    """
    from scipy.optimize import brentq

    total = float(positive_array("budget", budget))
    scale, power, cost = (
        positive_array(name, value)
        for name, value in (
            ("error_scales", error_scales),
            ("exponents", exponents),
            ("unit_costs", unit_costs),
        )
    )

    def imbalance(share: float) -> float:
        """Log of the two marginal returns' ratio; it falls in the share of the dynamics."""
        samples = total * np.array([share, 1 - share]) / cost
        returns = np.log(power * scale / cost) - (power + 1) * np.log(samples)
        return float(returns[0] - returns[1])

    tiny = 2.0**-500
    share = 0.5 if imbalance(0.5) == 0 else float(brentq(imbalance, tiny, 1 - 2.0**-53, xtol=1e-16))
    return total * share / float(cost[0]), total * (1 - share) / float(cost[1])
