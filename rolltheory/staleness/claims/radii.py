"""Claims about the distance within which ratios stay useful."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from rolltheory.claims import Counterexample, Relation, Sides, Source, Tight, claim
from rolltheory.staleness.claims.arithmetic import FLOATS, Arithmetic
from rolltheory.staleness.radii import (
    batch_radius,
    clip_radius,
    ess_radius,
    softmax_batch_radius,
)

__all__ = [
    "Policies",
    "batch_radius_holds",
    "clip_radius_holds",
    "ess_radius_holds",
    "softmax_batch_radius_holds",
]

Radius = Callable[..., Any]

PAGE = "docs/theory/staleness.md#clipping-radii"
CLIPPED = "a sample lies outside the clip range"
TABULAR = "the parameters are the logits of a softmax"
DISTANCE_KNOWN = "the policies part by at most L_1 per unit of parameter distance"
ROOT = math.sqrt(2.0)


@dataclass(frozen=True)
class Policies:
    """A sampler and a learner on the same answers, in rationals.

    The logits of the learner exceed those of the sampler by the logarithms of ``odds``, up to a
    constant. With features of a norm, parameters are by that much closer than the logits.
    """

    sampler: tuple[Fraction, ...]
    odds: tuple[Fraction, ...]
    clip_low: Fraction = Fraction(1, 5)
    clip_high: Fraction = Fraction(1, 5)
    length: int = 1
    feature_norm: Fraction = Fraction(1)
    arithmetic: Arithmetic = field(default=FLOATS, repr=False)

    @property
    def ratios(self) -> tuple[Fraction, ...]:
        """Importance ratio of each answer."""
        total = sum((p * w for p, w in zip(self.sampler, self.odds, strict=True)), Fraction(0))
        return tuple(w / total for w in self.odds)

    @property
    def clipped_share(self) -> Fraction:
        """Probability under the sampler of a ratio outside the clip range."""
        low, high = 1 - self.clip_low, 1 + self.clip_high
        chances = zip(self.sampler, self.ratios, strict=True)
        return sum((p for p, r in chances if not low <= r <= high), Fraction(0))

    @property
    def l1_distance(self) -> Fraction:
        """Sum of the absolute differences of the probabilities."""
        chances = zip(self.sampler, self.ratios, strict=True)
        return sum((p * abs(r - 1) for p, r in chances), Fraction(0))

    @property
    def effective_share(self) -> Fraction:
        """ESS over N of whole sequences of independent tokens, in the limit of many samples."""
        chances = zip(self.sampler, self.ratios, strict=True)
        return 1 / sum((p * r**2 for p, r in chances), Fraction(0)) ** self.length

    @property
    def clip_range(self) -> tuple[float, float]:
        """Both widths of the clip range, as floats."""
        return float(self.clip_low), float(self.clip_high)

    def distance(self) -> Any:
        """Distance of the parameters."""
        by = self.arithmetic
        logs = [by.log(by.number(w)) for w in self.odds]
        mean = sum(logs) / len(logs)
        spread = by.sqrt(sum((log - mean) ** 2 for log in logs))
        return by.result(spread / by.number(self.feature_norm))


def two_answers(share: Fraction, odds: Fraction, **options: Any) -> Policies:
    """The first of two answers has that share, and gains by the odds."""
    return Policies((share, 1 - share), (odds, Fraction(1)), **options)


NEARLY = Fraction(1, 10**10)
BARELY_UP = two_answers(NEARLY, Fraction(6, 5) + 10 * NEARLY)
FAR_FEATURES = two_answers(NEARLY, Fraction(5, 4), feature_norm=Fraction(10))
ALL_INSIDE = two_answers(Fraction(1, 2), Fraction(11, 10))


@claim(
    "staleness.radius.clip",
    statement=r"\exists y:\ r(y) \notin [1 - \epsilon_l, 1 + \epsilon_h] \ \Rightarrow\ "
    r"|\Delta| \ge \tfrac{1}{\sqrt2} \min(\log(1 + \epsilon_h), -\log(1 - \epsilon_l))",
    relation=Relation.AT_LEAST,
    source=Source.derived(PAGE),
    assumes={
        CLIPPED: lambda case: case.clipped_share > 0,
        TABULAR: lambda case: case.feature_norm == 1,
    },
    teeth={
        "10 % larger": lambda low, high: 1.1 * clip_radius(low, high),
        "widths for their logarithms": lambda low, high: min(low, high) / ROOT,
        "upper edge only": lambda _, high: clip_radius(1 - 1e-9, high),
        "score bound of one": lambda low, high: clip_radius(low, high, score_bound=1.0),
    },
    breaks={
        CLIPPED: Counterexample(ALL_INSIDE, "Close policies are close."),
        TABULAR: Counterexample(
            FAR_FEATURES, "Features of norm 10 turn a small step into a large one."
        ),
    },
    tight=Tight(BARELY_UP, 0.999999),
)
def clip_radius_holds(case: Policies, radius: Radius = clip_radius) -> Sides:
    """Within the clip radius no sample at all is clipped.

    Stated the other way round: where a ratio is outside the clip range, the learner is at least so
    far from the sampler.
    """
    return Sides(case.distance(), Fraction(float(radius(*case.clip_range))))


def clipped_share_from_below(case: Policies) -> float:
    """The clipped share as a float, rounded down so that its radius is not too large."""
    return math.nextafter(float(case.clipped_share), 0.0)


@claim(
    "staleness.radius.batch",
    statement=r"|\pi_\theta - \pi_\phi|_1 \ge \kappa\, \frac{2}{1/\epsilon_l + 1/\epsilon_h}, \quad"
    r"\kappa = P_\phi(r \notin [1 - \epsilon_l, 1 + \epsilon_h])",
    relation=Relation.AT_LEAST,
    source=Source.derived(PAGE),
    assumes={DISTANCE_KNOWN: lambda case: case.feature_norm == 1},
    teeth={
        "10 % larger": lambda *a, **k: 1.1 * batch_radius(*a, **k),
        "total variation for L1": lambda *a, **k: 2 * batch_radius(*a, **k),
    },
    breaks={
        DISTANCE_KNOWN: Counterexample(
            two_answers(Fraction(1, 2), Fraction(2), feature_norm=Fraction(10)),
            "Parameters that move the policy ten times as far.",
        )
    },
    tight=Tight(two_answers(Fraction(1, 2), Fraction(30001, 19999)), 0.9998),
)
def batch_radius_holds(case: Policies, radius: Radius = batch_radius) -> Sides:
    """Within the batch radius the expected share of clipped samples is at most kappa.

    Stated the other way round: the distance is at least the radius of the share that is clipped.
    It needs no more than the L1 distance, taken here as the distance of the parameters.
    """
    bound = radius(clipped_share_from_below(case), *case.clip_range, l1_constant=1.0)
    return Sides(case.l1_distance / case.feature_norm, Fraction(float(bound)))


@claim(
    "staleness.radius.softmax_batch",
    statement=r"|\Delta| \ge R(\kappa), \quad \kappa = P_\phi(r \notin [1 - \epsilon_l, "
    r"1 + \epsilon_h]) \le \frac{(x/(1 + \epsilon_h) - 1)_+ + (x - 1/(1 - \epsilon_l))_+}{x - 1}"
    r"\Big|_{x = e^{\sqrt2 R}}",
    relation=Relation.AT_LEAST,
    source=Source.derived(PAGE),
    assumes={
        CLIPPED: lambda case: case.clipped_share > 0,
        TABULAR: lambda case: case.feature_norm == 1,
    },
    teeth={
        "10 % larger": lambda *a: 1.1 * softmax_batch_radius(*a),
        "share not bounded by one": lambda share, _, high: (
            math.log((1 + high) / (1 - share * (1 + high))) / ROOT
        ),
    },
    breaks={
        CLIPPED: Counterexample(ALL_INSIDE, "Close policies are close."),
        TABULAR: Counterexample(
            FAR_FEATURES, "Features of norm 10 turn a small step into a large one."
        ),
    },
    tight=Tight(two_answers(Fraction(1, 8), Fraction(21, 17) + NEARLY), 0.999999),
)
def softmax_batch_radius_holds(case: Policies, radius: Radius = softmax_batch_radius) -> Sides:
    """Within its batch radius a tabular softmax has at most a share kappa of clipped samples.

    Sharp as long as ratios leave the range on one side only, and for small kappa about ten times
    the radius that the L1 distance alone gives.
    """
    bound = radius(clipped_share_from_below(case), *case.clip_range)
    return Sides(case.distance(), Fraction(float(bound)))


@claim(
    "staleness.radius.ess",
    statement=r"|\Delta| \ge \sqrt{\tfrac{2}{L} \log\tfrac1\rho}, \quad"
    r"\rho = \mathrm{ESS}/N = 1 / E_\phi r^2",
    relation=Relation.AT_LEAST,
    source=Source.derived(PAGE),
    assumes={TABULAR: lambda case: case.feature_norm == 1},
    teeth={
        "10 % larger": lambda *a: 1.1 * ess_radius(*a),
        "half the exponent": lambda share, length: ROOT * ess_radius(share, length),
        "length forgotten": lambda share, _: ess_radius(share),
    },
    breaks={
        TABULAR: Counterexample(
            two_answers(Fraction(1, 2), Fraction(3, 2), feature_norm=Fraction(10)),
            "Features of norm 10 turn a small step into a large one.",
        )
    },
    tight=Tight(two_answers(Fraction(1, 2), Fraction(1001, 1000)), 0.99999),
)
def ess_radius_holds(case: Policies, radius: Radius = ess_radius) -> Sides:
    """Within the ESS radius the effective share of samples is at least rho.

    Stated the other way round, for sequences of L tokens with full importance ratios.
    """
    share = min(math.nextafter(float(case.effective_share), 2.0), 1.0)
    return Sides(case.distance(), Fraction(float(radius(share, case.length))))
