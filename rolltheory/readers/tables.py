"""Rows of comma-separated values, each with its line."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from rolltheory.errors import ReaderError

__all__ = ["csv_rows", "number", "wrong_header"]

_LONGEST_LINE = 2**20  # characters


def csv_rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not blank, their cells stripped, with the number of their last line.

    Raises
    ------
    ReaderError
        for what is no CSV, no UTF-8, or a line without end.
    """
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = csv.reader(_lines(path, file), strict=True)
        try:
            for row in rows:
                if any(cell.strip() for cell in row):
                    yield rows.line_num, [cell.strip() for cell in row]
        except csv.Error as error:
            found = f"malformed CSV ({error})"
            raise ReaderError(path, found, "comma-separated values", line=rows.line_num) from None
        except UnicodeDecodeError as error:
            raise ReaderError(path, f"bytes that are not UTF-8 ({error.reason})", "text") from None


def number(
    path: Path,
    line: int,
    text: str,
    name: str,
    *,
    finite: bool = True,
    at_least: float = -math.inf,
) -> float:
    """The float that a cell holds.

    Raises
    ------
    ReaderError
        if it holds none, a smaller one, or where a finite one is needed another.
    """
    allowed = "a finite number" if finite else "a number"
    allowed += "" if at_least == -math.inf else f", at least {at_least:g}"
    try:
        value = float(text)
    except ValueError:
        raise ReaderError(path, f"{name} {text[:40]!r}", allowed, line=line) from None
    if (finite and not math.isfinite(value)) or value < at_least:
        raise ReaderError(path, f"{name} {text[:40]!r}", allowed, line=line)
    return value


def wrong_header(path: Path, line: int, header: list[str], allowed: str) -> ReaderError:
    """The error of a table of edges under another header; a matrix is told where to go."""
    if header and all(_is_number(cell) for cell in header):
        allowed += "; a matrix goes as .npz or .mtx"
        return ReaderError(path, "a row of numbers in place of a header", allowed, line=line)
    return ReaderError(path, f"header {','.join(header)[:80]!r}", allowed, line=line)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _lines(path: Path, file: TextIO) -> Iterator[str]:
    count = 0
    while line := file.readline(_LONGEST_LINE + 1):
        count += 1
        if len(line) > _LONGEST_LINE:
            found = f"a line that starts with {line[:20]!r} and has no end"
            raise ReaderError(
                path, found, f"lines of at most {_LONGEST_LINE} characters", line=count
            )
        yield line
