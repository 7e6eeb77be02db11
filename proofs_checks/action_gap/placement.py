"""Exact checks of the claims about labels: every small graph and label set."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from proofs_checks.action_gap.planned_graphs import exactly_labelled, with_lengths
from rolltheory.action_gap.claims.placement import (
    Noisy,
    exact_labels_never_trap,
    geodesic_ends_recover_the_distance,
    leaf_behind_a_wrong_label,
    noise_below_the_tolerance_makes_no_sink,
    plateaus_are_left_by_chance,
)
from rolltheory.action_gap.claims.planned import Planned
from rolltheory.claims import Budget, Kind, check

__all__ = [
    "every_exactly_labelled_graph",
    "every_leaf",
    "every_noise",
    "every_plateau",
    "every_recovery",
]

EXACT = {
    "gate": "connected graphs on up to 4 vertices, every set of exact labels with the goal",
    "deep": "connected graphs on up to 5 vertices, every set of exact labels with the goal",
}


def labelled(budget: Budget) -> Iterator[Planned]:
    """Graphs of unit cost."""
    return exactly_labelled(with_lengths(4 + budget.deep, (1,)))


@check(plateaus_are_left_by_chance, kind=Kind.ENUMERATED, domain=EXACT)
def every_plateau(budget: Budget) -> Iterator[Planned]:
    """All of `labelled`."""
    return labelled(budget)


@check(exact_labels_never_trap, kind=Kind.ENUMERATED, domain=EXACT)
def every_exactly_labelled_graph(budget: Budget) -> Iterator[Planned]:
    """All of `labelled`."""
    return labelled(budget)


@check(
    leaf_behind_a_wrong_label,
    kind=Kind.ENUMERATED,
    domain="errors in hundredths up to 1, with lengths 1, 2 and 3 in the place of 1",
)
def every_leaf(_: Budget) -> Iterator[Noisy]:
    """The goal too high, its neighbour too low."""
    for length in (1, 2, 3):
        lengths = () if length == 1 else (length, length)
        path = Planned(((0, 1), (1, 2)), (0, length, 2 * length), 0, lengths, (0, 1))
        for part in range(1, 101):
            error = Fraction(part * length, 100)
            yield Noisy(path, (error, -error))


@check(
    noise_below_the_tolerance_makes_no_sink,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "connected graphs on up to 4 vertices, every set of exact labels with the goal,"
        " errors of 2/5 and 3/5 with every choice of signs",
        "deep": "the same, and on up to 3 vertices with lengths 1 and 2 and errors up to 6/5",
    },
)
def every_noise(budget: Budget) -> Iterator[Noisy]:
    """Adversarial signs."""
    yield from _signed(exactly_labelled(with_lengths(4, (1,))), ("2/5", "3/5"))
    if budget.deep:
        sizes = ("2/5", "3/5", "4/5", "6/5")
        yield from _signed(exactly_labelled(with_lengths(3, (1, 2))), sizes)


def _signed(graphs: Iterator[Planned], sizes: tuple[str, ...]) -> Iterator[Noisy]:
    for case in graphs:
        if len(case.labels) > 1:
            for size in map(Fraction, sizes):
                for signs in product((-1, 1), repeat=len(case.labels)):
                    yield Noisy(case, tuple(size * sign for sign in signs))


@check(
    geodesic_ends_recover_the_distance,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "connected graphs on up to 4 vertices at unit cost and on up to 3 with lengths 1, 2"
        " and 3, every set of exact labels with the goal",
        "deep": "the same on up to 5 vertices at unit cost and on up to 4 with lengths 1 and 2",
    },
)
def every_recovery(budget: Budget) -> Iterator[Planned]:
    """With lengths too."""
    yield from labelled(budget)
    yield from exactly_labelled(with_lengths(3, (1, 2, 3)))
    if budget.deep:
        yield from exactly_labelled(with_lengths(4, (1, 2)))
