"""How many tries of one model recover the Pass@k that another reaches with fewer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import log1p
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import integer_array, probability_array, real_array
from rolltheory.numerics.rounding import rounded_down
from rolltheory.reachability.beta_binomial import BetaBinomialFit, fitted_log_failure
from rolltheory.reachability.beta_law import beta_tail_coefficient
from rolltheory.reachability.counts import checked_counts
from rolltheory.reachability.estimators import pass_at_k
from rolltheory.stats.beta import log_beta_ratio
from rolltheory.stats.fits import PowerLaw, fit_power_law

__all__ = [
    "RecoveryMap",
    "beta_recovery_law",
    "recovery_map",
    "recovery_map_of_counts",
    "recovery_map_of_fits",
    "recovery_ratio",
]

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]

_MOST_TRIES = 2.0**62
_FEWEST_POINTS = 3  # two points lie on every power law


@dataclass(frozen=True)
class RecoveryMap:
    """Tries ``N_B`` of a base model that match ``N_R`` tries of a trained one.

    Attributes
    ----------
    tries : ``N_R``, shape (T,), those whose Pass@k the base reaches
    base_tries : ``N_B``, shape (T,), not necessarily whole
    unreached : the other ``N_R``: the base curve stays below the Pass@k of the trained model
        there, at its plateau or at its last point, and no number of tries is known to recover it
    local_exponents : slopes between neighbouring points on log-log axes, shape (T - 1,)
    law : ``N_B = alpha N_R^beta`` fitted on log-log axes; None for fewer than three points. While
        the local exponents still drift, it holds for these tries only
    """

    tries: FloatArray
    base_tries: FloatArray
    unreached: FloatArray
    local_exponents: FloatArray
    law: PowerLaw | None


def recovery_map(
    tries: npt.ArrayLike,
    pass_at_k: npt.ArrayLike,
    base_tries: npt.ArrayLike,
    base_pass_at_k: npt.ArrayLike,
) -> RecoveryMap:
    r"""Recovery map from two measured Pass@k curves.

    .. math:: N_B(N_R) = \min\{N : \text{Pass@}N(\text{base}) \ge \text{Pass@}N_R\}

    The base curve is interpolated linearly between its points and from the origin to the first of
    them; it is never extended beyond the last one.

    Parameters
    ----------
    tries, pass_at_k : array_like, shape (T,)
        Curve of the trained model, tries ascending, values positive.
    base_tries, base_pass_at_k : array_like, shape (S,)
        Curve of the base model, tries ascending and positive, values not falling.

    Returns
    -------
    RecoveryMap

    Raises
    ------
    DomainError
        for curves of another form.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> result = recovery_map([1, 2, 4], [0.25, 0.5, 0.9], [1, 2, 3, 4], [0.1, 0.2, 0.3, 0.5])
    >>> result.base_tries, result.unreached
    (array([2.5, 4. ]), array([4.]))
    """
    targets_at, targets = _curve("tries", tries, "pass_at_k", pass_at_k)
    if not (targets > 0).all():
        raise DomainError("pass_at_k", 0.0, "positive values, which some tries recover")
    base_at, base = _curve("base_tries", base_tries, "base_pass_at_k", base_pass_at_k)
    base_at, base = np.append(0.0, base_at), np.append(0.0, base)
    reached = targets <= base[-1]
    after = np.searchsorted(base, targets[reached], side="left")
    low, high = base[after - 1], base[after]
    part = (targets[reached] - low) / (high - low)
    matching = base_at[after - 1] + part * (base_at[after] - base_at[after - 1])
    return _mapped(targets_at, reached, matching)


def recovery_map_of_counts(
    samples: npt.ArrayLike,
    successes: npt.ArrayLike,
    base_samples: npt.ArrayLike,
    base_successes: npt.ArrayLike,
    tries: npt.ArrayLike,
) -> RecoveryMap:
    r"""Recovery map from the counted tries of two models.

    .. math:: \frac{1}{M_B} \sum_i U(n_i, c_i, N_B) = \frac{1}{M_R} \sum_i U(n'_i, c'_i, N_R)

    The unbiased estimate ``U`` of the base is read at fractions of tries with gamma functions in
    place of factorials; it bends as Pass@k does, where a line between whole tries does not.

    Parameters
    ----------
    samples, successes : array_like of int, shape (M,)
        Tries and successes per problem of the trained model.
    base_samples, base_successes : array_like of int, shape (M,)
        The same of the base model.
    tries : array_like of int, shape (T,)
        ``N_R``, ascending, at most the tries of every problem of the trained model.

    Returns
    -------
    RecoveryMap
        Points above the base's Pass@n, with ``n`` its smallest number of tries, are unreached.

    Raises
    ------
    DomainError
        for counts or tries outside their ranges, or no success at all of the trained model.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> result = recovery_map_of_counts(8, [0, 2, 8], 8, [0, 1, 4], [1, 2, 8])
    >>> result.base_tries.round(3), result.unreached
    (array([2.764, 3.864, 8.   ]), array([], dtype=float64))
    """
    wanted = _ascending_tries(tries)
    n, c = checked_counts(samples, successes)
    targets = pass_at_k(n, c, wanted[:, np.newaxis]).mean(axis=-1)
    if not c.any():
        raise DomainError("successes", 0, "at least one, for a Pass@k that some tries recover")
    base_n, base_c = checked_counts(base_samples, base_successes)
    most = float(base_n.min())
    curve = partial(_smooth_pass_at_k, base_n, base_c)
    reached = targets <= curve(np.array([most]))
    return _mapped(wanted, reached, _solved(curve, targets[reached], most))


def recovery_map_of_fits(
    fit: BetaBinomialFit, base_fit: BetaBinomialFit, tries: npt.ArrayLike
) -> RecoveryMap:
    r"""Recovery map of two fitted laws of the success probabilities.

    .. math:: \text{Pass@}N_B(\text{base}) = \text{Pass@}N_R

    The base reaches no value at or above its plateau, one less its mass at zero.

    Assumes both laws, at these numbers of tries.

    Parameters
    ----------
    fit, base_fit : BetaBinomialFit
        Laws of the trained and of the base model.
    tries : array_like of int, shape (T,)
        ``N_R``, ascending, at least 1.

    Returns
    -------
    RecoveryMap
        Points that would take more than 2**62 tries count as unreached.

    Raises
    ------
    DomainError
        for tries outside their range.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> fit = BetaBinomialFit(0.25, 0.2, 0.0, 0.0, 2, 40, ())
    >>> base = BetaBinomialFit(0.25, 0.2, 0.5, 0.0, 3, 40, ())
    >>> result = recovery_map_of_fits(fit, base, [1, 2, 16])
    >>> result.base_tries.round(3), result.unreached
    (array([ 3., 12.]), array([16.]))
    """
    wanted = _ascending_tries(tries)
    targets = 0.0 - fitted_log_failure(fit, wanted)

    def curve(base_tries: npt.ArrayLike) -> FloatArray:
        return 0.0 - fitted_log_failure(base_fit, base_tries)

    with np.errstate(divide="ignore"):  # without a mass at zero there is no plateau
        plateau = -np.log(base_fit.zero_mass)
    reached = (targets <= curve(_MOST_TRIES)) & (targets < rounded_down(plateau, 64))
    matching = _solved(curve, targets[reached], _MOST_TRIES)
    return _mapped(wanted, reached, matching)


def beta_recovery_law(a: float, b: float, base_a: float, base_b: float) -> PowerLaw:
    r"""Law that the recovery map of two Beta populations approaches for many tries.

    .. math:: N_B \sim \alpha N_R^\beta, \qquad \beta = a_R / a_B, \quad
              \alpha = (C_B / C_R)^{1/a_B}, \quad C = \Gamma(a + b) / \Gamma(b)

    The local exponent approaches ``beta`` from above or from below, so a fit on few tries is
    biased. Assumes no mass at zero in either population.

    Parameters
    ----------
    a, b : float
        Beta parameters of the trained model.
    base_a, base_b : float
        Beta parameters of the base model.

    Returns
    -------
    PowerLaw
        ``coefficient`` alpha and ``exponent`` beta.

    Raises
    ------
    DomainError
        for parameters that are not positive.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> law = beta_recovery_law(0.2, 0.6, 0.25, 2.0)
    >>> round(law.coefficient, 3), round(law.exponent, 3)
    (4.411, 0.8)
    """
    ratio = beta_tail_coefficient(base_a, base_b) / beta_tail_coefficient(a, b)
    return PowerLaw(ratio ** (1 / base_a), a / base_a)


def recovery_ratio(success_probability: float, base_success_probability: float) -> float:
    r"""Tries of the base per try of the trained model on one problem, whatever their number.

    .. math:: N_B / N_R = \ln(1 - p_R) / \ln(1 - p_B)

    Assumes independent tries with one success probability for each model.

    Parameters
    ----------
    success_probability : float
        ``p_R`` of the trained model, within [0, 1).
    base_success_probability : float
        ``p_B`` of the base model, within (0, 1).

    Returns
    -------
    float

    Raises
    ------
    DomainError
        for probabilities outside these ranges.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> round(recovery_ratio(0.75, 0.5), 12)
    2.0
    """
    p = float(probability_array("success_probability", success_probability))
    base = float(probability_array("base_success_probability", base_success_probability))
    if p == 1:
        raise DomainError("success_probability", p, "a probability below 1")
    if not 0 < base < 1:
        raise DomainError("base_success_probability", base, "a probability within (0, 1)")
    return log1p(-p) / log1p(-base)


def _ascending_tries(tries: npt.ArrayLike) -> FloatArray:
    wanted = integer_array("tries", tries, at_least=1).ravel().astype(np.float64)
    if (np.diff(wanted) <= 0).any():
        raise DomainError("tries", wanted.tolist(), "ascending numbers")
    return wanted


def _smooth_pass_at_k(n: IntArray, c: IntArray, tries: FloatArray) -> FloatArray:
    """Mean unbiased estimate at tries that need not be whole; 1 from ``n - c + 1`` tries on."""
    spare = n - c + 1 - tries[:, np.newaxis]
    log_miss = log_beta_ratio(c, np.where(spare > 0, spare, 1.0), tries[:, np.newaxis])
    result: FloatArray = np.where(spare > 0, 0.0 - np.expm1(log_miss), 1.0).mean(axis=-1)
    return result


def _solved(
    curve: Callable[[FloatArray], FloatArray], targets: FloatArray, most: float
) -> FloatArray:
    """Tries at which a rising curve meets the targets, which it does by ``most`` tries."""
    low, high = np.full(targets.shape, np.log(1e-12)), np.full(targets.shape, np.log(most))
    for _ in range(64):  # halves the bracket of the logarithm to below its rounding
        middle = (low + high) / 2
        enough = curve(np.exp(middle)) >= targets
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    result: FloatArray = np.exp(high)
    return result


def _curve(
    name: str, tries: npt.ArrayLike, value_name: str, values: npt.ArrayLike
) -> tuple[FloatArray, FloatArray]:
    at, value = real_array(name, tries).ravel(), probability_array(value_name, values).ravel()
    if at.size != value.size or not at.size:
        raise DomainError(f"sizes of {name} and {value_name}", (at.size, value.size), "one size")
    if at[0] <= 0 or (np.diff(at) <= 0).any():
        raise DomainError(name, at.tolist(), "ascending positive numbers")
    if (np.diff(value) < 0).any():
        raise DomainError(value_name, value.tolist(), "values that do not fall with the tries")
    return at, value


def _mapped(
    tries: FloatArray, reached: npt.NDArray[np.bool_], base_tries: FloatArray
) -> RecoveryMap:
    found = tries[reached]
    slopes = np.diff(np.log(base_tries)) / np.diff(np.log(found))
    return RecoveryMap(
        tries=found,
        base_tries=base_tries,
        unreached=tries[~reached],
        local_exponents=slopes,
        law=fit_power_law(found, base_tries) if found.size >= _FEWEST_POINTS else None,
    )
