"""The command group: finds its verbs, and turns errors into one line and an exit code."""

from __future__ import annotations

import importlib
import io
import os
import pkgutil
import sys
from typing import Any, NoReturn

import click

from rolltheory import __version__
from rolltheory.cli import verbs
from rolltheory.errors import RolltheoryError
from rolltheory.extras import missing_extra

__all__ = ["main"]

_INTERRUPTED, _BROKEN_PIPE = 130, 141  # as the shell reports those signals


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

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        known = self.list_commands(ctx)
        if args[0] not in known:
            raise click.UsageError(_unknown(args[0], known), ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        _make_streams_ready()
        try:
            return _flushed(super().invoke(ctx))
        except click.UsageError as error:
            path = (error.ctx or ctx).command_path
            raise _BadInput(f"{error.format_message()} See '{path} --help'.") from error
        except (RolltheoryError, ModuleNotFoundError) as error:
            if ctx.params["debug"]:
                raise
            raise _one_line(error, f"this command ({ctx.invoked_subcommand})") from error
        except KeyboardInterrupt:
            click.echo("Interrupted.", err=True)
            raise SystemExit(_INTERRUPTED) from None
        except BrokenPipeError:
            _end_quietly(_BROKEN_PIPE)
        except OSError as error:
            if ctx.params["debug"]:
                raise
            click.echo(f"Error: the output cannot be written ({error.strerror})", err=True)
            _end_quietly(_BadInput.exit_code)


def _make_streams_ready() -> None:
    """No character ends a report, and who closed a stream wants nothing of it."""
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115 - as long as Python runs
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _flushed(result: Any) -> Any:
    """The result, once the output is out: a full disk shows here, not when Python ends."""
    sys.stdout.flush()
    return result


def _unknown(name: str, known: list[str]) -> str:
    import difflib

    near = difflib.get_close_matches(name, known, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known)}."
    return f"No command {name!r}: {hint}"


def _one_line(error: Exception, feature: str) -> Exception:
    if isinstance(error, ModuleNotFoundError):
        found = missing_extra(error, feature)
        if found is None:
            return error
        error = found
    return _BadInput(str(error))


def _end_quietly(code: int) -> NoReturn:
    """Send what is still buffered nowhere, or its flush would fail at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    raise SystemExit(code)


@click.group(cls=_Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
@click.version_option(__version__, prog_name="rolltheory")
def main(debug: bool) -> None:
    """Theory that runs: verify bounds about RL rollouts, and read your own logs against them.

    Exit codes: 0 good; 1 refuted or failed; 2 wrong usage or unreadable input; 3 vacuous, stale or
    unknown.
    """
    del debug  # read by the group
