"""Hypothesis strategies for small Markov chains and decision problems of rationals."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rolltheory.graph_world.claims.chains import Chains, Decisions
from rolltheory.graph_world.claims.matrices import Matrix, Vector, total
from rolltheory.graph_world.claims.matrices import scaled as times
from validation.graph_world.strategies import rationals, vectors

__all__ = ["chains", "decisions", "laws", "stochastic"]

STATES = 3


def distributions(size: int) -> Any:
    """Weights 0 to 4, divided by their sum."""
    from hypothesis import strategies as st

    if size == 2:  # one number, which shrinks fast
        return rationals(0, 1, 4).map(lambda share: (1 - share, share))

    def shares(weights: list[int]) -> Vector:
        whole = sum(weights) or 1
        return tuple(Fraction(w if sum(weights) else not i, whole) for i, w in enumerate(weights))

    return st.lists(st.integers(0, 4), min_size=size, max_size=size).map(shares)


def stochastic(rows: int, columns: int) -> Any:
    """Rows of probabilities."""
    from hypothesis import strategies as st

    return st.lists(distributions(columns), min_size=rows, max_size=rows).map(tuple)


def mixed(first: Matrix, second: Matrix, share: Fraction) -> Matrix:
    """A part of the second within the first."""
    return total(times(first, 1 - share), times(second, share))


def chains(*, known_rewards: bool = False) -> Any:
    """A chain on three points of a line and a neighbour of it, from next to it to far away."""
    from hypothesis import strategies as st

    def built(
        discount: Fraction,
        truth: Matrix,
        other: Matrix,
        share: Fraction,
        rewards: Vector,
        guess: Vector,
    ) -> Chains:
        learned = rewards if known_rewards else guess
        return Chains(discount, truth, mixed(truth, other, share), rewards, learned)

    return st.builds(
        built,
        rationals(0, 1, 8).filter(lambda discount: discount < 1),
        stochastic(STATES, STATES),
        stochastic(STATES, STATES),
        rationals(0, 1, 8),
        vectors(STATES, 0, 1),
        vectors(STATES, 0, 1),
    )


def laws(actions: int) -> Any:
    """Two states."""
    from hypothesis import strategies as st

    return st.tuples(stochastic(actions, 2), stochastic(actions, 2))


def decisions(lowest_reward: int) -> Any:
    """Two states, two actions, two past policies."""
    from hypothesis import strategies as st

    def built(
        discount: Fraction, truth: Any, other: Any, share: Fraction, **rest: Any
    ) -> Decisions:
        pairs = zip(truth, other, strict=True)
        return Decisions(discount, truth, tuple(mixed(a, b, share) for a, b in pairs), **rest)

    return st.builds(
        built,
        rationals(0, 1, 8).filter(lambda discount: discount < 1),
        laws(2),
        laws(2),
        rationals(0, 1, 16),
        rewards=st.tuples(vectors(2, lowest_reward, 1), vectors(2, lowest_reward, 1)),
        present=stochastic(2, 2),
        past=st.tuples(stochastic(2, 2), stochastic(2, 2)),
        shares=distributions(2),
    )
