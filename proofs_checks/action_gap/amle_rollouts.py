"""Exact checks of the claims about greedy rollouts on infinity-harmonic values."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, product

from proofs_checks.action_gap.graphs import goals, noisy_goals
from rolltheory.action_gap.claims.amle_rollouts import (
    fails_only_where_flat,
    labels_step_down,
    noise_of_half_an_edge_is_harmless,
    reaches_by_some_ties,
    reaches_with_lengths,
)
from rolltheory.action_gap.claims.labelled import Goal
from rolltheory.claims import Budget, Kind, check

__all__ = [
    "every_flat_case",
    "every_label",
    "every_loud_case",
    "every_reached_case",
    "every_weighted_case",
]

NEARLY_HALF = Fraction(49, 100)
GRAPHS = "every connected graph on up to {} vertices, every goal, every label set that holds it"
DOMAIN = {
    "gate": f"{GRAPHS.format(6)}, exact; on up to 4 vertices errors of 49/100 with every sign",
    "deep": f"{GRAPHS.format(7)}, exact; on up to 6 vertices errors of 49/100 with every sign",
}


def quiet_cases(budget: Budget) -> Iterator[Goal]:
    """Noisy labels first, because they are on the smaller graphs; then exact ones."""
    exact, noisy = (7, 6) if budget.deep else (6, 4)
    return chain(noisy_goals(noisy, NEARLY_HALF), goals(exact))


@check(labels_step_down, kind=Kind.ENUMERATED, domain=DOMAIN)
def every_label(budget: Budget) -> Iterator[Goal]:
    """All of `quiet_cases`."""
    return quiet_cases(budget)


@check(reaches_by_some_ties, kind=Kind.ENUMERATED, domain=DOMAIN)
def every_reached_case(budget: Budget) -> Iterator[Goal]:
    """All of `quiet_cases`."""
    return quiet_cases(budget)


@check(fails_only_where_flat, kind=Kind.ENUMERATED, domain=DOMAIN)
def every_flat_case(budget: Budget) -> Iterator[Goal]:
    """All of `quiet_cases`."""
    return quiet_cases(budget)


@check(
    reaches_with_lengths,
    kind=Kind.ENUMERATED,
    domain="every connected graph on up to 4 vertices with lengths 1 and 4, every goal, every label"
    " set that holds it",
)
def every_weighted_case(_: Budget) -> Iterator[Goal]:
    """All choices of lengths."""
    for case in goals(4):
        for lengths in product((1, 4), repeat=len(case.edges)):
            yield Goal(case.edges, case.goal, case.labelled, lengths)


@check(
    noise_of_half_an_edge_is_harmless,
    kind=Kind.ENUMERATED,
    domain="every connected graph on up to 4 vertices, every goal, every label set that holds it,"
    " every sign of the errors",
)
def every_loud_case(_: Budget) -> Iterator[Goal]:
    """The signs; the claim sets the size."""
    return noisy_goals(4, Fraction(1))
