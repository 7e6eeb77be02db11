"""Run a check: every case, every tooth, one record."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from rolltheory.claims.check import Budget, Check
from rolltheory.claims.claim import Claim, SidesFunction, Tooth
from rolltheory.claims.evidence import Evidence, versions
from rolltheory.claims.relations import Judgement, Relation, Sides, judge, parts
from rolltheory.claims.values import ConfidenceInterval
from rolltheory.claims.verdicts import EXACT_KINDS, Kind, Verdict
from rolltheory.errors import AssumptionError, DomainError, UnsupportedError
from rolltheory.extras import missing_extra

__all__ = ["run_check"]


def run_check(
    claim: Claim, check: Check, *, profile: str = "gate", seed: int = 0, fingerprint: str = ""
) -> Evidence:
    """Hold a claim to one check, and the check to the claim's teeth.

    The verdict is `REFUTED` with the first (smallest) counterexample; `VACUOUS` if no case was
    effective or a tooth was not caught; `INCONCLUSIVE` if a case was undecided or the check broke
    down; `NOT_RUN` if an extra is missing; `SUPPORTED` only if none of these.
    """
    budget = Budget(profile, seed, check.id)
    started = time.process_time()

    def record(verdict: Verdict, note: str = "", **found: Any) -> Evidence:
        return Evidence(
            claim_id=claim.id,
            check_id=check.id,
            kind=check.kind,
            verdict=verdict,
            domain=check.domain_covered(profile),
            profile=profile,
            seed=seed,
            fingerprint=fingerprint,
            tolerance=float(check.tolerance),
            within=float(check.within),
            error_level=check.error_level,
            note=note,
            seconds=round(time.process_time() - started, 3),
            versions=versions(),
            **found,
        )

    try:
        return _held_to_its_teeth(claim, check, budget, record)
    except ModuleNotFoundError as error:
        missing = missing_extra(error, f"the check {check.id}")
        if missing is None:
            raise
        return record(Verdict.NOT_RUN, str(missing))
    except Exception as error:  # a check that breaks down has decided nothing
        return record(Verdict.INCONCLUSIVE, f"raised {type(error).__name__}: {error}")


def _held_to_its_teeth(
    claim: Claim, check: Check, budget: Budget, record: Callable[..., Evidence]
) -> Evidence:
    problems = check.problems(claim)
    if problems:
        return record(Verdict.VACUOUS, problems[0])
    honest = _trial(claim, check, budget, Tooth())
    caught: list[str] = []
    missed: list[str] = []
    for name, variant in check.variants(claim).items():
        run = _trial(claim, check, budget, variant, lenient=True)
        accepted = run.effective > 0 and run.counterexample is None and run.undecided == 0
        expected = accepted if claim.declared is Verdict.REFUTED else run.counterexample is not None
        (caught if expected else missed).append(name)
    verdict, note = _verdict(claim, check, honest, missed)
    return record(
        verdict,
        note,
        cases=honest.effective,
        rejected=honest.rejected,
        undecided=honest.undecided,
        worst_margin=honest.worst_margin,
        tightness=honest.tightness,
        counterexample=honest.counterexample,
        teeth_caught=tuple(caught),
        teeth_missed=tuple(missed),
    )


@dataclass
class _Trial:
    """Running totals over the cases of one variant."""

    effective: int = 0
    numeric: int = 0
    rejected: int = 0
    undecided: int = 0
    worst_margin: float | None = None
    tightness: float | None = None
    counterexample: str | None = None
    error_spent: float = 0.0

    def add(self, case: Any, sides: Sides, judgement: Judgement) -> bool:
        """Count one effective case; True if it is a counterexample."""
        self.effective += 1
        for side in (sides.left, sides.right):
            if isinstance(side, ConfidenceInterval):
                self.error_spent += side.error_level
        self.undecided += judgement.holds is None
        self.numeric += judgement.margin is not None
        if judgement.margin is not None and math.isfinite(judgement.margin):
            known = judgement.margin if self.worst_margin is None else self.worst_margin
            self.worst_margin = min(known, judgement.margin)
        if judgement.tightness is not None:
            self.tightness = max(self.tightness or 0.0, judgement.tightness)
        if judgement.holds is False:
            self.counterexample = repr(case)
            return True
        return False


def _trial(
    claim: Claim,
    check: Check,
    budget: Budget,
    variant: Tooth,
    *,
    lenient: bool = False,
) -> _Trial:
    """Judge the check's cases with one variant of the part under test, up to a counterexample."""
    function, subject = check.function_and_subject(claim)
    subject = variant.subject if variant.replaces_subject else subject
    relation = variant.relation or claim.relation
    trial = _Trial()

    def is_counterexample(case: Any) -> bool | None:
        """None if the case lies outside the claim."""
        sides = _sides(claim, function, subject, case, lenient=lenient)
        if sides is None or (relation is Relation.IMPLIES and not sides.left):
            trial.rejected += 1
            return None
        exact = check.kind in EXACT_KINDS
        if exact:
            _require_exact(sides)
        leeway = {"tolerance": check.tolerance, "within": check.within}
        return trial.add(case, sides, judge(relation, sides, **leeway, exact=exact))

    supplied = check.supply(budget)
    if check.kind is Kind.PROPERTY_TESTED:
        _search(supplied, is_counterexample, budget, shrink=not lenient)
    else:
        _scan(supplied, is_counterexample)
    return trial


def _sides(
    claim: Claim, function: SidesFunction, subject: Any, case: Any, *, lenient: bool
) -> Sides | None:
    """Both sides at one case; None if the case lies outside the claim.

    The honest subject must cover every case that satisfies the assumptions; a tooth need not.
    """
    if claim.violated_assumptions(case):
        return None
    try:
        return function(case, subject)
    except (DomainError, AssumptionError):
        if lenient:
            return None
        raise


def _require_exact(sides: Sides) -> None:
    for side in (*parts(sides.left), *parts(sides.right)):
        rounded = isinstance(side, float | complex | np.inexact | ConfidenceInterval)
        if rounded or (hasattr(side, "atoms") and any(atom.is_Float for atom in side.atoms())):
            raise UnsupportedError(
                f"{type(side).__name__} in an exact check",
                "sides are integers, rationals, symbols or rigorous enclosures",
            )


def _scan(cases: Iterable[Any], is_counterexample: Callable[[Any], bool | None]) -> None:
    for case in cases:
        if is_counterexample(case):
            return


def _search(
    strategy: Any, is_counterexample: Callable[[Any], bool | None], budget: Budget, *, shrink: bool
) -> None:
    """Let Hypothesis look for a counterexample; if it is shrunk, the last one seen is the smallest.

    Of a tooth any will do: that it bites is all that is recorded.
    """
    import random

    from hypothesis import HealthCheck, Phase, find, reject, settings
    from hypothesis.configuration import set_hypothesis_home_dir, storage_directory
    from hypothesis.errors import NoSuchExample, Unsatisfiable

    def sought(case: Any) -> bool:
        found = is_counterexample(case)
        return reject() if found is None else found

    limits = settings(
        max_examples=budget.examples,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink) if shrink else (Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    source = random.Random(int(budget.generator().integers(2**32)))
    home = storage_directory(intent_to_write=False).home_directory
    set_hypothesis_home_dir(os.devnull)  # or it leaves the constants of our modules in a folder
    try:
        is_counterexample(find(strategy, sought, settings=limits, random=source))
    except (NoSuchExample, Unsatisfiable):
        return
    finally:
        set_hypothesis_home_dir(home)


def _verdict(claim: Claim, check: Check, honest: _Trial, missed: list[str]) -> tuple[Verdict, str]:
    if honest.counterexample is not None and claim.declared is not Verdict.REFUTED:
        return Verdict.REFUTED, ""
    if honest.effective == 0:
        return Verdict.VACUOUS, "no case was effective"
    if honest.error_spent > (check.error_level or 0.0) * (1 + 1e-9):
        return Verdict.VACUOUS, (
            f"the intervals miss with {honest.error_spent:.3g} in all, not {check.error_level}"
        )
    if missed:
        fault = "not accepted" if claim.declared is Verdict.REFUTED else "not caught"
        return Verdict.VACUOUS, f"{fault}: {', '.join(missed)}"
    if honest.counterexample is not None:
        return Verdict.REFUTED, ""
    unsolved = check.route is None  # a route may have asked a solver, which answers in numbers
    if check.kind is Kind.PROVED and unsolved and honest.numeric == honest.effective:
        return Verdict.VACUOUS, "numbers prove nothing beyond themselves: no case has symbols"
    if honest.undecided:
        return Verdict.INCONCLUSIVE, f"{honest.undecided} of {honest.effective} cases undecided"
    return Verdict.SUPPORTED, ""
