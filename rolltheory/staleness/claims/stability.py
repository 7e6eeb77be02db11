"""Claims about the stability of delayed ascent: when it limits lag times learning rate."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rolltheory.claims import Counterexample, Relation, Sides, Source, Verdict, claim
from rolltheory.staleness.stability import small_step_limit, stability_limit

__all__ = [
    "Cycle",
    "DelayedAscent",
    "LongLag",
    "MeasuredAscent",
    "OneMoreStep",
    "fixed_lag_limit_holds",
    "lag_times_rate_is_bounded",
    "limit_of_long_lags",
    "multiplier_by_induction",
    "multiplier_of_a_cycle",
    "share_of_one_half",
    "sync_limit_holds",
]

PAGE = "docs/theory/staleness.md#stability-of-delayed-ascent"
FIRST_WINDOW = "an even cycle whose sampler carries half or more is not pushed past its optimum"
LONG = "the lag is at least what the small-step limit allows"

HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Cycle:
    """One cycle of periodic sync on a linear map; step and share are rationals or symbols."""

    step: Any
    lag: int
    behaviour_share: Any

    def multiplier(self) -> Any:
        """Update by update."""
        distance: Any = 1
        for _ in range(self.lag):
            pull = (1 - self.behaviour_share) * distance + self.behaviour_share
            distance = distance - self.step * pull
        return distance


def multiplier(step: Any, lag: Any, share: Any) -> Any:
    """The closed form of a cycle's multiplier."""
    if share == 1:
        return 1 - lag * step
    return ((1 - step * (1 - share)) ** lag - share) / (1 - share)


@claim(
    "staleness.stability.multiplier",
    statement=r"M = \frac{a^S - \alpha}{1 - \alpha}, \quad a = 1 - x (1 - \alpha), \qquad"
    r"M = 1 - S x \text{ for } \alpha = 1",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={},
    teeth={
        "all from the sampler": lambda step, lag, _: 1 - lag * step,
        "all from the learner": lambda step, lag, _: (1 - step) ** lag,
        "sampler subtracted once more": lambda step, lag, share: (
            multiplier(step, lag, share) - share
        ),
    },
)
def multiplier_of_a_cycle(case: Cycle, form: Callable[[Any, Any, Any], Any] = multiplier) -> Sides:
    """A cycle of sync multiplies the distance to the fixed point by (a^S - alpha)/(1 - alpha)."""
    return Sides(case.multiplier(), form(case.step, case.lag, case.behaviour_share))


@dataclass(frozen=True)
class OneMoreStep:
    """From S to S + 1 updates per cycle, at numbers or at symbols."""

    step: Any
    lag: Any
    behaviour_share: Any


@claim(
    "staleness.stability.multiplier_by_induction",
    statement=r"M_{S+1} = a M_S - x \alpha, \quad M_0 = 1",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={},
    teeth={
        "all from the learner": lambda step, lag, _: (1 - step) ** lag,
        "sampler forgotten": lambda step, lag, share: (1 - step * (1 - share)) ** lag,
    },
)
def multiplier_by_induction(
    case: OneMoreStep, form: Callable[[Any, Any, Any], Any] = multiplier
) -> Sides:
    """The closed form of the multiplier holds for every number of updates per cycle."""
    step, lag, share = case.step, case.lag, case.behaviour_share
    a = 1 - step * (1 - share)
    start = form(step, 0, share) - 1
    return Sides(a * form(step, lag, share) - step * share + start, form(step, lag + 1, share))


@dataclass(frozen=True)
class DelayedAscent:
    """Delayed ascent on a linear map, in rationals."""

    step: Fraction
    lag: int
    behaviour_share: Fraction
    schedule: str = "fixed_lag"

    def converges(self) -> bool:
        """Whether every start converges, without rounding."""
        if self.schedule == "sync":
            multiplier = Cycle(self.step, self.lag, self.behaviour_share).multiplier()
            return bool(abs(multiplier) < 1)
        pull, zeros = 1 - self.behaviour_share, [Fraction(0)] * self.lag
        rising = [Fraction(0), *zeros, Fraction(1)]  # z^(S+1) - (1 - x (1 - alpha)) z^S + x alpha
        rising[self.lag] -= 1 - self.step * pull
        rising[0] += self.step * self.behaviour_share
        return has_all_roots_inside(rising)

    @property
    def is_in_first_window(self) -> bool:
        """Whether the step is not beyond the second window of an even cycle."""
        has_second = self.lag % 2 == 0 and self.behaviour_share >= HALF
        return not has_second or self.step * (1 - self.behaviour_share) <= 1


def has_all_roots_inside(rising: list[Fraction]) -> bool:
    """Whether all roots of a monic polynomial lie inside the unit circle (Schur and Cohn)."""
    while len(rising) > 1:
        last = rising[0]
        if abs(last) >= 1:
            return False
        falling = rising[::-1]
        scale = 1 - last**2
        rising = [(p - last * q) / scale for p, q in zip(rising, falling, strict=True)][1:]
    return True


@dataclass(frozen=True)
class MeasuredAscent:
    """Whether a simulated run converged; its step is in units of the curvature at the optimum."""

    step: float
    lag: int
    behaviour_share: float
    converged: bool
    schedule: str = "fixed_lag"
    is_in_first_window: bool = True

    def converges(self) -> bool:
        """What the simulation found."""
        return self.converged


Limit = Callable[..., Any]


def below(case: DelayedAscent | MeasuredAscent, limit: Limit) -> bool:
    """Whether the step is below the limit."""
    share = float(case.behaviour_share)
    return bool(Fraction(case.step) < Fraction(float(limit(case.lag, behaviour_share=share))))


def sync_limit(lag: int, *, behaviour_share: float) -> Any:
    """The library's limit for periodic sync."""
    return stability_limit(lag, schedule="sync", behaviour_share=behaviour_share)


def odd_cycles_only(lag: int, *, behaviour_share: float) -> float:
    """The limit of odd cycles, taken for every cycle."""
    root = math.copysign(abs(1 - 2 * behaviour_share) ** (1 / lag), 1 - 2 * behaviour_share)
    return (1 + root) / (1 - behaviour_share) if behaviour_share < 1 else 2 / lag


@claim(
    "staleness.stability.sync",
    statement=r"|M| < 1 \iff x < \frac{1 - (2\alpha - 1)^{1/S}}{1 - \alpha}\ (\alpha \ge \tfrac12),"
    r"\quad \frac{1 + (1 - 2\alpha)^{1/S}}{1 - \alpha}\ (\alpha < \tfrac12, S \text{ odd}), \quad"
    r"\frac{2}{1 - \alpha}\ (\alpha < \tfrac12, S \text{ even})",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={FIRST_WINDOW: lambda case: case.is_in_first_window},
    teeth={
        "1/S for every share": lambda lag, **_: 2 / lag,
        "parity forgotten": odd_cycles_only,
        "limit of a fixed lag": lambda lag, **k: stability_limit(lag, **k),
        "small-step limit at every lag": lambda lag, *, behaviour_share: min(
            2.0, small_step_limit(behaviour_share, schedule="sync") / lag
        ),
    },
    breaks={
        FIRST_WINDOW: Counterexample(
            DelayedAscent(Fraction(7), 2, Fraction(3, 4), "sync"),
            "Two steps that each overshoot by half bring the learner back.",
        )
    },
)
def sync_limit_holds(case: DelayedAscent | MeasuredAscent, limit: Limit = sync_limit) -> Sides:
    """Ascent with periodic sync converges up to a step that depends on share, S and its parity."""
    return Sides(case.converges(), below(case, limit))


@claim(
    "staleness.stability.fixed_lag",
    statement=r"\text{all } |z| < 1 \iff x < \frac{2 \sin\frac\omega2}{(1-\alpha) \sin\frac\omega2 "
    r"+ \alpha \sin((S + \frac12) \omega)}, \quad"
    r"\alpha \cos((S + \tfrac12) \omega) + (1 - \alpha) \cos\tfrac\omega2 = 0",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={},
    teeth={
        "1/S": lambda lag, **_: math.pi / 2 / max(lag, 1),
        "share forgotten": lambda lag, **_: stability_limit(lag),
        "lag one shorter": lambda lag, **k: stability_limit(max(lag - 1, 0), **k),
        "limit of sync": lambda lag, **k: sync_limit(max(lag, 1), **k),
    },
)
def fixed_lag_limit_holds(
    case: DelayedAscent | MeasuredAscent, limit: Limit = stability_limit
) -> Sides:
    """Ascent with a fixed lag converges up to a step at which a root meets the unit circle.

    2 sin(pi/(2(2S+1))) for learners without ratios; 2, as without lag, for an even lag whose
    sampler carries no more than half of the sensitivity.
    """
    return Sides(case.converges(), below(case, limit))


def is_long(case: DelayedAscent) -> bool:
    """Whether a sampler that carries more than half would limit this step at this lag."""
    allowed = float(small_step_limit(float(case.behaviour_share), schedule=case.schedule))
    return case.behaviour_share <= HALF or case.lag * case.step >= Fraction(allowed)


@claim(
    "staleness.stability.share_of_one_half",
    statement=r"\text{a step } x < 2 \text{ converges at every lag} \iff \alpha \le \tfrac12",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={LONG: is_long},
    teeth={
        "share of two fifths": lambda share: share <= Fraction(2, 5),
        "share of three fifths": lambda share: share <= Fraction(3, 5),
        "never": lambda _: False,
    },
    breaks={
        LONG: Counterexample(
            DelayedAscent(HALF, 1, Fraction(1), "sync"), "A short lag does no harm."
        )
    },
)
def share_of_one_half(
    case: DelayedAscent | MeasuredAscent,
    never_limits: Callable[[Any], bool] = lambda share: share <= HALF,
) -> Sides:
    """The 1/S law holds iff the behaviour policy carries more than half of the sensitivity.

    Which side a run is on depends on ratios, anchor and regulariser, not on S.
    """
    return Sides(case.converges(), bool(never_limits(case.behaviour_share)))


def by_the_share(case: DelayedAscent | MeasuredAscent) -> Any:
    """The constant of the 1/S law, infinite where there is none."""
    return small_step_limit(float(case.behaviour_share), schedule=case.schedule)


@claim(
    "staleness.stability.lag_times_rate",
    statement=r"\text{delayed ascent converges} \ \Rightarrow\ S x \le 2",
    relation=Relation.IMPLIES,
    source=Source.known("the stability law S eta = const, read as universal"),
    assumes={},
    repairs={"by the share": by_the_share},
    declared=Verdict.REFUTED,
    repaired_by="staleness.stability.share_of_one_half",
)
def lag_times_rate_is_bounded(
    case: DelayedAscent | MeasuredAscent,
    constant: Callable[[Any], Any] = lambda _: 2,
) -> Sides:
    """Stability needs lag times learning rate below a constant that does not depend on the run.

    False as stated: the constant depends on the share of the sensitivity that the sampler carries,
    and at one half it becomes infinite.
    """
    bound = float(constant(case))
    within = math.isinf(bound) or case.lag * Fraction(case.step) <= Fraction(bound)
    return Sides(case.converges(), within)


@dataclass(frozen=True)
class LongLag:
    """A share and a schedule, looked at for a long lag."""

    behaviour_share: Fraction
    schedule: str
    lag: int = 10**6

    def scaled_limit(self) -> float:
        """Lag times the library's limit."""
        share = float(self.behaviour_share)
        limit = stability_limit(self.lag, schedule=self.schedule, behaviour_share=share)
        return self.lag * float(limit)


@claim(
    "staleness.stability.small_steps",
    statement=r"\lim_{S \to \infty} S x_\text{limit} = \frac{1}{1-\alpha} \log\frac{1}{2\alpha - 1}"
    r"\text{ (sync)}, \qquad \frac{\arccos(-\frac{1-\alpha}{\alpha})}{\sqrt{2\alpha - 1}}"
    r"\text{ (fixed lag)}",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={},
    teeth={
        "share forgotten": lambda _, **k: small_step_limit(1.0, **k),
        "schedules swapped": lambda share, *, schedule: small_step_limit(
            share, schedule="sync" if schedule == "fixed_lag" else "fixed_lag"
        ),
    },
)
def limit_of_long_lags(case: LongLag, constant: Callable[..., Any] = small_step_limit) -> Sides:
    """For a sampler that carries more than half, the limit falls as 1/S with a known constant."""
    stated = constant(float(case.behaviour_share), schedule=case.schedule)
    return Sides(case.scaled_limit(), float(stated))
