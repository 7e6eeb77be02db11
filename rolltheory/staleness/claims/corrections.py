"""Claims about off-policy corrections: shaping, baselines, alignment."""

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
    Unbroken,
    claim,
)
from rolltheory.staleness.alignment import align_gradient, aligned_norm_ratio, gradient_cosine
from rolltheory.staleness.claims.policies import Policies
from rolltheory.staleness.shaping import shaping_gradient_factor_exact
from rolltheory.staleness.variance import (
    gradient_variance_exact,
    policy_baseline_exact,
)

__all__ = [
    "Bandit",
    "Shaped",
    "Turned",
    "alignment_reaches_the_threshold",
    "alignment_shortens_by_a_known_factor",
    "baseline_has_least_variance",
    "baseline_keeps_the_mean",
    "shaping_factor_is_at_most_a_quarter",
    "shaping_factor_is_the_slope",
]

PAGE = "docs/theory/staleness.md#corrections"
FULL_RATIO = "the weights are the full ratios, not truncated"
ALIGNED = "the cosine exceeds the threshold"


@dataclass(frozen=True)
class Bandit(Policies):
    """Two policies with rewards, a rival baseline, and a cap on the weights if there is one."""

    rewards: tuple[Fraction, ...] = (Fraction(1), Fraction(1, 5), Fraction(0))
    rival: Fraction = Fraction(0)
    cap: Fraction | None = None

    def variance(self, baseline: Fraction) -> Fraction:
        """Of one sample's gradient with the baseline."""
        if self.cap is None:
            return gradient_variance_exact(self.learner, self.sampler, self.rewards, baseline)
        rows = self.gradients(baseline, self.weights())
        pairs = list(zip(self.sampler, rows, strict=True))
        second = sum((q * g * g for q, row in pairs for g in row), Fraction(0))
        return second - sum(part * part for part in self.mean(rows))

    def weights(self) -> list[Fraction]:
        """Importance weights, truncated if there is a cap."""
        return [r if self.cap is None else min(r, self.cap) for r in self.ratios]

    def gradients(self, baseline: Fraction, weights: list[Fraction]) -> list[list[Fraction]]:
        """w s (R - b) of each action, logit by logit."""
        actions = range(len(self.learner))
        return [
            [
                weights[a] * ((a == j) - self.learner[j]) * (self.rewards[a] - baseline)
                for j in actions
            ]
            for a in actions
        ]

    def mean(self, rows: list[list[Fraction]]) -> list[Fraction]:
        """Over the sampler's actions."""
        return [
            sum((q * g for q, g in zip(self.sampler, column, strict=True)), Fraction(0))
            for column in zip(*rows, strict=True)
        ]


Baseline = Callable[[Bandit], Fraction]


def least(case: Bandit) -> Fraction:
    """The library's baseline."""
    return policy_baseline_exact(case.learner, case.sampler, case.rewards)


def weighted_by(case: Bandit, power: int, scores: bool) -> Fraction:
    """Mean reward weighted by a power of the ratio, with or without squared score norms."""
    square = sum(p * p for p in case.learner)
    parts: list[Fraction] = [
        q * ratio**power * (1 - 2 * p + square if scores else 1)
        for p, q, ratio in zip(case.learner, case.sampler, case.ratios, strict=True)
    ]
    weighted = (part * r for part, r in zip(parts, case.rewards, strict=True))
    return sum(weighted, Fraction(0)) / sum(parts, Fraction(0))


CAPPED = Bandit(
    (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)),
    (Fraction(1, 10), Fraction(1, 5), Fraction(7, 10)),
    rival=Fraction(7, 20),
    cap=Fraction(1),
)


@claim(
    "staleness.baseline.least_variance",
    statement=r"\mathrm{tr\,Cov}_\phi[w s (R - b^*)] \le \mathrm{tr\,Cov}_\phi[w s (R - b)],"
    r"\quad b^* = \frac{E_\phi[w^2 |s|^2 R]}{E_\phi[w^2 |s|^2]}",
    relation=Relation.AT_MOST,
    source=Source.paper("2602.17616", "minimum-variance off-policy baseline"),
    assumes={FULL_RATIO: lambda case: case.cap is None},
    teeth={
        "the learner's mean reward": lambda case: weighted_by(case, 1, scores=False),
        "the weight not squared": lambda case: weighted_by(case, 1, scores=True),
        "without the score's norm": lambda case: weighted_by(case, 2, scores=False),
    },
    breaks={
        FULL_RATIO: Counterexample(
            CAPPED,
            "Truncated weights leave E[w s] nonzero: the mean moves with b.",
        )
    },
    tight=Tight(
        Bandit(
            (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)),
            (Fraction(1, 4), Fraction(1, 4), Fraction(1, 2)),
            rival=Fraction(734, 1245),
        )
    ),
)
def baseline_has_least_variance(case: Bandit, baseline: Baseline = least) -> Sides:
    """No other baseline gives an off-policy gradient less total variance."""
    return Sides(case.variance(baseline(case)), case.variance(case.rival))


@claim(
    "staleness.baseline.keeps_the_mean",
    statement=r"E_\phi[w s (R - b)] = E_\theta[s R]\ \text{for every}\ b",
    relation=Relation.EQUAL,
    source=Source.known("a baseline is unbiased, because the score has mean zero"),
    assumes={},
    teeth={
        "no weights": lambda _: [Fraction(1)] * 3,
        "weights truncated at 1": lambda ratios: [min(r, Fraction(1)) for r in ratios],
    },
)
def baseline_keeps_the_mean(case: Bandit, weights: Any = list) -> Sides:
    """With full ratios, a baseline does not move the mean of the off-policy gradient."""
    found = case.mean(case.gradients(case.rival, weights(case.ratios)))
    reward = sum(p * r for p, r in zip(case.learner, case.rewards, strict=True))
    truth = [p * (r - reward) for p, r in zip(case.learner, case.rewards, strict=True)]
    return Sides(found, truth)


@dataclass(frozen=True)
class Turned:
    """A gradient with parts along and across the previous one, and a threshold.

    Numbers or symbols.
    """

    along: Any
    across: Any
    threshold: Any

    @property
    def cosine(self) -> float:
        """Before the projection."""
        return float(gradient_cosine([float(self.along), float(self.across)], [1.0, 0.0]))

    def projected(self) -> Any:
        """The library's projection."""
        gradient = [float(self.along), float(self.across)]
        return align_gradient(gradient, [1.0, 0.0], threshold=float(self.threshold))


def is_aligned(case: Turned) -> bool:
    """Whether the projection is to act; symbols stand for such a case."""
    return not isinstance(case.along, Fraction) or case.cosine > case.threshold


@claim(
    "staleness.alignment.reaches_threshold",
    statement=r"\cos(g', g_{t-1}) = \tau, \quad g' = g_\perp + \frac{\tau}{\sqrt{1 - \tau^2}}"
    r" |g_\perp| \frac{g_{t-1}}{|g_{t-1}|}, \quad c > \tau",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={ALIGNED: is_aligned},
    teeth={
        "tau times the orthogonal norm": lambda case: [case.threshold * case.across, case.across],
        "the orthogonal part alone": lambda case: [0, case.across],
        "the parallel part scaled by tau": lambda case: [case.threshold * case.along, case.across],
    },
    breaks={
        ALIGNED: Counterexample(
            Turned(Fraction(0), Fraction(1), Fraction(3, 5)), "Below the threshold nothing is done."
        )
    },
)
def alignment_reaches_the_threshold(
    case: Turned, project: Callable[[Turned], Any] = Turned.projected
) -> Sides:
    """The alignment projection brings the cosine of consecutive gradients to the threshold."""
    along, across = (float(part) for part in project(case))
    return Sides(along / math.hypot(along, across), float(case.threshold))


@claim(
    "staleness.alignment.norm_ratio",
    statement=r"\frac{|g'|}{|g|} = \sqrt{\frac{1 - c^2}{1 - \tau^2}}, \quad c > \tau",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={ALIGNED: is_aligned},
    teeth={
        "the orthogonal part alone": lambda c, _: math.sqrt(1 - c**2),
        "threshold over cosine": lambda c, tau: tau / c,
    },
    breaks={
        ALIGNED: Unbroken("below the threshold nothing is done, and the library's factor is 1")
    },
)
def alignment_shortens_by_a_known_factor(
    case: Turned,
    ratio: Any = lambda c, tau: float(aligned_norm_ratio(c, threshold=tau)),
) -> Sides:
    """The alignment projection shortens a gradient by a factor of both cosines."""
    before = math.hypot(float(case.along), float(case.across))
    after = math.hypot(*map(float, case.projected()))
    return Sides(after / before, ratio(case.cosine, float(case.threshold)))


@dataclass(frozen=True)
class Shaped:
    """Probability of an off-policy token under the learner, and gamma. Numbers or symbols."""

    probability: Any
    gamma: Any = Fraction(1, 10)


def factor(probability: Any, gamma: Any) -> Any:
    """The library's factor, for a rational or a symbol."""
    if isinstance(probability, Fraction):
        return shaping_gradient_factor_exact(probability, gamma=gamma)
    return gamma * probability / (probability + gamma) ** 2


@claim(
    "staleness.shaping.at_most_a_quarter",
    statement=r"\frac{\gamma \pi}{(\pi + \gamma)^2} \le \frac14,\ \text{attained at}\ \pi = \gamma",
    relation=Relation.AT_MOST,
    source=Source.derived(PAGE),
    assumes={},
    teeth={"10 % smaller": Fraction(9, 40), "direction swapped": Tooth(relation=Relation.AT_LEAST)},
    tight=Tight(Shaped(Fraction(1, 10))),
)
def shaping_factor_is_at_most_a_quarter(case: Shaped, limit: Any = Fraction(1, 4)) -> Sides:
    """Shaping multiplies an off-policy token's score by at most a quarter."""
    return Sides(factor(case.probability, case.gamma), limit)


@claim(
    "staleness.shaping.slope",
    statement=r"\frac{d}{d \log \pi} \frac{\pi}{\pi + \gamma}"
    r" = \frac{\gamma \pi}{(\pi + \gamma)^2}",
    relation=Relation.EQUAL,
    source=Source.paper("2504.14945", "policy shaping"),
    assumes={},
    teeth={
        "the shaped probability itself": lambda p, gamma: p / (p + gamma),
        "the slope in the probability": lambda p, gamma: gamma / (p + gamma) ** 2,
        "unshaped": lambda p, _: p,
    },
)
def shaping_factor_is_the_slope(case: Shaped, slope: Any = factor) -> Sides:
    """The factor of a shaped token's score is the slope in the log-probability.

    The left side is a symmetric difference quotient in log p.
    """
    p, gamma, step = float(case.probability), float(case.gamma), 1e-4
    up, down = p * math.exp(step), p * math.exp(-step)
    return Sides((up / (up + gamma) - down / (down + gamma)) / (2 * step), slope(p, gamma))
