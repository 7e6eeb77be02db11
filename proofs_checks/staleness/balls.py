"""Ball arithmetic: numbers with rigorous error bounds, as enclosures."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rolltheory.claims import Enclosure
from rolltheory.staleness.claims.arithmetic import Arithmetic

__all__ = ["BALLS", "ball", "enclosure"]


def ball(value: Fraction | int) -> Any:
    """The rational as a ball, with enough digits to tell a float from the number it rounds."""
    from flint import arb, ctx, fmpq

    ctx.prec = 128
    exact = Fraction(value)
    return arb(fmpq(exact.numerator, exact.denominator))


def enclosure(value: Any) -> Enclosure:
    """The ball as an enclosure with rational ends."""
    return Enclosure(_rational(value.lower()), _rational(value.upper()))


def _rational(exact: Any) -> Fraction:
    mantissa, exponent = exact.man_exp()
    return int(mantissa) * Fraction(2) ** int(exponent)


BALLS = Arithmetic(ball, lambda x: x.sqrt(), lambda x: x.log(), enclosure)
