"""Tables of float functions beside their plain exact twins, which share no code with them.

A theory lists its functions in `Routes`, and its claim is what `Routes.judged` says of a `Call`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias
from zlib import crc32

import numpy as np

from rolltheory.claims.relations import Sides

__all__ = ["DOWN", "UP", "Call", "Computed", "Route", "Routes", "Slack", "relative"]

UP, DOWN = 1, -1
"""The side on which an upper bound and a lower bound are safe."""

_PUSH = 2.0**-42  # more than a bound is rounded by


@dataclass(frozen=True)
class Call:
    """A call of a function, by its name in the table, with exact arguments."""

    function: str
    arguments: tuple[Any, ...]


class Route(NamedTuple):
    """A float function with its exact twin; a bound may not lie on the wrong side of it.

    Both are given the exact arguments, and answer a number or an array; ``side`` is one for all
    that they answer, or one for each.
    """

    in_floats: Callable[..., Any]
    exactly: Callable[..., Any]
    side: int | tuple[int, ...] = 0


Computed: TypeAlias = Callable[[Call], Any]
"""What computes the floats of a call: the part of the claim that a tooth replaces."""

Slack: TypeAlias = Callable[[Call, Fraction], Fraction]
"""How far a float of a call may lie from this exact value."""


def relative(near: Fraction) -> Slack:
    """So far, or so many times the exact value if that is more.

    >>> relative(Fraction(1, 100))(Call("double", (2,)), Fraction(-4))
    Fraction(1, 25)
    """
    return lambda _, exact: near * max(Fraction(1), abs(exact))


class Routes:
    """How far floats may be off, and the routes by the name of the function.

    >>> near = relative(Fraction(1, 10**12))
    >>> routes = Routes(near, third=Route(lambda x: float(x) / 3, lambda x: x / 3))
    >>> call = Call("third", (Fraction(1),))
    >>> sides = routes.judged(call, routes.computed)
    >>> sides.left <= sides.right
    True
    >>> wrong = routes.judged(call, routes.off_by_a_tenth()["third off by a tenth"])
    >>> wrong.left <= wrong.right
    False
    """

    def __init__(self, slack: Slack, **table: Route) -> None:
        self.slack = slack
        self.table = table

    def computed(self, call: Call) -> Any:
        """What the library answers in floats."""
        return self.table[call.function].in_floats(*call.arguments)

    def judged(self, call: Call, computed: Computed) -> Sides:
        """The distance from the exact value, and the one that is allowed: none on a wrong side.

        Of many values, the one that is nearest to failing.
        """
        route = self.table[call.function]
        exact = _rationals(route.exactly(*call.arguments), object)
        found = _rationals(computed(call), float)
        safe = np.broadcast_to(route.side, len(exact)).tolist()
        pairs = [
            Sides(abs(y - x), Fraction() if (x - y) * side > 0 else self.slack(call, x))
            for x, y, side in zip(exact, found, safe, strict=True)
        ]
        return min(pairs, key=lambda sides: sides.right - sides.left)

    def but(self, function: str, variant: Callable[..., Any]) -> Computed:
        """What the library answers, with another float route for one function."""
        return lambda call: (
            variant(*call.arguments) if call.function == function else self.computed(call)
        )

    def off_by_a_tenth(self) -> dict[str, Computed]:
        """For every function a tooth: its values are a tenth smaller."""
        return {f"{name} off by a tenth": self._times(name, 0.9) for name in self.table}

    def rounded_the_wrong_way(self) -> dict[str, Computed]:
        """For every bound a tooth: it lies on its wrong side, but within the slack."""
        return {
            f"{name} rounded the wrong way": self._times(name, 1 - _PUSH * np.array(route.side))
            for name, route in self.table.items()
            if route.side
        }

    def _times(self, function: str, factor: Any) -> Computed:
        route = self.table[function]
        return self.but(function, lambda *of: factor * np.asarray(route.in_floats(*of), float))

    def every_call(self, *arguments: Any) -> Iterator[Call]:
        """Every function at these arguments."""
        return (Call(name, arguments) for name in self.table)

    def any_call(self, arguments: tuple[Any, ...]) -> Call:
        """One function at these arguments, each as likely.

        A digest of the arguments picks it, since Hypothesis likes to repeat small draws.
        """
        names = sorted(self.table)
        return Call(names[crc32(repr(arguments).encode()) % len(names)], arguments)


def _rationals(values: Any, kind: type) -> list[Fraction]:
    flat: list[Any] = np.ravel(np.asarray(values, dtype=kind)).tolist()
    return [Fraction(x) for x in flat]
