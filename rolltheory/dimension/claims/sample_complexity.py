"""Claims about sample sizes: how they round, and that they are enough."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from math import floor
from typing import Any

from rolltheory.claims import Relation, Sides, Source, Tight, claim
from rolltheory.dimension.claims._balls import ball, enclosed, precision
from rolltheory.dimension.claims.elementary import PAGE
from rolltheory.dimension.sample_complexity import (
    expected_error_bound,
    expected_error_bound_exact,
    failure_probability_bound,
    high_probability_error_bound,
    pac_sample_size,
    samples_for_expected_error,
)

__all__ = [
    "Expected",
    "Levels",
    "expected_error_is_rounded_up",
    "failure_probability_is_rounded_up",
    "fewest_samples_reach_the_expected_error",
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
