"""Simulations and property tests of the claims about the two-constraint rule."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from rolltheory.claims import Budget, Kind, check
from rolltheory.staleness.claims.drift import Run
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
from simulators.staleness.asynchronous import rollout_queue
from simulators.staleness.walks import correlated_directions

__all__ = [
    "any_ascent",
    "any_crossover",
    "queues_by_the_rule",
    "walks_that_may_have_left",
    "walks_to_the_radius",
]

ERROR_LEVEL = 1e-6
ALIGNMENTS = (0.0, 0.5, 0.9, 1.0)


def walks(budget: Budget, updates: int) -> Iterator[tuple[Fraction, ...]]:
    """Unit updates along a line, from unrelated to equal ones."""
    rho = np.repeat(ALIGNMENTS, 10)
    steps = correlated_directions(rho, updates, dimension=1, generator=budget.generator())
    yield from (tuple(map(Fraction, walk)) for walk in steps[:, :, 0].T.tolist())


@check(
    rule_keeps_both_radii,
    kind=Kind.SIMULATED,
    domain="40 walks of 60 updates with correlations 0, 0.5, 0.9 and 1, fed from rollout queues "
    "with stragglers and largest lags 1 to 8, two pairs of radii",
    error_level=ERROR_LEVEL,
)
def queues_by_the_rule(budget: Budget) -> Iterator[GuardedRun]:
    """Each run by its own rule."""
    bounds = np.tile(np.arange(1, 9), 5)
    queue = rollout_queue(
        bounds, 0.1, updates=60, workers=24, batch_size=4, generator=budget.generator()
    )
    lags = queue.oldest_lag.max(-1).T.tolist()
    for steps, behind, bound in zip(walks(budget, 60), lags, bounds.tolist(), strict=True):
        run = Run(steps, tuple(behind), bound)
        yield GuardedRun(run, Fraction(1, 4), Fraction(1, 2))
        yield GuardedRun(run, Fraction(1, 4), Fraction(16))


@check(
    crossover_of_the_constraints,
    kind=Kind.PROPERTY_TESTED,
    domain="S and T up to 1000, radii in eighths up to 100",
)
def any_crossover(_: Budget) -> Any:
    """Equality included: some lags are the crossover itself."""
    from hypothesis import strategies as st

    whole, radius = st.integers(1, 1000), st.integers(1, 800).map(lambda j: Fraction(j, 8))
    even = st.builds(
        lambda s, k, r: Crossover(s, s * k, r, k * r), whole, st.integers(1, 9), radius
    )
    return st.builds(Crossover, whole, whole, radius, radius) | even


@check(
    collapse_takes_its_time,
    kind=Kind.SIMULATED,
    domain="40 walks of 200 updates with correlations 0, 0.5, 0.9 and 1, radius of 5 updates",
    error_level=ERROR_LEVEL,
)
def walks_to_the_radius(budget: Budget) -> Iterator[GuardedRun]:
    """Those that leave the radius."""
    for steps in walks(budget, 200):
        run = Run(steps, (0,) * 201, 1)
        yield GuardedRun(run, Fraction(1), 5 * run.learning_rate)


@check(
    collapse_by_the_bound,
    kind=Kind.SIMULATED,
    domain="40 walks of 20 updates with correlations 0, 0.5, 0.9 and 1, radius of 5 updates",
    error_level=ERROR_LEVEL,
)
def walks_that_may_have_left(budget: Budget) -> Iterator[GuardedRun]:
    """Unrelated updates take the run nowhere in that time."""
    for steps in walks(budget, 20):
        run = Run(steps, (0,) * 21, 1)
        yield GuardedRun(run, Fraction(1), 5 * run.learning_rate)


@check(
    error_floor_holds,
    kind=Kind.PROPERTY_TESTED,
    domain="quadratics in two coordinates, up to 12 biases of norm at most 1",
)
def any_ascent(_: Budget) -> Any:
    """Random biases, and constant ones at rest where gradient and bias cancel."""
    from hypothesis import strategies as st

    tenths = st.integers(-10, 10).map(lambda j: Fraction(j, 10))
    curvature = st.integers(1, 10).map(lambda j: Fraction(j, 10))
    push = st.sampled_from([(1, 0), (0, 1), (-1, 0), (Fraction(3, 5), Fraction(4, 5)), (0, 0)])
    pushes = st.lists(push, min_size=1, max_size=12).map(
        lambda found: tuple(tuple(map(Fraction, p)) for p in found)
    )
    free = st.builds(
        QuadraticAscent,
        st.tuples(curvature, curvature),
        st.tuples(tenths, tenths),
        pushes,
        st.integers(1, 10).map(lambda j: Fraction(j, 10)),
        st.just(Fraction(1)),
    )
    steps = st.sampled_from([1, 8, 12])
    at_rest = st.builds(quadratic, st.integers(0, 3), st.integers(0, 3), steps)
    return free | at_rest | steps.map(lambda n: quadratic(2, 2, n))
