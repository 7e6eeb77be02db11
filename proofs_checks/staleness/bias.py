"""Exact checks of the bounds on the bias of stale gradients."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from proofs_checks.staleness.surrogate import PAIRS, prompts
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
    "every_bias_at_its_bound",
    "every_binary_bias",
    "every_binary_bias_by_success",
    "every_clipped_bias",
    "every_exact_ratio_bias",
    "every_no_ratio_bias",
]

SMALL = tuple(Fraction(1, 10**j) for j in range(1, 6))
WIDTHS = tuple(Fraction(j, 100) for j in (1, 5, 20, 28))


@check(
    bias_is_within_the_exact_ratio_bound,
    kind=Kind.CERTIFIED,
    domain=f"{PAIRS}, three rewards, n = 2 and 4; a reward between, and far outliers up to n = 40",
)
def every_exact_ratio_bias(_: Budget) -> Iterator[Prompt]:
    """The families of the largest known bias, and small rationals."""
    for moved in SMALL:
        yield between_rewards(moved)
    for n in (4, 16, 40):
        yield from (far_outlier(moved, n) for moved in SMALL)
    for n in (2, 4):
        yield from prompts((0, 1, 3), n)


@check(
    bias_is_within_the_clipped_bound,
    kind=Kind.ENUMERATED,
    domain=f"{PAIRS}, n = 2, bands of 1 to 28 %, either rule; pairs just outside narrow bands",
)
def every_clipped_bias(_: Budget) -> Iterator[Prompt]:
    """Rationals."""
    yield from (just_outside_the_band(width) for width in SMALL)
    for low, high, rule in product(WIDTHS, WIDTHS, ("one_sided", "two_sided")):
        yield from prompts((0, 1, 3), 2, clip=(low, high), clip_rule=rule)


@check(
    bias_is_within_the_no_ratio_bound,
    kind=Kind.ENUMERATED,
    domain=f"{PAIRS}, every order of three rewards, n = 2; a rare best or worst action",
)
def every_no_ratio_bias(_: Budget) -> Iterator[Prompt]:
    """Rationals."""
    yield from (rare_best_or_worst(rare) for rare in SMALL)
    for rewards in product(range(3), repeat=3):
        yield from prompts(rewards, 2, ratio="none")


def _binary(sizes: tuple[int, ...]) -> Iterator[Prompt]:
    """Groups of three are left out: there both sides are 0, which balls do not decide."""
    points = [Fraction(j, 10**6) for j in (1, 2, 10**5, 279000, 280000, 5 * 10**5, 9 * 10**5)]
    for n, p, q in product(sizes, points, points):
        if p != q:
            yield Prompt((p, 1 - p), (q, 1 - q), (1, 0), n)
    for n in sizes:
        yield from (case for case in prompts((1, 0, 0), n) if case.policy[0] != case.behaviour[0])


@check(
    bias_is_within_the_success_bound,
    kind=Kind.CERTIFIED,
    domain="two actions, seven success probabilities by seven; three actions in sixths; n = 4, 8",
)
def every_binary_bias_by_success(_: Budget) -> Iterator[Prompt]:
    """Rare successes included, where the bound is attained in the limit."""
    return _binary((4, 8))


@check(
    bias_is_within_the_binary_bound,
    kind=Kind.CERTIFIED,
    domain="two actions, seven success probabilities by seven; three actions in sixths; n = 4, 8",
)
def every_binary_bias(_: Budget) -> Iterator[Prompt]:
    """The best instance known included."""
    return _binary((4, 8))


@check(
    bias_is_its_bound,
    kind=Kind.CERTIFIED,
    domain="two actions, seven success probabilities by seven; three actions in sixths; n = 8",
    tolerance=Fraction(1, 10**12),
)
def every_bias_at_its_bound(_: Budget) -> Iterator[Prompt]:
    """The repair, the difference of the library's weights, against balls."""
    return _binary((8,))
