"""Exact checks of the claims about the two-constraint rule and the error floor."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from rolltheory.claims import Budget, Kind, check
from rolltheory.staleness.claims.drift import run_of
from rolltheory.staleness.claims.rule import (
    Crossover,
    GuardedRun,
    QuadraticAscent,
    collapse_by_the_bound,
    collapse_takes_its_time,
    crossover_of_the_constraints,
    error_floor_holds,
    quadratic,
    rule_keeps_both_radii,
)

__all__ = [
    "every_collapse",
    "every_collapse_by_the_bound",
    "every_crossover",
    "every_guarded_run",
    "every_small_ascent",
]

RUNS = {
    "gate": "every run of 5 updates -1, 0 or 1, both schedules, S <= 3, four pairs of radii",
    "deep": "every run of 7 updates -1, 0 or 1, both schedules, S <= 5, four pairs of radii",
}


def guarded_runs(budget: Budget) -> Iterator[GuardedRun]:
    """Every way to go on a line, with radii of which either may bind."""
    updates, lags = (7, 5) if budget.deep else (5, 3)
    radii = tuple(map(Fraction, ("1/4", "1/2")))
    for schedule, lag, batch, critical in product(
        ("fixed_lag", "sync"), range(1, lags + 1), radii, radii
    ):
        for steps in product((1, 0, -1), repeat=updates):
            yield GuardedRun(run_of(steps, lag, schedule), batch, critical)


@check(rule_keeps_both_radii, kind=Kind.ENUMERATED, domain=RUNS)
def every_guarded_run(budget: Budget) -> Iterator[GuardedRun]:
    """All of `guarded_runs`."""
    return guarded_runs(budget)


@check(
    crossover_of_the_constraints,
    kind=Kind.ENUMERATED,
    domain={"gate": "S, T and both radii up to 6", "deep": "S, T and both radii up to 12"},
)
def every_crossover(budget: Budget) -> Iterator[Crossover]:
    """Every order of the two constraints, equality included."""
    whole = range(1, 13 if budget.deep else 7)
    for lag, horizon, batch, critical in product(whole, repeat=4):
        yield Crossover(lag, horizon, Fraction(batch), Fraction(critical))


@check(collapse_takes_its_time, kind=Kind.ENUMERATED, domain=RUNS)
def every_collapse(budget: Budget) -> Iterator[GuardedRun]:
    """Those of `guarded_runs` that leave their critical radius."""
    return guarded_runs(budget)


@check(collapse_by_the_bound, kind=Kind.ENUMERATED, domain=RUNS)
def every_collapse_by_the_bound(budget: Budget) -> Iterator[GuardedRun]:
    """The counterexample is a run that pauses once."""
    return guarded_runs(budget)


@check(
    error_floor_holds,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "two coordinates, curvatures 1 and 1/3, starts -1 to 1, 3 biases of 0 or 1/2 along "
        "an axis, rates 1/4 and 1; constant biases for up to 24 steps",
        "deep": "the same with 4 biases",
    },
)
def every_small_ascent(budget: Budget) -> Iterator[QuadraticAscent]:
    """Every sequence of biases."""
    size = Fraction(1, 2)
    zero = Fraction(0)
    pushes = ((zero, zero), (size, zero), (-size, zero), (zero, size))
    for steps, bias in product((1, 4, 24), (0, 1, 2)):
        yield from (quadratic(start, bias, steps) for start in range(4))
    for rate, start in product((Fraction(1, 4), Fraction(1)), product((-1, 0, 1), repeat=2)):
        for biases in product(pushes, repeat=4 if budget.deep else 3):
            yield QuadraticAscent(
                (Fraction(1), Fraction(1, 3)), tuple(map(Fraction, start)), biases, rate, size
            )
