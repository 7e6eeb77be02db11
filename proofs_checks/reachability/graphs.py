"""Exact checks of the claims about state graphs: every graph of a stated finite set."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from rolltheory.claims import Budget, Kind, check
from rolltheory.reachability.claims.graphs import (
    Chain,
    Loop,
    Values,
    change_bounds_the_error,
    every_solution_is_the_probability,
    least_solution_is_the_probability,
    positive_iff_reachable,
    success_probability_is_certified,
    surely_iff_no_way_to_a_dead_end,
)

__all__ = [
    "every_certified_graph",
    "every_graph_searched",
    "every_graph_searched_surely",
    "every_graph_solved",
    "every_loop",
    "every_other_solution",
    "small_graphs",
]

DOMAIN = {
    "gate": "every graph on up to 3 states with weights in thirds and on 4 states with weights in"
    " halves; the last state is a success, with a way on or without",
    "deep": "every graph on up to 4 states with weights in quarters; the last state is a success,"
    " with a way on or without",
}


def small_graphs(budget: Budget) -> Iterator[Chain]:
    """Every graph of the stated set, from few states to many."""
    parts = {1: 4, 2: 4, 3: 4, 4: 4} if budget.deep else {1: 3, 2: 3, 3: 3, 4: 2}
    for states, denominator in parts.items():
        rows = list(_rows(states, denominator))
        ends = [(Fraction(0),) * states, (Fraction(1),) + (Fraction(0),) * (states - 1)]
        for others in product(rows, repeat=states - 1):
            yield from (Chain((*others, end), (states - 1,)) for end in ends)


def _rows(states: int, denominator: int) -> Iterator[Values]:
    """Every way to share ``denominator`` equal parts out to the states."""
    for parts in product(range(denominator + 1), repeat=states):
        if sum(parts) == denominator:
            yield tuple(Fraction(part, denominator) for part in parts)


@check(positive_iff_reachable, kind=Kind.ENUMERATED, domain=DOMAIN)
def every_graph_searched(budget: Budget) -> Iterator[Chain]:
    """All of `small_graphs`."""
    return small_graphs(budget)


@check(surely_iff_no_way_to_a_dead_end, kind=Kind.ENUMERATED, domain=DOMAIN)
def every_graph_searched_surely(budget: Budget) -> Iterator[Chain]:
    """All of `small_graphs`."""
    return small_graphs(budget)


@check(least_solution_is_the_probability, kind=Kind.ENUMERATED, domain=DOMAIN)
def every_graph_solved(budget: Budget) -> Iterator[Chain]:
    """All of `small_graphs`."""
    return small_graphs(budget)


@check(every_solution_is_the_probability, kind=Kind.ENUMERATED, domain=DOMAIN)
def every_other_solution(budget: Budget) -> Iterator[Chain]:
    """All of `small_graphs`."""
    return small_graphs(budget)


@check(success_probability_is_certified, kind=Kind.CERTIFIED, domain=DOMAIN)
def every_certified_graph(budget: Budget) -> Iterator[Chain]:
    """All of `small_graphs`."""
    return small_graphs(budget)


@check(
    change_bounds_the_error,
    kind=Kind.ENUMERATED,
    domain="stay in twentieths, success half of the rest, tolerances 1/10 and 1/100",
)
def every_loop(_: Budget) -> Iterator[Loop]:
    """From loops that are left soon to loops that are left late."""
    for parts in range(20):
        stay = Fraction(parts, 20)
        yield from (Loop(stay, (1 - stay) / 2, Fraction(1, d)) for d in (10, 100))
