"""Simulations and property tests of the claims about long rollouts of emulators."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from rolltheory.claims import Budget, Kind, check
from rolltheory.graph_world.claims.matrices import vector
from rolltheory.graph_world.claims.regimes import (
    Bands,
    Field,
    PlantedRegime,
    PlantedTrend,
    bands_bound_the_growth,
    drift_interval_covers,
    fields_follow_the_fastest,
    global_gain_bounds,
    regimes_are_named,
)
from simulators.graph_world.series import autoregressive_season
from validation.graph_world.strategies import rationals, vectors

__all__ = [
    "any_band",
    "any_field",
    "any_global_gain",
    "weather_with_regimes",
    "weather_with_trends",
]

ERROR_LEVEL = 1e-6
PERIOD, STEPS = 50, 200
CHANNELS = 400


@check(
    fields_follow_the_fastest,
    kind=Kind.PROPERTY_TESTED,
    domain="four wavenumbers, multipliers in quarters up to 2, up to 6 steps",
)
def any_field(_: Budget) -> Any:
    """In rationals."""
    from hypothesis import strategies as st

    return st.builds(Field, vectors(4), vectors(4), st.integers(0, 6))


def bands(size: int) -> Any:
    """Multipliers with any division into bands."""
    from hypothesis import strategies as st

    inner = st.sets(st.integers(1, size - 1))
    edges = inner.map(lambda chosen: (0, *sorted(chosen), size))
    return st.builds(
        Bands, st.lists(rationals(-2, 2), min_size=size, max_size=size).map(vector), edges
    )


@check(
    bands_bound_the_growth,
    kind=Kind.PROPERTY_TESTED,
    domain="six wavenumbers, multipliers in quarters up to 2, any bands",
)
def any_band(_: Budget) -> Any:
    """Gains in floats, rounded up."""
    return bands(6)


@check(
    global_gain_bounds,
    kind=Kind.PROPERTY_TESTED,
    domain="three wavenumbers, multipliers in quarters up to 2",
)
def any_global_gain(_: Budget) -> Any:
    """Gains in floats; those of quarters are far from 1 or equal to it."""
    return vectors(3, 0).map(lambda multiplier: Bands(multiplier, (0, 3)))


def weather(
    channels: int, generator: np.random.Generator, *, noise_std: float = 0.3, drift: float = 0.0
) -> Any:
    """A season of amplitude 2 and weather that forgets half at each step, (T, c)."""
    return np.column_stack(
        [
            autoregressive_season(
                STEPS,
                period=PERIOD,
                amplitude=2.0,
                memory=0.5,
                noise_std=noise_std,
                generator=generator,
                drift=drift,
            )
            for _ in range(channels)
        ]
    )


@check(
    drift_interval_covers,
    kind=Kind.SIMULATED,
    domain="1000 series of four seasons of 50 steps, weather that forgets half at each step, "
    "blocks of 10, trends 0 and 0.01; resampled with one seed",
    error_level=ERROR_LEVEL,
)
def weather_with_trends(budget: Budget) -> Iterator[PlantedTrend]:
    """Covered trends, counted."""
    generator = budget.generator()
    for trend in (0.0, 0.01):
        series = weather(1000, generator, drift=trend)
        promised = Fraction(9, 10)
        yield PlantedTrend(series, trend, PERIOD, 10, promised, error_level=ERROR_LEVEL / 2)


@check(
    regimes_are_named,
    kind=Kind.SIMULATED,
    domain=f"{CHANNELS} series of each regime, four seasons of 50 steps, weather that forgets half "
    "at each step; resampled with one seed",
    error_level=ERROR_LEVEL,
)
def weather_with_regimes(budget: Budget) -> Iterator[PlantedRegime]:
    """Labels counted."""
    generator = budget.generator()
    times = np.arange(STEPS)[:, None]
    season = 2 * np.sin(2 * np.pi * times / PERIOD)
    run = weather(CHANNELS, generator)
    series = {
        "stable": run,
        "blow-up": run * 1.03**times,
        "drift": run + 0.02 * times,
        "loss of seasonality": run - 0.8 * season,
        "loss of variance": season + (run - season) * 0.985**times,
    }
    reference = weather(CHANNELS, generator)
    for regime, rollout in series.items():
        yield PlantedRegime(regime, rollout, reference, PERIOD, ERROR_LEVEL / len(series))
