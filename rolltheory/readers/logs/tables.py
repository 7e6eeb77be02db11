"""Logs that are a table: CSV, a JSON array of rows, or TRL's state with its history of rows."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from rolltheory.errors import ReaderError
from rolltheory.readers.containers import RECORD_LIMIT
from rolltheory.readers.logs.blocks import BadRow, Block, Request, block_of_rows, flattened
from rolltheory.readers.logs.json_lines import open_bytes
from rolltheory.readers.records import Cell, excerpt

__all__ = ["CsvTable", "JsonDocument"]

_ROWS_PER_BLOCK = 4096


class CsvTable:
    """Comma-separated values under a header.

    An export of W&B names columns ``run - key`` with ``__MIN`` and ``__MAX`` beside each; the run
    is taken off and both are left out.
    """

    def __init__(self, path: Path, *, run: int | None, on_progress: Callable[[int], None]) -> None:
        self.path, self.notes = path, list[str]()
        self._on_progress = on_progress
        names = _header(path)
        if len(set(names)) < len(names) or not any(names):
            found = f"the header {excerpt(names)}"
            raise ReaderError(path, found, "a name for each column, once", line=1)
        if all(Cell(name).parsed() is not None for name in names):
            raise ReaderError(path, excerpt(names[0]), "a header of names, or JSON lines", line=1)
        self._names, self.runs = _without_run(path, names, run)
        self.keys = dict.fromkeys(name for name in self._names if name is not None)

    def blocks(self, request: Request) -> Iterator[Block]:
        """All rows; a last one with too few cells and no line end becomes a note."""
        rows = self._rows()
        while chunk := list(islice(rows, _ROWS_PER_BLOCK)):
            yield block_of_rows(chunk, request)

    def _rows(self) -> Iterator[tuple[int, Mapping[str, Any] | BadRow]]:
        ended = _ends_with_line_feed(self.path)
        waiting: tuple[int, Mapping[str, Any] | BadRow] | None = None
        for line, cells in islice(_records(self.path, self._on_progress), 1, None):
            if waiting is not None:
                yield waiting
            waiting = (line, self._row(line, cells))
        if waiting is None:
            return
        if isinstance(waiting[1], BadRow) and not ended:
            self.notes.append(f"line {waiting[0]}, the last one, is cut short and was left out")
        else:
            yield waiting

    def _row(self, line: int, cells: list[str] | BadRow) -> Mapping[str, Any] | BadRow:
        if isinstance(cells, BadRow):
            return cells
        if len(cells) != len(self._names):
            return BadRow(line, f"{len(cells)} cells", f"{len(self._names)}, as in the header")
        named = zip(self._names, cells, strict=True)
        return {name: Cell(cell) for name, cell in named if name is not None}


class JsonDocument:
    """One JSON value: an array of rows, or an object whose ``log_history`` is one."""

    def __init__(self, path: Path, *, on_progress: Callable[[int], None]) -> None:
        self.path, self.notes = path, list[str]()
        with open_bytes(path) as stream:
            data = stream.read(RECORD_LIMIT + 1)
        if len(data) > RECORD_LIMIT:
            limit = f"{RECORD_LIMIT / 2**20:g} MiB"
            raise ReaderError(path, f"a document of more than {limit}", "JSON lines for such sizes")
        on_progress(len(data))
        try:
            value = json.loads(data)
        except (ValueError, RecursionError) as error:
            line = getattr(error, "lineno", None)
            allowed = "one whole document, or one object per line"
            raise ReaderError(path, "broken JSON", allowed, line=line) from None
        rows = value.get("log_history") if isinstance(value, dict) else value
        if not isinstance(rows, list) or not any(isinstance(row, dict) for row in rows):
            raise ReaderError(path, "no rows", "an array of objects, or an object with log_history")
        self._rows = rows
        self.keys = dict.fromkeys(
            key for row in rows if isinstance(row, dict) for key in flattened(row)
        )

    def blocks(self, request: Request) -> Iterator[Block]:
        """All rows, numbered from 1."""
        yield block_of_rows(self._numbered(), request)

    def _numbered(self) -> Iterator[tuple[int, Mapping[str, Any] | BadRow]]:
        for number, row in enumerate(self._rows, 1):
            bad = BadRow(number, "no object", "an object per row")
            yield number, flattened(row) if isinstance(row, dict) else bad


def _header(path: Path) -> list[str]:
    cells = next(_records(path), (0, list[str]()))[1]
    if isinstance(cells, BadRow):
        with open_bytes(path) as stream:
            start = stream.read(100).decode("utf-8", "replace")
        found = f"{cells.found} in the header {excerpt(start)}"
        raise ReaderError(path, found, "lines, the first with a name for each column", line=1)
    return cells


def _records(
    path: Path, on_progress: Callable[[int], None] | None = None
) -> Iterator[tuple[int, list[str] | BadRow]]:
    with open_bytes(path) as stream:
        reader = csv.reader(_lines(stream, on_progress), strict=True)
        while True:
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                number = reader.line_num
                yield number, BadRow(number, f"broken CSV ({error})", "comma-separated values")
            else:
                if any(cell.strip() for cell in cells):
                    yield reader.line_num, cells


def _lines(stream: Any, on_progress: Callable[[int], None] | None) -> Iterator[str]:
    for index, line in enumerate(stream):
        if on_progress is not None:
            on_progress(len(line))
        text = line.decode("utf-8", "replace")
        yield text.removeprefix("\ufeff") if index == 0 else text


def _ends_with_line_feed(path: Path) -> bool:
    last = b"\n"
    with open_bytes(path) as stream:
        while data := stream.read(2**20):
            last = data[-1:]
    return last == b"\n"


def _without_run(path: Path, names: list[str], run: int | None) -> tuple[list[str | None], int]:
    """Columns by key, None for those of another run and for W&B's ranges; how many runs."""
    split = [name.strip().partition(" - ") for name in names]
    runs = list(dict.fromkeys(head for head, dash, _ in split if dash))
    if len(runs) > 1 and run is None:
        found = f"{len(runs)} runs in one file ({', '.join(runs[:4])})"
        raise ReaderError(path, found, "the number of the one to read: run (--run), from 1")
    if run is not None and len(runs) > 1 and not 1 <= run <= len(runs):
        raise ReaderError(path, f"{len(runs)} runs", f"run {run}")
    chosen = runs[run - 1 if run and len(runs) > 1 else 0] if runs else None
    columns = [
        None if (dash and head != chosen) or name.endswith(("__MIN", "__MAX")) else tail or head
        for name, (head, dash, tail) in zip(names, split, strict=True)
    ]
    return columns, len(runs)
