"""What the channels of a long rollout do."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

import numpy as np

from rolltheory.errors import DomainError
from rolltheory.graph_world.regimes import Climatology, Regime, rollout_regimes
from rolltheory.numerics.arguments import positive_array
from rolltheory.numerics.generators import seeded_generator
from rolltheory.readers.series import Series

__all__ = ["RegimeReport", "regime_report"]

_FEWEST = 5  # blocks of the bootstrap, since four parameters are fitted
_FEW = 30  # steps, of which a standard deviation says little


@dataclass(frozen=True)
class RegimeReport:
    """A regime per channel.

    Attributes
    ----------
    steps : of the series
    period : of the season, in steps
    confidence : of the interval of each trend
    seed : of the bootstrap
    own_reference : whether the first period of the series itself stands in for a reference
    caution : what the numbers cannot bear; None if nothing is known against them
    channels : names
    regimes : of the channels
    """

    steps: int
    period: float
    confidence: float
    seed: int
    own_reference: bool
    caution: str | None
    channels: tuple[str, ...]
    regimes: tuple[Regime, ...]


def regime_report(
    series: Series,
    reference: Series | None = None,
    *,
    period: float,
    confidence: float = 0.99,
    seed: int = 0,
) -> RegimeReport:
    """Label each channel of a rollout.

    Parameters
    ----------
    series : Series, over at least two periods
    reference : Series
        The same channels of what it should look like, over a period at least; the first period of
        the series itself if not given.
    period : of the season, in steps
    confidence : of the interval of each trend
    seed : of the bootstrap

    Returns
    -------
    RegimeReport

    Raises
    ------
    DomainError
        for channels that differ, or too few steps.
    """
    cycle = float(positive_array("period", period))
    if cycle < 2:
        raise DomainError("period", period, "at least 2 steps, the shortest season that shows")
    needed = max(ceil(2 * cycle), _FEWEST)
    _require_steps("series", series, needed, f"two periods of {cycle:g}, and {_FEWEST} in any case")
    normal = series.values[: ceil(cycle)]
    if reference is None and not np.isfinite(normal).all():
        allowed = "finite numbers in its first period, or a reference"
        raise DomainError("series", float(normal[~np.isfinite(normal)][0]), allowed)
    if reference is not None:
        _require_steps("reference", reference, ceil(cycle), f"one period of {cycle:g}")
        missing = set(series.names) ^ set(reference.names)
        if missing:
            raise DomainError("reference", sorted(missing), "the channels of the series")
        order = [reference.names.index(name) for name in series.names]
        normal = reference.values[:, order]
    found = rollout_regimes(
        series.values,
        Climatology.of(normal, period=cycle),
        period=cycle,
        generator=seeded_generator(seed, "regimes"),
        confidence=confidence,
    )
    return RegimeReport(
        steps=series.values.shape[0],
        period=cycle,
        confidence=confidence,
        seed=seed,
        own_reference=reference is None,
        caution=_caution(normal.shape[0], reference is None),
        channels=series.names,
        regimes=tuple(found),
    )


def _require_steps(name: str, series: Series, needed: int, why: str) -> None:
    steps = series.values.shape[0]
    if steps < needed:
        raise DomainError(name, steps, f"at least {needed} steps: {why}")


def _caution(steps: int, own: bool) -> str | None:
    if steps >= _FEW:
        return None
    source = "the first period" if own else "the reference"
    return (
        f"{source} has {steps} steps, too few to know what is usual: a slow change may leave its"
        " mean by many of its standard deviations. A longer --reference is to be trusted more."
    )
