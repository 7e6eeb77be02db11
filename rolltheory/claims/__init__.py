"""Claims, the checks that can refute them, and the evidence that runs leave behind."""

from rolltheory.claims.check import Budget, Check, check
from rolltheory.claims.claim import (
    Claim,
    Counterexample,
    Source,
    Tight,
    Tooth,
    Unbroken,
    claim,
    examine,
)
from rolltheory.claims.evidence import Evidence
from rolltheory.claims.registry import THEORIES, Registry, Theory, registry
from rolltheory.claims.relations import Judgement, Relation, Sides, judge
from rolltheory.claims.runner import run_check
from rolltheory.claims.values import ConfidenceInterval, Enclosure
from rolltheory.claims.verdicts import EXACT_KINDS, Kind, Verdict, overall

__all__ = [
    "EXACT_KINDS",
    "THEORIES",
    "Budget",
    "Check",
    "Claim",
    "ConfidenceInterval",
    "Counterexample",
    "Enclosure",
    "Evidence",
    "Judgement",
    "Kind",
    "Registry",
    "Relation",
    "Sides",
    "Source",
    "Theory",
    "Tight",
    "Tooth",
    "Unbroken",
    "Verdict",
    "check",
    "claim",
    "examine",
    "judge",
    "overall",
    "registry",
    "run_check",
]
