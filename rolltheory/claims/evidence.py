"""The record that a run leaves behind."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from rolltheory.claims.verdicts import Kind, Verdict

__all__ = ["Evidence", "versions"]

_PACKAGES = ("numpy", "scipy", "sympy", "hypothesis", "python-flint", "z3-solver", "torch")


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one check found about one claim.

    ``cases`` counts the effective ones; ``rejected`` those outside the assumptions; ``undecided``
    those whose sides did not decide the relation. ``worst_margin`` is the least distance from
    failing, ``tightness`` the largest observed over bound; ``tolerance`` and ``within`` are what
    the check overlooks. For a claim that is declared false, ``teeth_caught`` names the repairs
    that the same check accepted. ``seconds`` is processor time.
    """

    claim_id: str
    check_id: str
    kind: Kind
    verdict: Verdict
    domain: str
    profile: str
    seed: int
    fingerprint: str
    cases: int = 0
    rejected: int = 0
    undecided: int = 0
    worst_margin: float | None = None
    tightness: float | None = None
    teeth_caught: tuple[str, ...] = ()
    teeth_missed: tuple[str, ...] = ()
    counterexample: str | None = None
    tolerance: float = 0.0
    within: float = 0.0
    error_level: float | None = None
    note: str = ""
    seconds: float = 0.0
    versions: Mapping[str, str] | None = None

    def as_json(self) -> dict[str, Any]:
        """Plain values only, in a fixed order."""
        record = asdict(self)
        record["kind"], record["verdict"] = self.kind.value, self.verdict.value
        record["teeth_caught"], record["teeth_missed"] = (
            list(self.teeth_caught),
            list(self.teeth_missed),
        )
        return record

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Evidence:
        """The inverse of `as_json`."""
        values = dict(record)
        values["kind"], values["verdict"] = Kind(values["kind"]), Verdict(values["verdict"])
        for name in ("teeth_caught", "teeth_missed"):
            values[name] = tuple(values[name])
        return cls(**values)

    def aged(self, fingerprint: str) -> Evidence:
        """This evidence as seen from code with the given fingerprint: stale if it has changed."""
        if fingerprint == self.fingerprint:
            return self
        note = "the theory's code or the claim's words have changed since"
        return replace(self, verdict=Verdict.STALE, note=note)

    def covers_the_same(self, other: Evidence) -> bool:
        """Whether two runs of a check went through as many cases, as far as that can be told.

        Hypothesis draws other cases for other versions, and a counterexample ends a run early.
        """
        same = (self.profile, self.seed, self.verdict) == (other.profile, other.seed, other.verdict)
        drawn = self.kind is Kind.PROPERTY_TESTED
        return not same or drawn or (self.cases, self.rejected) == (other.cases, other.rejected)

    def other_versions(self) -> list[str]:
        """The packages whose version here is another than that of the run, with both."""
        here, then = versions(), self.versions or {}
        return [
            f"{name} {then[name]} (here {here[name]})"
            for name in sorted(here.keys() & then)
            if here[name] != then[name]
        ]


def versions() -> dict[str, str]:
    """Versions of Python, without its patches, and of the packages that can change a result."""
    found = {"python": ".".join(platform.python_version_tuple()[:2])}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
