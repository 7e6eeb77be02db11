"""Property tests of the claims about greedy planners."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rolltheory.action_gap.claims.planned import Planned
from rolltheory.action_gap.claims.planner import (
    Perturbed,
    all_and_some_are_over_every_rule,
    memory_serves_like_chance,
    random_ties_make_a_chain,
    step_cap_that_loses_nothing,
    tolerance_keeps_every_tie,
)
from rolltheory.claims import Budget, Kind, check
from validation.action_gap.strategies import any_values

__all__ = [
    "any_capped_rollout",
    "any_chain_of_ties",
    "any_memory",
    "any_perturbation",
    "any_tie",
]

TIES = "connected graphs on up to 6 vertices, values 0 to 2"


@check(all_and_some_are_over_every_rule, kind=Kind.PROPERTY_TESTED, domain=TIES)
def any_tie(_: Budget) -> Any:
    """Larger graphs than can be enumerated."""
    return any_values(highest=2)


@check(random_ties_make_a_chain, kind=Kind.PROPERTY_TESTED, domain=TIES)
def any_chain_of_ties(_: Budget) -> Any:
    """Larger graphs than can be enumerated."""
    return any_values(highest=2)


@check(memory_serves_like_chance, kind=Kind.PROPERTY_TESTED, domain=TIES)
def any_memory(_: Budget) -> Any:
    """Larger graphs than can be enumerated."""
    return any_values(highest=2)


@check(
    step_cap_that_loses_nothing,
    kind=Kind.PROPERTY_TESTED,
    domain="paths and rings on 3 to 12 vertices with a chord or none, values that fall by one along"
    " them",
)
def any_capped_rollout(_: Budget) -> Any:
    """A chord can cut the long way short."""
    from hypothesis import strategies as st

    def path(count: int, chord: tuple[int, int]) -> Planned:
        edges = {(x, x + 1) for x in range(count - 1)} | _simple(chord, count)
        return Planned(tuple(sorted(edges)), tuple(range(count)))

    def ring(count: int, chord: tuple[int, int]) -> Planned:
        edges = {(x, x + 1) for x in range(count - 1)} | {(0, count - 1)} | _simple(chord, count)
        return Planned(tuple(sorted(edges)), (0, *range(count - 1, 0, -1)))

    end = st.integers(0, 11)
    build = st.sampled_from((path, ring))
    return st.builds(
        lambda shape, *size: shape(*size), build, st.integers(3, 12), st.tuples(end, end)
    )


def _simple(chord: tuple[int, int], count: int) -> set[tuple[int, int]]:
    """The chord as an edge, or nothing where its ends coincide."""
    low, high = sorted(end % count for end in chord)
    return set() if low == high else {(low, high)}


@check(
    tolerance_keeps_every_tie,
    kind=Kind.PROPERTY_TESTED,
    domain="connected graphs on up to 6 vertices, lengths up to 2, values 0 to 2, errors in"
    " quarters up to 1",
)
def any_perturbation(_: Budget) -> Any:
    """Errors that are powers of two, so that floats hold them."""
    from hypothesis import strategies as st

    def perturbed(case: Planned) -> Any:
        error = st.integers(-4, 4).map(lambda quarters: Fraction(quarters, 4))
        return st.builds(Perturbed, st.just(case), st.tuples(*[error] * len(case.values)))

    return any_values(longest=2, highest=2).flatmap(perturbed)
