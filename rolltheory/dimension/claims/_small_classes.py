"""Classes that are small enough for every definition to be read off by trying everything.

Nothing here searches cleverly, and nothing here is used by the library.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from itertools import combinations, product
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from rolltheory.dimension.littlestone import littlestone_dimension
from rolltheory.dimension.search import (
    ds_dimension,
    graph_dimension,
    natarajan_dimension,
    vc_dimension,
)
from rolltheory.dimension.witnesses import Dimension, Pattern, is_pseudo_cube

__all__ = [
    "BY_DEFINITION",
    "CUBE_3",
    "HEXAGON",
    "NOTIONS",
    "SQUARE_3",
    "THREE_ROWS",
    "Row",
    "Rows",
    "binary",
    "brute_force",
    "dimension_of",
    "distinct",
    "is_even",
    "lines",
    "pseudo_cubes_within",
    "restricted",
    "searched",
    "shattered_sets",
]

Row: TypeAlias = tuple[int, ...]
Rows: TypeAlias = tuple[Row, ...]
Shatters: TypeAlias = Callable[[Rows], bool]

_WITNESSES = 4_000  # kept at a time; numbers are all kept

HEXAGON: Rows = ((0, 0), (0, 1), (1, 1), (1, 2), (2, 0), (2, 2))
"""The smallest pseudo-cube that holds no Natarajan cube of its dimension."""

SQUARE_3: Rows = tuple(product(range(3), repeat=2))
"""All nine patterns of three labels at two points."""

CUBE_3: Rows = tuple(product(range(2), repeat=3))
"""All eight patterns of two labels at three points."""

THREE_ROWS: Rows = ((0, 0), (0, 1), (1, 1))
"""Three corners of a square: no two points are shattered."""

NOTIONS: dict[str, Callable[..., Dimension[Any]]] = {
    "ds": ds_dimension,
    "natarajan": natarajan_dimension,
    "graph": graph_dimension,
    "vc": vc_dimension,
    "littlestone": littlestone_dimension,
}
"""The searches of the library."""


@lru_cache(maxsize=_WITNESSES)
def searched(rows: Rows, notion: str) -> Dimension[Any]:
    """What the library finds."""
    return NOTIONS[notion](rows)


@cache
def dimension_of(rows: Rows, notion: str) -> int:
    """The dimension that the library finds."""
    return searched(rows, notion).value


def binary(rows: Rows) -> bool:
    """Whether no point has three labels."""
    return all(len(set(column)) <= 2 for column in zip(*rows, strict=True))


def distinct(rows: Iterable[Row]) -> Rows:
    """Each row once, in order."""
    return tuple(sorted(set(rows)))


def restricted(rows: Rows, columns: Iterable[int]) -> Rows:
    """The distinct rows on these columns."""
    chosen = tuple(columns)
    return distinct(tuple(row[j] for j in chosen) for row in rows)


def lines(rows: Iterable[Pattern]) -> list[set[Pattern]]:
    """The rows on each line that holds any."""
    found: dict[tuple[int, Pattern], set[Pattern]] = {}
    for row in rows:
        for i in range(len(row)):
            found.setdefault((i, row[:i] + row[i + 1 :]), set()).add(row)
    return list(found.values())


def is_even(rows: Iterable[Pattern]) -> bool:
    """Whether there is a row, and every line holds an even number of them."""
    held = lines(rows)
    return bool(held) and all(len(line) % 2 == 0 for line in held)


@lru_cache(maxsize=_WITNESSES)
def pseudo_cubes_within(rows: Rows) -> tuple[frozenset[Row], ...]:
    """Every pseudo-cube among these distinct rows, by trying all of their subsets."""
    place: dict[Pattern, int] = {row: number for number, row in enumerate(rows)}
    subsets: npt.NDArray[np.int64] = np.arange(1, 1 << len(rows))
    for line in lines(rows):
        held = subsets & sum(1 << place[row] for row in line)
        subsets = subsets[(held == 0) | (held & (held - 1) != 0)]
    return tuple(
        frozenset(row for row in rows if subset >> place[row] & 1) for subset in subsets.tolist()
    )


def shattered_sets(rows: Rows, shatters: Shatters) -> Iterator[tuple[int, ...]]:
    """Every set of columns on which the distinct rows are shattered, from small to large."""
    points = len(rows[0])
    for size in range(1, points + 1):
        for columns in combinations(range(points), size):
            if shatters(restricted(rows, columns)):
                yield columns


@cache
def _holds_pseudo_cube(rows: Rows) -> bool:
    return any(is_pseudo_cube(found) for found in pseudo_cubes_within(rows))


@cache
def _holds_mixtures(rows: Rows) -> bool:
    pairs = [tuple(zip(f, g, strict=True)) for f, g in combinations(rows, 2)]
    apart = [pair for pair in pairs if all(a != b for a, b in pair)]
    return any(all(row in rows for row in product(*pair)) for pair in apart)


@cache
def _agrees_in_every_way(rows: Rows) -> bool:
    return any(
        len({tuple(a == b for a, b in zip(row, f, strict=True)) for row in rows}) == 2 ** len(f)
        for f in rows
    )


def _all_patterns(rows: Rows) -> bool:
    return len(rows) == 1 << len(rows[0])


@cache
def _forced_mistakes(rows: Rows) -> int:
    """The recursion of the Littlestone dimension, word by word."""
    deepest = 0
    for j in range(len(rows[0])):
        labels = {row[j] for row in rows}
        if len(labels) > 1:
            below = [_forced_mistakes(tuple(r for r in rows if r[j] == y)) for y in labels]
            deepest = max(deepest, 1 + sorted(below)[-2])
    return deepest


BY_DEFINITION: dict[str, Shatters] = {
    "ds": _holds_pseudo_cube,
    "natarajan": _holds_mixtures,
    "graph": _agrees_in_every_way,
    "vc": _all_patterns,
}
"""What it means that distinct rows shatter their columns."""


@cache
def brute_force(rows: Rows, notion: str) -> int:
    """The dimension by trying everything that its definition speaks of."""
    if notion == "littlestone":
        return _forced_mistakes(rows)
    return max(map(len, shattered_sets(rows, BY_DEFINITION[notion])), default=0)
