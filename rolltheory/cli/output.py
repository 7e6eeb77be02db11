"""Print a table for people, the same numbers as JSON for programs."""

from __future__ import annotations

import functools
import json
import math
import os
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from fractions import Fraction
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, cast

import click

from rolltheory.errors import AssumptionError, DomainError, ReaderError
from rolltheory.files import require_writable, write_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from rich.console import Console

__all__ = [
    "PIPE_WIDTH",
    "cell",
    "console",
    "json_option",
    "output_option",
    "plot_option",
    "print_paragraph",
    "print_table",
    "progress",
    "save_plot",
    "told_of_files",
    "write_json",
]

PIPE_WIDTH = 100
_QUIET = 30.0  # seconds between two lines of progress
_PICTURES = (".svg", ".png", ".pdf")


def output_option(*names: str, text: str) -> Callable[[Any], Any]:
    """An option for a file to write, named by the last of ``names``.

    Refused before any work if nothing can be written there, or if another value of the command
    names that file, as an input or another output does.
    """
    option = click.option(*names, metavar="FILE", callback=_writable, help=text)
    flag, name = names[0].lstrip("-"), names[-1]

    def add(function: Any) -> Any:
        @functools.wraps(function)
        def guarded(**values: Any) -> Any:
            others = [value for key, value in values.items() if key != name]
            _refuse_overwriting(flag, values[name], others)
            return function(**values)

        return option(guarded)

    return add


def plot_option(text: str) -> Callable[[Any], Any]:
    """The option ``--plot`` for a picture; its ending is looked at before any work."""

    def checked(function: Any) -> Any:
        @functools.wraps(function)
        def guarded(**values: Any) -> Any:
            file = values["plot_file"]
            if file is not None and Path(file).suffix.lower() not in _PICTURES:
                raise DomainError("plot", file, f"a name that ends in {', '.join(_PICTURES)}")
            return function(**values)

        return output_option("--plot", "plot_file", text=f"{text} as svg, png or pdf.")(guarded)

    return checked


def save_plot(drawn: Axes | Figure, file: str | None) -> None:
    """Write what was drawn, whole or not at all; None is nowhere."""
    from matplotlib.figure import Figure

    from rolltheory.plots.style import save_figure

    if file is not None:
        figure = drawn if isinstance(drawn, Figure) else cast("Figure", drawn.figure)
        save_figure(figure, file)


@contextmanager
def told_of_files(**files: str | None) -> Iterator[None]:
    """Say of which file an error is: of an argument that was read from one, or of the first.

    A wrong argument is looked up by its name; an assumption is about all that was read.
    """
    try:
        yield
    except AssumptionError as error:
        names = " with ".join(file for file in files.values() if file is not None)
        raise ReaderError(names, error.found, error.assumption) from error
    except DomainError as error:
        file = files.get(error.field)
        if file is None:
            raise
        raise ReaderError(file, f"{error.field} = {error.value!r}", error.allowed) from error


def json_option(command: Any) -> Any:
    """The option ``--json`` of every command that prints a table."""
    text = "Also write the result as JSON ('-': to stdout, in place of the text)."
    return output_option("--json", "json_file", text=text)(command)


def _writable(ctx: click.Context, option: click.Parameter, file: str | None) -> str | None:
    del ctx
    if file is not None and (file != "-" or option.name != "json_file"):
        try:
            require_writable(file)
        except DomainError as error:  # which knows no options
            flag = option.opts[0].lstrip("-")
            raise DomainError(flag, file, error.allowed) from error
    return file


def _refuse_overwriting(flag: str, file: str | None, others: Iterable[Any]) -> None:
    if file is None or (os.path.exists(file) and not os.path.isfile(file)):  # a device keeps all
        return
    for other in others:
        if isinstance(other, tuple):
            _refuse_overwriting(flag, file, other)
        elif isinstance(other, str) and _is_part(file, other):
            raise DomainError(flag, file, f"a file of its own: {other!r} is read or written too")


def _is_part(file: str, other: str) -> bool:
    """Whether two names mean one file, or the second a directory that holds it already."""
    target, path = os.path.realpath(file), os.path.realpath(other)
    if not os.path.exists(file):
        return target == path
    inside = os.path.isdir(path) and os.path.commonpath([target, path]) == path
    return inside or (os.path.exists(path) and os.path.samefile(target, path))


def console(*, stderr: bool = False) -> Console:
    """A console as wide as the terminal; in a pipe as wide as COLUMNS says, or `PIPE_WIDTH`."""
    from rich.console import Console

    class Screen(Console):
        def on_broken_pipe(self) -> None:
            raise  # as click's own output does; the command group ends the run

    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() or "COLUMNS" in os.environ else PIPE_WIDTH
    return Screen(stderr=stderr, width=width, highlight=False, soft_wrap=False)


def print_table(
    columns: Sequence[str], rows: Iterable[Sequence[Any]], *, title: str | None = None
) -> None:
    """Print rows under column heads: numbers to the right; heads and first column stay whole."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    rows = [list(row) for row in rows]
    table = Table(
        title=title,
        box=box.SIMPLE_HEAD,
        title_justify="left",
        pad_edge=False,
        show_edge=False,
        collapse_padding=True,
    )
    for index, name in enumerate(columns):
        numeric = all(row[index] is None or _is_numeric(row[index]) for row in rows)
        table.add_column(
            name,
            justify="right" if numeric else "left",
            overflow="fold",
            no_wrap=numeric or index == 0,
            min_width=len(name),
        )
    for row in rows:
        table.add_row(*(Text(cell(value)) for value in row))
    screen = console()
    with screen.capture() as printed:
        screen.print(table)
    for line in printed.get().splitlines():
        click.echo(line.rstrip())


def _is_numeric(value: Any) -> bool:
    return isinstance(value, int | float | tuple) and not isinstance(value, bool)


def cell(value: Any) -> str:
    """A value in a table: numbers to four digits, limits in brackets, "-" if it is undefined."""
    if value is None or value != value:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        plain = value == 0 or 1e-3 <= abs(value) < 1e3
        return f"{value:.4f}" if plain else f"{value:.4g}"
    if isinstance(value, tuple):
        return f"[{', '.join(cell(float(limit)) for limit in value)}]"
    return str(value)


def print_paragraph(text: str, *, indent: int = 0, hang: str = "") -> None:
    """Print text wrapped to the console; ``hang`` opens it, to the left of its other lines."""
    margin = " " * indent
    rest = margin + " " * len(hang)
    click.echo(
        textwrap.fill(
            text,
            console().width,
            initial_indent=margin + hang,
            subsequent_indent=rest,
            break_on_hyphens=False,
        )
    )


def write_json(file: str | None, data: Any) -> None:
    """Write data as JSON to a file, whole or not at all; '-' is stdout, None is nowhere."""
    if file is None:
        return
    ascii_only = file == "-"  # whatever the encoding of stdout
    text = json.dumps(_plain(data), indent=1, ensure_ascii=ascii_only, allow_nan=False) + "\n"
    if file == "-":
        click.echo(text, nl=False)
    else:
        write_text(file, text)


def _plain(value: Any) -> Any:
    """JSON has no record, infinity, fraction, array or set, and no keys but text.

    They are said as object, text, text, list and list, a table by tuples as a list of pairs; what
    is undefined, NaN, as null.
    """
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if hasattr(value, "_asdict"):  # a named tuple
        value = value._asdict()
    if isinstance(value, dict) and any(isinstance(key, tuple) for key in value):
        value = list(value.items())
    if isinstance(value, set | frozenset):
        value = sorted(value, key=repr)
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if hasattr(value, "tolist"):  # numpy arrays and scalars
        return _plain(value.tolist())
    if isinstance(value, float) and math.isnan(value):
        return None
    if isinstance(value, Fraction) or (isinstance(value, float) and not math.isfinite(value)):
        return str(value)
    return value


@contextmanager
def progress(label: str, total: int) -> Iterator[Callable[[], None]]:
    """A progress bar on a terminal, else now and then a line; call what it yields for each step."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    screen = console(stderr=True)
    if not screen.is_terminal:
        yield _told_now_and_then(label, total)
        return
    columns = (TextColumn(label), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=screen, transient=True) as bar:
        task = bar.add_task(label, total=total)
        yield lambda: bar.advance(task)


def _told_now_and_then(label: str, total: int) -> Callable[[], None]:
    """A line on stderr after each half minute, so that quick work has none."""
    done, told = 0, monotonic()

    def step() -> None:
        nonlocal done, told
        done += 1
        now = monotonic()
        if now - told >= _QUIET:
            told = now
            click.echo(f"{label}: {done} of {total}", err=True)

    return step
