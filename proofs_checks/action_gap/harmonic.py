"""Exact checks of the claims about the harmonic extension: every small connected graph."""

from __future__ import annotations

from collections.abc import Iterator

from rolltheory.action_gap.claims._small_graphs import Labelled, Rooted, bundle
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


def rooted_graphs(largest: int) -> Iterator[Rooted]:
    """Every connected graph with 2 vertices up to so many, up to isomorphism, with every goal."""
    import networkx

    for graph in networkx.graph_atlas_g():
        if 2 <= len(graph) <= largest and networkx.is_connected(graph):
            yield from (Rooted(tuple(graph.edges), goal) for goal in graph)


def labelled_graphs(budget: Budget) -> Iterator[Labelled]:
    """Those graphs with exact labels at the goal and some, but not all, other vertices."""
    for rooted in rooted_graphs(6 if budget.deep else 5):
        count = len(rooted.neighbours)
        for mask in range(2**count - 1):
            if mask >> rooted.goal & 1:
                yield rooted.labelled(x for x in range(count) if mask >> x & 1)


@check(weighs_labels_by_first_hits, kind=Kind.ENUMERATED, domain=LABELLED)
def every_law(budget: Budget) -> Iterator[Labelled]:
    """All of `labelled_graphs`."""
    return labelled_graphs(budget)


@check(labels_bound_the_extension, kind=Kind.ENUMERATED, domain=LABELLED)
def every_bound(budget: Budget) -> Iterator[Labelled]:
    """All of `labelled_graphs`."""
    return labelled_graphs(budget)


@check(never_overestimates, kind=Kind.ENUMERATED, domain=LABELLED)
def every_overestimate(budget: Budget) -> Iterator[Labelled]:
    """All of `labelled_graphs`."""
    return labelled_graphs(budget)


@check(solution_is_certified, kind=Kind.CERTIFIED, domain=LABELLED)
def every_certificate(budget: Budget) -> Iterator[Labelled]:
    """All of `labelled_graphs`."""
    return labelled_graphs(budget)


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
