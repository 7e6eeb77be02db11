"""Property tests of the claims about state graphs."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rolltheory.claims import Budget, Kind, check
from rolltheory.reachability.claims.graphs import (
    Chain,
    Loop,
    change_bounds_the_error,
    every_solution_is_the_probability,
    least_solution_is_the_probability,
    positive_iff_reachable,
    success_probability_is_certified,
    surely_iff_no_way_to_a_dead_end,
)

__all__ = [
    "any_certified_graph",
    "any_graph_searched",
    "any_graph_searched_surely",
    "any_graph_solved",
    "any_loop",
    "any_other_solution",
]

GRAPHS = "up to 8 states with up to 3 ways out each, any of them a success, weights in ninths"


def chains() -> Any:
    """A strategy for chains with cycles, traps and several successes."""
    from hypothesis import strategies as st

    @st.composite
    def chain(draw: Any) -> Chain:
        states = draw(st.integers(1, 8))
        target = st.integers(0, states - 1)

        def row() -> tuple[Fraction, ...]:
            weights = [Fraction(0)] * states
            for part in draw(st.sampled_from(((9,), (3, 6), (1, 8), (2, 3, 4)))):
                weights[draw(target)] += Fraction(part, 9)
            return tuple(weights)

        rows = tuple(row() for _ in range(states))
        success = draw(st.sets(target, min_size=1, max_size=3))
        return Chain(rows, tuple(sorted(success)))

    return chain()


@check(positive_iff_reachable, kind=Kind.PROPERTY_TESTED, domain=GRAPHS)
def any_graph_searched(_: Budget) -> Any:
    """Larger graphs than can be enumerated."""
    return chains()


@check(surely_iff_no_way_to_a_dead_end, kind=Kind.PROPERTY_TESTED, domain=GRAPHS)
def any_graph_searched_surely(_: Budget) -> Any:
    """Larger graphs than can be enumerated."""
    return chains()


@check(least_solution_is_the_probability, kind=Kind.PROPERTY_TESTED, domain=GRAPHS)
def any_graph_solved(_: Budget) -> Any:
    """Larger graphs than can be enumerated."""
    return chains()


@check(every_solution_is_the_probability, kind=Kind.PROPERTY_TESTED, domain=GRAPHS)
def any_other_solution(_: Budget) -> Any:
    """Larger graphs than can be enumerated."""
    return chains()


@check(success_probability_is_certified, kind=Kind.PROPERTY_TESTED, domain=GRAPHS)
def any_certified_graph(_: Budget) -> Any:
    """Larger graphs than can be enumerated."""
    return chains()


@check(
    change_bounds_the_error,
    kind=Kind.PROPERTY_TESTED,
    domain="stay below 49/50, success any share of the rest, tolerances from 1/1000 to 1/10",
)
def any_loop(_: Budget) -> Any:
    """Loops that are left late."""
    from hypothesis import strategies as st

    def loops(stay: Fraction) -> Any:
        share = st.fractions(Fraction(1, 10), 1, max_denominator=10)
        tolerance = st.fractions(Fraction(1, 1000), Fraction(1, 10), max_denominator=1000)
        return st.builds(Loop, st.just(stay), share.map(lambda s: s * (1 - stay)), tolerance)

    return st.fractions(0, Fraction(49, 50), max_denominator=50).flatmap(loops)
