"""What a claim is: a statement, its assumptions, both sides as a function, and its teeth."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from rolltheory.claims.relations import INEQUALITIES, Judgement, Relation, Sides, judge
from rolltheory.claims.verdicts import Verdict
from rolltheory.errors import DomainError

__all__ = ["Claim", "Counterexample", "Source", "Tight", "Tooth", "Unbroken", "claim", "examine"]

_UNCHANGED: Any = object()
SidesFunction = Callable[..., Sides]


@dataclass(frozen=True, slots=True)
class Source:
    """Where a statement comes from.

    ``kind`` is "paper" (arXiv id), "known" (a textbook fact) or "derived here" (the place of the
    proof). Only a statement that was read in the paper may call the paper its source.
    """

    kind: str
    reference: str
    place: str = ""

    @classmethod
    def paper(cls, arxiv_id: str, place: str = "") -> Source:
        """The statement was read in this paper."""
        return cls("paper", f"arXiv:{arxiv_id}", place)

    @classmethod
    def known(cls, reference: str, place: str = "") -> Source:
        """The statement is standard; the reference names it."""
        return cls("known", reference, place)

    @classmethod
    def derived(cls, place: str) -> Source:
        """The statement is derived here; the place is the page and anchor of the proof."""
        return cls("derived here", place)

    def __str__(self) -> str:
        return ", ".join(part for part in (self.kind, self.reference, self.place) if part)


@dataclass(frozen=True, slots=True)
class Tooth:
    """A deliberately wrong variant that every check of the claim must reject.

    Either the part under test is replaced, or the relation, or both.
    """

    subject: Any = _UNCHANGED
    relation: Relation | None = None

    @property
    def replaces_subject(self) -> bool:
        """Whether the part under test is replaced."""
        return self.subject is not _UNCHANGED


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A case that violates one assumption only, and at which the relation fails.

    ``sides`` replaces the claim's function where that cannot be evaluated outside its assumptions.
    """

    case: Any
    note: str = ""
    sides: SidesFunction | None = None


@dataclass(frozen=True, slots=True)
class Unbroken:
    """No counterexample is known without this assumption; the reason it is stated all the same."""

    reason: str


@dataclass(frozen=True, slots=True)
class Tight:
    """A case at which observed over bound is at least so much; 1 says that the bound is attained.

    What a check finds beyond is in the tightness of its evidence.
    """

    case: Any
    at_least: float | Fraction = 1

    def __post_init__(self) -> None:
        if not 0 < self.at_least <= 1:
            raise DomainError("at_least", self.at_least, "a number with 0 < at_least <= 1")


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement with everything that is needed to doubt it.

    ``function(case, subject)`` returns both sides at one case; ``subject`` is the part under test,
    which a tooth replaces. An assumption is a sentence with a predicate on cases. For a claim that
    is declared false, ``repairs`` holds variants of the subject that its checks must accept.
    """

    id: str
    statement: str
    function: SidesFunction
    subject: Any
    assumptions: Mapping[str, Callable[[Any], bool]]
    relation: Relation
    source: Source
    teeth: Mapping[str, Tooth] = field(default_factory=dict)
    repairs: Mapping[str, Tooth] = field(default_factory=dict)
    breaks: Mapping[str, Counterexample | Unbroken] = field(default_factory=dict)
    tight: Tight | None = None
    declared: Verdict = Verdict.SUPPORTED
    repaired_by: str | None = None

    def __post_init__(self) -> None:
        problems = _record_problems(self)
        if problems:
            raise DomainError(f"claim {self.id}", problems[0][0], problems[0][1])

    @property
    def theory(self) -> str:
        """The part of the id before the first dot."""
        return self.id.partition(".")[0]

    @property
    def title(self) -> str:
        """The first line of the function's docstring."""
        return inspect.cleandoc(self.function.__doc__ or "").partition("\n")[0].rstrip(".")

    @property
    def explanation(self) -> str:
        """What the function's docstring says after its first line."""
        return inspect.cleandoc(self.function.__doc__ or "").partition("\n")[2].strip()

    def __call__(self, case: Any, subject: Any = _UNCHANGED) -> Sides:
        """Both sides at one case, with the part under test replaced if one is given."""
        return self.function(case, self.subject if subject is _UNCHANGED else subject)

    def violated_assumptions(self, case: Any) -> tuple[str, ...]:
        """The assumptions that the case does not satisfy."""
        return tuple(text for text, holds in self.assumptions.items() if not holds(case))


def claim(
    id: str,  # noqa: A002 - the field's name
    *,
    statement: str,
    relation: Relation,
    source: Source,
    assumes: Mapping[str, Callable[[Any], bool]],
    teeth: Mapping[str, Any] | None = None,
    repairs: Mapping[str, Any] | None = None,
    breaks: Mapping[str, Counterexample | Unbroken] | None = None,
    tight: Tight | None = None,
    declared: Verdict = Verdict.SUPPORTED,
    repaired_by: str | None = None,
) -> Callable[[SidesFunction], Claim]:
    """Turn ``function(case, subject=the part under test) -> Sides`` into a `Claim`.

    Teeth and repairs may be given as bare subjects or as `Tooth` records.
    """

    def decorate(function: SidesFunction) -> Claim:
        return Claim(
            id=id,
            statement=statement,
            function=function,
            subject=default_subject(function),
            assumptions=dict(assumes),
            relation=relation,
            source=source,
            teeth=_as_teeth(teeth),
            repairs=_as_teeth(repairs),
            breaks=dict(breaks or {}),
            tight=tight,
            declared=declared,
            repaired_by=repaired_by,
        )

    return decorate


def default_subject(function: SidesFunction) -> Any:
    """The default of a sides function's second parameter: the part under test."""
    parameters = list(inspect.signature(function).parameters.values())
    if len(parameters) != 2 or parameters[1].default is inspect.Parameter.empty:
        raise DomainError(
            "function", function.__name__, "a function of (case, subject=the part under test)"
        )
    return parameters[1].default


def examine(claim: Claim) -> tuple[str, ...]:
    """Faults of the claim's own examples, such as a counterexample that breaks nothing.

    An empty result means that every stated example does what the record says.
    """
    faults = []
    for assumption, example in claim.breaks.items():
        if isinstance(example, Counterexample):
            faults += _break_faults(claim, assumption, example)
    if claim.tight is not None:
        judgement = judge(claim.relation, claim(claim.tight.case))
        reached = judgement.tightness
        if claim.violated_assumptions(claim.tight.case) or not judgement.holds:
            faults.append("the tight case is no case of the claim")
        elif reached is None or reached < claim.tight.at_least * (1 - 1e-12):
            faults.append(f"the tight case reaches {reached}, not {claim.tight.at_least}")
    return tuple(faults)


def _break_faults(claim: Claim, assumption: str, example: Counterexample) -> list[str]:
    violated = claim.violated_assumptions(example.case)
    if violated != (assumption,):
        return [f"the counterexample to {assumption!r} violates {list(violated)}"]
    function = example.sides or claim.function
    judgement: Judgement = judge(claim.relation, function(example.case, claim.subject))
    if judgement.holds is not False:
        return [f"the counterexample to {assumption!r} does not break the relation"]
    if example.sides is not None and _can_evaluate(claim, example.case):
        return [f"the counterexample to {assumption!r} needs no sides of its own"]
    return []


def _can_evaluate(claim: Claim, case: Any) -> bool:
    try:
        judge(claim.relation, claim(case))
    except Exception:  # whatever keeps the function from an answer outside its assumptions
        return False
    return True


def _as_teeth(variants: Mapping[str, Any] | None) -> dict[str, Tooth]:
    return {
        name: variant if isinstance(variant, Tooth) else Tooth(subject=variant)
        for name, variant in (variants or {}).items()
    }


def _record_problems(claim: Claim) -> list[tuple[str, str]]:
    """What makes the record incomplete: (what was found, what is needed)."""
    problems = []
    if "." not in claim.id:
        problems.append((claim.id, "an id of the form theory.slug"))
    if not claim.title:
        problems.append(("no docstring", "a docstring whose first line is the claim in words"))
    if set(claim.breaks) != set(claim.assumptions):
        problems.append((f"breaks for {sorted(claim.breaks)}", "one entry for each assumption"))
    if claim.declared not in (Verdict.SUPPORTED, Verdict.REFUTED):
        problems.append((claim.declared.value, "a claim declared supported, or refuted (false)"))
    bites = any(tooth.replaces_subject for tooth in claim.teeth.values())
    if claim.declared is Verdict.SUPPORTED and not bites:
        problems.append(("no teeth", "at least one wrong variant of the part under test"))
    if claim.declared is Verdict.REFUTED and not (claim.repairs and claim.repaired_by):
        problems.append(("no repair", "repairs that its checks accept, and repaired_by"))
    if claim.relation in INEQUALITIES and claim.declared is Verdict.SUPPORTED and not claim.tight:
        problems.append(("no tight case", "the case that attains the bound or comes nearest"))
    return problems
