"""Rows gathered into one table of bounded size."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from rolltheory.readers.logs.order import Segment
from rolltheory.staleness.run_log import FloatArray

__all__ = ["MOST_ROWS", "Table", "Totals"]

MOST_ROWS = 2**17
"""Rows that are kept; of a longer log a pseudo-random share that depends on nothing but the order,
besides its first and last row.

A regular share, every tenth row say, could fall in step with a sampler that is renewed regularly.
"""


@dataclass(slots=True)
class Totals:
    """Extremes and sum of one raw key over all rows."""

    low: float = np.inf
    high: float = -np.inf
    total: float = 0.0
    count: int = 0

    def add(self, values: FloatArray) -> None:
        """Count in some values, of which NaN are missing."""
        finite = values[np.isfinite(values)]
        if finite.size:
            self.low = min(self.low, float(finite.min()))
            self.high = max(self.high, float(finite.max()))
            self.total += float(finite.sum())
            self.count += finite.size


@dataclass(slots=True)
class _Piece:
    order: npt.NDArray[np.uint64]
    steps: FloatArray
    columns: dict[str, FloatArray]

    def only(self, chosen: npt.NDArray[np.bool_]) -> _Piece:
        columns = {key: column[chosen] for key, column in self.columns.items()}
        return _Piece(self.order[chosen], self.steps[chosen], columns)


@dataclass(slots=True)
class Table:
    """Takes segments in file order.

    Attributes
    ----------
    counters : raw keys that only grow; their increments are kept
    totals : of every raw key
    rows : rows taken
    """

    counters: Collection[str]
    totals: dict[str, Totals] = field(default_factory=dict)
    rows: int = 0
    _pieces: list[_Piece] = field(default_factory=list)
    _last: _Piece = field(init=False)
    _limit: int = 2**64 - 1
    _counts: dict[str, float] = field(default_factory=dict)

    def add(self, segment: Segment) -> None:
        """Take the rows of a segment."""
        if segment.replaces_from is not None:
            step = segment.replaces_from
            self._pieces = [piece.only(piece.steps < step) for piece in self._pieces]
        block = segment.block
        columns = {key: self._values(key, column) for key, column in block.columns.items()}
        for key, column in columns.items():
            self.totals.setdefault(key, Totals()).add(column)
        order = _scrambled(np.arange(self.rows, self.rows + block.steps.size, dtype=np.uint64))
        if self.rows == 0:
            order[:1] = 0  # the first row always stays
        self.rows += block.steps.size
        piece = _Piece(order, block.steps, columns)
        self._last = piece.only(block.steps == block.steps[-1])
        self._pieces.append(piece.only(order <= self._limit))
        while sum(piece.steps.size for piece in self._pieces) > MOST_ROWS:
            self._limit //= 2
            self._pieces = [piece.only(piece.order <= self._limit) for piece in self._pieces]

    def whole(self) -> tuple[FloatArray, dict[str, FloatArray]]:
        """Steps, and the values of every raw key that occurs, NaN where missing."""
        pieces = [*self._pieces, self._last.only(self._last.order > self._limit)]
        steps = np.concatenate([piece.steps for piece in pieces])
        gaps = [np.full(piece.steps.size, np.nan) for piece in pieces]
        return steps, {
            key: np.concatenate(
                [piece.columns.get(key, gap) for piece, gap in zip(pieces, gaps, strict=True)]
            )
            for key in self.totals
        }

    def _values(self, key: str, column: FloatArray) -> FloatArray:
        """A counter's increments; where it fell it began again at 0."""
        if key not in self.counters:
            return column
        held = np.flatnonzero(np.isfinite(column))
        if not held.size:
            return column
        counts = column[held]
        before = np.concatenate([[self._counts.get(key, counts[0])], counts[:-1]])
        self._counts[key] = float(counts[-1])
        increments = np.full(column.size, np.nan)
        increments[held] = np.where(counts >= before, counts - before, counts)
        return increments


def _scrambled(index: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """A fixed pseudo-random number for each row (the output function of splitmix64)."""
    x = (index + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))
