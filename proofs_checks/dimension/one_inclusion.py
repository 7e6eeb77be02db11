"""Exact checks of the claims about one-inclusion learners: all targets and multisets of prompts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement, islice, product

from proofs_checks.dimension.grids import classes_on
from rolltheory.claims import Budget, Kind, check
from rolltheory.dimension.claims._small_classes import CUBE_3, HEXAGON, SQUARE_3, Rows
from rolltheory.dimension.claims.density import coded
from rolltheory.dimension.claims.one_inclusion import (
    FAMILIES,
    Asked,
    Risked,
    Traced,
    expected_error_is_below_the_density,
    family_traces,
    leave_one_out_is_below_the_density,
    shared_heads_need_no_rounding,
    traces_cost_what_their_rules_do,
)
from rolltheory.dimension.families import all_field_gap, star

__all__ = [
    "every_expected_error",
    "every_leave_one_out",
    "every_shared_leave_one_out",
    "every_trace",
]

ASKED = {
    "gate": "every 31st class on the grids 3 x 3 and 2 x 2 x 2, every multiset of up to 3 of"
    " its points, every target; the class with a gap over every field, its three points",
    "deep": "every class on the grids 3 x 3 and 2 x 2 x 2, every multiset of up to 4 of its points,"
    " every target; the class with a gap over every field, up to 4 of its points",
}


def asked_of(rows: Rows, size: int) -> Iterator[Asked]:
    """Every multiset of points of this size, and every target."""
    for prompts in combinations_with_replacement(range(len(rows[0])), size):
        yield from (Asked(rows, prompts, target) for target in rows)


def asked(budget: Budget) -> Iterator[Asked]:
    """The cases of ``ASKED``."""
    step, largest = (1, 4) if budget.deep else (31, 3)
    for grid in ((3, 3), (2, 2, 2)):
        for rows in islice(classes_on(*grid), 0, None, step):
            for size in range(1, largest + 1):
                yield from asked_of(rows, size)
    for size in range(1, 5) if budget.deep else (3,):
        yield from asked_of(coded(all_field_gap()), size)


@check(leave_one_out_is_below_the_density, kind=Kind.ENUMERATED, domain=ASKED)
def every_leave_one_out(budget: Budget) -> Iterator[Asked]:
    """All of `asked`."""
    return asked(budget)


@check(shared_heads_need_no_rounding, kind=Kind.ENUMERATED, domain=ASKED)
def every_shared_leave_one_out(budget: Budget) -> Iterator[Asked]:
    """All of `asked`."""
    return asked(budget)


@check(
    expected_error_is_below_the_density,
    kind=Kind.ENUMERATED,
    domain="a pair, star, hexagon, cube and square of three labels; every target, up to 3 samples,"
    " weights equal or 1, 2, 3; whole and shared heads",
)
def every_expected_error(_: Budget) -> Iterator[Risked]:
    """All samples."""
    for rows in (((0,), (1,)), coded(star(3)), HEXAGON, CUBE_3, SQUARE_3):
        weights = ((), tuple(range(1, len(rows[0]) + 1)))
        for target, m, each, shared in product(rows, range(4), weights, (False, True)):
            yield Risked(rows, target, m, each, shared)


@check(
    traces_cost_what_their_rules_do,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "the gap on four tokens, Markov tables and thresholds of two tokens, traces of 1 to"
        " 3 tokens; every multiset of 1 to 3 of four prompts, every target",
        "deep": "the same, traces of 1 to 8 tokens, multisets of up to 5 prompts",
    },
)
def every_trace(budget: Budget) -> Iterator[Traced]:
    """Lengths before and behind the jump of the DS dimension."""
    lengths, largest = (range(1, 9), 5) if budget.deep else (range(1, 4), 3)
    for family, steps, size in product(FAMILIES, lengths, range(1, largest + 1)):
        rows = family_traces(family, steps)
        for prompts in combinations_with_replacement(range(len(rows[0])), size):
            yield from (Traced(family, steps, prompts, i) for i in range(len(rows)))
