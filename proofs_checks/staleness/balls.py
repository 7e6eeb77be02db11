"""Ball arithmetic: rationals in, rigorous enclosures out."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rolltheory.claims import Enclosure

__all__ = ["ball", "enclosure"]


def ball(number: Fraction | int) -> Any:
    """The number as a ball.

    >>> enclosure(ball(Fraction(1, 2)))
    Enclosure(low=Fraction(1, 2), high=Fraction(1, 2))
    """
    from flint import arb

    exact = Fraction(number)
    return arb(exact.numerator) / exact.denominator


def enclosure(value: Any) -> Enclosure:
    """The ends of a ball as rationals."""
    return Enclosure(_rational(value.lower()), _rational(value.upper()))


def _rational(point: Any) -> Fraction:
    mantissa, exponent = point.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
