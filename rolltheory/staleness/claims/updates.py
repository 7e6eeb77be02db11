"""Claims about the size of one update."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from rolltheory.claims import (
    Counterexample,
    Relation,
    Sides,
    Source,
    Tight,
    Unbroken,
    Verdict,
    claim,
)
from rolltheory.staleness.claims.arithmetic import FLOATS, Arithmetic
from rolltheory.staleness.drift import (
    Adam,
    Sgd,
    adam_update_factor,
    binary_gradient_norm_bound,
    update_norm_bound,
)

__all__ = [
    "AdamRun",
    "GroupGradient",
    "MomentumRun",
    "adam_update_as_quoted",
    "adam_update_holds",
    "binary_gradient_norm_holds",
    "growing_gradients",
    "momentum_update_holds",
]

PAGE = "docs/theory/staleness.md#drift"
CORRECTED = "both averages are corrected for their bias"
NO_DECAY = "there is no weight decay"
CLIPPED = "every gradient has norm at most c"
TABULAR = "the parameters are the logits of a softmax"


@dataclass(frozen=True)
class AdamRun:
    """Adam's last update after some gradients, each a tuple over coordinates; in rationals."""

    gradients: tuple[tuple[Fraction, ...], ...]
    beta1: Fraction
    beta2: Fraction
    bias_correction: bool = True
    weight_decay: Fraction = Fraction(0)

    @property
    def optimizer(self) -> Adam:
        """The optimizer as the library knows it."""
        dimension, steps = len(self.gradients[0]), len(self.gradients)
        return Adam(dimension, float(self.beta1), float(self.beta2), steps=steps)

    @property
    def squared_update(self) -> Fraction:
        """Squared norm of the last update, without weight decay; 0/0 counts as 0."""
        return sum(map(self._squared_coordinate, zip(*self.gradients, strict=True)), Fraction(0))

    @property
    def squared_gradient(self) -> Fraction:
        """Largest squared norm of a gradient."""
        return max(sum((g**2 for g in gradient), Fraction(0)) for gradient in self.gradients)

    def _squared_coordinate(self, history: tuple[Fraction, ...]) -> Fraction:
        mean = square = Fraction(0)
        for gradient in history:
            mean = self.beta1 * mean + (1 - self.beta1) * gradient
            square = self.beta2 * square + (1 - self.beta2) * gradient**2
        if self.bias_correction:
            mean /= 1 - self.beta1 ** len(history)
            square /= 1 - self.beta2 ** len(history)
        return mean**2 / square if square else Fraction(0)


def growing_gradients(
    steps: int, beta1: Fraction, beta2: Fraction, dimension: int = 1, scale: Fraction = Fraction(1)
) -> AdamRun:
    """Gradients that grow by beta2/beta1 at each step: the ones that Adam amplifies most."""
    growth = beta2 / beta1
    return AdamRun(
        tuple((scale * growth ** (t - steps),) * dimension for t in range(steps)), beta1, beta2
    )


def quoted_bound(case: AdamRun) -> float:
    """The bound that is often quoted: exact for constant and for one-off gradients."""
    one_off = (1 - case.beta1) / Fraction(math.sqrt(1 - case.beta2))
    return math.sqrt(len(case.gradients[0])) * float(max(Fraction(1), one_off))


HALF, THREE_QUARTERS = Fraction(1, 2), Fraction(3, 4)


@claim(
    "staleness.update.adam",
    statement=r"|u_t| \le \sqrt d\, \frac{1 - \beta_1}{1 - \beta_1^t}"
    r"\sqrt{\frac{1 - \beta_2^t}{1 - \beta_2} \cdot \frac{1 - q^t}{1 - q}}, \quad"
    r"q = \beta_1^2 / \beta_2",
    relation=Relation.AT_MOST,
    source=Source.derived(PAGE),
    assumes={
        CORRECTED: lambda case: case.bias_correction,
        NO_DECAY: lambda case: case.weight_decay == 0,
    },
    teeth={
        "as quoted": quoted_bound,
        "norm of the gradient": lambda case: math.sqrt(case.squared_gradient),
        "root of d forgotten": lambda case: adam_update_factor(
            float(case.beta1), float(case.beta2), steps=len(case.gradients)
        ),
    },
    breaks={
        CORRECTED: Counterexample(
            AdamRun(((Fraction(1),),), Fraction(9, 10), Fraction(999, 1000), bias_correction=False),
            "The first raw update is sqrt(10) times as large.",
        ),
        NO_DECAY: Unbroken("weight decay adds a term of its own, which this bound leaves out"),
    },
    tight=Tight(growing_gradients(6, HALF, THREE_QUARTERS)),
)
def adam_update_holds(
    case: AdamRun, bound: Callable[[AdamRun], Any] = lambda case: update_norm_bound(case.optimizer)
) -> Sides:
    """Adam's update is bounded by the root of d and the betas, and by nothing else.

    Attained by gradients that grow by beta2/beta1 at each step. The gradient norm in a log neither
    bounds the update nor enters the bound.
    """
    return Sides(case.squared_update, Fraction(float(bound(case))) ** 2)


@claim(
    "staleness.update.adam_as_quoted",
    statement=r"|u_t| \le \sqrt d\, \max\big(1, (1 - \beta_1) / \sqrt{1 - \beta_2}\big)",
    relation=Relation.AT_MOST,
    source=Source.known("the bound on Adam's step that is often quoted"),
    assumes={},
    repairs={"over all gradients": lambda case: update_norm_bound(case.optimizer)},
    declared=Verdict.REFUTED,
    repaired_by="staleness.update.adam",
)
def adam_update_as_quoted(case: AdamRun, bound: Callable[[AdamRun], Any] = quoted_bound) -> Sides:
    """A coordinate of Adam's update is at most 1, or (1 - beta1)/sqrt(1 - beta2) if that is larger.

    It holds for gradients that are constant, or all zero but for the last. Gradients that grow go
    further: up to 7.27 in place of 3.16 for the betas (0.9, 0.999).
    """
    return Sides(case.squared_update, Fraction(float(bound(case))) ** 2)


@dataclass(frozen=True)
class MomentumRun:
    """Gradient ascent with heavy-ball momentum along a line, in rationals."""

    gradients: tuple[Fraction, ...]
    momentum: Fraction
    gradient_norm: Fraction = Fraction(1)

    @property
    def update(self) -> Fraction:
        """Size of the last update."""
        update = Fraction(0)
        for gradient in self.gradients:
            update = self.momentum * update + gradient
        return abs(update)


@claim(
    "staleness.update.momentum",
    statement=r"|u_t| \le c / (1 - \mu), \quad u_t = \mu u_{t-1} + g_t,\ |g_t| \le c",
    relation=Relation.AT_MOST,
    source=Source.derived(PAGE),
    assumes={CLIPPED: lambda case: max(map(abs, case.gradients)) <= case.gradient_norm},
    teeth={
        "momentum forgotten": lambda optimizer: optimizer.gradient_norm,
        "10 % smaller": lambda optimizer: 0.9 * update_norm_bound(optimizer),
    },
    breaks={CLIPPED: Counterexample(MomentumRun((Fraction(3),), HALF), "A larger gradient.")},
    tight=Tight(MomentumRun((Fraction(1),) * 60, HALF)),
)
def momentum_update_holds(
    case: MomentumRun, bound: Callable[[Sgd], Any] = update_norm_bound
) -> Sides:
    """An update with momentum is at most the clipping norm over one minus the momentum.

    Attained in the limit of many equal gradients.
    """
    right = bound(Sgd(float(case.gradient_norm), float(case.momentum)))
    return Sides(case.update, Fraction(float(right)))


@dataclass(frozen=True)
class GroupGradient:
    """Expected group-normalised gradient on two answers, the first of which is correct.

    ``learner`` and ``sampler`` are their success probabilities. With features of a norm, the
    gradient with respect to the parameters is by that much longer.
    """

    group_size: int
    learner: Fraction
    sampler: Fraction
    stale: bool = True
    feature_norm: Fraction = Fraction(1)
    arithmetic: Arithmetic = field(default=FLOATS, repr=False)

    def norm(self) -> Any:
        """Norm of the gradient, summed over the number of successes in a group."""
        by, n, p = self.arithmetic, self.group_size, self.sampler
        spread = sum(
            by.number(math.comb(n, k) * p**k * (1 - p) ** (n - k))
            * by.sqrt(by.number(Fraction(k * (n - k), n * n)))
            for k in range(1, n)
        )
        slope = self.learner * (1 - self.learner) / (p * (1 - p)) * self.feature_norm
        return by.result(spread * by.number(slope) * by.sqrt(by.number(Fraction(2))))


@claim(
    "staleness.update.binary_gradient",
    statement=r"|H(\theta, \theta)| \le \sqrt{\tfrac{n - 1}{2 n}}, \qquad"
    r"|H(\theta, \phi)| \le \tfrac{\sqrt{n - 1}}{2 \sqrt2}",
    relation=Relation.AT_MOST,
    source=Source.derived(PAGE),
    assumes={TABULAR: lambda case: case.feature_norm == 1},
    teeth={
        "10 % smaller": lambda size, *, stale: 0.9 * binary_gradient_norm_bound(size, stale=stale),
        "fresh for stale": lambda size, **_: binary_gradient_norm_bound(size),
    },
    breaks={
        TABULAR: Counterexample(
            GroupGradient(8, HALF, HALF, stale=False, feature_norm=Fraction(10)),
            "Features of norm 10 make gradients ten times as long.",
        )
    },
    tight=Tight(GroupGradient(2, HALF, HALF)),
)
def binary_gradient_norm_holds(
    case: GroupGradient, bound: Callable[..., Any] = binary_gradient_norm_bound
) -> Sides:
    """The expected group-normalised gradient is bounded, fresh or stale, for binary rewards.

    The stale bound is attained by groups of two; the fresh one is approached by large groups.
    """
    return Sides(case.norm(), Fraction(float(bound(case.group_size, stale=case.stale))))
