"""Exact checks of the claims about policy gradients of Pass@k."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from rolltheory.claims import Budget, Kind, Sides, check
from rolltheory.reachability.claims.gradients import (
    UNBIASED,
    GivenRule,
    Slope,
    condition_for_unbiasedness,
    other_steps,
    pass_at_k_slope_is_the_derivative,
    required_step,
    rules_are_unbiased,
    slope,
    slope_crosses_one,
)
from rolltheory.reachability.claims.groups import CountedGroup, SoftmaxGroup
from rolltheory.reachability.claims.training import (
    TrainingGroup,
    rules_follow_their_scale,
    training_follows_pass_at_k,
    training_is_silent,
    training_simplifies,
    training_sums_to_zero,
)

__all__ = [
    "every_crossover",
    "every_gradient_group",
    "every_group_of_training",
    "every_probability_at_once",
    "every_rule_at_once",
    "every_scaled_group",
    "every_silent_group",
    "every_slope",
    "every_small_rule",
    "every_summed_group",
    "every_training_group",
    "slope_as_polynomial",
]

POLICIES = (
    (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)),
    (Fraction(1, 5), Fraction(1, 5), Fraction(3, 5)),
)
OTHERS = ("pass_at_1", "pass_at_k_training")


def softmax_groups(largest: int, variants: tuple[str, ...]) -> Iterator[SoftmaxGroup]:
    """Three actions, every set of successes, every k that the rule allows."""
    for n in range(1, largest + 1):
        for policy, succeeds in product(POLICIES, product((False, True), repeat=3)):
            for k, variant in product(range(1, n + 1), variants):
                if variant != "best_minus_second" or k == n:
                    yield SoftmaxGroup(n, k, policy, succeeds, variant)


@check(
    rules_are_unbiased,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "softmax over 3 actions, 2 policies, every success set, n <= 3, every k and rule",
        "deep": "softmax over 3 actions, 2 policies, every success set, n <= 5, every k and rule",
    },
)
def every_gradient_group(budget: Budget) -> Iterator[SoftmaxGroup]:
    """Every sequence of actions of small groups, logit by logit."""
    return softmax_groups(5 if budget.deep else 3, UNBIASED)


@check(
    rules_are_unbiased,
    kind=Kind.PROVED,
    domain={
        "gate": "any policy, every p, k <= n <= 5, every rule",
        "deep": "any policy, every p, k <= n <= 12, every rule",
    },
)
def every_probability_at_once(budget: Budget) -> Iterator[CountedGroup]:
    """The two sides as polynomials in the success probability."""
    import sympy

    p = sympy.Symbol("p", real=True)
    for n in range(1, 13 if budget.deep else 6):
        for k, variant in product(range(1, n + 1), UNBIASED):
            if variant != "best_minus_second" or k == n:
                yield CountedGroup(n, k, p, variant)


@check(
    condition_for_unbiasedness,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "n <= 3, every k, each step right or off by 1/7, success weight 0, 1/2 or 1 more",
        "deep": "n <= 5, every k, each step right or off by 1/7, success weight 0, 1/2 or 1 more",
    },
)
def every_small_rule(budget: Budget) -> Iterator[GivenRule]:
    """Rules that miss the required steps in every combination, over several baselines.

    The steps of the wrong formulas are among them.
    """
    for n in range(1, 6 if budget.deep else 4):
        for k in range(1, n + 1):
            right = tuple(required_step(n, c, k) for c in range(n))
            errors = product((Fraction(0), Fraction(1, 7), Fraction(-1, 7)), repeat=n)
            for error, base in product(errors, (Fraction(0), Fraction(1, 2), Fraction(1))):
                failure = tuple(base * c / n for c in range(n))
                success = (r + e + f for r, e, f in zip(right, error, failure, strict=True))
                yield GivenRule(k, tuple(success), failure)


def solved_steps(case: GivenRule, step: Any = required_step) -> Sides:
    """The steps of every unbiased rule at once, as the solution of a linear system."""
    import sympy

    n, k, p = case.group_size, case.k, sympy.Symbol("p")
    group = CountedGroup(n, k, p)
    bias = sympy.Poly(group.estimate(case.weights) - group.gradient(slope(p, k)), p)
    (solution,) = sympy.linsolve(bias.coeffs(), *case.success)
    return Sides(tuple(solution), tuple(sympy.Rational(step(n, c, k)) for c in range(n)))


@check(
    condition_for_unbiasedness,
    kind=Kind.PROVED,
    domain={"gate": "every rule at once, k <= n <= 5", "deep": "every rule at once, k <= n <= 10"},
    route=solved_steps,
    teeth=other_steps,
)
def every_rule_at_once(budget: Budget) -> Iterator[GivenRule]:
    """Unknown weights of successes and none for failures: unbiasedness constrains steps only."""
    import sympy

    for n in range(1, 11 if budget.deep else 6):
        unknown = sympy.symbols(f"w:{n}")
        yield from (GivenRule(k, unknown, (Fraction(0),) * n) for k in range(1, n + 1))


@check(
    pass_at_k_slope_is_the_derivative,
    kind=Kind.PROVED,
    domain="every p and every k at once",
)
def every_slope(_: Budget) -> Iterator[Slope]:
    """Symbolic differentiation."""
    import sympy

    yield Slope(sympy.Symbol("p", positive=True), sympy.Symbol("k", integer=True, positive=True))


@check(
    pass_at_k_slope_is_the_derivative,
    kind=Kind.ENUMERATED,
    domain="k <= 12, p in sevenths, the derivative taken power by power",
)
def slope_as_polynomial(_: Budget) -> Iterator[Slope]:
    """The expansion of Pass@k in powers of p."""
    return (Slope(Fraction(j, 7), k) for k in range(1, 13) for j in range(8))


@check(
    slope_crosses_one,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "2 <= k <= 12, p in 40ths, against algebraic numbers",
        "deep": "2 <= k <= 40, p in 400ths, against algebraic numbers",
    },
)
def every_crossover(budget: Budget) -> Iterator[Slope]:
    """Every probability of a grid."""
    cells = 400 if budget.deep else 40
    for k in range(2, 41 if budget.deep else 13):
        yield from (Slope(Fraction(j, cells), k) for j in range(cells + 1))


@check(
    rules_follow_their_scale,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "softmax over 3 actions, 2 policies, every success set, n <= 3, every k, 5 rules",
        "deep": "softmax over 3 actions, 2 policies, every success set, n <= 4, every k, 5 rules",
    },
)
def every_scaled_group(budget: Budget) -> Iterator[SoftmaxGroup]:
    """Every sequence of actions of small groups, logit by logit."""
    return softmax_groups(4 if budget.deep else 3, UNBIASED + OTHERS)


@check(
    training_follows_pass_at_k,
    kind=Kind.ENUMERATED,
    domain={"gate": "n <= 4, every k, p in fifths", "deep": "n <= 8, every k, p in sevenths"},
)
def every_training_group(budget: Budget) -> Iterator[CountedGroup]:
    """Square roots kept exact."""
    parts, largest = (7, 8) if budget.deep else (5, 4)
    for n in range(1, largest + 1):
        for k, j in product(range(1, n + 1), range(parts + 1)):
            yield CountedGroup(n, k, Fraction(j, parts), "pass_at_k_training")


def groups(largest: int) -> Iterator[TrainingGroup]:
    """Every group up to a size."""
    for n in range(1, largest + 1):
        for c, k in product(range(n + 1), range(1, n + 1)):
            yield TrainingGroup(n, c, k)


@check(
    training_simplifies,
    kind=Kind.ENUMERATED,
    domain={"gate": "n <= 8, every c and k, in radicals", "deep": "n <= 16, every c and k"},
)
def every_group_of_training(budget: Budget) -> Iterator[TrainingGroup]:
    """Both outcomes of every try."""
    for group in groups(16 if budget.deep else 8):
        yield group
        yield TrainingGroup(group.group_size, group.successes, group.k, succeeded=False)


@check(
    training_sums_to_zero,
    kind=Kind.ENUMERATED,
    domain={"gate": "n <= 8, every c and k, in radicals", "deep": "n <= 16, every c and k"},
)
def every_summed_group(budget: Budget) -> Iterator[TrainingGroup]:
    """Every group."""
    return groups(16 if budget.deep else 8)


@check(
    training_is_silent,
    kind=Kind.ENUMERATED,
    domain={"gate": "n <= 8, every c and k, in radicals", "deep": "n <= 16, every c and k"},
)
def every_silent_group(budget: Budget) -> Iterator[TrainingGroup]:
    """Every group."""
    return groups(16 if budget.deep else 8)
