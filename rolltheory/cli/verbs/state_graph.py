"""Who can reach a success in a state graph, who surely does, and how probably."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from rolltheory.cli.options import tries_option
from rolltheory.cli.output import json_option, print_paragraph, print_table, write_json

if TYPE_CHECKING:
    from rolltheory.report.state_graph import StateGraphReport

__all__ = ["command"]

_EXACT_STATES = 32
_LISTED_STATES = 50
_LONGEST_FRACTION = 15


@click.command("state-graph", short_help="Reachability and success in a state graph.")
@click.argument("file", metavar="FILE")
@tries_option(default="2,8,32", text="For Pass@k.")
@click.option("--success", multiple=True, metavar="STATE", help="One more success state.")
@click.option(
    "--target", type=float, default=0.95, show_default=True, help="Pass@k to reach, within (0, 1)."
)
@json_option
def command(
    file: str,
    tries: tuple[int, ...],
    success: tuple[str, ...],
    target: float,
    json_file: str | None,
) -> None:
    """Tell from which states of FILE a success can be reached, how probably, and in how many tries.

    FILE is CSV, one edge a line; probabilities are decimals or fractions, and a line without a
    target declares its state a success, or absorbing:

    \b
        source,target,probability
        start,solved,0.2
        start,start,1/2
        start,stuck,0.3
        solved,,success
        stuck,,absorbing

    Or JSON, in which absorbing may be left out:

    \b
        {"edges": [["start", "solved", 0.2], ["start", "start", "1/2"],
                   ["start", "stuck", 0.3]],
         "success": ["solved"], "absorbing": ["stuck"]}

    Example: rolltheory state-graph graph.csv --k 1,8 --target 0.99
    """
    from rolltheory.readers import read_state_graph
    from rolltheory.report import state_graph_report

    graph = read_state_graph(file, success=success)
    exact = graph.success.size <= _EXACT_STATES
    if exact:
        graph = read_state_graph(file, success=success, exact=True)
    report = state_graph_report(graph, tries=tries, target=target, exact=exact)
    if json_file != "-":
        _print(file, graph.targets.size, report)
    write_json(json_file, report)


def _print(file: str, edges: int, report: StateGraphReport) -> None:
    can, sure = report.can_reach, report.surely_reaches
    click.echo(file)
    print_paragraph(
        f"{can.size} states, {edges} edges, {int(report.success.sum())} success;"
        f" {int(can.sum())} can reach a success, {int(sure.sum())} surely do"
    )
    click.echo()
    listed = range(min(can.size, _LISTED_STATES))
    heads = ["state", "reach", "success", "error", "exact"]
    heads += [f"pass@{k}" for k in report.tries] + [f"k for {report.target}"]
    rows = [_row(report, state) for state in listed]
    if report.exact is None:
        del heads[4]
    print_table(heads, rows)
    click.echo()
    if can.size > _LISTED_STATES:
        print_paragraph(f"{can.size - _LISTED_STATES} more states; --json FILE holds all.")
    print_paragraph(
        "success: probability of ever reaching one, certified within error. k for"
        f" {report.target}: tries from which on Pass@k is at least that."
    )
    if report.limit_tries is not None:
        print_paragraph(
            f"The smallest positive probability is {report.smallest:.4g}: from k ="
            f" {report.limit_tries} on, Pass@k tells the states that can reach a success from those"
            f" that cannot, within {1 - report.target:.4g}."
        )
    elif report.smallest is not None:
        print_paragraph("Some positive probability is too small for a certified number of tries.")


def _row(report: StateGraphReport, state: int) -> list[Any]:
    reach = "surely" if report.surely_reaches[state] else "can"
    if not report.can_reach[state]:
        reach = "never"
    value = float(report.probability[state])
    error = max(value - float(report.lower[state]), float(report.upper[state]) - value)
    row: list[Any] = [report.states[state], reach, value, f"{error:.1g}"]
    if report.exact is not None:
        text = str(report.exact[state])
        row.append(text if len(text) <= _LONGEST_FRACTION else "-")
    needed = float(report.tries_needed[state])
    row += report.pass_at_k[:, state].tolist()
    return [*row, int(needed) if needed < float("inf") else None]
