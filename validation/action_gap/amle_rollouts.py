"""Property tests of the claims about greedy rollouts on infinity-harmonic values."""

from __future__ import annotations

from typing import Any

from rolltheory.action_gap.claims.amle_rollouts import (
    fails_only_where_flat,
    labels_step_down,
    noise_of_half_an_edge_is_harmless,
    reaches_by_some_ties,
    reaches_with_lengths,
)
from rolltheory.claims import Budget, Kind, check
from validation.action_gap.labelled import goals

__all__ = [
    "any_flat_case",
    "any_label",
    "any_loud_case",
    "any_reached_case",
    "any_weighted_case",
]

DOMAIN = (
    "connected graphs on up to 9 vertices, any goal, it and up to 4 others labelled with errors of"
    " up to 49/100"
)


@check(labels_step_down, kind=Kind.PROPERTY_TESTED, domain=DOMAIN)
def any_label(_: Budget) -> Any:
    """Any errors, not of one size."""
    return goals(9, noise=49)


@check(reaches_by_some_ties, kind=Kind.PROPERTY_TESTED, domain=DOMAIN)
def any_reached_case(_: Budget) -> Any:
    """Any errors, not of one size."""
    return goals(9, noise=49)


@check(fails_only_where_flat, kind=Kind.PROPERTY_TESTED, domain=DOMAIN)
def any_flat_case(_: Budget) -> Any:
    """Any errors, not of one size."""
    return goals(9, noise=49)


@check(
    reaches_with_lengths,
    kind=Kind.PROPERTY_TESTED,
    domain=f"{DOMAIN}, lengths in {{1, 2, 4}}",
)
def any_weighted_case(_: Budget) -> Any:
    """With lengths."""
    return goals(7, noise=49, lengths=True)


@check(
    noise_of_half_an_edge_is_harmless,
    kind=Kind.PROPERTY_TESTED,
    domain="connected graphs on up to 9 vertices, any signs; the claim sets the size",
)
def any_loud_case(_: Budget) -> Any:
    """Signs of any kind."""
    return goals(9, noise=1)
