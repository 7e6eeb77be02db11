"""Certify a greedy planner on labelled graphs; run the maze study."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from rolltheory.cli.output import (
    json_option,
    output_option,
    plot_option,
    progress,
    save_plot,
    told_of_files,
    write_json,
)
from rolltheory.errors import DomainError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rolltheory.readers.graph import GraphFile
    from rolltheory.report.action_gap import ActionGapReport, LabelledGraph

__all__ = ["command"]

_T = TypeVar("_T", int, float, str)


@click.group("action-gap", short_help="Certify greedy planners on graphs with value labels.")
def command() -> None:
    """Whether a greedy planner on extended values reaches its goal, before it is run."""


@command.command("certify", short_help="What is certain of a planner on a labelled graph.")
@click.argument("file", metavar="FILE")
@click.option("--goal", required=True, metavar="VERTEX", help="Its label is the lowest.")
@click.option("--labels", "labels_file", metavar="CSV", help="vertex,value or row,column,value.")
@click.option("--label-fraction", type=float, help="Draw exact labels of this share instead.")
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of that draw."
)
@click.option(
    "--noise", type=float, default=0.0, show_default=True, help="Largest label error to accept."
)
@click.option(
    "--lengths",
    metavar="NAME",
    help="Column or attribute that holds edge lengths, 'stored' for the entries of a matrix, or"
    " 'unit'; default: what is called length. A conductance w is not one: it is the length 1 / w,"
    " in p-harmonic sums w ** (-1 / p).",
)
@click.option("--connectivity", type=click.Choice(["4", "8"]), default="4", help="Of a maze.")
@click.option("--refinement", type=click.IntRange(1, 1000), default=1, help="Cells per maze cell.")
@click.option(
    "--extension",
    type=click.Choice(["amle", "harmonic", "p-harmonic"]),
    default="amle",
    show_default=True,
)
@click.option("--p", type=float, help="Of p-harmonic, from 2 on.")
@click.option(
    "--flavour",
    type=click.Choice(["variational", "game"]),
    default="variational",
    show_default=True,
    help="Which p-Laplacian.",
)
@click.option(
    "--planner",
    type=click.Choice(["argmin_q", "steepest_slope"]),
    default="argmin_q",
    show_default=True,
    help="The same at unit cost.",
)
@click.option(
    "--ties",
    type=click.Choice(["lowest_index", "highest_index", "farthest_visited"]),
    default="lowest_index",
    show_default=True,
    help="Shown beside all, some and random.",
)
@click.option("--tie-tolerance", type=float, help="Default: what the solver error leaves open.")
@click.option(
    "--suggest-seconds",
    "seconds",
    type=float,
    default=10.0,
    show_default=True,
    help="For labels that would do.",
)
@plot_option("Draw FILE, if it is a maze drawn in text and 4-connected,")
@json_option
def certify(
    file: str,
    goal: str,
    labels_file: str | None,
    label_fraction: float | None,
    seed: int,
    noise: float,
    lengths: str | None,
    connectivity: str,
    refinement: int,
    plot_file: str | None,
    json_file: str | None,
    **settings: Any,
) -> None:
    """Certify the greedy planner on the graph FILE, whose labels are extended to all vertices.

    FILE is a maze drawn in text (txt or map: 1 or # is a wall; 0, a dot or a space is free; a cell
    is called ROW,COLUMN from 0), GraphML, a matrix (npz, mtx), or CSV with an undirected edge a
    line:

    \b
        source,target,length
        hall,door,2.5

    Exits with 1 if some way to break ties misses the goal from some start.

    Example: rolltheory action-gap certify maze.txt --goal 6,6 --label-fraction 0.1
    """
    from rolltheory.cli.action_gap_text import print_certification
    from rolltheory.readers.graph import read_graph
    from rolltheory.report import action_gap

    read = read_graph(file, lengths=lengths, connectivity=int(connectivity), refinement=refinement)
    if plot_file is not None and (read.free is None or connectivity != "4"):
        raise DomainError("plot", plot_file, "a maze drawn in text as FILE, 4-connected")
    with told_of_files(graph=file, values=labels_file):
        problem = _labelled(read, goal, labels_file, label_fraction, seed, noise)
    found = action_gap.certify(problem, **settings)
    if plot_file is not None and read.free is not None:
        save_plot(_maze_plot(read.free, problem, found), plot_file)
    if json_file != "-":
        print_certification(file, found)
    write_json(json_file, found)
    raise SystemExit(0 if found.success["all"] == 1.0 else 1)


@command.command("study", short_help="Success of each extension on mazes, beside the published.")
@click.option("--layouts", default="medium,large", show_default=True, metavar="NAME,...")
@click.option("--refinements", default="4,8,12", show_default=True, metavar="R,R,...")
@click.option("--fractions", default="0.01,0.02,0.05,0.1", show_default=True, metavar="F,F,...")
@click.option("--seeds", default="0,1,2,3,4", show_default=True, metavar="S,S,...")
@click.option(
    "--methods",
    default="harmonic,p=4,p=8,p=16,amle",
    show_default=True,
    metavar="NAME,...",
    help="Also midrange300, midrange1000, midrange3000, which stop after so many sweeps.",
)
@output_option("--rows", "rows_file", text="Write a row per problem and method as CSV.")
@plot_option("Draw success against p")
@json_option
def study(
    layouts: str,
    refinements: str,
    fractions: str,
    seeds: str,
    methods: str,
    rows_file: str | None,
    plot_file: str | None,
    json_file: str | None,
) -> None:
    """Draw labels on refined mazes and score every start of the greedy planner on each extension.

    The defaults are 120 configurations after arXiv 2605.19185, whose protocol is not known; they
    take some minutes.
    """
    from rolltheory.action_gap import EXTENSIONS, maze_problems, study_rows
    from rolltheory.cli.action_gap_text import print_study
    from rolltheory.files import write_text
    from rolltheory.report.action_gap import study_report, study_table

    known = {name.replace(" ", ""): name for name in EXTENSIONS}
    chosen = [_known("methods", name, known) for name in _listed("methods", methods, str)]
    problems = list(
        maze_problems(
            layouts=_listed("layouts", layouts, str),
            refinements=_listed("refinements", refinements, int),
            fractions=_listed("fractions", fractions, float),
            seeds=_listed("seeds", seeds, int),
        )
    )
    rows = []
    with progress("solving", len(problems) * len(chosen)) as step:
        for row in study_rows(problems, methods=chosen):
            rows.append(row)
            step()
    found = study_report(rows)
    if rows_file is not None:
        write_text(rows_file, study_table(rows))
    if plot_file is not None:
        from rolltheory.plots.action_gap_study import plot_success_by_p, success_by_p_data

        save_plot(plot_success_by_p(success_by_p_data(rows)), plot_file)
    if json_file != "-":
        print_study(found)
    write_json(json_file, found)


def _labelled(
    read: GraphFile,
    goal: str,
    labels_file: str | None,
    fraction: float | None,
    seed: int,
    noise: float,
) -> LabelledGraph:
    from rolltheory.numerics.generators import seeded_generator
    from rolltheory.readers.graph import read_labels
    from rolltheory.report.action_gap import drawn_labels, labelled_graph

    if labels_file is not None and fraction is None:
        labels = read_labels(labels_file, read.graph)
    elif fraction is not None and labels_file is None:
        generator = seeded_generator(seed, "action-gap labels")
        labels = drawn_labels(read.graph, goal, fraction=fraction, generator=generator)
    else:
        raise DomainError("labels", labels_file, "either --labels or --label-fraction")
    return labelled_graph(read.graph, labels, goal, noise=noise)


def _maze_plot(free: Any, problem: LabelledGraph, found: ActionGapReport) -> Axes:
    from rolltheory.plots.action_gap import maze_data, plot_maze

    numbers = problem.graph.numbers(problem.labels).tolist()
    labels = dict(zip(numbers, problem.labels.values(), strict=True))
    end = int(problem.graph.numbers([problem.goal])[0])
    values, ties = found.starts.values, found.tie_tolerance
    return plot_maze(maze_data(free, values, labels, end, tie_tolerance=ties))


def _listed(field: str, text: str, kind: Callable[[str], _T]) -> list[_T]:
    """The parts between commas, each once, in the order given."""
    found: dict[_T, None] = {}
    for part in text.split(","):
        try:
            found[kind(part.strip())] = None
        except ValueError:
            raise DomainError(field, part.strip(), "numbers with commas between them") from None
    return list(found)


def _known(field: str, name: str, known: dict[str, str]) -> str:
    try:
        return known[name.replace(" ", "")]
    except KeyError:
        raise DomainError(field, name, f"names among {', '.join(known)}") from None
