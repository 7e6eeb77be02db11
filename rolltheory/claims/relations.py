"""Relations between the two sides of a claim, and how a pair of sides is judged.

A judgement has three outcomes, because some sides are known only within limits: the relation
holds, it fails, or the sides do not decide it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from numbers import Rational, Real
from typing import Any, TypeAlias

import numpy as np

from rolltheory.claims.values import ConfidenceInterval, Enclosure
from rolltheory.errors import UnsupportedError

__all__ = ["INEQUALITIES", "Judgement", "Relation", "Sides", "Tolerance", "judge", "parts"]

Tolerance: TypeAlias = float | Fraction
"""How much may be overlooked, relatively or as a distance."""


class Relation(Enum):
    """What a claim says of its left side with regard to its right side."""

    EQUAL = "equal"
    AT_MOST = "at most"
    AT_LEAST = "at least"
    IMPLIES = "implies"
    GROWS_AS = "grows as"
    """The left side, taken at a finite size, comes within a stated distance of its limit."""


INEQUALITIES = frozenset({Relation.AT_MOST, Relation.AT_LEAST})
"""Relations whose right side is a bound."""


@dataclass(frozen=True, slots=True)
class Sides:
    """Both sides of a claim at one case.

    Each is a number, a rational, a symbolic expression, an `Enclosure`, a `ConfidenceInterval`,
    or, for `EQUAL` and `IMPLIES`, any value that can be compared or tested for truth.
    """

    left: Any
    right: Any


@dataclass(frozen=True, slots=True)
class Judgement:
    """The outcome at one case.

    ``holds`` is None where the sides do not decide. ``margin`` is how far the relation is from
    failing (negative: by how much it fails). ``tightness`` is observed over bound, less the
    distance that may be overlooked.
    """

    holds: bool | None
    margin: float | None = None
    tightness: float | None = None


def judge(
    relation: Relation,
    sides: Sides,
    *,
    tolerance: Tolerance = 0,
    within: Tolerance = 0,
    exact: bool = False,
) -> Judgement:
    """Judge one pair of sides.

    ``tolerance`` is relative to the larger side, or to the bound of an inequality; ``within`` is a
    distance in the units of the sides. Either one is overlooked, except that exact sides are equal
    only if their enclosures meet; ``within`` then says how narrow these must be. With a confidence
    interval, `EQUAL` means that the interval contains the other side, and an inequality holds only
    if the whole interval is on the right side of the bound.

    >>> judge(Relation.AT_MOST, Sides(Fraction(1, 3), Fraction(1, 2)))
    Judgement(holds=True, margin=0.16666666666666666, tightness=0.6666666666666666)
    >>> judge(Relation.AT_MOST, Sides(Enclosure(0.4, 0.6), 0.5)).holds is None
    True
    >>> judge(Relation.EQUAL, Sides({"a"}, {"b"})).holds
    False
    """
    if relation is Relation.IMPLIES:
        return Judgement(holds=not _truth(sides.left) or _truth(sides.right))
    if _is_symbolic(sides.left) or _is_symbolic(sides.right):
        return _judge_symbols(relation, sides)
    left, right = _limits(sides.left), _limits(sides.right)
    if left is None or right is None:
        return _judge_objects(relation, sides)
    within = Fraction(within)
    if relation in (Relation.EQUAL, Relation.GROWS_AS):
        slack = _slack(tolerance, within, left.low, left.high, right.low, right.high)
        return _judge_equal(left, right, slack, meet=exact and relation is Relation.EQUAL)
    if relation is Relation.AT_LEAST:
        left, right = right, left
    return _judge_at_most(left, right, _slack(tolerance, within, right.high), within)


@dataclass(frozen=True, slots=True)
class _Limits:
    low: Any
    high: Any
    statistical: bool = False


def _judge_equal(left: _Limits, right: _Limits, slack: Any, *, meet: bool) -> Judgement:
    if left.low == left.high == right.low == right.high:  # infinities included
        return Judgement(holds=True, margin=0.0)
    nearest = max(left.low - right.high, right.low - left.high, 0)
    farthest = max(left.high - right.low, right.high - left.low)
    holds: bool | None = None
    if nearest > (0 if meet else slack):
        holds = False
    elif left.statistical or right.statistical or farthest <= slack:
        holds = True
    return Judgement(holds, margin=float(slack - nearest))


def _judge_at_most(left: _Limits, right: _Limits, slack: Any, within: Tolerance) -> Judgement:
    holds: bool | None = None
    if left.high <= right.low + slack:
        holds = True
    elif left.low > right.high + slack:
        holds = False
    known = math.inf not in (abs(right.low), abs(left.high))
    margin = float(right.low + slack - left.high) if known else None
    return Judgement(holds, margin, _ratio(left.high - within, right.low))


def _slack(tolerance: Tolerance, within: Tolerance, *ends: Any) -> Any:
    """The distance, or the tolerance times the largest finite end if that is more."""
    scale = max((abs(end) for end in ends if abs(end) != math.inf), default=0)
    return max(within, Fraction(tolerance) * scale)


def _judge_objects(relation: Relation, sides: Sides) -> Judgement:
    if relation is Relation.EQUAL:
        for part in (*parts(sides.left), *parts(sides.right)):
            _limits(part)  # NaN equals itself inside a container
        return Judgement(holds=bool(sides.left == sides.right))
    kinds = f"{type(sides.left).__name__} and {type(sides.right).__name__}"
    raise UnsupportedError(
        f"'{relation.value}' between {kinds}",
        "inequalities compare numbers, enclosures or symbolic expressions",
    )


def _judge_symbols(relation: Relation, sides: Sides) -> Judgement:
    import sympy

    difference = sympy.sympify(sides.right) - sympy.sympify(sides.left)
    if relation in (Relation.EQUAL, Relation.GROWS_AS):
        return Judgement(_is_zero(difference))
    if relation is Relation.AT_LEAST:
        difference = -difference
    return Judgement(sympy.factor(difference).is_nonnegative)


def _is_zero(difference: Any) -> bool | None:
    import sympy

    for simplify in (sympy.expand, sympy.cancel, sympy.simplify):
        difference = simplify(difference)
        if difference == 0:
            return True
    # `equals` refutes with numbers and proves with algebra, or answers None.
    verdict = difference.equals(0)
    return None if verdict is None else bool(verdict)


def parts(side: Any) -> Iterator[Any]:
    """The side itself, or what a container holds.

    >>> list(parts((1, {2: [3]})))
    [1, 2, 3]
    """
    if isinstance(side, dict):
        side = [entry for item in side.items() for entry in item]
    if isinstance(side, tuple | list | set | frozenset):
        yield from (part for entry in side for part in parts(entry))
    else:
        yield side


def _truth(side: Any) -> bool:
    if not isinstance(side, bool | np.bool_):
        raise UnsupportedError(
            f"an implication of {type(side).__name__}", "sides are true or false"
        )
    return bool(side)


def _is_symbolic(value: Any) -> bool:
    return hasattr(value, "free_symbols") and hasattr(value, "subs")


def _limits(value: Any) -> _Limits | None:
    """The number as limits, or None for a value that is no number."""
    if isinstance(value, Enclosure):
        return _Limits(_exact(value.low), _exact(value.high))
    if isinstance(value, ConfidenceInterval):
        return _Limits(_exact(value.low), _exact(value.high), statistical=True)
    if isinstance(value, bool) or not isinstance(value, Real | np.number):
        return None
    return _Limits(_exact(value), _exact(value))


def _exact(value: Any) -> Any:
    """The number as it is, free of rounding: a finite float is a rational."""
    if isinstance(value, Rational):
        return value
    number = float(value)
    if math.isnan(number):
        raise UnsupportedError("judging NaN", "a side must be a number, never NaN")
    return Fraction(number) if math.isfinite(number) else number


def _ratio(observed: Any, bound: Any) -> float | None:
    if bound <= 0 or bound == math.inf or observed == math.inf:
        return None
    return float(observed / bound)
