"""Claims about what Pass@k tells when k grows: the limit, its rate, and where it is not uniform."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rolltheory.claims import (
    Counterexample,
    Relation,
    Sides,
    Source,
    Tight,
    Tooth,
    Unbroken,
    Verdict,
    claim,
)
from rolltheory.reachability.exact import tries_needed_exact
from rolltheory.reachability.tries import limit_tries, limit_tries_bound

__all__ = [
    "LongPath",
    "Prefix",
    "Target",
    "distance_from_the_limit",
    "float_tries_are_enough",
    "limit_is_uniform",
    "tries_that_settle",
    "tries_that_settle_are_few",
]

PAGE = "docs/theory/reachability.md"
POSITIVE = "V > 0"


@dataclass(frozen=True)
class Prefix:
    """A prefix from which a continuation succeeds with probability V; k tries are made."""

    success_probability: Any
    k: int


@claim(
    "reachability.limit.rate",
    statement=r"1\{V > 0\} - f_k(V) = (1 - V)^k",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#the-limit-of-many-tries"),
    assumes={POSITIVE: lambda case: bool(case.success_probability > 0)},
    teeth={
        "rate 1 / k": lambda v, k: (1 - v) / k,
        "one try too many": lambda v, k: (1 - v) ** (k + 1),
        "first order": lambda v, k: 1 - k * v,
    },
    breaks={POSITIVE: Counterexample(Prefix(Fraction(0), 1), "From V = 0 every k agrees with 0.")},
)
def distance_from_the_limit(
    case: Prefix, rate: Callable[[Any, int], Any] = lambda v, k: (1 - v) ** k
) -> Sides:
    """Pass@k tends to the indicator that success is possible, at a geometric rate."""
    possible = int(bool(case.success_probability > 0))
    reached = 1 - math.prod([1 - case.success_probability] * case.k)
    return Sides(possible - reached, rate(case.success_probability, case.k))


@dataclass(frozen=True)
class Target:
    """The least positive success probability of the prefixes, and the error that is tolerated."""

    least_probability: Fraction
    error: Fraction


def settled_by_search(case: Target) -> int:
    """The smallest k with (1 - p)^k at most the error, by trying k = 1, 2, ..."""
    k, missed = 1, 1 - case.least_probability
    while missed > case.error:
        k, missed = k + 1, missed * (1 - case.least_probability)
    return k


RANGES = "0 < p_min <= 1 and 0 < error < 1"
IN_RANGE: Callable[[Target], bool] = lambda case: (  # noqa: E731
    0 < case.least_probability <= 1 and 0 < case.error < 1
)
NO_TRIES = Unbroken("from p = 0 no number of tries settles anything, and no error of 0 is reached")


def by_bisection(case: Target) -> int:
    """What the library answers in rationals."""
    return tries_needed_exact(case.least_probability, 1 - case.error)


def by_logarithms(case: Target) -> int:
    """What the library answers in floats."""
    return int(limit_tries(float(case.least_probability), float(case.error)))


def to_first_order(case: Target) -> int:
    """The bound that takes ln(1 - p) for -p."""
    return int(limit_tries_bound(float(case.least_probability), float(case.error)))


@claim(
    "reachability.limit.tries",
    statement=r"k^* = \min\{k \ge 1: (1 - V)^k \le \varepsilon \text{ for all } V \ge p_{\min}\}"
    r" = \lceil \ln \varepsilon / \ln(1 - p_{\min}) \rceil",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#the-limit-of-many-tries"),
    assumes={RANGES: IN_RANGE},
    teeth={"one try fewer": lambda case: by_bisection(case) - 1, "first order": to_first_order},
    breaks={RANGES: NO_TRIES},
)
def tries_that_settle(case: Target, formula: Callable[[Target], int] = by_bisection) -> Sides:
    """The number of tries after which Pass@k tells possible from impossible."""
    return Sides(formula(case), settled_by_search(case))


@claim(
    "reachability.limit.tries_in_floats",
    statement=r"\text{the computed } \lceil \ln \varepsilon / \ln(1 - p_{\min}) \rceil \ge k^*",
    relation=Relation.AT_LEAST,
    source=Source.derived(f"{PAGE}#the-limit-of-many-tries"),
    assumes={RANGES: IN_RANGE},
    teeth={
        "one try fewer": lambda case: by_logarithms(case) - 1,
        "rounded to the nearest": lambda case: (
            round(math.log(case.error) / math.log1p(-case.least_probability))
            if case.least_probability < 1
            else 1
        ),
    },
    breaks={RANGES: NO_TRIES},
    tight=Tight(Target(Fraction(1, 2), Fraction(2, 5))),
)
def float_tries_are_enough(case: Target, formula: Callable[[Target], int] = by_logarithms) -> Sides:
    """Computed in floats, the number of tries is never too small; on a tie it may be one too many.

    At p = 1/40 and an error of 39/40 one try is enough, and floats answer two.
    """
    return Sides(formula(case), settled_by_search(case))


@claim(
    "reachability.limit.tries_bound",
    statement=r"\lceil \ln \varepsilon / \ln(1 - p_{\min}) \rceil"
    r" \le \lceil \ln(1 / \varepsilon) / p_{\min} \rceil",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#the-limit-of-many-tries"),
    assumes={RANGES: IN_RANGE},
    teeth={
        "a tenth smaller": lambda case: to_first_order(case) * 9 // 10,
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    breaks={RANGES: NO_TRIES},
    tight=Tight(Target(Fraction(1, 2), Fraction(2, 5))),
)
def tries_that_settle_are_few(
    case: Target, bound: Callable[[Target], int] = to_first_order
) -> Sides:
    """About ln(1/error) / p tries settle whether success is possible."""
    return Sides(settled_by_search(case), bound(case))


@dataclass(frozen=True)
class LongPath:
    """Success needs ``length`` moves in a row, each of probability ``move``."""

    move: Fraction
    length: int
    error: Fraction


def by_the_rarest_move(case: LongPath) -> int:
    """Tries that would do if the rarest move were the success probability, per move of the path."""
    return case.length * int(limit_tries_bound(float(case.move), float(case.error)))


def by_the_rarest_path(case: LongPath) -> int:
    """Tries that do: the success probability may be as small as the move to the power length."""
    return int(limit_tries_bound(float(case.move) ** case.length, float(case.error)))


@claim(
    "reachability.limit.uniform",
    statement=r"P(s, t) \ge p_0 \text{ on every edge},\ D \text{ moves to success}"
    r" \implies (1 - V)^k \le \varepsilon"
    r" \text{ for } k = D \lceil \ln(1/\varepsilon) / p_0 \rceil",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#the-limit-of-many-tries"),
    assumes={},
    repairs={"exponential in the length": by_the_rarest_path},
    declared=Verdict.REFUTED,
    repaired_by="reachability.limit.tries_bound",
)
def limit_is_uniform(
    case: LongPath, tries: Callable[[LongPath], int] = by_the_rarest_move
) -> Sides:
    """Tries in proportion to the length of the shortest path settle whether success is possible.

    False: only V >= p_0^D is known, so the number of tries may grow exponentially with the distance
    D, and over prefixes of unbounded distance no number of tries settles the question.
    """
    return Sides((1 - case.move**case.length) ** tries(case), case.error)
