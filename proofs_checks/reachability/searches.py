"""Exact checks of the claims about float routes of state graphs and of batches."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement, product

from proofs_checks.reachability.graphs import DOMAIN, small_graphs
from rolltheory.claims import Budget, Kind, check
from rolltheory.reachability.claims.graphs import Chain
from rolltheory.reachability.claims.searches import (
    Batch,
    classes_are_those_of_the_value,
    float_solution_is_within_tolerance,
    weights_follow_the_counts,
)

__all__ = ["every_batch", "every_float_solution", "every_graph_classified"]

RULES = ("score", "low_variance", "pass_at_1")


@check(classes_are_those_of_the_value, kind=Kind.ENUMERATED, domain=DOMAIN)
def every_graph_classified(budget: Budget) -> Iterator[Chain]:
    """All of `small_graphs`."""
    return small_graphs(budget)


@check(float_solution_is_within_tolerance, kind=Kind.ENUMERATED, domain=DOMAIN)
def every_float_solution(budget: Budget) -> Iterator[Chain]:
    """All of `small_graphs`."""
    return small_graphs(budget)


@check(
    weights_follow_the_counts,
    kind=Kind.ENUMERATED,
    domain="two groups of up to 3 tries, every reward, every k and rational rule",
)
def every_batch(_: Budget) -> Iterator[Batch]:
    """Groups without a success, and without a failure, included."""
    for n in (1, 2, 3):
        groups = list(product((0, 1), repeat=n))
        for pair in combinations_with_replacement(groups, 2):
            yield from (Batch(pair, k, v) for k in range(1, n + 1) for v in RULES)
            yield Batch(pair, n, "best_minus_second")
