"""Exact checks of the claims about token credit from differences of Pass@k."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from rolltheory.claims import Budget, Kind, Sides, check
from rolltheory.reachability.claims.credit import (
    all_credit_is_blame,
    credit_tends_to_reachability,
    credit_to_go_is_unbiased,
    credits_telescope,
    one_step_credit_is_unbiased,
    one_step_credit_rescales,
    other_credits,
    other_scales,
    scale_is_local,
)
from rolltheory.reachability.claims.drift import (
    credit_falls_at_least,
    credit_falls_at_most,
    second_order_suffices,
)
from rolltheory.reachability.claims.trees import (
    BinaryTree,
    Continuations,
    Step,
    Trajectory,
    Walk,
)

__all__ = [
    "every_credited_tree",
    "every_falling_law",
    "every_law_of_continuations",
    "every_limit",
    "every_rare_disaster",
    "every_small_trajectory",
    "every_step",
    "every_step_of_every_tree",
    "every_tree_and_critic_at_once",
    "every_tree_at_once",
    "every_uncentred_tree",
    "every_walk",
]

POLICIES = tuple(
    tuple(Fraction(*part) for part in row)
    for row in (((1, 3), (1, 2), (1, 4)), ((1, 2), (2, 3), (1, 5)))
)
CRITICS = (None, (Fraction(1, 5), Fraction(1), Fraction(2, 3)), (Fraction(0),) * 3)
THIRDS = tuple(Fraction(j, 3) for j in range(4))
HALVES = tuple(Fraction(j, 2) for j in range(3))


def trees(tries: tuple[int, ...], critics: tuple[Any, ...] = (None,)) -> Iterator[BinaryTree]:
    """Two decisions in a row, every set of leaves in halves, seen from every decision."""
    for first, leaves in product(POLICIES, product(HALVES, repeat=4)):
        for k, decision, critic in product(tries, range(3), critics):
            yield BinaryTree(first, leaves, k, decision, critic)


def tries(budget: Budget) -> tuple[int, ...]:
    """The numbers of tries of a profile."""
    return (1, 2, 5, 16) if budget.deep else (1, 4)


@check(
    credits_telescope,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "up to 3 steps, values in thirds, outcome 0 or 1, k <= 4, every start",
        "deep": "up to 5 steps, values in thirds, outcome 0 or 1, k <= 6, every start",
    },
)
def every_small_trajectory(budget: Budget) -> Iterator[Trajectory]:
    """Every sequence of values, also those that no policy has."""
    longest, most = (5, 6) if budget.deep else (3, 4)
    for length in range(1, longest + 1):
        for values, outcome in product(product(THIRDS, repeat=length), (0, 1)):
            for k, step in product(range(1, most + 1), range(length)):
                yield Trajectory(values, Fraction(outcome), k, step)


@check(
    credit_to_go_is_unbiased,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "trees of depth 2, 2 policies, leaves in halves, k in 1, 4, 3 critics",
        "deep": "trees of depth 2, 2 policies, leaves in halves, k in 1, 2, 5, 16, 3 critics",
    },
)
def every_credited_tree(budget: Budget) -> Iterator[BinaryTree]:
    """Every trajectory of every tree, with a true critic and two wrong ones."""
    return trees(tries(budget), CRITICS)


def symbolic_tree(k: int, decision: int, *, any_critic: bool) -> BinaryTree:
    """The tree of depth 2 with symbols for all its numbers."""
    import sympy

    told = sympy.symbols("b:3") if any_critic else None
    return BinaryTree(sympy.symbols("p:3"), sympy.symbols("v:4"), k, decision, told)


def coefficients(polynomial: Any) -> dict[tuple[int, ...], Any]:
    """A polynomial in the numbers of the tree, by its coefficients."""
    import sympy

    unknown = sympy.symbols("p:3 v:4 b:3")
    return dict(sympy.Poly(polynomial, *unknown).as_dict())


def symbolic_to_go(
    case: BinaryTree, credit: Any = lambda values, y, _: [y - value for value in values]
) -> Sides:
    """Credit-to-go with the critic's Pass@k as an unknown number."""
    return Sides(coefficients(case.expected(credit)), coefficients(case.gradient()))


@check(
    credit_to_go_is_unbiased,
    kind=Kind.PROVED,
    domain="every binary tree of depth 2, every policy, every critic, every k at once",
    route=symbolic_to_go,
    teeth=other_credits(
        lambda values, y, _: [y - value for value in values], lambda value, _: value
    ),
)
def every_tree_and_critic_at_once(_: Budget) -> Iterator[BinaryTree]:
    """One unknown for what the critic's value makes of every prefix: that covers every k."""
    return (symbolic_tree(1, decision, any_critic=True) for decision in range(3))


@check(
    one_step_credit_is_unbiased,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "trees of depth 2, 2 policies, leaves in halves, k in 1, 4",
        "deep": "trees of depth 2, 2 policies, leaves in halves, k in 1, 2, 5, 16",
    },
)
def every_uncentred_tree(budget: Budget) -> Iterator[BinaryTree]:
    """Every trajectory of every tree."""
    return trees(tries(budget))


@check(
    one_step_credit_rescales,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "trees of depth 2, 2 policies, leaves in halves, k in 1, 4",
        "deep": "trees of depth 2, 2 policies, leaves in halves, k in 1, 2, 5, 16",
    },
)
def every_step_of_every_tree(budget: Budget) -> Iterator[BinaryTree]:
    """Every trajectory of every tree."""
    return trees(tries(budget))


def symbolic_scale(value: Any, other: Any, k: int) -> Any:
    """The divided difference as a sum."""
    return sum((1 - value) ** j * (1 - other) ** (k - 1 - j) for j in range(k))


def symbolic_one_step(case: BinaryTree, scale: Any = symbolic_scale) -> Sides:
    """One-step credit as a polynomial."""

    def credit(values: list[Any], outcome: Any, k: int) -> list[Any]:
        reached = [1 - (1 - value) ** k for value in values]
        ends = [*reached[1:], outcome]
        return [end - start for start, end in zip(reached, ends, strict=True)]

    return Sides(coefficients(case.expected(credit)), coefficients(case.rescaled(scale)))


@check(
    one_step_credit_rescales,
    kind=Kind.PROVED,
    domain={
        "gate": "every binary tree of depth 2, every policy, k <= 3",
        "deep": "every binary tree of depth 2, every policy, k <= 5",
    },
    route=symbolic_one_step,
    teeth=other_scales(symbolic_scale),
)
def every_tree_at_once(budget: Budget) -> Iterator[BinaryTree]:
    """The two sides as polynomials in all probabilities."""
    for k in range(1, 6 if budget.deep else 4):
        yield from (symbolic_tree(k, decision, any_critic=False) for decision in range(3))


@check(
    scale_is_local,
    kind=Kind.ENUMERATED,
    domain={"gate": "k <= 8, values in eighths", "deep": "k <= 24, values in 24ths"},
)
def every_step(budget: Budget) -> Iterator[Step]:
    """Every pair of values."""
    return steps(24 if budget.deep else 8)


def steps(parts: int) -> Iterator[Step]:
    """Every pair of values of a grid, and as many tries."""
    grid = [Fraction(j, parts) for j in range(parts + 1)]
    return (Step(a, b, k) for k in range(1, parts + 1) for a, b in product(grid, grid))


@check(
    credit_tends_to_reachability,
    kind=Kind.ENUMERATED,
    domain={"gate": "k <= 8, values in eighths", "deep": "k <= 24, values in 24ths"},
)
def every_limit(budget: Budget) -> Iterator[Step]:
    """Every pair of values."""
    return steps(24 if budget.deep else 8)


@check(
    all_credit_is_blame,
    kind=Kind.ENUMERATED,
    domain="every trajectory of trees of depth 2 with all probabilities 0, 1/2 or 1",
)
def every_walk(_: Budget) -> Iterator[Walk]:
    """Steps that never happen among others, and leaves without hope."""
    for first, leaves in product(product(HALVES, repeat=3), product(HALVES[:2], repeat=4)):
        tree = BinaryTree(first, leaves, 1)
        yield from (Walk(tree, number) for number in range(8))


def laws(parts: int, tries: tuple[int, ...]) -> Iterator[Continuations]:
    """Laws on quarters with chances in so many parts, within [0, 1] and within their own range."""
    points = tuple(Fraction(j, 4) for j in range(5))
    for weights in product(range(parts + 1), repeat=5):
        if sum(weights) != parts:
            continue
        pairs = [(Fraction(w, parts), v) for w, v in zip(weights, points, strict=True) if w]
        chances, values = (tuple(column) for column in zip(*pairs, strict=True))
        for k in tries:
            yield Continuations(chances, values, k)
            yield Continuations(chances, values, k, values[0], values[-1])


@check(
    credit_falls_at_most,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "laws on quarters with chances in quarters, k in 1, 2, 3, 8",
        "deep": "laws on quarters with chances in eighths, k in 1, 2, 3, 8, 40",
    },
)
def every_law_of_continuations(budget: Budget) -> Iterator[Continuations]:
    """Within [0, 1] and within the law's own range, where two-point laws attain the bound."""
    return laws(8, (1, 2, 3, 8, 40)) if budget.deep else laws(4, (1, 2, 3, 8))


@check(
    credit_falls_at_least,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "laws on quarters with chances in quarters, k in 1, 2, 3, 8",
        "deep": "laws on quarters with chances in eighths, k in 1, 2, 3, 8, 40",
    },
)
def every_falling_law(budget: Budget) -> Iterator[Continuations]:
    """Within [0, 1] and within the law's own range, where two-point laws attain the bound."""
    return laws(8, (1, 2, 3, 8, 40)) if budget.deep else laws(4, (1, 2, 3, 8))


@check(
    second_order_suffices,
    kind=Kind.ENUMERATED,
    domain="k <= 16, value 0 with a chance of 10^-1 .. 10^-8, otherwise tenths",
)
def every_rare_disaster(_: Budget) -> Iterator[Continuations]:
    """Laws that lose all with a small chance."""
    for k, power, tenths in product(range(1, 17), range(1, 9), range(1, 11)):
        rare = Fraction(1, 10**power)
        yield Continuations((rare, 1 - rare), (Fraction(0), Fraction(tenths, 10)), k)
