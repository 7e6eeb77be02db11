"""Every small connected graph, and every way to label some of its vertices."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, product

from rolltheory.action_gap.claims.labelled import Edges, Goal, Labelled

__all__ = ["connected_graphs", "goals", "label_sets", "labellings", "noisy_goals"]


@cache
def connected_graphs(most: int) -> tuple[Edges, ...]:
    """Connected graphs on 2 to ``most`` (at most 7) vertices, one of each isomorphism class."""
    import networkx

    atlas = networkx.graph_atlas_g()
    return tuple(
        tuple(sorted(graph.edges))
        for graph in atlas
        if 2 <= len(graph) <= most and networkx.is_connected(graph)
    )


def label_sets(count: int, least: int = 1) -> Iterator[tuple[int, ...]]:
    """Every set of at least so many of the vertices, from small to large."""
    for size in range(least, count + 1):
        yield from combinations(range(count), size)


def size_of(edges: Edges) -> int:
    """Number of vertices of a connected graph."""
    return 1 + max(max(edge) for edge in edges)


def goals(most: int) -> Iterator[Goal]:
    """Every graph of up to so many vertices, every goal, and every label set that holds it."""
    for edges in connected_graphs(most):
        for goal in range(size_of(edges)):
            for labelled in label_sets(size_of(edges)):
                if goal in labelled:
                    yield Goal(edges, goal, labelled)


def noisy_goals(most: int, error: Fraction) -> Iterator[Goal]:
    """All of `goals` with every sign of an error of that size at every label."""
    for case in goals(most):
        for signs in product((1, -1), repeat=len(case.labelled)):
            errors = tuple(sign * error for sign in signs)
            yield Goal(case.edges, case.goal, case.labelled, errors=errors)


def labellings(most: int, values: int, *, with_lengths: bool = False) -> Iterator[Labelled]:
    """Every graph and label set with every choice among 0, 1, ... as labels.

    With lengths, those of the edges run through 1, 2 and 1/3 in turn.
    """
    turn = (Fraction(1), Fraction(2), Fraction(1, 3))
    for edges in connected_graphs(most):
        lengths = tuple(turn[i % 3] for i in range(len(edges))) if with_lengths else ()
        for labelled in label_sets(size_of(edges)):
            for chosen in product(map(Fraction, range(values)), repeat=len(labelled)):
                yield Labelled(edges, tuple(zip(labelled, chosen, strict=True)), lengths)
