"""Property tests of the claims about what labels alone certify."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rolltheory.action_gap.claims.excess import (
    excess_below_the_loss_is_optimal,
    fill_distance_is_vacuous,
)
from rolltheory.action_gap.claims.planned import Planned
from rolltheory.claims import Budget, Kind, check
from validation.action_gap.strategies import exactly_labelled

__all__ = ["any_label_set", "any_lipschitz_extension"]


@check(
    excess_below_the_loss_is_optimal,
    kind=Kind.PROPERTY_TESTED,
    domain="connected graphs on up to 8 vertices, lengths up to 4, any exact labels; the distance"
    " clipped at any height to the envelopes of the labels",
)
def any_lipschitz_extension(_: Budget) -> Any:
    """A level between the envelopes: the median of three 1-Lipschitz functions is one."""
    from hypothesis import strategies as st

    def cut(case: Planned) -> Any:
        to = {b: case.distance(b) for b in case.labels}
        low = [max(case.values[b] - to[b][x] for b in to) for x in case.vertices]

        def at(height: int) -> Planned:
            values = (min(max(height, a), d) for a, d in zip(low, case.values, strict=True))
            return replace(case, values=tuple(values))

        return st.integers(int(min(low)), int(max(case.values))).map(at)

    return exactly_labelled(longest=4).flatmap(cut)


@check(
    fill_distance_is_vacuous,
    kind=Kind.PROPERTY_TESTED,
    domain="connected graphs on up to 8 vertices, any exact labels with the goal",
)
def any_label_set(_: Budget) -> Any:
    """Larger graphs than can be enumerated."""
    return exactly_labelled()
