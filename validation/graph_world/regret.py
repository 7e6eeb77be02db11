"""Property tests of the claims about planning regret."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rolltheory.claims import Budget, Kind, check
from rolltheory.graph_world.claims.regret import (
    Discounting,
    TwoPlans,
    factor_has_a_closed_form,
    factor_in_floats,
    loss_is_within_the_regret_bound,
    the_revised_sum_bounds_the_factor,
)
from validation.graph_world.strategies import rationals, vectors

__all__ = ["any_factor", "any_float_factor", "any_revised_sum", "any_two_plans"]


def discountings(longest: int) -> Any:
    """Sixty-fourths are exact in floats."""
    from hypothesis import strategies as st

    return st.builds(Discounting, rationals(0, 1, 64), rationals(0, 2, 64), st.integers(2, longest))


@check(factor_has_a_closed_form, kind=Kind.PROPERTY_TESTED, domain="64ths, H <= 20")
def any_factor(_: Budget) -> Any:
    """In rationals."""
    return discountings(20)


@check(factor_in_floats, kind=Kind.PROPERTY_TESTED, domain="64ths, H <= 60")
def any_float_factor(_: Budget) -> Any:
    """Floats above rationals."""
    return discountings(60)


@check(the_revised_sum_bounds_the_factor, kind=Kind.PROPERTY_TESTED, domain="64ths, H <= 60")
def any_revised_sum(_: Budget) -> Any:
    """Long horizons."""
    return discountings(60)


@check(
    loss_is_within_the_regret_bound,
    kind=Kind.PROPERTY_TESTED,
    domain="four steps, pushes of the better plan around a tie",
)
def any_two_plans(_: Budget) -> Any:
    """Opposite errors of one size, and pushes of the second plan that nearly undo them."""
    from hypothesis import strategies as st

    def built(growth: Any, discount: Any, slack: Any, wrong: Any) -> TwoPlans:
        one, zero = Fraction(1), Fraction(0)
        return TwoPlans(
            growth,
            discount,
            one,
            ((zero,) * 4, tuple(2 * one - x for x in slack)),
            ((one,) * 4, (-one,) * 4),
            ((wrong,) * 4, (-wrong,) * 4),
            (zero, 2 * wrong),
        )

    few = rationals(0, 2).map(lambda x: max(x - 1, Fraction(0)))
    slack = vectors(4, 0, 1).map(lambda row: tuple(x / 16 for x in row))
    return st.builds(built, rationals(0, 2), rationals(0, 1), slack, few)
