"""List the claims, or show one with everything that stands behind it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from rolltheory.cli.options import KINDS
from rolltheory.cli.output import json_option, print_paragraph, print_table, write_json

if TYPE_CHECKING:
    from rolltheory.claims.claim import Claim
    from rolltheory.claims.evidence import Evidence
    from rolltheory.claims.relations import Sides

__all__ = ["command"]

_FRACTION = re.compile(r"Fraction\((-?\d+), (\d+)\)")
_QUOTIENT = re.compile(r"-?\b(?=[\d/]{25})\d+/\d+\b")  # of so many digits that none is read


class _Claims(click.Group):
    """A group for which whatever is no subcommand is a name to list."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        return super().resolve_command(ctx, args if args[0] in self.commands else ["list", *args])


@click.group(
    "claims",
    cls=_Claims,
    invoke_without_command=True,
    subcommand_metavar="[THEORY|ID]... | COMMAND [ARGS]...",
    short_help="List claims, or show one.",
)
@click.pass_context
def command(ctx: click.Context) -> None:
    """List claims with their recorded evidence, or show one claim in full."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_claims)


@command.command("list")
@click.argument("names", nargs=-1, metavar="[THEORY|ID]...")
@json_option
def list_claims(names: tuple[str, ...] = (), json_file: str | None = None) -> None:
    """List claims, all of them or those of the named theories."""
    from rolltheory.claims.ledger import recorded
    from rolltheory.claims.registry import registry

    known = registry()
    evidence = recorded(known)
    records = [_summary(claim, evidence[claim.id]) for claim in known.select(names)]
    if json_file != "-":
        print_table(
            ["verdict", "evidence", "claim"],
            [[r["verdict"], _short(r["kinds"]), f"{r['id']}\n{_heading(r)}"] for r in records],
        )
    write_json(json_file, records)


@command.command("show")
@click.argument("claim_id", metavar="ID")
@json_option
def show(claim_id: str, json_file: str | None) -> None:
    """Show one claim: statement, assumptions, examples, teeth and recorded evidence."""
    from rolltheory.claims.ledger import recorded
    from rolltheory.claims.registry import registry
    from rolltheory.errors import DomainError

    known = registry()
    claim = next(iter(known.select([claim_id])))
    if claim.id != claim_id:
        raise DomainError("id", claim_id, f"the id of one claim, such as {claim.id}")
    evidence = recorded(known)[claim_id]
    if json_file != "-":
        for indent, text in _page(claim):
            print_paragraph(text, indent=indent)
        _print_evidence(evidence)
    record = _summary(claim, evidence) | {
        "statement": claim.statement,
        "explanation": claim.explanation,
        "relation": claim.relation.value,
        "source": str(claim.source),
        "assumptions": list(claim.assumptions),
        "teeth": list(claim.teeth or claim.repairs),
        "evidence": [piece.as_json() for piece in evidence],
    }
    write_json(json_file, record)


def _heading(record: dict[str, Any]) -> str:
    """The claim in words; one that is declared false says so, whatever its evidence."""
    return f"{record['title']}{' (false as stated)' * (record['declared'] == 'refuted')}"


def _summary(claim: Claim, evidence: list[Evidence]) -> dict[str, Any]:
    from rolltheory.claims.verdicts import overall

    return {
        "id": claim.id,
        "title": claim.title,
        "declared": claim.declared.value,
        "verdict": overall(piece.verdict for piece in evidence).value,
        "kinds": sorted({piece.kind.value for piece in evidence}),
    }


def _short(kinds: list[str]) -> str:
    return ", ".join(KINDS[kind] for kind in KINDS if kind in kinds) or "none"


def _page(claim: Claim) -> Iterator[tuple[int, str]]:
    """Paragraphs with their indents; an empty one is a blank line."""
    from rolltheory.claims.claim import Counterexample
    from rolltheory.claims.verdicts import Verdict

    false = claim.declared is Verdict.REFUTED
    yield from ((0, f"{claim.id}{' (false as stated)' if false else ''}"), (0, ""))
    yield from ((0, f"{claim.title}."), (0, ""), (4, claim.statement), (0, ""))
    if claim.explanation:
        yield from ((0, claim.explanation), (0, ""))
    yield 0, f"Relation: {claim.relation.value}. Source: {claim.source}."
    yield 0, f"Symbols: docs/theory/{claim.theory}.md#notation."
    if claim.repaired_by:
        yield 0, f"The true statement: {claim.repaired_by}"
    for assumption in claim.assumptions:
        yield from ((0, ""), (0, f"Assumes: {assumption}."))
        example = claim.breaks[assumption]
        if isinstance(example, Counterexample):
            sides = (example.sides or claim.function)(example.case, claim.subject)
            found = f"at {_value_text(example.case)}, {_sides_text(sides)}. {example.note}"
            yield 2, f"Without it: {found}"
        else:
            yield 2, f"No counterexample without it: {example.reason}"
    if claim.tight is not None:
        sides = claim(claim.tight.case)
        yield from (
            (0, ""),
            (0, f"Tight: at {_value_text(claim.tight.case)}, {_sides_text(sides)}."),
        )
    variants = claim.repairs if false else claim.teeth
    found = "Every check accepts" if false else "Every check rejects"
    yield from ((0, ""), (0, f"{found}: {'; '.join(variants)}."))


def _sides_text(sides: Sides) -> str:
    return f"the left side is {_value_text(sides.left)}, the right side {_value_text(sides.right)}"


def _value_text(value: Any) -> str:
    """Rationals as quotients, within records too; those of many digits as decimals."""
    if isinstance(value, float):
        return f"{value:.6g}"
    text = _FRACTION.sub(lambda m: m[1] if m[2] == "1" else f"{m[1]}/{m[2]}", str(value))
    return _QUOTIENT.sub(lambda m: f"{float(Fraction(m[0])):.6g}", text)


def _leeway(piece: Evidence) -> str:
    """What the check overlooks, and how often chance may fail it."""
    stated = {"within": piece.within, "relative tolerance": piece.tolerance}
    stated["error level"] = piece.error_level or 0.0
    return "".join(f"; {name} {value:g}" for name, value in stated.items() if value)


def _print_evidence(evidence: list[Evidence]) -> None:
    if not evidence:
        click.echo("\nNo evidence is recorded.")
        return
    click.echo("\nEvidence")
    rows = []
    for piece in evidence:
        caught = len(piece.teeth_caught)
        teeth = f"{caught}/{caught + len(piece.teeth_missed)}"
        found = [piece.cases, piece.rejected, piece.worst_margin, piece.tightness, teeth]
        rows.append([piece.kind.value, piece.verdict.value, *found])
    print_table(
        ["kind", "verdict", "cases", "rejected", "margin", "tightness", "teeth"],
        rows,
    )
    click.echo()
    for piece in evidence:
        print_paragraph(piece.domain + _leeway(piece), hang=f"{piece.kind.value}: ")
    click.echo()
    print_paragraph(
        "cases: those within the assumptions; rejected: the others. margin: least distance from"
        " failing; tightness: largest observed over bound. teeth: wrong variants caught, of all."
    )
    others = sorted({version for piece in evidence for version in piece.other_versions()})
    if others:
        print_paragraph(f"recorded with {', '.join(others)}.", hang="! ")
    if any(piece.verdict.value == "stale" for piece in evidence):
        print_paragraph(
            "stale: code that the evidence rests on, or the claim itself, has changed since;"
            f" rolltheory verify {evidence[0].claim_id} runs it anew, --record keeps it.",
            hang="! ",
        )
