"""Property tests and simulations of the claims about importance ratios of sequences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from rolltheory.claims import Budget, ConfidenceInterval, Kind, Sides, check
from rolltheory.staleness.claims.ratios import (
    Padded,
    ScaledExample,
    TwoTokens,
    Versions,
    bias_falls_with_the_ratio,
    full_sequence_ratio_is_unbiased,
    log_ratio_factorises,
    prefix_mean_ends_at_sequence_mean,
    prefix_mean_variance_falls,
    prefix_product_is_called_unbiased,
    prefix_product_variance_grows,
)
from rolltheory.staleness.ratios import (
    minimum_prefix_log_ratio,
    prefix_log_ratio,
    prefix_mean_log_ratio,
)
from rolltheory.stats.concentration import hoeffding_interval
from validation.staleness.strategies import logs

__all__ = [
    "biased_policies",
    "long_responses",
    "many_versions",
    "scales_between",
    "simulated_means",
    "simulated_products",
    "unbiased_policies",
]

SEQUENCES = 20_000
LENGTHS = (2, 8, 32)


@check(log_ratio_factorises, kind=Kind.PROPERTY_TESTED, domain="up to 3 tokens, rational logs")
def many_versions(_: Budget) -> Any:
    """Any three versions of a response."""
    from hypothesis import strategies as st

    def versions(tokens: int) -> Any:
        row = logs(tokens)
        return st.tuples(row, row, row).map(lambda rows: Versions(*rows, rows[1]))

    return st.integers(1, 3).flatmap(versions)


@check(prefix_mean_ends_at_sequence_mean, kind=Kind.PROPERTY_TESTED, domain="up to 12 tokens")
def long_responses(_: Budget) -> Any:
    """Responses of any length."""
    from hypothesis import strategies as st

    return st.integers(1, 12).flatmap(logs).map(Padded)


@dataclass(frozen=True)
class DrawnSteps:
    """Simulated token log-ratios of -1 or 1, independent; one row per sequence."""

    steps: npt.NDArray[np.float64]
    error_level: float
    common: int = 0

    def variance_of(self, aggregate: Any) -> ConfidenceInterval:
        """Interval for the variance of the last token's aggregate, whose mean is 0 by symmetry."""
        squares = aggregate(self.steps)[..., -1] ** 2
        reach = float(max(1, squares.max(), self.steps.shape[1] ** 2))
        low, high = hoeffding_interval(squares, low=0, high=reach, error_level=self.error_level)
        return ConfidenceInterval(low, high, self.error_level)


def drawn(budget: Budget) -> Iterator[DrawnSteps]:
    """Sequences of three lengths."""
    generator = budget.generator()
    for length in LENGTHS:
        signs = generator.choice([-1.0, 1.0], size=(SEQUENCES, length))
        yield DrawnSteps(signs, 1e-6 / len(LENGTHS))


def mean_in_floats(case: DrawnSteps, aggregate: Any = prefix_mean_log_ratio) -> Sides:
    """The variance law of the prefix mean, on simulated sequences."""
    return Sides(case.variance_of(aggregate), 1 / case.steps.shape[1])


def product_in_floats(case: DrawnSteps, aggregate: Any = prefix_log_ratio) -> Sides:
    """The variance law of the prefix product, on simulated sequences."""
    return Sides(case.variance_of(aggregate), case.steps.shape[1])


@check(
    prefix_mean_variance_falls,
    kind=Kind.SIMULATED,
    domain=f"{SEQUENCES} sequences of lengths {LENGTHS}",
    route=mean_in_floats,
    teeth={
        "the product": prefix_log_ratio,
        "the minimum over the prefix": minimum_prefix_log_ratio,
        "the root of the product taken once only": lambda x: 2 * prefix_mean_log_ratio(x),
    },
    error_level=1e-6,
)
def simulated_means(budget: Budget) -> Iterator[DrawnSteps]:
    """Independent fair signs."""
    return drawn(budget)


@check(
    prefix_product_variance_grows,
    kind=Kind.SIMULATED,
    domain=f"{SEQUENCES} sequences of lengths {LENGTHS}",
    route=product_in_floats,
    teeth={"the geometric mean": prefix_mean_log_ratio, "the last token alone": lambda x: x},
    error_level=1e-6,
)
def simulated_products(budget: Budget) -> Iterator[DrawnSteps]:
    """Independent fair signs."""
    return drawn(budget)


def two_tokens(_: Budget) -> Any:
    """Any two policies of two binary tokens, any small rewards."""
    from hypothesis import strategies as st

    chance = st.integers(1, 11).map(lambda n: Fraction(n, 12))
    policy = st.tuples(chance, chance, chance)
    rewards = st.tuples(*[st.integers(-3, 3)] * 4)
    return st.builds(TwoTokens, policy, policy, rewards)


@check(
    full_sequence_ratio_is_unbiased,
    kind=Kind.PROPERTY_TESTED,
    domain="policies in twelfths, rewards within [-3, 3], exact rationals",
)
def unbiased_policies(budget: Budget) -> Any:
    """Any pair of policies."""
    return two_tokens(budget)


@check(
    prefix_product_is_called_unbiased,
    kind=Kind.PROPERTY_TESTED,
    domain="policies in twelfths, rewards within [-3, 3], exact rationals",
)
def biased_policies(budget: Budget) -> Any:
    """Any pair of policies."""
    return two_tokens(budget)


@check(
    bias_falls_with_the_ratio,
    kind=Kind.PROPERTY_TESTED,
    domain="the worked example at scales within [1/100, 6/5]",
)
def scales_between(_: Budget) -> Any:
    """Any scale of the worked example."""
    from hypothesis import strategies as st

    return st.integers(10, 1200).map(lambda n: ScaledExample(Fraction(n, 1000)))
