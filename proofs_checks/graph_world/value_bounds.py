"""Exact checks of the claims about what one-step model errors cost in value."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from proofs_checks.graph_world.matrices import every_vector
from rolltheory.claims import Budget, Kind, check
from rolltheory.graph_world.claims.chains import Chains, Decisions
from rolltheory.graph_world.claims.matrices import Matrix, Vector, matrix, vector
from rolltheory.graph_world.claims.value_bounds import (
    Errors,
    FiniteChains,
    classical_lemma_is_above,
    finite_lemma_is_sharp,
    leaking,
    leaking_decisions,
    lipschitz_values,
    model_returns,
    quadratic_lemma_is_above,
    simulation_lemma_is_sharp,
)

__all__ = [
    "every_bernoulli",
    "every_chain",
    "every_finite_run",
    "every_line",
    "every_pair_of_lemmas",
    "every_return",
]

DISCOUNTS = (Fraction(1, 4), Fraction(3, 4))
HALVES = (Fraction(0), Fraction(1, 2), Fraction(1))


def two_state_chains() -> Iterator[Matrix]:
    """Every chain on two states whose chances are halves."""
    for first, second in product(HALVES, repeat=2):
        yield matrix([[1 - first, first], [second, 1 - second]])


def chains(budget: Budget) -> Iterator[Chains]:
    """Two states; the best reward is in the first."""
    guesses = tuple(every_vector((0, 1), 2)) if budget.deep else (vector([1, 0]), vector([0, 0]))
    for discount, truth, model, guess in product(
        DISCOUNTS, two_state_chains(), two_state_chains(), guesses
    ):
        yield Chains(discount, truth, model, vector([1, 0]), guess)


@check(
    simulation_lemma_is_sharp,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "every pair of two-state chains with chances in halves, rewards (1, 0), learned "
        "rewards (1, 0) or (0, 0), discounts 1/4 and 3/4; leaking chains with errors in quarters",
        "deep": "the same with every learned reward of 0 and 1",
    },
)
def every_chain(budget: Budget) -> Iterator[Chains]:
    """Solved in rationals."""
    for discount, leak, error in product(DISCOUNTS, range(5), range(5)):
        yield leaking(discount, Fraction(leak, 4), Fraction(error, 4))
    yield from chains(budget)


@check(
    classical_lemma_is_above,
    kind=Kind.ENUMERATED,
    domain={"gate": "discount and errors in eighths", "deep": "discount and errors in 24ths"},
)
def every_pair_of_lemmas(budget: Budget) -> Iterator[Errors]:
    """Equal where there is no error of the transitions."""
    parts = 24 if budget.deep else 8
    for discount, reward, transition in product(range(parts), range(parts + 1), range(parts + 1)):
        yield Errors(
            Fraction(discount, parts), Fraction(reward, parts), Fraction(transition, parts)
        )


@check(
    finite_lemma_is_sharp,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "every pair of two-state chains with chances in halves, leaks in quarters, H < 7",
        "deep": "the same for H < 15",
    },
)
def every_finite_run(budget: Budget) -> Iterator[FiniteChains]:
    """Values by backward induction."""
    horizons = range(15 if budget.deep else 7)
    for horizon, leak in product(horizons, range(5)):
        yield FiniteChains(leaking(0, Fraction(leak, 4)), horizon)
    rewards = vector([1, 0])
    for truth, model, horizon in product(two_state_chains(), two_state_chains(), horizons):
        yield FiniteChains(Chains(Fraction(0), truth, model, rewards, rewards), horizon)


@check(
    quadratic_lemma_is_above,
    kind=Kind.ENUMERATED,
    domain={"gate": "H < 12, error in eighths", "deep": "H < 60, error in 24ths"},
)
def every_bernoulli(budget: Budget) -> Iterator[Errors]:
    """Equal for H = 2."""
    parts = 24 if budget.deep else 8
    for horizon, error in product(range(60 if budget.deep else 12), range(parts + 1)):
        yield Errors(Fraction(0), Fraction(0), Fraction(error, parts), horizon)


def line_maps(points: int) -> Iterator[Matrix]:
    """Every map of some points of a line into themselves."""
    for images in product(range(points), repeat=points):
        yield matrix([int(image == j) for j in range(points)] for image in images)


@check(
    lipschitz_values,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "two-state chains with chances in halves, maps of three points of a line, "
        "discounts 1/4 and 3/4 where the series converges",
        "deep": "the same with three reward functions",
    },
)
def every_line(budget: Budget) -> Iterator[Chains]:
    """Wasserstein distances by distribution functions."""
    pairs = list(product(two_state_chains(), two_state_chains()))
    for discount, (truth, model) in product(DISCOUNTS, pairs):
        yield Chains(discount, truth, model, vector([0, 1]), vector([0, 1]))
    rewards: list[Vector] = [vector([0, 1, 2])]
    if budget.deep:
        rewards += [vector([0, 2, 1]), vector([3, 0, 0])]
    maps = list(line_maps(3))
    for row, truth, model in product(rewards, maps, maps):
        yield Chains(Fraction(1, 4), truth, model, row, row)


def decisions(budget: Budget) -> Iterator[Decisions]:
    """Two states and two actions, deterministic laws, and policies that shift in one action."""
    laws = [
        tuple(matrix([[1 - a, a] for a in images[i : i + 2]]) for i in (0, 2))
        for images in product((0, 1), repeat=4)
    ]
    past = matrix([[1, 0], ["1/2", "1/2"]])
    steps = (Fraction(0), Fraction(1, 4), Fraction(1)) if budget.deep else (Fraction(1, 4),)
    for truth, model, step in product(laws, laws, steps):
        present = matrix([[1 - step, step], ["1/2", "1/2"]])
        yield Decisions(Fraction(1, 2), truth, model, matrix([[1, 1], [-1, 0]]), present, (past,))


@check(
    model_returns,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "every pair of deterministic laws on two states and two actions, a policy shift of "
        "1/4; leaks and shifts of 0 to 1/10",
        "deep": "the same with policy shifts of 0, 1/4 and 1",
    },
)
def every_return(budget: Budget) -> Iterator[Decisions]:
    """Returns in rationals."""
    yield from decisions(budget)
    for discount, leak, shift in product(DISCOUNTS, range(3), range(3)):
        yield leaking_decisions(discount, Fraction(leak, 100), shift=Fraction(shift, 20))
