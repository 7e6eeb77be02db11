"""Property tests of the claim about bounds in floats."""

from __future__ import annotations

from typing import Any

from rolltheory.claims import Budget, Kind, check
from rolltheory.graph_world.claims.float_routes import ROUTES, Rounded, floats_are_safe

__all__ = ["any_rounding"]


@check(
    floats_are_safe,
    kind=Kind.PROPERTY_TESTED,
    domain="every function, at floats from 0 to 1 - 2^-20 of 20 bits",
)
def any_rounding(_: Budget) -> Any:
    """Shares of 2^-20."""
    from hypothesis import strategies as st

    share = st.integers(0, 2**20 - 1).map(lambda numerator: numerator / 2**20)
    return st.builds(Rounded, st.sampled_from(sorted(ROUTES)), st.tuples(*[share] * 4))
