"""Claims about lag: what a schedule makes of it, and how far updates carry the learner."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Any

from rolltheory.claims import (
    Counterexample,
    Relation,
    Sides,
    Source,
    Tight,
    Verdict,
    claim,
)
from rolltheory.staleness.drift import (
    lag_displacement,
    largest_lag,
    mean_lag,
    update_lag_range,
)

__all__ = [
    "BiasOfSchedules",
    "Run",
    "Schedule",
    "Versions",
    "lag_displacement_holds",
    "mean_bias_of_schedules",
    "mean_lag_of_schedules",
    "one_meaning_of_staleness",
    "version_lag_in_updates",
]

PAGE = "docs/theory/staleness.md#drift"
BOUNDED = "every update has norm at most G"
ON_TIME = "no lag exceeds that of the schedule"
WHOLE_CYCLES = "the start of the run is left out and only whole cycles are counted"
STRAIGHT = "the parameters move in a straight line at constant speed"


@dataclass(frozen=True)
class Run:
    """A run along a line, in rationals: its updates, and the lag of the batch of each."""

    updates: tuple[Fraction, ...]
    lags: tuple[int, ...]
    lag: int
    schedule: str = "fixed_lag"
    learning_rate: Fraction = Fraction(1, 8)
    update_norm: Fraction = Fraction(1)

    def positions(self, learning_rate: Fraction | None = None) -> list[Fraction]:
        """Parameters before each update, and after the last."""
        rate = self.learning_rate if learning_rate is None else learning_rate
        return list(accumulate((rate * u for u in self.updates), initial=Fraction(0)))

    def drift(self, learning_rate: Fraction | None = None) -> Fraction:
        """Largest distance between learner and sampler."""
        at = self.positions(learning_rate)
        return max(abs(at[t] - at[t - lag]) for t, lag in enumerate(self.lags))

    @property
    def is_bounded(self) -> bool:
        """Whether every update has norm at most G."""
        return all(abs(u) <= self.update_norm for u in self.updates)

    @property
    def is_on_time(self) -> bool:
        """Whether no lag exceeds that of the schedule."""
        return max(self.lags) <= largest_lag(self.lag, schedule=self.schedule)


def lags_of(schedule: str, lag: int, updates: int) -> tuple[int, ...]:
    """The lag before each update and after the last, by definition of the schedule."""
    if schedule == "sync":
        return tuple(t % lag for t in range(updates + 1))
    return tuple(min(t, lag) for t in range(updates + 1))


def run_of(updates: tuple[int, ...], lag: int, schedule: str = "fixed_lag", **options: Any) -> Run:
    """A run whose lags are those of its schedule."""
    steps = tuple(map(Fraction, updates))
    return Run(steps, lags_of(schedule, lag, len(steps)), lag, schedule, **options)


@claim(
    "staleness.drift.lag_displacement",
    statement=r"|\theta_t - \phi_t| \le S \eta G \text{ (fixed lag)}, \qquad"
    r"|\theta_t - \phi_t| \le (S - 1) \eta G \text{ (sync)}",
    relation=Relation.AT_MOST,
    source=Source.derived(PAGE),
    assumes={BOUNDED: lambda case: case.is_bounded, ON_TIME: lambda case: case.is_on_time},
    teeth={
        "10 % smaller": lambda *a, **k: 0.9 * lag_displacement(*a, **k),
        "sync for every schedule": lambda lag, rate, norm, **_: (lag - 1) * rate * norm,
    },
    breaks={
        BOUNDED: Counterexample(run_of((1, 2, 1), 1), "One update of twice the norm."),
        ON_TIME: Counterexample(
            Run((Fraction(1),) * 3, (0, 1, 2, 3), 2),
            "The oldest token of a trajectory is older than its newest, whose lag was logged.",
        ),
    },
    tight=Tight(run_of((1,) * 8, 8)),
)
def lag_displacement_holds(case: Run, bound: Callable[..., Any] = lag_displacement) -> Sides:
    """Learner and sampler part by no more than lag times learning rate times update norm.

    Attained by updates of that norm which all point the same way.
    """
    rate, norm = float(case.learning_rate), float(case.update_norm)
    right = bound(case.lag, rate, norm, schedule=case.schedule)
    return Sides(case.drift(), Fraction(float(right)))


@dataclass(frozen=True)
class Schedule:
    """A schedule of staleness S, looked at between two updates of a run."""

    lag: int
    schedule: str
    first: int
    end: int

    @property
    def mean(self) -> Fraction:
        """Mean lag over these updates, by counting."""
        lags = lags_of(self.schedule, self.lag, self.end)[self.first : self.end]
        return Fraction(sum(lags), len(lags))

    @property
    def is_whole(self) -> bool:
        """Whether the window is past the start and made of whole cycles."""
        if self.schedule == "sync":
            return self.first % self.lag == self.end % self.lag == 0
        return self.first >= self.lag


def steady(lag: int, schedule: str, cycles: int = 2) -> Schedule:
    """Some whole cycles of a schedule."""
    return Schedule(lag, schedule, lag, (1 + cycles) * max(lag, 1))


@claim(
    "staleness.lag.mean",
    statement=r"\text{mean lag} = S \text{ (fixed lag)}, \qquad \tfrac{S - 1}{2} \text{ (sync)}",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={WHOLE_CYCLES: lambda case: case.is_whole},
    teeth={
        "S for both": lambda lag, **_: lag,
        "half of S": lambda lag, *, schedule: lag / (2 if schedule == "sync" else 1),
        "the largest lag": largest_lag,
    },
    breaks={
        WHOLE_CYCLES: Counterexample(
            Schedule(4, "fixed_lag", 0, 8), "The first batches of a run are fresher."
        )
    },
)
def mean_lag_of_schedules(case: Schedule, mean: Callable[..., Any] = mean_lag) -> Sides:
    """The same staleness S means a mean lag of S or of (S - 1)/2, depending on the schedule."""
    return Sides(case.mean, Fraction(float(mean(case.lag, schedule=case.schedule))))


@claim(
    "staleness.lag.one_meaning",
    statement=r"\text{mean lag} = S \text{ for every schedule of staleness } S",
    relation=Relation.EQUAL,
    source=Source.known("the common reading of a staleness of S"),
    assumes={WHOLE_CYCLES: lambda case: case.is_whole},
    repairs={"by schedule": mean_lag},
    breaks={WHOLE_CYCLES: Counterexample(Schedule(4, "fixed_lag", 0, 8), "As for the repair.")},
    declared=Verdict.REFUTED,
    repaired_by="staleness.lag.mean",
)
def one_meaning_of_staleness(
    case: Schedule, mean: Callable[..., Any] = lambda lag, **_: lag
) -> Sides:
    """A staleness of S means that batches are S updates old on average.

    Not with periodic sync, where they are less than half as old, and not where S is the largest lag
    of a queue.
    """
    return Sides(case.mean, Fraction(float(mean(case.lag, schedule=case.schedule))))


@dataclass(frozen=True)
class Versions:
    """A learner that publishes its weights every so many updates, and a lag in versions."""

    version_lag: int
    updates_per_version: int

    @property
    def lags(self) -> frozenset[int]:
        """Every lag in updates that goes with the lag in versions, by counting."""
        per_version = self.updates_per_version
        newest = self.version_lag + 2
        return frozenset(
            update - per_version * version
            for update in range(per_version * newest)
            for version in range(update // per_version + 1)
            if update // per_version - version == self.version_lag
        )


def versions_are_updates(version_lag: int, _: int) -> tuple[int, int]:
    """The reading that forgets how many updates a version holds."""
    return version_lag, version_lag


def publication_to_publication(version_lag: int, per_version: int) -> tuple[int, int]:
    """The reading that forgets the updates since the last publication."""
    return version_lag * per_version, version_lag * per_version


@claim(
    "staleness.lag.versions",
    statement=r"\{\text{lags in updates}\} = \{u v, \dots, u v + u - 1\}",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={},
    teeth={
        "versions are updates": versions_are_updates,
        "from publication to publication": publication_to_publication,
    },
)
def version_lag_in_updates(
    case: Versions, reading: Callable[..., tuple[Any, Any]] = update_lag_range
) -> Sides:
    """A lag of v weight versions of u updates each is a lag of u v to u v + u - 1 updates."""
    low, high = reading(case.version_lag, case.updates_per_version)
    return Sides(case.lags, frozenset(range(int(low), int(high) + 1)))


@dataclass(frozen=True)
class BiasOfSchedules:
    """Mean bias under sync over mean bias under a fixed lag of the same S, exact or measured."""

    lag: int
    ratio: Any
    is_straight: bool = True


def bias_on_a_path(lag: int, path: list[Fraction], *, is_straight: bool) -> BiasOfSchedules:
    """The ratio for a map that is linear in its sampler, along a path."""
    window = range(lag, len(path) - len(path) % lag)
    fixed = sum((abs(path[t] - path[t - lag]) for t in window), Fraction(0))
    sync = sum((abs(path[t] - path[t - t % lag]) for t in window), Fraction(0))
    return BiasOfSchedules(lag, sync / fixed, is_straight)


@claim(
    "staleness.bias.mean_of_schedules",
    statement=r"\frac{\text{mean bias with sync every } S}{\text{mean bias with lag } S} ="
    r"\frac{S - 1}{2 S} + O(S \eta)",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={STRAIGHT: lambda case: case.is_straight},
    teeth={
        "no difference": lambda _: Fraction(1),
        "one half": lambda _: Fraction(1, 2),
        "of the largest lags": lambda lag: Fraction(lag - 1, lag),
    },
    breaks={
        STRAIGHT: Counterexample(
            bias_on_a_path(2, [Fraction(t % 3) for t in range(12)], is_straight=False),
            "Parameters that return after three updates.",
        )
    },
)
def mean_bias_of_schedules(
    case: BiasOfSchedules,
    ratio: Callable[[int], Fraction] = lambda lag: Fraction(lag - 1, 2 * lag),
) -> Sides:
    """For the same S, sync has less than half the mean bias of a fixed lag."""
    return Sides(case.ratio, ratio(case.lag))
