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
from validation.staleness.strategies import chances, digits, policies, signs

__all__ = ["any_pair_of_policies", "any_pair_of_scalars", "any_row_of_ratios", "calls"]


def calls(functions: Iterable[str], arguments: Any) -> Any:
    """Calls of the functions, each as likely.

    A digest of the arguments picks the function, since Hypothesis likes to repeat small draws.
    """
    names = sorted(functions)

    def call(drawn: tuple[Any, ...]) -> Call:
        return Call(names[crc32(repr(drawn).encode()) % len(names)], drawn)

    return arguments.map(call)


@check(
    float_policies_are_accurate,
    kind=Kind.PROPERTY_TESTED,
    domain="two rational policies on four actions, values in tenths",
)
def any_pair_of_policies(_: Budget) -> Any:
    """More actions than are enumerated."""
    from hypothesis import strategies as st

    values = digits(11, 4).map(lambda row: tuple(Fraction(d, 10) for d in row))
    arguments = st.tuples(policies(4), policies(4), values)
    return calls(POLICIES, arguments)


@check(
    float_scalars_are_accurate,
    kind=Kind.PROPERTY_TESTED,
    domain="two numbers in sixtieths, and a whole number up to 50",
)
def any_pair_of_scalars(_: Budget) -> Any:
    """Other numbers than are enumerated."""
    from hypothesis import strategies as st

    arguments = st.builds(lambda pair, n: (*pair, n), chances(2), st.integers(1, 50))
    return calls(SCALARS, arguments)


@check(
    float_tokens_are_accurate,
    kind=Kind.PROPERTY_TESTED,
    domain="five tokens with ratios in sevenths up to 4, both signs",
)
def any_row_of_ratios(_: Budget) -> Any:
    """More tokens than are enumerated."""
    from hypothesis import strategies as st

    ratios = digits(28, 5).map(lambda row: tuple(Fraction(d + 1, 7) for d in row))
    return calls(TOKENS, st.tuples(ratios, signs()))
