"""Simulations and property tests of the claims about what model errors cost in value."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from rolltheory.claims import Budget, Kind, check
from rolltheory.graph_world.claims.matrices import vector
from rolltheory.graph_world.claims.value_bounds import (
    Errors,
    FiniteChains,
    SolvedChains,
    classical_lemma_is_above,
    finite_lemma_is_sharp,
    leaking,
    leaking_decisions,
    lipschitz_values,
    model_returns,
    quadratic_lemma_is_above,
    simulation_lemma_is_sharp,
)
from simulators.graph_world.series import random_markov_models
from validation.graph_world.chains import chains, decisions
from validation.graph_world.strategies import rationals

__all__ = [
    "any_bernoulli",
    "any_chain",
    "any_finite_run",
    "any_line",
    "any_pair_of_lemmas",
    "any_return",
    "solved_chains",
]

ERROR_LEVEL = 1e-6
RUNS = 4000
CHAINS = "three states, weights 0 to 4, models that mix in another chain; leaking chains"


def leaks() -> Any:
    """Chains that attain the sharp lemma."""
    from hypothesis import strategies as st

    part = rationals(0, 1, 8)
    return st.builds(leaking, part.filter(lambda discount: discount < 1), part, part)


@check(simulation_lemma_is_sharp, kind=Kind.PROPERTY_TESTED, domain=CHAINS)
def any_chain(_: Budget) -> Any:
    """In rationals."""
    return leaks() | chains()


@check(
    simulation_lemma_is_sharp,
    kind=Kind.SIMULATED,
    domain=f"{RUNS} random chains on 2 states and as many on 4, discounts 0 to 0.98",
    tolerance=1e-9,
    error_level=ERROR_LEVEL,
)
def solved_chains(budget: Budget) -> Iterator[SolvedChains]:
    """Solved in floats, many at once."""
    generator = budget.generator()
    for states in (2, 4):
        drawn = random_markov_models(RUNS, states, generator)
        discounts = 0.98 * generator.random(RUNS)
        truth, model = (
            np.linalg.solve(np.eye(states) - discounts[:, None, None] * chain, rewards[..., None])[
                ..., 0
            ]
            for chain, rewards in (
                (drawn.truth, drawn.rewards),
                (drawn.model, drawn.model_rewards),
            )
        )
        columns = (
            discounts,
            np.abs(truth - model).max(axis=1),
            np.abs(drawn.rewards - drawn.model_rewards).max(axis=1),
            np.abs(drawn.truth - drawn.model).sum(axis=2).max(axis=1) / 2,
        )
        for discount, gap, reward, transition in zip(*map(np.ndarray.tolist, columns), strict=True):
            yield SolvedChains(discount, gap, reward, min(transition, 1.0))


@check(classical_lemma_is_above, kind=Kind.PROPERTY_TESTED, domain="discount and errors in 99ths")
def any_pair_of_lemmas(_: Budget) -> Any:
    """In rationals."""
    from hypothesis import strategies as st

    part = rationals(0, 1, 99)
    return st.builds(Errors, part.filter(lambda discount: discount < 1), part, part)


@check(finite_lemma_is_sharp, kind=Kind.PROPERTY_TESTED, domain=f"{CHAINS}, H up to 20")
def any_finite_run(_: Budget) -> Any:
    """In rationals."""
    from hypothesis import strategies as st

    leak = st.builds(leaking, st.just(0), rationals(0, 1, 8))
    return st.builds(FiniteChains, leak | chains(known_rewards=True), st.integers(0, 20))


@check(quadratic_lemma_is_above, kind=Kind.PROPERTY_TESTED, domain="H up to 50, error in 99ths")
def any_bernoulli(_: Budget) -> Any:
    """In rationals."""
    from hypothesis import strategies as st

    zero = st.just(Fraction(0))
    return st.builds(Errors, zero, zero, rationals(0, 1, 99), st.integers(0, 50))


@check(lipschitz_values, kind=Kind.PROPERTY_TESTED, domain="three points of a line; maps of two")
def any_line(_: Budget) -> Any:
    """Deterministic maps attain the bound."""
    from hypothesis import strategies as st

    def of_two(discount: Fraction, first: Any, stretch: Any, moved: Any) -> Any:
        from rolltheory.graph_world.claims.chains import Chains

        low, high = (1 - stretch) * first, (1 - stretch) * first + stretch
        moved = moved * (1 - high)
        rows = [[(1 - x, x) for x in (low + shift, high + shift)] for shift in (0 * low, moved)]
        rewards = vector([0, 1])
        return Chains(discount, tuple(rows[0]), tuple(rows[1]), rewards, rewards)

    part = rationals(0, 1, 8)
    shifted = st.builds(of_two, part.filter(lambda discount: discount < 1), part, part, part)
    return shifted | chains(known_rewards=True)


@check(
    model_returns,
    kind=Kind.PROPERTY_TESTED,
    domain="two states, two actions; leaks up to 1/40, shifts up to 1/10",
)
def any_return(_: Budget) -> Any:
    """Small leaks come near to the bound."""
    from hypothesis import strategies as st

    def built(discount: Fraction, leak: int, shift: int) -> Any:
        return leaking_decisions(discount, Fraction(leak, 400), shift=Fraction(shift, 100))

    small = st.builds(built, rationals(0, 1, 4).filter(lambda d: d < 1), *[st.integers(0, 10)] * 2)
    return small | decisions(-1)
