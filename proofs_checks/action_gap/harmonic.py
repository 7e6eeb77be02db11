"""Exact checks of the claims about the harmonic extension: every small connected graph."""

from __future__ import annotations

from collections.abc import Iterator

from proofs_checks.action_gap.graphs import connected_graphs, goals, size_of
from rolltheory.action_gap.claims._small_graphs import Rooted, bundle
from rolltheory.action_gap.claims.harmonic import (
    Refined,
    fails_from_five_parallel_ways_on,
    failure_needs_eight_vertices,
    harmonic_iff_balanced,
    labels_bound_the_extension,
    margin_survives_refinement,
    misranking_needs_seven_vertices,
    never_overestimates,
    solution_is_certified,
    weighs_labels_by_first_hits,
)
from rolltheory.action_gap.claims.labelled import Labelled
from rolltheory.claims import Budget, Kind, check

__all__ = [
    "every_balance",
    "every_bound",
    "every_bundle",
    "every_certificate",
    "every_failure",
    "every_law",
    "every_misranking",
    "every_overestimate",
    "every_refinement",
    "labelled_graphs",
    "rooted_graphs",
]

LABELLED = {
    "gate": "connected graphs of up to 5 vertices, every goal, every set of exact labels",
    "deep": "connected graphs of up to 6 vertices, every goal, every set of exact labels",
}
ROOTED = {
    "gate": "connected graphs of up to 6 vertices, every goal",
    "deep": "connected graphs of up to 7 vertices, every goal",
}


def rooted_graphs(most: int) -> Iterator[Rooted]:
    """Every graph of up to so many vertices with every goal."""
    for edges in connected_graphs(most):
        yield from (Rooted(edges, goal) for goal in range(size_of(edges)))


def labelled_graphs(most: int) -> Iterator[Labelled]:
    """Every such graph with exact labels at the goal and some, but not all, other vertices."""
    return (goal.problem for goal in goals(most) if goal.problem.inner)


def _labelled(budget: Budget) -> Iterator[Labelled]:
    return labelled_graphs(6 if budget.deep else 5)


@check(weighs_labels_by_first_hits, kind=Kind.ENUMERATED, domain=LABELLED)
def every_law(budget: Budget) -> Iterator[Labelled]:
    """All of `labelled_graphs`."""
    return _labelled(budget)


@check(labels_bound_the_extension, kind=Kind.ENUMERATED, domain=LABELLED)
def every_bound(budget: Budget) -> Iterator[Labelled]:
    """All of `labelled_graphs`."""
    return _labelled(budget)


@check(never_overestimates, kind=Kind.ENUMERATED, domain=LABELLED)
def every_overestimate(budget: Budget) -> Iterator[Labelled]:
    """All of `labelled_graphs`."""
    return _labelled(budget)


@check(solution_is_certified, kind=Kind.CERTIFIED, domain=LABELLED)
def every_certificate(budget: Budget) -> Iterator[Labelled]:
    """All of `labelled_graphs`."""
    return _labelled(budget)


@check(harmonic_iff_balanced, kind=Kind.ENUMERATED, domain=ROOTED)
def every_balance(budget: Budget) -> Iterator[Rooted]:
    """All of `rooted_graphs`."""
    return rooted_graphs(7 if budget.deep else 6)


@check(
    misranking_needs_seven_vertices,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "connected graphs of up to 6 vertices, and of 7 with up to 8 edges; every goal,"
        " every set of exact labels",
        "deep": "connected graphs of up to 7 vertices, every goal, every set of exact labels",
    },
)
def every_misranking(budget: Budget) -> Iterator[Rooted]:
    """The sparse ones among the largest hold the smallest example."""
    for rooted in rooted_graphs(7):
        if budget.deep or len(rooted.neighbours) < 7 or len(rooted.edges) <= 8:
            yield rooted


@check(
    failure_needs_eight_vertices,
    kind=Kind.ENUMERATED,
    domain={
        profile: f"{text}, every set of exact labels; and the bundle of five ways"
        for profile, text in ROOTED.items()
    },
)
def every_failure(budget: Budget) -> Iterator[Rooted]:
    """All of `rooted_graphs`, and one on which rollouts do fail."""
    yield from rooted_graphs(7 if budget.deep else 6)
    yield bundle(5)


@check(fails_from_five_parallel_ways_on, kind=Kind.ENUMERATED, domain="1 to 24 parallel ways")
def every_bundle(_: Budget) -> Iterator[int]:
    """Across the threshold."""
    return iter(range(1, 25))


@check(margin_survives_refinement, kind=Kind.ENUMERATED, domain="edges cut into 1 to 7")
def every_refinement(_: Budget) -> Iterator[Refined]:
    """From the graph itself on."""
    return (Refined(pieces) for pieces in range(1, 8))
