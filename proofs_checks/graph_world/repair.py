"""Exact checks of the claims about repair and criticality."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

from proofs_checks.graph_world.matrices import every_matrix, every_vector
from rolltheory.claims import Budget, Kind, check
from rolltheory.graph_world.claims.matrices import Matrix, matrix, vector
from rolltheory.graph_world.claims.repair import (
    Budgeted,
    Growth,
    Readout,
    Walks,
    destroyed_walks_diminish,
    greedy_keeps_its_share,
    radius_relief_diminishes,
    repair_never_hurts,
    row_sums_tell_where_errors_hurt,
    traces_bound_the_radius,
    walks_bound_the_radius,
    weights_are_derivatives,
)

__all__ = [
    "every_budget",
    "every_growth",
    "every_row_sum",
    "every_step_of_repair",
    "every_trace",
    "every_walk",
    "every_walk_radius",
    "every_weight",
]

TRIANGLES = matrix([int(i // 3 == j // 3 and i != j) for j in range(6)] for i in range(6))


def graphs(size: int) -> Iterator[Matrix]:
    """Every undirected graph without loops."""
    pairs = list(combinations(range(size), 2))
    for edges in product((0, 1), repeat=len(pairs)):
        joined = {pair for pair, edge in zip(pairs, edges, strict=True) if edge}
        yield matrix(
            [int((min(i, j), max(i, j)) in joined) for j in range(size)] for i in range(size)
        )


def growths(budget: Budget) -> Iterator[Growth]:
    """Every region of one node in a larger one of two, on four vertices; the two triangles."""
    for m in graphs(4):
        yield Growth(m, (0,), (0, 1), 2)
        yield Growth(m, (), (1,), 0)
    for m in every_matrix((0, 1), 3):
        yield Growth(m, (), (0,), 1)
    yield Growth(TRIANGLES, (), (0,), 3)
    if budget.deep:
        for m in graphs(5):
            yield Growth(m, (0,), (0, 1), 2)


DOMAIN = {
    "gate": "every graph on 4 vertices, every directed one on 3, two triangles",
    "deep": "the same, and every graph on 5 vertices",
}


@check(repair_never_hurts, kind=Kind.CERTIFIED, domain=DOMAIN)
def every_step_of_repair(budget: Budget) -> Iterator[Growth]:
    """Radii by characteristic polynomials."""
    return growths(budget)


@check(destroyed_walks_diminish, kind=Kind.ENUMERATED, domain=DOMAIN)
def every_walk(budget: Budget) -> Iterator[Growth]:
    """Walks of three steps."""
    return growths(budget)


@check(radius_relief_diminishes, kind=Kind.CERTIFIED, domain=DOMAIN)
def every_growth(budget: Budget) -> Iterator[Growth]:
    """The smallest counterexample has two components."""
    return growths(budget)


@check(
    greedy_keeps_its_share,
    kind=Kind.ENUMERATED,
    domain="every graph on 4 vertices, budgets 1 and 2, walks of 2 and 3 steps",
)
def every_budget(_: Budget) -> Iterator[Budgeted]:
    """Against the best region."""
    for m, budget, length in product(graphs(4), (1, 2), (2, 3)):
        yield Budgeted(m, budget, length)


@check(
    walks_bound_the_radius,
    kind=Kind.CERTIFIED,
    domain="every matrix with entries 0, 1, 2 on two vertices, 0-1 on three, up to three steps",
)
def every_walk_radius(_: Budget) -> Iterator[Walks]:
    """Radii by characteristic polynomials."""
    for length in (1, 2, 3):
        for m in (*every_matrix((0, 1, 2), 2), *every_matrix((0, 1), 3)):
            yield Walks(m, length)


@check(traces_bound_the_radius, kind=Kind.CERTIFIED, domain="every 0-1 matrix on three vertices")
def every_trace(_: Budget) -> Iterator[Walks]:
    """The directed triangle among them."""
    for length, m in product((1, 2), every_matrix((0, 1), 3)):
        yield Walks(m, length)


def readouts() -> Iterator[Readout]:
    """Two vertices: all exact in floats."""
    others = list(every_vector((1, 2), 2))
    for m, readout, errors, horizon in product(
        every_matrix((0, 1, 2), 2), others, others, (1, 2, 4)
    ):
        yield Readout(m, readout, errors, horizon)
    yield Readout(matrix([[0, 0], [1, 0]]), vector([1, 1]), vector([1, 1]), 2)


READOUTS = "2 x 2 matrices with entries 0, 1, 2, readouts and errors 1 and 2, up to four steps"


@check(weights_are_derivatives, kind=Kind.ENUMERATED, domain=READOUTS)
def every_weight(_: Budget) -> Iterator[Readout]:
    """Small whole numbers are exact in floats."""
    return readouts()


@check(row_sums_tell_where_errors_hurt, kind=Kind.ENUMERATED, domain=READOUTS)
def every_row_sum(_: Budget) -> Iterator[Readout]:
    """The smallest counterexample is one directed edge."""
    return readouts()
