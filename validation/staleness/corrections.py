"""Property tests of the claims about corrections and selection."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rolltheory.claims import Budget, Kind, check
from rolltheory.staleness.claims.corrections import (
    Bandit,
    Shaped,
    Turned,
    alignment_reaches_the_threshold,
    alignment_shortens_by_a_known_factor,
    baseline_has_least_variance,
    baseline_keeps_the_mean,
    least,
    shaping_factor_is_at_most_a_quarter,
    shaping_factor_is_the_slope,
)
from rolltheory.staleness.claims.selection import (
    Agreement,
    Kept,
    Rejected,
    TwoAgreements,
    dropping_is_called_harmless,
    dropping_moves_the_mean,
    dropping_moves_the_mean_by_little,
    mean_leaves_the_tail_open,
    rejection_targets_the_accepted_mean,
    tail_separates_equal_means,
)
from validation.staleness.strategies import digits, policies

__all__ = [
    "any_agreement",
    "any_bandit",
    "any_dropping",
    "any_harmful_dropping",
    "any_pair_of_agreements",
    "any_rejection",
    "any_rival",
    "any_shaped_slope",
    "any_shaped_token",
    "any_small_dropping",
    "any_turned_gradient",
    "any_turned_norm",
]


def bandits(_: Budget) -> Any:
    """Two policies of three actions, and a baseline at or near the best."""

    def bandit(row: tuple[int, ...]) -> Bandit:
        learner, sampler = (
            tuple(Fraction(d + 1, sum(parts) + 3) for d in parts) for parts in (row[:3], row[3:6])
        )
        best = least(Bandit(learner, sampler))
        return Bandit(learner, sampler, rival=best + Fraction(row[6] - 4, 40))

    return digits(12, 7).map(bandit)


@check(baseline_has_least_variance, kind=Kind.PROPERTY_TESTED, domain="three actions, rationals")
def any_rival(budget: Budget) -> Any:
    """Any policies and any rival."""
    return bandits(budget)


@check(baseline_keeps_the_mean, kind=Kind.PROPERTY_TESTED, domain="three actions, rationals")
def any_bandit(budget: Budget) -> Any:
    """Any policies and any baseline."""
    return bandits(budget)


def turned(_: Budget) -> Any:
    """Gradients on either side of the threshold."""

    def case(row: tuple[int, ...]) -> Turned:
        return Turned(Fraction(row[0] - 10), Fraction(row[1] + 1), Fraction(row[2], 60))

    return digits(57, 3).map(case)


@check(
    alignment_reaches_the_threshold,
    kind=Kind.PROPERTY_TESTED,
    domain="gradients with whole parts, thresholds up to 56/60, the float route",
    tolerance=1e-12,
)
def any_turned_gradient(budget: Budget) -> Any:
    """Any gradient that the projection acts on."""
    return turned(budget)


@check(
    alignment_shortens_by_a_known_factor,
    kind=Kind.PROPERTY_TESTED,
    domain="gradients with whole parts, thresholds up to 56/60, the float route",
    tolerance=1e-12,
)
def any_turned_norm(budget: Budget) -> Any:
    """Any gradient that the projection acts on."""
    return turned(budget)


def shaped(_: Budget) -> Any:
    """Any probability and gamma."""
    return digits(100, 2).map(lambda row: Shaped(Fraction(row[0], 99), Fraction(row[1] + 1, 100)))


@check(shaping_factor_is_at_most_a_quarter, kind=Kind.PROPERTY_TESTED, domain="rationals")
def any_shaped_token(budget: Budget) -> Any:
    """Any probability and gamma."""
    return shaped(budget)


@check(
    shaping_factor_is_the_slope,
    kind=Kind.PROPERTY_TESTED,
    domain="any probability and gamma, against a difference quotient",
    tolerance=1e-7,
)
def any_shaped_slope(budget: Budget) -> Any:
    """Any probability and gamma."""
    return shaped(budget)


@check(rejection_targets_the_accepted_mean, kind=Kind.PROPERTY_TESTED, domain="rationals")
def any_rejection(_: Budget) -> Any:
    """Any three policies of two binary tokens, any threshold up to 2."""

    def case(row: tuple[int, ...]) -> Rejected:
        dense, sparse, learner = (
            (Fraction(row[i] + 1, 21), Fraction(row[i + 1] + 1, 21)) for i in (0, 2, 4)
        )
        return Rejected(learner, dense, sparse, Fraction(row[6] + 1, 10))

    return digits(20, 7).map(case)


def droppings(least: int) -> Any:
    """Three prompts, kept with chances in tenths."""
    from hypothesis import strategies as st

    def case(weights: Any, row: tuple[int, ...]) -> Kept:
        kept = tuple(Fraction(least + d % (11 - least), 10) for d in row[:3])
        return Kept(weights, kept, tuple(Fraction(d, 10) for d in row[3:]))

    return st.builds(case, policies(3), digits(11, 6)).filter(lambda case: case.kept_share() > 0)


@check(dropping_moves_the_mean, kind=Kind.PROPERTY_TESTED, domain="three prompts, rationals")
def any_dropping(_: Budget) -> Any:
    """Any way to drop."""
    return droppings(0)


@check(
    dropping_moves_the_mean_by_little, kind=Kind.PROPERTY_TESTED, domain="three prompts, rationals"
)
def any_small_dropping(_: Budget) -> Any:
    """Any way to drop, and all-or-nothing ones, which come nearest to the bound."""
    from hypothesis import strategies as st

    def all_or_nothing(case: Kept) -> Kept:
        ends = (Fraction(1), Fraction(0), Fraction(0))
        return Kept(case.weights, ends, ends)

    return st.one_of(droppings(0), droppings(0).map(all_or_nothing))


@check(dropping_is_called_harmless, kind=Kind.PROPERTY_TESTED, domain="three prompts, rationals")
def any_harmful_dropping(_: Budget) -> Any:
    """Any way to drop that starves no prompt altogether."""
    return droppings(1)


@check(mean_leaves_the_tail_open, kind=Kind.PROPERTY_TESTED, domain="up to 20 tokens, rationals")
def any_agreement(_: Budget) -> Any:
    """Up to twenty tokens, most of them in full agreement."""

    def case(row: tuple[int, ...]) -> Agreement:
        low = [Fraction(d, 9) for d in row[1:]]
        return Agreement((*low, *([Fraction(1)] * (2 * row[0]))), Fraction(1, 10))

    return digits(10, 3).map(case)


@check(
    tail_separates_equal_means,
    kind=Kind.PROPERTY_TESTED,
    domain="pairs of 4 tokens with one mean, the lower quartile",
)
def any_pair_of_agreements(_: Budget) -> Any:
    """Two samplers with the same mean: what one token gains, another loses."""

    def case(row: tuple[int, ...]) -> TwoAgreements:
        base = [20 + d for d in row[:4]]
        moved = [base[0] - row[4], base[1] + row[4], *base[2:]]
        first, second = (tuple(Fraction(n, 60) for n in values) for values in (base, moved))
        return TwoAgreements(Agreement(first, Fraction(1, 4)), Agreement(second, Fraction(1, 4)))

    return digits(20, 5).map(case)
