"""The claim that the descent proves rollout stability, one zero-sum function at a time."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass

from rolltheory.claims import Relation, Sides, Source, Unbroken, claim
from rolltheory.dimension.claims._rolled import Rolled
from rolltheory.dimension.claims.elementary import PAGE
from rolltheory.dimension.descent import descend
from rolltheory.dimension.local import as_text, local_class_on
from rolltheory.dimension.parity import parity_dimension
from rolltheory.dimension.witnesses import Pattern, ZeroSumFunction, holds

__all__ = ["BRANCHED", "Summed", "descent_ends_at_next_tokens"]

CARRIED = "the traces carry a zero-sum function"
Descent = Callable[[ZeroSumFunction], ZeroSumFunction]


@dataclass(frozen=True)
class Summed:
    """Rules to roll out, a prime, and whether to take the even set of all traces or a search."""

    rolled: Rolled
    field: int
    whole: bool = False

    def function(self) -> ZeroSumFunction | None:
        """A zero-sum function on the traces: 1 on all of them, or one at the most prompts."""
        traces = self.rolled.traces()
        if self.whole:
            return ZeroSumFunction(traces.points, dict.fromkeys(traces.rows, 1), self.field)
        return parity_dimension(traces, field=self.field).witness


BRANCHED = Summed(
    Rolled(
        tuple(f"0{s}0{t}" for s in "01" for t in "ab")
        + tuple(f"10{s}{t}" for s in "01" for t in "cd"),
        ("p", "p0", "p1", "q"),
        ("p", "q"),
        2,
    ),
    2,
    whole=True,
)
"""Traces 00 and 01 with a and b, 10 and 11 with c and d: even, but not at the roots (trap T8)."""


def at_common_beginnings(traces: ZeroSumFunction) -> ZeroSumFunction:
    """At each prompt the end of what all of its traces begin with (trap T8)."""
    points: list[Hashable] = []
    lengths = []
    for i, prompt in enumerate(traces.points):
        texts = [_text(pattern[i]) for pattern in traces.values]
        length = min(_agreement(texts[0], text) for text in texts)
        lengths.append(length)
        points.append(as_text((*_text(prompt), *texts[0][:length])))
    return ZeroSumFunction(tuple(points), _pushed(traces, lengths), traces.field)


def at_the_prompts(traces: ZeroSumFunction) -> ZeroSumFunction:
    """The first tokens of the traces, whatever they are."""
    zeros = [0] * len(traces.points)
    return ZeroSumFunction(traces.points, _pushed(traces, zeros), traces.field)


def _text(label: Hashable) -> str:
    return str(label)


def _agreement(a: str, b: str) -> int:
    same = [x == y for x, y in zip(a, b, strict=False)]
    return same.index(False) if False in same else len(same) - 1


def _pushed(traces: ZeroSumFunction, lengths: list[int]) -> dict[Pattern, int]:
    sums: dict[Pattern, int] = {}
    for pattern, value in traces.values.items():
        tokens = tuple(_text(t)[k] for t, k in zip(pattern, lengths, strict=True))
        sums[tokens] = (sums.get(tokens, 0) + value) % traces.field
    return {tokens: total for tokens, total in sums.items() if total}


@claim(
    "dimension.descent.next_tokens",
    statement=r"\varphi \text{ zero-sum on } \mathrm{Roll}(H)|_{x_1 \dots x_t} \implies"
    r" \text{ some } \psi \text{ zero-sum on } H|_{p_1 \dots p_t}, \quad"
    r" p_i \text{ a beginning of a trace of } x_i",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#rollouts"),
    assumes={CARRIED: lambda case: case.function() is not None},
    teeth={
        "at the common beginnings": at_common_beginnings,
        "at the prompts": at_the_prompts,
    },
    breaks={CARRIED: Unbroken("there is nothing to descend from")},
)
def descent_ends_at_next_tokens(case: Summed, descent: Descent = descend) -> Sides:
    """From a zero-sum function on traces the descent finds one on next tokens of the same rules.

    This is the proof that rolling out cannot raise a parity dimension: as many points, each a
    prompt with a beginning of one of its traces, and every pattern that of some rule.
    """
    traces = case.function()
    if traces is None:
        return Sides(None, None)
    local = descent(traces)
    begins = [
        _text(point).startswith(_text(prompt))
        for point, prompt in zip(local.points, traces.points, strict=True)
    ]
    shown = len(set(local.points)) == len(traces.points) and holds(
        local, local_class_on(case.rolled.local(), [_text(point) for point in local.points])
    )
    return Sides((shown, all(begins)), (True, True))
