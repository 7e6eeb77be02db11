"""Claims about what kinematic consistency shows: not by its size, but against the physics."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from rolltheory.claims import Counterexample, Relation, Sides, Source, Tight, Verdict, claim
from rolltheory.graph_world.claims.coverage import share_of
from rolltheory.graph_world.claims.kinematics import Fall, States, inconsistency
from rolltheory.graph_world.kinematics import invariance_test
from rolltheory.numerics.generators import seeded_generator

__all__ = [
    "PlantedSlope",
    "Rivals",
    "residuals_order_models",
    "slope_interval_covers",
    "small_is_better",
]

PAGE = "docs/theory/graph_world.md#kinematics"
SAME_START = "the models start from the true state"


@dataclass(frozen=True)
class Rivals:
    """Two models of free fall, by their gravities; the first may start with another velocity."""

    gravity: Fraction
    first: Fraction
    second: Fraction
    step: Fraction
    steps: int
    offset: Fraction = Fraction(0)

    def fall(self, gravity: Fraction, offset: Fraction = Fraction(0)) -> States:
        """From rest at zero."""
        return Fall(Fraction(0), offset, gravity, self.step, self.steps).states

    @property
    def models(self) -> tuple[States, States]:
        """The rollouts of the first and of the second."""
        return self.fall(self.first, self.offset), self.fall(self.second)

    def error(self, states: States) -> Fraction:
        """Squared distance from the truth, summed over the rollout."""
        pairs = zip(states, self.fall(self.gravity), strict=True)
        return sum(((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 for a, b in pairs), Fraction(0))


Score = Callable[[Rivals, States], Fraction]


def smallness(case: Rivals, states: States) -> Fraction:
    """The model's own inconsistency."""
    return Fraction(inconsistency(states, case.step))


def excess(case: Rivals, states: States) -> Fraction:
    """Inconsistency of the difference from the truth: its kinematic residuals against physics'."""
    pairs = zip(states, case.fall(case.gravity), strict=True)
    return Fraction(inconsistency([(a[0] - b[0], a[1] - b[1]) for a, b in pairs], case.step))


@claim(
    "graph_world.kinematics.residuals_order",
    statement=r"\sum_t |\hat\rho_t - \rho_t|^2 < \sum_t |\tilde\rho_t - \rho_t|^2 \iff"
    r"\sum_t |\hat x_t - x_t|^2 < \sum_t |\tilde x_t - x_t|^2,"
    r"\quad \rho_t = x_{t+1} - \mathrm{kin}(x_t)",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={SAME_START: lambda case: case.offset == 0},
    teeth={
        "the smaller inconsistency": smallness,
        "distance of the two inconsistencies": lambda case, states: abs(
            smallness(case, states) - smallness(case, case.fall(case.gravity))
        ),
        "the larger inconsistency": lambda case, states: -smallness(case, states),
    },
    breaks={
        SAME_START: Counterexample(
            Rivals(Fraction(1), Fraction(1), Fraction(2), Fraction(1), 2, Fraction(9)),
            "A wrong first velocity leaves no residual.",
        )
    },
)
def residuals_order_models(case: Rivals, score: Score = excess) -> Sides:
    """Residuals held against those of physics order models of free fall as their errors do."""
    first, second = case.models
    return Sides(score(case, first) < score(case, second), case.error(first) < case.error(second))


@claim(
    "graph_world.kinematics.smaller_is_better",
    statement=r"\mathrm{iKCE}(\hat x) < \mathrm{iKCE}(\tilde x) \implies"
    r"\sum_t |\hat x_t - x_t|^2 \le \sum_t |\tilde x_t - x_t|^2",
    relation=Relation.IMPLIES,
    source=Source.derived(PAGE),
    assumes={SAME_START: lambda case: case.offset == 0},
    breaks={
        SAME_START: Counterexample(
            Rivals(Fraction(0), Fraction(0), Fraction(1), Fraction(1), 2, Fraction(9)),
            "Without gravity a smaller value would be better, but for a wrong first velocity.",
        )
    },
    repairs={"against the residuals of physics": excess},
    declared=Verdict.REFUTED,
    repaired_by="graph_world.kinematics.residuals_order",
)
def small_is_better(case: Rivals, score: Score = smallness) -> Sides:
    """A smaller kinematic inconsistency means better physics. False.

    A model without gravity has none at all, and falls behind the one with the right gravity.
    """
    first, second = case.models
    return Sides(score(case, first) < score(case, second), case.error(first) <= case.error(second))


@dataclass(frozen=True)
class PlantedSlope:
    """Sets (D, g, r) of errors with a planted slope: all cases with weights, or draws."""

    parameters: tuple[float, ...]
    errors: Any = field(repr=False)
    slope: float
    weights: tuple[int, ...] | None = field(repr=False, default=None)
    error_level: float | None = None


Interval = tuple[float, float]


def slope_interval(parameters: tuple[float, ...], errors: Any) -> Interval:
    """The library's."""
    generator = seeded_generator(0, "slopes of a claim")
    test = invariance_test(parameters, errors, margin=0.1, generator=generator, resamples=200)
    return test.lower, test.upper


def narrowed(parameters: tuple[float, ...], errors: Any, share: float) -> Interval:
    """So much of the width, about the middle."""
    lower, upper = slope_interval(parameters, errors)
    middle, reach = (lower + upper) / 2, (upper - lower) / 2
    return middle - share * reach, middle + share * reach


def beside(parameters: tuple[float, ...], errors: Any) -> Interval:
    """The interval moved by its width."""
    lower, upper = slope_interval(parameters, errors)
    return upper, 2 * upper - lower


@claim(
    "graph_world.kinematics.slope_interval",
    statement=r"P(b \in [\mathrm{lower}, \mathrm{upper}]) \ge \tfrac34"
    r"\quad \text{at a nominal } \tfrac{95}{100}",
    relation=Relation.AT_LEAST,
    source=Source.derived(PAGE),
    assumes={},
    teeth={
        "no width": lambda parameters, errors: narrowed(parameters, errors, 0.0),
        "a third of the width": lambda parameters, errors: narrowed(parameters, errors, 0.33),
        "moved by its width": beside,
    },
    tight=Tight(
        PlantedSlope((1.0, 2.0, 4.0), np.ones((1, 3, 2)), 0.0, (1,)), at_least=Fraction(3, 4)
    ),
)
def slope_interval_covers(
    case: PlantedSlope, interval: Callable[[tuple[float, ...], Any], Interval] = slope_interval
) -> Sides:
    """The bootstrap's interval of an exponent covers the planted one, with few runs too."""
    found = [interval(case.parameters, errors) for errors in case.errors]
    hits = [lower <= case.slope <= upper for lower, upper in found]
    return Sides(share_of(hits, weights=case.weights, error_level=case.error_level), Fraction(3, 4))
