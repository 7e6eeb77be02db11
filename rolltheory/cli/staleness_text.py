"""Audits and plans as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from rolltheory.cli.output import print_paragraph, print_table

if TYPE_CHECKING:
    from rolltheory.staleness.findings import Audit
    from rolltheory.staleness.run_log import RunLog

__all__ = ["print_audit", "print_plan"]

_KEYS_LISTED = 4
_MARKS = {"good": "+", "note": " ", "alarm": "!", "cannot tell": "?"}


def print_audit(found: Audit, log: RunLog) -> None:
    """Print what a log shows: alarms first, each with what to do next."""
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
        if finding.next_step:
            print_paragraph(f"Next: {finding.next_step}.", indent=2)
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


def print_plan(record: dict[str, Any]) -> None:
    """Print the learning rates that lags allow, and what their unit is."""
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
    print_paragraph(_unit(record))
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
        if record["max_lag"] == (record["schedule"] == "sync"):
            print_paragraph("That certifies no stale batch at this rate; it does not forbid any.")


def _unit(record: dict[str, Any]) -> str:
    """What the learning rates multiply: without it they are no numbers to be set."""
    if record["stale_update_norm"] is not None:
        return (
            "Learning rates are in softmax logits under plain gradient ascent, not those of an"
            " optimiser over the weights of a network. For one of these measure the drift: state"
            " as --update-norm the rule.update_norm of `rolltheory staleness audit`, and as"
            " --batch-radius the radius in its rule.lag."
        )
    radii = "the batch radius of a clip range is in softmax logits, others need --batch-radius"
    if (betas := record["adam_betas"]) is not None:
        return (
            f"Learning rates are those of Adam with betas {betas[0]:g} and {betas[1]:g}, without"
            f" weight decay, and radii are in the parameters that it trains: {radii}."
        )
    return f"Learning rates and radii are in the unit of the update norm: {radii}."
