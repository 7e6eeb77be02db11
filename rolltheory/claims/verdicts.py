"""Kinds of evidence, and the verdicts that a run can reach."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

__all__ = ["EXACT_KINDS", "Kind", "Verdict", "overall"]


class Kind(Enum):
    """How a piece of evidence was produced; always by a run, never by hand."""

    PROVED = "proved"
    CERTIFIED = "certified"
    ENUMERATED = "enumerated"
    PROPERTY_TESTED = "property-tested"
    SIMULATED = "simulated"
    TRAINED = "trained"
    OBSERVED = "observed"


EXACT_KINDS = frozenset({Kind.PROVED, Kind.CERTIFIED, Kind.ENUMERATED})
"""Kinds whose evidence uses no float tolerance and no sampling."""


class Verdict(Enum):
    """What a run found. Anything but the declared verdict is a failure; unknown is never a pass."""

    SUPPORTED = "supported"
    NOT_RUN = "not run"
    STALE = "stale"
    INCONCLUSIVE = "inconclusive"
    VACUOUS = "vacuous"
    REFUTED = "refuted"


_SEVERITY = list(Verdict)


def overall(verdicts: Iterable[Verdict]) -> Verdict:
    """The gravest of several verdicts; none at all is `NOT_RUN`.

    >>> overall([Verdict.SUPPORTED, Verdict.VACUOUS])
    <Verdict.VACUOUS: 'vacuous'>
    >>> overall([])
    <Verdict.NOT_RUN: 'not run'>
    """
    return max(verdicts, key=_SEVERITY.index, default=Verdict.NOT_RUN)
