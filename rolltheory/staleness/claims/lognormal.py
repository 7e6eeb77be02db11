"""Claims about truncated log-normal weights: what a logged mean says, and what it does not."""

from __future__ import annotations

import math
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
from rolltheory.staleness.lognormal import masked_lognormal_mean, truncated_lognormal_mean

__all__ = [
    "Lengths",
    "Lognormal",
    "deflation_is_called_drift",
    "truncated_mean_falls",
    "truncated_mean_is_known",
]

PAGE = "docs/theory/staleness.md#truncated-weights"
MEAN_ONE = "the weights have mean 1: their log has mean -v/2"
UNEQUAL = "the second log-variance is the larger"


@dataclass(frozen=True)
class Lognormal:
    """A weight exp(sqrt(v) Z - v/2 + shift) with Z standard normal, and its cap."""

    log_variance: Fraction
    cap: Fraction
    shift: float = 0.0

    def mean_by_quadrature(self) -> float:
        """Mean of the truncated weight."""
        from scipy.integrate import quad

        root = math.sqrt(self.log_variance)

        def weighted(z: float) -> float:
            weight = math.exp(min(root * z - root * root / 2 + self.shift, 700.0))
            return min(weight, float(self.cap)) * math.exp(-z * z / 2) / math.sqrt(2 * math.pi)

        edge = (math.log(self.cap) - self.shift) / root + root / 2
        inside = min(max(edge, -12.0), 12.0)
        return float(quad(weighted, -12, inside)[0] + quad(weighted, inside, 12)[0])


def uncentred(log_variance: Any, cap: Any) -> float:
    """The formula for a log with mean 0."""
    from scipy.special import ndtr

    root = math.sqrt(log_variance)
    d = math.log(cap) / root
    return float(math.exp(log_variance / 2) * ndtr(d - root) + cap * ndtr(-d))


def unshifted(log_variance: Any, cap: Any) -> float:
    """N(d) in place of N(d - sqrt v)."""
    from scipy.special import ndtr

    root = math.sqrt(log_variance)
    d = math.log(cap) / root + root / 2
    return float(ndtr(d) + cap * ndtr(-d))


@claim(
    "staleness.lognormal.truncated_mean",
    statement=r"E \min(W, C) = N(d - \sqrt v) + C (1 - N(d)),"
    r"\quad d = \frac{\ln C + v/2}{\sqrt v}, \quad \ln W \sim N(-v/2, v)",
    relation=Relation.EQUAL,
    source=Source.known("truncated log-normal mean"),
    assumes={MEAN_ONE: lambda case: case.shift == 0},
    teeth={
        "the mask's formula": masked_lognormal_mean,
        "a log with mean 0": uncentred,
        "N(d) not shifted": unshifted,
    },
    breaks={
        MEAN_ONE: Counterexample(
            Lognormal(Fraction(1), Fraction(3), shift=0.5), "With mean 1.65 the formula is off."
        )
    },
)
def truncated_mean_is_known(case: Lognormal, mean: Any = truncated_lognormal_mean) -> Sides:
    """The mean of a truncated log-normal weight with mean 1."""
    return Sides(case.mean_by_quadrature(), float(mean(float(case.log_variance), float(case.cap))))


@dataclass(frozen=True)
class Lengths:
    """Sequences of two lengths whose tokens have one log-variance, and a cap."""

    token_variance: Fraction
    shorter: int
    longer: int
    cap: Fraction = Fraction(3)


@claim(
    "staleness.lognormal.deflation",
    statement=r"E \min(W_{L'}, C) \le E \min(W_L, C), \quad L' > L,\ \ln W_L \sim N(-vL/2, vL):"
    r"\ \text{truncation deflates longer sequences}",
    relation=Relation.AT_MOST,
    source=Source.derived(PAGE),
    assumes={UNEQUAL: lambda case: case.longer > case.shorter},
    teeth={"a log with mean 0": uncentred, "direction swapped": Tooth(relation=Relation.AT_LEAST)},
    breaks={
        UNEQUAL: Counterexample(Lengths(Fraction(1), 2, 1), "A shorter sequence is deflated less.")
    },
    tight=Tight(Lengths(Fraction(1, 100), 1, 2), at_least=Fraction(999, 1000)),
)
def truncated_mean_falls(case: Lengths, mean: Any = truncated_lognormal_mean) -> Sides:
    """The truncated mean of a summed log-ratio falls with the length, with no change of policy."""
    v, cap = float(case.token_variance), float(case.cap)
    return Sides(float(mean(v * case.longer, cap)), float(mean(v * case.shorter, cap)))


def truncated_sum(token_variance: float, length: int, cap: float) -> float:
    """Truncated mean of the sequence ratio."""
    return float(truncated_lognormal_mean(token_variance * length, cap))


def mean_log_ratio(token_variance: float, length: int, cap: float) -> float:  # noqa: ARG001
    """Mean log-ratio per token, -v/2 when the ratio has mean 1."""
    return -token_variance / 2


@claim(
    "staleness.lognormal.mean_shows_drift",
    statement=r"E \min(W_L, C)\ \text{depends on the mismatch of tokens, not on}\ L",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={},
    repairs={"mean log-ratio per token": mean_log_ratio},
    declared=Verdict.REFUTED,
    repaired_by="staleness.lognormal.deflation",
)
def deflation_is_called_drift(case: Lengths, statistic: Any = truncated_sum) -> Sides:
    """A sequence ratio whose logged mean falls shows that the policies have moved apart.

    False for the truncated mean of the summed form, which falls as responses grow: at the same
    mismatch per token it is 0.89 for v L = 1 and 0.51 for v L = 4, with C = 3.
    """
    v, cap = float(case.token_variance), float(case.cap)
    return Sides(statistic(v, case.shorter, cap), statistic(v, case.longer, cap))
