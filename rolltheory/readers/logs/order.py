"""The order of steps: runs and resumes told apart, rows of one step merged, gaps counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from rolltheory.errors import ReaderError
from rolltheory.readers.logs.blocks import Block
from rolltheory.staleness.run_log import FloatArray

__all__ = ["Segment", "StepOrder"]

_WIDTHS_COUNTED = 1000


@dataclass(frozen=True, slots=True)
class Segment:
    """Rows with strictly increasing steps, which replace all earlier rows from a step on."""

    block: Block
    replaces_from: float | None = None


@dataclass(slots=True)
class StepOrder:
    """Turns blocks in file order into segments of one run.

    A step that goes back is a restart. Behind the run's first step it is a resume; at or before it
    a second run begins, and the caller must choose.

    Attributes
    ----------
    path : the file, for errors
    run : which run of the file, from 1; None if it must be the only one
    notes : what was odd
    """

    path: Path
    run: int | None
    notes: list[str] = field(default_factory=list)
    _runs: int = 1
    _first: float = np.nan
    _last: float = np.nan
    _widths: Counter[float] = field(default_factory=Counter)
    _repeats: int = 0
    _conflicts: int = 0

    def segments(self, blocks: Iterable[Block]) -> Iterator[Segment]:
        """The rows of the chosen run; one row is held back as the next may be of the same step."""
        pending: Segment | None = None
        for segment in self._ordered(blocks):
            if pending is not None and segment.replaces_from is None:
                segment = Segment(_joined(pending.block, segment.block), pending.replaces_from)
            elif pending is not None:
                yield pending
            block, last = self._merged(segment.block)
            if block.steps.size:
                yield Segment(block, segment.replaces_from)
                pending = Segment(last)
            else:
                pending = Segment(last, segment.replaces_from)
        if pending is None:
            found = f"{self._runs} runs" if self.run else "no row with a step"
            raise ReaderError(self.path, found, f"run {self.run}" if self.run else "at least one")
        yield pending
        self._describe()

    def _ordered(self, blocks: Iterable[Block]) -> Iterator[Segment]:
        """Split where the step goes back; only the chosen run passes."""
        for block in blocks:
            steps = block.steps
            back = np.flatnonzero(np.diff(steps, prepend=self._last) < 0).tolist()
            edges = [0, *(edge for edge in back if edge), steps.size]
            for start, stop in pairwise(edges):
                if start == stop:
                    continue
                resumed = self._restart(steps[start], block.lines[start]) if start in back else None
                if np.isnan(self._first):
                    self._first = float(steps[start])
                self._last = float(steps[stop - 1])
                if self.run is None or self._runs == self.run:
                    yield Segment(_part(block, start, stop), resumed)

    def _restart(self, step: float, line: int) -> float | None:
        """The step from which a resume replaces earlier rows, None if another run begins."""
        last, self._last = self._last, np.nan
        if step > self._first:
            self.notes.append(
                f"line {line}: resumed at step {step:g} after step {last:g}; the rows before it"
                f" from step {step:g} on count in extremes and sums only"
            )
            return float(step)
        if self.run is None:
            found = f"a second run in the file (step {last:g}, then step {step:g})"
            raise ReaderError(
                self.path, found, "the number of the run to read (run, --run)", line=int(line)
            )
        self._runs += 1
        self._first = np.nan
        return None

    def _merged(self, block: Block) -> tuple[Block, Block]:
        """All steps but the last, each once, and the last: of repeated values the later counts."""
        increments = np.diff(block.steps)
        starts = np.flatnonzero(np.concatenate([[True], increments > 0]))
        self._count_widths(increments[increments > 0])
        if starts.size < block.steps.size:
            self._repeats += block.steps.size - starts.size
            conflicts = np.zeros(starts.size, dtype=bool)
            columns = {}
            for key, column in block.columns.items():
                columns[key] = _last_finite(column, starts)
                spread = np.fmax.reduceat(column, starts) > np.fmin.reduceat(column, starts)
                conflicts |= spread
            self._conflicts += int(conflicts.sum())
            block = replace(
                block, lines=block.lines[starts], steps=block.steps[starts], columns=columns
            )
        cut = block.steps.size - 1
        return _part(block, 0, cut), _part(block, cut, cut + 1)

    def _count_widths(self, widths: FloatArray) -> None:
        for width, count in zip(*np.unique(widths, return_counts=True), strict=True):
            if width in self._widths or len(self._widths) < _WIDTHS_COUNTED:
                self._widths[float(width)] += int(count)

    def _describe(self) -> None:
        if self._conflicts:
            self.notes.append(
                f"{self._conflicts} steps were logged more than once with different values; the"
                " later ones count"
            )
        if self._widths:
            usual = self._widths.most_common(1)[0][0]
            missing = sum(
                round(width / usual - 1) * count
                for width, count in self._widths.items()
                if width > usual
            )
            if missing:
                self.notes.append(f"{missing} steps are missing (usual distance {usual:g})")


def _part(block: Block, start: int, stop: int) -> Block:
    columns = {key: column[start:stop] for key, column in block.columns.items()}
    return replace(
        block, lines=block.lines[start:stop], steps=block.steps[start:stop], columns=columns
    )


def _joined(first: Block, second: Block) -> Block:
    columns = {
        key: np.concatenate(
            [block.columns.get(key, np.full(block.steps.size, np.nan)) for block in (first, second)]
        )
        for key in {**first.columns, **second.columns}
    }
    lines = np.concatenate([first.lines, second.lines])
    return Block(lines, np.concatenate([first.steps, second.steps]), columns)


def _last_finite(column: FloatArray, starts: np.ndarray) -> FloatArray:
    """The last finite value from each start to the next, NaN if there is none."""
    held = np.where(np.isfinite(column), np.arange(column.size), -1)
    last = np.maximum.reduceat(held, starts)
    return np.where(last >= starts, column[last], np.nan)
