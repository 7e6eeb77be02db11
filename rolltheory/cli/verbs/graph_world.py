"""Certify rollouts of a graph model, choose what to repair, label what long rollouts do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from rolltheory.cli.output import json_option, plot_option, save_plot, told_of_files, write_json
from rolltheory.errors import DomainError, ReaderError

if TYPE_CHECKING:
    from rolltheory.report.graph_world import StepModel

__all__ = ["command"]


@click.group("graph-world", short_help="Certify rollouts of graph models; what to repair.")
def command() -> None:
    """How long a rollout of a graph model can be trusted, where errors hurt, what to repair."""


def _step_options(function: Any) -> Any:
    choice = click.Choice
    options = [
        click.option("--undirected", is_flag=True, help="Each line of a CSV goes both ways."),
        click.option("--absolute", is_flag=True, help="Bound signed messages by |A|."),
        click.option(
            "--normalisation",
            type=choice(["none", "symmetric", "random-walk"]),
            default="none",
            show_default=True,
            help="Of A + 1, by its row sums.",
        ),
        click.option(
            "--architecture",
            type=choice(["plain", "one_hop", "residual", "residual_blocks"]),
            default="plain",
            show_default=True,
            help="s(A H W) per layer; one A for all; X + those; X + blocks s(A H W) + H.",
        ),
        click.option(
            "--weights",
            metavar="FILE",
            help="npz, safetensors, or pt: a state dict, alone or in a checkpoint of plain values.",
        ),
        click.option(
            *("--tensor", "tensors"),
            multiple=True,
            metavar="NAME",
            help="A layer's weight, in order; default: every tensor with two axes.",
        ),
        click.option("--input", "input_tensor", metavar="NAME", help="Weight into the layers."),
        click.option("--output", "output_tensor", metavar="NAME", help="Weight out of them."),
        click.option("--layers", type=click.IntRange(min=1), help="Where no weights are given."),
        click.option("--activation", metavar="NAME", help="tanh, relu, gelu, silu, sigmoid, ..."),
        click.option("--slope", type=float, help="Its Lipschitz constant; default: 1."),
    ]
    for option in reversed(options):
        function = option(function)
    return function


@command.command("certify", short_help="Error bounds over the horizon, and what they rest on.")
@click.argument("file", metavar="FILE")
@_step_options
@click.option("--errors", metavar="FILE|NUMBER", default="1", help="One-step errors; default: 1.")
@click.option("--initial-error", type=float, default=0.0, show_default=True)
@click.option("--horizon", default="1,2,4,8,16,32", show_default=True, metavar="H,H,...")
@click.option("--tolerance", type=float, help="Largest error to accept.")
@click.option("--rate", type=float, help="Growth to allow, where the graph is reducible.")
@plot_option("Draw the bounds")
@json_option
def certify(
    file: str,
    errors: str,
    initial_error: float,
    horizon: str,
    tolerance: float | None,
    rate: float | None,
    plot_file: str | None,
    json_file: str | None,
    **settings: Any,
) -> None:
    """Bound the error of rollouts of a model on the graph FILE (npz, mtx, graphml or csv).

    In the matrix formats entry i, j is the weight of the message from j to i. A CSV holds an edge
    a line, under the header source,target or source,target,weight.

    Errors are Frobenius norms over all nodes, one-step errors those on the true trajectory: a
    number, or a series (csv, jsonl, npz, npy) with one per step.

    Example: rolltheory graph-world certify graph.csv --weights model.safetensors --activation tanh
    --errors 0.01 --tolerance 0.5
    """
    from rolltheory.cli.graph_world_text import print_certificate
    from rolltheory.report.graph_world import certify as certified

    horizons = _whole_numbers(horizon)
    one_step = _one_step_errors(errors, steps=max(horizons))
    found, paths = certified(
        _step(file, **settings),
        horizons=horizons,
        one_step_errors=one_step,
        initial_error=initial_error,
        tolerance=tolerance,
        rate=rate,
    )
    if plot_file is not None:
        from rolltheory.plots.graph_world import ErrorBounds, plot_error_bounds

        if not any(0 < error < float("inf") for error in paths.bound):
            raise DomainError("plot", plot_file, "a bound above 0 that floats can hold")
        nothing = paths.naive[:, None][:, :0]
        parts = (paths.by_radius, paths.by_norm, paths.by_powers, paths.naive, nothing)
        bounds = ErrorBounds("frobenius", *parts)
        save_plot(plot_error_bounds(bounds, tolerance=tolerance), plot_file)
    if json_file != "-":
        print_certificate(file, found)
    write_json(json_file, found)


@command.command("repair", short_help="Which nodes to repair, and what remains.")
@click.argument("file", metavar="FILE")
@click.option("--budget", type=int, required=True, help="Nodes to repair.")
@click.option("--connected", is_flag=True, help="The region must be connected.")
@click.option(
    "--objective",
    type=click.Choice(["walks", "radius"]),
    default="walks",
    show_default=True,
    help="What each choice lowers; only walks come with a guarantee.",
)
@click.option(
    "--length", type=click.IntRange(min=1), default=8, show_default=True, help="Of walks."
)
@_step_options
@plot_option("Draw the path")
@json_option
def repair(
    file: str,
    budget: int,
    connected: bool,
    objective: Any,
    length: int,
    plot_file: str | None,
    json_file: str | None,
    **settings: Any,
) -> None:
    """Choose nodes of the graph FILE whose errors, once removed, slow the growth most.

    The formats of FILE and the options of the model are those of certify.
    """
    from rolltheory.cli.graph_world_text import print_repair
    from rolltheory.report.graph_world import repair_report

    step = _step(file, **settings)
    found = repair_report(step, budget, objective=objective, length=length, connected=connected)
    if plot_file is not None:
        from rolltheory.plots.graph_world_repair import plot_repair, repair_data

        small = found.optimum is not None
        path = repair_data(step.matrix, budget, length=length, connected=connected, optimum=small)
        save_plot(plot_repair(path), plot_file)
    if json_file != "-":
        print_repair(file, found)
    write_json(json_file, found)


@command.command("regimes", short_help="Blow-up, drift or loss of seasons, channel by channel.")
@click.argument("file", metavar="SERIES")
@click.option("--period", type=float, required=True, help="Of the season, in steps.")
@click.option("--reference", metavar="FILE", help="What it should look like; same channels.")
@click.option("--confidence", type=float, default=0.99, show_default=True, help="Of each trend.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@json_option
def regimes(
    file: str,
    period: float,
    reference: str | None,
    confidence: float,
    seed: int,
    json_file: str | None,
) -> None:
    """Label each channel of the rollout SERIES (csv, jsonl, npz or npy; a row per step).

    The first that applies of blow-up, drift, loss of seasonality and loss of variance; else stable.
    Infinite or undefined values are a blow-up. A column named step or time is left out. The series
    must last two periods, and without a reference its first period stands in for one: of few steps,
    a poor one.
    """
    from rolltheory.cli.graph_world_text import print_regimes
    from rolltheory.readers.series import read_series
    from rolltheory.report.graph_world import regime_report

    normal = None if reference is None else read_series(reference)
    series = read_series(file, finite=False)
    with told_of_files(series=file, reference=reference):
        found = regime_report(series, normal, period=period, confidence=confidence, seed=seed)
    if json_file != "-":
        print_regimes(file, found)
    write_json(json_file, found)


def _step(file: str, *, undirected: bool, weights: str | None, **settings: Any) -> StepModel:
    from rolltheory.readers.adjacency import read_adjacency
    from rolltheory.readers.weights import read_weights
    from rolltheory.report.graph_world import step_model

    tensors = None if weights is None else read_weights(weights)
    return step_model(read_adjacency(file, undirected=undirected), tensors, **settings)


def _one_step_errors(text: str, *, steps: int) -> Any:
    """A number, or the one channel of a series over the longest horizon."""
    from rolltheory.numerics.arguments import real_array
    from rolltheory.readers.series import read_series

    try:
        return real_array("errors", float(text), at_least=0)
    except DomainError:
        raise
    except ValueError:
        series = read_series(text, at_least=0)
    if len(series.names) != 1:
        found = f"the channels {', '.join(series.names)}"
        raise ReaderError(text, found, "one channel, an error per step")
    if len(series.values) < steps:
        allowed = f"at least {steps} steps, the longest horizon"
        raise ReaderError(text, f"{len(series.values)} steps", allowed)
    return series.values[:, 0]


def _whole_numbers(text: str) -> list[int]:
    parts = [part.strip() for part in text.split(",")]
    for digits in parts:
        if not (digits.isascii() and digits.isdigit() and len(digits) < 8 and int(digits)):
            raise DomainError("horizon", digits, "whole numbers from 1 on, such as 1,8,32")
    return sorted({int(digits) for digits in parts})
