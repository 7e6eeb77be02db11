"""Exact checks of the claims about greedy planners: every small graph with values of few levels."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from proofs_checks.action_gap.planned_graphs import valued, with_lengths
from rolltheory.action_gap.claims.planned import Planned
from rolltheory.action_gap.claims.planner import (
    Perturbed,
    all_and_some_are_over_every_rule,
    memory_serves_like_chance,
    random_ties_make_a_chain,
    step_cap_that_loses_nothing,
    tolerance_keeps_every_tie,
)
from rolltheory.claims import Budget, Kind, check

__all__ = [
    "every_capped_rollout",
    "every_chain_of_ties",
    "every_memory",
    "every_perturbation",
    "every_tie",
]

LEVELS = {
    "gate": "connected graphs on up to 4 vertices, values 0, 1, 2, unit cost",
    "deep": "connected graphs on up to 4 vertices, values 0, 1, 2, lengths 1 and 2, and on 5 with"
    " values 0 and 1",
}


def levels(budget: Budget) -> Iterator[Planned]:
    """Values of few levels, so that ties abound."""
    yield from valued(with_lengths(4, (1, 2) if budget.deep else (1,)), range(3))
    if budget.deep:
        yield from valued((g for g in with_lengths(5, (1,)) if len(g.values) == 5), range(2))


@check(all_and_some_are_over_every_rule, kind=Kind.ENUMERATED, domain=LEVELS)
def every_tie(budget: Budget) -> Iterator[Planned]:
    """All of `levels`."""
    return levels(budget)


@check(random_ties_make_a_chain, kind=Kind.ENUMERATED, domain=LEVELS)
def every_chain_of_ties(budget: Budget) -> Iterator[Planned]:
    """All of `levels`."""
    return levels(budget)


@check(memory_serves_like_chance, kind=Kind.ENUMERATED, domain=LEVELS)
def every_memory(budget: Budget) -> Iterator[Planned]:
    """All of `levels`."""
    return levels(budget)


@check(
    step_cap_that_loses_nothing,
    kind=Kind.ENUMERATED,
    domain="rings and paths on 3 to 9 vertices whose values fall by one along the numbering, and"
    " connected graphs on up to 4 vertices with values 0 and 1",
)
def every_capped_rollout(_: Budget) -> Iterator[Planned]:
    """The long way round a ring is n - 1 moves."""
    for count in range(3, 10):
        path = tuple((x, x + 1) for x in range(count - 1))
        yield Planned(path, tuple(range(count)))
        yield Planned((*path, (0, count - 1)), (0, *range(count - 1, 0, -1)))
    yield from valued(with_lengths(4, (1,)), range(2))


@check(
    tolerance_keeps_every_tie,
    kind=Kind.ENUMERATED,
    domain="connected graphs on up to 3 vertices and stars of 4, values 0 and 1, errors -1/4, 0"
    " and 1/4",
)
def every_perturbation(_: Budget) -> Iterator[Perturbed]:
    """Errors that are powers of two, so that floats hold them."""
    star = Planned(((0, 1), (0, 2), (0, 3)), (0,) * 4)
    for case in valued((*with_lengths(3, (1,)), star), range(2)):
        for signs in product((-1, 0, 1), repeat=len(case.values)):
            yield Perturbed(case, tuple(Fraction(sign, 4) for sign in signs))
