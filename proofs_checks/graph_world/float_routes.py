"""Exact checks of the claim about bounds in floats."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from rolltheory.claims import Budget, Kind, check
from rolltheory.graph_world.claims.float_routes import ROUTES, Rounded, floats_are_safe

__all__ = ["every_rounding"]

SHARES = (0.1, 0.7, 1 - 2.0**-20)


@check(
    floats_are_safe,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "every function at arguments 0.1 and 0.7, and next to 1",
        "deep": "the same with 0, 1/3 and next to 0",
    },
)
def every_rounding(budget: Budget) -> Iterator[Rounded]:
    """Each float is the rational that it is."""
    shares = (0.0, 2.0**-60, 1 / 3, *SHARES) if budget.deep else SHARES
    for name in ROUTES:
        for first, second, third, fourth in product(shares, repeat=4):
            yield Rounded(name, (first, second, third, fourth))
