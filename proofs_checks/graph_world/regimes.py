"""Exact checks of the claims about long rollouts of emulators."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from proofs_checks.graph_world.matrices import every_vector
from rolltheory.claims import Budget, Kind, check
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

__all__ = [
    "every_band",
    "every_field",
    "every_global_gain",
    "every_planted_regime",
    "every_sign_pattern",
]

STEPS = 13


def multipliers(parts: int, size: int) -> Iterator[tuple[Fraction, ...]]:
    """0 to 5/4 in quarters, or only some of these."""
    for numerators in product(range(0, 6, 6 // parts), repeat=size):
        yield tuple(Fraction(numerator, 4) for numerator in numerators)


@check(
    fields_follow_the_fastest,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "three wavenumbers with multipliers 0, 1/2, 1, every start of 0 and 1, 3 steps",
        "deep": "three wavenumbers with multipliers in quarters up to 5/4, 3 and 6 steps",
    },
)
def every_field(budget: Budget) -> Iterator[Field]:
    """Energies in rationals."""
    for multiplier, start, steps in product(
        multipliers(6 if budget.deep else 3, 3),
        every_vector((0, 1), 3),
        (3, 6) if budget.deep else (3,),
    ):
        yield Field(multiplier, start, steps)


def bands(budget: Budget) -> Iterator[Bands]:
    """Four wavenumbers in every division into bands."""
    edges = [(0, *inner, 4) for inner in ((), (1,), (2,), (3,), (1, 2), (1, 3), (2, 3), (1, 2, 3))]
    for multiplier, division in product(multipliers(6 if budget.deep else 2, 4), edges):
        yield Bands(multiplier, division)


@check(
    bands_bound_the_growth,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "four wavenumbers with multipliers 0 and 3/4, every division into bands",
        "deep": "four wavenumbers with multipliers in quarters up to 5/4, every division",
    },
)
def every_band(budget: Budget) -> Iterator[Bands]:
    """Attained by one wavenumber in its band."""
    return bands(budget)


@check(
    global_gain_bounds,
    kind=Kind.ENUMERATED,
    domain="four wavenumbers with multipliers in quarters up to 5/4",
)
def every_global_gain(_: Budget) -> Iterator[Bands]:
    """The counterexample has one growing wavenumber."""
    for multiplier in multipliers(6, 4):
        yield Bands(multiplier, (0, 4))


def sign_patterns() -> Any:
    """Every pattern of signs of 13 steps whose first is positive, as (13, 4096)."""
    bits = (np.arange(2 ** (STEPS - 1)) >> np.arange(STEPS)[:, None]) & 1
    return 1.0 - 2.0 * bits


@check(
    drift_interval_covers,
    kind=Kind.ENUMERATED,
    domain="every pattern of signs of 13 steps up to a common sign, trends 0 and 1/4; resampled "
    "with one seed",
)
def every_sign_pattern(_: Budget) -> Iterator[PlantedTrend]:
    """Patterns counted one by one."""
    for trend in (0.0, 0.25):
        series = sign_patterns() + trend * np.arange(STEPS)[:, None]
        yield PlantedTrend(series, trend, 4, 1, Fraction(9, 10))


def planted(regime: str, level: Any, amplitude: Any, times: Any, period: int) -> Any:
    """Series (T, c) with a regime, and with weather that changes its sign at each step."""
    season = amplitude * np.sin(2 * np.pi * times / period)
    weather = 0.1 * amplitude * (-1.0) ** times
    steady = level + season + weather
    return {
        "stable": steady,
        "blow-up": level + (season + weather) * 1.2**times,
        "drift": steady + 0.02 * amplitude * times,
        "loss of seasonality": level + 0.4 * season + weather,
        "loss of variance": level + season + weather * 0.95**times,
    }[regime]


REGIMES = ("stable", "blow-up", "drift", "loss of seasonality", "loss of variance")


@check(
    regimes_are_named,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "five regimes, four levels and three amplitudes, four periods of 12 steps, with "
        "and without alternating weather; resampled with one seed",
        "deep": "the same with periods of 4 to 16 steps",
    },
)
def every_planted_regime(budget: Budget) -> Iterator[PlantedRegime]:
    """Labels counted one by one."""
    grid = np.array(list(product((0.0, 1.0, -5.0, 300.0), (0.3, 1.0, 7.0)))).T
    level, amplitude = grid[0], grid[1]
    for period in range(4, 20, 4) if budget.deep else (12,):
        times = np.arange(4 * period)[:, None]
        season = level + amplitude * np.sin(2 * np.pi * times / period)
        yield PlantedRegime("stable", season, season, period)
        reference = planted("stable", level, amplitude, times, period)
        for regime in REGIMES:
            series = planted(regime, level, amplitude, times, period)
            yield PlantedRegime(regime, series, reference, period)
