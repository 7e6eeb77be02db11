"""Numbers without rounding: rationals, symbols, and balls of python-flint.

A square root of a rational is a rational where it is one, a symbolic expression among symbols, and
otherwise a ball, which contains the true value.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from fractions import Fraction
from math import isqrt
from typing import Any

from rolltheory.claims import Enclosure

__all__ = [
    "deviation",
    "enclosed",
    "length",
    "number",
    "precision",
    "rational",
    "root",
    "rounded",
    "scaled",
]

_BITS = 192
_ROUNDING = Fraction(1, 10**13)


def precision(kind: str) -> AbstractContextManager[Any]:
    """A context in which balls are narrow, if the kind is "ball".

    >>> with precision("rational"):
    ...     pass
    """
    if kind != "ball":
        return nullcontext()
    from flint import ctx

    context: AbstractContextManager[Any] = ctx.workprec(_BITS)
    return context


def number(value: Any, kind: str) -> Any:
    """A rational as a number of the kind; numbers of the kind stay as they are.

    >>> number(Fraction(1, 3), "rational")
    Fraction(1, 3)
    """
    if not isinstance(value, int | Fraction) or kind == "rational":
        return value
    if kind == "symbol":
        import sympy

        return sympy.Rational(value.numerator, value.denominator)
    from flint import arb, fmpq

    with precision(kind):
        return arb(fmpq(value.numerator, value.denominator))


def root(square: Fraction, kind: str) -> Any:
    """The square root of a rational as a number of the kind; it must be rational for "rational".

    >>> root(Fraction(4, 9), "rational")
    Fraction(2, 3)
    """
    if kind == "rational":
        return Fraction(isqrt(square.numerator), isqrt(square.denominator))
    value = number(square, kind)
    if kind == "symbol":
        import sympy

        return sympy.sqrt(value)
    with precision(kind):
        return value.sqrt()


def enclosed(value: Any) -> Any:
    """A ball as an `Enclosure` with rational ends; anything else as it is.

    >>> enclosed(Fraction(1, 3))
    Fraction(1, 3)
    """
    if not hasattr(value, "mid_rad_10exp"):
        return value
    with precision("ball"):
        ends = (value.lower().man_exp(), value.upper().man_exp())
    low, high = (Fraction(int(digits)) * Fraction(2) ** int(power) for digits, power in ends)
    return Enclosure(low, high)


def rational(value: Any) -> Fraction:
    """What a library function answered, as the rational that the float is.

    >>> rational(0.5)
    Fraction(1, 2)
    """
    return Fraction(float(value))


def rounded(value: Any) -> Any:
    """A rational that floats gave, as the enclosure that it stands for; anything else as it is.

    >>> rounded(Fraction(1, 2)).high > Fraction(1, 2)
    True
    """
    if not isinstance(value, int | Fraction):
        return value
    error = abs(Fraction(value)) * _ROUNDING
    return Enclosure(value - error, value + error)


def length(vector: Sequence[Any]) -> Any:
    """Euclidean norm of rationals or balls, enclosed; exactly 0 for the zero vector.

    >>> found = length([Fraction(3), Fraction(4)])
    >>> bool(found.low <= 5 <= found.high)
    True
    """
    if all(isinstance(part, int | Fraction) and part == 0 for part in vector):
        return 0
    with precision("ball"):
        parts = [number(part, "ball") for part in vector]
        # A product, since flint's power of a ball around 0 is NaN.
        squares = sum((part * part for part in parts), number(0, "ball"))
        # A root of a ball around 0 would be unbounded, so the ends are taken apart.
        low, high = squares.lower().max(0).sqrt().lower(), squares.upper().sqrt().upper()
        return Enclosure(enclosed(low).low, enclosed(high).high)


def scaled(value: Any, factor: Fraction) -> Any:
    """A number or an enclosure times a rational that is at least 0.

    >>> scaled(Enclosure(Fraction(1), Fraction(2)), Fraction(3))
    Enclosure(low=Fraction(3, 1), high=Fraction(6, 1))
    """
    if isinstance(value, Enclosure):
        return Enclosure(value.low * factor, value.high * factor)
    return value * factor


def deviation(vector: Iterable[Any]) -> Any:
    """Something that is 0 if and only if every entry is.

    The sum of the sizes of rationals or balls, enclosed; for symbols, 0 if the entries expand to 0,
    and otherwise the value of a polynomial with these coefficients at a point where it is not 0.

    >>> deviation([Fraction(1, 2), Fraction(-1, 3)])
    Fraction(5, 6)
    """
    entries = list(vector)
    if any(hasattr(entry, "free_symbols") for entry in entries):
        return _symbolic_deviation(entries)
    if all(isinstance(entry, int | Fraction) for entry in entries):
        return sum((abs(entry) for entry in entries), Fraction(0))
    with precision("ball"):
        return enclosed(sum((abs(number(e, "ball")) for e in entries), number(0, "ball")))


def _symbolic_deviation(entries: list[Any]) -> Any:
    import sympy

    free = sympy.Symbol("free")
    total = sympy.expand(sum(free**power * entry for power, entry in enumerate(entries)))
    names = sorted(total.free_symbols, key=str)
    # One witness against an identity; a number is judged much faster than a polynomial.
    witness = total.subs({name: sympy.Rational(1, 5 + 2 * i) for i, name in enumerate(names)})
    return witness if abs(sympy.N(witness, 30)) > sympy.Rational(1, 10**20) else total
