"""Claims about what is reported of a benchmark: its two errors, its bootstrap, a comparison."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb
from typing import Any, TypeAlias

from rolltheory.claims import Counterexample, Relation, Sides, Source, Tight, Unbroken, claim
from rolltheory.numerics.generators import seeded_generator
from rolltheory.reachability.benchmark import benchmark_pass_at_k
from rolltheory.reachability.claims.estimators import PAGE
from rolltheory.reachability.exact import pass_at_k_exact, pass_at_k_variance_estimate_exact

__all__ = [
    "Exchange",
    "Report",
    "Sampled",
    "benchmark_errors_are_unbiased",
    "benchmark_report_is_accurate",
    "exchanges_keep_the_level",
]

BENCHMARKS = f"{PAGE}#benchmarks"
Numbers: TypeAlias = tuple[Any, ...]


@dataclass(frozen=True)
class Report:
    """Counted tries of several problems, as many of each."""

    samples: int
    successes: tuple[int, ...]
    k: int

    def estimates(self) -> list[Fraction]:
        """The unbiased estimate of each problem."""
        return [pass_at_k_exact(self.samples, c, self.k) for c in self.successes]

    def numbers(self) -> tuple[Fraction, Fraction, Fraction]:
        """The estimate and the squares of both errors, in rationals."""
        values, size = self.estimates(), len(self.successes)
        mean = sum(values, Fraction()) / size
        noise = (pass_at_k_variance_estimate_exact(self.samples, c, self.k) for c in self.successes)
        spread = sum(((value - mean) ** 2 for value in values), Fraction())
        return mean, sum(noise, Fraction()) / size**2, spread / (size * (size - 1))


@cache
def reported(case: Report) -> Numbers:
    """The estimate and the squares of both errors, as the library reports them."""
    found = benchmark_pass_at_k(
        case.samples, case.successes, case.k, generator=seeded_generator(0), resamples=1
    )
    errors = found.fixed_problems_error, found.sampled_problems_error
    return (found.estimate, *((error or 0.0) ** 2 for error in errors))


def _other_reports(honest: Callable[[Any], Numbers]) -> dict[str, Callable[[Any], Numbers]]:
    """Wrong reports."""

    def changed(change: Callable[..., Numbers]) -> Callable[[Any], Numbers]:
        return lambda case: change(*honest(case), len(case.successes))

    def pooled(case: Report) -> Numbers:
        total = case.samples * len(case.successes), sum(case.successes)
        return (pass_at_k_exact(*total, case.k), *honest(case)[1:])

    return {
        "errors added": changed(lambda mean, fixed, sampled, _: (mean, fixed, fixed + sampled)),
        "problems not counted": changed(lambda m, f, s, size: (m, f * size, s * size)),
        "divided by M": changed(lambda m, f, s, size: (m, f, s * (size - 1) / size)),
        "one error for both": changed(lambda mean, _, sampled, __: (mean, sampled, sampled)),
        "tries pooled": pooled,
    }


ENOUGH = "2 k <= n, and at least two problems"


def has_errors(case: Report) -> bool:
    """Whether both errors exist."""
    return 2 <= 2 * case.k <= case.samples and len(case.successes) > 1


@claim(
    "reachability.benchmark.report",
    statement=r"|\hat x - x| \le 10^{-14} \text{ for } x = \bar U,"
    r" \ \frac{1}{M^2} \sum_i \widehat{\mathrm{Var}}\,U_i,"
    r" \ \frac{1}{M (M - 1)} \sum_i (U_i - \bar U)^2",
    relation=Relation.EQUAL,
    source=Source.derived(BENCHMARKS),
    assumes={ENOUGH: has_errors},
    teeth=_other_reports(reported),
    breaks={ENOUGH: Unbroken("without it the report leaves out an error, and says so with None")},
)
def benchmark_report_is_accurate(
    case: Report, report: Callable[[Report], Numbers] = reported
) -> Sides:
    """A benchmark's estimate and both its errors are what the formulas say, to fourteen digits."""
    off = [abs(Fraction(x) - y) for x, y in zip(report(case), case.numbers(), strict=True)]
    return Sides(max(off) <= Fraction(1, 10**14), True)


@dataclass(frozen=True)
class Sampled:
    """Problems drawn independently from these success probabilities, as many, each tried so often.

    With ``fixed``, the problems are exactly these. Otherwise each is any of them.
    """

    success_probabilities: tuple[Fraction, ...]
    samples: int
    k: int
    fixed: bool
    copied: bool = False

    def laws(self) -> list[tuple[Fraction, ...]]:
        """The probabilities that the problems may have, all equally likely."""
        ps = self.success_probabilities
        if self.fixed:
            return [ps]
        return [(p,) * len(ps) for p in ps] if self.copied else list(product(ps, repeat=len(ps)))

    def mean(self, statistic: Callable[[tuple[int, ...]], Fraction]) -> Fraction:
        """The mean of a statistic of the counts."""
        total, laws = Fraction(), self.laws()
        for counts in product(range(self.samples + 1), repeat=len(self.success_probabilities)):
            chance = sum((self._chance(counts, ps) for ps in laws), Fraction())
            total += chance * statistic(counts) if chance else 0
        return total / len(laws)

    def _chance(self, counts: tuple[int, ...], ps: tuple[Fraction, ...]) -> Fraction:
        chance = Fraction(1)
        for c, p in zip(counts, ps, strict=True):
            chance *= comb(self.samples, c) * p**c * (1 - p) ** (self.samples - c)
        return chance


def squared_error(case: Sampled, counts: tuple[int, ...]) -> Fraction:
    """The square of the error that belongs to the case."""
    return numbers_of(case.samples, counts, case.k)[1 if case.fixed else 2]


@cache
def numbers_of(samples: int, counts: tuple[int, ...], k: int) -> tuple[Fraction, ...]:
    """What is reported of these counts, in rationals."""
    return Report(samples, tuple(sorted(counts)), k).numbers()


APART = "the problems are drawn independently of each other"


@claim(
    "reachability.benchmark.errors",
    statement=r"E\,s_{\text{fixed}}^2 = \mathrm{Var}(\bar U \mid p_1, \dots, p_M),"
    r" \quad E\,s_{\text{sampled}}^2 = \mathrm{Var}\,\bar U",
    relation=Relation.EQUAL,
    source=Source.derived(BENCHMARKS),
    assumes={
        "2 k <= n, and at least two problems": lambda case: (
            2 <= 2 * case.k <= case.samples and len(case.success_probabilities) > 1
        ),
        APART: lambda case: not case.copied,
    },
    teeth={
        "the other error": lambda case, c: numbers_of(case.samples, c, case.k)[
            2 - (not case.fixed)
        ],
        "both errors added": lambda case, c: sum(
            numbers_of(case.samples, c, case.k)[1:], Fraction()
        ),
        "a tenth smaller": lambda case, c: squared_error(case, c) * Fraction(9, 10),
        "of one problem": lambda case, c: squared_error(case, c) * len(c),
    },
    breaks={
        "2 k <= n, and at least two problems": Unbroken("without it an error does not exist"),
        APART: Counterexample(
            Sampled((Fraction(0), Fraction(1)), 2, 1, fixed=False, copied=True),
            "A problem and its copy always agree, and show no spread.",
        ),
    },
)
def benchmark_errors_are_unbiased(
    case: Sampled, error: Callable[[Sampled, tuple[int, ...]], Fraction] = squared_error
) -> Sides:
    """Both squared errors of a benchmark are unbiased, each for its own question.

    One is for exactly these problems, the other for problems that are a sample. The right side is
    the variance of the mean estimate by its definition.
    """

    def estimate(counts: tuple[int, ...]) -> Fraction:
        return numbers_of(case.samples, counts, case.k)[0]

    centre = case.mean(estimate)
    return Sides(
        case.mean(lambda counts: error(case, counts)),
        case.mean(lambda counts: (estimate(counts) - centre) ** 2),
    )


@dataclass(frozen=True)
class Exchange:
    """Counts of the same problems under two models, tried as often, and a level."""

    samples: int
    successes: tuple[int, ...]
    other: tuple[int, ...]
    k: int
    level: Fraction

    def exchanges(self) -> list[Exchange]:
        """Every exchange of the two counts within problems."""
        pairs = [(pair, pair[::-1]) for pair in zip(self.successes, self.other, strict=True)]
        return [
            replace(self, successes=tuple(c for c, _ in chosen), other=tuple(d for _, d in chosen))
            for chosen in product(*pairs)
        ]

    def gains(self) -> list[int]:
        """The second estimate less the first, of each problem, times C(n, k)."""
        pairs = zip(self.successes, self.other, strict=True)
        n, k = self.samples, self.k
        return [comb(n - c, k) - comb(n - d, k) for c, d in pairs]


def share_of_exchanges(case: Exchange) -> Fraction:
    """The share of exchanges with a difference at least as large."""
    gains = case.gains()
    sums = [sum(signed) for signed in product(*((gain, -gain) for gain in gains))]
    return Fraction(sum(abs(other) >= abs(sum(gains)) for other in sums), len(sums))


def other_p_values(honest: Callable[[Exchange], Any]) -> dict[str, Callable[[Exchange], Any]]:
    """Wrong p-values."""
    return {
        "one-sided": lambda case: honest(case) / 2,
        "its complement": lambda case: 1 - honest(case),
    }


@claim(
    "reachability.benchmark.p_value",
    statement=r"P(p \le \alpha) \le \alpha, \quad p = \text{the share of the } 2^M"
    r" \text{ exchanges with } |\textstyle\sum_i \pm (U'_i - U_i)| \ge |\sum_i (U'_i - U_i)|",
    relation=Relation.AT_MOST,
    source=Source.known("randomisation test", BENCHMARKS),
    assumes={},
    teeth=other_p_values(share_of_exchanges),
    tight=Tight(Exchange(2, (0, 0), (1, 2), 1, Fraction(1, 2))),
)
def exchanges_keep_the_level(
    case: Exchange, p_value: Callable[[Exchange], Any] = share_of_exchanges
) -> Sides:
    """The p-value of a comparison keeps its level for every number of problems.

    If the two sets of tries of each problem could be exchanged, all exchanges are equally likely;
    the left side is the share of them at which the p-value is at most the level.
    """
    others = case.exchanges()
    low = sum(bool(p_value(other) <= case.level) for other in others)
    return Sides(Fraction(low, len(others)), case.level)
