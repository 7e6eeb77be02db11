"""Ball arithmetic: rationals in, rigorous enclosures out."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rolltheory.staleness.claims.exact_numbers import enclosed as enclosure

__all__ = ["ball", "enclosure"]

_BITS = 128  # enough to tell a float from the number that it rounds


def ball(number: Fraction | int) -> Any:
    """The number as a ball.

    >>> enclosure(ball(Fraction(1, 2)))
    Enclosure(low=Fraction(1, 2), high=Fraction(1, 2))
    """
    from flint import arb, ctx, fmpq

    ctx.prec = max(ctx.prec, _BITS)
    exact = Fraction(number)
    return arb(fmpq(exact.numerator, exact.denominator))
