"""Small graphs with values, lengths and labels, in the order of their size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product

from rolltheory.action_gap.claims.planned import (
    Edges,
    Number,
    Planned,
    joined,
)
from rolltheory.action_gap.exact import amle_exact
from rolltheory.action_gap.harmonic import harmonic_extension_exact

__all__ = [
    "connected_graphs",
    "exactly_labelled",
    "extended",
    "near_the_distance",
    "valued",
    "with_lengths",
]


def connected_graphs(most: int) -> Iterator[tuple[int, Edges]]:
    """Every connected graph on vertices 0, 1, ... with at least two and at most so many."""
    for count in range(2, most + 1):
        pairs = list(combinations(range(count), 2))
        for size in range(count - 1, len(pairs) + 1):
            for edges in combinations(pairs, size):
                if joined(edges, count):
                    yield count, edges


def with_lengths(most: int, lengths: tuple[int, ...]) -> Iterator[Planned]:
    """Every connected graph with every choice of lengths, values zero; unit cost if it is (1,)."""
    for count, edges in connected_graphs(most):
        for sizes in product(lengths, repeat=len(edges)):
            yield Planned(edges, (0,) * count, lengths=() if lengths == (1,) else sizes)


def near_the_distance(
    most: int, errors: tuple[Number, ...], lengths: tuple[int, ...] = (1,)
) -> Iterator[Planned]:
    """Every such graph with every choice of errors added to the distances to vertex 0."""
    for case in with_lengths(most, lengths):
        distance = case.distance()
        for error in product(errors, repeat=len(distance)):
            values = tuple(d + e for d, e in zip(distance, error, strict=True))
            yield Planned(case.edges, values, lengths=case.lengths)


def extended(count: int, edges: Edges, levels: tuple[int, ...]) -> Iterator[Planned]:
    """Harmonic and infinity-harmonic extensions of every label set that holds the goal, vertex 0.

    The goal is labelled 0, every other label has each of the levels.
    """
    for size in range(count):
        for others in combinations(range(1, count), size):
            for given in product(levels, repeat=size):
                labels = {0: Fraction(0), **dict(zip(others, map(Fraction, given), strict=True))}
                for extend in (harmonic_extension_exact, amle_exact):
                    yield Planned(edges, (0,) * count).extended(extend, labels)


def valued(graphs: Iterable[Planned], levels: Sequence[int]) -> Iterator[Planned]:
    """Every graph with every choice of values among the levels."""
    for case in graphs:
        for values in product(levels, repeat=len(case.values)):
            yield Planned(case.edges, values, 0, case.lengths)


def exactly_labelled(graphs: Iterable[Planned]) -> Iterator[Planned]:
    """Every label set with the goal, vertex 0; values are the distances."""
    for case in graphs:
        others = range(1, len(case.values))
        for size in range(len(case.values)):
            for labels in combinations(others, size):
                yield replace(case, labels=(0, *labels), values=case.distance())
