"""What a check is: a supplier of cases for one claim, of one kind of evidence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rolltheory.claims.claim import Claim, SidesFunction, Tooth, default_subject
from rolltheory.claims.relations import INEQUALITIES, Relation, Tolerance
from rolltheory.claims.verdicts import EXACT_KINDS, Kind, Verdict
from rolltheory.errors import DomainError
from rolltheory.numerics.generators import seeded_generator

__all__ = ["PROFILES", "Budget", "Check", "check"]

PROFILES = ("gate", "deep")
"""How long a check may take: for a gate before every merge, or deep."""

_LARGEST_ERROR = 0.01


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a check may do, and the seed of whatever it draws."""

    profile: str = "gate"
    seed: int = 0
    purpose: str = ""

    @property
    def deep(self) -> bool:
        """Whether long enumerations and long searches are wanted."""
        return self.profile == "deep"

    @property
    def examples(self) -> int:
        """How many effective cases a property test tries; those it rejects do not count."""
        return 5000 if self.deep else 200

    def generator(self) -> np.random.Generator:
        """A fresh generator; the same one each time it is asked for."""
        return seeded_generator(self.seed, self.purpose)


@dataclass(frozen=True, slots=True)
class Check:
    """Cases for one claim.

    ``supply(budget)`` returns an iterable of cases, smallest first, or for property tests a
    Hypothesis strategy. ``route`` replaces the claim's function where this kind of evidence needs
    other arithmetic; then ``teeth`` translates the part under test of every tooth, by name.
    ``error_level`` bounds the probability that a statistical check fails although the claim holds.

    ``tolerance`` is for the rounding of floats, relative to what is compared; an exact check has
    none. ``within`` is a distance in the units of the sides: below it floats are not told apart,
    enclosures of equal numbers are narrow enough, and what grows as stated has come near its limit.
    """

    claim_id: str
    kind: Kind
    domain: str | Mapping[str, str]
    supply: Callable[[Budget], Any]
    route: SidesFunction | None = None
    teeth: Mapping[str, Any] | None = None
    tolerance: Tolerance = 0
    within: Tolerance = 0
    error_level: float | None = None

    def __post_init__(self) -> None:
        if self.kind is Kind.OBSERVED:
            raise DomainError("kind", self.kind.value, "another: a log is no check of a claim")
        if self.kind in EXACT_KINDS and self.tolerance:
            raise DomainError("tolerance", self.tolerance, f"none in a {self.kind.value} check")
        if self.kind in (Kind.PROVED, Kind.ENUMERATED) and self.within:
            raise DomainError("within", self.within, f"no distance in a {self.kind.value} check")
        statistical = self.kind in (Kind.SIMULATED, Kind.TRAINED)
        level = 0.0 if self.error_level is None else self.error_level
        if not (0 < level <= _LARGEST_ERROR if statistical else self.error_level is None):
            allowed = f"at most {_LARGEST_ERROR} in statistical checks, None in others"
            raise DomainError("error_level", self.error_level, allowed)

    @property
    def id(self) -> str:
        """Claim, kind and the supplier's name: unique within the registry."""
        return f"{self.claim_id}/{self.kind.value}/{self.supply.__name__}"

    def domain_covered(self, profile: str) -> str:
        """The set that a run of this profile covers, in words."""
        return self.domain if isinstance(self.domain, str) else self.domain[profile]

    def function_and_subject(self, claim: Claim) -> tuple[SidesFunction, Any]:
        """What computes the sides here, and the honest part under test."""
        if self.route is None:
            return claim.function, claim.subject
        return self.route, default_subject(self.route)

    def variants(self, claim: Claim) -> dict[str, Tooth]:
        """The teeth to reject, or for a claim declared false the repairs to accept."""
        named = claim.repairs if claim.declared is Verdict.REFUTED else claim.teeth
        if self.route is None:
            return dict(named)
        translated = self.teeth or {}
        return {
            name: Tooth(translated[name], tooth.relation) if name in translated else tooth
            for name, tooth in named.items()
        }

    def problems(self, claim: Claim) -> tuple[str, ...]:
        """Why this check cannot serve the claim."""
        if self.kind in EXACT_KINDS and self.within and claim.relation in INEQUALITIES:
            return (f"{self.id} overlooks {self.within} of an inequality",)
        if claim.relation is Relation.GROWS_AS and self.tolerance:
            return (f"{self.id} has a tolerance: a limit is approached within a distance",)
        needed = {name for name, tooth in self.variants(claim).items() if tooth.replaces_subject}
        if self.route is not None and set(self.teeth or {}) != needed:
            return (
                f"{self.id} translates {sorted(self.teeth or {})} of the teeth {sorted(needed)}",
            )
        return ()


def check(
    claim: Claim | str,
    *,
    kind: Kind,
    domain: str | Mapping[str, str],
    route: SidesFunction | None = None,
    teeth: Mapping[str, Any] | None = None,
    tolerance: Tolerance = 0,
    within: Tolerance = 0,
    error_level: float | None = None,
) -> Callable[[Callable[[Budget], Any]], Check]:
    """Turn a supplier of cases into a `Check`."""

    def decorate(supply: Callable[[Budget], Any]) -> Check:
        claim_id = claim if isinstance(claim, str) else claim.id
        return Check(claim_id, kind, domain, supply, route, teeth, tolerance, within, error_level)

    return decorate
