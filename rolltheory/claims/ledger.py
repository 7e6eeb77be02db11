"""The recorded evidence, kept as package data beside the claims of each theory."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

from rolltheory.claims.check import PROFILES, Check
from rolltheory.claims.claim import Claim
from rolltheory.claims.evidence import Evidence
from rolltheory.claims.registry import Registry, Theory
from rolltheory.claims.relations import INEQUALITIES
from rolltheory.claims.verdicts import EXACT_KINDS, Verdict
from rolltheory.errors import DomainError, ReaderError
from rolltheory.files import write_text

__all__ = ["SCHEMA", "ledger_of", "recorded", "write_ledger"]

SCHEMA = 1
"""Version of the form in which the ledger is written."""


def recorded(known: Registry) -> dict[str, list[Evidence]]:
    """The recorded evidence of every claim, stale where code or words have changed since.

    Evidence of a check that is gone does not count.

    Raises
    ------
    ReaderError
        if a ledger is not one of this schema.
    """
    found: dict[str, list[Evidence]] = {claim_id: [] for claim_id in known.claims}
    for theory in known.theories.values():
        for piece in _as_recorded(theory):
            check = known.checks.get(piece.check_id)
            if check is not None and check.claim_id == piece.claim_id:
                claim = known.claims[piece.claim_id]
                fits = _fits(piece, claim, check)
                found[claim.id].append(
                    piece.aged(known.fingerprint(claim)) if fits else _doubted(piece)
                )
    return found


def _fits(piece: Evidence, claim: Claim, check: Check) -> bool:
    """Whether a run of this check can have left this record."""
    teeth = {*piece.teeth_caught, *piece.teeth_missed}
    ran = piece.cases > 0 and teeth == check.variants(claim).keys()
    short = bool(piece.teeth_missed and piece.verdict is claim.declared)
    beyond = claim.relation in INEQUALITIES and (piece.tightness or 0) > float(1 + check.tolerance)
    return (
        piece.kind is check.kind
        and (piece.tolerance, piece.within) == (float(check.tolerance), float(check.within))
        and not (short or (piece.verdict is Verdict.SUPPORTED and (beyond or piece.undecided)))
        and piece.profile in PROFILES
        and piece.seed == 0  # one that was looked for supports nothing
        and piece.domain == check.domain_covered(piece.profile)
        and (ran or piece.verdict not in (Verdict.SUPPORTED, Verdict.REFUTED))
    )


def _doubted(piece: Evidence) -> Evidence:
    return replace(piece, verdict=Verdict.STALE, note="no run of its check leaves this record")


def write_ledger(theory: Theory, evidence: Iterable[Evidence], known: Registry) -> Path:
    """Record the evidence of one theory; what other checks had on record stays as it was.

    Evidence of checks that are gone is dropped.

    Raises
    ------
    DomainError
        if an exact check went through fewer cases than are on record for the same domain.
    """
    before = {piece.check_id: piece for piece in _as_recorded(theory)}
    evidence = list(evidence)
    for piece in evidence:
        _require_no_fewer_cases(before.get(piece.check_id), piece)
    merged = before | {piece.check_id: piece for piece in evidence}
    records = [merged[check_id].as_json() for check_id in sorted(merged.keys() & known.checks)]
    text = json.dumps({"schema": SCHEMA, "evidence": records}, indent=1, ensure_ascii=False)
    write_text(ledger_of(theory), text + "\n")
    return ledger_of(theory)


def _require_no_fewer_cases(before: Evidence | None, now: Evidence) -> None:
    """A domain that is stated in the same words must not have shrunk."""
    if before is None or now.kind not in EXACT_KINDS or now.domain != before.domain:
        return
    if now.cases < before.cases and now.verdict is before.verdict is Verdict.SUPPORTED:
        raise DomainError(
            f"cases of {now.check_id}", now.cases, f"{before.cases}, as recorded for {now.domain!r}"
        )


def ledger_of(theory: Theory) -> Path:
    """The file of a theory's recorded evidence, which may not be there yet."""
    return Path(str(files(theory.library) / "ledger.json"))


def _as_recorded(theory: Theory) -> list[Evidence]:
    place = ledger_of(theory)
    if not place.is_file():
        return []
    try:
        data = json.loads(place.read_text(encoding="utf-8"))
        if data["schema"] != SCHEMA:
            raise ReaderError(place, f"schema {data['schema']}", f"schema {SCHEMA}")
        return [Evidence.from_json(record) for record in data["evidence"]]
    except (ValueError, KeyError, TypeError) as error:
        raise ReaderError(place, f"no ledger ({error})", "a recorded ledger") from error
