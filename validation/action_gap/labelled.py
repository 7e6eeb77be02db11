"""Hypothesis strategies for graphs with labels and goals."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rolltheory.action_gap.claims.labelled import Edges, Goal, Labelled

__all__ = ["goals", "labellings", "networks"]


def networks(most: int = 8) -> Any:
    """A strategy for connected graphs: a random tree and some more edges."""
    from hypothesis import strategies as st

    @st.composite
    def network(draw: Any) -> Edges:
        count = draw(st.integers(2, most))
        tree = [(draw(st.integers(0, x - 1)), x) for x in range(1, count)]
        vertex = st.integers(0, count - 1)
        more = draw(st.lists(st.tuples(vertex, vertex), max_size=count))
        return tuple(sorted({*tree, *((min(e), max(e)) for e in more if e[0] != e[1])}))

    return network()


def _count(edges: Edges) -> int:
    return 1 + max(max(edge) for edge in edges)


def labellings(most: int = 8) -> Any:
    """A strategy for graphs, some with lengths, with rational labels."""
    from hypothesis import strategies as st

    label = st.integers(-12, 12).map(lambda part: Fraction(part, 4))
    length = st.sampled_from([Fraction(1), Fraction(2), Fraction(1, 3), Fraction(5)])

    @st.composite
    def labelling(draw: Any) -> Labelled:
        edges = draw(networks(most))
        places = draw(st.sets(st.integers(0, _count(edges) - 1), min_size=1))
        lengths: tuple[Fraction, ...] = ()
        if draw(st.booleans()):
            lengths = tuple(draw(length) for _ in edges)
        return Labelled(edges, tuple((b, draw(label)) for b in sorted(places)), lengths)

    return labelling()


def goals(most: int = 8, *, noise: int = 0, lengths: bool = False) -> Any:
    """A strategy for goals with exact labels, or with errors of up to so many hundredths."""
    from hypothesis import strategies as st

    @st.composite
    def goal(draw: Any) -> Goal:
        edges = draw(networks(most))
        vertex = st.integers(0, _count(edges) - 1)
        end = draw(vertex)
        labelled = tuple(sorted({end, *draw(st.sets(vertex, max_size=4))}))
        sizes = tuple(draw(st.sampled_from([1, 2, 4])) for _ in edges) if lengths else ()
        part = st.integers(-noise, noise)
        errors = tuple(Fraction(draw(part), 100) for _ in labelled) if noise else ()
        return Goal(edges, end, labelled, sizes, errors)

    return goal()
