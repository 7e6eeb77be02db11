"""Print a table for people, the same numbers as JSON for programs."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from rolltheory.files import write_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console

__all__ = ["PIPE_WIDTH", "console", "json_option", "print_table", "progress", "write_json"]

PIPE_WIDTH = 100

json_option = click.option(
    "--json", "json_file", metavar="FILE", help="Also write the result as JSON ('-': to stdout)."
)


def console(*, stderr: bool = False) -> Console:
    """A console that is as wide as the terminal, and of fixed width in a pipe."""
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() else PIPE_WIDTH
    return Console(stderr=stderr, width=width, highlight=False, soft_wrap=False)


def print_table(
    columns: Sequence[str], rows: Iterable[Sequence[Any]], *, title: str | None = None
) -> None:
    """Print rows under column heads: numbers to the right, the outer columns kept whole."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    rows = [list(row) for row in rows]
    whole = (0, len(columns) - 1)
    table = Table(
        title=title,
        box=box.SIMPLE_HEAD,
        title_justify="left",
        pad_edge=False,
        collapse_padding=True,
    )
    for index, name in enumerate(columns):
        numeric = bool(rows) and all(isinstance(row[index], int | float) for row in rows)
        justify: Literal["right", "left"] = "right" if numeric else "left"
        table.add_column(name, justify=justify, overflow="fold", no_wrap=index in whole)
    for row in rows:
        table.add_row(*(Text(_cell(value)) for value in row))
    console().print(table)


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.4g}"
    return str(value)


def write_json(file: str | None, data: Any) -> None:
    """Write data as JSON to a file, whole or not at all; '-' is stdout, None is nowhere."""
    if file is None:
        return
    text = json.dumps(_plain(data), indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    if file == "-":
        click.echo(text, nl=False)
    else:
        write_text(Path(file), text)


def _plain(value: Any) -> Any:
    """JSON has no infinity, fraction or array; say them as text, text and list."""
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if hasattr(value, "tolist"):  # numpy arrays and scalars
        return _plain(value.tolist())
    if isinstance(value, Fraction) or (isinstance(value, float) and not math.isfinite(value)):
        return str(value)
    return value


@contextmanager
def progress(label: str, total: int) -> Iterator[Callable[[], None]]:
    """A progress bar on a terminal, nothing in a pipe; call the yielded function for each step."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    screen = console(stderr=True)
    columns = (TextColumn(label), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as bar:
        task = bar.add_task(label, total=total)
        yield lambda: bar.advance(task)
