"""Claims about the anchor of a trust region: recomputed, averaged, interpolated."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rolltheory.claims import (
    Counterexample,
    Relation,
    Sides,
    Source,
    Tight,
    Tooth,
    Verdict,
    claim,
)
from rolltheory.staleness.anchors import (
    ewma_anchor_lag_exact,
    interpolated_clip_range_exact,
)
from rolltheory.staleness.decoupled import decoupled_gradient_weight_exact
from rolltheory.staleness.masks import one_sided_gradient_weight_exact

__all__ = [
    "Anchored",
    "Averaged",
    "Interpolated",
    "Tokens",
    "decoupled_weight_is_the_total_ratio",
    "ewma_lag_at_finite_length",
    "ewma_lag_has_a_limit",
    "interpolation_reparametrises_the_clip",
    "quiet_reading_is_called_fresh",
    "recomputed_anchor_is_inert",
]

PAGE = "docs/theory/staleness.md#anchors"
FIFTH = Fraction(1, 5)

UNCLIPPED = "the ratio to the anchor is not clipped"
FIRST_BATCH = "the weights have not moved since the anchor was recomputed"
STRAIGHT = "the parameters move by the same step at every update"
ONE_OLD = "the anchor is taken to be one version old"


@dataclass(frozen=True)
class Anchored:
    """One token's probabilities under learner, anchor and sampler, and its advantage."""

    learner: Fraction
    anchor: Fraction
    sampler: Fraction
    advantage: Fraction = Fraction(1)

    @property
    def clipped(self) -> bool:
        """Whether PPO's rule at 0.2 silences the token."""
        ratio = self.learner / self.anchor
        return one_sided_gradient_weight_exact(ratio, self.advantage, **BAND) == 0


BAND = {"clip_low": FIFTH, "clip_high": FIFTH}
GradientWeight = Callable[..., Fraction]


@claim(
    "staleness.anchor.decoupled_weight",
    statement=r"w\,r\,A = \frac{\pi_\theta}{\mu} A,"
    r"\quad w = \pi_{prox}/\mu,\ r = \pi_\theta/\pi_{prox}:"
    r"\ \text{the anchor decides only the clip}",
    relation=Relation.EQUAL,
    source=Source.paper("2605.12070", "decoupled PPO"),
    assumes={UNCLIPPED: lambda case: not case.clipped},
    teeth={
        "staleness alone": lambda now, anchor, _, gain, **__: now / anchor * gain,
        "discrepancy alone": lambda _, anchor, sampler, gain, **__: anchor / sampler * gain,
    },
    breaks={
        UNCLIPPED: Counterexample(
            Anchored(Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)), "Clipped: no gradient at all."
        )
    },
)
def decoupled_weight_is_the_total_ratio(
    case: Anchored, weight: GradientWeight = decoupled_gradient_weight_exact
) -> Sides:
    """Unclipped, decoupled PPO weighs a token by learner over sampler, whatever the anchor."""
    found = weight(case.learner, case.anchor, case.sampler, case.advantage, **BAND)
    return Sides(found, case.learner / case.sampler * case.advantage)


@dataclass(frozen=True)
class Tokens:
    """Probabilities of a batch's tokens: learner, sampler, and the weights that were recomputed.

    ``gap`` is the lag between sampler and learner in updates; it plays no part.
    """

    learner: tuple[Fraction, ...]
    sampler: tuple[Fraction, ...]
    advantages: tuple[int, ...]
    recomputed: tuple[Fraction, ...]
    gap: int = 1

    def reading(self, anchor: tuple[Fraction, ...]) -> tuple[int, Fraction]:
        """How many tokens are clipped, and the exponential of minus the sum of k1."""
        ratios = [p / q for p, q in zip(self.learner, anchor, strict=True)]
        pairs = zip(ratios, self.advantages, strict=True)
        clipped = sum(one_sided_gradient_weight_exact(r, A, **BAND) == 0 for r, A in pairs)
        return clipped, math.prod(ratios, start=Fraction(1))


Anchor = Callable[[Tokens], tuple[Fraction, ...]]


def interpolated(case: Tokens) -> tuple[Fraction, ...]:
    """An anchor between sampler and learner."""
    return tuple((p + q) / 2 for p, q in zip(case.learner, case.sampler, strict=True))


@claim(
    "staleness.anchor.recomputed_is_inert",
    statement=r"\pi_{prox} = \pi_\theta \Rightarrow"
    r" \text{clip fraction} = 0,\ \overline{k_1} = 0\ \text{at any lag}",
    relation=Relation.EQUAL,
    source=Source.paper("2605.12070", "recomputed old logits"),
    assumes={FIRST_BATCH: lambda case: case.recomputed == case.learner},
    teeth={"the sampler as anchor": lambda case: case.sampler, "an anchor between": interpolated},
    breaks={
        FIRST_BATCH: Counterexample(
            Tokens((Fraction(1, 2),), (Fraction(1, 4),), (1,), (Fraction(1, 4),)),
            "From the second minibatch on, the clip sees the learner move.",
        )
    },
)
def recomputed_anchor_is_inert(
    case: Tokens, anchor: Anchor = lambda case: case.recomputed
) -> Sides:
    """An anchor recomputed with the current weights reads clip fraction 0 and ppo_kl 0 at any lag.

    Judged by the number of clipped tokens and by exp(-sum of k1), which is then 1.
    """
    return Sides(case.reading(anchor(case)), (0, 1))


def is_quiet(case: Tokens) -> bool:
    """What a framework with a recomputed anchor logs: nothing clipped, ppo_kl 0."""
    return case.reading(case.recomputed) == (0, Fraction(1))


def no_difference_to_the_sampler(case: Tokens) -> bool:
    """Mean absolute difference of log-probabilities to the sampler is 0."""
    return all(p == q for p, q in zip(case.learner, case.sampler, strict=True))


@claim(
    "staleness.anchor.quiet_means_fresh",
    statement=r"\text{clip fraction} = 0\ \text{and}\ \overline{k_1} = 0"
    r" \Rightarrow \pi_\theta = \mu\ \text{on the batch}",
    relation=Relation.IMPLIES,
    source=Source.derived(PAGE),
    assumes={},
    repairs={"absolute log-probability difference to the sampler": no_difference_to_the_sampler},
    declared=Verdict.REFUTED,
    repaired_by="staleness.anchor.recomputed_is_inert",
)
def quiet_reading_is_called_fresh(case: Tokens, quiet: Any = is_quiet) -> Sides:
    """A run whose clip fraction and ppo_kl are 0 trains on fresh data.

    False: with a recomputed anchor both are 0 at any lag. A difference to the sampler itself tells.
    """
    return Sides(quiet(case), case.learner == case.sampler)


@dataclass(frozen=True)
class Averaged:
    """An EWMA of the parameters of so many updates; ``curvature`` bends their path."""

    decay: Any
    updates: int
    curvature: int = 0

    def lag(self) -> Any:
        """How far the bias-corrected average trails behind the last parameters."""
        path = [t + self.curvature * t * t for t in range(self.updates)]
        mean: Any = 0
        total: Any = 0
        for theta in path:
            mean, total = self.decay * mean + theta, self.decay * total + 1
        return path[-1] - mean / total


def ewma_lag_formula(decay: Any, updates: int) -> Any:
    """The library's formula, for a rational or a symbol."""
    if isinstance(decay, Fraction):
        return ewma_anchor_lag_exact(decay, updates=updates)
    return decay / (1 - decay) - updates * decay**updates / (1 - decay**updates)


@claim(
    "staleness.anchor.ewma_lag",
    statement=r"\theta_{N-1} - \bar\theta_N = \frac{b}{1-b} - \frac{N b^N}{1 - b^N}"
    r"\ \text{on a straight path, one unit per update}",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={STRAIGHT: lambda case: case.curvature == 0},
    teeth={
        "the limit of many updates": lambda b, _: b / (1 - b),
        "the window 1/(1 - b)": lambda b, n: 1 / (1 - b) - n * b**n / (1 - b**n),
        "no bias correction": lambda b, n: b * (1 - b**n) / (1 - b),
    },
    breaks={
        STRAIGHT: Counterexample(
            Averaged(Fraction(1, 2), 3, curvature=1), "On a bent path the lag is no age."
        )
    },
)
def ewma_lag_at_finite_length(case: Averaged, lag: Any = ewma_lag_formula) -> Sides:
    """How far a bias-corrected average of the weights trails behind, after N updates."""
    return Sides(case.lag(), lag(case.decay, case.updates))


@claim(
    "staleness.anchor.ewma_lag_limit",
    statement=r"\theta_{N-1} - \bar\theta_N \le \frac{b}{1-b},\ \text{approached as}\ N \to \infty",
    relation=Relation.AT_MOST,
    source=Source.derived(PAGE),
    assumes={STRAIGHT: lambda case: case.curvature == 0},
    teeth={
        "10 % smaller": lambda b: b / (1 - b) * 9 / 10,
        "half, as for a sync interval": lambda b: b / (1 - b) / 2,
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    breaks={
        STRAIGHT: Counterexample(
            Averaged(Fraction(1, 2), 4, curvature=1), "An accelerating path outruns the average."
        )
    },
    tight=Tight(Averaged(Fraction(1, 2), 40), at_least=Fraction(999, 1000)),
)
def ewma_lag_has_a_limit(case: Averaged, limit: Any = lambda b: b / (1 - b)) -> Sides:
    """An averaged anchor never trails farther than b/(1 - b) updates."""
    return Sides(case.lag(), limit(case.decay))


@dataclass(frozen=True)
class Interpolated:
    """A token whose total ratio is step**lag, and an anchor ``age`` versions behind the learner."""

    step: Fraction
    lag: int
    advantage: int
    clip_low: Fraction = FIFTH
    clip_high: Fraction = FIFTH
    age: int = 1

    def is_clipped(self) -> bool:
        """By the ratio to the anchor, which is total**(age/lag)."""
        edges = {"clip_low": self.clip_low, "clip_high": self.clip_high}
        return one_sided_gradient_weight_exact(self.step**self.age, self.advantage, **edges) == 0


def straight_band(lag: int, *, clip_low: Fraction, clip_high: Fraction) -> tuple[Any, Any]:
    """The popular slip: widths that grow in proportion to the lag."""
    return 1 - lag * clip_low, 1 + lag * clip_high


def same_band(_: int, *, clip_low: Fraction, clip_high: Fraction) -> tuple[Any, Any]:
    """As if the total ratio itself were clipped."""
    return 1 - clip_low, 1 + clip_high


@claim(
    "staleness.anchor.interpolated_clip",
    statement=r"r\ \text{clipped at}\ [1-\epsilon_l, 1+\epsilon_h] \iff"
    r" \frac{\pi_\theta}{\mu} \notin [(1-\epsilon_l)^{d}, (1+\epsilon_h)^{d}]\ \text{on that side},"
    r" \quad r = (\pi_\theta/\mu)^{1/d},\ d = \text{lag}",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={ONE_OLD: lambda case: case.age == 1},
    teeth={
        "widths in proportion to the lag": straight_band,
        "the band of the total ratio": same_band,
        "one power less": lambda lag, **widths: interpolated_clip_range_exact(lag - 1, **widths),
    },
    breaks={
        ONE_OLD: Counterexample(
            Interpolated(Fraction(11, 10), 4, 1, age=2), "An older anchor is clipped earlier."
        )
    },
)
def interpolation_reparametrises_the_clip(
    case: Interpolated, band: Any = interpolated_clip_range_exact
) -> Sides:
    """A log-linear anchor only widens the clip band of the total ratio to the power of the lag."""
    low, high = band(case.lag, clip_low=case.clip_low, clip_high=case.clip_high)
    total = case.step**case.lag
    outside = total > high if case.advantage > 0 else total < low
    return Sides(case.is_clipped(), outside)
