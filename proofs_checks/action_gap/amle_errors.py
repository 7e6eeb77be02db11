"""Certified checks of the claims about the error of computed values."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from proofs_checks.action_gap.graphs import labellings
from rolltheory.action_gap.amle import amle
from rolltheory.action_gap.claims.amle import middle_of_envelopes, swept
from rolltheory.action_gap.claims.amle_errors import (
    Approximation,
    Run,
    approximated,
    bent_path,
    error_is_certified,
    forked_path,
    iterates_are_certified,
    overshot_path,
    residual_bounds_the_error,
    smooth_path,
)
from rolltheory.action_gap.claims.labelled import Labelled, extension
from rolltheory.claims import Budget, Kind, check

__all__ = ["every_approximation", "every_residual", "every_run"]

LABELS = "every label set, labels in {0, 1}"
SOLVERS = (
    f"{LABELS}, unit cost and lengths in {{1, 2, 1/3}}: the values of the float solver, the exact"
    " ones rounded, those halfway between the envelopes and those after four sweeps; bent and"
    " parabolic values on paths of up to 65 vertices, forked and overshot ones of up to 20 edges"
)
DOMAIN = {
    "gate": f"every connected graph on up to 3 vertices, {SOLVERS}",
    "deep": f"every connected graph on up to 4 vertices, {SOLVERS}",
}


def solved(problem: Labelled) -> Approximation:
    """The values of the float solver."""
    labels, lengths = problem.floats()
    values = amle(problem.edges, labels, lengths=lengths).values
    return approximated(problem, tuple(map(Fraction, values.tolist())))


def approximations(budget: Budget) -> Iterator[Approximation]:
    """All of the stated set."""
    for with_lengths in (False, True):
        for problem in labellings(4 if budget.deep else 3, 2, with_lengths=with_lengths):
            yield solved(problem)
            for solver in (extension, middle_of_envelopes, swept):
                yield approximated(problem, solver(problem))
    for count in (3, 5, 9, 17, 33, 65):
        yield bent_path(count)
        yield smooth_path(count)
    for count in (10, 12, 20):
        yield forked_path(count)
        yield overshot_path(count)


@check(error_is_certified, kind=Kind.CERTIFIED, domain=DOMAIN)
def every_approximation(budget: Budget) -> Iterator[Approximation]:
    """All of `approximations`."""
    return approximations(budget)


@check(residual_bounds_the_error, kind=Kind.CERTIFIED, domain=DOMAIN)
def every_residual(budget: Budget) -> Iterator[Approximation]:
    """All of `approximations`."""
    return approximations(budget)


@check(
    iterates_are_certified,
    kind=Kind.CERTIFIED,
    domain=f"every connected graph on up to 4 vertices, {LABELS}; 1, 3 and 40 sweeps each",
)
def every_run(_: Budget) -> Iterator[Run]:
    """Iterations that are stopped early, and some that are not."""
    for problem in labellings(4, 2):
        for method in ("gauss-seidel", "work-list", "over-relaxed"):
            yield from (Run(problem, method, sweeps) for sweeps in (1, 3, 40))
