"""Claims about exact risks: where they are known, where others fail, and what has no tail."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from rolltheory.claims import Relation, Sides, Source, Verdict, claim
from rolltheory.dimension.claims.elementary import PAGE
from rolltheory.dimension.classes import HypothesisClass
from rolltheory.dimension.exact_risk import (
    exact_failure_probability,
    exact_risk,
    worst_consistent_risk,
)
from rolltheory.dimension.families import star
from rolltheory.dimension.learners import Answer, Learner, OneInclusionLearner, Sample
from rolltheory.dimension.local_families import needle, one_hot_tasks
from rolltheory.dimension.rollout import rollout_class
from rolltheory.dimension.sample_complexity import failure_probability_bound

__all__ = [
    "FreeBits",
    "Needle",
    "SumRule",
    "erm_pays_for_the_graph_dimension",
    "free_bits_cost_the_same_at_any_length",
    "one_learner_has_no_tail",
]


@dataclass(frozen=True)
class FreeBits:
    """One free bit for each prompt, repeated to a trace of some length; the number of samples."""

    bits: int
    steps: int
    samples: int


def unseen_and_guessed(case: FreeBits) -> Fraction:
    """The prompt is new, and half of the targets differ."""
    return (1 - Fraction(1, case.bits)) ** case.samples / 2


@claim(
    "dimension.one_inclusion.free_bits",
    statement=r"\frac{1}{|H|} \sum_y R_m(y) = \frac12 \Bigl(1 - \frac1d\Bigr)^m \quad"
    r" \text{for every } T",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#learning"),
    assumes={},
    teeth={
        "errors of tokens add up": lambda case: 1 - (1 - unseen_and_guessed(case)) ** case.steps,
        "one sample more": lambda case: unseen_and_guessed(case) * (1 - Fraction(1, case.bits)),
        "every guess is wrong": lambda case: 2 * unseen_and_guessed(case),
    },
)
def free_bits_cost_the_same_at_any_length(
    case: FreeBits, risk: Callable[[FreeBits], Fraction] = unseen_and_guessed
) -> Sides:
    """The mean risk over all targets, for d prompts with a free bit each and uniform draws.

    The loss is 1 unless the whole trace is right; still its length does not count.
    """
    family = one_hot_tasks(case.bits)
    learner = OneInclusionLearner(rollout_class(family.local, family.prompts, steps=case.steps))
    return Sides(mean_risk(learner, case.samples), risk(case))


def mean_risk(learner: Learner, samples: int) -> Fraction:
    """The exact risk, averaged over all targets."""
    rows = learner.hypotheses.rows
    return sum((exact_risk(learner, row, samples=samples) for row in rows), Fraction(0)) / len(rows)


@cache
def needle_traces(prompts: int) -> HypothesisClass:
    """All traces of the needle, which needs 2^n - 1 tokens."""
    family = needle(prompts)
    return rollout_class(family.local, family.prompts, steps=2**prompts - 1)


@dataclass(frozen=True)
class Needle:
    """How many prompts, and how many samples."""

    prompts: int
    samples: int


@claim(
    "dimension.erm.needle",
    statement=r"\sup_{\text{ties}} E\,\mathrm{err}(\mathrm{ERM}) = \Bigl(1 - \frac1n\Bigr)^m, \quad"
    r" \mathrm{DS}(\mathrm{Roll}) = 1",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#learning"),
    assumes={},
    teeth={
        "what one inclusion has": lambda n, m: min(Fraction(n - 1, n), Fraction(1, m + 1)),
        "one sample more": lambda n, m: (1 - Fraction(1, n)) ** (m + 1),
        "half": lambda n, m: (1 - Fraction(1, n)) ** m / 2,
    },
)
def erm_pays_for_the_graph_dimension(
    case: Needle,
    risk: Callable[[int, int], Fraction] = lambda n, m: (1 - Fraction(1, n)) ** m,
) -> Sides:
    """The worst hypothesis that agrees with the sample is wrong wherever it has not been.

    The target writes only zeros. The DS dimension of the traces is 1, so one inclusion errs at most
    1 / (m + 1); but their graph dimension is n, the logarithm of their length.
    """
    traces = needle_traces(case.prompts)
    zero = traces.rows[0]
    found = worst_consistent_risk(traces, zero, samples=case.samples)
    return Sides(found, risk(case.prompts, case.samples))


@dataclass(frozen=True)
class SumRule:
    """Half as many samples as prompts, or fewer: the rule below learns a star from them."""

    prompts: int
    samples: int

    @property
    def error(self) -> Fraction:
        """What is wrong at least, when the rule fails."""
        return 1 - Fraction(self.samples, self.prompts)


class SumLearner(Learner):
    """A one-inclusion learner of a star that is wrong everywhere when the prompts sum to 0.

    Of the lines through the zero function, that of prompt x has the other end for a head if x is
    the sum of all prompts modulo their number, so at most one line has.
    """

    def answer(self, sample: Sample, column: int) -> Answer:
        """The head of the line; codes are 0 for the zero function."""
        labels = dict(sample)
        if column in labels:
            return {labels[column]: Fraction(1)}
        zero = not any(labels.values())
        total = sum(c for c, _ in sample) % len(self.hypotheses.points)
        return {int(zero and total == 0): Fraction(1)}


def probability_of_failure(case: SumRule) -> Fraction:
    """That the sum of uniform prompts is 0 modulo their number: the first one makes it uniform."""
    if case.samples > 4:
        return Fraction(1, case.prompts)
    learner, level = SumLearner(star(case.prompts)), case.error - Fraction(1, 2 * case.prompts)
    zero: Sequence[int] = [0] * case.prompts
    return exact_failure_probability(learner, zero, error=level, samples=case.samples)


@claim(
    "dimension.one_inclusion.tail",
    statement=r"P(\mathrm{err} \ge \varepsilon) \le 2 \exp\Bigl(-\frac{e - 1}{8e}"
    r" (\varepsilon m - 4e \ln 2\; p)\Bigr)",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#not-true"),
    assumes={},
    repairs={
        "Markov's": lambda case: min(Fraction(1), 1 / (case.error * (case.samples + 1))),
    },
    declared=Verdict.REFUTED,
    repaired_by="dimension.vote.tail",
)
def one_learner_has_no_tail(
    case: SumRule,
    tail: Callable[[SumRule], Fraction] = lambda case: Fraction(
        failure_probability_bound(1, case.samples, error=float(case.error))
    ),
) -> Sides:
    """A one-inclusion learner has the tail of the vote of its prefixes.

    False: its mistakes can gather on few samples. On a star of N prompts there is an orientation of
    out-degree 1 with which N / 2 samples leave an error of one half with probability 1 / N, which
    no exponential allows (known: arXiv:2212.09270).
    """
    return Sides(probability_of_failure(case), tail(case))
