"""Claims about the staleness of distillation signals and about what caches keep of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

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
from rolltheory.staleness.distillation import (
    cached_reverse_kl_bias_exact,
    lumped_top_k_reverse_kl,
    top_k_reverse_kl,
)
from rolltheory.staleness.divergences import kl_divergence

__all__ = [
    "Bits",
    "CachedSignal",
    "Teacher",
    "TopK",
    "Visits",
    "cached_signal_bias_is_bounded",
    "cached_signal_is_biased",
    "exact_ratios_are_called_enough",
    "forward_signal_is_fresh",
    "lumped_top_k_is_a_lower_bound",
    "sampled_signal_has_this_variance",
    "top_k_forgets_the_tail",
    "top_k_is_called_a_lower_bound",
]

PAGE = "docs/theory/staleness.md#distillation"
Row = tuple[Any, ...]

ONE_STATE = "the states are visited as often as the learner visits them"
CORRECTED = "the sampled actions are corrected by exact ratios"
INDEPENDENT = "the cached samples are independent"


@dataclass(frozen=True)
class Teacher:
    """Learner, teacher and sampler in one state, as probabilities."""

    learner: Row
    teacher: Row
    sampler: Row

    def sampled_gradient(self) -> list[Any]:
        """Teacher-weighted minus-score of the learner, with actions drawn by the sampler."""
        rows = list(zip(self.sampler, self.teacher, strict=True))
        return [
            sum(q * (t / q) * (p - (a == j)) for a, (q, t) in enumerate(rows))
            for j, p in enumerate(self.learner)
        ]


@dataclass(frozen=True)
class Visits:
    """Two states, and how often the learner and the sampler visit the first."""

    states: tuple[Teacher, Teacher]
    learner: Fraction
    sampler: Fraction

    def average(self, gradient: Callable[[Teacher], list[Any]], first: Fraction) -> list[Any]:
        """Mean over states."""
        one, two = (gradient(state) for state in self.states)
        return [first * a + (1 - first) * b for a, b in zip(one, two, strict=True)]


def difference(case: Teacher) -> list[Any]:
    """Learner less teacher."""
    return [p - t for p, t in zip(case.learner, case.teacher, strict=True)]


LEANING = Teacher((Fraction(1, 2),) * 2, (Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 2),) * 2)
AGREEING = Teacher((Fraction(1, 2),) * 2, (Fraction(1, 2),) * 2, (Fraction(1, 2),) * 2)


@claim(
    "staleness.distillation.forward_kl_gradient",
    statement=r"\nabla_\theta KL(\pi_T \| \pi_\theta) = \pi_\theta - \pi_T\ \text{in each state,}"
    r"\ \text{whatever}\ \pi_\phi\ \text{sampled}",
    relation=Relation.EQUAL,
    source=Source.paper("2606.24143", "forward KL"),
    assumes={ONE_STATE: lambda case: case.learner == case.sampler},
    teeth={
        "the sampler in place of the learner": lambda case: [
            q - t for q, t in zip(case.sampler, case.teacher, strict=True)
        ],
        "the teacher less the learner": lambda case: [-part for part in difference(case)],
    },
    breaks={
        ONE_STATE: Counterexample(
            Visits((LEANING, AGREEING), Fraction(1, 2), Fraction(1, 4)),
            "Staleness enters through the states that the sampler visits.",
        )
    },
)
def forward_signal_is_fresh(
    case: Visits, gradient: Callable[[Teacher], list[Any]] = difference
) -> Sides:
    """A forward-KL signal is fresh in every state, however old the sampler."""
    left = case.average(Teacher.sampled_gradient, case.sampler)
    return Sides(left, case.average(gradient, case.learner))


@dataclass(frozen=True)
class CachedSignal:
    """The learner's probabilities, and its displacement theta - phi since it sampled.

    log phi - log theta is minus the displacement up to a constant, ``normaliser``. ``teacher_gap``
    is log theta - log teacher. Actions are drawn by ``drawn`` and not corrected, if it is given.
    """

    learner: tuple[Fraction, ...]
    displacement: tuple[Fraction, ...]
    teacher_gap: tuple[Fraction, ...]
    normaliser: Fraction = Fraction(1, 3)
    drawn: tuple[Fraction, ...] | None = None

    def gradient(self, signal: Sequence[Fraction], chances: Sequence[Fraction]) -> list[Fraction]:
        """Mean over actions of score times signal."""
        mean = sum((q * x for q, x in zip(chances, signal, strict=True)), Fraction(0))
        rows = zip(self.learner, chances, signal, strict=True)
        return [q * x - p * mean for p, q, x in rows]

    def cached(self) -> list[Fraction]:
        """log phi - log teacher."""
        rows = zip(self.displacement, self.teacher_gap, strict=True)
        return [self.normaliser - d + gap for d, gap in rows]

    def bias(self) -> list[Fraction]:
        """Gradient with the cached signal, less the true gradient of the reverse KL."""
        stale = self.gradient(self.cached(), self.drawn or self.learner)
        fresh = self.gradient(self.teacher_gap, self.learner)
        return [a - b for a, b in zip(stale, fresh, strict=True)]


def turned(learner: Any, displacement: Any) -> list[Any]:
    """The bias with its sign swapped."""
    return [-part for part in cached_reverse_kl_bias_exact(learner, displacement)]


def diagonal(learner: Any, displacement: Any) -> list[Any]:
    """Without the outer product of the Fisher information."""
    return [-p * d for p, d in zip(learner, displacement, strict=True)]


HALVES = (Fraction(1, 2), Fraction(1, 2))
APART = (Fraction(1), Fraction(-1))
FLAT = (Fraction(0), Fraction(0))


@claim(
    "staleness.distillation.cached_reverse_kl_bias",
    statement=r"E_\theta\Big[s \log\frac{\pi_\phi}{\pi_T}\Big] - \nabla KL(\pi_\theta \| \pi_T)"
    r" = -F(\theta)(\theta - \phi), \quad F = \mathrm{diag}(\pi_\theta) - \pi_\theta\pi_\theta^T",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={CORRECTED: lambda case: case.drawn is None},
    teeth={
        "sign swapped": turned,
        "the diagonal of the Fisher information alone": diagonal,
        "half of it": lambda p, d: [part / 2 for part in cached_reverse_kl_bias_exact(p, d)],
    },
    breaks={
        CORRECTED: Counterexample(
            CachedSignal(HALVES, APART, FLAT, drawn=(Fraction(1, 4), Fraction(3, 4))),
            "Without ratios the sampler's actions add a bias of their own.",
        )
    },
)
def cached_signal_is_biased(case: CachedSignal, bias: Any = cached_reverse_kl_bias_exact) -> Sides:
    """A reverse-KL signal cached at rollout time is biased by a Fisher step.

    Even with exact ratios; the teacher plays no part.
    """
    return Sides(case.bias(), bias(case.learner, case.displacement))


@claim(
    "staleness.distillation.cached_reverse_kl_bound",
    statement=r"|F(\theta)(\theta - \phi)|^2 \le \tfrac14 |\theta - \phi|^2",
    relation=Relation.AT_MOST,
    source=Source.derived(PAGE),
    assumes={CORRECTED: lambda case: case.drawn is None},
    teeth={
        "10 % smaller": lambda square: square * 81 / 400,
        "a quarter, the largest entry of F": lambda square: square / 16,
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    breaks={
        CORRECTED: Counterexample(
            CachedSignal(
                HALVES, FLAT, (Fraction(4), Fraction(0)), drawn=(Fraction(1, 4), Fraction(3, 4))
            ),
            "Uncorrected actions bias the gradient without any displacement.",
        )
    },
    tight=Tight(CachedSignal(HALVES, APART, FLAT)),
)
def cached_signal_bias_is_bounded(
    case: CachedSignal, bound: Any = lambda square: square / 4
) -> Sides:
    """The bias of a cached reverse-KL signal is at most half the displacement of the logits."""
    square = sum((part * part for part in case.bias()), Fraction(0))
    return Sides(square, bound(sum((d * d for d in case.displacement), Fraction(0))))


@claim(
    "staleness.distillation.exact_ratios_suffice",
    statement=r"E_\theta\Big[s \log\frac{\pi_\phi}{\pi_T}\Big] = \nabla KL(\pi_\theta \| \pi_T)"
    r"\ \text{with exact ratios}",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={},
    repairs={"the signal recomputed": lambda case: case.teacher_gap},
    declared=Verdict.REFUTED,
    repaired_by="staleness.distillation.cached_reverse_kl_bias",
)
def exact_ratios_are_called_enough(
    case: CachedSignal, signal: Callable[[CachedSignal], Any] = CachedSignal.cached
) -> Sides:
    """Exact importance ratios make a cached reverse-KL signal unbiased.

    False: the signal itself depends on the policy and must be recomputed.
    """
    fresh = case.gradient(case.teacher_gap, case.learner)
    return Sides(case.gradient(signal(case), case.learner), fresh)


@dataclass(frozen=True)
class TopK:
    """Learner and teacher as probabilities, the learner's likeliest action first, and k."""

    learner: tuple[Fraction, ...]
    teacher: tuple[Fraction, ...]
    k: int

    @property
    def log_policies(self) -> tuple[Any, Any]:
        """Log-probabilities."""
        return np.log(np.array(self.learner, float)), np.log(np.array(self.teacher, float))


@claim(
    "staleness.distillation.lumped_top_k",
    statement=r"\sum_{a \le k} \pi_\theta \log\frac{\pi_\theta}{\pi_T} + \pi_\theta(rest)"
    r" \log\frac{\pi_\theta(rest)}{\pi_T(rest)} \le KL(\pi_\theta \| \pi_T)",
    relation=Relation.AT_MOST,
    source=Source.known("log-sum inequality"),
    assumes={},
    teeth={
        "the tail dropped": top_k_reverse_kl,
        "10 % larger": lambda p, q, k: 1.1 * lumped_top_k_reverse_kl(p, q, k),
    },
    tight=Tight(
        TopK(
            (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)),
            (Fraction(1, 4), Fraction(1, 4), Fraction(1, 2)),
            2,
        ),
        1 - 1e-12,
    ),
)
def lumped_top_k_is_a_lower_bound(case: TopK, value: Any = lumped_top_k_reverse_kl) -> Sides:
    """Top-k reverse KL with all other actions lumped into one is a lower bound."""
    learner, teacher = case.log_policies
    return Sides(float(value(learner, teacher, case.k)), float(kl_divergence(learner, teacher)))


@claim(
    "staleness.distillation.top_k_lower_bound",
    statement=r"\sum_{a \le k} \pi_\theta \log\frac{\pi_\theta}{\pi_T} \le KL(\pi_\theta \| \pi_T)",
    relation=Relation.AT_MOST,
    source=Source.derived(PAGE),
    assumes={},
    repairs={"the tail lumped into one action": lumped_top_k_reverse_kl},
    declared=Verdict.REFUTED,
    repaired_by="staleness.distillation.lumped_top_k",
)
def top_k_is_called_a_lower_bound(case: TopK, value: Any = top_k_reverse_kl) -> Sides:
    """A reverse KL summed over the top k actions can only miss some of it.

    False: terms are negative where the teacher likes an action better, so it can exceed the full
    value.
    """
    learner, teacher = case.log_policies
    return Sides(float(value(learner, teacher, case.k)), float(kl_divergence(learner, teacher)))


@dataclass(frozen=True)
class Bits:
    """Policies whose probabilities are powers of 1/2, given by the powers; m cached samples, or k.

    Logarithms are whole bits, so everything is rational. ``copied``: one sample m times over.
    """

    learner: tuple[int, ...]
    teacher: tuple[int, ...]
    count: int = 1
    copied: bool = False

    @property
    def terms(self) -> list[tuple[Fraction, Fraction]]:
        """Probability and log-ratio of each action, the learner's likeliest first."""
        rows = sorted(zip(self.learner, self.teacher, strict=True))
        return [(Fraction(1, 2**p), Fraction(q - p)) for p, q in rows]

    def full(self) -> Fraction:
        """Reverse KL in bits."""
        return sum((p * x for p, x in self.terms), Fraction(0))

    def variance(self) -> Fraction:
        """Of one sample's log-ratio."""
        return sum((p * (x - self.full()) ** 2 for p, x in self.terms), Fraction(0))

    def of_means(self) -> tuple[Fraction, Fraction]:
        """Mean and variance of the average of all samples, over every outcome."""
        draws = 1 if self.copied else self.count
        outcomes = [
            (math.prod(p for p, _ in path), sum(x for _, x in path) / Fraction(draws))
            for path in product(self.terms, repeat=draws)
        ]
        mean = sum((p * x for p, x in outcomes), Fraction(0))
        return mean, sum((p * (x - mean) ** 2 for p, x in outcomes), Fraction(0))


def tail(case: Bits) -> Fraction:
    """Terms after the first k."""
    return sum((p * x for p, x in case.terms[case.count :]), Fraction(0))


@claim(
    "staleness.distillation.top_k_bias",
    statement=r"\sum_{a \le k} \pi_\theta \log\frac{\pi_\theta}{\pi_T} - KL(\pi_\theta \| \pi_T)"
    r" = -\sum_{a > k} \pi_\theta \log\frac{\pi_\theta}{\pi_T}",
    relation=Relation.EQUAL,
    source=Source.paper("2606.24143", "finite caches"),
    assumes={},
    teeth={"the tail with its sign swapped": tail, "no bias": lambda _: Fraction(0)},
)
def top_k_forgets_the_tail(
    case: Bits, bias: Callable[[Bits], Fraction] = lambda case: -tail(case)
) -> Sides:
    """The bias of a top-k reverse KL is minus the sum of the forgotten terms, of either sign."""
    kept = sum((p * x for p, x in case.terms[: case.count]), Fraction(0))
    return Sides(kept - case.full(), bias(case))


@claim(
    "staleness.distillation.sampled_variance",
    statement=r"E\, \bar x_m = KL(\pi_\theta \| \pi_T), \quad \mathrm{Var}\, \bar x_m"
    r" = \frac1m \mathrm{Var}_\theta \log\frac{\pi_\theta}{\pi_T}",
    relation=Relation.EQUAL,
    source=Source.paper("2606.24143", "finite caches"),
    assumes={INDEPENDENT: lambda case: not case.copied},
    teeth={
        "no reduction": lambda variance, _: variance,
        "m squared": lambda variance, m: variance / m**2,
    },
    breaks={
        INDEPENDENT: Counterexample(
            Bits((1, 1), (2, 1), 2, copied=True), "Copies of one sample average nothing out."
        )
    },
)
def sampled_signal_has_this_variance(
    case: Bits, law: Any = lambda variance, m: variance / m
) -> Sides:
    """m cached samples estimate the reverse KL without bias, with variance Var/m."""
    return Sides(case.of_means(), (case.full(), law(case.variance(), case.count)))
