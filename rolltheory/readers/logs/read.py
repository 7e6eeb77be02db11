"""Read a training log, whatever framework wrote it, into the common vocabulary."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from os import PathLike
from pathlib import Path

import numpy as np

from rolltheory.errors import DomainError, ReaderError
from rolltheory.files import require_regular
from rolltheory.readers.logs import (
    areal,
    async_opd,
    generic,
    nemo_rl,
    openrlhf,
    prime_rl,
    skyrl,
    slime,
    tinker,
    trl,
    verl,
)
from rolltheory.readers.logs.blocks import Block, Request, Source, without_giants
from rolltheory.readers.logs.console import ConsoleRows, is_console, refuse_printed_rows
from rolltheory.readers.logs.framework import STEP_KEYS, Framework, Key, nearest
from rolltheory.readers.logs.json_lines import JsonLines, open_bytes
from rolltheory.readers.logs.order import StepOrder
from rolltheory.readers.logs.samples import SampleFiles, is_sample_file
from rolltheory.readers.logs.table import Table, Totals
from rolltheory.readers.logs.tables import CsvTable, JsonDocument
from rolltheory.readers.logs.tensorboard import EventFiles, is_event_file
from rolltheory.staleness.run_log import FloatArray, RunLog, Series, UnknownKey

__all__ = ["FRAMEWORKS", "read_run_log"]

FRAMEWORKS: Mapping[str, Framework] = {
    framework.name: framework
    for framework in (
        verl.FRAMEWORK,
        trl.FRAMEWORK,
        trl.ASYNC_FRAMEWORK,
        areal.FRAMEWORK,
        prime_rl.FRAMEWORK,
        slime.FRAMEWORK,
        openrlhf.FRAMEWORK,
        nemo_rl.FRAMEWORK,
        async_opd.FRAMEWORK,
        skyrl.FRAMEWORK,
        tinker.FRAMEWORK,
        generic.FRAMEWORK,
    )
}
"""Every framework whose keys are known, by the name for ``format=``."""

_BAD_LINES_LISTED = 20


def read_run_log(
    path: str | PathLike[str],
    *,
    format: str | None = None,  # noqa: A002 - the name that users know
    fields: Mapping[str, str] | None = None,
    run: int | None = None,
    skip_bad_lines: bool = False,
    on_progress: Callable[[int], None] = lambda _: None,
) -> RunLog:
    """A training log as columns over learner steps, in flat memory whatever its length.

    Parameters
    ----------
    path : a file of JSON lines, CSV, a JSON array, TRL's trainer_state.json, verl's console output
        or a TensorBoard event file, also gzipped; or a folder of event files or of per-sample files
    format : a name in `FRAMEWORKS`; by default the one that knows most of the keys
    fields : raw keys by canonical name, for quantities or the step, before the framework's own
    run : which run of the file, from 1, if it holds several
    skip_bad_lines : leave out lines that cannot be read, and say so, rather than stop at the first
    on_progress : called with numbers of bytes read

    Returns
    -------
    RunLog

    Raises
    ------
    ReaderError
        for a file that cannot be read, a bad line, a second run, or keys of no known framework.
    DomainError
        for an unknown format or a canonical name that does not exist.
    """
    file = Path(path)
    if format is not None and format not in FRAMEWORKS:
        raise DomainError("format", format, f"one of {', '.join(FRAMEWORKS)}")
    require_regular(file)
    own = generic.mapped(fields or {})
    try:
        source = _opened(file, run, on_progress)
        framework = FRAMEWORKS[format] if format else _recognised(file, source, own)
        step = _step_key(file, source, (fields or {}).get("step"))
        _require_keys(file, source, [key.raw for key in own])
        keys = {key.raw: key for key in own} | {
            raw: key
            for raw, key in framework.vocabulary().items()
            if raw != step and not any(raw == mine.raw for mine in own)
        }
        order = StepOrder(file, None if isinstance(source, CsvTable) and source.runs > 1 else run)
        table = Table([raw for raw, key in keys.items() if key.cumulative])
        not_finite: Counter[str] = Counter()
        skipped: list[str] = []
        request = Request(step, frozenset(keys))
        blocks = _good_blocks(file, source.blocks(request), skipped, not_finite, skip_bad_lines)
        for segment in order.segments(blocks):
            table.add(segment)
    except OSError as error:
        raise ReaderError(file, error.strerror or str(error), "a readable file") from None
    except (EOFError, zlib.error):
        raise ReaderError(file, "a damaged gzip stream", "a whole one") from None
    _require_known(file, source, framework, table.totals.keys() | not_finite.keys())
    foreign = _foreign(source, framework, keys.keys() | {step})
    notes = [*source.notes, *foreign, *order.notes, *_listed(skipped)]
    return _run_log(file, source, framework, step, keys, table, not_finite, notes)


def _opened(file: Path, run: int | None, on_progress: Callable[[int], None]) -> Source:
    """The source for what the file begins with."""
    if file.is_dir():
        return _opened_folder(file, on_progress)
    if is_event_file(file):
        return EventFiles(file, on_progress=on_progress)
    with open_bytes(file) as stream:
        head = stream.read(2**16).removeprefix(b"\xef\xbb\xbf").lstrip()
    if not head:
        raise ReaderError(file, "an empty file", "at least one row")
    if b"\0" in head:
        raise ReaderError(file, "binary content", "text, or a TensorBoard event file")
    if is_console(file):
        return ConsoleRows(file, on_progress=on_progress)
    refuse_printed_rows(file)
    if head[:1] == b"[" or (head.startswith(b"{") and _is_document(head)):
        return JsonDocument(file, on_progress=on_progress)
    if head[:1] != b"{":
        return CsvTable(file, run=run, on_progress=on_progress)
    if is_sample_file(file):
        return SampleFiles(file, on_progress=on_progress)
    return JsonLines(file, on_progress=on_progress)


def _opened_folder(folder: Path, on_progress: Callable[[int], None]) -> Source:
    files = [file for file in folder.iterdir() if file.is_file()]
    if any(is_event_file(file) for file in files):
        return EventFiles(folder, on_progress=on_progress)
    if any(file.name.endswith((".jsonl", ".jsonl.gz")) and is_sample_file(file) for file in files):
        return SampleFiles(folder, on_progress=on_progress)
    raise ReaderError(folder, "no event file and no file of samples", "one of them in the folder")


def _is_document(head: bytes) -> bool:
    """Whether the first object goes on beyond its line, or is TRL's state on one line."""
    first = head.split(b"\n", 1)[0].strip()
    return b'"log_history"' in first or first == b"{" or first[-1:] in b",:[{"


def _recognised(file: Path, source: Source, own: tuple[Key, ...]) -> Framework:
    """The framework that knows most keys; of several, the first if they read the keys alike."""
    scores = {f.name: f.matches(source.keys) for f in FRAMEWORKS.values()}
    most = max(scores.values())
    if not most:
        if own:
            return generic.FRAMEWORK
        found = f"keys of no known framework ({_some(source)})"
        raise ReaderError(file, found, "a map of fields (--map lag_mean=key, ...)")
    best = [FRAMEWORKS[name] for name, score in scores.items() if score == most]
    if len({frozenset(_reading(framework, source)) for framework in best}) > 1:
        names = " and of ".join(framework.name for framework in best)
        raise ReaderError(file, f"keys of {names}", "the format to be named (--format)")
    return best[0]


def _reading(framework: Framework, source: Source) -> Iterator[tuple[str, str]]:
    for raw, key in framework.vocabulary().items():
        if raw in source.keys:
            yield raw, key.quantity


def _step_key(file: Path, source: Source, chosen: str | None) -> str:
    if chosen is not None:
        _require_keys(file, source, [chosen])
        return chosen
    for name in STEP_KEYS:
        if name in source.keys:
            return name
    alike = next((near for key in source.keys if (near := nearest(key, STEP_KEYS))), None)
    found = f"no step among the keys ({_some(source)})"
    raise ReaderError(file, found, f"one of {alike or ', '.join(STEP_KEYS)}, or --map step=key")


def _require_keys(file: Path, source: Source, raws: Iterable[str]) -> None:
    for raw in raws:
        if raw not in source.keys:
            alike = nearest(raw, source.keys) or _some(source)
            raise ReaderError(file, f"no key {raw}", f"a key of the file, such as {alike}")


def _require_known(file: Path, source: Source, framework: Framework, read: Collection[str]) -> None:
    """A log of which nothing was understood is no log without alarms."""
    if not read:
        likely = max(FRAMEWORKS.values(), key=lambda other: other.matches(source.keys))
        alike = f"; the keys look like {likely.name}" if likely.matches(source.keys) else ""
        found = f"no key of {framework.name} with a value in this file{alike}"
        raise ReaderError(file, found, "the framework that wrote it (--format), or --map FIELD=KEY")


def _foreign(source: Source, framework: Framework, known: Collection[str]) -> list[str]:
    """A note if keys that were not understood are those of a second framework."""
    rest = [key for key in source.keys if key not in known]
    second = max(FRAMEWORKS.values(), key=lambda other: other.matches(rest))
    held = [key for key in rest if key in second.vocabulary()]
    if not held:
        return []
    named = f"{', '.join(held[:3])}{', ...' if len(held) > 3 else ''}"
    return [f"keys of {second.name} beside those of {framework.name} were not read: {named}"]


def _some(source: Source) -> str:
    """The first keys, in at most about 200 characters."""
    listed = ", ".join(list(source.keys)[:6])
    return listed if len(listed) <= 200 else f"{listed[:197]}..."


def _good_blocks(
    file: Path,
    blocks: Iterable[Block],
    skipped: list[str],
    not_finite: Counter[str],
    skip_bad_lines: bool,
) -> Iterator[Block]:
    for block in map(without_giants, blocks):
        for bad in block.bad:
            error = ReaderError(file, bad.found, bad.allowed, line=bad.line)
            if not skip_bad_lines:
                raise error
            skipped.append(str(error))
        not_finite.update(block.not_finite)
        if block.steps.size:
            yield block


def _listed(skipped: list[str]) -> list[str]:
    listed = [f"left out: {text}" for text in skipped[:_BAD_LINES_LISTED]]
    more = len(skipped) - len(listed)
    return [*listed, f"left out: {more} lines more"] if more else listed


def _run_log(
    file: Path,
    source: Source,
    framework: Framework,
    step: str,
    keys: Mapping[str, Key],
    table: Table,
    not_finite: Mapping[str, int],
    notes: list[str],
) -> RunLog:
    steps, columns = table.whole()
    sort = np.argsort(steps, kind="stable")
    columns = {raw: column[sort] for raw, column in columns.items()}
    series, unused = _series(keys, columns, table.totals, not_finite, steps.size)
    notes += [f"{raw}: {count} values are NaN or infinite" for raw, count in not_finite.items()]
    if steps.size < table.rows:
        notes.append(f"{steps.size} of {table.rows} rows were kept, extremes and sums are of all")
    known = {*keys, step, "data"}
    return RunLog(
        source=str(file),
        format=framework.name,
        steps=steps[sort].astype(np.int64),
        series=series,
        rows=table.rows,
        defaults=framework.defaults,
        limits=framework.limits,
        notes=tuple(notes),
        unused=unused,
        unknown=tuple(
            UnknownKey(name, nearest(name, known)) for name in source.keys if name not in known
        ),
    )


def _series(
    keys: Mapping[str, Key],
    columns: Mapping[str, FloatArray],
    totals: Mapping[str, Totals],
    not_finite: Mapping[str, int],
    rows: int,
) -> tuple[tuple[Series, ...], tuple[tuple[str, str], ...]]:
    """One series for each quantity, by the first key with a finite value; and the keys unused."""
    series: dict[str, Series] = {}
    unused = []
    for raw, key in keys.items():
        if raw not in columns and raw not in not_finite:
            continue
        first = series.get(key.quantity)
        if first is not None and first.count:
            unused.append((raw, first.raw_key))
            continue
        sums, values = totals.get(raw, Totals()), columns.get(raw, np.full(rows, np.nan))
        low, high, total = sums.low, sums.high, sums.total
        if key.negated:
            values, low, high, total = -values, -high, -low, -total
        series[key.quantity] = Series(
            key.quantity,
            raw,
            values,
            *(low, high, total, sums.count),
            not_finite=not_finite.get(raw, 0),
            lag=key.lag,
        )
    return tuple(series.values()), tuple(unused)
