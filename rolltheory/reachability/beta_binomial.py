"""Fit of a Beta law to the counts of many problems, and Pass@k beyond the number of tries."""

from __future__ import annotations

from dataclasses import dataclass
from math import erfc, inf, sqrt
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from rolltheory.errors import AssumptionError
from rolltheory.numerics.arguments import integer_array, real_array
from rolltheory.reachability.beta_likelihood import Law, Tallies, maximise, tally
from rolltheory.reachability.counts import checked_counts
from rolltheory.stats.beta import log_beta_ratio
from rolltheory.stats.bootstrap import percentile_interval
from rolltheory.stats.intervals import Interval

__all__ = [
    "BetaBinomialComparison",
    "BetaBinomialFit",
    "ExtrapolatedPassAtK",
    "compare_beta_binomial",
    "extrapolate_pass_at_k",
    "fit_beta_binomial",
    "fitted_pass_at_k",
]

FloatArray: TypeAlias = npt.NDArray[np.float64]

_NO_SPREAD = "no spread between problems beyond that of the tries: one shared success probability"
_ALL_OR_NOTHING = "every problem is solved always or never: Pass@k does not change with k"
_NO_ZERO_MASS = "no mass at zero: the counts show no more unsolved problems than the Beta law"


@dataclass(frozen=True)
class BetaBinomialFit:
    """Maximum-likelihood law of the success probabilities of a set of problems.

    A share ``zero_mass`` of the problems cannot be solved; the others follow Beta(a, b).

    Attributes
    ----------
    mean : mean ``a / (a + b)`` of the Beta part
    correlation : ``1 / (a + b + 1)``, the correlation of two tries of one problem of that part
    zero_mass : share of problems with success probability 0
    log_likelihood : of the counts, with their binomial coefficients
    parameters : number of fitted parameters
    problems : number of problems
    boundary : what the data say if the maximum lies on the edge of the family; else empty. There,
        errors and tests that rest on an interior maximum do not hold
    """

    mean: float
    correlation: float
    zero_mass: float
    log_likelihood: float
    parameters: int
    problems: int
    boundary: tuple[str, ...]

    @property
    def a(self) -> float:
        """First parameter; infinite without spread, 0 if every problem is all or nothing."""
        return self.mean * self._concentration

    @property
    def b(self) -> float:
        """Second parameter; infinite without spread, 0 if every problem is all or nothing."""
        return (1 - self.mean) * self._concentration

    @property
    def limit(self) -> float:
        """Pass@k for ``k`` to infinity."""
        return (1 - self.zero_mass) * (self.mean if self.correlation == 1 else 1.0)

    @property
    def akaike(self) -> float:
        """Akaike's criterion, twice the parameters less twice the log-likelihood."""
        return 2 * (self.parameters - self.log_likelihood)

    @property
    def _concentration(self) -> float:
        return (1 - self.correlation) / self.correlation if self.correlation > 0 else inf


@dataclass(frozen=True)
class BetaBinomialComparison:
    """The Beta law without and with a mass at zero, fitted to the same counts.

    Attributes
    ----------
    plain, zero_inflated : the two fits
    statistic : twice the difference of the log-likelihoods, at least 0
    p_value : of the plain law, against the half-and-half mixture of chi-squared with 0 and 1
        degrees of freedom that a parameter on the edge of its range has for many problems
    preferred : the fit with the smaller Akaike criterion
    """

    plain: BetaBinomialFit
    zero_inflated: BetaBinomialFit
    statistic: float
    p_value: float
    preferred: BetaBinomialFit


@dataclass(frozen=True)
class ExtrapolatedPassAtK:
    """Pass@k beyond the number of tries, from a fitted law.

    Attributes
    ----------
    k : tries of which one must succeed
    estimate : Pass@k of the fitted law
    interval : bootstrap interval over problems, refitted on each resample; it does not contain the
        error of the Beta law itself
    confidence : its nominal level
    fit : the law
    """

    k: int
    estimate: float
    interval: Interval
    confidence: float
    fit: BetaBinomialFit


def fit_beta_binomial(
    samples: npt.ArrayLike, successes: npt.ArrayLike, *, zero_mass: bool = False
) -> BetaBinomialFit:
    r"""Maximum-likelihood Beta law of the success probabilities behind a table of counts.

    .. math:: \max_{\pi, a, b} \prod_i \left[ \pi\, 1\{c_i = 0\} +
              (1 - \pi) \binom{n_i}{c_i} \frac{B(a + c_i, b + n_i - c_i)}{B(a, b)} \right]

    Assumes independent problems, and independent tries given the problem.

    Parameters
    ----------
    samples, successes : array_like of int, broadcast to shape (M,)
        Tries and successes per problem.
    zero_mass : bool
        Whether a share ``pi`` of problems may have success probability 0; else ``pi = 0``.

    Returns
    -------
    BetaBinomialFit
        Data without spread between problems, with problems that are all or nothing, or without
        excess zeros have their maximum on the edge of the family: it is returned, and named in
        ``boundary``.

    Raises
    ------
    AssumptionError
        if the counts cannot tell the parameters apart: all tries failed or all succeeded, too few
        problems, or too few tries (two per problem, three with a mass at zero, where a problem
        with both successes and failures is needed too).
    DomainError
        for counts outside their ranges.

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> fit = fit_beta_binomial(4, [0, 0, 1, 1, 2, 4])
    >>> round(fit.a, 3), round(fit.b, 3), fit.boundary
    (0.608, 1.14, ())
    """
    tallies = _checked_tallies(samples, successes, zero_mass)
    return _fit(tallies, zero_mass)


def fitted_pass_at_k(fit: BetaBinomialFit, k: npt.ArrayLike) -> FloatArray:
    """Pass@k of a fitted law, on the edges of its family too.

    Parameters
    ----------
    fit : BetaBinomialFit
    k : array_like
        Number of tries, at least 0; fractions interpolate.

    Returns
    -------
    float or ndarray of the shape of ``k``.

    Raises
    ------
    DomainError
        for negative ``k``.

    Examples
    --------
    >>> fitted_pass_at_k(fit_beta_binomial(4, [2, 2, 2]), [1, 2])
    array([0.5 , 0.75])
    """
    return ((1 - fit.zero_mass) * (0.0 - np.expm1(_log_missed_by_beta(fit, k))))[()]


def fitted_log_failure(fit: BetaBinomialFit, k: npt.ArrayLike) -> FloatArray:
    r"""Logarithm of ``1 - Pass@k`` of a fitted law, with its digits where Pass@k is 0 or 1 nearly.

    .. math:: \ln\left(\pi + (1 - \pi)\, \frac{B(a, b + k)}{B(a, b)}\right) \le 0

    Parameters, returns and refusals are those of :func:`fitted_pass_at_k`.

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> fit = BetaBinomialFit(0.5, 1 / 3, 0.0, 0.0, 2, 9, ())
    >>> fitted_log_failure(fit, [1e-20, 1e20]).round(3)
    array([ -0.   , -46.052])
    """
    missed = _log_missed_by_beta(fit, k)
    with np.errstate(divide="ignore"):
        often = np.log1p((1 - fit.zero_mass) * np.expm1(missed))
        rare = np.logaddexp(np.log(fit.zero_mass), np.log1p(-fit.zero_mass) + missed)
    return np.where(missed > -1, often, rare)[()]


def compare_beta_binomial(
    samples: npt.ArrayLike, successes: npt.ArrayLike
) -> BetaBinomialComparison:
    r"""Whether the counts ask for a share of problems that cannot be solved.

    .. math:: \Lambda = 2 (\ell_{\pi} - \ell_0), \qquad
              P(\Lambda > x) \to \tfrac12 P(\chi^2_1 > x)

    Assumptions, parameters and refusals are those of :func:`fit_beta_binomial` with a mass at
    zero; the p-value holds for many problems if ``plain`` has no ``boundary``.

    Returns
    -------
    BetaBinomialComparison

    Notes
    -----
    Source: known (Self and Liang for a parameter on the edge).

    Examples
    --------
    >>> result = compare_beta_binomial(20, [0] * 30 + [8, 9, 10, 11, 12] * 6)
    >>> round(result.zero_inflated.zero_mass, 3), result.preferred is result.zero_inflated
    (0.5, True)
    """
    tallies = _checked_tallies(samples, successes, True)
    plain, inflated = _fit(tallies, False), _fit(tallies, True)
    gain = inflated.log_likelihood - plain.log_likelihood if inflated.zero_mass > 0 else 0.0
    statistic = max(0.0, 2 * gain)
    return BetaBinomialComparison(
        plain=plain,
        zero_inflated=inflated,
        statistic=statistic,
        p_value=0.5 * erfc(sqrt(statistic / 2)) if statistic > 0 else 1.0,
        preferred=inflated if inflated.akaike < plain.akaike else plain,
    )


def extrapolate_pass_at_k(
    samples: npt.ArrayLike,
    successes: npt.ArrayLike,
    k: int,
    *,
    generator: np.random.Generator,
    zero_mass: bool = False,
    confidence: float = 0.95,
    resamples: int = 400,
) -> ExtrapolatedPassAtK:
    r"""Pass@k for more tries than were made, from the Beta law fitted to all problems together.

    .. math:: (1 - \hat\pi) \left(1 - B(\hat a, \hat b + k) / B(\hat a, \hat b)\right)

    No estimate beyond ``k = n`` is unbiased: this one rests on the Beta law, on which the tail
    depends the more the further it reaches. Problems are resampled for the interval; a resample in
    which every try failed counts as Pass@k = 0, one in which every try succeeded as 1.

    Assumes what :func:`fit_beta_binomial` assumes, and that the Beta law holds up to ``k``.

    Parameters
    ----------
    samples, successes : array_like of int, broadcast to shape (M,)
        Tries and successes per problem.
    k : int
        At least 1.
    generator : numpy.random.Generator
    zero_mass : bool
        As in :func:`fit_beta_binomial`.
    confidence : float
        Level of the interval, within (0, 1).
    resamples : int
        At least 1.

    Returns
    -------
    ExtrapolatedPassAtK

    Raises
    ------
    AssumptionError, DomainError
        as :func:`fit_beta_binomial`.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> result = extrapolate_pass_at_k(
    ...     4, [0, 0, 1, 1, 2, 4], 16, generator=np.random.default_rng(0), resamples=50
    ... )
    >>> round(result.estimate, 3)
    0.825
    """
    draws = int(integer_array("k", k, at_least=1))
    tallies = _checked_tallies(samples, successes, zero_mass)
    fit = _fit(tallies, zero_mass)
    start = Law(fit.mean, fit.correlation, fit.zero_mass)
    repeats = np.empty(int(integer_array("resamples", resamples, at_least=1)))
    for index in range(repeats.size):
        chosen = generator.integers(tallies.samples.size, size=tallies.samples.size)
        again = tally(tallies.samples[chosen], tallies.successes[chosen])
        repeats[index] = fitted_pass_at_k(_fit(again, zero_mass, start), draws)
    return ExtrapolatedPassAtK(
        k=draws,
        estimate=float(fitted_pass_at_k(fit, draws)),
        interval=percentile_interval(repeats, confidence=confidence),
        confidence=confidence,
        fit=fit,
    )


def _log_missed_by_beta(fit: BetaBinomialFit, k: npt.ArrayLike) -> FloatArray:
    """Logarithm of the chance that all tries fail, for the problems outside the mass at zero."""
    tries = real_array("k", k, at_least=0)
    if 0 < fit.correlation < 1 and fit.mean < 1:
        return log_beta_ratio(fit.a, fit.b, tries)
    repeats = (tries > 0) * 1.0 if fit.correlation == 1 or fit.mean == 1 else tries
    with np.errstate(divide="ignore"):
        single = np.log1p(-np.float64(fit.mean))
    return np.multiply(repeats, single, out=np.zeros(tries.shape), where=tries > 0)


def _checked_tallies(samples: npt.ArrayLike, successes: npt.ArrayLike, zero_mass: bool) -> Tallies:
    n, c = (v.ravel() for v in np.broadcast_arrays(*checked_counts(samples, successes)))
    fewest = 3 if zero_mass else 2
    mixed = bool(((c > 0) & (c < n)).any())
    for holds, assumption, found in (
        (n.size > 1, "at least two problems", f"{n.size}"),
        ((c > 0).any(), "some try succeeds", "failures only, so any tail is as likely as another"),
        ((c < n).any(), "some try fails", "successes only"),
        (n.max(initial=0) >= fewest, f"some problem has at least {fewest} tries", "fewer"),
        (mixed or not zero_mass, "some problem has both successes and failures", "none"),
    ):
        if not holds:
            raise AssumptionError(assumption, found)
    return tally(n, c)


def _fit(tallies: Tallies, zero_mass: bool, start: Law | None = None) -> BetaBinomialFit:
    (mean, correlation, share), log_likelihood = maximise(tallies, zero_mass, start)
    notes = (
        (correlation == 0, _NO_SPREAD),
        (correlation == 1, _ALL_OR_NOTHING),
        (zero_mass and share == 0, _NO_ZERO_MASS),
    )
    return BetaBinomialFit(
        mean=mean,
        correlation=correlation,
        zero_mass=share,
        log_likelihood=log_likelihood,
        parameters=3 if zero_mass else 2,
        problems=tallies.samples.size,
        boundary=tuple(text for holds, text in notes if holds),
    )
