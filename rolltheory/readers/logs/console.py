"""What frameworks print: verl's console rows are read, TRL's, which bear no step, are refused."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from rolltheory.errors import ReaderError
from rolltheory.readers.logs.blocks import BadRow, Block, Request, block_of_rows
from rolltheory.readers.logs.json_lines import BLOCK_BYTES, open_bytes
from rolltheory.readers.records import Cell, excerpt

__all__ = ["ConsoleRows", "is_console", "refuse_printed_rows"]

_PEEKED_ROWS = 200
_ROWS_PER_BLOCK = 4096
_VALUE = r"(?:np\.\w+\()?([^\s:()]+)\)?"
_ROW = re.compile(
    rb"""(?m)^[^{"\n]*?\bstep:(\d+) - (?=[^\n:]+:(?:np\.\w+\()?[+-]?(?:\d|nan|inf))([^\r\n]+)"""
)
_ENTRY = re.compile(rf"(.+):{_VALUE}(?:\s.*)?")
_PRINTED = re.compile(rb"(?m)^\{'\w[^'\n]*': ")


def is_console(path: Path) -> bool:
    """Whether a row as verl prints them stands near the beginning, whatever is around it.

    Parameters
    ----------
    path : a file
    """
    with open_bytes(path) as stream:
        data = stream.read(BLOCK_BYTES)
    return b"step:" in data and _ROW.search(data) is not None


def refuse_printed_rows(path: Path) -> None:
    """Say what to give in place of the rows that TRL prints.

    Raises
    ------
    ReaderError
        if one stands near the beginning.
    """
    with open_bytes(path) as stream:
        data = stream.read(BLOCK_BYTES)
    if printed := _PRINTED.search(data):
        raise ReaderError(
            path,
            "rows as TRL prints them, which bear no step",
            "trainer_state.json of the last checkpoint, or an export of W&B or TensorBoard",
            line=data.count(b"\n", 0, printed.start()) + 1,
        )


class ConsoleRows:
    """verl's ``step:1 - actor/lr:1e-06 - ...``, behind any prefix; other lines are passed over."""

    def __init__(self, path: Path, *, on_progress: Callable[[int], None]) -> None:
        self.path, self.notes = path, list[str]()
        self._on_progress = on_progress
        rows = (row for line in self._lines() if isinstance(row := _parsed(line), dict))
        self.keys = dict.fromkeys(key for row in islice(rows, _PEEKED_ROWS) for key in row)

    def blocks(self, request: Request) -> Iterator[Block]:
        """All rows; a last one that no line end shows to be whole becomes a note."""
        rows = self._rows()
        while chunk := list(islice(rows, _ROWS_PER_BLOCK)):
            yield block_of_rows(chunk, request)

    def _rows(self) -> Iterator[tuple[int, Mapping[str, Any] | BadRow]]:
        for number, line in enumerate(self._lines(), 1):
            self._on_progress(len(line))
            row = _parsed(line)
            if row is None:
                continue
            if not line.endswith(b"\n"):
                self.notes.append(f"line {number}, the last one, may be cut short and was left out")
                return
            if isinstance(row, str):
                yield number, BadRow(number, row, "key:number")
            else:
                self.keys |= dict.fromkeys(row)
                yield number, row

    def _lines(self) -> Iterator[bytes]:
        with open_bytes(self.path) as stream:
            yield from stream


def _parsed(line: bytes) -> dict[str, Cell] | str | None:
    """The row that a line holds, or the entry that is none; None if the line holds no row."""
    found = _ROW.search(line)
    if found is None:
        return None
    row = {"step": Cell(found[1].decode())}
    for entry in found[2].decode("utf-8", "replace").split(" - "):
        parts = _ENTRY.fullmatch(entry)
        if parts is None:
            return excerpt(entry)
        row[parts[1]] = Cell(parts[2])
    return row
