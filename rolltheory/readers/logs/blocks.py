"""Rows of a log as columns, some thousands of them at a time."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np

from rolltheory.readers.records import Cell, ItemError, excerpt
from rolltheory.staleness.run_log import FloatArray, IntArray

__all__ = [
    "LARGEST",
    "BadRow",
    "Block",
    "Request",
    "Source",
    "block_of_rows",
    "flattened",
    "number",
    "without_giants",
]

LARGEST = 1e39
"""Above what single precision holds, and far below where squares of a value overflow."""

_NOT_FINITE = {"nan", "inf", "infinity", "+inf", "+infinity", "-inf", "-infinity", "-nan"}
_MISSING = {"", "null", "none"}


@dataclass(frozen=True, slots=True)
class BadRow:
    """A row that cannot be used, and why."""

    line: int
    found: str
    allowed: str


@dataclass(frozen=True, slots=True)
class Request:
    """What to read: the raw key of the step, and the raw keys of quantities."""

    step: str
    keys: frozenset[str]


@dataclass(frozen=True, slots=True)
class Block:
    """Some consecutive rows.

    Attributes
    ----------
    lines, steps : shape (N,)
    columns : raw keys with values, NaN where a row has no finite one; only those that occur
    not_finite : for each raw key how many values were NaN or infinite
    bad : rows left out
    """

    lines: IntArray
    steps: FloatArray
    columns: dict[str, FloatArray]
    not_finite: dict[str, int] = field(default_factory=dict)
    bad: tuple[BadRow, ...] = ()


class Source(Protocol):
    """A log file that was opened."""

    keys: dict[str, None]
    """Raw keys seen so far, in order; the values mean nothing."""

    notes: list[str]
    """What was odd so far."""

    def blocks(self, request: Request) -> Iterable[Block]:
        """All rows, in file order."""


def block_of_rows(
    rows: Iterable[tuple[int, Mapping[str, Any] | BadRow]], request: Request
) -> Block:
    """A block from flat rows with their line numbers."""
    good, bad, not_finite = [], [], dict[str, int]()
    for line, row in rows:
        try:
            if isinstance(row, BadRow):
                bad.append(row)
            else:
                good.append((line, _step(row, request), _values(row, request.keys, not_finite)))
        except ItemError as error:
            bad.append(BadRow(line, error.found, error.allowed))
    columns: dict[str, FloatArray] = {}
    for index, (_, _, values) in enumerate(good):
        for key, value in values:
            if key not in columns:
                columns[key] = np.full(len(good), np.nan)
            columns[key][index] = value
    return Block(
        np.array([line for line, _, _ in good], dtype=np.int64),
        np.array([step for _, step, _ in good], dtype=np.float64),
        columns,
        not_finite,
        tuple(bad),
    )


def without_giants(block: Block) -> Block:
    """The block with rows that hold a value beyond `LARGEST` among the bad ones."""
    giant = np.zeros(block.steps.size, dtype=bool)
    bad = list(block.bad)
    for key, column in block.columns.items():
        beyond = np.abs(column) > LARGEST
        for row in np.flatnonzero(beyond & ~giant).tolist():
            found = f"{key} = {column[row]:g}"
            bad.append(BadRow(int(block.lines[row]), found, f"numbers up to {LARGEST:g}"))
        giant |= beyond
    if not giant.any():
        return block
    return replace(
        block,
        lines=block.lines[~giant],
        steps=block.steps[~giant],
        columns={key: column[~giant] for key, column in block.columns.items()},
        bad=tuple(sorted(bad, key=lambda row: row.line)),
    )


def flattened(record: dict[str, Any]) -> dict[str, Any]:
    """Nested objects as keys with slashes; verl's ``data`` beside ``step`` without its name.

    >>> flattened({"step": 1, "data": {"actor/lr": 2}})
    {'step': 1, 'actor/lr': 2}
    >>> flattened({"step": 1, "loss": {"mean": 2}})
    {'step': 1, 'loss/mean': 2}
    """
    flat: dict[str, Any] = {}
    for key, value in record.items():
        if not isinstance(value, dict):
            flat[key] = value
        elif key == "data" and "step" in record:
            flat |= {inner: item for inner, item in flattened(value).items() if inner != "step"}
        else:
            flat |= {f"{key}/{inner}": item for inner, item in flattened(value).items()}
    return flat


def _step(row: Mapping[str, Any], request: Request) -> float:
    if request.step not in row:
        raise ItemError("no step", f"a whole number as {request.step}")
    value = row[request.step]
    truth = isinstance(value.parsed() if isinstance(value, Cell) else value, bool)
    step = None if truth else _number(value, request.step)
    if step is None or not (math.isfinite(step) and step == math.floor(step) and 0 <= step < 2**53):
        found = f"{request.step} = {excerpt(value)}"
        raise ItemError(found, f"a whole number, at least 0, as {request.step}")
    return step


def _values(
    row: Mapping[str, Any], keys: Collection[str], not_finite: dict[str, int]
) -> list[tuple[str, float]]:
    found: list[tuple[str, float]] = []
    odd: list[tuple[str, float]] = []
    for key, value in row.items():
        if key in keys and (parsed := _number(value, key)) is not None:
            (found if math.isfinite(parsed) else odd).append((key, parsed))
    for key, _ in odd:  # only once the whole row has proved good
        not_finite[key] = not_finite.get(key, 0) + 1
    return found


def number(value: float) -> float:
    """The number as a float, infinite if it is too large for one."""
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _number(value: Any, name: str) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool | int | float):
        return number(value)
    if isinstance(value, str):
        literal = value.strip().lower()
        if literal in _MISSING:
            return None
        if literal in _NOT_FINITE:
            return math.nan
        if isinstance(value, Cell) and (parsed := value.parsed()) is not None:
            return float(parsed)
    raise ItemError(f"{name} = {excerpt(value)}", f"a number as {name}")
