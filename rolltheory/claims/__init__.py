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
from rolltheory.claims.routes import DOWN, UP, Call, Computed, Route, Routes, Slack, relative
from rolltheory.claims.runner import run_check
from rolltheory.claims.values import ConfidenceInterval, Enclosure
from rolltheory.claims.verdicts import EXACT_KINDS, Kind, Verdict, overall

__all__ = [
    "DOWN",
    "EXACT_KINDS",
    "THEORIES",
    "UP",
    "Budget",
    "Call",
    "Check",
    "Claim",
    "Computed",
    "ConfidenceInterval",
    "Counterexample",
    "Enclosure",
    "Evidence",
    "Judgement",
    "Kind",
    "Registry",
    "Relation",
    "Route",
    "Routes",
    "Sides",
    "Slack",
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
    "relative",
    "run_check",
]
