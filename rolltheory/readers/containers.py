"""From bytes to items: JSON, JSON lines, CSV, YAML and NPY, told apart by content, gzipped or not.

Nothing larger than ``RECORD_LIMIT`` is ever held: a file of lines may have any size, a line or a
document that exceeds the limit is refused after reading that much of it.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import zlib
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from rolltheory.errors import MissingExtraError, ReaderError
from rolltheory.files import require_regular
from rolltheory.readers.records import Cell, Item, ItemError

__all__ = ["RECORD_LIMIT", "read_items"]

RECORD_LIMIT = 256 * 2**20
"""Bytes of the largest line, CSV record or whole document that is read."""

_BOM = b"\xef\xbb\xbf"
_NPY, _GZIP = b"\x93NUMPY", b"\x1f\x8b"
_YAML = re.compile(rb"---|%YAML|#|\w[\w ]*:(\s|$)")
_UTF8 = "text in UTF-8"


def read_items(path: Path) -> Iterator[Item]:
    """The items of one file; an item that is no value is a ``ItemError`` in place of its value.

    Raises
    ------
    ReaderError
        for what makes the rest of the file unreadable, too.
    """
    require_regular(path, streams=True)
    try:
        with path.open("rb") as stream:
            yield from _items(path, _Lines(path, _unpacked(stream)))
    except OSError as error:
        raise ReaderError(path, error.strerror or str(error), "a readable file") from None
    except (EOFError, zlib.error):
        raise ReaderError(path, "a damaged gzip stream", "a whole one") from None


def _unpacked(stream: io.BufferedReader) -> io.BufferedIOBase:
    return gzip.open(stream) if stream.peek(2)[:2] == _GZIP else stream


def _items(path: Path, lines: _Lines) -> Iterator[Item]:
    first = lines.ahead(1)
    if not first:
        raise ReaderError(path, "an empty file", "at least one problem")
    if first[0].startswith(_NPY):
        return _array_items(path, lines.rest())
    if b"\0" in first[0]:
        raise ReaderError(path, "binary content", f"{_UTF8}, .npy, or either of them gzipped")
    if first[0][:1] in b"{[":
        return _json_items(path, lines)
    return _yaml_items(path, lines) if _YAML.match(first[0]) else _csv_items(lines)


class _Lines:
    """Lines with their numbers, a look ahead, and the limit on everything that is held."""

    def __init__(self, path: Path, stream: io.BufferedIOBase) -> None:
        self._path, self._stream = path, stream
        self._waiting: deque[tuple[int, bytes]] = deque()
        self._read = self._held = 0
        self.number = 0

    def ahead(self, count: int) -> list[bytes]:
        """The next lines that are not blank, stripped, without taking them."""
        while len(self._waiting) < count and (line := self._line()):
            if line.strip():
                self._waiting.append((self._read, line))
        return [line.strip() for _, line in self._waiting]

    def begin_record(self) -> None:
        """Forget how much was held: what comes next is a new record."""
        self._held = 0

    def rest(self) -> bytes:
        """Everything that is left, as one document."""
        data = b""
        for number, line in self._waiting:
            self._check(number)
            data += b"\n" * (number - 1 - data.count(b"\n")) + line  # blank lines back in place
        self._check(len(data))
        data += self._stream.read(RECORD_LIMIT + 1 - len(data))
        self._check(len(data))
        return data

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> bytes:
        number, line = self._waiting.popleft() if self._waiting else (self._read + 1, self._line())
        if not line:
            raise StopIteration
        self.number = number
        self._held += len(line)
        self._check(self._held)
        return line

    def _line(self) -> bytes:
        line = self._stream.readline(RECORD_LIMIT + 1)
        self._read += bool(line)
        self._check(len(line))
        return line.removeprefix(_BOM) if self._read == 1 else line

    def _check(self, size: int) -> None:
        if size > RECORD_LIMIT:
            limit = f"{RECORD_LIMIT / 2**20:g} MiB"
            found = f"a line or document of more than {limit}"
            raise ReaderError(self._path, found, f"at most {limit} in each", line=self._read)


def _json_items(path: Path, lines: _Lines) -> Iterator[Item]:
    """Lines, if the second begins as the first, which is not left open; else one document."""
    first, *second = lines.ahead(2)
    if second and second[0][:1] == first[:1] and first[-1:] not in b",:[{":
        return _json_lines(lines)
    return _json_document(path, lines)


def _json_lines(lines: _Lines) -> Iterator[Item]:
    count = 0
    for line in lines:
        lines.begin_record()
        if line.strip():
            count += 1
            yield Item(_json_or_bad(line), str(count), lines.number)


def _json_or_bad(line: bytes) -> Any:
    try:
        return _DECODER.decode(line.decode())
    except UnicodeDecodeError:
        return ItemError("bytes that are not UTF-8", _UTF8)
    except ItemError as bad:
        return bad
    except (ValueError, RecursionError) as error:
        return ItemError(_json_fault(error), "one JSON value per line")


def _json_document(path: Path, lines: _Lines) -> Iterator[Item]:
    text = _decoded(path, lines.rest())
    try:
        value = _DECODER.decode(text)
    except ItemError as bad:
        raise ReaderError(path, bad.found, bad.allowed) from None
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", None)
        raise ReaderError(path, _json_fault(error), "a JSON document", line=line) from None
    return _document_items(path, value)


def _object_without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        names = [name for name, _ in pairs]
        repeated = next(name for name in names if names.count(name) > 1)
        raise ItemError(f"the field {repeated!r} twice in one object", "each field once")
    return record


_DECODER = json.JSONDecoder(object_pairs_hook=_object_without_repeats)


def _json_fault(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "JSON nested too deeply"
    if not isinstance(error, json.JSONDecodeError):
        return f"unusable JSON ({error})"
    cut = error.pos >= len(error.doc.rstrip()) or error.msg.startswith("Unterminated")
    return f"{'truncated' if cut else 'broken'} JSON ({error.msg}, column {error.colno})"


def _document_items(path: Path, value: Any) -> Iterator[Item]:
    if not isinstance(value, list):
        yield Item(value, Path(path.name.removesuffix(".gz")).stem)
        return
    for number, element in enumerate(value, 1):
        yield Item(element, str(number), place=f" in item {number}")


def _array_items(path: Path, data: bytes) -> Iterator[Item]:
    try:
        array = np.load(io.BytesIO(data), allow_pickle=False)
    except Exception as error:  # numpy's header parser lets errors of many kinds through
        raise ReaderError(path, f"an unusable .npy file ({error})", "a matrix of numbers") from None
    if array.ndim != 2 or array.dtype.kind not in "biuf" or not array.size:
        found = f"an array of {array.dtype} of shape {array.shape}"
        raise ReaderError(path, found, "a matrix of numbers")
    return _document_items(path, array.tolist())


def _yaml_items(path: Path, lines: _Lines) -> Iterator[Item]:
    try:
        import yaml
    except ImportError:
        raise MissingExtraError("reading YAML", "formats") from None
    text = _decoded(path, lines.rest())
    try:
        value = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except Exception as error:  # its constructors let errors of many kinds through
        mark = getattr(error, "problem_mark", None)
        found = f"broken YAML ({getattr(error, 'problem', None) or error})"
        line = mark.line + 1 if mark else None
        raise ReaderError(path, " ".join(found.split()), "a YAML document", line=line) from None
    return _document_items(path, value)


def _csv_items(lines: _Lines) -> Iterator[Item]:
    """Rows as lists, or as objects if the first row holds no number: then it is their header."""
    rows = enumerate(_csv_rows(lines))
    _, first = next(rows, (0, []))
    if isinstance(first, ItemError) or any(cell.parsed() is not None for cell in first):
        yield Item(first, "1", lines.number)
        header = None
    else:
        header = [cell.strip() for cell in first]
        if len(set(header)) < len(header):
            found = f"a header that repeats a field ({', '.join(header)})"
            yield Item(ItemError(found, "each field once"), "", lines.number)
            return
    for count, row in rows:
        yield Item(_named(header, row), str(count + (header is None)), lines.number)


def _named(header: list[str] | None, row: list[Cell] | ItemError) -> Any:
    if header is None or isinstance(row, ItemError):
        return row
    if len(row) != len(header):
        return ItemError(f"{len(row)} cells", f"{len(header)} cells, as many as the header has")
    return dict(zip(header, row, strict=True))


def _csv_rows(lines: _Lines) -> Iterator[list[Cell] | ItemError]:
    decoded = (line.decode("utf-8", "surrogateescape") for line in lines)
    rows = csv.reader(decoded, strict=True)
    while True:
        lines.begin_record()
        try:
            row = [Cell(cell) for cell in next(rows)]
            "".join(row).encode()
        except StopIteration:
            return
        except csv.Error as error:
            yield ItemError(f"broken CSV ({error})", "comma-separated values")
        except UnicodeEncodeError:
            yield ItemError("bytes that are not UTF-8", _UTF8)
        else:
            if len(row) > 1 or "".join(row).strip():
                yield row


def _decoded(path: Path, data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ReaderError(path, "bytes that are not UTF-8", _UTF8, line=line) from None
