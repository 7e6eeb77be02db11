"""Run the checks of every claim and print the matrix of claims against kinds of evidence."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from rolltheory.cli.options import KINDS
from rolltheory.cli.output import (
    json_option,
    output_option,
    print_paragraph,
    print_table,
    progress,
    write_json,
)
from rolltheory.errors import DomainError, RolltheoryError

if TYPE_CHECKING:
    from rolltheory.claims.claim import Claim
    from rolltheory.claims.evidence import Evidence
    from rolltheory.claims.verification import Finding, Verification

__all__ = ["command"]

_UNKNOWN = 3
_MARKS = {
    "supported": "✓",
    "refuted": "✗",
    "vacuous": "∅",
    "inconclusive": "?",
    "stale": "~",
    "not run": "·",
}
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@click.command("verify", short_help="Run the checks of claims.")
@click.argument("names", nargs=-1, metavar="[THEORY|ID]...")
@click.option(
    "--kind", "kinds", multiple=True, type=click.Choice(list(KINDS)), help="Only this kind."
)
@click.option("--profile", type=click.Choice(["gate", "deep"]), default="gate", show_default=True)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option("--jobs", type=click.IntRange(min=1), default=os.cpu_count() or 1, help="Processes.")
@json_option
@output_option("--junit", "junit_file", text="Also write a JUnit XML file.")
@click.option("--record", is_flag=True, help="Record the evidence in the ledger of each theory.")
@click.option("--strict", is_flag=True, help="Recorded evidence must be complete and fresh too.")
def command(
    names: tuple[str, ...],
    kinds: tuple[str, ...],
    profile: str,
    seed: int,
    jobs: int,
    json_file: str | None,
    junit_file: str | None,
    record: bool,
    strict: bool,
) -> None:
    """Run the checks of all claims, or of the named theories and claims.

    Exits with 0 only if every check found what its claim declares and caught all its teeth.
    """
    from rolltheory.claims.registry import registry
    from rolltheory.claims.verdicts import Kind
    from rolltheory.claims.verification import verify

    known = registry()
    claims = known.select(names)
    wanted = {Kind(kind) for kind in kinds}
    total = sum(
        not wanted or check.kind in wanted for claim in claims for check in known.checks_of(claim)
    )
    if claims and not total:
        raise DomainError("kind", ", ".join(kinds), "a kind of which the claims have a check")
    if record:
        _require_recordable(claims, seed)
    with progress("verifying", total) as step:
        result = verify(
            claims, kinds=wanted, profile=profile, seed=seed, jobs=jobs, on_done=lambda _: step()
        )
    _write_each(
        lambda: _record(result) if record else None,
        lambda: _write_junit(junit_file, result) if junit_file is not None else None,
        lambda: write_json(json_file, _as_json(result)),
        lambda: _print(result) if json_file != "-" else None,
    )
    faults = _ledger_faults(result) if strict else []
    for fault in faults:
        click.echo(fault, err=True)
    raise SystemExit(result.exit_code or (_UNKNOWN if faults else 0))


def _require_recordable(claims: Sequence[Claim], seed: int) -> None:
    from rolltheory.claims.ledger import ledger_of
    from rolltheory.claims.registry import registry
    from rolltheory.files import require_writable

    if seed:
        raise DomainError("seed", seed, "seed 0 with --record: a chosen seed supports nothing")
    for theory in {claim.theory for claim in claims}:
        require_writable(ledger_of(registry().theories[theory]))


def _write_each(*outputs: Callable[[], None]) -> None:
    """Write every output, whatever becomes of the others; then raise what went wrong first."""
    errors: list[Exception] = []
    for write in outputs:
        try:
            write()
        except (RolltheoryError, OSError) as error:
            errors.append(error)
    if errors:
        raise errors[0]


def _print(result: Verification) -> None:
    present = {piece.kind.value for finding in result.findings for piece in finding.evidence}
    kinds = [kind for kind in KINDS if kind in present]
    print_table(
        ["claim", *(KINDS[kind] for kind in kinds), "teeth", "verdict"],
        [_row(finding, kinds) for finding in result.findings],
    )
    for finding in result.findings:
        for line in _explanations(finding):
            click.echo(line)
    good = sum(finding.as_declared for finding in result.findings)
    checks = sum(len(finding.evidence) for finding in result.findings)
    seconds = sum(piece.seconds for finding in result.findings for piece in finding.evidence)
    print_paragraph(
        f"{good} of {len(result.findings)} claims as declared; {checks} checks, {seconds:.0f} s"
        " of processor time. ✓ supported, ✗ refuted, ∅ vacuous, ? inconclusive, · not run"
    )


def _row(finding: Finding, kinds: Sequence[str]) -> Sequence[Any]:
    marks = []
    for kind in kinds:
        pieces = [piece for piece in finding.evidence if piece.kind.value == kind]
        marks.append("".join(_MARKS[piece.verdict.value] for piece in pieces))
    caught = sum(len(piece.teeth_caught) for piece in finding.evidence)
    missed = sum(len(piece.teeth_missed) for piece in finding.evidence)
    verdict = finding.verdict.value
    if finding.as_declared and verdict == "refuted":
        verdict = "refuted (declared)"
    return [finding.claim.id, *marks, f"{caught}/{caught + missed}", verdict]


def _explanations(finding: Finding) -> list[str]:
    lines = [f"{finding.claim.id}: {fault}" for fault in finding.faults]
    if finding.not_run:
        lines.append(f"{finding.claim.id}: not run ({finding.not_run})")
    for piece in finding.evidence:
        if piece.verdict is not finding.claim.declared:
            lines.append(f"{piece.check_id}: {piece.verdict.value}{_details(piece)}")
    return lines


def _details(piece: Evidence) -> str:
    note = f" ({piece.note})" if piece.note else ""
    return note + (f", counterexample {piece.counterexample}" if piece.counterexample else "")


def _as_json(result: Verification) -> dict[str, Any]:
    return {
        "exit_code": result.exit_code,
        "claims": [
            {
                "id": finding.claim.id,
                "declared": finding.claim.declared.value,
                "verdict": finding.verdict.value,
                "as_declared": finding.as_declared,
                "faults": finding.faults,
                "not_run": finding.not_run,
                "evidence": [piece.as_json() for piece in finding.evidence],
            }
            for finding in result.findings
        ],
    }


def _record(result: Verification) -> None:
    from rolltheory.claims.ledger import write_ledger
    from rolltheory.claims.registry import registry

    pieces: dict[str, list[Evidence]] = {}
    for finding in result.findings:
        pieces.setdefault(finding.claim.theory, []).extend(finding.evidence)
    for theory, evidence in pieces.items():
        write_ledger(registry().theories[theory], evidence, registry())


def _ledger_faults(result: Verification) -> list[str]:
    """What the recorded ledger lacks: strict means that it must tell the whole story."""
    from rolltheory.claims.ledger import recorded
    from rolltheory.claims.registry import registry

    known = registry()
    evidence = recorded(known)
    faults, versions = [], set()
    for finding in result.findings:
        claim = finding.claim
        found = {piece.check_id: piece for piece in evidence[claim.id]}
        run = {piece.check_id: piece for piece in finding.evidence}
        for check in known.checks_of(claim):
            piece = found.get(check.id)
            if piece is None or piece.verdict is not claim.declared:
                state = "nothing" if piece is None else piece.verdict.value
                faults.append(f"ledger: {state} recorded for {check.id}")
                continue
            versions.update(piece.other_versions())
            if check.id in run and not run[check.id].covers_the_same(piece):
                cases = f"{piece.cases} cases recorded, {run[check.id].cases} run"
                faults.append(f"ledger: {cases} for {check.id}")
    return [*faults, *(f"ledger: recorded with {version}" for version in sorted(versions))]


def _write_junit(file: str, result: Verification) -> None:
    from xml.etree.ElementTree import Element, SubElement, tostring

    from rolltheory.files import write_text

    suite = Element("testsuite", name="rolltheory verify")
    for finding in result.findings:
        for piece in finding.evidence:
            case = SubElement(
                suite,
                "testcase",
                classname=finding.claim.id,
                name=piece.check_id.removeprefix(f"{finding.claim.id}/"),
                time=str(piece.seconds),
            )
            if piece.verdict is not finding.claim.declared:
                failure = SubElement(case, "failure", message=piece.verdict.value)
                failure.text = _NOT_XML.sub("?", _details(piece))
        for fault in (*finding.faults, *filter(None, [finding.not_run])):
            case = SubElement(suite, "testcase", classname=finding.claim.id, name="examples")
            SubElement(case, "failure", message="fault").text = _NOT_XML.sub("?", fault)
    suite.set("tests", str(len(suite)))
    suite.set("failures", str(len(suite.findall("testcase/failure"))))
    write_text(file, tostring(suite, encoding="unicode") + "\n")
