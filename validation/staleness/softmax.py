"""Property tests of the claims about softmax policies and advantages."""

from __future__ import annotations

from typing import Any

from rolltheory.claims import Budget, Check, Claim, Kind, check
from rolltheory.staleness.claims.softmax import (
    ConstantGroup,
    Direction,
    Group,
    advantages_are_bounded,
    chi_squared_is_bounded,
    constant_groups_have_no_advantage,
    kl_is_bounded,
    l1_distance_is_bounded,
    log_ratio_is_bounded,
    nearby,
    rare_action,
    scores_are_short,
    success_curves_boundedly,
    success_slope_is_bounded,
)
from validation.staleness.prompts import any_prompt, share

__all__ = [
    "any_chi_squared",
    "any_constant_group",
    "any_curvature",
    "any_divergence",
    "any_group",
    "any_l1_distance",
    "any_log_ratio",
    "any_score",
    "any_success_slope",
]

ANY = "two to four actions with any rational probabilities; near and rare pairs of two actions"


def pairs() -> Any:
    """A strategy for pairs of policies, some of them near the bounds."""
    from hypothesis import strategies as st

    small = share(1, 10_000, 100_000)
    near = st.one_of(st.builds(nearby, small), st.builds(rare_action, small))
    return st.one_of(any_prompt(1, (2,)), near)


def _any_pair(claim: Claim, name: str) -> Check:
    def supply(_: Budget) -> Any:
        return pairs()

    supply.__name__ = name
    return check(claim, kind=Kind.PROPERTY_TESTED, domain=ANY)(supply)


any_l1_distance = _any_pair(l1_distance_is_bounded, "any_l1_distance")
any_log_ratio = _any_pair(log_ratio_is_bounded, "any_log_ratio")
any_divergence = _any_pair(kl_is_bounded, "any_divergence")
any_chi_squared = _any_pair(chi_squared_is_bounded, "any_chi_squared")
any_score = _any_pair(scores_are_short, "any_score")
any_success_slope = _any_pair(success_slope_is_bounded, "any_success_slope")


@check(
    success_curves_boundedly,
    kind=Kind.PROPERTY_TESTED,
    domain="two to four actions with any rational probabilities and whole directions up to 3;"
    " two opposite directions at success probabilities around 0.21",
)
def any_curvature(_: Budget) -> Any:
    """Random directions, and those along which two actions curve most."""
    from hypothesis import strategies as st

    def random(case: Any, direction: tuple[int, ...]) -> Direction:
        size = len(case.policy)
        return Direction(case.policy, tuple(r > 0 for r in case.rewards), direction[:size])

    steepest = share(200, 220, 1000).map(lambda p: Direction((p, 1 - p), (True, False), (1, -1)))
    directions = st.tuples(*[st.integers(-3, 3)] * 4)
    return st.one_of(st.builds(random, any_prompt(1, (2,)), directions), steepest)


@check(
    advantages_are_bounded,
    kind=Kind.PROPERTY_TESTED,
    domain="3 <= n <= 30, whole rewards from -9 to 9; one success among n",
)
def any_group(_: Budget) -> Any:
    """Random rewards, and the ones that attain the bound."""
    from hypothesis import strategies as st

    std = st.sampled_from(["population", "sample"])
    rewards = st.lists(st.integers(-9, 9), min_size=3, max_size=30).map(tuple)
    one_success = st.integers(3, 30).map(lambda n: (0,) * (n - 1) + (1,))
    return st.builds(Group, st.one_of(rewards, one_success), std)


@check(
    constant_groups_have_no_advantage,
    kind=Kind.PROPERTY_TESTED,
    domain="any double up to 1e6 in size, 2 <= n <= 64",
)
def any_constant_group(_: Budget) -> Any:
    """Rewards of any value."""
    from hypothesis import strategies as st

    return st.builds(ConstantGroup, st.floats(-1e6, 1e6), st.integers(2, 64))
