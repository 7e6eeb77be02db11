"""Property test of the descent: any rules, three fields."""

from __future__ import annotations

from typing import Any

from rolltheory.claims import Budget, Kind, check
from rolltheory.dimension.claims.descent import BRANCHED, Summed, descent_ends_at_next_tokens
from validation.dimension.rollout import RULES, rolled

__all__ = ["any_descent"]


@check(
    descent_ends_at_next_tokens,
    kind=Kind.PROPERTY_TESTED,
    domain=f"{RULES}; modulo 2, 3 and 5; and an even set of traces that cancels at the root",
)
def any_descent(_: Budget) -> Any:
    """From the function that the search finds."""
    from hypothesis import strategies as st

    found = st.builds(Summed, rolled(), st.sampled_from((2, 3, 5)))
    return st.one_of(st.just(BRANCHED), found)
