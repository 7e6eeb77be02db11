"""Print what is known of a greedy planner, and of the maze study."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

import click

from rolltheory.cli.output import print_paragraph, print_table

if TYPE_CHECKING:
    from rolltheory.report.action_gap import ActionGapReport, LabelSuggestion, StudyReport

__all__ = ["print_certification", "print_study"]

_LISTED = 8
_ROUNDING = 1e-6


def print_certification(file: str, found: ActionGapReport) -> None:
    """The problem, the extension, the certificates, the planner, and what would help."""
    click.echo(file)
    cost = "unit cost" if found.unit_cost else "with lengths"
    print_paragraph(
        f"{found.vertices} vertices, {found.edges} edges, {cost}; goal {found.goal}; "
        f"{_counted(found.labels, 'label')}, {_noise(found)}"
    )
    print_paragraph(
        f"{found.extension} ({found.solver}): {_accuracy(found)}, "
        f"{_counted(found.flat, 'flat vertex', 'flat vertices')}; planner {found.planner}"
    )
    click.echo()
    _print_certificates(found)
    click.echo()
    rows = [[rule.replace("_", " "), share] for rule, share in found.success.items()]
    print_table(["ties", "reach the goal"], rows)
    click.echo()
    _print_starts(found)
    _print_suggestion(found)


def _noise(found: ActionGapReport) -> str:
    noise = found.noise
    exact = "exact" if not noise.error else f"off by at most {noise.error:.4g}"
    if noise.tolerance is None:
        return f"{exact}, at least one a sink"
    if math.isinf(noise.tolerance):
        return exact
    return f"{exact}; none can become a sink while all move by less than {noise.tolerance:.4g}"


def _accuracy(found: ActionGapReport) -> str:
    ties = found.tie_tolerance
    given = f"{ties:.4g}" if ties > _ROUNDING else _rounded_up(ties)
    return f"values within {_rounded_up(found.error_bound)}, ties within {given}"


def _rounded_up(error: float) -> str:
    """The next power of ten: the digits below differ from machine to machine."""
    return f"{10.0 ** math.ceil(math.log10(error)):.0e}" if error else "0"


def _print_certificates(found: ActionGapReport) -> None:
    rows = [
        [verdict.name, verdict.needs, verdict.implies, verdict.states, verdict.starts]
        for verdict in found.certificates
        if verdict.refused is None
    ]
    print_table(["certificate", "needs", "implies", "states", "starts"], rows)
    refused: dict[str, list[str]] = {}
    for verdict in found.certificates:
        if verdict.refused is not None:
            refused.setdefault(verdict.refused, []).append(verdict.name)
        elif verdict.planner != found.planner and not found.unit_cost:
            print_paragraph(f"{verdict.name} is about the planner {verdict.planner}.", hang="- ")
    for why, names in refused.items():
        print_paragraph(f"Not applicable: {', '.join(names)}. Needed there: {why}.", hang="- ")


def _print_starts(found: ActionGapReport) -> None:
    starts = found.starts
    left = [number for number, reason in enumerate(starts.reasons) if reason is not None]
    if not left:
        click.echo(f"All {found.vertices - 1} starts are certified.")
        return
    words = {
        number: f"{starts.reasons[number]}{', by label noise' if starts.by_noise[number] else ''}"
        for number in left
    }
    print_paragraph(f"{_counted(len(left), 'start')} of {found.vertices - 1} not certified.")
    rows = []
    for reason, count in Counter(words.values()).most_common():
        examples = [number for number in left if words[number] == reason][:_LISTED]
        names = " ".join(str(starts.names[number]) for number in examples)
        rows.append([reason, count, names + (" ..." if count > len(examples) else "")])
    print_table(["reason", "starts", "which"], rows)


def _print_suggestion(found: ActionGapReport) -> None:
    click.echo()
    if found.success["all"] < found.success["random"] == 1.0:
        click.echo("Ties broken at random reach the goal from every start.")
    full = (
        f"{_counted(found.recovery_labels, 'exact label')} would make the AMLE the true distance "
        "everywhere."
    )
    told = found.suggestion
    if found.success["all"] == 1.0:
        print_paragraph(f"However ties break, every start reaches the goal. {full}")
    elif told is None:
        text = "No labels that would do were found in the time given (--suggest-seconds)."
        print_paragraph(f"{text} {full}")
    else:
        print_paragraph(
            f"{_labels_told(told, found)} would let every start reach the goal, however ties "
            f"break; {_how_few(told)}. {full}"
        )


def _labels_told(told: LabelSuggestion, found: ActionGapReport) -> str:
    parts = ["exact values in place of the labels"] if found.noise.error else []
    if told.vertices:
        pairs = list(zip(told.vertices, told.values, strict=True))
        listed = " ".join(f"{vertex}={value:g}" for vertex, value in pairs[:_LISTED])
        listed += "" if len(pairs) <= _LISTED else " ...; --json FILE holds all"
        parts.append(f"{_counted(len(told.vertices), 'label more', 'labels more')} ({listed})")
    text = " and ".join(parts)
    return text[0].upper() + text[1:]


def _how_few(told: LabelSuggestion) -> str:
    if not told.irreducible:
        return "the search for them ran out of time, so some may be spared"
    if len(told.vertices) < 2:
        return "no fewer would do"
    return "a heuristic found them: none can be spared alone, yet a smaller set may exist"


def print_study(found: StudyReport) -> None:
    """Success by extension beside the published one, and what agrees."""
    print_paragraph(f"{_counted(found.problems, 'maze problem')}; means over them, every start")
    click.echo()
    heads = ["extension", "success", "se", "published", "agrees", "all ties", "some ties", "sinks"]
    rows = [
        [
            result.method,
            result.success,
            result.standard_error,
            result.published,
            result.agrees,
            result.success_all,
            result.success_some,
            result.label_sinks,
        ]
        for result in found.methods
    ]
    print_table(heads, rows)
    click.echo()
    print_paragraph(found.statement)


def _counted(count: int, one: str, many: str | None = None) -> str:
    return f"{count} {one if count == 1 else many or one + 's'}"
