"""The command group: finds its verbs, and turns errors into one line and an exit code."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

import click

from rolltheory import __version__
from rolltheory.cli import verbs
from rolltheory.errors import RolltheoryError
from rolltheory.extras import missing_extra

__all__ = ["main"]


class _BadInput(click.ClickException):
    """Wrong usage or unreadable input: one line on stderr."""

    exit_code = 2


class _Verbs(click.Group):
    """A group whose commands are the modules of `rolltheory.cli.verbs`, imported on demand."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return sorted(part.name.replace("_", "-") for part in pkgutil.iter_modules(verbs.__path__))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        module = importlib.import_module(f"{verbs.__name__}.{cmd_name.replace('-', '_')}")
        command: click.Command = module.command
        return command

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (RolltheoryError, ModuleNotFoundError) as error:
            if ctx.params["debug"]:
                raise
            raise _one_line(error, f"this command ({ctx.invoked_subcommand})") from error


def _one_line(error: Exception, feature: str) -> Exception:
    if isinstance(error, ModuleNotFoundError):
        found = missing_extra(error, feature)
        if found is None:
            return error
        error = found
    return _BadInput(str(error))


@click.group(cls=_Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
@click.version_option(__version__, prog_name="rolltheory")
def main(debug: bool) -> None:
    """Theory that runs: verify bounds about RL rollouts, and read your own logs against them.

    Exit codes: 0 good; 1 refuted or failed; 2 wrong usage or unreadable input; 3 vacuous, stale or
    unknown.
    """
    del debug  # read by the group
