"""Train small models and hold the bounds to what is measured."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from rolltheory.cli.output import json_option, print_paragraph, print_table, progress, write_json

if TYPE_CHECKING:
    from rolltheory.claims.evidence import Evidence
    from rolltheory.claims.verification import Verification
    from validation.training.runs import Row

__all__ = ["command"]


@click.command("validate", short_help="Train small models against the bounds.")
@click.argument("theories", nargs=-1, metavar="[THEORY]...")
@click.option(
    "--scale",
    type=click.Choice(["smoke", "small", "full"]),
    default="smoke",
    show_default=True,
    help="How many runs: for a gate, a laptop, or one GPU.",
)
@click.option(
    "--device", type=click.Choice(["auto", "cpu", "cuda"]), default="auto", show_default=True
)
@click.option("--backend", default="loky", show_default=True, help="loky, dask or ray.")
@click.option("--scheduler", metavar="ADDRESS", help="A running Dask scheduler, tcp://HOST:PORT.")
@click.option("--jobs", type=click.IntRange(min=1), default=os.cpu_count() or 1, help="Processes.")
@click.option(
    "--out",
    type=click.Path(file_okay=False),
    default="validation-results",
    show_default=True,
    help="Folder of the rows, one file for each run.",
)
@click.option("--resume", is_flag=True, help="Go on with the folder: its rows are kept.")
@json_option
def command(
    theories: tuple[str, ...],
    scale: str,
    device: str,
    backend: str,
    scheduler: str | None,
    jobs: int,
    out: str,
    resume: bool,
    json_file: str | None,
) -> None:
    """Run the training runs of all theories, or of the named ones, and judge their claims.

    Each row of numbers is kept as soon as its run ends; after an interruption go on with
    --resume. Exits with 0 only if every comparison found what its claim declares and caught all
    its teeth.
    """
    from validation.training.experiments import evidence, planned
    from validation.training.folder import opened
    from validation.training.sweep import sweep

    runs = planned(theories, scale=scale, device=device)
    with opened(out, runs, resume=resume) as folder:
        with progress("training", len(runs)) as step:
            rows = sweep(
                runs,
                folder,
                backend=backend,
                scheduler=scheduler,
                jobs=jobs,
                on_row=lambda _: step(),
            )
        found = evidence(rows)
        summary = {
            "exit_code": _judged(found).exit_code,
            "evidence": [piece.as_json() for piece in found],
            "rows": [row.as_json() for row in rows],
        }
        write_json(os.path.join(out, "evidence.json"), summary)
    write_json(json_file, summary)
    if json_file != "-":
        _print(rows, found)
    raise SystemExit(summary["exit_code"])


def _judged(found: Sequence[Evidence]) -> Verification:
    """Each comparison as a finding about its claim."""
    from rolltheory.claims.registry import registry
    from rolltheory.claims.verification import Finding, Verification

    claims = registry().claims
    return Verification(tuple(Finding(claims[piece.claim_id], (piece,)) for piece in found))


def _print(rows: Sequence[Row], found: Sequence[Evidence]) -> None:
    findings = _judged(found).findings
    table: list[list[Any]] = []
    for piece in found:
        caught, missed = len(piece.teeth_caught), len(piece.teeth_missed)
        verdict = piece.verdict.value
        table.append(
            [piece.claim_id, piece.cases, piece.tightness, f"{caught}/{caught + missed}", verdict]
        )
    print_table(["claim", "cases", "tightness", "teeth", "verdict"], table)
    for piece, finding in zip(found, findings, strict=True):
        if not finding.as_declared:
            details = ": ".join(filter(None, [piece.note, piece.counterexample]))
            print_paragraph(f"{piece.claim_id}: {piece.verdict.value}: {details}")
    for row in rows:
        if row.note:
            print_paragraph(f"{row.run.label}: {row.outcome.value}: {row.note}")
    ends = Counter(row.outcome.value for row in rows)
    counted = ", ".join(f"{count} {outcome}" for outcome, count in ends.items())
    good = sum(finding.as_declared for finding in findings)
    print_paragraph(
        f"{good} of {len(found)} comparisons as declared; "
        f"{len(rows)} runs ({counted}), {sum(row.seconds for row in rows):.0f} s in all"
    )
