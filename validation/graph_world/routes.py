"""Property tests that float routes agree with rationals."""

from __future__ import annotations

from typing import Any

from rolltheory.claims import Budget, Kind, check
from rolltheory.graph_world.claims.routes import (
    MATRICES,
    SCALARS,
    matrices_are_computed,
    scalars_are_computed,
)
from validation.graph_world.strategies import matrices, positive_vectors, rationals

__all__ = ["any_matrix_call", "any_scalar_call"]


@check(scalars_are_computed, kind=Kind.PROPERTY_TESTED, domain="sixteenths up to 1, n up to 20")
def any_scalar_call(_: Budget) -> Any:
    """Sixteenths are exact in floats."""
    from hypothesis import strategies as st

    number = rationals(0, 1, 16).map(lambda x: x or x + 1)
    return st.tuples(number, number, st.integers(1, 20)).map(SCALARS.any_call)


@check(matrices_are_computed, kind=Kind.PROPERTY_TESTED, domain="quarters up to 2, vectors up to 3")
def any_matrix_call(_: Budget) -> Any:
    """Quarters are exact in floats."""
    from hypothesis import strategies as st

    vector = positive_vectors(2)
    return st.tuples(matrices(2), vector, vector).map(MATRICES.any_call)
