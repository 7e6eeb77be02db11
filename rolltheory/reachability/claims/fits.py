"""Claims about a Beta law fitted to counts, and about what is read off it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any, TypeAlias

from rolltheory.claims import Relation, Sides, Source, Tight, Tooth, Unbroken, claim
from rolltheory.numerics.generators import seeded_generator
from rolltheory.reachability.beta_binomial import (
    compare_beta_binomial,
    extrapolate_pass_at_k,
    fit_beta_binomial,
    fitted_pass_at_k,
)
from rolltheory.reachability.beta_law import beta_tail_coefficient
from rolltheory.reachability.claims.populations import BetaProblems
from rolltheory.reachability.exact import beta_pass_at_k_exact
from rolltheory.reachability.intervals import pass_at_k_posterior_mean

__all__ = [
    "Posterior",
    "Shape",
    "Table",
    "Wins",
    "extrapolation_follows_two_moments",
    "fitted_law_is_most_likely",
    "hopeless_share_is_tested",
    "posterior_mean_is_exact",
    "tail_coefficient_is_the_limit",
]

PAGE = "docs/theory/reachability.md#populations"
Law: TypeAlias = tuple[Fraction, Fraction, Fraction]


@dataclass(frozen=True)
class Table:
    """Counts of successes of problems tried equally often."""

    samples: int
    successes: tuple[int, ...]
    k: int = 1
    zero_mass: bool = False

    def share(self, count: int) -> Fraction:
        """The share of problems with at least so many successes, averaged over subsets of tries."""
        chosen = sum(math.comb(c, count) for c in self.successes)
        return Fraction(chosen, math.comb(self.samples, count) * len(self.successes))


def by_two_moments(table: Table) -> Fraction:
    """Pass@k of the Beta law whose first two moments are those of two tries per problem."""
    mean, square = table.share(1), table.share(2)
    correlation = (square - mean**2) / (mean * (1 - mean))
    if correlation == 1:
        return mean
    if correlation <= 0:
        return 1 - (1 - mean) ** table.k
    total = (1 - correlation) / correlation
    return beta_pass_at_k_exact(mean * total, (1 - mean) * total, table.k)


@cache
def extrapolated(table: Table) -> float:
    """What the library extrapolates."""
    return extrapolate_pass_at_k(
        table.samples, table.successes, table.k, generator=seeded_generator(0), resamples=1
    ).estimate


@cache
def read_off(table: Table) -> float:
    """What the library reads off its fit."""
    return float(fitted_pass_at_k(fit_beta_binomial(2, table.successes), table.k))


def pooled(table: Table) -> Fraction:
    """Pass@k of the mean problem."""
    return 1 - (1 - table.share(1)) ** table.k


MIXED = "two tries per problem, not all successes and not all failures"


def is_mixed(table: Table) -> bool:
    """Whether a Beta law can be fitted to two tries per problem."""
    return table.samples == 2 and len(table.successes) > 1 and 0 < table.share(1) < 1


@claim(
    "reachability.beta_binomial.two_tries",
    statement=r"n = 2 \implies \hat E\,f_k(P) = 1 - \frac{B(a, b + k)}{B(a, b)}, \quad"
    r" \frac{a}{a + b} = \overline{C} / 2,\ \frac{a (a + 1)}{(a + b)(a + b + 1)} ="
    r" \overline{1\{C = 2\}}",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={MIXED: is_mixed},
    teeth={
        "Pass@k of the mean problem": pooled,
        "one try too many": lambda t: extrapolated(Table(2, t.successes, t.k + 1)),
        "10 % smaller": lambda t: 0.9 * extrapolated(t),
        "two digits off": lambda t: extrapolated(t) * (1 + 1e-4),
    },
    breaks={MIXED: Unbroken("else no law can be fitted, or more than two moments matter")},
)
def extrapolation_follows_two_moments(
    case: Table, estimate: Callable[[Table], Any] = extrapolated
) -> Sides:
    """From two tries per problem, the fitted law is the one with the same two moments.

    Three outcomes leave two parameters no choice: the law reproduces their shares, or, if the
    shares vary less than those of one common probability, it is that probability.
    """
    exact = by_two_moments(case)
    off = [abs(Fraction(found) - exact) for found in (estimate(case), read_off(case))]
    return Sides(max(off) <= Fraction(1, 10**6), True)


@cache
def likelihood(table: Table, law: Law) -> Fraction:
    """The likelihood of the counts, without binomial coefficients, in rationals.

    The law is given by its mean and correlation, of which every factor is a rational function, also
    on the edges, and by the share of hopeless problems.
    """
    mean, correlation, hopeless = law
    known = {
        c: _of_one(table.samples, c, mean, correlation) * (1 - hopeless) + hopeless * (c == 0)
        for c in set(table.successes)
    }
    return math.prod((known[c] for c in table.successes), start=Fraction(1))


@cache
def _of_one(samples: int, successes: int, mean: Fraction, correlation: Fraction) -> Fraction:
    def later(share: Fraction, steps: int) -> Fraction:
        """The factors of so many like outcomes, but for the first, over 1 - correlation."""
        terms = (share * (1 - correlation) + i * correlation for i in range(1, steps))
        return math.prod(terms, start=Fraction(1))

    failures = samples - successes
    first = (mean if successes else 1) * (1 - mean if failures else 1)
    both = later(mean, successes) * later(1 - mean, failures)
    unlike = 1 - correlation if successes and failures else 1
    return first * unlike * both / later(Fraction(1), samples)


@dataclass(frozen=True)
class Wins:
    """A table of counts, and another law that might explain it."""

    table: Table
    law: Law


@cache
def most_likely(table: Table) -> Law:
    """The law that the library fits."""
    fit = fit_beta_binomial(table.samples, table.successes, zero_mass=table.zero_mass)
    return Fraction(fit.mean), Fraction(fit.correlation), Fraction(fit.zero_mass)


def by_moments(table: Table) -> Law:
    """The method of moments."""
    mean, square = table.share(1), table.share(2)
    correlation = (square - mean**2) / (mean * (1 - mean))
    return mean, min(max(correlation, Fraction(0)), Fraction(1)), Fraction(0)


def is_fittable(table: Table) -> bool:
    """Whether the counts can tell the parameters apart."""
    counts, n = table.successes, table.samples
    mixed = any(0 < c < n for c in counts) or not table.zero_mass
    enough = n >= (3 if table.zero_mass else 2) and len(counts) > 1
    return enough and mixed and 0 < sum(counts) < n * len(counts)


FITTABLE = "the counts can tell the parameters apart"
FAMILY = "the other law has a mass at zero only if one is fitted"


@claim(
    "reachability.beta_binomial.fit",
    statement=r"L(m, \rho, \pi) \le (1 + 10^{-9})\, L(\hat m, \hat\rho, \hat\pi)"
    r" \text{ for every law}",
    relation=Relation.AT_MOST,
    source=Source.known("maximum likelihood"),
    assumes={
        FITTABLE: lambda case: is_fittable(case.table),
        FAMILY: lambda case: case.table.zero_mass or case.law[2] == 0,
    },
    teeth={
        "method of moments": by_moments,
        "no spread": lambda t: (t.share(1), Fraction(0), Fraction(0)),
        "of one problem fewer": lambda t: most_likely(
            Table(t.samples, (*t.successes[:-1], t.samples - 1), t.k, t.zero_mass)
        ),
        "a law that never fails": lambda _: (Fraction(99, 100), Fraction(1, 100), Fraction(0)),
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    breaks={
        FITTABLE: Unbroken("else many laws are as likely, and none is fitted"),
        FAMILY: Unbroken("else the other law has one parameter more"),
    },
    tight=Tight(
        Wins(Table(2, (0, 1, 2)), (Fraction(1, 2), Fraction(1, 3), Fraction(0))), at_least=1 - 1e-8
    ),
)
def fitted_law_is_most_likely(case: Wins, fit: Callable[[Table], Law] = most_likely) -> Sides:
    """No Beta law, with a share of hopeless problems or without, is likelier than the fitted one.

    Both likelihoods are computed in rationals, that of the fitted law at its floats.
    """
    best = likelihood(case.table, fit(case.table)) * (1 + Fraction(1, 10**9))
    return Sides(likelihood(case.table, case.law), best)


@cache
def tested(table: Table) -> tuple[float, float]:
    """The statistic and the p-value of the library."""
    found = compare_beta_binomial(table.samples, table.successes)
    return found.statistic, found.p_value


def _changed(change: Callable[[float, float], Any]) -> Callable[[Table], Any]:
    return lambda table: change(*tested(table))


def _has_ratio(table: Table, statistic: float) -> bool:
    """Whether the statistic is twice the logarithm of the ratio of both fits."""
    tables = (Table(table.samples, table.successes, 1, mass) for mass in (False, True))
    plain, inflated = (likelihood(table, most_likely(one)) for one in tables)
    found = Fraction(math.exp(statistic / 2)) * plain / max(plain, inflated)
    return abs(found - 1) <= Fraction(1, 10**6)


def _has_tail(statistic: float, p_value: float) -> bool:
    """Whether the p-value is half a tail of the chi-squared law with one degree of freedom."""
    from flint import arb

    if statistic <= 0:
        return p_value == 1
    tail = (arb(statistic) / 2).sqrt().erfc() / 2
    return bool(abs(tail - p_value) < 1e-12)


@claim(
    "reachability.beta_binomial.compare",
    statement=r"\Lambda = 2 \ln (L_\pi / L_0) \text{ to } 10^{-6}, \quad"
    r" p = \tfrac12 P(\chi^2_1 > \Lambda) \text{ to } 10^{-12}, \ p = 1 \text{ for } \Lambda = 0",
    relation=Relation.EQUAL,
    source=Source.known("Self and Liang, for a parameter on the edge"),
    assumes={FITTABLE: lambda case: is_fittable(case)},
    teeth={
        "chi-squared without its half": _changed(lambda x, p: (x, min(2 * p, 1.0))),
        "its complement": _changed(lambda x, p: (x, 1 - p)),
        "log-likelihoods not doubled": _changed(lambda x, p: (x / 2, p)),
        "two degrees of freedom": _changed(lambda x, _: (x, math.exp(-x / 2))),
    },
    breaks={FITTABLE: Unbroken("else there is nothing to compare")},
)
def hopeless_share_is_tested(
    case: Table, test: Callable[[Table], tuple[float, float]] = tested
) -> Sides:
    """The test for hopeless problems has the likelihood ratio of both fits, and half its tail.

    The likelihoods are computed in rationals at the floats of both fits, the tail as a ball. That
    this tail is the law of the ratio for many problems is known and not checked here.
    """
    statistic, p_value = test(case)
    return Sides((_has_ratio(case, statistic), _has_tail(statistic, p_value)), (True, True))


@dataclass(frozen=True)
class Shape:
    """A Beta law with a whole first parameter, looked at after k tries."""

    a: int
    b: Fraction
    k: int

    def coefficient(self) -> Fraction:
        """The share of problems unsolved by k tries, times (b + k) ... (b + k + a - 1)."""
        unsolved = 1 - beta_pass_at_k_exact(Fraction(self.a), self.b, self.k)
        return unsolved * math.prod(self.b + self.k + i for i in range(self.a))


@claim(
    "reachability.beta_binomial.tail_coefficient",
    statement=r"|\hat C - C| \le 10^{-13}\, C, \quad C = \Gamma(a + b) / \Gamma(b)"
    r" = F(k)\, (b + k)(b + k + 1) \cdots (b + k + a - 1) \text{ for every } k",
    relation=Relation.AT_MOST,
    source=Source.known("the Beta-binomial law", PAGE),
    assumes={"a is whole": lambda case: case.a == int(case.a)},
    teeth={
        "10 % smaller": lambda a, b: 0.9 * beta_tail_coefficient(a, b),
        "Gamma(a) below": lambda a, b: beta_tail_coefficient(a, b) / math.gamma(a + 1),
        "a and b exchanged": lambda a, b: beta_tail_coefficient(b, a),
        "b to the power a": lambda a, b: b**a,
    },
    breaks={"a is whole": Unbroken("else the product is a ratio of gamma functions again")},
    tight=Tight(Shape(3, Fraction(7, 4), 5), at_least=1e-4),
)
def tail_coefficient_is_the_limit(
    case: Shape, coefficient: Callable[[float, float], float] = beta_tail_coefficient
) -> Sides:
    """The coefficient of the power law that unsolved problems follow is F(k) k^a in the limit.

    For a whole first parameter the product on the right is the same for every k, so that the limit
    is known in rationals.
    """
    exact = case.coefficient()
    found = Fraction(coefficient(float(case.a), float(case.b)))
    return Sides(abs(found - exact), exact * Fraction(1, 10**13))


@dataclass(frozen=True)
class Posterior:
    """Counted tries of a problem whose success probability follows Beta(a, b), a and b whole."""

    samples: int
    successes: int
    k: int
    prior: tuple[int, int] = (1, 1)

    def parameters(self) -> tuple[int, int]:
        """Those of the posterior law."""
        a, b = self.prior
        return a + self.successes, b + self.samples - self.successes


def posterior_in_floats(case: Posterior) -> float:
    """What the library answers."""
    a, b = map(float, case.prior)
    return float(pass_at_k_posterior_mean(case.samples, case.successes, case.k, prior=(a, b)))


def of_the_mean(case: Posterior) -> Fraction:
    """Pass@k of the posterior mean of the success probability."""
    a, b = case.parameters()
    return 1 - Fraction(b, a + b) ** case.k


@claim(
    "reachability.interval.posterior_mean",
    statement=r"|\hat x - x| \le 10^{-13}\, x, \quad x = E[f_k(P) \mid C = c]"
    r" = 1 - \frac{B(a + c,\, b + n - c + k)}{B(a + c,\, b + n - c)},"
    r" \quad P \sim \mathrm{Beta}(a, b)",
    relation=Relation.AT_MOST,
    source=Source.known("the Beta law is conjugate", "docs/theory/reachability.md#intervals"),
    assumes={},
    teeth={
        "Pass@k of the posterior mean": of_the_mean,
        "the prior counted twice": lambda case: posterior_in_floats(
            replace(case, prior=(2 * case.prior[0], 2 * case.prior[1]))
        ),
        "one try too many": lambda case: posterior_in_floats(replace(case, k=case.k + 1)),
        "10 % smaller": lambda case: 0.9 * posterior_in_floats(case),
    },
    tight=Tight(Posterior(3, 1, 2), at_least=1e-4),
)
def posterior_mean_is_exact(
    case: Posterior, mean: Callable[[Posterior], Any] = posterior_in_floats
) -> Sides:
    """The posterior mean of Pass@k is accurate to thirteen digits.

    Its density is integrated term by term; the product form of the library must be the same.
    """
    a, b = case.parameters()
    integral = BetaProblems(Fraction(a), b, case.k).pass_at_k()
    product = beta_pass_at_k_exact(Fraction(a), Fraction(b), case.k)
    off = abs(Fraction(mean(case)) - integral) + abs(product - integral)
    return Sides(off, integral * Fraction(1, 10**13))
