"""Claims about rejecting and dropping samples, and about agreement in the lower tail."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from rolltheory.claims import (
    Counterexample,
    Relation,
    Sides,
    Source,
    Tight,
    Tooth,
    Unbroken,
    Verdict,
    claim,
)
from rolltheory.staleness.selection import (
    accepted_mean_exact,
    lower_tail_agreement_exact,
    lower_tail_range_exact,
    selection_bias_exact,
)

__all__ = [
    "Agreement",
    "Kept",
    "Rejected",
    "TwoAgreements",
    "dropping_is_called_harmless",
    "dropping_moves_the_mean",
    "dropping_moves_the_mean_by_little",
    "mean_leaves_the_tail_open",
    "rejection_targets_the_accepted_mean",
    "tail_separates_equal_means",
]

PAGE = "docs/theory/staleness.md#selection"
Row = tuple[Fraction, ...]

SEQUENCE_WEIGHT = "samples carry the full sequence weight, discrepancy times staleness"
SOME_KEPT = "something is kept"
IN_RANGE = "the values span at most the stated range"


@dataclass(frozen=True)
class Rejected:
    """Two binary tokens under learner, dense trainer and sparse sampler; a rejection threshold.

    A policy is P(token 0) at each of the two positions. ``weigh`` maps the tokens' discrepancies
    and stalenesses to the weight of the sequence.
    """

    learner: Row
    dense: Row
    sparse: Row
    threshold: Fraction
    weigh: str = "sequence"

    def estimate(self) -> Fraction:
        """What weighted accepted samples average to, rejected ones counting as zero."""
        total = Fraction(0)
        for y, accepted, value in self.sequences():
            now, old, drawn = (
                chances(policy, y) for policy in (self.learner, self.dense, self.sparse)
            )
            staleness = prod(a / b for a, b in zip(now, old, strict=True))
            discrepancy = prod(a / b for a, b in zip(old, drawn, strict=True))
            weight = staleness * (discrepancy if self.weigh == "sequence" else 1)
            total += prod(drawn) * weight * value * accepted
        return total

    def sequences(self) -> list[tuple[tuple[int, ...], bool, Fraction]]:
        """Each sequence, whether it is accepted, and the function's value."""
        rows = []
        for place, y in enumerate(product((0, 1), repeat=2)):
            pairs = zip(chances(self.dense, y), chances(self.sparse, y), strict=True)
            rows.append((y, all(a / b >= self.threshold for a, b in pairs), Fraction(1 + place)))
        return rows

    def target(self, mean: Callable[[Sequence[Any], Sequence[Any], Sequence[Any]], Any]) -> Any:
        """A mean of learner probabilities, acceptances and values."""
        rows = self.sequences()
        weights = [prod(chances(self.learner, y)) for y, _, _ in rows]
        return mean(weights, [int(a) for _, a, _ in rows], [f for _, _, f in rows])


def chances(policy: Row, response: Sequence[int]) -> list[Fraction]:
    """Of each token of a response."""
    return [p if token == 0 else 1 - p for p, token in zip(policy, response, strict=True)]


def plain_mean(weights: Sequence[Any], _: Sequence[Any], values: Sequence[Any]) -> Any:
    """As if nothing were rejected."""
    return accepted_mean_exact(weights, [1] * len(weights), values)


def conditional_mean(weights: Sequence[Any], kept: Sequence[Any], values: Sequence[Any]) -> Any:
    """The mean among accepted sequences."""
    share = accepted_mean_exact(weights, kept, [1] * len(weights))
    return accepted_mean_exact(weights, kept, values) / share if share else Fraction(0)


SPARSE = (Fraction(1, 4), Fraction(1, 2))
EVEN = (Fraction(1, 2), Fraction(1, 2))


@claim(
    "staleness.selection.rejection_target",
    statement=r"E_{sparse}\Big[\prod_t \xi_t w_t\, f\, 1\{\text{accepted}\}\Big]"
    r" = E_\theta[f\, 1\{\text{accepted}\}]",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={SEQUENCE_WEIGHT: lambda case: case.weigh == "sequence"},
    teeth={"the learner's mean": plain_mean, "the mean among the accepted": conditional_mean},
    breaks={
        SEQUENCE_WEIGHT: Counterexample(
            Rejected(EVEN, EVEN, SPARSE, Fraction(1, 10), weigh="staleness alone"),
            "Without the discrepancy the sparse sampler's own mean is estimated.",
        )
    },
)
def rejection_targets_the_accepted_mean(case: Rejected, mean: Any = accepted_mean_exact) -> Sides:
    """After sequence rejection, full weights estimate the learner's mean over accepted sequences.

    The function is 0 on the others, so this is not the learner's mean.
    """
    return Sides(case.estimate(), case.target(mean))


@dataclass(frozen=True)
class Kept:
    """Prompts with their weights, the chance that each one's group is kept, and a value."""

    weights: Row
    kept: Row
    values: Row
    value_range: Fraction = Fraction(1)

    def kept_mean(self) -> Fraction:
        """Mean value over kept groups."""
        parts = [w * a for w, a in zip(self.weights, self.kept, strict=True)]
        total = sum((p * f for p, f in zip(parts, self.values, strict=True)), Fraction(0))
        return total / sum(parts, Fraction(0))

    def mean(self) -> Fraction:
        """Mean value over all prompts."""
        return sum((w * f for w, f in zip(self.weights, self.values, strict=True)), Fraction(0))

    def kept_share(self) -> Fraction:
        """Of the groups."""
        return sum((w * a for w, a in zip(self.weights, self.kept, strict=True)), Fraction(0))


def is_kept(case: Kept) -> bool:
    """Whether anything is."""
    return case.kept_share() > 0


NOTHING = "with nothing kept there is no mean to speak of"


@claim(
    "staleness.selection.dropping_bias",
    statement=r"E[f \mid \text{kept}] - E f = \frac{\mathrm{Cov}(a, f)}{E a},"
    r"\quad a = P(\text{kept} \mid \text{prompt})",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={SOME_KEPT: is_kept},
    teeth={
        "no bias": lambda *_: Fraction(0),
        "the covariance alone": lambda w, a, f: (
            selection_bias_exact(w, a, f) * accepted_mean_exact(w, a, [1] * len(w))
        ),
    },
    breaks={SOME_KEPT: Unbroken(NOTHING)},
)
def dropping_moves_the_mean(case: Kept, bias: Any = selection_bias_exact) -> Sides:
    """Dropping groups moves the mean by the covariance of keeping with the value."""
    return Sides(case.kept_mean() - case.mean(), bias(case.weights, case.kept, case.values))


@claim(
    "staleness.selection.dropping_bias_bound",
    statement=r"|E[f \mid \text{kept}] - E f| \le d\,(\sup f - \inf f), \quad d = 1 - E a",
    relation=Relation.AT_MOST,
    source=Source.derived(PAGE),
    assumes={
        SOME_KEPT: is_kept,
        IN_RANGE: lambda case: max(case.values) - min(case.values) <= case.value_range,
    },
    teeth={
        "10 % smaller": lambda dropped, span: dropped * span * 9 / 10,
        "times the kept share": lambda dropped, span: dropped * (1 - dropped) * span,
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    breaks={
        SOME_KEPT: Unbroken(NOTHING),
        IN_RANGE: Counterexample(
            Kept(EVEN, (Fraction(1), Fraction(0)), (Fraction(3), Fraction(0))),
            "Values are wider apart than stated.",
        ),
    },
    tight=Tight(Kept(EVEN, (Fraction(1), Fraction(0)), (Fraction(1), Fraction(0)))),
)
def dropping_moves_the_mean_by_little(
    case: Kept, bound: Any = lambda dropped, span: dropped * span
) -> Sides:
    """Dropping a share of the groups moves a mean by at most that share of the values' range."""
    shift = abs(case.kept_mean() - case.mean())
    return Sides(shift, bound(1 - case.kept_share(), case.value_range))


def inverse_weighted_mean(case: Kept) -> Fraction:
    """Each kept group weighted by one over its chance to be kept."""
    rows = zip(case.weights, case.kept, case.values, strict=True)
    return sum((w * a * (f / a) for w, a, f in rows), Fraction(0))


@claim(
    "staleness.selection.dropping_is_harmless",
    statement=r"E[f \mid \text{kept}] = E f\ \text{when stale groups are dropped}",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={"every prompt has a chance to be kept": lambda case: min(case.kept) > 0},
    repairs={"weighted by one over the chance to be kept": inverse_weighted_mean},
    breaks={
        "every prompt has a chance to be kept": Counterexample(
            Kept(EVEN, (Fraction(1), Fraction(0)), (Fraction(1), Fraction(0)))
        )
    },
    declared=Verdict.REFUTED,
    repaired_by="staleness.selection.dropping_bias",
)
def dropping_is_called_harmless(
    case: Kept, mean: Callable[[Kept], Fraction] = Kept.kept_mean
) -> Sides:
    """Dropping stale groups only costs samples, the data stay what they were.

    False unless every prompt is kept equally often: slow prompts starve.
    """
    return Sides(mean(case), case.mean())


@dataclass(frozen=True)
class Agreement:
    """Per-token agreements of a sparse sampler with its dense model, and a quantile's level."""

    values: Row
    quantile: Fraction = Fraction(1, 20)

    @property
    def mean(self) -> Fraction:
        """Of the tokens."""
        return sum(self.values, Fraction(0)) / len(self.values)

    @property
    def tail(self) -> Fraction:
        """The lower quantile."""
        return lower_tail_agreement_exact(self.values, quantile=self.quantile)


def within_a_tenth(mean: Fraction, *, quantile: Fraction) -> tuple[Fraction, Fraction]:  # noqa: ARG001
    """As if the tail followed the mean."""
    return mean - Fraction(1, 10), mean + Fraction(1, 10)


@claim(
    "staleness.selection.lower_tail_range",
    statement=r"\max\Big(0, \frac{m - (1 - \alpha)}{\alpha}\Big) \le q_\alpha"
    r" \le \min\Big(1, \frac{m}{1 - \alpha}\Big):"
    r"\ \text{all that a mean}\ m\ \text{says of the lower quantile}",
    relation=Relation.IMPLIES,
    source=Source.derived(PAGE),
    assumes={},
    teeth={
        "the tail is at most the mean": lambda mean, *, quantile: (
            lower_tail_range_exact(mean, quantile=quantile)[0],
            mean,
        ),
        "the tail follows the mean": within_a_tenth,
        "a tail half as wide": lambda mean, *, quantile: (
            lower_tail_range_exact(mean, quantile=2 * quantile)[0],
            Fraction(1),
        ),
    },
)
def mean_leaves_the_tail_open(case: Agreement, limits: Any = lower_tail_range_exact) -> Sides:
    """A mean agreement of 0.95 leaves the fifth percentile anywhere in [0, 1]."""
    low, high = limits(case.mean, quantile=case.quantile)
    return Sides(True, low <= case.tail <= high)


@dataclass(frozen=True)
class TwoAgreements:
    """Two samplers' per-token agreements."""

    first: Agreement
    second: Agreement


def median(case: Agreement) -> Fraction:
    """The middle agreement."""
    return lower_tail_agreement_exact(case.values, quantile=Fraction(1, 2))


@claim(
    "staleness.selection.tail_separates",
    statement=r"m = m',\ q_{5\%} \ne q'_{5\%} \Rightarrow"
    r" \text{the diagnostic tells the samplers apart}",
    relation=Relation.IMPLIES,
    source=Source.paper("2606.08446", "lower-tail agreement"),
    assumes={},
    teeth={"the mean": lambda case: case.mean, "the median": median},
)
def tail_separates_equal_means(
    case: TwoAgreements, diagnostic: Callable[[Agreement], Fraction] = lambda case: case.tail
) -> Sides:
    """The lower-tail diagnostic separates samplers whose mean agreement is the same."""
    first, second = case.first, case.second
    premise = first.mean == second.mean and first.tail != second.tail
    return Sides(premise, diagnostic(first) != diagnostic(second))
