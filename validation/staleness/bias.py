"""Property tests and simulations of the bounds on the bias of stale gradients."""

from __future__ import annotations

from typing import Any

from rolltheory.claims import Budget, Kind, check
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
from rolltheory.staleness.claims.prompts import Prompt

__all__ = [
    "any_bias_at_its_bound",
    "any_binary_bias",
    "any_binary_bias_by_success",
    "any_clipped_bias",
    "any_exact_ratio_bias",
    "any_no_ratio_bias",
    "any_prompt",
]

ANY = "two to four actions with any rational probabilities, rewards 0 to 3, n <= 4"
ANY_BINARY = "two to four actions with any rational probabilities, rewards 0 and 1, n = 2, 4, 5, 8"


def _policies(actions: int) -> Any:
    from fractions import Fraction

    from hypothesis import strategies as st

    weights = st.lists(st.integers(1, 200), min_size=actions, max_size=actions)
    return weights.map(lambda w: tuple(Fraction(part, sum(w)) for part in w))


def any_prompt(largest_reward: int, sizes: tuple[int, ...], **options: Any) -> Any:
    """A strategy for prompts with any policies and rewards."""
    from hypothesis import strategies as st

    def of_size(actions: int) -> Any:
        rewards = st.tuples(*[st.integers(0, largest_reward)] * actions)
        return st.builds(
            Prompt,
            policy=_policies(actions),
            behaviour=_policies(actions),
            rewards=rewards.filter(lambda r: len(set(r)) > 1),
            group_size=st.sampled_from(sizes),
            **options,
        )

    return st.integers(2, 4).flatmap(of_size)


def _small() -> Any:
    from hypothesis import strategies as st

    return st.fractions("1/100000", "1/20", max_denominator=100_000)


@check(
    bias_is_within_the_exact_ratio_bound,
    kind=Kind.PROPERTY_TESTED,
    domain=f"{ANY}; the families of the largest known bias, n <= 40",
)
def any_exact_ratio_bias(_: Budget) -> Any:
    """Random prompts, and families near the bound."""
    from hypothesis import strategies as st

    outliers = st.builds(far_outlier, _small(), st.integers(2, 40))
    return st.one_of(any_prompt(3, (2, 3, 4)), st.builds(between_rewards, _small()), outliers)


@check(
    bias_is_within_the_clipped_bound,
    kind=Kind.PROPERTY_TESTED,
    domain=f"{ANY}, any band, either rule; pairs just outside narrow bands",
)
def any_clipped_bias(_: Budget) -> Any:
    """Random prompts, and pairs just outside the band."""
    from hypothesis import strategies as st

    width = st.fractions("1/100", "9/10", max_denominator=100)
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

    ordinary = any_prompt(3, (2, 3, 4), ratio=st.just("none"))
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
    """Random prompts, and small moves at success probabilities around 0.28."""
    from hypothesis import strategies as st

    def near(p: Any, moved: Any) -> Prompt:
        return Prompt((p, 1 - p), (p - moved, 1 - p + moved), (1, 0), 4)

    best = st.builds(near, st.fractions("1/4", "3/10", max_denominator=100), _small())
    return st.one_of(_binary(), best)


@check(
    bias_is_its_bound,
    kind=Kind.PROPERTY_TESTED,
    domain=ANY_BINARY,
    tolerance=1e-12,
)
def any_bias_at_its_bound(_: Budget) -> Any:
    """The repair, the difference of the library's weights, against balls."""
    return _binary()
