"""Verify many claims: run their checks, on several processes if wanted, and sum up."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context

from rolltheory.claims.check import Check
from rolltheory.claims.claim import Claim, examine
from rolltheory.claims.evidence import Evidence
from rolltheory.claims.registry import registry
from rolltheory.claims.runner import run_check
from rolltheory.claims.verdicts import Kind, Verdict, overall
from rolltheory.extras import missing_extra

__all__ = ["Finding", "Verification", "verify"]


@dataclass(frozen=True, slots=True)
class Finding:
    """All that one verification found about one claim.

    ``faults`` are those of its record: examples that do not hold, evidence of too few kinds.
    ``not_run`` names the extra without which its examples cannot be looked at.
    """

    claim: Claim
    evidence: tuple[Evidence, ...]
    faults: tuple[str, ...] = ()
    not_run: str = ""

    @property
    def verdict(self) -> Verdict:
        """The gravest verdict of its checks; a fault of its own record makes it vacuous."""
        found = [piece.verdict for piece in self.evidence]
        found += [Verdict.VACUOUS] * bool(self.faults) + [Verdict.NOT_RUN] * bool(self.not_run)
        return overall(found)

    @property
    def as_declared(self) -> bool:
        """Whether every single check found what the claim declares, and its examples hold."""
        return (
            bool(self.evidence)
            and not (self.faults or self.not_run)
            and all(piece.verdict is self.claim.declared for piece in self.evidence)
        )

    @property
    def contradicted(self) -> bool:
        """Whether a check found the opposite of what is declared."""
        opposite = {Verdict.SUPPORTED: Verdict.REFUTED, Verdict.REFUTED: Verdict.SUPPORTED}
        return any(piece.verdict is opposite[self.claim.declared] for piece in self.evidence)


@dataclass(frozen=True, slots=True)
class Verification:
    """The findings of one run, in the order of the claims."""

    findings: tuple[Finding, ...]

    @property
    def exit_code(self) -> int:
        """0 if all is as declared, 1 if a claim is contradicted, 3 if something is unknown."""
        if any(finding.contradicted for finding in self.findings):
            return 1
        good = bool(self.findings) and all(finding.as_declared for finding in self.findings)
        return 0 if good else 3


def verify(
    claims: Iterable[Claim],
    *,
    kinds: Collection[Kind] = (),
    profile: str = "gate",
    seed: int = 0,
    jobs: int = 1,
    on_done: Callable[[Evidence], None] = lambda _: None,
) -> Verification:
    """Run the checks of the given claims; of the given kinds only, if any are given.

    A claim that has checks, but none of these kinds, is left out. ``on_done`` is told of each
    piece of evidence as it arrives. The result does not depend on ``jobs``.
    """
    claims = list(claims)
    chosen = {claim.id: _chosen(claim, kinds) for claim in claims}
    check_ids = [check.id for checks in chosen.values() for check in checks]
    evidence = {}
    for piece in _run_all(check_ids, profile, seed, jobs):
        evidence[piece.check_id] = piece
        on_done(piece)
    findings = (
        _found(claim, tuple(evidence[check.id] for check in chosen[claim.id]))
        for claim in claims
        if chosen[claim.id] or not registry().checks_of(claim)
    )
    return Verification(tuple(findings))


def _found(claim: Claim, evidence: tuple[Evidence, ...]) -> Finding:
    faults = registry().lacks(claim)
    try:
        return Finding(claim, evidence, (*faults, *examine(claim)))
    except ModuleNotFoundError as error:
        missing = missing_extra(error, f"an example of {claim.id}")
        if missing is None:
            raise
        return Finding(claim, evidence, faults, not_run=str(missing))
    except Exception as error:  # an example that breaks down shows nothing
        fault = f"an example raised {type(error).__name__}: {error}"
        return Finding(claim, evidence, (*faults, fault))


def _chosen(claim: Claim, kinds: Collection[Kind]) -> list[Check]:
    return [check for check in registry().checks_of(claim) if not kinds or check.kind in kinds]


def _run_all(check_ids: list[str], profile: str, seed: int, jobs: int) -> Iterator[Evidence]:
    workers = min(jobs, len(check_ids), os.cpu_count() or 1)
    if workers <= 1:
        yield from (_run(check_id, profile, seed) for check_id in check_ids)
        return
    quietly = (signal.SIGINT, signal.SIG_DFL)  # an interrupt is for the parent to report
    with ProcessPoolExecutor(
        workers, get_context("spawn"), initializer=signal.signal, initargs=quietly
    ) as pool:
        futures = [pool.submit(_run, check_id, profile, seed) for check_id in check_ids]
        try:
            yield from (future.result() for future in as_completed(futures))
        finally:
            pool.shutdown(cancel_futures=True)


def _run(check_id: str, profile: str, seed: int) -> Evidence:
    known = registry()
    check = known.checks[check_id]
    claim = known.claims[check.claim_id]
    return run_check(claim, check, profile=profile, seed=seed, fingerprint=known.fingerprint(claim))
