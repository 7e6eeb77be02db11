"""Claims about the samples that no learner does without."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from math import floor
from typing import Any, TypeAlias

from rolltheory.claims import Counterexample, Relation, Sides, Source, Tight, Unbroken, claim
from rolltheory.dimension.claims._small_classes import CUBE_3, THREE_ROWS, Rows
from rolltheory.dimension.claims.elementary import PAGE
from rolltheory.dimension.claims.sample_complexity import Levels
from rolltheory.dimension.exact_risk import exact_failure_probability, exact_risk
from rolltheory.dimension.learners import (
    Answer,
    EmpiricalRiskMinimiser,
    Learner,
    OneInclusionLearner,
    Sample,
)
from rolltheory.dimension.sample_complexity import (
    error_needed_in_expectation,
    pac_sample_size_needed,
)
from rolltheory.dimension.witnesses import is_pseudo_cube

__all__ = [
    "LineMates",
    "Shattered",
    "line_mates_need_samples",
    "needed_samples_are_the_larger_number",
    "pseudo_cube_fails_any_learner",
    "pseudo_cube_needs_expected_error",
]


@dataclass(frozen=True)
class Shattered:
    """Patterns at d points, a number of samples, and an error."""

    rows: Rows
    samples: int = 0
    error: Fraction = Fraction(1, 8)

    @property
    def points(self) -> int:
        """d."""
        return len(self.rows[0])

    def weights(self, each: Fraction) -> list[Fraction]:
        """That much for every point but the first."""
        return [1 - (self.points - 1) * each] + [each] * (self.points - 1)


class Majority(Learner):
    """The label of most hypotheses that agree: the best learner for a uniform target."""

    def answer(self, sample: Sample, column: int) -> Answer:
        """The most frequent code, the smallest of these."""
        codes = self.hypotheses.codes.tolist()
        left = Counter(row[column] for row in codes if all(row[c] == y for c, y in sample))
        return {min(left, key=lambda code: (-left[code], code)): Fraction(1)}


PSEUDO_CUBE = "the patterns are a pseudo-cube"
ENOUGH = "m >= d - 2"


@claim(
    "dimension.samples.needed_in_expectation",
    statement=r"\sup_y E\,\mathrm{err} \ge \frac{d - 1}{2 (m + 1)} \Bigl(\frac{m}{m + 1}\Bigr)^m",
    relation=Relation.AT_LEAST,
    source=Source.derived(f"{PAGE}#learning"),
    assumes={
        PSEUDO_CUBE: lambda case: is_pseudo_cube(case.rows),
        ENOUGH: lambda case: case.samples >= case.points - 2,
    },
    teeth={
        "every unseen label is wrong": lambda d, m: 2 * error_needed_in_expectation(d, m),
        "every point": lambda d, m: error_needed_in_expectation(d + 1, max(m, d - 1)),
        "a tenth more": lambda d, m: Fraction(11, 10) * error_needed_in_expectation(d, m),
    },
    breaks={
        PSEUDO_CUBE: Counterexample(Shattered(THREE_ROWS), "a line of one member gives its label"),
        ENOUGH: Unbroken("with fewer samples the points of weight 1 / (m + 1) exceed 1"),
    },
    tight=Tight(Shattered(CUBE_3, 1)),
)
def pseudo_cube_needs_expected_error(
    case: Shattered, bound: Callable[[int, int], Fraction] = error_needed_in_expectation
) -> Sides:
    """No learner has a smaller expected error on all targets of a pseudo-cube.

    The left side is the best learner's, for a uniform target and weight 1 / (m + 1) on each point
    but the first: a label that was not seen has two values at least.
    """
    learner, weights = Majority(case.rows), case.weights(Fraction(1, case.samples + 1))
    risks = (exact_risk(learner, row, samples=case.samples, weights=weights) for row in case.rows)
    mean = sum(risks, Fraction(0)) / len(case.rows)
    return Sides(mean, bound(case.points, case.samples))


SMALL = "epsilon <= 1/8"


@claim(
    "dimension.samples.needed_on_pseudo_cubes",
    statement=r"m \le \frac{d - 1}{16 \varepsilon} \implies \sup_y P(\mathrm{err} > \varepsilon)"
    r" \ge \frac17",
    relation=Relation.AT_LEAST,
    source=Source.derived(f"{PAGE}#learning"),
    assumes={
        PSEUDO_CUBE: lambda case: is_pseudo_cube(case.rows),
        SMALL: lambda case: case.error <= Fraction(1, 8),
    },
    teeth={
        "sixteen times as many samples": lambda d, error: floor((d - 1) / error),
        "sixty-four times as many samples": lambda d, error: floor(4 * (d - 1) / error),
    },
    breaks={
        PSEUDO_CUBE: Counterexample(Shattered(((0, 0), (1, 0))), "one label at the second point"),
        SMALL: Unbroken("with a larger error the points of weight 8 epsilon / (d - 1) exceed 1"),
    },
    tight=Tight(Shattered(CUBE_3, error=Fraction(1, 16)), at_least=Fraction(1, 7)),
)
def pseudo_cube_fails_any_learner(
    case: Shattered,
    samples: Callable[[int, Fraction], int] = lambda d, error: floor((d - 1) / (16 * error)),
) -> Sides:
    """After few samples every learner fails on some target of a pseudo-cube.

    Weight 8 epsilon / (d - 1) on each point but the first. The left side is the smaller mean over
    the targets, of one inclusion and of the first hypothesis that agrees.
    """
    weights = case.weights(8 * case.error / (case.points - 1))
    m = samples(case.points, case.error)
    means = (
        sum(
            (
                exact_failure_probability(
                    learner, row, error=case.error, samples=m, weights=weights
                )
                for row in case.rows
            ),
            Fraction(0),
        )
        / len(case.rows)
        for learner in (OneInclusionLearner(case.rows), EmpiricalRiskMinimiser(case.rows))
    )
    return Sides(min(means), Fraction(1, 7))


@dataclass(frozen=True)
class LineMates:
    """The weight of the only point at which two hypotheses differ, and a number of samples."""

    error: Fraction
    samples: int


@claim(
    "dimension.samples.needed_on_line_mates",
    statement=r"\tfrac12 \sum_y P(\mathrm{err} \ge \varepsilon) = \tfrac12 (1 - \varepsilon)^n",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#learning"),
    assumes={},
    teeth={
        "both fail": lambda error, n: (1 - error) ** n,
        "one sample more": lambda error, n: (1 - error) ** (n + 1) / 2,
        "a union of samples": lambda error, n: max(Fraction(0), 1 - n * error) / 2,
    },
)
def line_mates_need_samples(
    case: LineMates,
    failure: Callable[[Fraction, int], Fraction] = lambda error, n: (1 - error) ** n / 2,
) -> Sides:
    """Of two hypotheses that differ at one point, one is failed unless the point was seen."""
    mates: Rows = ((0, 0), (0, 1))
    weights = [1 - case.error, case.error]
    options: dict[str, Any] = {"samples": case.samples, "weights": weights}
    learner = OneInclusionLearner(mates)
    failures = (
        exact_failure_probability(learner, row, error=case.error / 2, **options) for row in mates
    )
    return Sides(sum(failures, Fraction(0)) / 2, failure(case.error, case.samples))


Searched: TypeAlias = Callable[[int, Levels, Fraction], int]


def by_both(dimension: int, case: Levels, delta: Fraction) -> int:
    """The larger of the two numbers, found by trying."""
    return max(by_pseudo_cubes(dimension, case, delta), by_line_mates(dimension, case, delta))


def by_pseudo_cubes(dimension: int, case: Levels, delta: Fraction) -> int:
    """The fewest samples beyond (d - 1) / (16 epsilon)."""
    if case.error > Fraction(1, 8) or delta >= Fraction(1, 7):
        return 0
    return next(n for n in count() if n * 16 * case.error > dimension - 1)


def by_line_mates(_: int, case: Levels, delta: Fraction) -> int:
    """The fewest samples at which two line-mates fail no more than delta."""
    return next(n for n in count() if (1 - case.error) ** n <= 2 * delta)


@claim(
    "dimension.samples.needed",
    statement=r"\hat n = \max\Bigl\{\min\bigl\{n > \tfrac{d - 1}{16 \varepsilon}\bigr\},"
    r" \ \min\{n : \tfrac12 (1 - \varepsilon)^n \le \theta \delta\}\Bigr\}"
    r" \text{ for some } |\theta - 1| \le 10^{-12}",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#learning"),
    assumes={},
    teeth={
        "pseudo-cubes only": by_pseudo_cubes,
        "line-mates only": by_line_mates,
        "one more": lambda d, case, delta: by_both(d, case, delta) + 1,
    },
)
def needed_samples_are_the_larger_number(case: Levels, searched: Searched = by_both) -> Sides:
    """What no learner does without: the larger of two numbers, each where it applies.

    Float ties aside: floats tell no more about a power of 1 - epsilon that is all but 2 delta.
    """
    d = int(case.dimension)
    found = pac_sample_size_needed(d, **case.rates)
    few, many = (
        searched(d, case, case.failure_probability * (1 + slack))
        for slack in (Fraction(1, 10**12), Fraction(-1, 10**12))
    )
    return Sides(found, min(max(found, few), many))
