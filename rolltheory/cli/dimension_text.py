"""Print the dimensions of a class of rules, and what rolling them out does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

from rolltheory.cli.output import print_paragraph, print_table

if TYPE_CHECKING:
    from rolltheory.dimension.witnesses import Dimension, MistakeTree, Witness
    from rolltheory.report.dimension import ClassReport, RolloutRow, SampleSizes

__all__ = ["print_class", "print_rollouts"]

_LISTED = 6


def print_class(title: str, found: ClassReport) -> None:
    """The class, its dimensions with witnesses, its density, sample sizes and remarks."""
    click.echo(title)
    labels = ", ".join(map(str, found.label_counts[:_LISTED]))
    more = ", ..." if len(found.label_counts) > _LISTED else ""
    print_paragraph(f"{found.hypotheses} rules, {found.points} points, labels {labels}{more}")
    click.echo()
    rows = [
        [name, _interval(dimension), _witness(dimension.witness), dimension.reason]
        for name, dimension in found.dimensions.items()
    ]
    print_table(["dimension", "value", "witness", "not larger since"], rows)
    click.echo()
    print_paragraph(
        f"Density of the one-inclusion hypergraph at all points: {found.density} "
        f"({float(found.density):.4f})"
    )
    if found.sizes is not None:
        _print_sizes(found.sizes)
    _print_remarks(found.remarks)


def print_rollouts(rows: Sequence[RolloutRow], remarks: Iterable[str]) -> None:
    """A line for each length of traces, and a sentence on each change."""
    names = list(rows[0].report.dimensions)
    if any("VC" in row.report.dimensions for row in rows):
        names = [name for name in names if name != "VC"]
    table = [
        [
            row.steps,
            row.report.hypotheses,
            *(_interval(row.report.dimensions[name]) for name in names),
            str(row.report.density),
            "-" if row.risk is None else str(row.risk),
        ]
        for row in rows
    ]
    print_table(["tokens", "traces", *names, "density", "risk"], table)
    _print_remarks(remarks)


def _interval(dimension: Dimension[Any]) -> str:
    same = dimension.lower == dimension.upper
    return str(dimension.lower) if same else f"{dimension.lower} to {dimension.upper}"


def _witness(witness: Witness | None) -> str:
    """What shows the lower end, in a few words."""
    from rolltheory.dimension.witnesses import (
        AgreementCube,
        MistakeTree,
        NatarajanCube,
        PseudoCube,
    )

    if witness is None:
        return "any rule"
    if isinstance(witness, MistakeTree):
        return f"a tree of depth {_depth(witness)} that asks {witness.point} first"
    points = ", ".join(map(str, witness.points[:_LISTED]))
    if isinstance(witness, NatarajanCube):
        return f"{_joined(witness.first)} and {_joined(witness.second)} at {points}"
    if isinstance(witness, AgreementCube):
        return f"agreement with {_joined(witness.pattern)} at {points}"
    patterns = witness.patterns if isinstance(witness, PseudoCube) else witness.values
    return f"{len(patterns)} patterns at {points}"


def _depth(tree: MistakeTree | None) -> int:
    return 0 if tree is None else 1 + _depth(tree.branches[0][1])


def _joined(pattern: Sequence[object]) -> str:
    return ",".join(map(str, pattern))


def _print_sizes(sizes: SampleSizes) -> None:
    print_paragraph(
        f"Exact traces at parity dimension {sizes.dimension}{'' if sizes.known else ' at most'}, "
        "whatever their length: "
        f"{sizes.expected} for an expected error of {sizes.error:g} (one inclusion), "
        f"{sizes.probable} for that error except with probability {sizes.failure_probability:g} "
        "(vote of prefixes; its constants are loose)"
    )
    if sizes.needed is not None:
        print_paragraph(
            f"For the latter, no learner does with fewer than {sizes.needed} on the worst prompts."
        )


def _print_remarks(remarks: Iterable[str]) -> None:
    for remark in remarks:
        print_paragraph(f"{remark}.", indent=2, hang="- ")
