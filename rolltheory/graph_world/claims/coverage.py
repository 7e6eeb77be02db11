"""How often something held: exactly over weighted cases, or as an interval over draws."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from rolltheory.claims import ConfidenceInterval
from rolltheory.stats.intervals import clopper_pearson

__all__ = ["share_of"]


def share_of(
    hits: Sequence[Any], *, weights: Sequence[int] | None = None, error_level: float | None = None
) -> Fraction | ConfidenceInterval:
    """The share of hits, by their weights if they are all cases; an interval if they are draws.

    >>> share_of([True, False], weights=[3, 1])
    Fraction(3, 4)
    >>> share_of([True] * 1000, error_level=1e-6).low > 0.98
    True
    """
    if error_level is None:
        counts = [1] * len(hits) if weights is None else weights
        hit = sum(count for count, found in zip(counts, hits, strict=True) if found)
        return Fraction(hit, sum(counts))
    found = sum(map(bool, hits))
    low, high = clopper_pearson(len(hits), found, confidence=1 - error_level)
    return ConfidenceInterval(float(low), float(high), error_level)
