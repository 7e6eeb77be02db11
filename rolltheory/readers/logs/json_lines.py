"""JSON lines of any length, in blocks of whole lines and in flat memory."""

from __future__ import annotations

import gzip
import io
import json
import re
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rolltheory.errors import ReaderError
from rolltheory.readers.containers import RECORD_LIMIT
from rolltheory.readers.logs.blocks import BadRow, Block, Request, block_of_rows, flattened

if TYPE_CHECKING:
    import polars

__all__ = ["BLOCK_BYTES", "JsonLines", "decoded", "open_bytes"]

BLOCK_BYTES = 8 * 2**20
_PEEKED_LINES = 200
_BYTES_PER_LOOKUP = 25
_NOT_FINITE = re.compile(rb"NaN|Infinity")
_ENTRY = re.compile(rb'"([^"\\]*)"\s*:\s*(-?(?:NaN|Infinity))')


class JsonLines:
    """One object per line.

    Whole blocks go through polars, if it is installed; a block that polars refuses, line by line
    through the standard library, which gives the same numbers and can say which line is wrong.
    """

    def __init__(self, path: Path, *, on_progress: Callable[[int], None]) -> None:
        self.path, self.notes = path, list[str]()
        self._on_progress = on_progress
        with open_bytes(path) as stream:
            lines = list(islice((line for line in stream if line.strip()), _PEEKED_LINES))
        records = [record for line in lines if isinstance(record := _loaded(line), dict)]
        if lines and not records:
            _refuse(path, lines[0])
        self.keys, self._deep = dict[str, None](), set[str]()
        self._nested = all(isinstance(r.get("data"), dict) and "step" in r for r in records)
        for record in records:
            self._learn_keys(record)

    def blocks(self, request: Request) -> Iterator[Block]:
        """All rows; the last line may be cut short, which becomes a note."""
        first = 1
        with open_bytes(self.path) as stream:
            for data, ended in self._whole_lines(stream):
                for line in (data[: data.find(b"\n") + 1], data[data.rfind(b"\n", 0, -1) + 1 :]):
                    if isinstance(record := _loaded(line), dict):
                        self._learn_keys(record)
                if not ended and self._is_cut(data, first):
                    return
                quick = request.keys.isdisjoint(self._deep)
                block = self._quick(data, request, first) if quick else None
                yield block or block_of_rows(_rows(data, first), request)
                first += data.count(b"\n")

    def _whole_lines(self, stream: io.BufferedIOBase) -> Iterator[tuple[bytes, bool]]:
        """Blocks of whole lines, then the line that no line feed ends."""
        rest = b""
        while data := stream.read(BLOCK_BYTES):
            self._on_progress(len(data))
            data = rest + data
            cut = data.rfind(b"\n") + 1
            if len(data) - cut > RECORD_LIMIT:
                limit = f"{RECORD_LIMIT / 2**20:g} MiB"
                raise ReaderError(self.path, f"a line of more than {limit}", f"at most {limit}")
            if cut:
                yield data[:cut], True
            rest = data[cut:]
        if rest.strip():
            yield rest, False

    def _learn_keys(self, record: dict[str, Any]) -> None:
        """Note the keys; those of objects within objects are for the plain route."""
        flat = flattened(record)
        body = record.get("data") if self._nested else record
        self.keys |= dict.fromkeys(flat)
        self._deep |= flat.keys() - (body.keys() if isinstance(body, dict) else set()) - {"step"}

    def _is_cut(self, line: bytes, number: int) -> bool:
        if _loaded(line) is not None:
            return False
        self.notes.append(f"line {number}, the last one, is cut short and was left out")
        return True

    def _quick(self, data: bytes, request: Request, first: int) -> Block | None:
        finite = _only_finite(data, request.keys)
        if finite is None:
            return None
        text, not_finite = finite
        absent = request.keys - self.keys.keys()
        if len(absent) * data.count(b"\n") * _BYTES_PER_LOOKUP > len(data):
            # a key that no line holds costs polars about as much as one that every line holds
            fewer = replace(request, keys=request.keys - absent)
            frame = self._frame(text, fewer)
            if frame is not None and (self._is_all(frame, data) or not _hold_any(data, absent)):
                return self._block(frame, data, fewer, first, not_finite)
        frame = self._frame(text, request)
        return None if frame is None else self._block(frame, data, request, first, not_finite)

    def _frame(self, data: bytes, request: Request) -> polars.DataFrame | None:
        """The step and the requested keys, None if polars is missing or refuses the lines."""
        try:
            import polars
        except ImportError:
            return None
        keys = dict.fromkeys(request.keys, polars.Float64)
        schema: dict[str, Any] = {request.step: polars.Float64}
        schema |= {"data": polars.Struct(keys)} if self._nested else keys
        try:
            frame = polars.read_ndjson(io.BytesIO(data), schema=schema)
        except polars.exceptions.PolarsError:
            return None  # a bad line: the plain route can say which
        return frame.unnest("data") if self._nested else frame

    def _is_all(self, frame: polars.DataFrame, data: bytes) -> bool:
        """Whether the lines hold these keys and no others: each brings one colon at least."""
        if any(frame.null_count().row(0)):
            return False
        return data.count(b":") == frame.height * (frame.width + self._nested)

    def _block(
        self,
        frame: polars.DataFrame,
        data: bytes,
        request: Request,
        first: int,
        not_finite: dict[str, int],
    ) -> Block | None:
        steps = np.array(frame[request.step].to_numpy(), dtype=np.float64)
        whole = (steps >= 0) & (steps < 2**53) & (steps == np.floor(steps))
        if steps.size != data.count(b"\n") + (not data.endswith(b"\n")) or not whole.all():
            return None
        if (steps <= 1).any() and _is_truth(data, request.step):
            return None
        columns = {}
        for key in request.keys:
            if frame[key].null_count() < steps.size:
                columns[key] = frame[key].to_numpy()
        return Block(np.arange(first, first + steps.size), steps, columns, not_finite)


@contextmanager
def open_bytes(path: Path) -> Iterator[io.BufferedIOBase]:
    """The file's bytes, unpacked if gzipped."""
    with path.open("rb") as stream:
        if stream.peek(2)[:2] == b"\x1f\x8b":
            with gzip.open(stream) as unpacked:
                yield unpacked
        else:
            yield stream


def _only_finite(data: bytes, keys: Collection[str]) -> tuple[bytes, dict[str, int]] | None:
    """The lines with null for NaN and infinity, and how many these were by raw key.

    None where one stands for anything but the value of a plain key.
    """
    counts: dict[str, int] = {}
    if not (b"N" in data or b"I" in data):
        return data, counts
    pieces, done = [], 0
    for odd in _NOT_FINITE.finditer(data):
        opening = data.rfind(b'"', 0, data.rfind(b'"', 0, odd.start()))
        entry = _ENTRY.match(data, opening) if opening >= 0 else None
        if entry is None or entry.end() != odd.end():
            return None
        pieces += [data[done : entry.start(2)], b"null"]
        done = entry.end()
        if (key := entry[1].decode("utf-8", "replace")) in keys:
            counts[key] = counts.get(key, 0) + 1
    return b"".join([*pieces, data[done:]]), counts


def _is_truth(data: bytes, step: str) -> bool:
    """Whether a step may be true or false, which polars takes for 1 and 0."""
    name = re.escape(json.dumps(step).encode())
    return re.search(name + rb"\s*:\s*(true|false)", data) is not None


def _hold_any(data: bytes, keys: Collection[str]) -> bool:
    """Whether any of the keys may occur."""
    import polars

    text = polars.Series([data.decode("utf-8", "replace")])
    return b"\\" in data or bool(text.str.contains_any(list(keys))[0])


def _refuse(path: Path, line: bytes) -> None:
    """Say what the first line holds, if no line looked at holds an object."""
    found = "broken JSON" if _loaded(line) is None else "no JSON object"
    raise ReaderError(path, found, "one JSON object per line", line=1)


def _rows(data: bytes, first: int) -> Iterator[tuple[int, dict[str, Any] | BadRow]]:
    for number, line in enumerate(data.splitlines(), first):
        if line.strip():
            record = _loaded(line)
            if isinstance(record, dict):
                yield number, flattened(record)
            else:
                found = "broken JSON" if record is None else "no JSON object"
                yield number, BadRow(number, found, "one JSON object per line")


def _loaded(line: bytes) -> Any:
    """The value, None if the line is no JSON; a null is none either."""
    try:
        return decoded(line)
    except ValueError:
        return None


def decoded(line: bytes) -> Any:
    """The value that a line of JSON holds.

    Raises
    ------
    ValueError
        if it is no JSON, or nested too deeply to be read.
    """
    try:
        return json.loads(line)
    except RecursionError:
        raise ValueError("nested too deeply") from None
