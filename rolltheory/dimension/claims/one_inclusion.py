"""Claims about the mistakes of one-inclusion learners, on any class and on traces."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import ceil
from typing import Any, TypeAlias

from rolltheory.claims import Relation, Sides, Source, Tight, claim
from rolltheory.dimension.claims._small_classes import CUBE_3, Row, Rows, restricted
from rolltheory.dimension.claims.density import coded, largest_density
from rolltheory.dimension.claims.elementary import PAGE
from rolltheory.dimension.classes import restrict
from rolltheory.dimension.density import max_density
from rolltheory.dimension.exact_risk import exact_risk
from rolltheory.dimension.learners import (
    Answer,
    EmpiricalRiskMinimiser,
    Learner,
    OneInclusionLearner,
    Sample,
    leave_one_out_mistakes,
)
from rolltheory.dimension.local import local_class_on
from rolltheory.dimension.local_families import (
    LocalFamily,
    four_token_gap,
    markov_tables,
    window_thresholds,
)
from rolltheory.dimension.parity import parity_dimension
from rolltheory.dimension.rollout import rollout_class
from rolltheory.dimension.sample_complexity import expected_error_bound_exact

__all__ = [
    "FAMILIES",
    "Asked",
    "Risked",
    "Traced",
    "expected_error_is_below_the_density",
    "family_traces",
    "leave_one_out_is_below_the_density",
    "shared_heads_need_no_rounding",
    "traces_cost_what_their_rules_do",
]

Rounded: TypeAlias = Callable[[Rows], Learner]


@dataclass(frozen=True)
class Asked:
    """A class, a multiset of its points, and the hypothesis that labels them."""

    rows: Rows
    prompts: Row
    target: Row

    @property
    def density(self) -> Fraction:
        """That of the class at these points."""
        return density_of(restricted(self.rows, sorted(set(self.prompts))))

    def mistakes(self, learner: Learner) -> Fraction:
        """Prompts that are wrong after all of the others."""
        return leave_one_out_mistakes(learner, self.prompts, [self.target[x] for x in self.prompts])


@cache
def density_of(rows: Rows) -> Fraction:
    """The density of distinct rows."""
    return max_density(rows).value


@cache
def whole_heads(rows: Rows) -> Learner:
    """The library's learner."""
    return OneInclusionLearner(rows)


@cache
def shared_heads(rows: Rows) -> Learner:
    """The library's learner with random answers."""
    return OneInclusionLearner(rows, randomised=True)


class HeadsByOrder(Learner):
    """Orientations that depend on which prompts came first: the new one is always the last."""

    ordered = True

    def answer(self, sample: Sample, column: int) -> Answer:
        """What the library's learner would answer were the points in this order."""
        order = list(dict.fromkeys([*(c for c, _ in sample), column]))
        points = [self.hypotheses.points[c] for c in order]
        learner = OneInclusionLearner(restrict(self.hypotheses, points))
        moved = tuple((order.index(c), code) for c, code in sample)
        return learner.answer(moved, order.index(column))


class Guess(Learner):
    """A fair guess among the labels that agree with the sample."""

    def answer(self, sample: Sample, column: int) -> Answer:
        """Each label that a hypothesis has which agrees with the sample, with the same chance."""
        codes = self.hypotheses.codes
        left = [row for row in codes.tolist() if all(row[c] == code for c, code in sample)]
        labels = sorted({row[column] for row in left})
        return dict.fromkeys(labels, Fraction(1, len(labels)))


@claim(
    "dimension.one_inclusion.leave_one_out",
    statement=r"\#\{i : \hat y_{-i}(x_i) \ne y(x_i)\} \le \lceil \mathrm{dens}(H|_{x_1, \dots,"
    r" x_n}) \rceil",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#learning"),
    assumes={},
    teeth={
        "heads that depend on the order": HeadsByOrder,
        "the first hypothesis that agrees": EmpiricalRiskMinimiser,
    },
    tight=Tight(Asked(CUBE_3, (0, 1), (0, 0, 1))),
)
def leave_one_out_is_below_the_density(case: Asked, learner: Rounded = whole_heads) -> Sides:
    """Of any prompts, few are wrong after all of the others, whatever the target.

    A prompt that stands twice is never wrong. An orientation must not depend on the order of the
    prompts: on a square of two bits both would be wrong.
    """
    return Sides(case.mistakes(learner(case.rows)), ceil(case.density))


@claim(
    "dimension.one_inclusion.shared_heads",
    statement=r"\sum_i P(\hat y_{-i}(x_i) \ne y(x_i)) \le \mathrm{dens}(H|_{x_1, \dots, x_n})",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#learning"),
    assumes={},
    teeth={"whole heads": whole_heads, "a fair guess": Guess},
    tight=Tight(Asked(((0,), (1,)), (0,), (0,))),
)
def shared_heads_need_no_rounding(case: Asked, learner: Rounded = shared_heads) -> Sides:
    """With random answers the expected number of mistakes is at most the density itself."""
    return Sides(case.mistakes(learner(case.rows)), case.density)


@dataclass(frozen=True)
class Risked:
    """A class, its target, how many samples, the prompts' weights, and whether heads are shared."""

    rows: Rows
    target: Row
    samples: int
    weights: tuple[int, ...] = ()
    shared: bool = False

    def chances(self) -> list[Fraction] | None:
        """The distribution of prompts."""
        total = sum(self.weights)
        return [Fraction(weight, total) for weight in self.weights] or None


@claim(
    "dimension.one_inclusion.expected_error",
    statement=r"P(\hat y(x_{m + 1}) \ne y(x_{m + 1})) \le \frac{D}{m + 1}, \quad"
    r" D = \lceil \mathrm{dens}(H) \rceil, \text{ or } \mathrm{dens}(H) \text{ with shared heads}",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#learning"),
    assumes={},
    teeth={
        "one sample more": lambda d, m, _: expected_error_bound_exact(d, m + 1),
        "half": lambda d, m, _: expected_error_bound_exact(d, m) / 2,
        "never rounded up": lambda _, m, density: expected_error_bound_exact(density, m),
    },
    tight=Tight(Risked(((0,), (1,)), (1,), 0)),
)
def expected_error_is_below_the_density(
    case: Risked,
    bound: Callable[[Fraction, int, Fraction], Fraction] = lambda d, m, _: (
        expected_error_bound_exact(d, m)
    ),
) -> Sides:
    """The expected error after independent samples, for every target and distribution."""
    density = largest_density(case.rows)
    learner = (shared_heads if case.shared else whole_heads)(case.rows)
    risk = exact_risk(learner, case.target, samples=case.samples, weights=case.chances())
    degree = density if case.shared else Fraction(ceil(density))
    return Sides(risk, bound(degree, case.samples, density))


FAMILIES: dict[str, Callable[[], LocalFamily]] = {
    "gap on four tokens": four_token_gap,
    "Markov tables of order 2": lambda: markov_tables(2),
    "thresholds of two tokens": lambda: window_thresholds(2),
}
"""Rules by name."""


@cache
def family_traces(family: str, steps: int) -> Rows:
    """The traces from all strings on which the rules differ."""
    found = FAMILIES[family]()
    return coded(rollout_class(found.local, found.strings, steps=steps))


@cache
def rules_parity(family: str) -> int:
    """The parity dimension of the rules themselves."""
    found = FAMILIES[family]()
    return parity_dimension(local_class_on(found.local, found.strings)).value


@dataclass(frozen=True)
class Traced:
    """Rules, the length of their traces, prompts that may repeat, and the target's number."""

    family: str
    steps: int
    prompts: Row
    target: int


@claim(
    "dimension.one_inclusion.traces",
    statement=r"\#\{i : \hat y_{-i}(x_i) \ne y(x_i)\} \le \mathrm{pdim}_2(H)"
    r" \quad \text{on } \mathrm{Roll}_T(H), \text{ every } T",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#learning"),
    assumes={},
    teeth={
        "one less": lambda p, _: p - 1,
        "half": lambda p, _: Fraction(p, 2),
        "divided by the length": lambda p, steps: Fraction(p, steps),
    },
    tight=Tight(Traced("gap on four tokens", 2, (0, 1, 2), 4)),
)
def traces_cost_what_their_rules_do(
    case: Traced, bound: Callable[[int, int], Any] = lambda p, _: p
) -> Sides:
    """On whole traces a learner makes no more mistakes than the parity dimension of the rules.

    Whatever their length. Where the DS dimension of the traces is 3, the mistakes stay 2.
    """
    rows = family_traces(case.family, case.steps)
    mistakes = Asked(rows, case.prompts, rows[case.target]).mistakes(whole_heads(rows))
    return Sides(mistakes, bound(rules_parity(case.family), case.steps))
