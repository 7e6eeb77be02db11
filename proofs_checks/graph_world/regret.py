"""Exact checks of the claims about planning regret."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from rolltheory.claims import Budget, Kind, check
from rolltheory.graph_world.claims.regret import (
    Discounting,
    TwoPlans,
    factor_has_a_closed_form,
    factor_in_floats,
    loss_is_within_the_regret_bound,
    the_revised_sum_bounds_the_factor,
    tied,
)

__all__ = [
    "every_factor",
    "every_factor_at_once",
    "every_float_factor",
    "every_revised_sum",
    "every_two_plans",
]

DISCOUNTS = tuple(map(Fraction, ("0", "1/2", "19/20", "1")))
GROWTHS = tuple(map(Fraction, ("0", "9/10", "1", "3/2", "2", "5/2")))


@check(
    factor_has_a_closed_form,
    kind=Kind.PROVED,
    domain={"gate": "every discount and growth, H <= 6", "deep": "the same for H <= 16"},
)
def every_factor_at_once(budget: Budget) -> Iterator[Discounting]:
    """With symbols."""
    import sympy

    discount, growth = sympy.symbols("gamma rho", positive=True)
    return (Discounting(discount, growth, h) for h in range(2, 17 if budget.deep else 7))


def discountings(horizons: range) -> Iterator[Discounting]:
    """Short horizons first."""
    for horizon, discount, growth in product(horizons, DISCOUNTS, GROWTHS):
        yield Discounting(discount, growth, horizon)


@check(
    factor_has_a_closed_form,
    kind=Kind.ENUMERATED,
    domain="H <= 12, four discounts, six growths, one among them",
)
def every_factor(_: Budget) -> Iterator[Discounting]:
    """In rationals."""
    return discountings(range(13))


@check(
    factor_in_floats,
    kind=Kind.CERTIFIED,
    domain="H <= 40, discounts and growths that are exact in floats",
)
def every_float_factor(_: Budget) -> Iterator[Discounting]:
    """The floats themselves as rationals."""
    for horizon, discount, growth in product(range(0, 41, 4), (0.5, 0.95, 1.0), (0.9, 1.0, 1.1)):
        yield Discounting(Fraction(discount), Fraction(growth), horizon)


@check(
    the_revised_sum_bounds_the_factor,
    kind=Kind.ENUMERATED,
    domain="H <= 12, four discounts, six growths",
)
def every_revised_sum(_: Budget) -> Iterator[Discounting]:
    """The smallest counterexample has growth below two."""
    return discountings(range(13))


@check(
    loss_is_within_the_regret_bound,
    kind=Kind.ENUMERATED,
    domain="tied plans for H <= 6; two plans over three steps, pushes 0 and 1, errors -1 and 1",
)
def every_two_plans(_: Budget) -> Iterator[TwoPlans]:
    """In rationals."""
    for horizon, growth, discount in product((2, 4, 6), GROWTHS[1:5], DISCOUNTS[1:]):
        yield tied(growth, discount, horizon)
        yield tied(growth, discount, horizon, wrong=1)
    zero, one = Fraction(0), Fraction(1)
    plans = list(product((zero, one), repeat=3))
    errors = list(product((-one, one), repeat=3))
    for first, second, error, wrong in product(plans, plans, errors, (zero, one)):
        yield TwoPlans(
            Fraction(3, 2),
            Fraction(1, 2),
            one,
            (first, second),
            (error, tuple(-e for e in error)),
            ((wrong,) * 3, (-wrong,) * 3),
        )
