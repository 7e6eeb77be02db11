"""Balls of python-flint: rationals in, rigorous enclosures out."""

from __future__ import annotations

from contextlib import AbstractContextManager
from fractions import Fraction
from typing import Any

from rolltheory.claims import Enclosure

__all__ = ["ball", "enclosed", "precision"]

_BITS = 192


def precision() -> AbstractContextManager[Any]:
    """A context in which balls are narrow."""
    from flint import ctx

    context: AbstractContextManager[Any] = ctx.workprec(_BITS)
    return context


def ball(number: Fraction | int) -> Any:
    """The number as a ball.

    >>> enclosed(ball(Fraction(1, 2)))
    Enclosure(low=Fraction(1, 2), high=Fraction(1, 2))
    """
    from flint import arb, fmpq

    exact = Fraction(number)
    with precision():
        return arb(fmpq(exact.numerator, exact.denominator))


def enclosed(value: Any) -> Enclosure:
    """A ball with rational ends."""
    with precision():
        ends = (value.lower().man_exp(), value.upper().man_exp())
    low, high = (Fraction(int(digits)) * Fraction(2) ** int(power) for digits, power in ends)
    return Enclosure(low, high)
