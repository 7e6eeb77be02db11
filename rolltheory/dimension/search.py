"""The dimensions of a finite class, by a search through sets of its points from small to large."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from math import comb
from typing import Generic, NamedTuple, TypeVar

from rolltheory.dimension.classes import Codes
from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import integer_array

__all__ = ["Found", "level_wise", "search_columns"]

W = TypeVar("W")
Columns = tuple[int, ...]


class Found(NamedTuple, Generic[W]):
    """The columns of a largest shattered set that was found, and what bounds all others."""

    columns: Columns
    witness: W | None
    upper: int
    reason: str
    tests: int


def level_wise(
    codes: Codes, shatters: Callable[[Codes], W | None], *, budget: int | None = None
) -> Found[W]:
    """A largest set of columns that is shattered, in any sense that its subsets inherit.

    ``shatters`` is given all rows on some columns, of which some may be equal, and returns what
    shows that they are shattered, or None. Sets are tested from small to large, and only if all of
    their subsets are shattered; d points need ``2**d`` rows. So the sense must be one for which
    both hold.

    Raises
    ------
    DomainError
        if the budget of sets to be tested is not positive.

    Examples
    --------
    >>> import numpy as np
    >>> rows = np.array([[0, 0, 0], [0, 1, 1], [1, 0, 0], [1, 1, 1]])
    >>> full = lambda codes: codes if len(np.unique(codes, axis=0)) == 2 ** codes.shape[1] else None
    >>> columns, _, upper, reason, tests = level_wise(rows, full)
    >>> columns, upper, reason, tests
    ((0, 1), 2, '3 points need 8 hypotheses', 6)
    """
    hypotheses, points = codes.shape
    return search_columns(
        points, hypotheses, lambda columns: shatters(codes[:, columns]), budget=budget
    )


def search_columns(
    points: int,
    hypotheses: int,
    shatters: Callable[[Columns], W | None],
    *,
    budget: int | None = None,
) -> Found[W]:
    """The search of `level_wise`, for a test that is given the columns and holds the rows.

    Sets that share all but their last column are asked for one after another.
    """
    left = _checked_budget(budget)
    largest = min(points, hypotheses.bit_length() - 1)
    columns: Columns = ()
    best: W | None = None
    shattered: list[Columns] = [()]
    tests = 0
    for size in range(1, largest + 1):
        waiting = list(_candidates(shattered, points))
        shattered = []
        for number, candidate in enumerate(waiting):
            if tests == left:
                possible = len(shattered) + len(waiting) - number
                upper = _largest_with_all_subsets(size, possible, largest)
                reason = (
                    f"the budget of {tests} sets is spent: {possible} sets of {size} points"
                    f" may be shattered, {upper + 1} points"
                    + (f" need {comb(upper + 1, size)}" if upper < largest else " are too many")
                )
                return Found(columns, best, upper, reason, tests)
            tests += 1
            witness = shatters(candidate)
            if witness is not None:
                if len(columns) < size:
                    columns, best = candidate, witness
                shattered.append(candidate)
        if not shattered:
            return Found(columns, best, size - 1, f"no {size} points are shattered", tests)
    reason = (
        f"there are {points} points"
        if largest == points
        else f"{largest + 1} points need {2 ** (largest + 1)} hypotheses"
    )
    return Found(columns, best, largest, reason, tests)


def _checked_budget(budget: int | None) -> int | None:
    if budget is None:
        return None
    number = integer_array("budget", budget, at_least=1)
    if number.ndim:
        raise DomainError("budget", budget, "one whole number, at least 1")
    return int(number)


def _candidates(shattered: list[Columns], points: int) -> Iterator[Columns]:
    """The sets with one column more, all of whose subsets of the old size are shattered."""
    known = set(shattered)
    for columns in shattered:
        for last in range(columns[-1] + 1 if columns else 0, points):
            joined = (*columns, last)
            if all(part in known for part in combinations(joined, len(columns))):
                yield joined


def _largest_with_all_subsets(size: int, possible: int, largest: int) -> int:
    """The most points of which no more than so many subsets of the size need to be shattered."""
    upper = size - 1
    while upper < largest and comb(upper + 1, size) <= possible:
        upper += 1
    return upper
