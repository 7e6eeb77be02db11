"""Property tests of the claims about the harmonic extension."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rolltheory.action_gap.claims._small_graphs import Rooted, bundle
from rolltheory.action_gap.claims.harmonic import (
    MISRANKING,
    TWO_LABELS,
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
from rolltheory.action_gap.claims.labelled import Edges, Labelled
from rolltheory.claims import Budget, Kind, check
from validation.action_gap.labelled import networks

__all__ = [
    "any_balance",
    "any_bound",
    "any_bundle",
    "any_certificate",
    "any_failure",
    "any_law",
    "any_misranking",
    "any_overestimate",
    "any_refinement",
    "labelled_graphs",
    "rooted_graphs",
]

LABELLED = "connected graphs of 2 to 9 vertices, one to four labels in eighths, not everywhere"


def _size_of(edges: Edges) -> int:
    return 1 + max(max(edge) for edge in edges)


def rooted_graphs(most: int = 9) -> Any:
    """A strategy for connected graphs with a goal."""
    from hypothesis import strategies as st

    def with_goal(edges: Edges) -> Any:
        return st.builds(Rooted, st.just(edges), st.integers(0, _size_of(edges) - 1))

    return networks(most).flatmap(with_goal)


def labelled_graphs(*, exact: bool = False) -> Any:
    """A strategy for graphs with up to four labels, not everywhere; exact: distances to one."""
    from hypothesis import strategies as st

    eighths = st.integers(-40, 40).map(lambda n: Fraction(n, 8))

    @st.composite
    def graph(draw: Any) -> Labelled:
        rooted = draw(rooted_graphs())
        others = st.integers(0, _size_of(rooted.edges) - 1)
        places = {rooted.goal, *draw(st.sets(others, max_size=3))}
        labelled = rooted.labelled(places)
        return labelled if exact else labelled.relabelled(lambda _: draw(eighths))

    return graph().filter(lambda labelled: labelled.inner)


@check(weighs_labels_by_first_hits, kind=Kind.PROPERTY_TESTED, domain=LABELLED)
def any_law(_: Budget) -> Any:
    """Labels that are no distances."""
    return labelled_graphs()


@check(labels_bound_the_extension, kind=Kind.PROPERTY_TESTED, domain=LABELLED)
def any_bound(_: Budget) -> Any:
    """Labels that are no distances."""
    return labelled_graphs()


@check(solution_is_certified, kind=Kind.PROPERTY_TESTED, domain=LABELLED)
def any_certificate(_: Budget) -> Any:
    """Labels that are no distances."""
    return labelled_graphs()


@check(
    never_overestimates,
    kind=Kind.PROPERTY_TESTED,
    domain="connected graphs of 2 to 9 vertices, exact labels at the goal and up to three more",
)
def any_overestimate(_: Budget) -> Any:
    """Larger graphs than can be enumerated."""
    return labelled_graphs(exact=True)


@check(
    harmonic_iff_balanced,
    kind=Kind.PROPERTY_TESTED,
    domain="connected graphs of 2 to 12 vertices, any goal",
)
def any_balance(_: Budget) -> Any:
    """Larger graphs than can be enumerated."""
    return rooted_graphs(12)


@check(
    misranking_needs_seven_vertices,
    kind=Kind.PROPERTY_TESTED,
    domain="connected graphs of 2 to 6 vertices with any goal, and the two smallest examples with"
    " or without one more leaf; every set of exact labels",
)
def any_misranking(_: Budget) -> Any:
    """Graphs too small, and graphs around the smallest examples."""
    from hypothesis import strategies as st

    def with_leaf(rooted: Rooted, at: int) -> Rooted:
        return Rooted((*rooted.edges, (at, 7)), rooted.goal)

    examples = st.sampled_from((MISRANKING, TWO_LABELS))
    larger = st.builds(with_leaf, examples, st.integers(0, 6))
    return st.one_of(examples, larger, rooted_graphs(6))


@check(
    failure_needs_eight_vertices,
    kind=Kind.PROPERTY_TESTED,
    domain="connected graphs of 2 to 7 vertices with any goal, and bundles of 4 to 6 ways; every"
    " set of exact labels",
)
def any_failure(_: Budget) -> Any:
    """Graphs too small, and graphs around the failing bundle."""
    from hypothesis import strategies as st

    return st.one_of(st.integers(4, 6).map(bundle), rooted_graphs(7))


@check(fails_from_five_parallel_ways_on, kind=Kind.PROPERTY_TESTED, domain="1 to 60 parallel ways")
def any_bundle(_: Budget) -> Any:
    """Large bundles."""
    from hypothesis import strategies as st

    return st.integers(1, 60)


@check(margin_survives_refinement, kind=Kind.PROPERTY_TESTED, domain="edges cut into 1 to 30")
def any_refinement(_: Budget) -> Any:
    """Fine subdivisions."""
    from hypothesis import strategies as st

    return st.builds(Refined, st.integers(1, 30))
