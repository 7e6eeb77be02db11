"""Claims about how the bias of stale gradients grows with lag and learning rate."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from rolltheory.claims import Counterexample, Relation, Sides, Source, claim
from rolltheory.staleness.claims.arithmetic import FLOATS, Arithmetic

__all__ = ["MapBias", "MeasuredSlope", "bias_is_of_first_order"]

PAGE = "docs/theory/staleness.md#bias-of-stale-gradients"
LARGE = "groups hold four answers or more"
AWAY = "the success probability is not one half"


@dataclass(frozen=True)
class MapBias:
    """Bias of the group-normalised gradient on two answers, in the lag of a straight run.

    ``odds`` are the learner's odds of success. Each update multiplies them by 1 + step, so that the
    sampler of lag S is S updates behind. Exact importance ratios, no clipping.
    """

    group_size: int
    odds: Fraction
    lag: int
    step: Fraction = Fraction(1, 1000)
    arithmetic: Arithmetic = field(default=FLOATS, repr=False)

    @property
    def is_away(self) -> bool:
        """Whether the learner's success probability is not one half."""
        return self.odds != 1

    def exponent(self) -> Any:
        """log2 of the bias at twice the lag over the bias at the lag."""
        by = self.arithmetic
        near, far = self.bias(self.lag), self.bias(2 * self.lag)
        return by.result(by.log(far / near) / by.log(by.number(2)))

    def bias(self, lag: int) -> Any:
        """Size of the bias, up to a factor that does not depend on the lag."""
        behind = self.odds / (1 + self.step) ** lag
        return abs(self.weight(behind) - self.weight(self.odds))

    def weight(self, odds: Fraction) -> Any:
        """Factor of the gradient of the success probability, over all numbers of successes."""
        by, n, p = self.arithmetic, self.group_size, odds / (1 + odds)
        return sum(
            by.number(math.comb(n, k) * p ** (k - 1) * (1 - p) ** (n - k - 1))
            * by.sqrt(by.number(Fraction(k * (n - k), n * n)))
            for k in range(1, n)
        )


@dataclass(frozen=True)
class MeasuredSlope:
    """Slope of log bias on log lag or log learning rate, over simulated runs."""

    along: str
    slope: Any
    group_size: int = 8
    is_away: bool = True

    def exponent(self) -> Any:
        """As measured."""
        return self.slope


@claim(
    "staleness.bias.first_order",
    statement=r"|H(\theta_t, \phi_t) - H(\theta_t, \theta_t)| = \Theta(S \eta)"
    r"\quad (S \eta \to 0)",
    relation=Relation.GROWS_AS,
    source=Source.paper("2607.01083", "the bound O(S eta); that it is attained is derived here"),
    assumes={
        LARGE: lambda case: case.group_size >= 4,
        AWAY: lambda case: case.is_away,
    },
    teeth={
        "independent of the lag": lambda: 0,
        "root": lambda: Fraction(1, 2),
        "second order": lambda: 2,
    },
    breaks={
        LARGE: Counterexample(
            MapBias(3, Fraction(1, 3), 4),
            "With groups of two or three the bias is zero at every lag.",
        ),
        AWAY: Counterexample(
            MapBias(8, Fraction(1), 4), "At one half the weight is stationary: second order."
        ),
    },
)
def bias_is_of_first_order(
    case: MapBias | MeasuredSlope, exponent: Callable[[], Any] = lambda: 1
) -> Sides:
    """The bias of stale gradients grows in proportion to lag and to learning rate.

    Its constant is the slope of the weight of a prompt in its success probability, which vanishes
    for groups of two or three and at a success probability of one half.
    """
    return Sides(case.exponent(), exponent())
