"""All classes on a small grid at once: a table with a byte of flags for each.

Nothing here is shared with the library. There, classes are peeled, eliminated and searched one by
one; here, the least sets that shatter are marked, and the marks handed on to all sets around them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations, product
from math import prod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["Grid", "Measured", "class_of", "joint_counts", "least_gap", "measured"]

Grid = tuple[int, ...]
Cell = tuple[int, ...]
Table = npt.NDArray[np.uint8]
Masks = npt.NDArray[np.int64]

_NATARAJAN, _PARITY, _DS, _GRAPH, _REGULARITY = 1, 2, 4, 8, 16
_BLOCK = 1 << 22


class Measured(NamedTuple):
    """What is known of a class."""

    natarajan: int
    parity: int
    ds: int
    graph: int
    littlestone: int
    regularity: int


def cells(grid: Grid) -> list[Cell]:
    """The cells in the order of the bits: the first point's label is the slowest, and highest."""
    return list(product(*map(range, grid)))


def class_of(mask: int, grid: Grid) -> tuple[Cell, ...]:
    """The rows of a mask."""
    return tuple(cell for i, cell in enumerate(cells(grid)) if mask >> i & 1)


def joint_counts(grid: Grid, *, field: int = 2) -> Counter[Measured]:
    """How many of all classes on the grid have which numbers."""
    counts = np.zeros(5**6, dtype=np.int64)
    for found in _digits(grid, field):
        counts += np.bincount(found, minlength=counts.size)
    counts[0] -= 1  # the empty mask is no class
    return Counter(
        {Measured(*_base_5(int(key))): int(counts[key]) for key in np.flatnonzero(counts)}
    )


def measured(grid: Grid, *, field: int = 2) -> list[Measured]:
    """The numbers of each class on the grid, by mask; the first entry is about no class."""
    return [Measured(*_base_5(key)) for found in _digits(grid, field) for key in found.tolist()]


def least_gap(grid: Grid) -> int:
    """The least number of members of a pseudo-cube at all points without an even part.

    One more than there are cells if there is none.
    """
    flags = shattering(grid, 2)
    gaps = np.flatnonzero(flags & np.uint8(_DS | _PARITY) == _DS)
    return int(np.bitwise_count(gaps).min(initial=prod(grid) + 1))


def _base_5(key: int) -> list[int]:
    return [key // 5**place % 5 for place in reversed(range(6))]


def _digits(grid: Grid, field: int) -> Iterator[npt.NDArray[np.int32]]:
    from proofs_checks.dimension._grid_kernels import measure

    bits = prod(grid)
    low_bits = bits // 2
    flags = shattering(grid, field)
    rest = [*_parts(grid, field, low_bits), *_slices(grid, low_bits), _regularities(len(grid))]
    for first in range(0, flags.size, _BLOCK):
        yield measure(first, flags[first : first + _BLOCK], low_bits, *rest)


@cache
def shattering(grid: Grid, field: int) -> Table:
    """In which senses each class shatters all points of the grid, as flags."""
    from proofs_checks.dimension._grid_kernels import close_upwards

    bits = prod(grid)
    table: Table = np.zeros(1 << bits, dtype=np.uint8)
    _mark(table, _NATARAJAN, _mixtures(grid))
    _mark(table, _GRAPH, _agreements(grid))
    _mark(table, _PARITY, _supports(grid, len(grid) - 1, field))
    for size in range(1, len(grid) - 1):
        _mark(table, _REGULARITY << size - 1, _supports(grid, size, field))
    _mark_pseudo_cubes(table, grid)
    close_upwards(table, bits)
    return table


def _mark(table: Table, flag: int, masks: Iterable[int] | Masks) -> None:
    table[np.unique(np.fromiter(masks, dtype=np.int64))] |= np.uint8(flag)


def _mask(grid: Grid, chosen: Iterable[Cell]) -> int:
    return sum(1 << int(np.ravel_multi_index(cell, grid)) for cell in chosen)


def _mixtures(grid: Grid) -> Iterator[int]:
    """Two labels at each point, and all of their mixtures."""
    for pairs in product(*(combinations(range(count), 2) for count in grid)):
        yield _mask(grid, product(*pairs))


def _agreements(grid: Grid) -> Iterator[int]:
    """A pattern, and for each part of the points a cell that agrees with it there and no more."""
    every = cells(grid)
    for pattern in every:
        by_part: dict[tuple[bool, ...], list[int]] = {}
        for i, cell in enumerate(every):
            part = tuple(a == b for a, b in zip(cell, pattern, strict=True))
            by_part.setdefault(part, []).append(1 << i)
        if len(by_part) == 2 ** len(grid):
            yield from map(sum, product(*by_part.values()))


def _supports(grid: Grid, size: int, field: int) -> Masks:
    """The supports of the functions whose marginals at so many points, or fewer, vanish.

    They are spanned by products of functions that sum to 0 at more points, and anything at others:
    at each point the differences from label 0 and the indicator of label 0.
    """
    basis = [
        _tensor(grid, chosen)
        for chosen in product(*map(range, grid))
        if sum(label > 0 for label in chosen) > size
    ]
    vectors = np.zeros((1, prod(grid)), dtype=np.int8)
    for element in basis:
        vectors = np.concatenate([(vectors + k * element) % field for k in range(field)])
    masks = np.zeros(len(vectors), dtype=np.int64)
    for i, column in enumerate(vectors.T):
        masks |= (column != 0).astype(np.int64) << i
    return masks[masks > 0]


def _tensor(grid: Grid, chosen: Cell) -> npt.NDArray[np.int8]:
    """The product of 1[label] - 1[0] where a label is chosen, and of 1[0] where 0 is."""
    vector = np.ones(1, dtype=np.int8)
    for count, label in zip(grid, chosen, strict=True):
        factor = np.zeros(count, dtype=np.int8)
        factor[label] += 1
        if label:
            factor[0] -= 1
        vector = np.multiply.outer(vector, factor).ravel()
    return vector


def _mark_pseudo_cubes(table: Table, grid: Grid) -> None:
    from proofs_checks.dimension._grid_kernels import mark_pseudo_cubes

    fine = np.ones(2, dtype=np.uint8)  # the grid of no points has one cell, and no lines
    for first in reversed(range(len(grid))):
        wanted = table if first == 0 else np.zeros(1 << prod(grid[first:]), dtype=np.uint8)
        mark_pseudo_cubes(wanted, _DS, fine, grid[first], prod(grid[first + 1 :]))
        fine = wanted & np.uint8(_DS) if first else fine
        fine[0] = 1


def _parts(grid: Grid, field: int, low_bits: int) -> list[Any]:
    """For each proper subset of the points: what masks become there, its flags, its size."""
    subsets = [
        part for size in range(1, len(grid)) for part in combinations(range(len(grid)), size)
    ]
    tables = [shattering(tuple(grid[i] for i in part), field) for part in subsets]
    places = [_places(grid, part, {}) for part in subsets]
    sizes = np.array([len(part) for part in subsets], dtype=np.int32)
    return [*_split(places, low_bits), _stacked(tables, np.uint8), sizes]


def _slices(grid: Grid, low_bits: int) -> list[Any]:
    """For each point and label: what is left of masks, its Littlestone dimension, the point."""
    chosen = [(point, label) for point, count in enumerate(grid) for label in range(count)]
    places, tables = [], []
    for point, label in chosen:
        rest = tuple(i for i in range(len(grid)) if i != point)
        places.append(_places(grid, rest, {point: label}))
        tables.append(_depths(tuple(grid[i] for i in rest)))
    points = np.array([point for point, _ in chosen], dtype=np.int32)
    return [*_split(places, low_bits), _stacked(tables, np.int8), points]


def _places(grid: Grid, kept: tuple[int, ...], fixed: dict[int, int]) -> npt.NDArray[np.int32]:
    """The bit of each cell in the grid of the points that are kept; -1 if it has other labels."""
    places = [-1] * prod(grid)
    for i, cell in enumerate(cells(grid)):
        if all(cell[point] == label for point, label in fixed.items()):
            place = 0
            for point in kept:
                place = place * grid[point] + cell[point]
            places[i] = place
    return np.array(places, dtype=np.int32)


def _split(places: list[npt.NDArray[np.int32]], low_bits: int) -> list[Any]:
    """What the low and the high bits of a mask become, for each list of places."""
    from proofs_checks.dimension._grid_kernels import kept_bits

    return [
        np.stack([kept_bits(end, end.size) for end in ends])
        for ends in ([p[:low_bits] for p in places], [p[low_bits:] for p in places])
    ]


def _stacked(tables: list[npt.NDArray[Any]], kind: type) -> npt.NDArray[Any]:
    """Tables of different lengths as rows of one."""
    stacked = np.zeros((len(tables), max((t.size for t in tables), default=1)), dtype=kind)
    for row, table in zip(stacked, tables, strict=True):
        row[: table.size] = table
    return stacked


@cache
def _depths(grid: Grid) -> npt.NDArray[np.int8]:
    """The Littlestone dimension of each class on the grid; -1 for none."""
    if not grid:
        return np.array([-1, 0], dtype=np.int8)
    bits = prod(grid)
    low, high, tables, points = _slices(grid, bits // 2)
    masks = np.arange(1 << bits)
    below, above = masks & ((1 << bits // 2) - 1), masks >> bits // 2
    found = np.where(masks > 0, 0, -1)
    for point in range(len(grid)):
        left = [tables[s, low[s, below] | high[s, above]] for s in np.flatnonzero(points == point)]
        if len(left) > 1:
            found = np.maximum(found, np.sort(left, axis=0)[-2] + 1)
    found[0] = -1
    return found.astype(np.int8)


def _regularities(points: int) -> Table:
    """The regularity of a class with two rows or more, by its flags."""
    table = np.ones(256, dtype=np.uint8)
    for flags in range(256):
        for size in range(1, points - 1):
            if flags & _REGULARITY << size - 1:
                table[flags] = size + 1
        if flags & _PARITY:
            table[flags] = points
    return table
