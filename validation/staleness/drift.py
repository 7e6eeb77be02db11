"""Simulations and property tests of the claims about lag and about the size of updates."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from rolltheory.claims import Budget, Kind, check
from rolltheory.staleness.claims.drift import (
    BiasOfSchedules,
    Run,
    Versions,
    lag_displacement_holds,
    mean_bias_of_schedules,
    mean_lag_of_schedules,
    one_meaning_of_staleness,
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
from simulators.staleness.ascent import delayed_ascent, prompt_map, random_prompts
from simulators.staleness.asynchronous import fixed_lags, rollout_queue, sync_lags
from validation.staleness.intervals import mean_interval

__all__ = [
    "any_adam_history",
    "any_group",
    "any_momentum",
    "any_quoted_adam_history",
    "any_reading_of_staleness",
    "any_schedule",
    "any_version_lag",
    "queues",
    "trajectories_of_both_schedules",
]

ERROR_LEVEL = 1e-6
MIXED = "40 queues of 60 updates with stragglers and in-flight weight updates, largest lag 1 to 8"


@check(lag_displacement_holds, kind=Kind.SIMULATED, domain=MIXED, error_level=ERROR_LEVEL)
def queues(budget: Budget) -> Iterator[Run]:
    """Straight and random runs, each fed from a rollout queue with a hard bound on the lag."""
    generator = budget.generator()
    bounds = np.repeat(np.arange(1, 9), 5)
    queue = rollout_queue(bounds, 0.1, updates=60, workers=24, batch_size=4, generator=generator)
    oldest = queue.oldest_lag.max(-1)
    for run, bound in enumerate(bounds.tolist()):
        steps = generator.uniform(-1, 1, 60) if run % 5 else np.ones(60)
        lags = tuple(oldest[:, run].tolist())
        yield Run(tuple(map(Fraction, steps.tolist())), lags, bound)


def any_whole_window() -> Any:
    """A strategy for whole cycles of either schedule."""
    from hypothesis import strategies as st

    return st.builds(
        steady, st.integers(1, 300), st.sampled_from(["fixed_lag", "sync"]), st.integers(1, 3)
    )


@check(mean_lag_of_schedules, kind=Kind.PROPERTY_TESTED, domain="both schedules, S <= 300")
def any_schedule(_: Budget) -> Any:
    """Lags counted one by one."""
    return any_whole_window()


@check(one_meaning_of_staleness, kind=Kind.PROPERTY_TESTED, domain="both schedules, S <= 300")
def any_reading_of_staleness(_: Budget) -> Any:
    """Lags counted one by one."""
    return any_whole_window()


@check(version_lag_in_updates, kind=Kind.PROPERTY_TESTED, domain="v <= 12, u <= 20")
def any_version_lag(_: Budget) -> Any:
    """Updates counted one by one."""
    from hypothesis import strategies as st

    return st.builds(Versions, st.integers(0, 12), st.integers(1, 20))


@check(
    mean_bias_of_schedules,
    kind=Kind.SIMULATED,
    domain="group-normalised maps of 40 sets of 3 prompts with shared parameters, n = 8, S = 4, 8",
    tolerance=0.01,
    error_level=ERROR_LEVEL,
)
def trajectories_of_both_schedules(budget: Budget) -> Iterator[BiasOfSchedules]:
    """The maps' own biases along 20 S updates of both schedules, averaged over sets of prompts."""
    runs = 40
    prompts = random_prompts(runs, generator=budget.generator())
    gradient, start = prompt_map(prompts), np.zeros((runs, 3))
    for lag in (4, 8):
        updates, means = 20 * lag, []
        for lags in (sync_lags(updates, lag), fixed_lags(updates, lag)):
            path = delayed_ascent(gradient, start, 0.0025, lags)
            bias = [
                gradient(path[t], path[t - lags[t]]) - gradient(path[t], path[t])
                for t in range(lag, updates)
            ]
            means.append(np.linalg.norm(bias, axis=-1).mean(0))
        yield BiasOfSchedules(lag, mean_interval(means[0] / means[1], ERROR_LEVEL / 2))


def any_history() -> Any:
    """A strategy for histories of Adam, of any gradients or of growing ones."""
    from hypothesis import strategies as st

    beta = st.integers(1, 99).map(lambda j: Fraction(j, 100))
    gradient = st.tuples(st.integers(-50, 50)).map(lambda g: (Fraction(g[0], 10),))
    history = st.lists(gradient, min_size=1, max_size=6).map(tuple)
    growing = st.builds(
        growing_gradients,
        st.integers(2, 12),
        beta,
        beta,
        st.integers(1, 3),
        st.just(Fraction(1, 9)),
    )
    return st.builds(AdamRun, history, beta, beta) | growing


HISTORIES = "up to 12 gradients, betas in hundredths"


@check(adam_update_holds, kind=Kind.PROPERTY_TESTED, domain=HISTORIES)
def any_adam_history(_: Budget) -> Any:
    """Squared updates in rationals."""
    return any_history()


@check(adam_update_as_quoted, kind=Kind.PROPERTY_TESTED, domain=HISTORIES)
def any_quoted_adam_history(_: Budget) -> Any:
    """Squared updates in rationals."""
    return any_history()


@check(
    momentum_update_holds,
    kind=Kind.PROPERTY_TESTED,
    domain="up to 30 gradients in tenths, momentum in hundredths up to 9/10",
)
def any_momentum(_: Budget) -> Any:
    """Updates in rationals."""
    from hypothesis import strategies as st

    momentum = st.integers(1, 90).map(lambda j: Fraction(j, 100))
    gradient = st.integers(-10, 10).map(lambda g: Fraction(g, 10))
    history = st.lists(gradient, min_size=1, max_size=30).map(tuple)
    equal = momentum.map(lambda m: MomentumRun((Fraction(1),) * 60, m))
    return st.builds(MomentumRun, history, momentum) | equal


@check(
    binary_gradient_norm_holds,
    kind=Kind.PROPERTY_TESTED,
    domain="n <= 64, success probabilities in thousandths, fresh and stale",
    tolerance=1e-12,
)
def any_group(_: Budget) -> Any:
    """Expected gradients in floats."""
    from hypothesis import strategies as st

    size, chance = st.integers(2, 64), st.integers(1, 999).map(lambda j: Fraction(j, 1000))
    fresh = st.builds(lambda n, p: GroupGradient(n, p, p, stale=False), size, chance)
    rare = st.builds(GroupGradient, size, st.just(Fraction(1, 2)), st.just(Fraction(1, 1000)))
    return fresh | rare | st.builds(GroupGradient, size, chance, chance)
