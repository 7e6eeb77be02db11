"""Claims about long rollouts of emulators: growth by wavenumber, and labels of regimes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from rolltheory.claims import (
    Counterexample,
    Relation,
    Sides,
    Source,
    Tight,
    Tooth,
    Verdict,
    claim,
)
from rolltheory.graph_world.claims.coverage import share_of
from rolltheory.graph_world.regimes import (
    Climatology,
    Regime,
    noise_gain,
    rollout_regimes,
    spectral_growth_rate,
)
from rolltheory.numerics.generators import seeded_generator
from rolltheory.numerics.rounding import rounded_up

__all__ = [
    "Bands",
    "Field",
    "PlantedRegime",
    "PlantedTrend",
    "bands_bound_the_growth",
    "drift_interval_covers",
    "fields_follow_the_fastest",
    "global_gain_bounds",
    "regimes_are_named",
]

PAGE = "docs/theory/graph_world.md#regimes"
LINEAR = "each wavenumber is multiplied by its own number"
FORGETS = "the noise forgets within a block"
RESAMPLES = 300


@dataclass(frozen=True)
class Field:
    """Multipliers of the wavenumbers, the first coefficients, and the steps.

    Multipliers must be floats exactly, such as quarters. ``mixes`` swaps neighbours at each step.
    """

    multiplier: tuple[Fraction, ...]
    start: tuple[Fraction, ...]
    steps: int
    mixes: bool = False

    def norm_squared(self, steps: int) -> Fraction:
        """After so many steps."""
        field = self.start
        for _ in range(steps):
            field = tuple(a * x for a, x in zip(self.multiplier, field, strict=True))
            if self.mixes:
                total = sum(field, Fraction(0))
                field = tuple(total for _ in field)
        return sum((x * x for x in field), Fraction(0))


Rate = Callable[[list[float]], float]


@claim(
    "graph_world.regimes.growth",
    statement=r"E(t) = \sum_k |a(k)|^{2t} E_k(0) \le \max_k |a(k)|^{2t} E(0)",
    relation=Relation.AT_MOST,
    source=Source.derived(PAGE),
    assumes={LINEAR: lambda case: not case.mixes},
    teeth={
        "10 % smaller": lambda a: spectral_growth_rate(a) * 0.9,
        "white-noise gain": lambda a: float(noise_gain(a)[0]),
        "the mean": lambda a: sum(map(abs, a)) / len(a),
    },
    breaks={
        LINEAR: Counterexample(
            Field((Fraction(1), Fraction(1)), (Fraction(1), Fraction(1)), 1, mixes=True),
            "Wavenumbers that feed each other grow although no multiplier does.",
        )
    },
    tight=Tight(Field((Fraction(1, 2), Fraction(5, 4)), (Fraction(0), Fraction(1)), 8)),
)
def fields_follow_the_fastest(case: Field, rate: Rate = spectral_growth_rate) -> Sides:
    """A linear emulator grows at the rate of its fastest wavenumber, and no faster."""
    growth = Fraction(rate([float(a) for a in case.multiplier]))
    return Sides(case.norm_squared(case.steps), growth ** (2 * case.steps) * case.norm_squared(0))


@dataclass(frozen=True)
class Bands:
    """Multipliers, and where their bands begin and end."""

    multiplier: tuple[Fraction, ...]
    edges: tuple[int, ...]

    @property
    def fastest_squared(self) -> Fraction:
        """max |a|^2."""
        return max(a * a for a in self.multiplier)


def widest_gains(case: Bands) -> Fraction:
    """max over bands of their width times the squared gain."""
    gains = rounded_up(noise_gain([float(a) for a in case.multiplier], bands=case.edges), 8)
    widths = [b - a for a, b in pairwise(case.edges)]
    return max(width * Fraction(gain) ** 2 for width, gain in zip(widths, gains, strict=True))


def largest_gain(case: Bands) -> Fraction:
    """max over bands of the squared gain."""
    gains = noise_gain([float(a) for a in case.multiplier], bands=case.edges)
    return Fraction(float(gains.max())) ** 2


@claim(
    "graph_world.regimes.band_gain",
    statement=r"\max_k |a(k)|^2 \le \max_{\mathrm{bands}} |\mathrm{band}|\, g_{\mathrm{band}}^2,"
    r"\quad g_{\mathrm{band}}^2 = \mathrm{mean}_{k \in \mathrm{band}} |a(k)|^2",
    relation=Relation.AT_MOST,
    source=Source.derived(PAGE),
    assumes={},
    teeth={
        "10 % smaller": lambda case: widest_gains(case) * 9 / 10,
        "gain without the width": largest_gain,
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    tight=Tight(Bands((Fraction(0), Fraction(2), Fraction(1), Fraction(1)), (0, 2, 4))),
)
def bands_bound_the_growth(case: Bands, bound: Callable[[Bands], Fraction] = widest_gains) -> Sides:
    """Gains per band, with the width of the band, bound the growth of every wavenumber.

    Bands of one wavenumber say it exactly.
    """
    return Sides(case.fastest_squared, bound(case))


def passes_at_once(case: Bands) -> bool:
    """White noise over all wavenumbers shrinks."""
    return bool(noise_gain([float(a) for a in case.multiplier])[0] < 1)


def passes_one_by_one(case: Bands) -> bool:
    """White noise in each wavenumber shrinks."""
    every = range(len(case.multiplier) + 1)
    return bool(noise_gain([float(a) for a in case.multiplier], bands=list(every)).max() < 1)


@claim(
    "graph_world.regimes.global_gain",
    statement=r"\sqrt{\mathrm{mean}_k |a(k)|^2} < 1 \implies \max_k |a(k)| \le 1",
    relation=Relation.IMPLIES,
    source=Source.derived(PAGE),
    assumes={},
    repairs={"each wavenumber by itself": passes_one_by_one},
    declared=Verdict.REFUTED,
    repaired_by="graph_world.regimes.band_gain",
)
def global_gain_bounds(case: Bands, passes: Callable[[Bands], bool] = passes_at_once) -> Sides:
    """An emulator that damps white noise in one step does not blow up. False.

    A narrow band may grow while all the others shrink: test the gain of each band.
    """
    return Sides(passes(case), case.fastest_squared <= 1)


@dataclass(frozen=True)
class PlantedTrend:
    """Series (T, c) with a trend planted in every channel: all cases, or draws."""

    series: Any = field(repr=False)
    trend: float
    period: float
    block: int
    promised: Fraction
    forgets: bool = True
    error_level: float | None = None


Interval = tuple[Any, Any]


def regimes_of(case: Any, **options: Any) -> list[Regime]:
    """What the library says of every channel, with a climatology that no one leaves."""
    channels = case.series.shape[1]
    calm = Climatology(np.zeros(channels), np.full(channels, 1e3), np.ones(channels))
    generator = seeded_generator(0, "regimes of a claim")
    settings = {"period": case.period, "resamples": RESAMPLES, "generator": generator}
    return rollout_regimes(case.series, options.pop("climatology", calm), **settings, **options)


def trend_interval(case: PlantedTrend) -> Interval:
    """The library's, for every channel."""
    found = regimes_of(case, block=case.block)
    return np.array([r.slope_lower for r in found]), np.array([r.slope_upper for r in found])


def narrowed(case: PlantedTrend, share: float) -> Interval:
    """So much of the width, about the middle."""
    lower, upper = trend_interval(case)
    middle, reach = (lower + upper) / 2, (upper - lower) / 2
    return middle - share * reach, middle + share * reach


def beside(case: PlantedTrend) -> Interval:
    """The interval moved by its width."""
    lower, upper = trend_interval(case)
    return upper, 2 * upper - lower


@claim(
    "graph_world.regimes.drift_interval",
    statement=r"P(b \in [\mathrm{slope\_lower}, \mathrm{slope\_upper}]) \ge \tfrac{9}{10}"
    r"\quad \text{at a nominal } \tfrac{99}{100}",
    relation=Relation.AT_LEAST,
    source=Source.derived(PAGE),
    assumes={FORGETS: lambda case: case.forgets},
    teeth={
        "no width": lambda case: narrowed(case, 0.0),
        "a third of the width": lambda case: narrowed(case, 0.33),
        "moved by its width": beside,
    },
    breaks={
        FORGETS: Counterexample(
            PlantedTrend(
                np.tril(np.ones((13, 12)), -1) * 2 - 1,
                0.0,
                4,
                1,
                Fraction(9, 10),
                forgets=False,
            ),
            "Noise that turns once is taken for a trend.",
        )
    },
    tight=Tight(
        PlantedTrend(np.zeros((13, 1)), 0.0, 4, 1, Fraction(9, 10)), at_least=Fraction(9, 10)
    ),
)
def drift_interval_covers(
    case: PlantedTrend, interval: Callable[[PlantedTrend], Interval] = trend_interval
) -> Sides:
    """The block bootstrap's interval of a trend covers the planted one, on short series too."""
    lower, upper = interval(case)
    hits = ((lower <= case.trend) & (case.trend <= upper)).tolist()
    return Sides(share_of(hits, error_level=case.error_level), case.promised)


@dataclass(frozen=True)
class PlantedRegime:
    """Series (T, c) with the same regime planted in every channel, and their reference (T', c)."""

    regime: str
    series: Any = field(repr=False)
    reference: Any = field(repr=False)
    period: float
    error_level: float | None = None

    @property
    def climatology(self) -> Climatology:
        """Of the reference."""
        return Climatology.of(self.reference, period=self.period)


def labels(case: PlantedRegime) -> list[str]:
    """The library's."""
    return [regime.label for regime in regimes_of(case, climatology=case.climatology)]


def any_slope_is_drift(case: PlantedRegime) -> list[str]:
    """Without the interval of the slope."""
    found = regimes_of(case, climatology=case.climatology)
    return ["drift" if r.label == "stable" and r.slope else r.label for r in found]


def without(regime: str) -> Callable[[PlantedRegime], list[str]]:
    """One regime is never named."""
    return lambda case: ["stable" if label == regime else label for label in labels(case)]


@claim(
    "graph_world.regimes.labels",
    statement=r"P(\text{label} = \text{planted regime}) \ge \tfrac34",
    relation=Relation.AT_LEAST,
    source=Source.derived(PAGE),
    assumes={},
    teeth={
        "any slope is drift": any_slope_is_drift,
        "no blow-up": without("blow-up"),
        "no drift": without("drift"),
        "no loss of seasonality": without("loss of seasonality"),
        "no loss of variance": without("loss of variance"),
    },
    tight=Tight(
        PlantedRegime(
            "stable",
            np.sin(np.arange(32) * np.pi / 4)[:, None],
            np.sin(np.arange(32) * np.pi / 4)[:, None],
            8,
        ),
        at_least=Fraction(3, 4),
    ),
)
def regimes_are_named(
    case: PlantedRegime, name: Callable[[PlantedRegime], list[str]] = labels
) -> Sides:
    """A planted regime gets its own label, and a stable rollout gets none."""
    hits = [label == case.regime for label in name(case)]
    return Sides(share_of(hits, error_level=case.error_level), Fraction(3, 4))
