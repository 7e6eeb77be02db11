"""Simulations and property tests of the claims about the stability of delayed ascent."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from rolltheory.claims import Budget, Kind, check
from rolltheory.staleness.claims.edge import EdgeRoots, MeasuredEdge, cosine_at_the_edge
from rolltheory.staleness.claims.slopes import MeasuredSlope, bias_is_of_first_order
from rolltheory.staleness.claims.stability import (
    LongLag,
    MeasuredAscent,
    fixed_lag_limit_holds,
    lag_times_rate_is_bounded,
    limit_of_long_lags,
    share_of_one_half,
    sync_limit_holds,
)
from rolltheory.staleness.stability import stability_limit
from simulators.staleness.ascent import (
    bandit_map,
    delayed_ascent,
    linear_map,
    prompt_map,
    random_prompts,
)
from simulators.staleness.asynchronous import fixed_lags, sync_lags
from validation.staleness.intervals import mean_interval

__all__ = [
    "any_edge",
    "any_long_lag",
    "bandits_on_either_side",
    "linear_runs_of_a_fixed_lag",
    "linear_runs_of_sync",
    "runs_at_the_edge",
    "runs_of_any_share",
    "runs_of_the_product",
    "slopes_of_the_bias",
]

ERROR_LEVEL = 1e-6
LAGS = np.array([1, 2, 3, 4, 5, 8])
SHARES = np.array([0.0, 0.2, 0.45, 0.55, 0.7, 0.9, 1.0])
SCHEDULES = {"fixed_lag": fixed_lags, "sync": sync_lags}


def linear_runs(
    schedule: str, steps: Any, lags: Any, shares: Any, updates: int = 600
) -> Iterator[MeasuredAscent]:
    """Linear runs side by side; one has converged if it ends no farther than it was half way."""
    start = np.ones((lags.size, 1))
    path = delayed_ascent(linear_map(shares), start, steps, SCHEDULES[schedule](updates, lags))
    size = np.abs(path[:, :, 0])
    window = 4 * int(lags.max() + 1)  # long enough for a whole turn
    halfway, late = size[updates // 2 :][:window].max(0), size[-window:].max(0)
    for found in zip(steps, lags, shares, late <= halfway, strict=True):
        yield MeasuredAscent(*(value.item() for value in found), schedule)


def around_the_limit(schedule: str) -> Iterator[MeasuredAscent]:
    """Linear runs at 0.5, 0.98, 1.02 and 1.5 times the limit."""
    parts = np.array([0.5, 0.98, 1.02, 1.5])
    lags, shares, part = (a.ravel() for a in np.meshgrid(LAGS, SHARES, parts, indexing="ij"))
    limit = stability_limit(lags, schedule=schedule, behaviour_share=shares)
    # far beyond its limit an even cycle may meet its second window
    inside = (part < 1.1) | (lags % 2 == 1) | (shares < 0.5) | (schedule == "fixed_lag")
    return linear_runs(schedule, (part * limit)[inside], lags[inside], shares[inside])


AROUND = "linear maps with shares from 0 to 1, S from 1 to 8, 0.5 to 1.5 times the limit"


@check(sync_limit_holds, kind=Kind.SIMULATED, domain=AROUND, error_level=ERROR_LEVEL)
def linear_runs_of_sync(_: Budget) -> Iterator[MeasuredAscent]:
    """Runs of 600 updates."""
    return around_the_limit("sync")


@check(fixed_lag_limit_holds, kind=Kind.SIMULATED, domain=AROUND, error_level=ERROR_LEVEL)
def linear_runs_of_a_fixed_lag(_: Budget) -> Iterator[MeasuredAscent]:
    """Runs of 600 updates."""
    return around_the_limit("fixed_lag")


@check(
    sync_limit_holds,
    kind=Kind.SIMULATED,
    domain="two-armed bandits, n = 8, no ratio, anchors 0.05 and 0.2, S from 1 to 8, started near "
    "the optimum at 0.98 and 1.02 times the limit of the linearised map",
    error_level=ERROR_LEVEL,
)
def bandits_on_either_side(_: Budget) -> Iterator[MeasuredAscent]:
    """The anchor 0.05 leaves more than half of the sensitivity to the sampler, 0.2 less."""
    anchors, parts = np.array([0.05, 0.2]), np.array([0.98, 1.02])
    anchor, lags, part = (a.ravel() for a in np.meshgrid(anchors, LAGS, parts, indexing="ij"))
    gradient = bandit_map(8, anchor)
    optimum = root_of(gradient, anchor.size)
    behaviour = slope_of(lambda z: gradient(optimum, z), optimum)
    current = slope_of(lambda z: gradient(z, optimum), optimum)
    curvature, shares = -(behaviour + current), behaviour / (behaviour + current)
    steps = part * stability_limit(lags, schedule="sync", behaviour_share=shares)
    path = delayed_ascent(
        gradient, optimum + 0.01, steps / curvature, sync_lags(4000, lags), keep=4000
    )
    converged = np.abs(path[-1] - optimum)[:, 0] < 1e-3
    for found in zip(steps, lags, shares, converged, strict=True):
        yield MeasuredAscent(*(value.item() for value in found), "sync")


def root_of(gradient: Any, runs: int) -> Any:
    """Where the map of a learner and its own samples vanishes (runs, 1), by bisection."""
    low, high = np.zeros((runs, 1)), np.full((runs, 1), 20.0)
    for _ in range(60):
        middle = (low + high) / 2
        rising = gradient(middle, middle) > 0
        low, high = np.where(rising, middle, low), np.where(rising, high, middle)
    return low


def slope_of(function: Any, at: Any) -> Any:
    """Derivative (runs,) of a map along its one coordinate."""
    return ((function(at + 1e-5) - function(at - 1e-5)) / 2e-5)[:, 0]


def long_runs() -> Iterator[MeasuredAscent]:
    """Linear runs at lags that only matter for some shares."""
    lags, shares, steps = (
        a.ravel() for a in np.meshgrid([5, 8, 11], SHARES, [1.0, 1.9], indexing="ij")
    )
    for schedule in SCHEDULES:
        yield from linear_runs(schedule, steps, lags, shares)


LONG = "linear maps with shares from 0 to 1, S of 5, 8 and 11, steps 1 and 1.9, both schedules"


@check(share_of_one_half, kind=Kind.SIMULATED, domain=LONG, error_level=ERROR_LEVEL)
def runs_of_any_share(_: Budget) -> Iterator[MeasuredAscent]:
    """Runs of 600 updates."""
    return long_runs()


@check(lag_times_rate_is_bounded, kind=Kind.SIMULATED, domain=LONG, error_level=ERROR_LEVEL)
def runs_of_the_product(_: Budget) -> Iterator[MeasuredAscent]:
    """Runs of 600 updates."""
    return long_runs()


@check(
    limit_of_long_lags,
    kind=Kind.PROPERTY_TESTED,
    domain="shares from 0.55 to 1, both schedules, at S of a million",
    tolerance=1e-4,
)
def any_long_lag(_: Budget) -> Any:
    """The library's limit, times S."""
    from hypothesis import strategies as st

    share = st.integers(550, 1000).map(lambda j: Fraction(j, 1000))
    return st.builds(LongLag, share, st.sampled_from(["sync", "fixed_lag"]))


@check(
    cosine_at_the_edge,
    kind=Kind.PROPERTY_TESTED,
    domain="S <= 30, shares from 0.55 to 1, roots in floats",
    tolerance=1e-6,
)
def any_edge(_: Budget) -> Any:
    """Roots at the library's limit."""
    from hypothesis import strategies as st

    share = st.integers(55, 100).map(lambda j: Fraction(j, 100))
    return st.builds(EdgeRoots, st.integers(1, 30), share)


@check(
    cosine_at_the_edge,
    kind=Kind.SIMULATED,
    domain="linear maps with shares 0.7 to 1, S from 1 to 8, 4000 updates at the limit",
    tolerance=1e-3,
    error_level=ERROR_LEVEL,
)
def runs_at_the_edge(_: Budget) -> Iterator[MeasuredEdge]:
    """Autocorrelation of the gradients once the start has faded."""
    lags, shares = (a.ravel() for a in np.meshgrid(LAGS, [0.7, 0.9, 1.0], indexing="ij"))
    limit = stability_limit(lags, behaviour_share=shares)
    start = np.ones((lags.size, 1))
    path = delayed_ascent(linear_map(shares), start, limit, fixed_lags(4000, lags))
    gradients = np.diff(path[2000:, :, 0], axis=0)
    cosine = (gradients[1:] * gradients[:-1]).mean(0) / (gradients**2).mean(0)
    for lag, share, found in zip(lags, shares, cosine, strict=True):
        yield MeasuredEdge(int(lag), Fraction(float(share)), float(found))


@check(
    bias_is_of_first_order,
    kind=Kind.SIMULATED,
    domain="group-normalised maps of 60 sets of 3 prompts with shared parameters, n = 8; S from 1 "
    "to 8 at the same learning rate, and learning rates 0.0025 to 0.01 at S = 4; T eta = 1",
    within=0.03,
    error_level=ERROR_LEVEL,
)
def slopes_of_the_bias(budget: Budget) -> Iterator[MeasuredSlope]:
    """Slopes of the mean bias along each run, averaged over sets of prompts."""
    gradient = prompt_map(random_prompts(60, generator=budget.generator()))
    lags, rates = (1, 2, 4, 8), (0.0025, 0.005, 0.01)
    by_lag = [mean_bias(gradient, lag, 0.005) for lag in lags]
    by_rate = [mean_bias(gradient, 4, rate) for rate in rates]
    for along, points, biases in (("lag", lags, by_lag), ("learning rate", rates, by_rate)):
        slopes = np.polyfit(np.log(points), np.log(biases), 1)[0]
        yield MeasuredSlope(along, mean_interval(slopes, ERROR_LEVEL / 2))


def mean_bias(gradient: Any, lag: int, rate: float) -> Any:
    """Mean bias (60,) along runs with a fixed lag, the start left out."""
    lags = fixed_lags(round(1 / rate), lag)
    path = delayed_ascent(gradient, np.zeros((60, 3)), rate, lags)
    bias = [
        gradient(path[t], path[t - lag]) - gradient(path[t], path[t])
        for t in range(lag, len(lags), 4)
    ]
    return np.linalg.norm(bias, axis=-1).mean(0)
