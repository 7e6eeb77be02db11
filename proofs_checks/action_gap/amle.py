"""Exact checks of the claims about the infinity-harmonic extension itself."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from proofs_checks.action_gap.graphs import connected_graphs, label_sets, labellings, size_of
from rolltheory.action_gap.claims.amle import (
    Change,
    Guess,
    Pair,
    Split,
    comparison_principle,
    is_equivariant,
    is_invariant_under_subdivision,
    is_monotone,
    is_stable,
    lex_minimiser_is_infinity_harmonic,
)
from rolltheory.action_gap.claims.labelled import Labelled, labels_at
from rolltheory.claims import Budget, Kind, check

__all__ = [
    "every_change",
    "every_guess",
    "every_labelling",
    "every_pair",
    "every_raised_pair",
    "every_split",
]

SMALL = {
    "gate": "every connected graph on up to 4 vertices, unit cost and lengths in {1, 2, 1/3}, every"
    " label set, labels in {0, 1, 2}; on 5 vertices labels in {0, 1}",
    "deep": "every connected graph on up to 5 vertices, unit cost and lengths in {1, 2, 1/3}, every"
    " label set, labels in {0, 1, 2}; on 6 vertices labels in {0, 1}",
}
PAIRS = (
    "every connected graph on up to 4 vertices, every label set, labels in {0, 1, 2}; from at most"
    " 20 of its labellings to each"
)


def small_labellings(budget: Budget) -> Iterator[Labelled]:
    """All of the stated set, from few vertices to many."""
    most = 5 if budget.deep else 4
    for with_lengths in (False, True):
        yield from labellings(most, 3, with_lengths=with_lengths)
        yield from labellings(most + 1, 2, with_lengths=with_lengths)


@check(lex_minimiser_is_infinity_harmonic, kind=Kind.ENUMERATED, domain=SMALL)
def every_labelling(budget: Budget) -> Iterator[Labelled]:
    """All of `small_labellings`."""
    return small_labellings(budget)


@check(
    comparison_principle,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "every connected graph on up to 4 vertices, values in {0, 1, 2, 3}, every label"
        " set",
        "deep": "the same, and on 5 vertices values in {0, 1, 2}",
    },
)
def every_guess(budget: Budget) -> Iterator[Guess]:
    """Values at all vertices, of which those at a label set count as labels."""
    for most, values in ((4, 4), (5, 3)) if budget.deep else ((4, 4),):
        for edges in connected_graphs(most):
            for chosen in product(map(Fraction, range(values)), repeat=size_of(edges)):
                for labelled in label_sets(size_of(edges)):
                    labels = labels_at(dict(enumerate(chosen)), labelled)
                    yield Guess(Labelled(edges, labels), chosen)


def pairs() -> Iterator[Pair]:
    """Two labellings of one label set."""
    choices = tuple(map(Fraction, range(3)))
    for edges in connected_graphs(4):
        for labelled in label_sets(size_of(edges)):
            labellings_here = [
                Labelled(edges, tuple(zip(labelled, chosen, strict=True)))
                for chosen in product(choices, repeat=len(labelled))
            ]
            for first in labellings_here[:: 1 + len(labellings_here) // 20]:
                yield from (Pair(first, second) for second in labellings_here)


@check(is_stable, kind=Kind.ENUMERATED, domain=PAIRS)
def every_pair(_: Budget) -> Iterator[Pair]:
    """All of `pairs`."""
    return pairs()


@check(is_monotone, kind=Kind.ENUMERATED, domain=PAIRS)
def every_raised_pair(_: Budget) -> Iterator[Pair]:
    """All of `pairs`; those that raise no label do not count."""
    return pairs()


@check(
    is_equivariant,
    kind=Kind.ENUMERATED,
    domain="every connected graph on up to 4 vertices, unit cost and lengths in {1, 2, 1/3}, every"
    " label set, labels in {0, 1, 2}, factors -1, 0 and 5/2, shift -2/3",
)
def every_change(_: Budget) -> Iterator[Change]:
    """Small labellings in other units."""
    for with_lengths in (False, True):
        for problem in labellings(4, 3, with_lengths=with_lengths):
            for factor in (Fraction(-1), Fraction(0), Fraction(5, 2)):
                yield Change(problem, factor, Fraction(-2, 3))


@check(
    is_invariant_under_subdivision,
    kind=Kind.ENUMERATED,
    domain="every connected graph on up to 4 vertices, every label set, labels in {0, 1, 2}, edges"
    " cut into 2 and 3",
)
def every_split(_: Budget) -> Iterator[Split]:
    """Small labellings, refined."""
    return (Split(problem, parts) for problem in labellings(4, 3) for parts in (2, 3))
