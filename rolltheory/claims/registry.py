"""The theories, and the claims and checks that they bring.

A theory of this distribution is one line in `THEORIES`. A theory of another distribution is an
entry point of the group ``rolltheory.theories`` that loads a `Theory`.
"""

from __future__ import annotations

import difflib
import hashlib
import importlib
import importlib.util
import pkgutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from types import ModuleType
from typing import TypeVar

from rolltheory.claims.check import Check
from rolltheory.claims.claim import Claim
from rolltheory.claims.fingerprint import fingerprint
from rolltheory.claims.verdicts import EXACT_KINDS, Verdict
from rolltheory.errors import DomainError

__all__ = ["THEORIES", "Registry", "Theory", "registry"]

_SHARED = (
    "rolltheory.claims",
    "rolltheory.errors",
    "rolltheory.extras",
    "rolltheory.numerics",
    "rolltheory.stats",
)
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Theory:
    """A theory and the modules that hold it, each one a module or a package.

    The defaults are the cells of the grid; a theory of another distribution names its own.
    """

    name: str
    package: str = ""
    check_modules: tuple[str, ...] = ()
    simulator: str = ""

    @property
    def library(self) -> str:
        """The package of its bounds; its claims are in ``<library>.claims``."""
        return self.package or f"rolltheory.{self.name}"

    @property
    def checks(self) -> tuple[str, ...]:
        """The modules of its checks."""
        return self.check_modules or (f"proofs_checks.{self.name}", f"validation.{self.name}")

    @property
    def fingerprint(self) -> str:
        """Digest of all code that its evidence depends on; docstrings are left out."""
        simulator = self.simulator or f"simulators.{self.name}"
        own = (self.library, *self.checks, simulator)
        return fingerprint((*_SHARED, *(m for m in own if _exists(m))))


THEORIES = tuple(
    map(Theory, ("reachability", "staleness", "action_gap", "graph_world", "dimension"))
)


@dataclass(frozen=True)
class Registry:
    """Every known claim and check, by id."""

    theories: dict[str, Theory]
    claims: dict[str, Claim]
    checks: dict[str, Check]

    def select(self, names: Iterable[str]) -> list[Claim]:
        """Claims named by theory or by id; all of them if no name is given.

        Raises
        ------
        DomainError
            for an unknown name, with the nearest known one.
        """
        names = tuple(names)
        for name in names:
            if name not in self.theories and name not in self.claims:
                known = [*self.theories, *self.claims]
                near = difflib.get_close_matches(name, known, n=1, cutoff=0.3)
                hint = f" (did you mean {near[0]}?)" if near else ""
                raise DomainError("name", name, f"a theory or the id of a claim{hint}")
        return [c for c in self.claims.values() if not names or {c.id, c.theory} & set(names)]

    def checks_of(self, claim: Claim) -> list[Check]:
        """The checks that serve a claim."""
        return [check for check in self.checks.values() if check.claim_id == claim.id]

    def lacks(self, claim: Claim) -> tuple[str, ...]:
        """What the checks of a claim lack: they must be of two kinds, one of them exact."""
        kinds = {check.kind for check in self.checks_of(claim)}
        if len(kinds) >= 2 and kinds & EXACT_KINDS:
            return ()
        found = ", ".join(sorted(kind.value for kind in kinds)) or "no check"
        return (f"stands on {found}: need two kinds of evidence, one of them exact",)

    def fingerprint(self, claim: Claim) -> str:
        """Digest of what evidence about a claim depends on: code, and the claim in words."""
        code = self.theories[claim.theory].fingerprint
        words = "\0".join((code, claim.title, claim.statement, *claim.assumptions))
        return hashlib.sha256(words.encode()).hexdigest()[:16]


@cache
def registry() -> Registry:
    """Load every theory's claims and checks.

    Raises
    ------
    DomainError
        if two records share an id, or a check names no known claim.
    """
    return load(known_theories())


def known_theories() -> tuple[Theory, ...]:
    """This distribution's theories, then those that other distributions bring."""
    brought = (point.load() for point in entry_points(group="rolltheory.theories"))
    return (*THEORIES, *brought)


def load(theories: Iterable[Theory]) -> Registry:
    """Collect the claims and checks of the given theories.

    Each stays within its theory, since a theory's fingerprint covers no other code than its own.
    """
    named = _unique((theory.name, theory) for theory in theories)
    claims = _unique(
        (_within(theory, claim.id), claim)
        for theory in named.values()
        for claim in _records(f"{theory.library}.claims", Claim)
    )
    checks = _unique(
        (_within(theory, check.id), check)
        for theory in named.values()
        for module in theory.checks
        for check in _records(module, Check)
    )
    for check in checks.values():
        if check.claim_id not in claims:
            raise DomainError("claim of a check", check.claim_id, "the id of a known claim")
    for claim in claims.values():
        repair = claims.get(claim.repaired_by or "")
        if claim.repaired_by and (repair is None or repair.declared is not Verdict.SUPPORTED):
            raise DomainError("repaired_by", claim.repaired_by, "the id of a claim declared true")
    return Registry(named, claims, checks)


def _within(theory: Theory, record_id: str) -> str:
    if record_id.partition(".")[0] != theory.name:
        raise DomainError("id", record_id, f"one that begins with its theory, {theory.name}")
    return record_id


def _unique(records: Iterable[tuple[str, _T]]) -> dict[str, _T]:
    found: dict[str, _T] = {}
    for key, record in records:
        if found.setdefault(key, record) is not record:
            raise DomainError("id", key, "ids that are used once")
    return found


def _records(module_name: str, kind: type[_T]) -> Iterator[_T]:
    for module in _modules(importlib.import_module(module_name)):
        yield from (value for value in vars(module).values() if isinstance(value, kind))


def _modules(module: ModuleType) -> Iterator[ModuleType]:
    yield module
    for part in pkgutil.iter_modules(getattr(module, "__path__", ())):
        yield from _modules(importlib.import_module(f"{module.__name__}.{part.name}"))


def _exists(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # its parent does not exist
        return False
