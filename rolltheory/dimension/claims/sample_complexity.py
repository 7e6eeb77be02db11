"""Claims about sample sizes: how they round, what they reach, and what no learner does without."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from math import floor
from typing import Any

from rolltheory.claims import Counterexample, Relation, Sides, Source, Tight, Unbroken, claim
from rolltheory.dimension.claims._balls import ball, enclosed, precision
from rolltheory.dimension.claims._small_classes import CUBE_3, THREE_ROWS, Rows
from rolltheory.dimension.claims.elementary import PAGE
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
    expected_error_bound,
    expected_error_bound_exact,
    failure_probability_bound,
    high_probability_error_bound,
    pac_sample_size,
    pac_sample_size_needed,
    samples_for_expected_error,
)
from rolltheory.dimension.witnesses import is_pseudo_cube

__all__ = [
    "Expected",
    "Levels",
    "LineMates",
    "Shattered",
    "expected_error_is_rounded_up",
    "failure_probability_is_rounded_up",
    "fewest_samples_reach_the_expected_error",
    "line_mates_need_samples",
    "needed_samples_are_the_larger_number",
    "pseudo_cube_fails_any_learner",
    "pseudo_cube_needs_expected_error",
    "samples_are_enough",
    "vote_error_is_rounded_up",
]


@dataclass(frozen=True)
class Expected:
    """A dimension that a float holds, a number of samples, and an error."""

    dimension: Fraction
    samples: int = 0
    error: Fraction = Fraction(1, 2)


@claim(
    "dimension.samples.expected_error_rounds",
    statement=r"\hat b \ge \min\{1, p / (m + 1)\}, \quad \hat b \text{ the computed bound}",
    relation=Relation.AT_LEAST,
    source=Source.derived(f"{PAGE}#learning"),
    assumes={},
    teeth={
        "to the nearest": lambda p, m: min(1.0, p / (m + 1)),
        "one sample more": lambda p, m: expected_error_bound(p, m + 1),
    },
    tight=Tight(Expected(Fraction(1), 2), at_least=Fraction(999999, 10**6)),
)
def expected_error_is_rounded_up(
    case: Expected, bound: Callable[[float, int], float] = expected_error_bound
) -> Sides:
    """The bound on the expected error is never rounded below itself."""
    found = bound(float(case.dimension), case.samples)
    return Sides(Fraction(found), expected_error_bound_exact(case.dimension, case.samples))


@claim(
    "dimension.samples.expected_error_reached",
    statement=r"\hat m = \min\{m : \min\{1, p / (m + 1)\} \le \varepsilon\}",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#learning"),
    assumes={},
    teeth={
        "one more": lambda p, error: samples_for_expected_error(p, error) + 1,
        "p over epsilon": lambda p, error: floor(Fraction(p) / Fraction(error)),
    },
)
def fewest_samples_reach_the_expected_error(
    case: Expected, samples: Callable[[float, float], int] = samples_for_expected_error
) -> Sides:
    """The number of samples for an expected error is the least one, found by trying."""
    searched = next(
        m for m in count() if expected_error_bound_exact(case.dimension, m) <= case.error
    )
    return Sides(samples(float(case.dimension), float(case.error)), searched)


@dataclass(frozen=True)
class Levels:
    """A dimension, an even number of samples, an error and a failure probability of floats."""

    dimension: Fraction
    samples: int
    error: Fraction
    failure_probability: Fraction

    @property
    def rates(self) -> dict[str, float]:
        """The levels as keywords."""
        delta = float(self.failure_probability)
        return {"error": float(self.error), "failure_probability": delta}

    def total(self) -> Any:
        """4 e ln 2 p + 8 e / (e - 1) ln(2 / delta), as a ball."""
        with precision():
            e, two = ball(1).exp(), ball(2)
            nats = (two / ball(self.failure_probability)).log()
            return 4 * e * two.log() * ball(self.dimension) + 8 * e / (e - 1) * nats

    def failure(self) -> Any:
        """The delta at which the vote's bound is the error, as a ball."""
        with precision():
            e, two = ball(1).exp(), ball(2)
            spare = ball(self.error * self.samples) - 4 * e * two.log() * ball(self.dimension)
            return 2 * (-(e - 1) / (8 * e) * spare).exp()


def at_most_one(value: Any) -> Any:
    """The ball's enclosure, or 1 if it lies above."""
    found = enclosed(value)
    return Fraction(1) if found.low >= 1 else found


def library_error(case: Levels) -> float:
    """What the library answers."""
    delta = float(case.failure_probability)
    return high_probability_error_bound(
        float(case.dimension), case.samples, failure_probability=delta
    )


@claim(
    "dimension.vote.error_rounds",
    statement=r"\hat b \ge \min\Bigl\{1, \frac{4e \ln 2\; p + \frac{8e}{e - 1} \ln(2 / \delta)}{n}"
    r"\Bigr\}, \quad \hat b \text{ the computed bound}",
    relation=Relation.AT_LEAST,
    source=Source.derived(f"{PAGE}#learning"),
    assumes={},
    teeth={
        "one part in a billion less": lambda case: library_error(case) * (1 - 1e-9),
        "one tail for two": lambda case: (
            library_error(
                Levels(
                    case.dimension, case.samples, case.error, min(1, 2 * case.failure_probability)
                )
            )
            if 2 * case.failure_probability < 1
            else 0.0
        ),
    },
    tight=Tight(
        Levels(Fraction(3), 500, Fraction(1, 2), Fraction(1, 8)), at_least=Fraction(999999, 10**6)
    ),
)
def vote_error_is_rounded_up(
    case: Levels, bound: Callable[[Levels], float] = library_error
) -> Sides:
    """The bound on the vote's error is never rounded below itself."""
    return Sides(Fraction(bound(case)), at_most_one(case.total() / case.samples))


def library_failure(case: Levels) -> float:
    """What the library answers."""
    return failure_probability_bound(float(case.dimension), case.samples, error=float(case.error))


@claim(
    "dimension.vote.failure_rounds",
    statement=r"\hat \delta \ge \min\Bigl\{1, 2 \exp\Bigl(-\frac{e - 1}{8e} (\varepsilon n -"
    r" 4e \ln 2\; p)\Bigr)\Bigr\}, \quad \hat \delta \text{ the computed bound}",
    relation=Relation.AT_LEAST,
    source=Source.derived(f"{PAGE}#learning"),
    assumes={},
    teeth={
        "one part in a billion less": lambda case: library_failure(case) * (1 - 1e-9),
        "half of it": lambda case: library_failure(case) / 2,
    },
    tight=Tight(
        Levels(Fraction(3), 500, Fraction(1, 2), Fraction(1, 8)), at_least=Fraction(999999, 10**6)
    ),
)
def failure_probability_is_rounded_up(
    case: Levels, bound: Callable[[Levels], float] = library_failure
) -> Sides:
    """The bound on the probability that the vote fails is never rounded below itself."""
    return Sides(Fraction(bound(case)), at_most_one(case.failure()))


def library_samples(case: Levels) -> int:
    """What the library answers."""
    return pac_sample_size(float(case.dimension), **case.rates)


@claim(
    "dimension.vote.samples",
    statement=r"\frac{4e \ln 2\; p + \frac{8e}{e - 1} \ln(2 / \delta)}{\hat n} \le \varepsilon,"
    r" \quad \hat n \text{ the computed even size}",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#learning"),
    assumes={},
    teeth={
        "two fewer": lambda case: max(library_samples(case) - 2, 1),
        "for the expected error": lambda case: (
            1 + samples_for_expected_error(float(case.dimension), float(case.error))
        ),
    },
    tight=Tight(
        Levels(Fraction(3), 2, Fraction(1, 128), Fraction(1, 8)), at_least=Fraction(999, 1000)
    ),
)
def samples_are_enough(case: Levels, samples: Callable[[Levels], int] = library_samples) -> Sides:
    """The sample size of the vote brings its bound down to the error, and two fewer do not."""
    return Sides(enclosed(case.total() / samples(case)), case.error)


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


def by_both(dimension: int, case: Levels) -> int:
    """The larger of the two numbers, found by trying."""
    return max(by_pseudo_cubes(dimension, case), by_line_mates(dimension, case))


def by_pseudo_cubes(dimension: int, case: Levels) -> int:
    """The fewest samples beyond (d - 1) / (16 epsilon)."""
    if case.error > Fraction(1, 8) or case.failure_probability >= Fraction(1, 7):
        return 0
    return next(n for n in count() if n * 16 * case.error > dimension - 1)


def by_line_mates(_: int, case: Levels) -> int:
    """The fewest samples at which two line-mates fail no more than delta."""
    if case.failure_probability >= Fraction(1, 2):
        return 0
    return next(n for n in count() if (1 - case.error) ** n <= 2 * case.failure_probability)


@claim(
    "dimension.samples.needed",
    statement=r"\hat n = \max\Bigl\{\min\bigl\{n > \tfrac{d - 1}{16 \varepsilon}\bigr\},"
    r" \ \min\{n : \tfrac12 (1 - \varepsilon)^n \le \delta\}\Bigr\}",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#learning"),
    assumes={},
    teeth={
        "pseudo-cubes only": by_pseudo_cubes,
        "line-mates only": by_line_mates,
        "one more": lambda d, case: by_both(d, case) + 1,
    },
)
def needed_samples_are_the_larger_number(
    case: Levels, searched: Callable[[int, Levels], int] = by_both
) -> Sides:
    """What no learner does without: the larger of two numbers, each where it applies."""
    d = int(case.dimension)
    return Sides(pac_sample_size_needed(d, **case.rates), searched(d, case))
