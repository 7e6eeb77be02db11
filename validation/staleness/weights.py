"""Property tests and simulations of the claims about importance weights and their truncation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from rolltheory.claims import Budget, ConfidenceInterval, Kind, Sides, check
from rolltheory.staleness.claims.lognormal import (
    Lengths,
    deflation_is_called_drift,
    truncated_mean_falls,
    truncated_mean_is_known,
)
from rolltheory.staleness.claims.weights import (
    Clamped,
    Monitored,
    Sampled,
    Threshold,
    TokenLaw,
    Truncated,
    alarm_needs_a_clamp,
    clamped_alarm_is_called_live,
    effective_sample_fraction_has_a_floor,
    high_effective_sample_fraction_is_called_safe,
    rare,
    sequence_fraction_is_a_power,
    truncated_excess_is_bounded,
    truncation_bias_is_bounded,
)
from rolltheory.staleness.lognormal import truncated_lognormal_mean
from rolltheory.stats.concentration import hoeffding_interval
from validation.staleness.strategies import digits, policies

__all__ = [
    "any_clamped_batch",
    "any_excess",
    "any_law_of_tokens",
    "any_lengths",
    "any_monitored_batch",
    "any_pair_of_lengths",
    "any_run",
    "any_threshold",
    "any_truncation",
    "simulated_weights",
]

WEIGHTS = 400_000
LAWS = ((0.25, 2.0), (1.0, 3.0), (4.0, 3.0))


@check(
    effective_sample_fraction_has_a_floor,
    kind=Kind.PROPERTY_TESTED,
    domain="5 weights, clamps up to 4, rationals",
)
def any_clamped_batch(_: Budget) -> Any:
    """Weights anywhere in the range, or four at one end of it."""

    def batch(row: tuple[int, ...]) -> Clamped:
        clamp = 1 + Fraction(row[0] + 1, 7)
        weights = tuple(1 / clamp + (clamp - 1 / clamp) * Fraction(d, 20) for d in row[1:])
        return Clamped(weights, 1 / clamp, clamp)

    return digits(21, 6).map(batch)


@check(
    alarm_needs_a_clamp,
    kind=Kind.PROPERTY_TESTED,
    domain="thresholds in thousandths, the float route",
    tolerance=1e-12,
)
def any_threshold(_: Budget) -> Any:
    """Any threshold but 1."""
    from hypothesis import strategies as st

    return st.integers(1, 999).map(lambda n: Threshold(Fraction(n, 1000)))


@check(clamped_alarm_is_called_live, kind=Kind.PROPERTY_TESTED, domain="4 weights, rationals")
def any_monitored_batch(_: Budget) -> Any:
    """Weights over two orders of magnitude."""
    return digits(100, 4).map(lambda row: Monitored(tuple(Fraction(d + 1, 10) for d in row)))


@check(sequence_fraction_is_a_power, kind=Kind.PROPERTY_TESTED, domain="3 ratios, up to 4 tokens")
def any_law_of_tokens(_: Budget) -> Any:
    """Any law of three equally likely ratios."""

    def law(row: tuple[int, ...]) -> TokenLaw:
        parts = [d + 1 for d in row[1:]]
        return TokenLaw(tuple(Fraction(3 * part, sum(parts)) for part in parts), 1 + row[0] % 4)

    return digits(12, 4).map(law)


@check(
    high_effective_sample_fraction_is_called_safe,
    kind=Kind.PROPERTY_TESTED,
    domain="token fractions from 0.99 on, lengths up to 400",
)
def any_run(_: Budget) -> Any:
    """Token fractions near 1."""
    return digits(400, 2).map(lambda row: Sampled(1 - Fraction(row[0], 40_000), 1 + row[1]))


def truncations(_: Budget) -> Any:
    """Two policies, values within [-1, 1], a cap above 1."""
    from hypothesis import strategies as st

    def case(learner: Any, sampler: Any, row: tuple[int, ...]) -> Truncated:
        values = tuple(Fraction(d - 10, 10) for d in row[1:])
        return Truncated(learner, sampler, values, Fraction(1), 1 + Fraction(row[0] + 1, 20))

    return st.builds(case, policies(3), policies(3), digits(21, 4))


@check(truncation_bias_is_bounded, kind=Kind.PROPERTY_TESTED, domain="3 actions, rationals")
def any_truncation(budget: Budget) -> Any:
    """Any two policies and function; a constant one among them."""
    from hypothesis import strategies as st

    def constant(case: Truncated) -> Truncated:
        return Truncated(case.learner, case.sampler, (Fraction(1),) * 3, Fraction(1), case.cap)

    cases = truncations(budget)
    return st.one_of(cases, cases.map(constant))


@check(truncated_excess_is_bounded, kind=Kind.PROPERTY_TESTED, domain="2 and 3 actions, rationals")
def any_excess(budget: Budget) -> Any:
    """Any two policies, and rare actions that nearly attain the bound."""
    from hypothesis import strategies as st

    return st.one_of(truncations(budget), st.integers(10, 10_000).map(rare))


@dataclass(frozen=True)
class DrawnWeights:
    """Simulated log-normal weights with mean 1, and their cap."""

    weights: npt.NDArray[np.float64]
    log_variance: float
    cap: float
    error_level: float
    shift: float = 0.0


def mean_of_drawn(case: DrawnWeights, mean: Any = truncated_lognormal_mean) -> Sides:
    """Mean of the truncated simulated weights against the formula."""
    truncated = np.minimum(case.weights, case.cap)
    low, high = hoeffding_interval(truncated, low=0, high=case.cap, error_level=case.error_level)
    return Sides(
        ConfidenceInterval(low, high, case.error_level), float(mean(case.log_variance, case.cap))
    )


@check(
    truncated_mean_is_known,
    kind=Kind.SIMULATED,
    domain=f"{WEIGHTS} weights for each of (v, C) in {LAWS}",
    route=mean_of_drawn,
    teeth={name: tooth.subject for name, tooth in truncated_mean_is_known.teeth.items()},
    error_level=1e-6,
)
def simulated_weights(budget: Budget) -> Iterator[DrawnWeights]:
    """Log-normal weights, drawn."""
    generator = budget.generator()
    for variance, cap in LAWS:
        weights = generator.lognormal(-variance / 2, variance**0.5, WEIGHTS)
        yield DrawnWeights(weights, variance, cap, 1e-6 / len(LAWS))


def lengths(_: Budget) -> Any:
    """Two lengths of the same tokens."""

    def case(row: tuple[int, ...]) -> Lengths:
        return Lengths(Fraction(row[0] + 1, 20), 1 + row[1], 2 + row[1] + row[2])

    return digits(40, 3).map(case)


@check(
    truncated_mean_falls,
    kind=Kind.PROPERTY_TESTED,
    domain="v per token up to 2, lengths up to 80, the float route",
    tolerance=1e-15,
)
def any_lengths(budget: Budget) -> Any:
    """Longer against shorter."""
    return lengths(budget)


@check(
    deflation_is_called_drift,
    kind=Kind.PROPERTY_TESTED,
    domain="v per token up to 2, lengths up to 80, the float route",
    tolerance=1e-12,
)
def any_pair_of_lengths(budget: Budget) -> Any:
    """The same tokens in responses of different length."""
    return lengths(budget)
