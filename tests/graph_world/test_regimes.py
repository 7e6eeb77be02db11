"""Regimes of long rollouts: each is found, none is invented, and a global gain can hide growth."""

from __future__ import annotations

import numpy as np
import pytest

from rolltheory.errors import DomainError
from rolltheory.graph_world.regimes import (
    Climatology,
    noise_gain,
    rollout_regimes,
    spectral_growth_rate,
)

PERIOD, STEPS = 100, 400


def climate(rng: np.random.Generator, memory: float = 0.5) -> np.ndarray:
    """A season of amplitude 2 and autocorrelated weather."""
    weather = np.zeros(STEPS)
    for t in range(1, STEPS):
        weather[t] = memory * weather[t - 1] + rng.normal() * 0.3
    return 2 * np.sin(2 * np.pi * np.arange(STEPS) / PERIOD) + weather


def label(series: np.ndarray, rng: np.random.Generator, **options) -> str:
    normal = Climatology.of(climate(rng), period=PERIOD)
    return rollout_regimes(series, normal, period=PERIOD, generator=rng, **options)[0].label


def test_every_regime_is_found() -> None:
    rng = np.random.default_rng(0)
    run, time = climate(rng), np.arange(STEPS)
    season = 2 * np.sin(2 * np.pi * time / PERIOD)
    assert label(run, rng) == "stable"
    assert label(run * 1.02**time, rng) == "blow-up"
    assert label(np.where(time > 300, np.inf, run), rng) == "blow-up"
    assert label(np.where(time > 300, np.nan, run), rng) == "blow-up"
    assert label(run + 0.01 * time, rng) == "drift"
    assert label(run - 0.8 * season, rng) == "loss of seasonality"
    assert label(season + (run - season) * np.exp(-time / 150), rng) == "loss of variance"


def test_few_stable_runs_are_called_drifting() -> None:
    rng = np.random.default_rng(1)
    labels = [label(climate(rng), rng, resamples=300) for _ in range(60)]
    assert labels.count("drift") <= 6  # 1 % nominal, blocks of autocorrelated noise


@pytest.mark.parametrize("amplitude", [0.37, 1.0, 2.0])
@pytest.mark.parametrize("period", [4, 100, 365])
def test_the_rounding_of_a_pure_season_is_no_regime(period: int, amplitude: float) -> None:
    run = 5 + amplitude * np.sin(2 * np.pi * np.arange(4 * period) / period)
    normal = Climatology.of(run, period=period)
    rng = np.random.default_rng(0)
    regime = rollout_regimes(run, normal, period=period, generator=rng, resamples=100)[0]
    assert regime.label == "stable"
    assert regime.slope_lower < 0 < regime.slope_upper
    assert np.isnan(regime.variance_ratio)


def test_the_interval_of_a_trend_covers_nearly_at_its_level() -> None:
    rng = np.random.default_rng(6)
    runs = np.column_stack([climate(rng) for _ in range(300)])
    normal = Climatology.of(runs, period=PERIOD)
    regimes = rollout_regimes(runs, normal, period=PERIOD, generator=rng, resamples=1000)
    covered = sum(regime.slope_lower <= 0 <= regime.slope_upper for regime in regimes)
    assert covered >= 285  # 99 % nominal; without the lost blocks 95 %


def test_a_climate_that_never_moves() -> None:
    still = np.ones((20, 2))
    normal = Climatology.of(still, period=5)
    run = still + np.array([0, 1])
    rng = np.random.default_rng(0)
    regimes = rollout_regimes(run, normal, period=5, generator=rng, resamples=100)
    assert [regime.label for regime in regimes] == ["stable", "blow-up"]
    assert [regime.largest_deviation for regime in regimes] == [0, np.inf]


def test_numbers_behind_the_label() -> None:
    rng = np.random.default_rng(2)
    truth = climate(rng)
    normal = Climatology.of(truth, period=PERIOD)
    assert normal.seasonal_amplitude == pytest.approx([2], abs=0.15)
    regime = rollout_regimes(truth + 0.01 * np.arange(STEPS), normal, period=PERIOD, generator=rng)[
        0
    ]
    assert regime.slope == pytest.approx(0.01, abs=2e-3)
    assert regime.slope_lower < 0.01 < regime.slope_upper
    assert regime.seasonal_ratio == pytest.approx(1, abs=0.05)


def test_channels_are_judged_one_by_one() -> None:
    rng = np.random.default_rng(3)
    both = np.column_stack([climate(rng), climate(rng)])
    normal = Climatology.of(both, period=PERIOD)
    drifting = both + np.outer(np.arange(STEPS), [0, 0.02])
    regimes = rollout_regimes(drifting, normal, period=PERIOD, generator=rng)
    assert [regime.label for regime in regimes] == ["stable", "drift"]


def test_a_denoiser_by_its_global_gain_that_blows_up() -> None:
    wavenumbers = np.arange(128)
    calm = 0.98 * np.exp(-((wavenumbers / 20) ** 2))
    growing = calm + 1.1 * (wavenumbers > 100)
    assert spectral_growth_rate(calm) < 1
    assert noise_gain(growing)[0] < 1 < spectral_growth_rate(growing)
    bands = noise_gain(growing, bands=[0, 64, 100, 128])
    assert bands[-1] > 1
    assert (growing**200).max() > 1e5


def test_the_gain_is_the_root_mean_square() -> None:
    rng = np.random.default_rng(4)
    multiplier = rng.normal(size=50)
    noise = rng.normal(size=(20_000, 50))
    ratio = np.sqrt(((multiplier * noise) ** 2).mean() / (noise**2).mean())
    assert noise_gain(multiplier)[0] == pytest.approx(ratio, rel=0.02)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: noise_gain([1, 2], bands=[0, 0, 2]), "ascending"),
        (lambda: noise_gain([1, 2], bands=[0, 3]), "bands"),
        (lambda: Climatology.of(np.zeros(5), period=10), "T at least 10"),
    ],
)
def test_bad_arguments_are_named(call, words) -> None:
    with pytest.raises(DomainError, match=words):
        call()


def test_short_series_and_other_channels_are_refused() -> None:
    rng = np.random.default_rng(5)
    normal = Climatology.of(climate(rng), period=PERIOD)
    with pytest.raises(DomainError, match="two periods"):
        rollout_regimes(np.zeros(150), normal, period=PERIOD, generator=rng)
    with pytest.raises(DomainError, match=r"block.*\[1, 80\]"):
        rollout_regimes(np.zeros(400), normal, period=PERIOD, generator=rng, block=81)
    with pytest.raises(DomainError, match=r"shape \(T, 1\)"):
        rollout_regimes(np.zeros((400, 2)), normal, period=PERIOD, generator=rng)
