"""Hypothesis strategies that the property tests of this theory share."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from rolltheory.action_gap.claims.planned import Planned

__all__ = ["any_values", "connected", "exactly_labelled", "near_the_distance"]


def connected(
    *, least: int = 2, most: int = 8, longest: int = 1, detours: tuple[int, ...] = ()
) -> Any:
    """A tree, each vertex hung on an earlier one, plus further edges; lengths 1 to the longest.

    With ``detours`` the further edges have one of those lengths instead.
    """
    from hypothesis import strategies as st

    @st.composite
    def graph(draw: Any) -> Planned:
        count = draw(st.integers(least, most))
        tree = {(draw(st.integers(0, x - 1)), x) for x in range(1, count)}
        vertex = st.integers(0, count - 1)
        pairs = draw(st.lists(st.tuples(vertex, vertex), max_size=count))
        edges = tuple(sorted(tree | {(min(p), max(p)) for p in pairs if p[0] != p[1]}))
        length = st.integers(1, longest)
        lengths = draw(st.tuples(*[length] * len(edges))) if longest > 1 else ()
        if detours:
            far = st.sampled_from(detours)
            lengths = tuple(
                drawn if edge in tree else draw(far)
                for edge, drawn in zip(edges, lengths or (1,) * len(edges), strict=True)
            )
        return Planned(edges, (0,) * count, draw(vertex), lengths)

    return graph()


def near_the_distance(
    *,
    least: int = 2,
    most: int = 8,
    longest: int = 1,
    detours: tuple[int, ...] = (),
    sizes: tuple[Fraction, ...],
    signs: tuple[int, ...] = (-1, 0, 1),
) -> Any:
    """Such a graph with values that are off by one of the sizes times any of the signs."""
    from hypothesis import strategies as st

    def valued(case: Planned) -> Any:
        return st.sampled_from(sizes).flatmap(lambda size: off_by(case, size))

    def off_by(case: Planned, size: Fraction) -> Any:
        error = st.sampled_from([sign * size for sign in signs])

        def add(errors: tuple[Fraction, ...]) -> Planned:
            values = tuple(d + e for d, e in zip(case.distance(), errors, strict=True))
            return Planned(case.edges, values, case.goal, case.lengths)

        return st.tuples(*[error] * len(case.values)).map(add)

    return connected(least=least, most=most, longest=longest, detours=detours).flatmap(valued)


def any_values(*, most: int = 6, longest: int = 1, highest: int = 6) -> Any:
    """Such a graph with integer values from zero to the highest, the goal's zero."""
    from hypothesis import strategies as st

    def valued(case: Planned) -> Any:
        level = st.integers(0, highest)
        return st.tuples(*[level] * len(case.values)).map(
            lambda values: replace(
                case, values=tuple(0 if x == case.goal else u for x, u in enumerate(values))
            )
        )

    return connected(most=most, longest=longest).flatmap(valued)


def exactly_labelled(*, most: int = 8, longest: int = 1) -> Any:
    """A graph with a random set of exact labels, the goal's among them; values are distances."""
    from hypothesis import strategies as st

    def labelled(case: Planned) -> Any:
        others = st.sets(st.sampled_from(case.vertices))
        return others.map(
            lambda some: replace(
                case, labels=tuple(sorted(some | {case.goal})), values=case.distance()
            )
        )

    return connected(most=most, longest=longest).flatmap(labelled)
