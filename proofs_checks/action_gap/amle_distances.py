"""Exact checks of the claims about the infinity-harmonic extension of exact distances."""

from __future__ import annotations

from collections.abc import Iterator

from proofs_checks.action_gap.graphs import connected_graphs, goals, labellings, size_of
from rolltheory.action_gap.claims.amle_distances import (
    cycle,
    detour_bounds_the_deficit,
    exact_where_no_detour,
    fill_distance_bounds_the_deficit,
    never_above_the_distance,
    next_to_a_label_of_a_cycle,
    no_interior_sink,
    recovered_from_dead_ends,
    residual_of_the_distance,
)
from rolltheory.action_gap.claims.labelled import Goal, Labelled
from rolltheory.claims import Budget, Kind, check

__all__ = [
    "every_cycle",
    "every_detour",
    "every_distance",
    "every_exact_labelling",
    "every_fill_distance",
    "every_recovery",
    "every_sink",
    "every_value",
]

GOALS = {
    "gate": "every connected graph on up to 5 vertices, every goal, every label set that holds it",
    "deep": "every connected graph on up to 7 vertices, every goal, every label set that holds it",
}
ONE_SET = {
    "gate": "every connected graph on up to 6 vertices, every goal",
    "deep": "every connected graph on up to 7 vertices, every goal",
}


def small_goals(budget: Budget) -> Iterator[Goal]:
    """All of the stated set."""
    return goals(7 if budget.deep else 5)


def goals_alone(budget: Budget) -> Iterator[Goal]:
    """Graphs and goals, the goal labelled."""
    for edges in connected_graphs(7 if budget.deep else 6):
        yield from (Goal(edges, goal, (goal,)) for goal in range(size_of(edges)))


@check(residual_of_the_distance, kind=Kind.ENUMERATED, domain=ONE_SET)
def every_distance(budget: Budget) -> Iterator[Goal]:
    """All of `goals_alone`."""
    return goals_alone(budget)


@check(recovered_from_dead_ends, kind=Kind.ENUMERATED, domain=ONE_SET)
def every_recovery(budget: Budget) -> Iterator[Goal]:
    """All of `goals_alone`."""
    return goals_alone(budget)


@check(exact_where_no_detour, kind=Kind.ENUMERATED, domain=GOALS)
def every_exact_labelling(budget: Budget) -> Iterator[Goal]:
    """All of `small_goals`."""
    return small_goals(budget)


@check(never_above_the_distance, kind=Kind.ENUMERATED, domain=GOALS)
def every_value(budget: Budget) -> Iterator[Goal]:
    """All of `small_goals`."""
    return small_goals(budget)


CYCLES = ", and the cycles of 2 p + 2 vertices with two labels for p up to 32"


@check(
    detour_bounds_the_deficit,
    kind=Kind.ENUMERATED,
    domain={profile: text + CYCLES for profile, text in GOALS.items()},
)
def every_detour(budget: Budget) -> Iterator[Goal]:
    """All of `small_goals`, and cycles that nearly attain the bound."""
    yield from small_goals(budget)
    yield from map(cycle, range(1, 33))


@check(
    fill_distance_bounds_the_deficit,
    kind=Kind.ENUMERATED,
    domain={profile: text + CYCLES for profile, text in GOALS.items()},
)
def every_fill_distance(budget: Budget) -> Iterator[Goal]:
    """All of `small_goals`, and cycles that nearly attain the bound."""
    yield from small_goals(budget)
    yield from map(cycle, range(1, 33))


@check(next_to_a_label_of_a_cycle, kind=Kind.ENUMERATED, domain="p up to 40")
def every_cycle(_: Budget) -> Iterator[int]:
    """From the cycle of four on."""
    return iter(range(1, 41))


@check(
    no_interior_sink,
    kind=Kind.ENUMERATED,
    domain="every connected graph on up to 4 vertices, unit cost and lengths in {1, 2, 1/3}, every"
    " label set, labels in {0, 1, 2}; on 5 vertices labels in {0, 1}",
)
def every_sink(_: Budget) -> Iterator[Labelled]:
    """Labels of any kind, with lengths and without."""
    for with_lengths in (False, True):
        yield from labellings(4, 3, with_lengths=with_lengths)
        yield from labellings(5, 2, with_lengths=with_lengths)
