"""The dimensions of a class of rules, and of the traces that they roll out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from rolltheory.cli.output import (
    json_option,
    plot_option,
    progress,
    save_plot,
    told_of_files,
    write_json,
)
from rolltheory.errors import DomainError

if TYPE_CHECKING:
    from rolltheory.readers.rules import TokenRules

__all__ = ["command"]

_DEFAULT = "class"


class _WithDefault(click.Group):
    """A group that takes a file for its first command when no command is named."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        named = bool(args) and args[0] in self.commands
        return super().resolve_command(ctx, args if named else [_DEFAULT, *args])


def _settings(function: Callable[..., None]) -> Callable[..., None]:
    """The options of both commands."""
    for option in (
        click.option(
            *("--field", "fields"),
            multiple=True,
            type=int,
            default=(2, 3),
            help="A prime for the parity dimension; may be repeated. Default: 2 and 3.",
        ),
        click.option("--budget", type=int, help="Sets of points that each search tests at most."),
        click.option(
            "--seconds",
            type=click.FloatRange(min=0, min_open=True),
            default=10.0,
            show_default=True,
            help="After which each search leaves an interval.",
        ),
        click.option(
            *("--epsilon", "error"),
            type=click.FloatRange(0, 1, min_open=True),
            default=0.1,
            show_default=True,
            help="Probability of a wrong trace that the sample sizes are for.",
        ),
        click.option(
            *("--delta", "failure_probability"),
            type=click.FloatRange(0, 1, min_open=True, max_open=True),
            default=0.05,
            show_default=True,
            help="Probability with which it may be larger.",
        ),
    ):
        function = option(function)
    return function


@click.group(
    "dimension",
    cls=_WithDefault,
    short_help="How many exact traces a class of rules takes to learn.",
    context_settings={"ignore_unknown_options": True},
)
def command() -> None:
    """Dimensions of a class of rules with witnesses: 'rolltheory dimension FILE'.

    And of the traces of next-token rules: 'rolltheory dimension rollout FILE --steps 1,2,4,8'.
    Formats and options: 'rolltheory dimension class --help'.
    """


@command.command(_DEFAULT, short_help="Every dimension of the class in FILE, with its witness.")
@click.argument("file", metavar="FILE")
@_settings
@click.option("--merge", is_flag=True, help="Let equal rows of a table stand for one rule.")
@plot_option("Draw the one-inclusion hypergraph")
@json_option
def describe(
    file: str,
    merge: bool,
    plot_file: str | None,
    json_file: str | None,
    **settings: Any,
) -> None:
    """Every dimension of the class in FILE, its density, and the sample sizes they imply.

    FILE is a table, one rule a line, or next-token rules, of which also the traces are described:

    \b
        rule,x1,x2        {"rules": {"copy": {"a": "1"}, "stop": {"a": "."}},
        always,1,1         "default": "0", "prompts": ["a", "b"], "steps": 2}
        never,0,0

    The header says rule and then names the points. In place of "steps" also
    "halt": {"length": 4} or "halt": {"token": "."}.

    Example: rolltheory dimension rules.csv --field 2 --field 3
    """
    from rolltheory.cli.dimension_text import print_class
    from rolltheory.readers.rules import TokenRules, read_rules
    from rolltheory.report.dimension import describe_class

    read = read_rules(file, merge=merge)
    if isinstance(read, TokenRules):
        with told_of_files(prompt=file):
            classes = {"rules": _on_their_strings(read), "traces": _traces(read)}
        titles = {"rules": f"{file}: next tokens", "traces": f"{file}: traces, {read.halts}"}
    else:
        classes, titles = {"class": read}, {"class": file}
    with progress("searching", 6 * len(classes)) as step:
        found = {
            name: describe_class(part, on_done=step, **settings) for name, part in classes.items()
        }
    if plot_file is not None:
        from rolltheory.plots.dimension import plot_one_inclusion

        save_plot(plot_one_inclusion(list(classes.values())[-1]), plot_file)
    if json_file != "-":
        for number, (name, report) in enumerate(found.items()):
            if number:
                click.echo()
            print_class(titles[name], report)
    write_json(json_file, found)


@command.command(short_help="Dimensions and exact risk of traces against their length.")
@click.argument("file", metavar="FILE")
@click.option(
    "--steps", default="1,2,4,8", show_default=True, metavar="T,T,...", help="Tokens of a trace."
)
@_settings
@plot_option("Draw dimensions and risk against length")
@json_option
def rollout(
    file: str,
    steps: str,
    plot_file: str | None,
    json_file: str | None,
    **settings: Any,
) -> None:
    """Dimensions of the traces of each length of the next-token rules in FILE, a JSON file.

    The risk is that of the one-inclusion learner, exact: the share of prompts that it gets wrong
    when each is left out once, for the worst target. All traces have the same length: a stopping
    rule in the file is for 'rolltheory dimension FILE'.

    Example: rolltheory dimension rollout rules.json --steps 1,2,4,8
    """
    from rolltheory.cli.dimension_text import print_rollouts
    from rolltheory.dimension.rollout import rollout_class
    from rolltheory.readers.rules import TokenRules, read_rules
    from rolltheory.report.dimension import describe_class, describe_rollouts, rollout_remarks

    lengths = _lengths(steps)
    if file.lower().endswith(".csv"):
        raise DomainError("file", file, "next-token rules, a JSON file")
    read = read_rules(file)
    if not isinstance(read, TokenRules):
        raise DomainError("file", file, "next-token rules, a JSON file")
    with progress("rolling out", len(lengths)) as step:
        local = describe_class(_on_their_strings(read), **settings)
        rows = describe_rollouts(
            lambda length: rollout_class(read.local, read.prompts, steps=length),
            lengths,
            on_done=step,
            **settings,
        )
    remarks = tuple(rollout_remarks(local, rows))
    if plot_file is not None:
        from rolltheory.plots.dimension import plot_rollouts

        save_plot(plot_rollouts(local, rows), plot_file)
    if json_file != "-":
        click.echo(file)
        print_rollouts(rows, remarks)
    write_json(json_file, {"rules": local, "rollouts": rows, "remarks": remarks})


def _on_their_strings(read: TokenRules) -> Any:
    from rolltheory.dimension.local import local_class_on

    return local_class_on(read.local, read.local.strings)


def _traces(read: TokenRules) -> Any:
    from rolltheory.dimension.rollout import rollout_class

    return rollout_class(read.local, read.prompts, steps=read.steps, halt=read.halt)


def _lengths(text: str) -> list[int]:
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdigit() and len(part) < 7 and int(part) for part in parts):
        raise DomainError("steps", f"{text:.60}", "whole numbers from 1 to 999999, such as 1,2,4,8")
    return sorted(set(map(int, parts)))
