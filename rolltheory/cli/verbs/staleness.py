"""Audit a training log for staleness, plan a run, compare two staleness budgets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rolltheory.cli.output import (
    json_option,
    plot_option,
    print_paragraph,
    print_table,
    progress,
    save_plot,
    write_json,
)
from rolltheory.cli.staleness_text import print_audit, print_plan
from rolltheory.errors import DomainError

if TYPE_CHECKING:
    from rolltheory.staleness.run_log import RunLog

__all__ = ["command"]

_MOST = 10**15
_BETAS = (0.9, 0.999)


@click.group("staleness", short_help="Audit training logs for staleness; plan lag and rate.")
def command() -> None:
    """How stale rollouts may be: read a run's log against the theory, or plan a run."""


def _whole_option(*names: str, **options: Any) -> Callable[[Any], Any]:
    """An option for a whole number, also written as 1e3 or 7e9."""
    return click.option(*names, metavar="INTEGER", callback=_whole, **options)


def _whole(ctx: click.Context, option: click.Parameter, value: str | None) -> int | None:
    del ctx
    return None if value is None else _whole_number(str(option.name), value)


def _lags(ctx: click.Context, option: click.Parameter, value: str) -> list[int]:
    del ctx, option
    return [_whole_number("lag", part) for part in value.split(",")]


def _whole_number(name: str, text: str) -> int:
    try:
        number = Decimal(text.strip())
        if abs(number) <= _MOST and number == int(number):
            return int(number)
    except ArithmeticError:  # no number at all, or NaN
        pass
    raise DomainError(name, text, "a whole number such as 1000 or 1e3")


def _reading_options(function: Any) -> Any:
    options = [
        click.option("--format", "format_name", help="Framework; by default by the keys."),
        click.option(
            "--map", "fields", multiple=True, metavar="FIELD=KEY", help="A key's meaning."
        ),
        click.option("--run", type=click.IntRange(min=1), help="Which run of a file of several."),
        click.option("--skip-bad-lines", is_flag=True, help="Leave out lines that cannot be read."),
    ]
    for option in reversed(options):
        function = option(function)
    return function


@command.command("audit", short_help="What a log says about staleness, and what it cannot.")
@click.argument("log_file", metavar="LOG")
@_reading_options
@_whole_option("--updates-per-version", help="Learner updates per weight version.")
@click.option("--learning-rate", type=float, help="Where the log holds none.")
@click.option("--lag-bound", type=float, help="The largest lag configured, in the log's unit.")
@click.option("--clip-low", type=float, default=0.2, show_default=True)
@click.option("--clip-high", type=float, default=0.2, show_default=True)
@click.option(
    "--clip-budget", type=float, default=0.05, show_default=True, help="For rule.lag only."
)
@click.option("--critical-radius", type=float, help="Drift that collapses, root of twice the KL.")
@_whole_option("--horizon", help="Learner updates planned; default: those of the log.")
@_whole_option("--group-size", help="Responses per prompt.")
@click.option("--ratio-cap", type=float, help="Cap of the ratios; default: the framework's.")
@click.option("--ess-alarm", type=float, default=0.3, show_default=True, help="Your alarm on ESS.")
@click.option("--kept-mass", type=float, help="Probability that top-p or the like keeps.")
@click.option("--signal-to-noise", type=float, help="Of the gradient of one batch.")
@plot_option("Draw the panel")
@json_option
def audit(
    log_file: str,
    format_name: str | None,
    fields: tuple[str, ...],
    run: int | None,
    skip_bad_lines: bool,
    plot_file: str | None,
    json_file: str | None,
    **settings: Any,
) -> None:
    """Audit the training log LOG; one run is an observation and never support for a theorem.

    Marks: ! alarm, + good, ? cannot tell. Exits with 1 if there is an alarm.

    \b
    Files:
      JSON lines       verl's file logger, prime-rl, AReaL, tinker, any logger
      console output   verl's "step:1 - ..." lines, whatever stands around them
      JSON             TRL's trainer_state.json, or an array of rows
      CSV              exports of W&B and TensorBoard
      event files      TensorBoard, one file or a folder of them
      samples          a folder of one JSON-lines file per step: NeMo-RL, prime-rl, slime
    All but folders may be gzipped.
    """
    from rolltheory.staleness.audit import audit_run
    from rolltheory.staleness.findings import Settings, checked

    chosen = checked(Settings(**settings))
    log = _read(log_file, format_name, fields, run, skip_bad_lines)
    found = audit_run(log, chosen)
    if plot_file is not None:
        from rolltheory.plots.staleness_audit import audit_panel_data, plot_audit_panel

        save_plot(plot_audit_panel(audit_panel_data(log)), plot_file)
    if json_file != "-":
        print_audit(found, log)
        if plot_file is not None:
            click.echo(f"The panel of the log is in {plot_file}.")
    write_json(json_file, found)
    raise SystemExit(1 if found.alarms else 0)


@command.command("plan", short_help="Which learning rate, which lag.")
@click.option(
    "--lag", "lags", callback=_lags, required=True, metavar="S,S,...", help="Learner updates."
)
@_whole_option("--horizon", required=True, help="Learner updates.")
@click.option("--schedule", type=click.Choice(["fixed_lag", "sync"]), default="fixed_lag")
@click.option("--clip-low", type=float, default=0.2, show_default=True)
@click.option("--clip-high", type=float, default=0.2, show_default=True)
@click.option("--clip-budget", type=float, help="Share clipped; default: none at all.")
@click.option("--batch-radius", type=float, help="In place of the one that clipping gives.")
@click.option("--critical-radius", type=float, help="Distance from the start that collapses.")
@click.option("--update-norm", type=float, help="G, of one update per unit of learning rate.")
@_whole_option("--group-size", help="G of fresh data, rewards 0 and 1, softmax.")
@click.option("--gradient-clip", type=float, help="G of SGD whose gradient is clipped here.")
@_whole_option("--adam-parameters", help="G of Adam with so many parameters.")
@click.option("--adam-betas", type=(float, float), help="Of that Adam; default: 0.9 0.999.")
@click.option("--learning-rate", type=float, help="Also the lag and the horizon it allows.")
@json_option
def plan(lags: list[int], horizon: int, json_file: str | None, **options: Any) -> None:
    """Largest learning rate for which neither the batch radius nor the critical one can be left.

    Sufficient, not necessary: an update may be shorter than its bound, and need not go straight.
    """
    record = _plan(lags, horizon, **options)
    if json_file != "-":
        print_plan(record)
    write_json(json_file, record)


@command.command("compare", short_help="Seeds needed to tell two staleness budgets apart.")
@click.option("--first", multiple=True, required=True, metavar="LOG", help="A run; repeatable.")
@click.option("--second", multiple=True, required=True, metavar="LOG", help="A run; repeatable.")
@click.option("--field", "quantity", default="reward", show_default=True)
@click.option("--level", type=float, default=0.05, show_default=True, help="Of false alarms.")
@click.option("--power", type=float, default=0.8, show_default=True, help="Of finding the gap.")
@_reading_options
@json_option
def compare(
    first: tuple[str, ...],
    second: tuple[str, ...],
    quantity: str,
    level: float,
    power: float,
    format_name: str | None,
    fields: tuple[str, ...],
    run: int | None,
    skip_bad_lines: bool,
    json_file: str | None,
) -> None:
    """Compare the mean of a quantity over the second half of each run; each LOG is one seed."""
    from rolltheory.staleness.seeds import compare_budgets

    values = [
        [
            _late_mean(_read(file, format_name, fields, run, skip_bad_lines), quantity)
            for file in files
        ]
        for files in (first, second)
    ]
    found = compare_budgets(*values, level=level, power=power)
    if json_file != "-":
        click.echo(f"{quantity}, second half of each run")
        rows = [
            ["first", len(values[0]), found.mean, found.deviation],
            ["second", len(values[1]), found.other_mean, found.other_deviation],
        ]
        print_table(["budget", "seeds", "mean", "deviation"], rows)
        click.echo()
        print_paragraph(found.statement)
    write_json(json_file, found)


def _read(
    file: str,
    format_name: str | None,
    fields: tuple[str, ...],
    run: int | None,
    skip_bad_lines: bool,
) -> RunLog:
    from rolltheory.readers.logs import read_run_log

    with _bytes_read(file) as advance:
        return read_run_log(
            file,
            format=format_name,
            fields=_mapping(fields),
            run=run,
            skip_bad_lines=skip_bad_lines,
            on_progress=advance,
        )


@contextmanager
def _bytes_read(file: str) -> Iterator[Callable[[int], None]]:
    """A progress bar over the mebibytes of a file."""
    path, unit = Path(file), 2**20
    size = path.stat().st_size if path.is_file() else 0
    with progress("reading, MiB", size // unit) as step:
        read = 0

        def advance(count: int) -> None:
            nonlocal read
            for _ in range((read + count) // unit - read // unit):
                step()
            read += count

        yield advance


def _mapping(fields: tuple[str, ...]) -> dict[str, str]:
    pairs = [field.partition("=") for field in fields]
    for field, (name, sign, key) in zip(fields, pairs, strict=True):
        if not (name and sign and key):
            raise DomainError("map", field, "FIELD=KEY, such as lag_mean=my/lag")
    return {name: key for name, _, key in pairs}


def _late_mean(log: RunLog, quantity: str) -> float:
    series = log.get(quantity)
    if series is None or not series.finite.size:
        held = ", ".join(held.quantity for held in log.series)
        raise DomainError("field", quantity, f"a quantity in {log.source}: {held}")
    return float(series.finite[series.finite.size // 2 :].mean())


def _plan(
    lags: list[int],
    horizon: int,
    *,
    schedule: str,
    clip_low: float,
    clip_high: float,
    clip_budget: float | None,
    batch_radius: float | None,
    critical_radius: float | None,
    learning_rate: float | None,
    **norms: Any,
) -> dict[str, Any]:
    from rolltheory.staleness import rule

    group_size, adam = norms["group_size"], norms["adam_parameters"] is not None
    betas = norms.pop("adam_betas")
    if betas is not None and not adam:
        raise DomainError("adam_betas", betas, "--adam-parameters beside them")
    betas = betas or _BETAS
    norm, stale_norm = _update_norm(**norms, adam_betas=betas), _stale_norm(group_size)
    if batch_radius is None:
        batch_radius = _batch_radius(clip_low, clip_high, clip_budget)
    known = critical_radius is not None
    found = rule.stable_learning_rate(
        lags,
        horizon,
        batch_radius,
        critical_radius if known else batch_radius,
        norm,
        schedule=schedule,
    )
    record: dict[str, Any] = {
        "update_norm": norm,
        "stale_update_norm": stale_norm,
        "adam_betas": list(betas) if adam else None,
        "batch_radius": batch_radius,
        "critical_radius": critical_radius,
        "horizon": horizon,
        "schedule": schedule,
        "lag": lags,
        "learning_rate": (found.learning_rate if known else found.lag_limit).tolist(),
        "lag_limit": found.lag_limit.tolist(),
        "horizon_limit": found.horizon_limit.tolist() if known else None,
        "binding": found.binding.tolist() if known else ["lag"] * len(lags),
        "crossover_lag": float(found.crossover_lag[0]) if known else None,
    }
    if learning_rate is not None:
        lag = rule.max_lag(learning_rate, batch_radius, norm, schedule=schedule)
        record["max_lag"] = int(lag)
        if critical_radius is not None:
            record["max_horizon"] = int(rule.max_horizon(learning_rate, critical_radius, norm))
    return record


def _batch_radius(clip_low: float, clip_high: float, clip_budget: float | None) -> float:
    from rolltheory.staleness import radii

    if clip_budget is None:
        return float(radii.clip_radius(clip_low, clip_high))
    return float(radii.softmax_batch_radius(clip_budget, clip_low, clip_high))


def _update_norm(
    *,
    update_norm: float | None,
    group_size: int | None,
    gradient_clip: float | None,
    adam_parameters: int | None,
    adam_betas: tuple[float, float],
) -> float:
    from rolltheory.staleness import drift

    given = [x for x in (update_norm, group_size, gradient_clip, adam_parameters) if x is not None]
    if len(given) != 1:
        allowed = "one of --update-norm, --group-size, --gradient-clip and --adam-parameters"
        raise DomainError("update norm", f"{len(given)} statements of it", allowed)
    if group_size is not None:
        return float(drift.binary_gradient_norm_bound(group_size))
    if gradient_clip is not None:
        return float(drift.update_norm_bound(drift.Sgd(gradient_clip)))
    if adam_parameters is not None:
        return float(drift.update_norm_bound(drift.Adam(adam_parameters, *adam_betas)))
    return float(given[0])


def _stale_norm(group_size: int | None) -> float | None:
    from rolltheory.staleness import drift

    if group_size is None:
        return None
    return float(drift.binary_gradient_norm_bound(group_size, stale=True))
