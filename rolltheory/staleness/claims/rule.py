"""Claims about the two-constraint rule, collapse times, and the error floor of stale ascent."""

from __future__ import annotations

import math
from collections.abc import Callable
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
    Unbroken,
    Verdict,
    claim,
)
from rolltheory.staleness.ascent import error_floor_exact
from rolltheory.staleness.claims.drift import BOUNDED, ON_TIME, Run, run_of
from rolltheory.staleness.rule import (
    collapse_time_lower_bound,
    max_horizon,
    stable_learning_rate,
)

__all__ = [
    "Crossover",
    "GuardedRun",
    "QuadraticAscent",
    "collapse_by_the_bound",
    "collapse_takes_its_time",
    "crossover_of_the_constraints",
    "error_floor_holds",
    "rule_keeps_both_radii",
]

PAGE = "docs/theory/staleness.md#the-two-constraint-rule"
FLOOR = "docs/theory/staleness.md#error-floor"
LEAVES = "the run leaves the critical radius"
SMALL_STEP = "the learning rate is at most one over the smoothness"
POTENTIAL = "the map is the gradient of a potential"
BIASES = "no bias exceeds its bound"


@dataclass(frozen=True)
class GuardedRun:
    """A run that must stay within two radii for its whole length."""

    run: Run
    batch_radius: Fraction
    critical_radius: Fraction

    def rule(self) -> Any:
        """What the rule allows for this run."""
        return stable_learning_rate(
            self.run.lag,
            len(self.run.updates),
            float(self.batch_radius),
            float(self.critical_radius),
            float(self.run.update_norm),
            schedule=self.run.schedule,
        )

    def excess(self, learning_rate: Fraction) -> Fraction:
        """Largest distance over its radius, of learner to sampler and of learner to start."""
        away = max(map(abs, self.run.positions(learning_rate)))
        drift = self.run.drift(learning_rate)
        return max(drift / self.batch_radius, away / self.critical_radius)


@claim(
    "staleness.rule.suffices",
    statement=r"\eta \le \min\Big\{\frac{R_\text{batch}}{S G}, \frac{R_\text{crit}}{T G}\Big\}"
    r"\ \Rightarrow\ \max_{t \le T} \max\Big\{\frac{|\theta_t - \phi_t|}{R_\text{batch}},"
    r"\frac{|\theta_t - \theta_0|}{R_\text{crit}}\Big\} \le 1",
    relation=Relation.AT_MOST,
    source=Source.paper("2607.01083", "form of the rule; the statement is derived here"),
    assumes={
        BOUNDED: lambda case: case.run.is_bounded,
        ON_TIME: lambda case: case.run.is_on_time,
    },
    teeth={
        "10 % more": lambda case: 1.1 * case.rule().learning_rate,
        "lag only": lambda case: case.rule().lag_limit,
        "horizon only": lambda case: case.rule().horizon_limit,
    },
    breaks={
        BOUNDED: Counterexample(
            GuardedRun(run_of((2, 2), 1), Fraction(1), Fraction(1)), "Updates of twice the norm."
        ),
        ON_TIME: Counterexample(
            GuardedRun(Run((Fraction(1),) * 3, (0, 1, 2, 3), 1), Fraction(1), Fraction(3)),
            "Batches three times as old as planned.",
        ),
    },
    tight=Tight(GuardedRun(run_of((1,) * 8, 2), Fraction(1), Fraction(9))),
)
def rule_keeps_both_radii(
    case: GuardedRun,
    learning_rate: Callable[[GuardedRun], Any] = lambda case: case.rule().learning_rate,
) -> Sides:
    """With the learning rate of the rule neither radius is left.

    Sufficient for every run; necessary for straight ones only.
    """
    rate = float(learning_rate(case))
    # without lag the first constraint is void: any rate will do, a large one stands for it
    return Sides(case.excess(Fraction(rate if math.isfinite(rate) else 10**6)), 1)


@dataclass(frozen=True)
class Crossover:
    """Which constraint of the rule is the stricter, in rationals."""

    lag: int
    horizon: int
    batch_radius: Fraction
    critical_radius: Fraction

    def stricter(self) -> str:
        """From both limits on the learning rate."""
        local = self.batch_radius / self.lag
        overall = self.critical_radius / self.horizon
        return "both" if local == overall else "lag" if local < overall else "horizon"

    def by(self, crossover: Any) -> str:
        """From the lag at which they cross."""
        at = Fraction(float(crossover))
        return "both" if self.lag == at else "lag" if self.lag > at else "horizon"


def crossover_lag(case: Crossover) -> Any:
    """The library's crossover; the update norm cancels."""
    radii = float(case.batch_radius), float(case.critical_radius)
    return stable_learning_rate(case.lag, case.horizon, *radii, 1.0).crossover_lag


@claim(
    "staleness.rule.crossover",
    statement=r"\text{the lag binds} \iff \frac{S}{T} > \frac{R_\text{batch}}{R_\text{crit}}",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={},
    teeth={
        "ratio upside down": lambda case: case.horizon * case.critical_radius / case.batch_radius,
        "horizon forgotten": lambda case: case.batch_radius / case.critical_radius,
        "always the lag": lambda _: 0,
    },
)
def crossover_of_the_constraints(
    case: Crossover, crossover: Callable[[Crossover], Any] = crossover_lag
) -> Sides:
    """The lag binds above T R_batch/R_crit; below it the largest rate does not depend on S."""
    return Sides(case.stricter(), case.by(crossover(case)))


def first_passage(case: GuardedRun) -> int | None:
    """Update after which the run is first at its critical radius, None if it never is."""
    at = case.run.positions()
    return next((t for t, x in enumerate(at) if abs(x) >= case.critical_radius), None)


def time_bound(case: GuardedRun) -> Any:
    """The library's lower bound on the collapse time."""
    radius, norm = float(case.critical_radius), float(case.run.update_norm)
    return collapse_time_lower_bound(float(case.run.learning_rate), radius, norm)


@claim(
    "staleness.collapse_time.at_least",
    statement=r"|\theta_T - \theta_0| \ge R_\text{crit} \ \Rightarrow\ "
    r"T \ge \lceil R_\text{crit} / (\eta G) \rceil",
    relation=Relation.AT_LEAST,
    source=Source.derived(PAGE),
    assumes={
        BOUNDED: lambda case: case.run.is_bounded,
        LEAVES: lambda case: first_passage(case) is not None,
    },
    teeth={
        "one update later": lambda case: time_bound(case) + 1,
        "diffusive": lambda case: int(time_bound(case)) ** 2,
        "direction swapped": Tooth(relation=Relation.AT_MOST),
    },
    breaks={
        BOUNDED: Counterexample(
            GuardedRun(run_of((2, 2), 1), Fraction(1), Fraction(1, 2)), "Updates of twice the norm."
        ),
        LEAVES: Unbroken("a run that never leaves has no collapse time; the bound says no more"),
    },
    tight=Tight(GuardedRun(run_of((1,) * 8, 1), Fraction(1), Fraction(1))),
)
def collapse_takes_its_time(
    case: GuardedRun, bound: Callable[[GuardedRun], Any] = time_bound
) -> Sides:
    """A run cannot leave the critical radius before R_crit/(eta G) updates.

    Attained by straight runs, and by no others.
    """
    return Sides(first_passage(case), int(bound(case)))


@claim(
    "staleness.collapse_time.by_the_bound",
    statement=r"|\theta_T - \theta_0| \ge R_\text{crit} \text{ at } T = R_\text{crit} / (\eta G)",
    relation=Relation.AT_LEAST,
    source=Source.known("the collapse law T eta = const, read as an equality"),
    assumes={BOUNDED: lambda case: case.run.is_bounded},
    repairs={"an upper bound on the distance": Tooth(relation=Relation.AT_MOST)},
    breaks={
        BOUNDED: Counterexample(
            GuardedRun(run_of((3, -3) * 8, 1), Fraction(1), Fraction(1)), "It fails anyway."
        )
    },
    declared=Verdict.REFUTED,
    repaired_by="staleness.collapse_time.at_least",
)
def collapse_by_the_bound(case: GuardedRun, horizon: Callable[..., Any] = max_horizon) -> Sides:
    """After R_crit/(eta G) updates a run has collapsed.

    The bound has no converse: a run may turn round, or oscillate with a growing local instability,
    and stay within the radius for ever.
    """
    radius, norm = float(case.critical_radius), float(case.run.update_norm)
    steps = int(horizon(float(case.run.learning_rate), radius, norm))
    at = case.run.positions()
    return Sides(abs(at[min(steps, len(at) - 1)]), case.critical_radius)


@dataclass(frozen=True)
class QuadraticAscent:
    """Biased ascent on a quadratic potential with its optimum at 0, in rationals.

    With a ``rotation``, a field without a potential is added to the gradient in the first two
    coordinates.
    """

    curvature: tuple[Fraction, ...]
    start: tuple[Fraction, ...]
    biases: tuple[tuple[Fraction, ...], ...]
    learning_rate: Fraction
    bias_bound: Fraction
    rotation: Fraction = Fraction(0)

    def gradient(self, at: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
        """The map without bias."""
        slopes = [-c * x for c, x in zip(self.curvature, at, strict=True)]
        if self.rotation:
            slopes[0] -= self.rotation * at[1]
            slopes[1] += self.rotation * at[0]
        return tuple(slopes)

    @property
    def mean_squared_gradient(self) -> Fraction:
        """Along the run."""
        at, total = self.start, Fraction(0)
        for bias in self.biases:
            slopes = self.gradient(at)
            total += sum((g**2 for g in slopes), Fraction(0))
            moves = zip(at, slopes, bias, strict=True)
            at = tuple(x + self.learning_rate * (g + b) for x, g, b in moves)
        return total / len(self.biases)

    @property
    def setting(self) -> tuple[Fraction, Fraction, int, Fraction]:
        """Potential gap, learning rate, horizon, bound on the biases."""
        parts = zip(self.curvature, self.start, strict=True)
        gap = sum((c * x**2 / 2 for c, x in parts), Fraction(0))
        return gap, self.learning_rate, len(self.biases), self.bias_bound

    @property
    def is_small_step(self) -> bool:
        """Whether the learning rate is at most one over the largest curvature."""
        return self.learning_rate * max(self.curvature) <= 1

    @property
    def is_within_bias(self) -> bool:
        """Whether no bias exceeds its bound."""
        return all(sum(b**2 for b in bias) <= self.bias_bound**2 for bias in self.biases)


def quadratic(
    start: int, bias: int, steps: int, rate: Fraction = Fraction(1), bound: int | None = None
) -> QuadraticAscent:
    """Ascent on -x^2/2 with a constant bias."""
    biases = ((Fraction(bias),),) * steps
    size = Fraction(abs(bias) if bound is None else bound)
    return QuadraticAscent((Fraction(1),), (Fraction(start),), biases, rate, size)


@claim(
    "staleness.error_floor",
    statement=r"\frac1T \sum_{t<T} |\nabla \Phi(\theta_t)|^2 \le"
    r"\frac{2 (\Phi^* - \Phi_0)}{\eta T} + b^2, \quad |\delta_t| \le b",
    relation=Relation.AT_MOST,
    source=Source.derived(FLOOR),
    assumes={
        SMALL_STEP: lambda case: case.is_small_step,
        POTENTIAL: lambda case: not case.rotation,
        BIASES: lambda case: case.is_within_bias,
    },
    teeth={
        "half the gap": lambda gap, *a: error_floor_exact(gap / 2, *a),
        "bias forgotten": lambda gap, rate, steps, _: error_floor_exact(
            gap, rate, steps, Fraction(0)
        ),
        "half the bias": lambda gap, rate, steps, bias: error_floor_exact(
            gap, rate, steps, bias / 2
        ),
    },
    breaks={
        SMALL_STEP: Counterexample(
            quadratic(1, 0, 1, Fraction(3, 2)), "A step beyond the optimum gains less."
        ),
        POTENTIAL: Counterexample(
            QuadraticAscent(
                (Fraction(0),) * 2,
                (Fraction(1), Fraction(0)),
                ((Fraction(0),) * 2,) * 3,
                Fraction(1, 2),
                Fraction(0),
                rotation=Fraction(1),
            ),
            "A rotating field never comes to rest, whatever the horizon.",
        ),
        BIASES: Counterexample(quadratic(2, 2, 9, bound=1), "A bias of twice the bound."),
    },
    tight=Tight(quadratic(3, 0, 1)),
)
def error_floor_holds(
    case: QuadraticAscent, floor: Callable[..., Any] = error_floor_exact
) -> Sides:
    """Stale ascent comes to rest up to its squared bias, so up to a floor quadratic in S eta.

    Attained by one step on a quadratic with a learning rate of one over its curvature.
    """
    return Sides(case.mean_squared_gradient, floor(*case.setting))
