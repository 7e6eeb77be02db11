"""Property tests that float routes agree with rational ones."""

from __future__ import annotations

from typing import Any
from zlib import crc32

from rolltheory.action_gap.claims.planned import Planned
from rolltheory.action_gap.claims.routes import ROUTES, extended, routes_agree
from rolltheory.claims import Budget, Call, Kind, check
from validation.action_gap.strategies import exactly_labelled

__all__ = ["any_call"]


@check(
    routes_agree,
    kind=Kind.PROPERTY_TESTED,
    domain="connected graphs on up to 8 vertices, lengths up to 3, any set of exact labels",
)
def any_call(_: Budget) -> Any:
    """Each function as likely; a digest of the case picks one."""
    functions = sorted(ROUTES.table)

    def call(case: Planned) -> Call:
        return Call(functions[crc32(repr(case).encode()) % len(functions)], (extended(case),))

    return exactly_labelled(longest=3).map(call)
