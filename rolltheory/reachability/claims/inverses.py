"""Claims about inverses: what must be given so that a bound or an estimate reaches a target."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from typing import Any

from rolltheory.claims import Relation, Sides, Source, Tight, Tooth, Unbroken, claim
from rolltheory.reachability.claims.estimators import PAGE
from rolltheory.reachability.critics import critic_error_allowed
from rolltheory.reachability.exact import (
    pass_at_k_probability_exact,
    pass_at_k_variance_exact,
    tries_needed_exact,
)
from rolltheory.reachability.intervals import certified_pass_at_k
from rolltheory.reachability.moments import samples_for_standard_error
from rolltheory.reachability.tries import (
    prefix_pass_at_k,
    success_probability_needed,
    tries_needed,
)

__all__ = [
    "Failures",
    "Precision",
    "Wanted",
    "critic_is_accurate_enough",
    "failures_certify_a_limit",
    "prefix_reaches",
    "probability_reaches_a_target",
    "samples_reach_a_standard_error",
    "tries_reach_a_target",
]

_BELOW_ONE = 1 - Fraction(1, 2**60)
TARGET = "0 < p < 1 and 0 <= v < 1"


@dataclass(frozen=True)
class Wanted:
    """A probability that a float holds, a number of tries, and Pass@k that is wanted."""

    probability: Fraction
    k: int = 1
    target: Fraction = Fraction(0)


def tries_in_floats(case: Wanted) -> int:
    """What the library answers in floats."""
    return int(tries_needed(float(case.probability), float(case.target)))


def nearest(found: int, reaches: Callable[[int, Fraction], bool], first: int) -> int:
    """The admissible number nearest to the one found.

    Admissible is the smallest n from ``first`` on with ``reaches(n, slack)``, for any slack that
    scales the goal by a factor between 1 - 10^-13 and 1 + 10^-13: floats tell no more.
    """
    few, many = (
        next(n for n in count(first) if reaches(n, 1 + slack))
        for slack in (Fraction(-1, 10**13), Fraction(1, 10**13))
    )
    return min(max(found, few), many)


@claim(
    "reachability.tries.needed",
    statement=r"\hat k = \min\{k \ge 1: 1 - (1 - p)^k \ge \theta v\}"
    r" \text{ for some } |\theta - 1| \le 10^{-13}, \quad"
    r" \hat k \text{ the computed } \lceil \ln(1 - v) / \ln(1 - p) \rceil",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#the-limit-of-many-tries"),
    assumes={TARGET: lambda case: 0 < case.probability < 1 and 0 <= case.target < 1},
    teeth={
        "one try fewer": lambda case: tries_in_floats(case) - 1,
        "one try more": lambda case: tries_in_floats(case) + 1,
        "expected tries": lambda case: -int(-case.target / case.probability // 1),
        "for the limit error": lambda case: (
            tries_needed_exact(case.probability, 1 - case.target) if case.target else 1
        ),
    },
    breaks={
        TARGET: Unbroken("from p = 0 no number of tries reaches v > 0, and none reaches v = 1")
    },
)
def tries_reach_a_target(case: Wanted, needed: Callable[[Wanted], int] = tries_in_floats) -> Sides:
    """The smallest number of tries whose Pass@k reaches a target, float ties aside.

    The right side is found by trying k = 1, 2, ... in rationals; the rational route of the library
    must find the same k without slack.
    """

    def reaches(k: int, slack: Fraction) -> bool:
        return 1 - (1 - case.probability) ** k >= min(slack * case.target, _BELOW_ONE)

    found, exact = int(needed(case)), tries_needed_exact(case.probability, case.target)
    searched = next(k for k in count(1) if reaches(k, Fraction(1)))
    return Sides((found, exact), (nearest(found, reaches, 1), searched))


def probability_in_floats(case: Wanted) -> float:
    """What the library answers."""
    return float(success_probability_needed(float(case.probability), case.k))


@claim(
    "reachability.success_probability.needed",
    statement=r"|f_k(\hat p) - v| \le 4 \cdot 2^{-52}\, v, \quad"
    r" \hat p \text{ the computed } 1 - (1 - v)^{1/k}",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#the-limit-of-many-tries"),
    assumes={"v is at most 1/2": lambda case: case.probability <= Fraction(1, 2)},
    teeth={
        "share of the target": lambda case: float(case.probability) / case.k,
        "one try too many": lambda case: float(
            success_probability_needed(float(case.probability), case.k + 1)
        ),
        "by subtraction": lambda case: 1.0 - (1.0 - float(case.probability)) ** (1 / case.k),
    },
    breaks={
        "v is at most 1/2": Unbroken("close to v = 1, the float nearest to p moves f_k(p) by more")
    },
    tight=Tight(Wanted(Fraction(3, 8), 3), at_least=Fraction(1, 1000)),
)
def probability_reaches_a_target(
    case: Wanted, needed: Callable[[Wanted], float] = probability_in_floats
) -> Sides:
    """The success probability at which Pass@k equals a target, to the last digits.

    The case's probability is the target here; Pass@k of the answer is computed in rationals.
    """
    reached = pass_at_k_probability_exact(Fraction(needed(case)), case.k)
    return Sides(abs(reached - case.probability), case.probability * Fraction(4, 2**52))


def prefix_values(case: Wanted) -> tuple[Fraction, Fraction]:
    """Pass@k and its limit in the library's floats."""
    found = prefix_pass_at_k(float(case.probability), [float(case.k), float("inf")])
    return Fraction(found[0]), Fraction(found[1])


@claim(
    "reachability.limit.prefix",
    statement=r"|\hat f_k(V) - f_k(V)| + |\hat f_\infty(V) - 1\{V > 0\}| \le 10^{-14} f_k(V)",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#the-limit-of-many-tries"),
    assumes={},
    teeth={
        "the limit of many tries": lambda case: (
            prefix_values(case)[0],
            1 - (1 - case.probability) ** 1000,
        ),
        "always reachable": lambda case: (prefix_values(case)[0], Fraction(1)),
        "k tries for one": lambda case: (case.probability, prefix_values(case)[1]),
        "by subtraction": lambda case: (
            Fraction(1.0 - (1.0 - float(case.probability)) ** case.k),
            prefix_values(case)[1],
        ),
    },
    tight=Tight(Wanted(Fraction(1, 3), 3), at_least=Fraction(1, 1000)),
)
def prefix_reaches(
    case: Wanted, values: Callable[[Wanted], tuple[Fraction, Fraction]] = prefix_values
) -> Sides:
    """Pass@k of a prefix is accurate to fourteen digits, and its limit is 0 or 1 exactly."""
    exact = pass_at_k_probability_exact(case.probability, case.k)
    found, limit = values(case)
    possible = int(case.probability > 0)
    return Sides(abs(found - exact) + abs(limit - possible), exact * Fraction(1, 10**14))


def allowed_in_floats(case: Wanted) -> float:
    """What the library answers."""
    return float(critic_error_allowed(float(case.probability), case.k))


@claim(
    "reachability.critic.error_allowed",
    statement=r"f_k(\hat e) \le \varepsilon, \quad \hat e \text{ the computed }"
    r" 1 - (1 - \varepsilon)^{1/k}",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#critics"),
    assumes={},
    teeth={
        "share of the tolerance, to first order": lambda case: (
            1.01 * float(case.probability) / case.k
        ),
        "the tolerance itself": lambda case: float(case.probability),
        "one try fewer": lambda case: float(
            critic_error_allowed(float(case.probability), max(case.k - 1, 1))
        ),
        "10 % more": lambda case: min(1.1 * allowed_in_floats(case), 1.0),
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    tight=Tight(Wanted(Fraction(3, 8), 3), at_least=1 - 1e-14),
)
def critic_is_accurate_enough(
    case: Wanted, allowed: Callable[[Wanted], float] = allowed_in_floats
) -> Sides:
    """A critic as accurate as that keeps the error of Pass@k within the tolerance.

    The case's probability is the tolerance here. Pass@k of the allowed error, the worst case of a
    critic, is computed in rationals: the answer is rounded down, and by less than two digits.
    """
    return Sides(pass_at_k_probability_exact(Fraction(allowed(case)), case.k), case.probability)


@dataclass(frozen=True)
class Failures:
    """``samples`` tries that all failed; the error level is a float."""

    samples: int
    k: int
    level: Fraction


def certified_in_floats(case: Failures) -> float:
    """What the library answers."""
    confidence = 1.0 - float(case.level)
    return float(certified_pass_at_k(case.samples, case.k, confidence=confidence))


@claim(
    "reachability.interval.certified",
    statement=r"P_p(C = 0)^k = (1 - \varepsilon)^n \le \alpha^k \text{ where }"
    r" f_k(p) = \varepsilon, \quad \varepsilon \text{ the computed } 1 - \alpha^{k/n}",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#intervals"),
    assumes={},
    teeth={
        "for k = 1": lambda case: certified_in_floats(Failures(case.samples, 1, case.level)),
        "10 % smaller": lambda case: 0.9 * certified_in_floats(case),
        "one failure more": lambda case: certified_in_floats(
            Failures(case.samples + 1, case.k, case.level)
        ),
        "two digits from zero": lambda case: certified_in_floats(case) - 1e-13,
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    tight=Tight(Failures(16, 4, Fraction(1, 32)), at_least=1 - 1e-12),
)
def failures_certify_a_limit(
    case: Failures, limit: Callable[[Failures], float] = certified_in_floats
) -> Sides:
    """Were Pass@k above the certified limit, all tries would fail with a chance below alpha.

    In rationals, with k-th powers on both sides; the limit is rounded up by less than three digits.
    """
    missed = 1 - Fraction(limit(case))
    return Sides(missed**case.samples, case.level**case.k)


@dataclass(frozen=True)
class Precision:
    """The standard error that is wanted of Pass@k; both numbers are floats."""

    success_probability: Fraction
    k: int
    standard_error: Fraction


def samples_in_floats(case: Precision) -> int:
    """What the library answers."""
    error = float(case.standard_error)
    return samples_for_standard_error(float(case.success_probability), case.k, standard_error=error)


def samples_to_first_order(case: Precision) -> int:
    """The delta method."""
    p, k = case.success_probability, case.k
    slope = k * (1 - p) ** (k - 1)
    return max(k, -int(-(slope**2) * p * (1 - p) / case.standard_error**2 // 1))


@claim(
    "reachability.variance.samples",
    statement=r"\hat n = \min\{n \ge k: \mathrm{Var}\,U(n, C, k) \le \theta s^2\}"
    r" \text{ for some } |\theta - 1| \le 10^{-13}",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#variance"),
    assumes={},
    teeth={
        "one try fewer": lambda case: samples_in_floats(case) - 1,
        "delta method": samples_to_first_order,
        "for the variance, not its root": lambda case: samples_in_floats(
            Precision(case.success_probability, case.k, case.standard_error**2)
        ),
        "for k = 1": lambda case: samples_in_floats(
            Precision(case.success_probability, 1, case.standard_error)
        ),
    },
)
def samples_reach_a_standard_error(
    case: Precision, samples: Callable[[Precision], Any] = samples_in_floats
) -> Sides:
    """The fewest tries that bring the standard error of Pass@k down to a given size, ties aside.

    The right side is found by trying n = k, k + 1, ... in rationals; the library bisects, since
    the variance falls with n.
    """
    p, variance = case.success_probability, case.standard_error**2

    def reaches(n: int, slack: Fraction) -> bool:
        return pass_at_k_variance_exact(n, case.k, p) <= variance * (2 - slack)

    found = samples(case)
    return Sides(found, nearest(found, reaches, case.k))
