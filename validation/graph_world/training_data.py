"""Property tests of the claims about which data a model is trained on."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rolltheory.claims import Budget, Kind, check
from rolltheory.graph_world.claims.training_data import (
    SeveralGaussians,
    Split,
    Window,
    mixture_bounds_the_shift,
    pinsker_by_deviations,
    pinsker_for_gaussians,
    split_is_best,
    window_is_best,
)
from rolltheory.graph_world.claims.value_bounds import leaking_decisions
from validation.graph_world.chains import decisions
from validation.graph_world.strategies import rationals

__all__ = [
    "any_gaussians",
    "any_gaussians_by_deviations",
    "any_replay",
    "any_split",
    "any_window",
]


@check(
    mixture_bounds_the_shift,
    kind=Kind.PROPERTY_TESTED,
    domain="two states, two actions, two past policies; leaks up to 1/40 and shifts up to 1/10",
)
def any_replay(_: Budget) -> Any:
    """Small leaks come near to the bound."""
    from hypothesis import strategies as st

    def built(discount: Fraction, leak: int, shift: int) -> Any:
        share, moved = Fraction(leak, 400), Fraction(shift, 100)
        return leaking_decisions(discount, share, shift=moved, worst=0)

    below_one = rationals(0, 1, 4).filter(lambda discount: discount < 1)
    return st.builds(built, below_one, *[st.integers(0, 10)] * 2) | decisions(0)


@check(
    window_is_best,
    kind=Kind.PROPERTY_TESTED,
    domain="drifts in 99ths, up to 400 samples, best windows up to 400 policies",
)
def any_window(_: Budget) -> Any:
    """Other windows from 1/100 of the best one to three times as long."""
    from hypothesis import strategies as st

    positive = st.integers(1, 99).map(lambda numerator: Fraction(numerator, 99))
    # At the best window itself rounding would decide.
    other = rationals(0, 3, 100).filter(lambda ratio: ratio > 0 and ratio != 1)
    return st.builds(Window, positive, st.integers(1, 20), rationals(1, 20), other)


@check(
    split_is_best,
    kind=Kind.PROPERTY_TESTED,
    domain="scales and unit costs up to 9, exponents up to 4, shares in hundredths",
)
def any_split(_: Budget) -> Any:
    """Away from the best share, where rounding would decide."""
    from hypothesis import strategies as st

    whole = st.integers(1, 9).map(Fraction)
    pair, power = st.tuples(whole, whole), st.integers(1, 4)
    share = st.integers(1, 99).map(lambda numerator: Fraction(numerator, 100))

    def is_even(case: Split) -> bool:
        """The best share would be rational, and might be the other one."""
        return case.exponents[0] == case.exponents[1] == 1

    splits = st.builds(Split, whole, pair, st.tuples(power, power), pair, share)
    return splits.filter(lambda case: not is_even(case))


def gaussians() -> Any:
    """Up to three coordinates, in quarters and tenths."""
    from hypothesis import strategies as st

    number = st.integers(-32, 32).map(lambda numerator: numerator / 4)
    width = st.integers(1, 20).map(lambda numerator: numerator / 10)

    def built(rows: list[tuple[float, float, float]]) -> SeveralGaussians:
        return SeveralGaussians(*zip(*rows, strict=True))

    return st.lists(st.tuples(number, number, width), min_size=1, max_size=3).map(built)


SEVERAL = "up to three coordinates, means in quarters, standard deviations in tenths up to 2"


@check(pinsker_for_gaussians, kind=Kind.PROPERTY_TESTED, domain=SEVERAL, tolerance=1e-12)
def any_gaussians(_: Budget) -> Any:
    """Equal widths, for which the total variation is known."""
    return gaussians()


@check(pinsker_by_deviations, kind=Kind.PROPERTY_TESTED, domain=SEVERAL, tolerance=1e-12)
def any_gaussians_by_deviations(_: Budget) -> Any:
    """It fails for standard deviations below 1."""
    return gaussians()
