"""What `rolltheory graph-world` prints for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rolltheory.cli.output import print_paragraph, print_table

if TYPE_CHECKING:
    from rolltheory.report.graph_world import Certificate, RegimeReport, RepairReport
    from rolltheory.report.graph_world.repair import Choice
    from rolltheory.report.graph_world.step import Layer, ModelSummary

__all__ = ["print_certificate", "print_regimes", "print_repair"]

_REGION = 12


def print_certificate(file: str, found: Certificate) -> None:
    """The certificate of one graph."""
    click.echo(file)
    print_paragraph(
        f"{found.nodes} nodes, {found.edges} messages per layer; {_model(found.model)}. One step:"
        " Lipschitz constant"
        f" {found.lipschitz:.7g}, spectral radius"
        f" {_enclosure(found.radius.lower, found.radius.upper)}"
        f"{_structure(found)}."
    )
    click.echo()
    rows = [
        [row.horizon, row.bound, row.by_norm, row.by_radius, row.by_powers, row.naive]
        for row in found.bounds
    ]
    print_table(["horizon", "bound", "by norm", "by radius", "by powers", "naive"], rows)
    click.echo()
    print_paragraph(
        "bound: on the error, Frobenius norm over all nodes; the lowest of the next three. by"
        " powers: from the norm of each power of a step's matrix, for graphs of up to 200 nodes."
    )
    print_paragraph(_transient(found))
    print_paragraph(
        f"naive: the spectral radius alone. {_NAIVE[found.naive.verdict]}: {found.naive.reason}."
    )
    click.echo()
    print_paragraph(_stability(found))
    if found.tolerance is not None:
        print_paragraph(_validity(found))
    _print_nodes(found)


def _print_nodes(found: Certificate) -> None:
    click.echo()
    if not found.hurts_most:
        print_paragraph(
            f"where errors hurt or show most: weights over {found.horizon} steps are too large for"
            " floats; ask for a shorter horizon."
        )
        return
    if found.horizon == 1:
        print_paragraph(
            "In one step no error reaches another node: a longer horizon says where errors hurt or"
            " show most."
        )
        return
    pairs = zip(found.hurts_most, found.shows_most, strict=True)
    print_table(
        ["an error hurts most at", "weight", "errors show most at", "exposure"],
        [[hurts.node, hurts.weight, shows.node, shows.weight] for hurts, shows in pairs],
    )
    click.echo()
    print_paragraph(
        f"weight: what a unit of error at the node in every step adds to the summed error of all"
        f" nodes within {found.horizon} steps. exposure: how large the node's error may get from"
        f" unit errors everywhere."
    )


_NAIVE = {
    "holds": "It bounds every rollout here",
    "false": "It is false here, once an error has travelled a step",
    "open": "Whether it bounds every rollout here is not known",
}


def _model(model: ModelSummary) -> str:
    layers = ", ".join(map(_layer, model.layers))
    into = f", into them {_layer(model.input)}" if model.input else ""
    out = f", out of them {_layer(model.output)}" if model.output else ""
    normalised = "" if model.normalisation == "none" else f", {model.normalisation} normalisation"
    return f"{model.architecture}, slope {model.slope:.6g}{normalised}: {layers}{into}{out}"


def _layer(layer: Layer) -> str:
    return f"{layer.name} (norm {layer.norm:.6g})"


def _enclosure(lower: float, upper: float) -> str:
    """As many digits as are certain."""
    if upper == 0:
        return "exactly 0"
    close = upper - lower <= 1e-7 * upper
    return f"{upper:.7g}" if close else f"between {lower:.7g} and {upper:.7g}"


def _structure(found: Certificate) -> str:
    radius = found.radius
    if radius.cyclic_components == 0:
        return ", no cycle"
    parts = "" if radius.irreducible else f", reducible, {radius.cyclic_components} cyclic parts"
    return parts + (f", period {radius.period}" if radius.period > 1 else "")


def _transient(found: Certificate) -> str:
    if found.transient is None:
        above = f"above {found.radius.upper:.7g}"
        return (
            "by radius: none. The graph is reducible, so that no multiple of its radius's powers"
            f" need bound its growth; --rate Q, {above}, gives a transient constant for Q."
        )
    growth = found.transient
    return (
        f"by radius: {growth.constant:.6g} times the powers of {growth.rate:.7g}; the transient"
        f" constant is what growth may exceed them by ({growth.assumption})."
    )


def _stability(found: Certificate) -> str:
    if found.stable_because is not None:
        return f"Certified stable: {found.stable_because}."
    return (
        "Not certified stable. That is no evidence of divergence: a bound may grow where the model"
        " does not."
    )


def _validity(found: Certificate) -> str:
    tolerance = f"{found.tolerance:.6g}"
    if found.valid_steps is None:
        return f"The error stays within {tolerance} at every horizon."
    steps = "1 step" if found.valid_steps == 1 else f"{found.valid_steps} steps"
    if found.valid_steps_at_least:
        return f"The error stays within {tolerance} for at least {steps}."
    return f"The error stays within {tolerance} for {steps}; beyond, no promise."


def print_repair(file: str, found: RepairReport) -> None:
    """The region chosen, beside what other rules choose."""
    click.echo(file)
    print_paragraph(
        f"{found.nodes} nodes, {found.edges} messages per layer; {_model(found.model)}. Spectral"
        f" radius of a step before repair:"
        f" {_enclosure(found.radius_lower, found.radius_upper)}."
    )
    click.echo()
    heads = ["greedy by", "radius left", "at most, by walks", "walks destroyed"]
    heads += ["certain share", "region"]
    print_table(heads, [_choice(choice) for choice in (found.chosen, *found.others)])
    click.echo()
    shape = ", a connected region" if found.connected else ""
    print_paragraph(
        f"Repair the first{shape}. walks destroyed: weight of the walks of {found.length} steps"
        " through the region; those left keep the radius to at most what is beside it. certain"
        " share: of the best possible weight destroyed."
    )
    if found.chosen.guarantee is None:
        reason = "walks have one only without it" if found.connected else "only walks have one"
        constraint = ", under the constraint" if found.connected else ""
        print_paragraph(f"This choice has no guarantee{constraint}: {reason}.")
    if found.optimum is None:
        print_paragraph("Too many regions to try them all: the gap to the best one is not known.")
    else:
        gap = f"the first is {found.gap:.4g} above it"
        print_paragraph(f"The best of all regions leaves {found.optimum:.7g}; {gap}.")


def _choice(choice: Choice) -> list[object]:
    region = ", ".join(choice.region[:_REGION])
    more = len(choice.region) - _REGION
    share = choice.guarantee
    return [
        choice.rule,
        (choice.residual_lower, choice.residual_upper),
        choice.walk_bound,
        choice.walks_destroyed,
        share,
        f"{region} and {more} more" if more > 0 else region,
    ]


def print_regimes(file: str, found: RegimeReport) -> None:
    """A row per channel."""
    click.echo(file)
    against = "its own first period" if found.own_reference else "the reference"
    print_paragraph(f"{found.steps} steps, period {found.period:g}; against {against}")
    click.echo()
    heads = ["channel", "regime", "furthest", "trend", f"interval {found.confidence:g}"]
    heads += ["season", "variance"]
    rows = [
        [
            name,
            regime.label,
            regime.largest_deviation,
            regime.slope,
            (regime.slope_lower, regime.slope_upper),
            regime.seasonal_ratio,
            regime.variance_ratio,
        ]
        for name, regime in zip(found.channels, found.regimes, strict=True)
    ]
    print_table(heads, rows)
    click.echo()
    print_paragraph(
        "furthest: from the mean, in standard deviations. trend: per step, with a block-bootstrap"
        " interval. season: amplitude, as a share of the reference's. variance: about trend and"
        " season in the last period, as a share of the first's. -: a share of nothing."
    )
    if found.caution is not None:
        print_paragraph(f"Caution: {found.caution}")
