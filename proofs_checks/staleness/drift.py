"""Exact checks of the claims about lag and about the size of updates."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from proofs_checks.staleness.balls import BALLS
from rolltheory.claims import Budget, Kind, check
from rolltheory.staleness.claims.drift import (
    BiasOfSchedules,
    Run,
    Schedule,
    Versions,
    bias_on_a_path,
    lag_displacement_holds,
    mean_bias_of_schedules,
    mean_lag_of_schedules,
    one_meaning_of_staleness,
    run_of,
    steady,
    version_lag_in_updates,
)
from rolltheory.staleness.claims.updates import (
    AdamRun,
    GroupGradient,
    MomentumRun,
    adam_update_as_quoted,
    adam_update_holds,
    binary_gradient_norm_holds,
    growing_gradients,
    momentum_update_holds,
)

__all__ = [
    "every_group_of_two_answers",
    "every_momentum",
    "every_quoted_adam_history",
    "every_reading_of_staleness",
    "every_schedule",
    "every_short_adam_history",
    "every_short_run",
    "every_version_lag",
    "straight_paths",
]

SCHEDULES = ("fixed_lag", "sync")
BETAS = (
    (Fraction(1, 2), Fraction(3, 4)),
    (Fraction(9, 10), Fraction(999, 1000)),
    (Fraction(9, 10), Fraction(19, 20)),
    (Fraction(4, 5), Fraction(1, 2)),
)


@check(
    lag_displacement_holds,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "every run of 5 updates -1, 0 or 1, both schedules, S <= 4",
        "deep": "every run of 7 updates -1, 0 or 1, both schedules, S <= 6",
    },
)
def every_short_run(budget: Budget) -> Iterator[Run]:
    """Every way to go on a line."""
    updates, lags = (7, 6) if budget.deep else (5, 4)
    for schedule, lag in product(SCHEDULES, range(1, lags + 1)):
        for steps in product((1, 0, -1), repeat=updates):
            yield run_of(steps, lag, schedule)


def schedules(budget: Budget) -> Iterator[Schedule]:
    """Whole cycles of both schedules."""
    for schedule, lag in product(SCHEDULES, range(1, 101 if budget.deep else 25)):
        yield steady(lag, schedule, cycles=3)


@check(
    mean_lag_of_schedules,
    kind=Kind.ENUMERATED,
    domain={"gate": "both schedules, S <= 24", "deep": "both schedules, S <= 100"},
)
def every_schedule(budget: Budget) -> Iterator[Schedule]:
    """Lags counted one by one."""
    return schedules(budget)


@check(
    one_meaning_of_staleness,
    kind=Kind.ENUMERATED,
    domain={"gate": "both schedules, S <= 24", "deep": "both schedules, S <= 100"},
)
def every_reading_of_staleness(budget: Budget) -> Iterator[Schedule]:
    """The counterexample is sync every update: fresh batches."""
    return schedules(budget)


@check(
    version_lag_in_updates,
    kind=Kind.ENUMERATED,
    domain={"gate": "v <= 6, u <= 6", "deep": "v <= 20, u <= 20"},
)
def every_version_lag(budget: Budget) -> Iterator[Versions]:
    """Updates counted one by one."""
    most = 20 if budget.deep else 6
    for version_lag, per_version in product(range(most + 1), range(1, most + 1)):
        yield Versions(version_lag, per_version)


@check(
    mean_bias_of_schedules,
    kind=Kind.ENUMERATED,
    domain={"gate": "linear maps on straight paths, S <= 12", "deep": "S <= 60"},
)
def straight_paths(budget: Budget) -> Iterator[BiasOfSchedules]:
    """Bias of a map that is linear in its sampler, update by update."""
    for lag in range(2, 61 if budget.deep else 13):
        path = [Fraction(t, 7) for t in range(5 * lag)]
        yield bias_on_a_path(lag, path, is_straight=True)


def adam_histories(budget: Budget) -> Iterator[AdamRun]:
    """Every short history of small gradients, and those that Adam amplifies most."""
    values = tuple(map(Fraction, (-2, 0, 1, 3)))
    for beta1, beta2 in BETAS:
        yield from (growing_gradients(t, beta1, beta2) for t in (1, 2, 3, 8, 40))
        yield growing_gradients(12, beta1, beta2, dimension=3, scale=Fraction(1, 100))
        for steps in range(1, 6 if budget.deep else 4):
            for gradients in product(values, repeat=steps):
                yield AdamRun(tuple((g,) for g in gradients), beta1, beta2)
        for gradients in product(product(values, repeat=2), repeat=2):
            yield AdamRun(gradients, beta1, beta2)


HISTORIES = {
    "gate": "4 pairs of betas; every history of up to 3 gradients of -2, 0, 1, 3, and of 2 in two "
    "dimensions; growing gradients up to 40 steps",
    "deep": "the same with up to 5 gradients",
}


@check(adam_update_holds, kind=Kind.ENUMERATED, domain=HISTORIES)
def every_short_adam_history(budget: Budget) -> Iterator[AdamRun]:
    """Squared updates in rationals."""
    return adam_histories(budget)


@check(adam_update_as_quoted, kind=Kind.ENUMERATED, domain=HISTORIES)
def every_quoted_adam_history(budget: Budget) -> Iterator[AdamRun]:
    """The counterexample is two growing gradients at the betas (1/2, 3/4)."""
    return adam_histories(budget)


@check(
    momentum_update_holds,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "every 6 gradients -1, 0 or 1, momentum 1/2, 3/4 or 9/10, and 60 equal ones",
        "deep": "the same with 9 gradients",
    },
)
def every_momentum(budget: Budget) -> Iterator[MomentumRun]:
    """Updates in rationals."""
    for momentum in (Fraction(1, 2), Fraction(3, 4), Fraction(9, 10)):
        yield MomentumRun((Fraction(1),) * 60, momentum)
        for gradients in product((1, 0, -1), repeat=9 if budget.deep else 6):
            yield MomentumRun(tuple(map(Fraction, gradients)), momentum)


@check(
    binary_gradient_norm_holds,
    kind=Kind.CERTIFIED,
    domain={
        "gate": "n in 2, 3, 4, 8, 16, success probabilities in tenths, fresh and stale",
        "deep": "n up to 32, success probabilities in fortieths",
    },
)
def every_group_of_two_answers(budget: Budget) -> Iterator[GroupGradient]:
    """Expected gradients in ball arithmetic."""
    parts = 40 if budget.deep else 10
    grid = [Fraction(j, parts) for j in range(1, parts)]
    for size in range(2, 33) if budget.deep else (2, 3, 4, 8, 16):
        for learner in grid:
            yield GroupGradient(size, learner, learner, stale=False, arithmetic=BALLS)
        for learner, sampler in product(grid, [Fraction(1, 10**6), *grid]):
            yield GroupGradient(size, learner, sampler, arithmetic=BALLS)
