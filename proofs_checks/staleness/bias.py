"""Exact checks of the bounds on the bias of stale gradients."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations, product

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

__all__ = [
    "every_anchor",
    "every_ascent",
    "every_bias_at_its_bound",
    "every_binary_bias",
    "every_binary_bias_by_success",
    "every_clipped_bias",
    "every_exact_ratio_bias",
    "every_exponent",
    "every_no_ratio_bias",
    "every_order",
    "every_second_moment",
    "every_token_bias",
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
    points = [Fraction(j, 10**6) for j in (1, 2, 10**5, 144000, 372000, 5 * 10**5, 9 * 10**5)]
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
    within=Fraction(1, 10**12),
)
def every_bias_at_its_bound(_: Budget) -> Iterator[Prompt]:
    """The repair, the difference of the library's weights, against balls."""
    return _binary((8,))


@check(
    token_bias_is_within_its_bound,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "two tokens of two kinds, rows in sixths, n = 2, with and without a band of 20 %",
        "deep": "the same, every order of four rewards",
    },
)
def every_token_bias(budget: Budget) -> Iterator[Sequences]:
    """The family of the largest known bias, and small rationals."""
    yield from (diverging_prefixes(moved) for moved in SMALL)
    rows = [(Fraction(j, 6), Fraction(6 - j, 6)) for j in (1, 3, 5)]
    band = (Fraction(1, 5), Fraction(1, 5))
    orders = list(permutations(range(4))) if budget.deep else [(1, 0, 0, 1), (3, 1, 2, 0)]
    for rewards, behaviour in product(orders, product(rows, repeat=3)):
        for std, clip in ((None, None), ("population", None), ("population", band)):
            yield Sequences((rows[1], rows[0], rows[2]), behaviour, rewards, std=std, clip=clip)


def _anchored(q: Fraction, other: Fraction, width: Fraction) -> Anchored:
    half = Fraction(1, 2)
    prompt = Prompt((half, half), (q, 1 - q), (1, 0), 2, clip=(width, width))
    return Anchored(prompt, (other, 1 - other))


@check(
    clipped_map_is_lipschitz,
    kind=Kind.ENUMERATED,
    domain="p_theta = 1/2, n = 2; pairs 1e-9 apart at each edge of the band, and in twentieths",
)
def every_anchor(_: Budget) -> Iterator[Anchored]:
    """The jumps first."""
    for width in (Fraction(1, 5), Fraction(1, 10)):
        for edge in (1 / (2 * (1 + width)), 1 - 1 / (2 * (1 - width))):
            yield _anchored(edge, edge - Fraction(1, 10**9), width)
        for j, k in product(range(1, 20), repeat=2):
            if j != 10 and k != 10 and j != k:
                yield _anchored(Fraction(j, 20), Fraction(k, 20), width)


@check(
    one_sided_clipping_bounds_the_second_moment,
    kind=Kind.ENUMERATED,
    domain="a rare action that the learner takes half of the time, and three actions in sixths",
)
def every_second_moment(_: Budget) -> Iterator[Prompt]:
    """An action that is ten thousand times rarer under the behaviour policy first."""
    half, band = Fraction(1, 2), (Fraction(1, 5), Fraction(1, 5))
    for rare in (Fraction(1, 10**4), Fraction(1, 10**2)):
        yield Prompt((half, half), (rare, 1 - rare), (-1, 0), 2, clip=band)
    yield from prompts((-1, 0, -2), 2, clip=band)


@check(
    bias_grows_with_the_displacement,
    kind=Kind.CERTIFIED,
    domain="4 <= n <= 12, p in tenths, a shift of 2^-40",
    within=Fraction(1, 10**9),
)
def every_order(_: Budget) -> Iterator[Shift]:
    """Balls of 192 bits."""
    for n in range(4, 13):
        yield from (Shift(Fraction(j, 10), n) for j in range(1, 10))


@check(
    bias_is_at_most_linear_in_the_lag,
    kind=Kind.CERTIFIED,
    domain="n = 4 and 8, lags 8 and 12, rates 1/100 and 1/20, starts -3 to 1, 20 updates",
)
def every_ascent(_: Budget) -> Iterator[Ascent]:
    """Every update in balls."""
    for start, n, lag, rate in product(
        (-1, -3, 0, 1), (4, 8), (12, 8), (Fraction(1, 20), Fraction(1, 100))
    ):
        yield Ascent(Fraction(start), n, lag, rate, 20)


@check(
    bias_grows_with_lag_and_rate,
    kind=Kind.CERTIFIED,
    domain="n = 4, 8 and 16, lags 2 and 4, rate 1/1000, either doubled, starts -3 and -2",
    within=Fraction(1, 100),
)
def every_exponent(_: Budget) -> Iterator[Ascent]:
    """Every update in balls; the exponent within a hundredth."""
    for n, lag, start, varied in product((4, 8, 16), (2, 4), (-3, -2), ("lag", "learning_rate")):
        yield Ascent(Fraction(start), n, lag, Fraction(1, 1000), 24, varied=varied)
