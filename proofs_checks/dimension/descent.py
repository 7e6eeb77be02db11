"""The descent on every class of few rules, over two fields."""

from __future__ import annotations

from collections.abc import Iterator

from proofs_checks.dimension.rollout import ROLLED, rolled_classes
from rolltheory.claims import Budget, Kind, check
from rolltheory.dimension.claims.descent import BRANCHED, Summed, descent_ends_at_next_tokens

__all__ = ["every_descent"]


@check(
    descent_ends_at_next_tokens,
    kind=Kind.ENUMERATED,
    domain={
        profile: f"{text}; modulo 2 and 3, from one function at the most prompts that have one"
        for profile, text in ROLLED.items()
    },
)
def every_descent(budget: Budget) -> Iterator[Summed]:
    """The traces that cancel at the root first."""
    yield BRANCHED
    for rolled in rolled_classes(budget):
        yield from (Summed(rolled, field) for field in (2, 3))
