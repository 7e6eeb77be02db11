"""JSON lines of any length, in blocks of whole lines and in flat memory."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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
        self.keys = dict.fromkeys(key for record in records for key in flattened(record))
        # one level of objects at most, the same in all lines: else leave it to the plain route
        self._nested = all(isinstance(r.get("data"), dict) and "step" in r for r in records)
        bodies = [r["data"] if self._nested else r for r in records]
        self._flat = not any(isinstance(value, dict) for body in bodies for value in body.values())

    def blocks(self, request: Request) -> Iterator[Block]:
        """All rows; the last line may be cut short, which becomes a note."""
        first = 1
        with open_bytes(self.path) as stream:
            for data, ended in self._whole_lines(stream):
                if first > 1:
                    self._learn_keys(data)
                if not ended and self._is_cut(data, first):
                    return
                block = self._quick(data, request, first) if self._flat else None
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

    def _learn_keys(self, data: bytes) -> None:
        record = _loaded(data[: data.find(b"\n") + 1])
        if isinstance(record, dict):
            self.keys |= dict.fromkeys(flattened(record))

    def _is_cut(self, line: bytes, number: int) -> bool:
        if _loaded(line) is not None:
            return False
        self.notes.append(f"line {number}, the last one, is cut short and was left out")
        return True

    def _quick(self, data: bytes, request: Request, first: int) -> Block | None:
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
            return None  # a bad line, or NaN in one of its spellings: for the plain route
        return _block_of_frame(frame, data, request, first, nested=self._nested)


@contextmanager
def open_bytes(path: Path) -> Iterator[io.BufferedIOBase]:
    """The file's bytes, unpacked if gzipped."""
    with path.open("rb") as stream:
        if stream.peek(2)[:2] == b"\x1f\x8b":
            with gzip.open(stream) as unpacked:
                yield unpacked
        else:
            yield stream


def _block_of_frame(
    frame: polars.DataFrame, data: bytes, request: Request, first: int, *, nested: bool
) -> Block | None:
    steps = np.array(frame[request.step].to_numpy(), dtype=np.float64)
    whole = (steps >= 0) & (steps < 2**53) & (steps == np.floor(steps))
    if steps.size != data.count(b"\n") + (not data.endswith(b"\n")) or not whole.all():
        return None
    values = frame["data"].struct.unnest() if nested else frame
    columns = {}
    for key in request.keys:
        if values[key].null_count() < steps.size:
            columns[key] = values[key].to_numpy()
    return Block(np.arange(first, first + steps.size), steps, columns)


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
