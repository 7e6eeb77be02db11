"""A folder of rows: each written whole as its run ends, so that a killed sweep loses none."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rolltheory import __version__
from rolltheory.errors import DomainError, ReaderError, RolltheoryError
from rolltheory.files import write_text
from validation.training.runs import Row, Run

__all__ = ["ResultsFolder", "opened"]

_FORMAT = 1


@dataclass(frozen=True, slots=True)
class ResultsFolder:
    """The rows of one grid of runs: a manifest, and a file for each run that has ended."""

    path: Path

    def rows(self, runs: Sequence[Run]) -> dict[str, Row]:
        """The rows that are there, by the keys of their runs.

        Raises
        ------
        ReaderError
            if a file is no row, or the row of another run.
        """
        found = {}
        for run in runs:
            place = self._place(run)
            if place.exists():
                found[run.key] = _read_row(place, run)
        return found

    def add(self, row: Row) -> None:
        """Write the row, whole or not at all.

        Raises
        ------
        RolltheoryError
            if it cannot be written, as on a full disk; the rows before it stay.
        """
        text = json.dumps(row.as_json(), indent=1, ensure_ascii=False, allow_nan=False)
        try:
            write_text(self._place(row.run), text + "\n")
        except OSError as error:
            raise RolltheoryError(
                f"{self.path}: a row cannot be written ({error.strerror}); the rows before it "
                "are kept: free some space and go on with --resume"
            ) from error

    def _place(self, run: Run) -> Path:
        return self.path / "rows" / f"{run.key}.json"


@contextmanager
def opened(
    path: str | os.PathLike[str], runs: Sequence[Run], *, resume: bool
) -> Iterator[ResultsFolder]:
    """The folder for these runs, held by this process alone while the block lasts.

    A folder that is not there is made. One with rows is opened to go on with only, and only for
    the same runs by the same versions.

    Raises
    ------
    DomainError
        if another process holds it, it has rows and is not to be gone on with, or is no folder.
    ReaderError
        if it was written for other runs or by other versions.
    """
    from filelock import FileLock, Timeout

    place = Path(path)
    try:
        (place / "rows").mkdir(parents=True, exist_ok=True)
        lock = FileLock(place / "lock")
        lock.acquire(timeout=0)
    except Timeout:
        raise DomainError("out", str(path), "a folder that no other process is using") from None
    except OSError as error:
        raise DomainError("out", str(path), f"a writable folder ({error.strerror})") from error
    try:
        for cut_off in (place / "rows").glob(".*"):  # a killed process was writing it
            cut_off.unlink()
        _agree_on_manifest(place, runs, resume=resume)
        yield ResultsFolder(place)
    finally:
        lock.release()


def _agree_on_manifest(place: Path, runs: Sequence[Run], *, resume: bool) -> None:
    """Write what the folder is for, or see that it is for this."""
    manifest = place / "manifest.json"
    wanted = _manifest(runs)
    if not manifest.exists():
        if any((place / "rows").iterdir()):
            raise ReaderError(place, "rows without a manifest", "an empty folder")
        write_text(manifest, json.dumps(wanted, indent=1) + "\n")
        return
    try:
        found = json.loads(manifest.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ReaderError(manifest, f"no JSON ({error})", "a manifest") from error
    if not isinstance(found, dict):
        raise ReaderError(manifest, type(found).__name__, "a manifest")
    for name, value in wanted.items():
        if found.get(name) != value:
            given, needed = _short(found.get(name)), _short(value)
            raise ReaderError(manifest, f"{name} {given}", f"{name} {needed}, or another folder")
    if not resume:
        raise DomainError("out", str(place), "a new folder, or --resume to go on with this one")


def _manifest(runs: Sequence[Run]) -> dict[str, Any]:
    first = runs[0]
    return {
        "format": _FORMAT,
        "rolltheory": __version__,
        "versions": dict(first.versions),
        "scale": first.scale,
        "device": first.device,
        "experiments": sorted({f"{run.theory}/{run.experiment}" for run in runs}),
        "runs": sorted(run.key for run in runs),
    }


def _short(value: Any) -> str:
    text = f"of {len(value)} runs" if isinstance(value, list) and len(value) > 9 else str(value)
    return text if len(text) < 200 else f"{text[:197]}..."


def _read_row(place: Path, run: Run) -> Row:
    try:
        row = Row.from_json(json.loads(place.read_text(encoding="utf-8")))
    except (ValueError, KeyError, TypeError) as error:
        raise ReaderError(place, f"no row ({error!r})", "the row of a run") from error
    if row.run != run:
        raise ReaderError(place, f"the row of {row.run.label}", f"the row of {run.label}")
    return row
