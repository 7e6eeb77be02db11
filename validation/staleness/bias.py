"""Property tests and simulations of the bounds on the bias of stale gradients."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from rolltheory.claims import Budget, ConfidenceInterval, Kind, Sides, check
from rolltheory.staleness.claims.bias import (
    between_rewards,
    bias_is_its_bound,
    bias_is_within_the_binary_bound,
    bias_is_within_the_clipped_bound,
    bias_is_within_the_exact_ratio_bound,
    bias_is_within_the_no_ratio_bound,
    bias_is_within_the_success_bound,
    far_outlier,
    just_outside_the_band,
    rare_best_or_worst,
)
from rolltheory.staleness.claims.bias_orders import (
    Ascent,
    Shift,
    bias_grows_with_lag_and_rate,
    bias_grows_with_the_displacement,
    bias_is_at_most_linear_in_the_lag,
)
from rolltheory.staleness.claims.clipping import (
    Anchored,
    clipped_map_is_lipschitz,
    one_sided_clipping_bounds_the_second_moment,
)
from rolltheory.staleness.claims.prompts import Prompt
from rolltheory.staleness.claims.tokens import (
    Sequences,
    diverging_prefixes,
    token_bias_is_within_its_bound,
)
from rolltheory.staleness.surrogate import binary_surrogate_gradient
from simulators.staleness.policies import feature_prompts
from validation.staleness.prompts import any_policy, any_prompt, share

__all__ = [
    "MeasuredExponent",
    "any_anchor",
    "any_ascent",
    "any_bias_at_its_bound",
    "any_binary_bias",
    "any_binary_bias_by_success",
    "any_clipped_bias",
    "any_exact_ratio_bias",
    "any_no_ratio_bias",
    "any_order",
    "any_second_moment",
    "any_token_bias",
    "simulated_exponents",
]

ANY = "two to four actions with any rational probabilities, rewards 0 to 3, n <= 4"
ANY_BINARY = "two to four actions with any rational probabilities, rewards 0 and 1, n = 2, 4, 5, 8"


def _small() -> Any:
    return share(1, 5000, 100_000)


@check(
    bias_is_within_the_exact_ratio_bound,
    kind=Kind.PROPERTY_TESTED,
    domain=f"{ANY}; the families of the largest known bias, n <= 32",
)
def any_exact_ratio_bias(_: Budget) -> Any:
    """Random prompts, and families near the bound."""
    from hypothesis import strategies as st

    outliers = st.builds(far_outlier, share(1, 1000, 100_000), st.sampled_from([24, 32]))
    return st.one_of(any_prompt(3, (2, 3, 4)), st.builds(between_rewards, _small()), outliers)


@check(
    bias_is_within_the_clipped_bound,
    kind=Kind.PROPERTY_TESTED,
    domain=f"{ANY}, any band, either rule; pairs just outside narrow bands",
)
def any_clipped_bias(_: Budget) -> Any:
    """Random prompts, and pairs just outside the band."""
    from hypothesis import strategies as st

    width = share(1, 90, 100)
    clipped = any_prompt(
        3,
        (2, 3, 4),
        clip=st.tuples(width, width),
        clip_rule=st.sampled_from(["one_sided", "two_sided"]),
    )
    return st.one_of(clipped, st.builds(just_outside_the_band, _small()))


@check(
    bias_is_within_the_no_ratio_bound,
    kind=Kind.PROPERTY_TESTED,
    domain=f"{ANY}; a rare best or worst action",
)
def any_no_ratio_bias(_: Budget) -> Any:
    """Random prompts, and the family of the largest known bias."""
    from hypothesis import strategies as st

    ordinary = any_prompt(3, (2, 3, 4), ratio="none")
    return st.one_of(ordinary, st.builds(rare_best_or_worst, _small()))


def _binary() -> Any:
    """A tenth of them have two actions and a rare success."""
    from hypothesis import strategies as st

    def rare(p: Any, n: int) -> Prompt:
        return Prompt((p / 2, 1 - p / 2), (p, 1 - p), (1, 0), n)

    rare_successes = st.builds(rare, _small(), st.sampled_from([4, 8]))
    moved = any_prompt(1, (2, 4, 5, 8)).filter(
        lambda case: case.success(case.policy) != case.success(case.behaviour)
    )
    return st.one_of(moved, rare_successes)


@check(bias_is_within_the_success_bound, kind=Kind.PROPERTY_TESTED, domain=ANY_BINARY)
def any_binary_bias_by_success(_: Budget) -> Any:
    """Rare successes included, where the bound is attained in the limit."""
    return _binary()


@check(
    bias_is_within_the_binary_bound,
    kind=Kind.PROPERTY_TESTED,
    domain=f"{ANY_BINARY}; two actions near the best instance known",
)
def any_binary_bias(_: Budget) -> Any:
    """Random prompts, and moves between success probabilities around 0.37 and 0.14."""
    from hypothesis import strategies as st

    def near(p: Fraction, q: Fraction) -> Prompt:
        return Prompt((p, 1 - p), (q, 1 - q), (1, 0), 4)

    best = st.builds(near, share(35, 40, 100), share(12, 17, 100))
    return st.one_of(_binary(), best)


@check(bias_is_its_bound, kind=Kind.PROPERTY_TESTED, domain=ANY_BINARY, within=1e-12)
def any_bias_at_its_bound(_: Budget) -> Any:
    """The repair, the difference of the library's weights, against balls."""
    return any_prompt(1, (4, 8))


@check(
    bias_grows_with_the_displacement,
    kind=Kind.PROPERTY_TESTED,
    domain="4 <= n <= 10, p in twelfths",
    within=1e-9,
)
def any_order(_: Budget) -> Any:
    """Balls of 192 bits."""
    from hypothesis import strategies as st

    return st.builds(Shift, share(1, 11, 12), st.integers(4, 10))


@check(
    bias_is_at_most_linear_in_the_lag,
    kind=Kind.PROPERTY_TESTED,
    domain="n = 4, any lag from 8 to 12, rates up to 1/20, starts from -2 to 0, 10 updates",
)
def any_ascent(_: Budget) -> Any:
    """Every update in balls."""
    from hypothesis import strategies as st

    return st.builds(
        Ascent,
        start=share(-20, 0, 10),
        group_size=st.just(4),
        lag=st.integers(8, 12),
        learning_rate=share(1, 5, 100),
        steps=st.just(10),
    )


@check(
    clipped_map_is_lipschitz,
    kind=Kind.PROPERTY_TESTED,
    domain="p_theta = 1/2, n = 2, a band of 20 %, any two success probabilities near its edge",
)
def any_anchor(_: Budget) -> Any:
    """Pairs on both sides of the edge."""
    from hypothesis import strategies as st

    half, width = Fraction(1, 2), Fraction(1, 5)
    near = share(5, 50, 1000)

    def around_the_edge(above: Fraction, below: Fraction) -> Anchored:
        q, other = Fraction(5, 12) + above / 100, Fraction(5, 12) - below / 100
        prompt = Prompt((half, half), (q, 1 - q), (1, 0), 2, clip=(width, width))
        return Anchored(prompt, (other, 1 - other))

    return st.builds(around_the_edge, near, near)


@check(
    one_sided_clipping_bounds_the_second_moment,
    kind=Kind.PROPERTY_TESTED,
    domain="two to four actions with any rational probabilities, a band of 20 %",
)
def any_second_moment(_: Budget) -> Any:
    """Advantages are negative, as the rewards are."""

    band = (Fraction(1, 5), Fraction(1, 5))
    prompts = any_prompt(1, (2,), clip=band)
    return prompts.map(
        lambda case: Prompt(
            case.policy, case.behaviour, tuple(-r for r in case.rewards), 2, clip=band
        )
    )


@check(
    token_bias_is_within_its_bound,
    kind=Kind.PROPERTY_TESTED,
    domain="two tokens of two kinds, any rational rows; the family of the largest known bias",
)
def any_token_bias(_: Budget) -> Any:
    """Mean-only advantages, or those of a group of two."""
    from hypothesis import strategies as st

    table = st.tuples(*[any_policy(2)] * 3)
    ordinary = st.builds(
        Sequences,
        policy=table,
        behaviour=table,
        rewards=st.tuples(*[st.integers(0, 3)] * 4),
        std=st.sampled_from([None, "population"]),
    )
    return st.one_of(ordinary, st.builds(diverging_prefixes, _small()))


COPIES = 64
EXPONENT_LEVEL = 1e-6


@dataclass(frozen=True)
class MeasuredExponent:
    """Growth exponents of the mean bias along stale ascent, one for each set of prompts."""

    varied: str
    lag: int
    learning_rate: float
    group_size: int
    exponents: Any = field(repr=False)

    @property
    def is_of_first_order(self) -> bool:
        """Whether S eta is small; random prompts do not stay at p = 1/2."""
        return self.group_size >= 4 and self.lag * self.learning_rate < 0.2

    def interval(self) -> ConfidenceInterval:
        """For the mean exponent; Student's quantile of the error level is below 6."""
        reach = 6 * self.exponents.std(ddof=1) / np.sqrt(self.exponents.size)
        mean = float(self.exponents.mean())
        return ConfidenceInterval(mean - reach, mean + reach, EXPONENT_LEVEL)


def _measured(case: MeasuredExponent, exponent: Fraction = Fraction(1)) -> Sides:
    return Sides(case.interval(), exponent)


def mean_bias(prompts: Any, lag: int, learning_rate: float, group_size: int) -> Any:
    """Mean size of the bias along stale ascent from 0 over T eta = 2, for each set of prompts."""
    features, correct = prompts

    def gradient(theta: Any, phi: Any) -> Any:
        logits, stale = (
            np.einsum("cpka,ca->cpk", features, parameters) for parameters in (theta, phi)
        )
        per_prompt = binary_surrogate_gradient(logits, stale, correct, group_size)
        return np.einsum("cpka,cpk->ca", features, per_prompt) / features.shape[1]

    path, total = [np.zeros((len(features), features.shape[-1]))], 0.0
    steps = round(2 / learning_rate)
    for step in range(steps):
        theta = path[-1]
        update = gradient(theta, path[max(0, step - lag)])
        total = total + np.linalg.norm(update - gradient(theta, theta), axis=-1)
        path.append(theta + learning_rate * update)
    return total / steps


@check(
    bias_grows_with_lag_and_rate,
    kind=Kind.SIMULATED,
    domain=f"{COPIES} random sets of 3 prompts that share 3 parameters, n = 8, T eta = 2; the lag"
    " or the rate doubled from S = 2, eta = 1/50",
    route=_measured,
    teeth={name: tooth.subject for name, tooth in bias_grows_with_lag_and_rate.teeth.items()},
    within=0.03,
    error_level=2 * EXPONENT_LEVEL,
)
def simulated_exponents(budget: Budget) -> Iterator[MeasuredExponent]:
    """Real ascent with data of a fixed age, not straight lines."""
    lag, rate, n = 2, 0.02, 8
    prompts = feature_prompts(3, 3, 3, copies=COPIES, generator=budget.generator())
    start = mean_bias(prompts, lag, rate, n)
    doubled = {"lag": (2 * lag, rate), "learning_rate": (lag, 2 * rate)}
    for varied, (other_lag, other_rate) in doubled.items():
        growth = np.log2(mean_bias(prompts, other_lag, other_rate, n) / start)
        yield MeasuredExponent(varied, lag, rate, n, growth)
