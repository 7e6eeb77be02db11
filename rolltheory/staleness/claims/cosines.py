"""Claims about the cosine of consecutive gradients on fresh rollouts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rolltheory.claims import Counterexample, Relation, Sides, Source, Verdict, claim
from rolltheory.staleness.cosines import fresh_gradient_cosine_exact

__all__ = [
    "GradientLaw",
    "MeasuredGradients",
    "Stream",
    "cosine_law_of_fresh_gradients",
    "high_cosine_means_stale",
    "mean_of_cosines",
]

PAGE = "docs/theory/staleness.md#cosine-of-consecutive-gradients"
INDEPENDENT = "the batches share no rollouts"


@dataclass(frozen=True)
class GradientLaw:
    """The law of one batch's gradient: vectors with probabilities, in rationals or symbols.

    With ``shared`` rollouts both batches are one.
    """

    gradients: tuple[tuple[Any, ...], ...]
    chances: tuple[Any, ...]
    shared: bool = False

    def cosine(self) -> Any:
        """Mean inner product of two batches over the mean squared norm."""
        if self.shared:
            return Fraction(1)
        return self.signal / self.power

    @property
    def snr(self) -> Any:
        """Squared mean over the trace of the covariance."""
        return self.signal / (self.power - self.signal)

    @property
    def signal(self) -> Any:
        """Squared norm of the mean, as the mean inner product of two independent batches."""
        return sum(
            p * q * sum(a * b for a, b in zip(g, h, strict=True))
            for g, p in zip(self.gradients, self.chances, strict=True)
            for h, q in zip(self.gradients, self.chances, strict=True)
        )

    @property
    def power(self) -> Any:
        """Mean squared norm."""
        laws = zip(self.gradients, self.chances, strict=True)
        return sum(p * sum(a * a for a in g) for g, p in laws)

    def mean_cosine(self) -> Any:
        """Mean of the cosines themselves, for gradients of one coordinate other than 0."""
        sign = sum(p if g[0] > 0 else -p for g, p in zip(self.gradients, self.chances, strict=True))
        return sign**2


@dataclass(frozen=True)
class MeasuredGradients:
    """Simulated pairs of batches: both kinds of mean cosine, as intervals."""

    snr: Fraction
    ratio: Any
    mean: Any
    shared: bool = False

    def cosine(self) -> Any:
        """Mean inner product over the mean squared norm."""
        return self.ratio

    def mean_cosine(self) -> Any:
        """Mean of the cosines themselves."""
        return self.mean


@claim(
    "staleness.fresh_cosine.law",
    statement=r"\frac{E \langle g, g' \rangle}{E |g|^2} = \frac{SNR}{1 + SNR}, \quad"
    r"SNR = \frac{|E g|^2}{\operatorname{tr} \operatorname{Cov} g}",
    relation=Relation.EQUAL,
    source=Source.known("bias-variance decomposition of a batch gradient", PAGE),
    assumes={INDEPENDENT: lambda case: not case.shared},
    teeth={
        "signal to noise itself": lambda snr: snr,
        "always one half": lambda _: Fraction(1, 2),
        "squared": lambda snr: (snr / (1 + snr)) ** 2,
    },
    breaks={
        INDEPENDENT: Counterexample(
            GradientLaw(((Fraction(3),), (Fraction(-1),)), (Fraction(1, 2),) * 2, shared=True),
            "Minibatches of the same rollouts share their noise.",
        )
    },
)
def cosine_law_of_fresh_gradients(
    case: GradientLaw | MeasuredGradients, law: Callable[[Any], Any] = fresh_gradient_cosine_exact
) -> Sides:
    """The cosine of two fresh gradients measures the signal-to-noise ratio of a batch."""
    return Sides(case.cosine(), law(case.snr))


@claim(
    "staleness.fresh_cosine.mean_of_cosines",
    statement=r"E \frac{\langle g, g' \rangle}{|g|\,|g'|} = \frac{SNR}{1 + SNR}",
    relation=Relation.EQUAL,
    source=Source.known("the cosine law, read for the mean of the cosines"),
    assumes={},
    repairs={"ratio of means": lambda case: case.cosine()},
    declared=Verdict.REFUTED,
    repaired_by="staleness.fresh_cosine.law",
)
def mean_of_cosines(
    case: GradientLaw | MeasuredGradients,
    statistic: Callable[[Any], Any] = lambda case: case.mean_cosine(),
) -> Sides:
    """The mean of the logged cosines is SNR/(1 + SNR).

    Only in high dimension, where norms hardly vary. In one coordinate a cosine is a sign.
    """
    return Sides(statistic(case), fresh_gradient_cosine_exact(case.snr))


@dataclass(frozen=True)
class Stream:
    """Gradients of a run: the lag of its batches, their cosine, and their signal-to-noise ratio."""

    lag: int
    cosine: Any
    snr: Any


@claim(
    "staleness.fresh_cosine.high_means_stale",
    statement=r"\cos(g_t, g_{t+1}) > \tfrac12 \ \Rightarrow\ \text{the rollouts are stale}",
    relation=Relation.IMPLIES,
    source=Source.known("the alarm on cosines above one half"),
    assumes={},
    repairs={"stale, or little noise": lambda case: case.lag > 0 or case.snr > 1},
    declared=Verdict.REFUTED,
    repaired_by="staleness.fresh_cosine.law",
)
def high_cosine_means_stale(
    case: Stream, conclusion: Callable[[Stream], bool] = lambda case: case.lag > 0
) -> Sides:
    """A cosine of consecutive gradients above one half is a sign of staleness.

    Fresh gradients have it as soon as the batch is large enough: the signal-to-noise ratio of a
    batch is proportional to its size.
    """
    return Sides(case.cosine > Fraction(1, 2), conclusion(case))
