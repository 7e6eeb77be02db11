"""Claims about the maze study: which extension loses fewer starts, where a finite p must fail."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rolltheory.claims import Relation, Sides, Source, Tight, Tooth, Unbroken, claim

__all__ = [
    "Bundle",
    "Successes",
    "finite_powers_fail_on_wide_bundles",
    "higher_powers_lose_fewer_starts",
    "iterating_longer_loses_fewer_starts",
]

PAGE = "docs/theory/action_gap.md#maze-study"
PAPER = "2605.19185"
POWERS = "the second power is the larger one"
LONGER = "the second number of sweeps is the larger one"


@dataclass(frozen=True)
class Bundle:
    """Goal 0, its neighbour 1, a label at 2 with a leaf, and ``ways`` paths from 1 to the label 4.

    Labels 0, 2 and 3 at the vertices 0, 2 and 4 are exact.
    """

    ways: int
    power: int

    def residual(self, value: Fraction) -> Fraction:
        """Of the p-harmonic equation at vertex 1, if it has this value within [0, 3].

        The middle of each way lies halfway between the value and 3. The residual falls with the
        value, so it is positive just where the value is below the solution.
        """
        q = self.power - 1

        def push(difference: Fraction) -> Fraction:
            return abs(difference) ** q * (1 if difference > 0 else -1)

        return push(-value) + push(2 - value) + self.ways * push((3 - value) / 2)

    def label_is_sink(self) -> bool:
        """Whether vertex 1 lies above the label 2, so that the label has no lower neighbour."""
        return self.residual(Fraction(2)) > 0

    def lost(self) -> int:
        """How many starts are lost: none, or the label and its leaf."""
        return 2 * self.label_is_sink()


@claim(
    "action_gap.study.finite_p_fails",
    statement=r"\text{bundle of } k \text{ ways, exact labels: the label } 2 \text{ lies below all"
    r" its neighbours under the variational } p\text{-harmonic extension} \iff k > 4^{p - 1}",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={},
    teeth={
        "also at equality": lambda k, p: k >= 4 ** (p - 1),
        "half as many": lambda k, p: 2 * k > 4 ** (p - 1),
        "as for p = 2": lambda k, _: k > 4,
        "never": lambda *_: False,
    },
)
def finite_powers_fail_on_wide_bundles(
    case: Bundle, fails: Callable[[int, int], bool] = lambda k, p: k > 4 ** (p - 1)
) -> Sides:
    """Every finite power loses starts on some graph with exact labels: on a bundle wide enough.

    At the neighbour of the goal, many far labels outvote the goal and a near label, which then is a
    sink. The infinity-harmonic extension counts no votes and never does this.
    """
    return Sides(case.label_is_sink(), fails(case.ways, case.power))


@dataclass(frozen=True)
class Successes:
    """What two extensions reached, the one expected to reach less first; numbers or intervals.

    ``size`` is the power of each, or its number of sweeps; ``name`` says where.
    """

    name: str
    size: tuple[int, int]
    reached: tuple[Any, Any]


@claim(
    "action_gap.study.higher_powers",
    statement=r"\text{success of harmonic} \le p = 4 \le p = 8, \quad"
    r" \text{starts that reach the goal, lowest index first}",
    relation=Relation.AT_MOST,
    source=Source.paper(PAPER, "0.584, 0.903, 0.973 on 120 configurations"),
    assumes={POWERS: lambda case: case.size[0] < case.size[1]},
    teeth={
        "the lower power reaches more": Tooth(relation=Relation.AT_LEAST),
        "exchanged": lambda reached: reached[::-1],
    },
    breaks={POWERS: Unbroken("exchanging the two exchanges the sides")},
    tight=Tight(Successes("a bundle of four ways", (2, 4), (8, 8))),
)
def higher_powers_lose_fewer_starts(
    case: Successes, order: Callable[[Any], Any] = lambda reached: reached
) -> Sides:
    """A higher power of the p-Laplacian loses fewer starts of greedy rollouts.

    On every bundle, exactly; on refined mazes with sparse labels in the mean, by a wide margin. Not
    on every single problem: values are not monotone in the power.
    """
    return Sides(*order(case.reached))


@claim(
    "action_gap.study.sweeps",
    statement=r"\text{success after } 300 \le 1000 \le \infty \text{ sweeps of midrange iteration}",
    relation=Relation.AT_MOST,
    source=Source.derived(PAGE),
    assumes={LONGER: lambda case: case.size[0] < case.size[1]},
    teeth={
        "fewer sweeps reach more": Tooth(relation=Relation.AT_LEAST),
        "exchanged": lambda reached: reached[::-1],
    },
    breaks={LONGER: Unbroken("exchanging the two exchanges the sides")},
    tight=Tight(Successes("a path on which every sweep moves one vertex", (9, 10), (5, 5))),
)
def iterating_longer_loses_fewer_starts(
    case: Successes, order: Callable[[Any], Any] = lambda reached: reached
) -> Sides:
    """Rollouts lost by midrange iteration are lost to stopping early, not to its limit.

    So a table in which the infinity-harmonic extension falls behind a finite power, or gets worse
    with refinement, shows its solver.
    """
    return Sides(*order(case.reached))
