"""Audit a training log for staleness, plan a run, compare two staleness budgets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rolltheory.cli.output import (
    json_option,
    output_option,
    print_paragraph,
    print_table,
    progress,
    write_json,
)
from rolltheory.errors import DomainError

if TYPE_CHECKING:
    from rolltheory.staleness.findings import Audit
    from rolltheory.staleness.run_log import RunLog

__all__ = ["command"]

_ENDINGS = (".svg", ".png", ".pdf")
_KEYS_LISTED = 8
_MARKS = {"good": "+", "note": " ", "alarm": "!", "cannot tell": "?"}


@click.group("staleness", short_help="Audit training logs for staleness; plan lag and rate.")
def command() -> None:
    """How stale rollouts may be: read a run's log against the theory, or plan a run."""


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
@click.option("--updates-per-version", type=int, help="Learner updates per weight version.")
@click.option("--learning-rate", type=float, help="Where the log holds none.")
@click.option("--lag-bound", type=float, help="The largest lag configured, in the log's unit.")
@click.option("--clip-low", type=float, default=0.2, show_default=True)
@click.option("--clip-high", type=float, default=0.2, show_default=True)
@click.option("--clip-budget", type=float, default=0.05, show_default=True, help="Clipped share.")
@click.option("--critical-radius", type=float, help="Drift that collapses, root of twice the KL.")
@click.option("--horizon", type=int, help="Learner updates planned; default: those of the log.")
@click.option("--group-size", type=int, help="Responses per prompt.")
@click.option("--ratio-cap", type=float, help="Cap of the ratios; default: the framework's.")
@click.option("--ess-alarm", type=float, default=0.3, show_default=True, help="Your alarm on ESS.")
@click.option("--kept-mass", type=float, help="Probability that top-p or the like keeps.")
@click.option("--signal-to-noise", type=float, help="Of the gradient of one batch.")
@output_option("--plot", "plot_file", text="Draw the panel as svg, png or pdf.")
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
    """
    from rolltheory.staleness.audit import audit_run
    from rolltheory.staleness.findings import Settings, checked

    chosen = checked(Settings(**settings))
    _require_ending(plot_file)
    log = _read(log_file, format_name, fields, run, skip_bad_lines)
    found = audit_run(log, chosen)
    if plot_file is not None:
        from rolltheory.plots.staleness_audit import audit_panel_data, plot_audit_panel
        from rolltheory.plots.style import save_figure

        save_figure(plot_audit_panel(audit_panel_data(log)), plot_file)
    if json_file != "-":
        _print_audit(found, log)
    write_json(json_file, found)
    raise SystemExit(1 if found.alarms else 0)


@command.command("plan", short_help="Which learning rate, which lag.")
@click.option("--lag", "lags", required=True, metavar="S,S,...", help="Learner updates.")
@click.option("--horizon", type=int, required=True, help="Learner updates.")
@click.option("--schedule", type=click.Choice(["fixed_lag", "sync"]), default="fixed_lag")
@click.option("--clip-low", type=float, default=0.2, show_default=True)
@click.option("--clip-high", type=float, default=0.2, show_default=True)
@click.option("--clip-budget", type=float, help="Share clipped; default: none at all.")
@click.option("--batch-radius", type=float, help="In place of the one that clipping gives.")
@click.option("--critical-radius", type=float, help="Distance from the start that collapses.")
@click.option("--update-norm", type=float, help="G, of one update per unit of learning rate.")
@click.option("--group-size", type=int, help="G of fresh data, rewards 0 and 1, softmax.")
@click.option("--gradient-clip", type=float, help="G of SGD whose gradient is clipped here.")
@click.option("--adam-parameters", type=int, help="G of Adam with so many parameters.")
@click.option("--learning-rate", type=float, help="Also the lag and the horizon it allows.")
@json_option
def plan(lags: str, horizon: int, json_file: str | None, **options: Any) -> None:
    """Largest learning rate for which neither the batch radius nor the critical one can be left.

    Sufficient, not necessary: an update may be shorter than its bound, and need not go straight.
    """
    record = _plan(_whole_numbers(lags), horizon, **options)
    if json_file != "-":
        _print_plan(record)
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


def _require_ending(plot_file: str | None) -> None:
    if plot_file is not None and Path(plot_file).suffix.lower() not in _ENDINGS:
        raise DomainError("plot", plot_file, f"a name that ends in {', '.join(_ENDINGS)}")


def _late_mean(log: RunLog, quantity: str) -> float:
    series = log.get(quantity)
    if series is None or not series.finite.size:
        held = ", ".join(held.quantity for held in log.series)
        raise DomainError("field", quantity, f"a quantity in {log.source}: {held}")
    return float(series.finite[series.finite.size // 2 :].mean())


def _print_audit(found: Audit, log: RunLog) -> None:
    click.echo(found.source)
    alarms = "1 alarm" if len(found.alarms) == 1 else f"{len(found.alarms)} alarms"
    print_paragraph(
        f"{found.format}; {found.rows} rows, steps {found.first_step} to {found.last_step};"
        f" {alarms}. One run, observed: a diagnostic, no support for a theorem."
    )
    click.echo()
    heads = ["quantity", "key in the log", "mean", "least", "most"]
    rows = [[s.quantity, s.raw_key, s.mean, s.low, s.high] for s in log.series if s.count]
    print_table(heads, rows)
    click.echo()
    for finding in found.findings:
        hang = f"{_MARKS[finding.level.value]} {finding.topic}: "
        print_paragraph(f"{hang}{finding.statement}.")
    click.echo()
    for text in (*found.limits, *found.notes):
        print_paragraph(text, hang="- ")
    for raw, used in found.unused:
        print_paragraph(f"{raw} was not used: {used} holds the same quantity", hang="- ")
    _print_unknown(found)


def _print_unknown(found: Audit) -> None:
    alike = [key for key in found.unknown if key.nearest]
    listed = [*alike, *(key for key in found.unknown if not key.nearest)][:_KEYS_LISTED]
    if listed:
        names = ", ".join(
            f"{key.name} (like {key.nearest})" if key.nearest else key.name for key in listed
        )
        more = len(found.unknown) - len(listed)
        tail = f" and {more} more, see --json" if more else ""
        print_paragraph(f"Keys without a known meaning: {names}{tail}.")


def _whole_numbers(text: str) -> list[int]:
    numbers = []
    for part in text.split(","):
        digits = part.strip()
        if not (digits.isascii() and digits.isdigit() and len(digits) < 10):
            raise DomainError("lag", digits, "whole numbers from 0 on, such as 1,8,16")
        numbers.append(int(digits))
    return numbers


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
    from rolltheory.staleness import radii, rule

    norm, stale_norm = _update_norm(**norms), _stale_norm(norms["group_size"])
    if batch_radius is None:
        batch_radius = float(
            radii.clip_radius(clip_low, clip_high)
            if clip_budget is None
            else radii.softmax_batch_radius(clip_budget, clip_low, clip_high)
        )
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


def _update_norm(
    *,
    update_norm: float | None,
    group_size: int | None,
    gradient_clip: float | None,
    adam_parameters: int | None,
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
        return float(drift.update_norm_bound(drift.Adam(adam_parameters)))
    return float(given[0])


def _stale_norm(group_size: int | None) -> float | None:
    from rolltheory.staleness import drift

    if group_size is None:
        return None
    return float(drift.binary_gradient_norm_bound(group_size, stale=True))


def _print_plan(record: dict[str, Any]) -> None:
    rows = [
        [lag, rate, limit, horizon, binding]
        for lag, rate, limit, horizon, binding in zip(
            record["lag"],
            record["learning_rate"],
            record["lag_limit"],
            record["horizon_limit"] or [None] * len(record["lag"]),
            record["binding"],
            strict=True,
        )
    ]
    print_table(["lag", "learning rate", "lag allows", "horizon allows", "binding"], rows)
    click.echo()
    print_paragraph(
        f"Update norm {record['update_norm']:.6g}, batch radius {record['batch_radius']:.6g}."
    )
    if (stale := record["stale_update_norm"]) is not None:
        factor = record["update_norm"] / stale
        print_paragraph(
            f"That norm is of fresh data. A stale gradient with exact ratios may be as long as"
            f" {stale:.6g}; to cover it, multiply the learning rates by {factor:.4g}, or state"
            f" --update-norm {stale:.6g}."
        )
    if record["critical_radius"] is None:
        print_paragraph(
            f"What a horizon of {record['horizon']} allows cannot be told without"
            " --critical-radius, the distance from the start at which runs collapse."
        )
    else:
        print_paragraph(f"From lag {record['crossover_lag']:.4g} on the lag binds.")
    if "max_lag" in record:
        beyond = f" and a horizon of {record['max_horizon']}" if "max_horizon" in record else ""
        print_paragraph(f"The given learning rate allows a lag of {record['max_lag']}{beyond}.")
