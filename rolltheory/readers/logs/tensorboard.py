"""TensorBoard event files: scalars by tag and step, read by TensorBoard's own record reader."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from rolltheory.errors import MissingExtraError, ReaderError
from rolltheory.readers.logs.blocks import Block, Request

__all__ = ["EventFiles", "is_event_file"]

STEP = "step"
"""The name of the step, which every event has beside its tags."""


def is_event_file(path: Path) -> bool:
    """Whether the first record is TensorBoard's statement of its version.

    Parameters
    ----------
    path : a file
    """
    with path.open("rb") as stream:
        return b"brain.Event:" in stream.read(64)


class EventFiles:
    """One event file, or all of a folder in the order of their names, which begin with the time.

    Tags may follow steps of their own, so each file becomes rows by step.
    """

    def __init__(self, path: Path, *, on_progress: Callable[[int], None]) -> None:
        self.path, self.notes = path, list[str]()
        self.keys: dict[str, None] = {STEP: None}
        self._on_progress = on_progress
        files = sorted(path.iterdir()) if path.is_dir() else [path]
        self._files = [file for file in files if file.is_file() and is_event_file(file)]
        self._scalars = [self._read(file) for file in self._files]
        for tags in self._scalars:
            self.keys |= dict.fromkeys(tags)

    def blocks(self, request: Request) -> Iterator[Block]:
        """One block for each file."""
        for tags in self._scalars:
            held = [pairs for tag, pairs in tags.items() if tag in request.keys]
            steps = np.unique(np.array([step for pairs in held for step in pairs], dtype=np.int64))
            columns, not_finite = {}, {}
            for tag, pairs in tags.items():
                if tag in request.keys:
                    values = np.full(steps.size, np.nan)
                    values[np.searchsorted(steps, list(pairs))] = list(pairs.values())
                    if odd := sum(not math.isfinite(value) for value in pairs.values()):
                        not_finite[tag] = odd
                    columns[tag] = np.where(np.isfinite(values), values, np.nan)
            yield Block(np.arange(1, steps.size + 1), steps.astype(float), columns, not_finite)

    def _read(self, file: Path) -> dict[str, dict[int, float]]:
        tags: dict[str, dict[int, float]] = {}
        for event in _events(file, self.notes):
            for value in event.summary.value:
                scalar = _scalar(value)
                if scalar is not None:
                    tags.setdefault(value.tag, {})[event.step] = scalar
        self._on_progress(file.stat().st_size)
        return tags


def _events(file: Path, notes: list[str]) -> Iterator[Any]:
    try:
        from tensorboard.compat.proto.event_pb2 import Event
        from tensorboard.compat.tensorflow_stub import errors
        from tensorboard.compat.tensorflow_stub.pywrap_tensorflow import PyRecordReader_New
    except ImportError:
        raise MissingExtraError("reading TensorBoard's event files", "logs") from None
    records = PyRecordReader_New(str(file))
    for number in range(1, 2**62):
        try:
            records.GetNext()
        except errors.OutOfRangeError:
            return
        except errors.DataLossError as error:
            if "truncated" not in str(error):
                found = f"a damaged record (number {number})"
                raise ReaderError(file, found, "records whose checksums are right") from None
            notes.append(f"{file.name} is cut short after {number - 1} records")
            return
        yield Event.FromString(records.record())


def _scalar(value: Any) -> float | None:
    """The number that a summary value holds, in the old field or as a tensor of one element."""
    if value.HasField("simple_value"):
        return float(value.simple_value)
    if not value.HasField("tensor"):
        return None
    from tensorboard.util.tensor_util import make_ndarray

    array = make_ndarray(value.tensor)
    return float(array.item()) if array.size == 1 and array.dtype.kind in "fiub" else None
