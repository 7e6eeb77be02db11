"""Property tests that float routes agree with rational ones."""

from __future__ import annotations

from typing import Any

from rolltheory.action_gap.claims.routes import ROUTES, extended, routes_agree
from rolltheory.claims import Budget, Kind, check
from validation.action_gap.strategies import exactly_labelled

__all__ = ["any_call"]


@check(
    routes_agree,
    kind=Kind.PROPERTY_TESTED,
    domain="connected graphs on up to 8 vertices, lengths up to 3, any set of exact labels",
)
def any_call(_: Budget) -> Any:
    """Each function as likely."""
    return exactly_labelled(longest=3).map(lambda case: ROUTES.any_call((extended(case),)))
