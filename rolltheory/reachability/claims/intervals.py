"""Claims about what tries leave open: coverage, certification, and the error of a benchmark."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist
from typing import Any, TypeAlias

import numpy as np
from scipy.special import gammaln

from rolltheory.claims import (
    Counterexample,
    Relation,
    Sides,
    Source,
    Tight,
    Unbroken,
    Verdict,
    claim,
)
from rolltheory.reachability.claims.estimators import PAGE
from rolltheory.reachability.claims.tries import INDEPENDENT, Tries
from rolltheory.reachability.estimators import pass_at_k
from rolltheory.reachability.exact import pass_at_k_exact, plug_in_pass_at_k_exact
from rolltheory.reachability.intervals import pass_at_k_interval, tries_to_certify

__all__ = [
    "AllFailed",
    "Certificate",
    "Counts",
    "Coverage",
    "Population",
    "all_failures_prove_impossibility",
    "benchmark_error_contains_the_tries",
    "float_estimate_is_accurate",
    "interval_covers",
    "pooled_problems_are_one_problem",
    "resampling_tries_keeps_the_centre",
    "tries_that_certify",
]

INTERVALS = f"{PAGE}#intervals"
Limits: TypeAlias = Callable[[int, int, int, float], tuple[float, float]]


@dataclass(frozen=True)
class Coverage:
    """An interval for Pass@k at a confidence, under the exact law of the tries."""

    tries: Tries
    confidence: Fraction


def exact_limits(samples: int, successes: int, k: int, confidence: float) -> tuple[float, float]:
    """What the library answers."""
    lower, upper = pass_at_k_interval(samples, successes, k, confidence=confidence)
    return float(lower), float(upper)


def one_sided_limits(
    samples: int, successes: int, k: int, confidence: float
) -> tuple[float, float]:
    """The error level is not shared by the two sides."""
    return exact_limits(samples, successes, k, max(2 * confidence - 1, 0.01))


def wald_limits(samples: int, successes: int, k: int, confidence: float) -> tuple[float, float]:
    """The normal approximation at the observed share, carried over."""
    share = successes / samples
    reach = NormalDist().inv_cdf((1 + confidence) / 2) * math.sqrt(share * (1 - share) / samples)
    return (
        1 - (1 - max(share - reach, 0.0)) ** k,
        1 - (1 - min(share + reach, 1.0)) ** k,
    )


def uniform_prior_limits(
    samples: int, successes: int, k: int, confidence: float
) -> tuple[float, float]:
    """The credible interval under a uniform prior."""
    found = pass_at_k_interval(samples, successes, k, confidence=confidence, method="bayes")
    return float(found.lower), float(found.upper)


@claim(
    "reachability.interval.coverage",
    statement=r"P_p\big(f_k(L(C)) \le f_k(p) \le f_k(R(C))\big) \ge 1 - \alpha"
    r" \text{ for every } p, \quad [L, R] \text{ the Clopper-Pearson interval}",
    relation=Relation.AT_LEAST,
    source=Source.derived(INTERVALS),
    assumes={INDEPENDENT: lambda case: case.tries.spread == 0},
    teeth={
        "normal approximation": wald_limits,
        "level not halved": one_sided_limits,
        "uniform prior": uniform_prior_limits,
    },
    breaks={
        INDEPENDENT: Counterexample(
            Coverage(Tries(6, 1, Fraction(1, 2), spread=Fraction(1, 2)), Fraction(19, 20)),
            "Six tries that always agree are one try, and the interval never covers.",
        )
    },
    tight=Tight(Coverage(Tries(6, 1, Fraction(21, 64)), Fraction(4, 5)), at_least=Fraction(49, 50)),
)
def interval_covers(case: Coverage, limits: Limits = exact_limits) -> Sides:
    """The exact interval for Pass@k of one problem covers at least as often as it says.

    Pass@k increases with the success probability, so the Clopper-Pearson limits carry over. The
    coverage on the left side is a sum of exact chances.
    """
    law, truth = case.tries, case.tries.any_of_k()

    def covers(successes: int) -> Fraction:
        low, high = limits(law.samples, successes, law.k, float(case.confidence))
        return Fraction(int(low <= truth <= high))

    return Sides(law.mean(covers), case.confidence)


@dataclass(frozen=True)
class AllFailed:
    """All ``samples`` tries failed, of a problem with this success probability."""

    success_probability: Fraction
    samples: int


def upper_limit(samples: int) -> Fraction:
    """The largest success probability that the library leaves open, at 95 %."""
    return Fraction(float(pass_at_k_interval(samples, 0, 1).upper))


@claim(
    "reachability.interval.all_failed",
    statement=r"C = 0 \text{ in } n \text{ tries} \implies V = 0",
    relation=Relation.IMPLIES,
    source=Source.derived(INTERVALS),
    assumes={},
    repairs={"V is at most the upper limit": upper_limit},
    declared=Verdict.REFUTED,
    repaired_by="reachability.interval.coverage",
)
def all_failures_prove_impossibility(
    case: AllFailed, largest: Callable[[int], Fraction] = lambda _: Fraction(0)
) -> Sides:
    """A problem whose tries all failed cannot be solved.

    False for any number of tries. True is that V <= 1 - (alpha/2)^(1/n), unless something happened
    that has a chance below alpha/2; the premise says that it did not.
    """
    not_surprising = (1 - case.success_probability) ** case.samples >= Fraction(1, 40)
    return Sides(not_surprising, case.success_probability <= largest(case.samples))


@dataclass(frozen=True)
class Certificate:
    """Pass@k is to be shown at most ``limit`` at a one-sided error level, by failures alone."""

    limit: Fraction
    k: int
    level: Fraction


def by_the_formula(case: Certificate) -> int:
    """What the library answers."""
    return tries_to_certify(float(case.limit), case.k, confidence=1 - float(case.level))


@claim(
    "reachability.interval.certify",
    statement=r"\min\{n: 1 - \alpha^{k/n} \le \varepsilon\}"
    r" = \lceil k \ln \alpha / \ln(1 - \varepsilon) \rceil",
    relation=Relation.EQUAL,
    source=Source.derived(INTERVALS),
    assumes={},
    teeth={
        "one try fewer": lambda case: by_the_formula(case) - 1,
        "for k = 1": lambda case: by_the_formula(Certificate(case.limit, 1, case.level)),
        "two-sided": lambda case: by_the_formula(Certificate(case.limit, case.k, case.level / 2)),
    },
)
def tries_that_certify(
    case: Certificate, formula: Callable[[Certificate], int] = by_the_formula
) -> Sides:
    """The number of failures in a row that shows Pass@k to be small.

    The right side is found by trying n = 1, 2, ... in rationals: n failures have a chance of at
    most the level at the success probability where Pass@k is the limit.
    """
    n, chance = 1, 1 - case.limit
    while chance > case.level**case.k:  # (1 - p)^n <= level, to the power k
        n, chance = n + 1, chance * (1 - case.limit)
    return Sides(formula(case), n)


@dataclass(frozen=True)
class Population:
    """A problem is drawn from these success probabilities, then tried ``samples`` times."""

    success_probabilities: tuple[Fraction, ...]
    samples: int
    k: int

    def mean(self, value: Callable[[Tries], Any]) -> Any:
        """The mean over the problems of something that follows from the law of their tries."""
        laws = [Tries(self.samples, self.k, p) for p in self.success_probabilities]
        return sum(map(value, laws)) / Fraction(len(laws))


def _within(case: Population) -> Any:
    return case.mean(lambda law: law.mean(_squared(law)) - law.any_of_k() ** 2)


def _between(case: Population) -> Any:
    mean = case.mean(Tries.any_of_k)
    return case.mean(lambda law: (law.any_of_k() - mean) ** 2)


def _squared(law: Tries) -> Callable[[int], Fraction]:
    return lambda c: pass_at_k_exact(law.samples, c, law.k) ** 2


@claim(
    "reachability.benchmark.variance",
    statement=r"\mathrm{Var}\,U_i = E\,\mathrm{Var}(U_i \mid p_i) + \mathrm{Var}\,f_k(p_i)",
    relation=Relation.EQUAL,
    source=Source.known("law of total variance", f"{PAGE}#benchmarks"),
    assumes={"1 <= k <= n": lambda case: 1 <= case.k <= case.samples},
    teeth={
        "between problems only": _between,
        "within problems only": _within,
        "tries counted twice": lambda case: 2 * _within(case) + _between(case),
    },
    breaks={"1 <= k <= n": Unbroken("without it the estimator is undefined")},
)
def benchmark_error_contains_the_tries(
    case: Population,
    variance: Callable[[Population], Any] = lambda case: _within(case) + _between(case),
) -> Sides:
    """The spread of estimates over problems contains the noise of the tries already.

    So the standard error sd(U_i) / sqrt(M) is complete for problems that are a sample, and adding
    the error of fixed problems to it would count the tries twice.
    """
    mean = case.mean(lambda law: law.mean(lambda c: pass_at_k_exact(law.samples, c, law.k)))
    return Sides(case.mean(lambda law: law.mean(_squared(law))) - mean**2, variance(case))


@dataclass(frozen=True)
class Counts:
    """``successes`` of ``samples`` tries succeeded."""

    samples: int
    successes: int
    k: int


@claim(
    "reachability.benchmark.two_stage_bootstrap",
    statement=r"E^*\,U(n, C^*, k) = U(n, c, k), \quad C^* \sim \mathrm{Bin}(n, c/n)",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#benchmarks"),
    assumes={},
    repairs={"centred on the plug-in estimate": plug_in_pass_at_k_exact},
    declared=Verdict.REFUTED,
    repaired_by="reachability.plug_in.biased_low",
)
def resampling_tries_keeps_the_centre(
    case: Counts, centre: Callable[[int, int, int], Fraction] = pass_at_k_exact
) -> Sides:
    """A bootstrap that resamples the tries of a problem is centred on the unbiased estimate.

    False: it is centred on the plug-in estimate, which is too low for every k > 1. Resample
    problems only.
    """
    resampled = Tries(case.samples, case.k, Fraction(case.successes, case.samples))
    return Sides(
        resampled.mean(lambda c: pass_at_k_exact(case.samples, c, case.k)),
        centre(case.samples, case.successes, case.k),
    )


@claim(
    "reachability.benchmark.pooled",
    statement=r"E\,f_k(P) = f_k(E\,P)",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#benchmarks"),
    assumes={},
    repairs={"the mean over problems": lambda case: case.mean(Tries.any_of_k)},
    declared=Verdict.REFUTED,
    repaired_by="reachability.pass_at_k.exchangeable",
)
def pooled_problems_are_one_problem(
    case: Population,
    pass_at_k_of: Callable[[Population], Any] = lambda case: (
        1 - (1 - case.mean(lambda law: law.success_probability)) ** case.k
    ),
) -> Sides:
    """Pass@k of a benchmark follows from its mean success rate.

    False: it is the mean of Pass@k over problems, which is smaller. On 40 competition problems with
    a mean success rate of 0.144, pooling predicts Pass@50 = 0.9996 where the truth is 0.675.
    """
    estimated = case.mean(lambda law: law.mean(lambda c: pass_at_k_exact(law.samples, c, law.k)))
    return Sides(estimated, pass_at_k_of(case))


def by_product(samples: int, successes: int, k: int) -> float:
    """The popular loop over the failures."""
    if samples - successes < k:
        return 1.0
    terms = 1.0 - k / np.arange(samples - successes + 1, samples + 1)
    return float(1.0 - np.prod(terms))


def by_log_gamma(samples: int, successes: int, k: int) -> float:
    """Logarithms of four factorials, which cancel."""
    failures = samples - successes
    if failures < k:
        return 1.0
    signed = gammaln([failures + 1, samples - k + 1, failures - k + 1, samples + 1])
    return float(-np.expm1(signed[0] + signed[1] - signed[2] - signed[3]))


@claim(
    "reachability.pass_at_k.float_accuracy",
    statement=r"|\hat U - U| \le 10^{-14}\, U, \quad \hat U \text{ computed in floats}",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#estimating-passk"),
    assumes={"1 <= k <= n <= 10^12": lambda case: 1 <= case.k <= case.samples <= 10**12},
    teeth={"product over failures": by_product, "log-gamma": by_log_gamma},
    breaks={"1 <= k <= n <= 10^12": Unbroken("larger counts were not examined")},
    tight=Tight(Counts(10**6, 3, 7), at_least=1e-3),
)
def float_estimate_is_accurate(
    case: Counts, estimator: Callable[[int, int, int], Any] = pass_at_k
) -> Sides:
    """The float route agrees with the rational one to fourteen digits, also for tiny values."""
    exact = pass_at_k_exact(case.samples, case.successes, case.k)
    computed = Fraction(float(estimator(case.samples, case.successes, case.k)))
    return Sides(abs(computed - exact), exact * Fraction(1, 10**14))
