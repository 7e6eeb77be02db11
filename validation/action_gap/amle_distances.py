"""Property tests of the claims about the infinity-harmonic extension of exact distances."""

from __future__ import annotations

from typing import Any

from rolltheory.action_gap.claims.amle_distances import (
    cycle,
    detour_bounds_the_deficit,
    exact_where_no_detour,
    fill_distance_bounds_the_deficit,
    never_above_the_distance,
    next_to_a_label_of_a_cycle,
    no_interior_sink,
    recovered_from_dead_ends,
    residual_of_the_distance,
)
from rolltheory.claims import Budget, Kind, check
from validation.action_gap.labelled import goals, labellings

__all__ = [
    "any_cycle",
    "any_detour",
    "any_distance",
    "any_exact_labelling",
    "any_fill_distance",
    "any_recovery",
    "any_sink",
    "any_value",
]

DOMAIN = "connected graphs on up to 9 vertices, any goal, it and up to 4 others labelled exactly"
CYCLES = f"{DOMAIN}, and cycles of up to 82 vertices"


@check(residual_of_the_distance, kind=Kind.PROPERTY_TESTED, domain=DOMAIN)
def any_distance(_: Budget) -> Any:
    """Larger graphs than can be enumerated."""
    return goals(9)


@check(recovered_from_dead_ends, kind=Kind.PROPERTY_TESTED, domain=DOMAIN)
def any_recovery(_: Budget) -> Any:
    """Larger graphs than can be enumerated."""
    return goals(9)


@check(exact_where_no_detour, kind=Kind.PROPERTY_TESTED, domain=DOMAIN)
def any_exact_labelling(_: Budget) -> Any:
    """Larger graphs than can be enumerated."""
    return goals(9)


@check(never_above_the_distance, kind=Kind.PROPERTY_TESTED, domain=DOMAIN)
def any_value(_: Budget) -> Any:
    """Larger graphs than can be enumerated."""
    return goals(9)


@check(detour_bounds_the_deficit, kind=Kind.PROPERTY_TESTED, domain=CYCLES)
def any_detour(_: Budget) -> Any:
    """Cycles come near the bound."""
    return _with_cycles()


@check(fill_distance_bounds_the_deficit, kind=Kind.PROPERTY_TESTED, domain=CYCLES)
def any_fill_distance(_: Budget) -> Any:
    """Cycles come near the bound."""
    return _with_cycles()


def _with_cycles() -> Any:
    from hypothesis import strategies as st

    return st.one_of(goals(9), st.integers(1, 40).map(cycle))


@check(next_to_a_label_of_a_cycle, kind=Kind.PROPERTY_TESTED, domain="p up to 200")
def any_cycle(_: Budget) -> Any:
    """Long cycles."""
    from hypothesis import strategies as st

    return st.integers(1, 200)


@check(
    no_interior_sink,
    kind=Kind.PROPERTY_TESTED,
    domain="connected graphs on up to 8 vertices, unit cost or with lengths, labels of any kind",
)
def any_sink(_: Budget) -> Any:
    """Larger graphs than can be enumerated."""
    return labellings()
