"""Read a file of scored tries, whatever harness wrote it."""

from __future__ import annotations

import re
from array import array
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from hashlib import blake2b
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from rolltheory.errors import DomainError, ReaderError
from rolltheory.readers import (
    count_table,
    evalplus,
    human_eval,
    large_language_monkeys,
    livecodebench,
    matrix,
    multipl_e,
    reasoning_gym,
    tau_bench,
    verl,
)
from rolltheory.readers.attempts import Attempts, ScoredAttempts, SuccessCounts
from rolltheory.readers.containers import read_items
from rolltheory.readers.logs.framework import STEP_KEYS
from rolltheory.readers.records import Count, Format, Item, ItemError, Tries, excerpt

__all__ = ["FORMATS", "read_attempts"]

FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "reasoning-gym": reasoning_gym,
        "tau-bench": tau_bench,
        "livecodebench": livecodebench,
        "human-eval": human_eval,
        "large-language-monkeys": large_language_monkeys,
        "evalplus": evalplus,
        "multipl-e": multipl_e,
        "verl": verl,
        "matrix": matrix,
        "count-table": count_table,
    }
)
"""The formats by name; each module's ``SHAPE`` says what a file of it holds."""

_OF_TRAINING_LOGS = (*STEP_KEYS, "log_history")
_ONE_FILE_PER_PROBLEM_OR_TASK = ("reasoning-gym", "large-language-monkeys", "multipl-e")


def read_attempts(
    path: str | PathLike[str],
    *,
    format: str | None = None,  # noqa: A002 - the word that users know it by
    skip_bad_lines: bool = False,
) -> Attempts:
    r"""The tries in a file, grouped by problem in file order.

    The container (JSON, JSON lines, CSV, YAML, .npy; gzipped or not) and the format are told by
    content, never by name. Every item must be of the format of the first one. Nothing is guessed:
    an item that two formats recognise is refused unless ``format`` decides. A directory is read if
    its format keeps one file per problem or task, and then every file in it must be of that format.

    Parameters
    ----------
    path : a file, or a directory of files
    format : a name in ``FORMATS`` that the content must have
    skip_bad_lines : leave out lines (in a directory, files) that cannot be read, and list them in
        ``skipped`` of the result; otherwise the first of them is an error

    Returns
    -------
    ``SuccessCounts`` for a table of counts, ``ScoredAttempts`` for all else

    Raises
    ------
    ReaderError
        with the file, the line if there is one, what was found and what is allowed.
    MissingExtraError
        for YAML without the extra ``formats``.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w") as file:
    ...     _ = file.write('{"task_id": "a", "passed": true}\n{"task_id": "a", "passed": false}\n')
    ...     file.flush()
    ...     attempts = read_attempts(file.name)
    >>> attempts.format, attempts.problem_ids, attempts.scores
    ('human-eval', ('a',), (array([1., 0.]),))
    """
    if format is not None and format not in FORMATS:
        raise DomainError("format", format, f"one of {', '.join(FORMATS)}")
    source = Path(path)
    candidates = tuple(FORMATS) if format is None else (format,)
    directory = source.is_dir()
    if directory:
        candidates = tuple(name for name in candidates if name in _ONE_FILE_PER_PROBLEM_OR_TASK)
        if not candidates:
            raise ReaderError(source, "a directory", f"one file of format {format}")
    found = _Collection(candidates)
    for file in _files(source) if directory else (source,):
        try:
            _read_file(file, found, skip_bad_lines=skip_bad_lines)
        except ReaderError as error:
            if not (directory and skip_bad_lines):
                raise
            found.skipped.append(str(error))
    return found.attempts(source)


def _files(directory: Path) -> Iterator[Path]:
    for path in sorted(directory.rglob("*")):
        if path.is_file() and not path.name.startswith("."):
            yield path


def _read_file(path: Path, found: _Collection, *, skip_bad_lines: bool) -> None:
    for item in read_items(path):
        try:
            found.add(item)
        except ItemError as bad:
            error = ReaderError(path, bad.found + item.place, bad.allowed, line=item.line)
            if item.line is None or not skip_bad_lines:
                raise error from None
            found.skipped.append(str(error))


@dataclass(slots=True)
class _Collection:
    """What was read so far; an item is added whole or not at all."""

    candidates: tuple[str, ...]
    scores: dict[str, array[float]] = field(default_factory=dict)
    fingerprints: dict[str, array[int]] = field(default_factory=dict)
    counts: dict[str, Count] = field(default_factory=dict)
    keys: set[Hashable] = field(default_factory=set)
    columns: int = 0
    skipped: list[str] = field(default_factory=list)

    def add(self, item: Item) -> None:
        if isinstance(item.value, ItemError):
            raise item.value
        name = self._format_of(item.value)
        self._check_columns(item.value)
        parts = list(FORMATS[name].parse(item))
        self._check_keys([part.key for part in parts if part.key is not None])
        self.candidates = (name,)
        for part in parts:
            if isinstance(part, Count):
                self.counts[part.problem] = part
            else:
                self._append(part)

    def attempts(self, source: Path) -> Attempts:
        if not self.counts and not self.scores:
            first = f"; first, {self.skipped[0]}" if self.skipped else ""
            raise ReaderError(source, f"no tries{first}", "at least one problem")
        (name,) = self.candidates
        if self.counts:
            table = self.counts.values()
            return SuccessCounts(
                str(source),
                name,
                tuple(self.counts),
                np.array([count.samples for count in table], dtype=np.int64),
                np.array([count.successes for count in table], dtype=np.int64),
                tuple(self.skipped),
            )
        return ScoredAttempts(
            str(source),
            name,
            tuple(self.scores),
            tuple(np.array(row) for row in self.scores.values()),
            tuple(
                np.array(prints, dtype=np.uint64) if len(prints) == len(row) else None
                for prints, row in zip(
                    self.fingerprints.values(), self.scores.values(), strict=True
                )
            ),
            tuple(self.skipped),
        )

    def _format_of(self, value: Any) -> str:
        names = [name for name in self.candidates if FORMATS[name].recognises(value)]
        if len(names) == 1:
            return names[0]
        if names:
            found = f"an item that {' and '.join(names)} both recognise"
            raise ItemError(found, "to be told the format")
        others = [name for name in FORMATS if FORMATS[name].recognises(value)]
        found = f"an item of format {others[0]}" if others else _description(value)
        if len(self.candidates) > 1:
            allowed = f"one of the formats {', '.join(self.candidates)}{_hint(value)}"
            raise ItemError(found, f"{allowed}; 'rolltheory pass-at-k --help' shows their fields")
        (name,) = self.candidates
        raise ItemError(found, f"{name}: {FORMATS[name].SHAPE}")

    def _check_columns(self, value: Any) -> None:
        if isinstance(value, list):
            columns = self.columns or len(value)
            if len(value) != columns:
                raise ItemError(f"{len(value)} columns", f"{columns}, as in the rows before")
            self.columns = columns

    def _check_keys(self, keys: list[Hashable]) -> None:
        for key in keys:
            if key in self.keys:
                raise ItemError(f"{excerpt(key)} a second time", "each of them once")
        self.keys.update(keys)

    def _append(self, tries: Tries) -> None:
        self.scores.setdefault(tries.problem, array("d")).extend(tries.scores)
        texts = (text.encode("utf-8", "surrogatepass") for text in tries.texts if text is not None)
        fingerprints = (int.from_bytes(blake2b(text, digest_size=8).digest()) for text in texts)
        self.fingerprints.setdefault(tries.problem, array("Q")).extend(fingerprints)


def _hint(value: Any) -> str:
    """What else the object may be: a training log, or one whose fields are near a format's."""
    if not isinstance(value, dict):
        return ""
    if not value.keys().isdisjoint(_OF_TRAINING_LOGS):
        return "; a training log is for 'rolltheory staleness audit'"
    near = {name: _near_fields(value, kind.SHAPE) for name, kind in FORMATS.items()}
    best = max(near, key=lambda name: near[name])
    return f"; the nearest is {best}: {FORMATS[best].SHAPE}" if near[best] else ""


def _near_fields(value: dict[str, Any], shape: str) -> int:
    """How many fields of an object are nearly those that a shape names."""
    wanted = re.findall(r"[a-z_]+", shape)
    return sum(bool(get_close_matches(str(name), wanted, n=1)) for name in list(value)[:50])


def _description(value: Any) -> str:
    if isinstance(value, dict):
        return f"an object with the fields {excerpt(list(value))}"
    return excerpt(value)
