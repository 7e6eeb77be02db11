"""Property tests of the claims about float routes."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any
from zlib import crc32

from rolltheory.claims import Budget, Kind, check
from rolltheory.staleness.claims.routes import (
    POLICIES,
    SCALARS,
    TOKENS,
    Call,
    float_policies_are_accurate,
    float_scalars_are_accurate,
    float_tokens_are_accurate,
)
from validation.staleness.strategies import digits, policies

__all__ = [
    "any_pair_of_policies",
    "any_pair_of_scalars",
    "any_row_of_ratios",
    "calls",
    "ratios",
    "two_numbers",
    "two_policies",
]


def calls(functions: Iterable[str], arguments: Any) -> Any:
    """Calls of the functions, each as likely.

    A digest of the arguments picks the function, since Hypothesis likes to repeat small draws.
    """
    names = sorted(functions)

    def call(drawn: tuple[Any, ...]) -> Call:
        return Call(names[crc32(repr(drawn).encode()) % len(names)], drawn)

    return arguments.map(call)


def two_policies(actions: int) -> Any:
    """Two policies, and a value in tenths per action."""
    from hypothesis import strategies as st

    values = digits(11, actions).map(lambda row: tuple(Fraction(d, 10) for d in row))
    return st.tuples(policies(actions), policies(actions), values)


def two_numbers(most: int) -> Any:
    """Two numbers in 60ths below 1, and a whole number, from one draw."""
    return digits(59, 3).map(
        lambda row: (Fraction(row[0] + 1, 60), Fraction(row[1] + 1, 60), 1 + row[2] % most)
    )


def ratios(tokens: int) -> Any:
    """Ratios in sevenths up to 4, and a sign, from one draw."""
    return digits(28, tokens + 1).map(
        lambda row: (tuple(Fraction(d + 1, 7) for d in row[1:]), 1 if row[0] % 2 else -1)
    )


@check(
    float_policies_are_accurate,
    kind=Kind.PROPERTY_TESTED,
    domain="two rational policies on four actions, values in tenths",
)
def any_pair_of_policies(_: Budget) -> Any:
    """More actions than are enumerated."""
    return calls(POLICIES, two_policies(4))


@check(
    float_scalars_are_accurate,
    kind=Kind.PROPERTY_TESTED,
    domain="two numbers in sixtieths, and a whole number up to 50",
)
def any_pair_of_scalars(_: Budget) -> Any:
    """Other numbers than are enumerated."""
    return calls(SCALARS, two_numbers(50))


@check(
    float_tokens_are_accurate,
    kind=Kind.PROPERTY_TESTED,
    domain="five tokens with ratios in sevenths up to 4, both signs",
)
def any_row_of_ratios(_: Budget) -> Any:
    """More tokens than are enumerated."""
    return calls(TOKENS, ratios(5))
