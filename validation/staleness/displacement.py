"""Simulations and property tests of the claims about aligned drift and about cosines."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from rolltheory.claims import Budget, ConfidenceInterval, Kind, check
from rolltheory.staleness.claims.cosines import (
    MeasuredGradients,
    Stream,
    cosine_law_of_fresh_gradients,
    high_cosine_means_stale,
    mean_of_cosines,
)
from rolltheory.staleness.claims.displacement import (
    CollapseSlope,
    MeasuredExponent,
    MeasuredWalk,
    OneMoreUpdate,
    aligned_collapse_law,
    closed_form_by_induction,
    displacement_law,
    divergence_grows_as_displacement,
)
from simulators.staleness.walks import correlated_walk, fresh_gradient_pairs
from validation.staleness.intervals import mean_interval

__all__ = [
    "any_next_update",
    "simulated_collapse_slopes",
    "simulated_divergences",
    "simulated_gradients",
    "simulated_means_of_cosines",
    "simulated_streams",
    "simulated_walks",
]

ERROR_LEVEL = 1e-6
WALKS = 10_000
CORRELATIONS = tuple(map(Fraction, ("0", "1/2", "4/5", "1")))
RATIOS = tuple(map(Fraction, ("1/10", "1", "10")))
PAIRS = f"{WALKS} pairs of Gaussian gradients in {{}} dimensions, SNR 0.1, 1 and 10"


def walks(budget: Budget, updates: int) -> Iterator[tuple[Fraction, Any]]:
    """Walks (updates + 1, WALKS, 3) of each correlation."""
    generator = budget.generator()
    for rho in CORRELATIONS:
        yield (
            rho,
            correlated_walk(np.full(WALKS, float(rho)), updates, dimension=3, generator=generator),
        )


@check(
    displacement_law,
    kind=Kind.SIMULATED,
    domain=f"{WALKS} walks of 5 and of 20 unit updates in three dimensions, rho 0, 1/2, 4/5 and 1",
    tolerance=1e-12,
    error_level=ERROR_LEVEL,
)
def simulated_walks(budget: Budget) -> Iterator[MeasuredWalk]:
    """Mean squared distances."""
    for rho, path in walks(budget, 20):
        for horizon in (5, 20):
            squares = (path[horizon] ** 2).sum(-1)
            yield MeasuredWalk(horizon, rho, mean_interval(squares, ERROR_LEVEL / 8))


@check(
    closed_form_by_induction,
    kind=Kind.PROPERTY_TESTED,
    domain="T <= 50, rho any rational within (-1, 1) with a denominator up to 100",
)
def any_next_update(_: Budget) -> Any:
    """In rationals."""
    from hypothesis import strategies as st

    rho = st.integers(-99, 99).map(lambda j: Fraction(j, 100))
    return st.builds(OneMoreUpdate, st.integers(1, 50), rho)


@check(
    divergence_grows_as_displacement,
    kind=Kind.SIMULATED,
    domain=f"{WALKS} walks of three logits in steps of 0.01 from a uniform policy, lags 4 to 8 and "
    "10 to 20",
    within=0.02,
    error_level=ERROR_LEVEL,
)
def simulated_divergences(budget: Budget) -> Iterator[MeasuredExponent]:
    """Mean KL(behaviour||current) at a lag and at twice that lag."""
    for rho, path in walks(budget, 20):
        for horizon in (4, 10):
            near, far = (divergence_from_uniform(0.01 * path[t]) for t in (horizon, 2 * horizon))
            yield MeasuredExponent(horizon, rho, exponent_interval(near, far, ERROR_LEVEL / 8))


def divergence_from_uniform(logits: Any) -> Any:
    """KL (R,) of the uniform policy from the policies of the logits (R, K)."""
    return np.log(np.exp(logits).mean(-1)) - logits.mean(-1)


def exponent_interval(near: Any, far: Any, error_level: float) -> ConfidenceInterval:
    """Interval for log2 of the ratio of two means over the same runs."""
    low, high = (mean_interval(values, error_level / 2) for values in (near, far))
    return ConfidenceInterval(
        float(np.log2(high.low / low.high)), float(np.log2(high.high / low.low)), error_level
    )


@check(
    aligned_collapse_law,
    kind=Kind.SIMULATED,
    domain=f"{WALKS} walks of unit updates in three dimensions, collapse times 5 and 10",
    within=1e-9,
    error_level=ERROR_LEVEL,
)
def simulated_collapse_slopes(budget: Budget) -> Iterator[CollapseSlope]:
    """Slopes between the learning rates that bring the same mean distance at T and at 2T."""
    for rho, path in walks(budget, 10):
        near, far = ((path[t] ** 2).sum(-1) for t in (5, 10))
        growth = exponent_interval(near, far, ERROR_LEVEL / 4)
        slope = ConfidenceInterval(-2 / growth.low, -2 / growth.high, growth.error_level)
        yield CollapseSlope(5, rho, slope)


def gradients(budget: Budget, dimension: int) -> Iterator[MeasuredGradients]:
    """Pairs of fresh batches."""
    generator = budget.generator()
    for snr in RATIOS:
        pair = fresh_gradient_pairs(
            np.full(WALKS, float(snr)), dimension=dimension, generator=generator
        )
        products = (pair[0] * pair[1]).sum(-1)
        norms = np.linalg.norm(pair[0], axis=-1) * np.linalg.norm(pair[1], axis=-1)
        level = ERROR_LEVEL / 6
        yield MeasuredGradients(
            snr,
            mean_interval(products / (1 + float(snr)), level),
            mean_interval(products / norms, level),
        )


@check(
    cosine_law_of_fresh_gradients,
    kind=Kind.SIMULATED,
    domain=PAIRS.format(8),
    error_level=ERROR_LEVEL,
)
def simulated_gradients(budget: Budget) -> Iterator[MeasuredGradients]:
    """Ratios of means."""
    return gradients(budget, 8)


@check(mean_of_cosines, kind=Kind.SIMULATED, domain=PAIRS.format(1), error_level=ERROR_LEVEL)
def simulated_means_of_cosines(budget: Budget) -> Iterator[MeasuredGradients]:
    """In one dimension, where a cosine is a sign."""
    return gradients(budget, 1)


@check(
    high_cosine_means_stale,
    kind=Kind.SIMULATED,
    domain=PAIRS.format(8),
    error_level=ERROR_LEVEL,
)
def simulated_streams(budget: Budget) -> Iterator[Stream]:
    """Fresh gradients; the alarm goes off where the whole interval is above one half."""
    for measured in gradients(budget, 8):
        yield Stream(0, measured.ratio.low, measured.snr)
