"""Property tests of the claims about values that fall."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rolltheory.action_gap.claims.planned import Planned
from rolltheory.action_gap.claims.reaching import (
    descent_suffices_for_argmin_q,
    falling_values_reach,
    sink_free_reaches,
)
from rolltheory.action_gap.exact import amle_exact
from rolltheory.action_gap.harmonic import harmonic_extension_exact
from rolltheory.claims import Budget, Kind, check
from validation.action_gap.strategies import any_values, connected

__all__ = ["any_descent", "any_descent_on_lengths", "any_extension"]


@check(
    falling_values_reach,
    kind=Kind.PROPERTY_TESTED,
    domain="connected graphs on up to 6 vertices, lengths up to 3, values 0 to 6",
)
def any_descent(_: Budget) -> Any:
    """Larger graphs than can be enumerated."""
    return any_values(longest=3)


@check(
    descent_suffices_for_argmin_q,
    kind=Kind.PROPERTY_TESTED,
    domain="connected graphs on up to 6 vertices, lengths up to 9, values 0 to 6",
)
def any_descent_on_lengths(_: Budget) -> Any:
    """Lengths that differ much."""
    return any_values(longest=9)


@check(
    sink_free_reaches,
    kind=Kind.PROPERTY_TESTED,
    domain="harmonic and infinity-harmonic extensions on connected graphs on up to 7 vertices with"
    " lengths up to 3, of any labels above the goal's",
)
def any_extension(_: Budget) -> Any:
    """Labels that need not be exact."""
    from hypothesis import strategies as st

    @st.composite
    def extension(draw: Any) -> Planned:
        case = draw(connected(most=7, longest=draw(st.sampled_from((1, 3)))))
        others = st.dictionaries(st.sampled_from(case.vertices), st.integers(1, 6), max_size=4)
        labels = {v: Fraction(level) for v, level in draw(others).items()}
        labels[case.goal] = Fraction(0)
        return case.extended(draw(st.sampled_from((harmonic_extension_exact, amle_exact))), labels)

    return extension()
