"""Read numbers over time, one column per channel: .csv, .jsonl, .npz or .npy.

- ``.csv``: a row per step, with or without a header of names;
- ``.jsonl``: a line per step, which is a number, a list of numbers or an object of them;
- ``.npz``: arrays of the same length, a channel each, or one of shape (steps, channels); ``.npy``:
  one array.

A channel named ``step`` or ``time`` counts the steps and is left out.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rolltheory.errors import ReaderError
from rolltheory.readers.arrays import array_values, by_ending, read_arrays
from rolltheory.readers.tables import csv_rows, number

__all__ = ["Series", "read_series"]

FloatArray = npt.NDArray[np.float64]

_CLOCKS = ("step", "time")


@dataclass(frozen=True)
class Series:
    """Numbers over time.

    Attributes
    ----------
    names : of the c channels
    values : (T, c)
    """

    names: tuple[str, ...]
    values: FloatArray


def read_series(
    path: str | PathLike[str], *, finite: bool = True, at_least: float = -math.inf
) -> Series:
    """The series in a file; see the module for the formats.

    Parameters
    ----------
    path : file, whose ending tells the format
    finite : whether NaN and infinity are refused
    at_least : a smaller number is refused

    Returns
    -------
    Series

    Raises
    ------
    ReaderError
        with the line where the format has lines, what was found and what is allowed.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "errors.csv")
    ...     _ = path.write_text("step,error\\n0,0.5\\n1,0.25\\n")
    ...     read_series(path)
    Series(names=('error',), values=array([[0.5 ],
           [0.25]]))
    """
    readers = {
        ".csv": lambda file: _read_csv(file, finite, at_least),
        ".jsonl": lambda file: _read_json_lines(file, finite, at_least),
        ".npz": _read_npz,
        ".npy": _read_npz,
    }
    names, values = by_ending(path, readers)
    kept = [channel for channel, name in enumerate(names) if name.lower() not in _CLOCKS]
    if not kept or not values.shape[0]:
        raise ReaderError(path, f"{values.shape[0]} steps of {len(kept)} channels", "some of each")
    if finite and not np.isfinite(values).all():
        step, channel = np.argwhere(~np.isfinite(values))[0]
        found = f"{values[step, channel]} in channel {names[channel]} at step {step}"
        raise ReaderError(path, found, "finite numbers")
    if (values[:, kept] < at_least).any():
        step, at = np.argwhere(values[:, kept] < at_least)[0]
        found = f"{values[step, kept[at]]:g} in channel {names[kept[at]]} at step {step}"
        raise ReaderError(path, found, f"numbers of at least {at_least:g}")
    return Series(tuple(names[channel] for channel in kept), values[:, kept])


def _read_csv(path: Path, finite: bool, at_least: float) -> tuple[list[str], FloatArray]:
    rows = csv_rows(path)
    line, first = next(rows, (1, []))
    named = any(not _is_number(cell) for cell in first)
    names = first if named else _numbered(len(first))
    if len(set(names)) < len(names):
        found = f"a header that repeats a channel ({', '.join(names)[:80]})"
        raise ReaderError(path, found, "each channel once", line=line)
    table = []
    body = rows if named else chain([(line, first)], rows)
    for line, row in body:
        if len(row) != len(names):
            raise ReaderError(path, f"{len(row)} cells", f"{len(names)}, as above", line=line)
        table.append(_numbers(path, line, names, row, finite, at_least))
    return names, np.array(table, dtype=np.float64).reshape(len(table), len(names))


def _read_json_lines(path: Path, finite: bool, at_least: float) -> tuple[list[str], FloatArray]:
    names: list[str] = []
    table: list[list[float]] = []
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise ReaderError(path, f"bytes that are not UTF-8 ({error.reason})", "text") from None
    for line, text in enumerate(lines, 1):
        if not text.strip():
            continue
        keys, values = _record(path, line, text)
        names = names or keys
        if keys != names:
            raise ReaderError(
                path, f"channels {', '.join(keys)[:80]}", f"{', '.join(names)[:80]}", line=line
            )
        table.append(_numbers(path, line, names, map(str, values), finite, at_least))
    return names, np.array(table, dtype=np.float64).reshape(len(table), len(names))


def _numbers(
    path: Path, line: int, names: list[str], cells: Iterable[str], finite: bool, at_least: float
) -> list[float]:
    """The numbers of a line; the clock may be any."""
    return [
        number(
            path,
            line,
            cell,
            name,
            finite=finite,
            at_least=-math.inf if name.lower() in _CLOCKS else at_least,
        )
        for name, cell in zip(names, cells, strict=True)
    ]


def _record(path: Path, line: int, text: str) -> tuple[list[str], Iterable[Any]]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ReaderError(path, f"broken JSON ({error})", "JSON", line=line) from None
    if isinstance(value, dict):
        return list(value), value.values()
    values = value if isinstance(value, list) else [value]
    return _numbered(len(values)), values


def _read_npz(path: Path) -> tuple[list[str], FloatArray]:
    arrays = read_arrays(path)
    names: list[str] = []
    columns = []
    for name, array in arrays.items():
        values = array_values(path, name, array)
        if values.ndim not in (1, 2):
            found = f"array {name!r} of shape {values.shape}"
            raise ReaderError(path, found, "shape (steps,) or (steps, channels)")
        names += [name] if values.ndim == 1 else _numbered(values.shape[1])
        columns.append(values.reshape(values.shape[0], -1))
    if len({part.shape[0] for part in columns}) != 1 or len(set(names)) < len(names):
        found = f"arrays of shapes {', '.join(str(part.shape) for part in columns)}"
        raise ReaderError(path, found, "as many steps in each, and one table at most")
    return names, np.concatenate(columns, axis=1)


def _numbered(count: int) -> list[str]:
    return [str(channel) for channel in range(1, count + 1)]


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
