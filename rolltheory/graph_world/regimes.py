"""What long rollouts of an emulator do: blow up, drift, lose the seasons or the variance."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import integer_array, positive_array, real_array

__all__ = [
    "Climatology",
    "Regime",
    "noise_gain",
    "rollout_regimes",
    "spectral_growth_rate",
]

FloatArray = npt.NDArray[np.float64]

_ROUNDING = 2.0**-44
"""Of the largest value of a series: what is smaller is the rounding of the fit."""


@dataclass(frozen=True)
class Climatology:
    """What each channel does in the reference.

    Attributes
    ----------
    mean, std : (c,) over time, the seasons left in
    seasonal_amplitude : (c,) amplitude of the harmonic with the given period
    """

    mean: FloatArray
    std: FloatArray
    seasonal_amplitude: FloatArray

    @classmethod
    def of(cls, reference: Any, *, period: float) -> Climatology:
        """Of a reference series, (T, c), over at least one period (in steps)."""
        series = _series("reference", reference, period)
        amplitude = _fit(series, period).amplitude
        return cls(series.mean(axis=0), series.std(axis=0), amplitude)


@dataclass(frozen=True)
class Regime:
    """What one channel of a rollout does, each part with the number behind it.

    Attributes
    ----------
    label : the first that applies of "blow-up", "drift", "loss of seasonality", "loss of variance";
        else "stable"
    largest_deviation : ``max |x - climatological mean|``, in climatological standard deviations
    slope, slope_lower, slope_upper : trend per step with its block-bootstrap interval
    seasonal_ratio : amplitude of the season over the climatological one; NaN if that is zero
    variance_ratio : variance about trend and season in the last period over that in the first; NaN
        if that is zero
    """

    label: str
    largest_deviation: float
    slope: float
    slope_lower: float
    slope_upper: float
    seasonal_ratio: float
    variance_ratio: float


@dataclass(frozen=True)
class _Fit:
    slope: FloatArray
    amplitude: FloatArray
    residuals: FloatArray
    slope_weights: FloatArray
    slope_rounding: FloatArray


def spectral_growth_rate(multiplier: Any) -> float:
    r"""The factor per step of the fastest growing wavenumber of a linear emulator.

    .. math:: E_k(t) = |a(k)|^{2t} E_k(0): \quad \text{blow-up} \iff \max_k |a(k)| > 1

    Parameters
    ----------
    multiplier : (K,) a(k), real; the sign does not matter

    Notes
    -----
    Source: derived here, a linear surrogate for arXiv 2605.30184.

    Examples
    --------
    >>> spectral_growth_rate([0.5, 1.1])
    1.1
    """
    return float(np.abs(real_array("multiplier", multiplier)).max())


def noise_gain(multiplier: Any, *, bands: Any = None) -> FloatArray:
    r"""By how much one step scales white noise, in each band of wavenumbers.

    .. math:: \sqrt{\mathrm{mean}_{k \in \mathrm{band}} |a(k)|^2}

    One gain over all wavenumbers may be far below 1 while a narrow band grows: test each band.

    Parameters
    ----------
    multiplier : (K,) a(k), real
    bands : (B + 1,) ascending first indices of the bands and their end; one band if not given

    Returns
    -------
    (B,) gains.

    Raises
    ------
    DomainError
        for bands that are empty or leave the range.

    Notes
    -----
    Source: derived here, docs/theory/graph_world.md.

    Examples
    --------
    >>> noise_gain([0.5, 0.5, 2.0, 2.0], bands=[0, 2, 4])
    array([0.5, 2. ])
    """
    power = np.atleast_1d(real_array("multiplier", multiplier)) ** 2
    default = [0, power.size] if bands is None else bands
    edges = np.atleast_1d(integer_array("bands", default, at_least=0, at_most=power.size))
    if edges.size < 2 or np.any(np.diff(edges) <= 0):
        raise DomainError("bands", edges.tolist(), "at least two ascending indices")
    return np.sqrt([power[a:b].mean() for a, b in pairwise(edges)])


def rollout_regimes(
    series: Any,
    climatology: Climatology,
    *,
    period: float,
    generator: np.random.Generator,
    block: int | None = None,
    largest_deviation: float = 10.0,
    smallest_seasonal_ratio: float = 0.5,
    smallest_variance_ratio: float = 0.5,
    confidence: float = 0.99,
    resamples: int = 2000,
) -> list[Regime]:
    """Label each channel of a long rollout.

    Blow-up: it leaves the climatological mean by more standard deviations than allowed. Drift: the
    interval of its trend, by moving blocks of residuals, excludes zero. Loss of seasonality or of
    variance: less than a share of the climatological amplitude, or of the first period's variance.

    Parameters
    ----------
    series : (T, c), or (T,), over at least two periods; infinite or undefined values are a blow-up
    climatology : of the same channels
    period : of the season, in steps
    generator : of the bootstrap
    block : steps in a block, a tenth of a period if not given; longer than the memory of the noise
        and at most a fifth of the series
    largest_deviation : in climatological standard deviations
    smallest_seasonal_ratio, smallest_variance_ratio : shares below which a loss is called
    confidence : of the trend's interval, per channel
    resamples : bootstrap samples

    Raises
    ------
    DomainError
        for a series that is too short or has other channels than the climatology.

    Notes
    -----
    Source: the regimes of arXiv 2605.30184; the tests are derived here.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> days = np.arange(730)
    >>> truth = np.sin(2 * np.pi * days / 365)[:, None] + 0.1 * rng.normal(size=(730, 1))
    >>> normal = Climatology.of(truth, period=365)
    >>> [rollout_regimes(run, normal, period=365, generator=rng)[0].label
    ...  for run in (truth, truth + 0.005 * days[:, None], 0.1 * truth)]
    ['stable', 'drift', 'loss of seasonality']
    """
    raw = np.asarray(series, dtype=np.float64)
    raw = raw[:, None] if raw.ndim == 1 else raw
    if raw.ndim != 2 or raw.shape[1] != climatology.mean.size:
        raise DomainError("series", raw.shape, f"shape (T, {climatology.mean.size})")
    cycle = float(positive_array("period", period))
    if raw.shape[0] < 2 * cycle:
        raise DomainError("series", raw.shape[0], f"at least two periods, {2 * cycle:g} steps")
    default = max(int(cycle / 10), 1) if block is None else block
    length = int(integer_array("block", default, at_least=1, at_most=raw.shape[0] // 5))
    level = float(real_array("confidence", confidence, at_least=0.5, at_most=0.9999))
    finite = np.isfinite(raw).all(axis=0)
    away = np.abs(np.where(finite, raw, 0.0) - climatology.mean).max(axis=0)
    beyond = np.where(away > 0, np.inf, 0.0)  # of a climatology that never moves
    deviations = np.divide(away, climatology.std, out=beyond, where=climatology.std > 0)
    furthest = np.where(finite, deviations, np.inf)
    fit = _fit(np.where(finite, raw, 0.0), cycle)
    lower, upper = _slope_interval(fit, length, level, resamples, generator)
    ratio = _share(fit.amplitude, climatology.seasonal_amplitude)
    window = round(cycle)
    kept = _share(fit.residuals[-window:].var(axis=0), fit.residuals[:window].var(axis=0))
    return [
        Regime(
            _label(
                furthest[c] > largest_deviation,
                lower[c] > 0 or upper[c] < 0,
                bool(ratio[c] < smallest_seasonal_ratio),
                bool(kept[c] < smallest_variance_ratio),
            ),
            *(float(part[c]) for part in (furthest, fit.slope, lower, upper, ratio, kept)),
        )
        for c in range(raw.shape[1])
    ]


def _share(part: FloatArray, whole: FloatArray) -> FloatArray:
    """part / whole, undefined where there is nothing to share."""
    return np.divide(part, whole, out=np.full_like(part, np.nan), where=whole > 0)


def _label(blow_up: bool, drift: bool, seasons_lost: bool, variance_lost: bool) -> str:
    names = ("blow-up", "drift", "loss of seasonality", "loss of variance")
    found = (blow_up, drift, seasons_lost, variance_lost)
    return next((name for name, true in zip(names, found, strict=True) if true), "stable")


def _series(name: str, values: Any, period: float) -> FloatArray:
    series = real_array(name, values)
    series = series[:, None] if series.ndim == 1 else series
    if series.ndim != 2 or series.shape[0] < positive_array("period", period):
        raise DomainError(name, series.shape, f"shape (T, channels) with T at least {period:g}")
    return series


def _fit(series: FloatArray, period: float) -> _Fit:
    """Level, trend and one harmonic, by least squares."""
    times = np.arange(series.shape[0])
    angle = 2 * np.pi * times / period
    design = np.column_stack([np.ones(times.size), times, np.cos(angle), np.sin(angle)])
    inverse = np.linalg.pinv(design)
    level = series.mean(axis=0)
    coefficients = inverse @ (series - level)
    residuals = series - level - design @ coefficients
    rounding = _ROUNDING * np.abs(series).max(axis=0)
    return _Fit(
        coefficients[1],
        np.hypot(*coefficients[2:]),
        np.where(np.abs(residuals).max(axis=0) > rounding, residuals, 0.0),
        inverse[1],
        rounding * np.abs(inverse[1]).sum(),
    )


def _slope_interval(
    fit: _Fit, block: int, confidence: float, resamples: int, generator: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Basic bootstrap interval of the slope from moving blocks of residuals.

    Residuals are smaller than the noise, since four parameters were fitted: so many blocks less.
    """
    steps, channels = fit.residuals.shape
    pieces = -(-steps // block)
    residuals = fit.residuals * np.sqrt(pieces / (pieces - 4))
    slopes = np.empty((resamples, channels))
    for row in range(resamples):
        starts = generator.integers(0, steps - block + 1, pieces)
        picked = (starts[:, None] + np.arange(block)).ravel()[:steps]
        slopes[row] = fit.slope_weights @ residuals[picked]
    low, high = np.quantile(slopes, [(1 - confidence) / 2, (1 + confidence) / 2], axis=0)
    return fit.slope - high - fit.slope_rounding, fit.slope - low + fit.slope_rounding
