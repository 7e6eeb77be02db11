"""Claims about what rollout error costs a planner."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rolltheory.claims import Relation, Sides, Source, Tight, Tooth, Verdict, claim
from rolltheory.graph_world.regret import horizon_factor, horizon_factor_exact

__all__ = [
    "Discounting",
    "TwoPlans",
    "factor_has_a_closed_form",
    "factor_in_floats",
    "loss_is_within_the_regret_bound",
    "the_revised_sum_bounds_the_factor",
]

PAGE = "docs/theory/graph_world.md#planning-regret"
PAPER = Source.paper("2606.27780", "Theorem 4, as its code states it")


@dataclass(frozen=True)
class Discounting:
    """Numbers or symbols for discount and growth, and a horizon."""

    discount: Any
    growth: Any
    horizon: int

    def factor(self) -> Any:
        """Summed term by term, error by error."""
        total, error, weight = 0 * self.growth, 0 * self.growth, 0 * self.growth + 1
        for _ in range(self.horizon):
            total += weight * error
            error = self.growth * error + 1
            weight *= self.discount
        return total


def powers(ratio: Any, terms: int) -> Any:
    """1 + q + ... + q^{H-1}."""
    return sum((ratio**k for k in range(terms)), 0 * ratio)


def closed_form(discount: Any, growth: Any, horizon: int) -> Any:
    """(gs(gamma rho, H) - gs(gamma, H)) / (rho - 1), or the sum of t gamma^t."""
    if growth == 1:
        return sum((t * discount**t for t in range(horizon)), 0 * discount)
    return (powers(discount * growth, horizon) - powers(discount, horizon)) / (growth - 1)


Form = Callable[[Any, Any, int], Any]


@claim(
    "graph_world.regret.factor",
    statement=r"\sum_{t<H} \gamma^t (1 + \dots + \rho^{t-1})"
    r" = \frac{\mathrm{gs}(\gamma\rho, H) - \mathrm{gs}(\gamma, H)}{\rho - 1}, \qquad"
    r" \sum_{t<H} t \gamma^t \text{ for } \rho = 1",
    relation=Relation.EQUAL,
    source=PAPER,
    assumes={},
    teeth={
        "the revised sum": lambda discount, growth, horizon: powers(discount * growth, horizon),
        "rewards one step later": lambda discount, growth, horizon: closed_form(
            discount, growth, horizon + 1
        ),
        "plain sum not subtracted": lambda discount, growth, horizon: (
            closed_form(discount, growth, horizon) + powers(discount, horizon)
        ),
    },
)
def factor_has_a_closed_form(case: Discounting, form: Form = closed_form) -> Sides:
    """The horizon factor is a difference of two geometric sums."""
    return Sides(case.factor(), form(case.discount, case.growth, case.horizon))


def library_factor(discount: Any, growth: Any, horizon: int) -> Any:
    """What the library says."""
    return float(horizon_factor(horizon, discount=float(discount), spectral_radius=float(growth)))


@claim(
    "graph_world.regret.factor_in_floats",
    statement=r"\Phi_H(\gamma, \rho) \le \mathtt{horizon\_factor} \le (1 + 10^{-12}) \Phi_H",
    relation=Relation.IMPLIES,
    source=Source.derived(PAGE),
    assumes={},
    teeth={
        "rounded to nearest": lambda discount, growth, horizon: float(
            closed_form(float(discount), float(growth), horizon)
        ),
        "a billionth too large": lambda *case: library_factor(*case) * (1 + 1e-9),
        "one step less": lambda discount, growth, horizon: library_factor(
            discount, growth, max(horizon - 1, 0)
        ),
    },
)
def factor_in_floats(case: Discounting, form: Form = library_factor) -> Sides:
    """The float factor lies above the exact one, by next to nothing."""
    true = horizon_factor_exact(case.horizon, discount=case.discount, spectral_radius=case.growth)
    found = Fraction(form(case.discount, case.growth, case.horizon))
    return Sides(True, bool(true <= found <= true * (1 + Fraction(1, 10**12))))


@claim(
    "graph_world.regret.revised_sum",
    statement=r"\Phi_H(\gamma, \rho) \le 1 + \gamma\rho + \dots + (\gamma\rho)^{H-1}",
    relation=Relation.AT_MOST,
    source=Source.paper("2606.27780", "Theorem 4, as its revised code states it"),
    assumes={},
    repairs={"the factor itself": closed_form},
    declared=Verdict.REFUTED,
    repaired_by="graph_world.regret.factor",
)
def the_revised_sum_bounds_the_factor(
    case: Discounting,
    form: Form = lambda discount, growth, horizon: powers(discount * growth, horizon),
) -> Sides:
    """The geometric sum of gamma rho may stand for the factor. False below growth 2.

    Without discount or growth it is 10 where the factor is 45, at horizon 10.
    """
    return Sides(case.factor(), form(case.discount, case.growth, case.horizon))


@dataclass(frozen=True)
class TwoPlans:
    """Two open-loop plans on x' = rho x + push, and the errors that a model makes under each.

    Rewards are slope x plus the plan's bonus per step; the model's reward adds its own errors.
    """

    growth: Fraction
    discount: Fraction
    slope: Fraction
    pushes: tuple[tuple[Fraction, ...], tuple[Fraction, ...]]
    errors: tuple[tuple[Fraction, ...], tuple[Fraction, ...]]
    reward_errors: tuple[tuple[Fraction, ...], tuple[Fraction, ...]]
    bonuses: tuple[Fraction, Fraction] = (Fraction(0), Fraction(0))

    def value(self, plan: int, *, in_model: bool) -> Fraction:
        """Discounted rewards of a plan."""
        state, weight, total = Fraction(0), Fraction(1), Fraction(0)
        parts = zip(self.pushes[plan], self.errors[plan], self.reward_errors[plan], strict=True)
        for push, error, reward_error in parts:
            reward = self.slope * state + self.bonuses[plan]
            total += weight * (reward + (reward_error if in_model else 0))
            state = self.growth * state + push + (error if in_model else 0)
            weight *= self.discount
        return total

    def loss(self) -> Fraction:
        """How much less the plan chosen in the model earns; ties go to the worse plan."""
        planned = [self.value(plan, in_model=True) for plan in (0, 1)]
        earned = [self.value(plan, in_model=False) for plan in (0, 1)]
        worst = min(e for p, e in zip(planned, earned, strict=True) if p == max(planned))
        return max(earned) - worst

    @property
    def horizon(self) -> int:
        """Rewards."""
        return len(self.pushes[0])

    @property
    def largest_error(self) -> Fraction:
        """eps."""
        return max(abs(e) for plan in self.errors for e in plan)

    @property
    def largest_reward_error(self) -> Fraction:
        """eps_R."""
        return max(abs(e) for plan in self.reward_errors for e in plan)


def allowed(case: TwoPlans) -> Fraction:
    """2 L_R eps Phi + 2 eps_R gs(gamma, H)."""
    factor = horizon_factor_exact(case.horizon, discount=case.discount, spectral_radius=case.growth)
    rewards: Fraction = case.largest_reward_error * powers(case.discount, case.horizon)
    return 2 * case.slope * case.largest_error * factor + 2 * rewards


def tied(growth: Any, discount: Any, horizon: int, wrong: int = 0) -> TwoPlans:
    """Plans that tie in the model: a unit of error upwards under one, downwards under the other.

    The worse plan pushes nothing; the better one pushes two units at every step, and earns twice
    what the model gets wrong about rewards.
    """
    zero, one = Fraction(0), Fraction(1)
    return TwoPlans(
        Fraction(growth),
        Fraction(discount),
        one,
        ((zero,) * horizon, (2 * one,) * horizon),
        ((one,) * horizon, (-one,) * horizon),
        ((wrong * one,) * horizon, (-wrong * one,) * horizon),
        (zero, 2 * wrong * one),
    )


@claim(
    "graph_world.regret.bound",
    statement=r"J^* - J(\hat\pi) \le 2 L_R\,\varepsilon\,\Phi_H(\gamma, \rho)"
    r" + 2 \varepsilon_R\,\mathrm{gs}(\gamma, H)",
    relation=Relation.AT_MOST,
    source=PAPER,
    assumes={},
    teeth={
        "factor one instead of two": lambda case: allowed(case) / 2,
        "reward errors forgotten": lambda case: (
            allowed(case) - 2 * case.largest_reward_error * powers(case.discount, case.horizon)
        ),
        "the revised sum": lambda case: (
            2 * case.slope * case.largest_error * powers(case.discount * case.growth, case.horizon)
            + 2 * case.largest_reward_error * powers(case.discount, case.horizon)
        ),
        "10 % smaller": lambda case: allowed(case) * 9 / 10,
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    tight=Tight(tied(2, Fraction(1, 2), 4)),
)
def loss_is_within_the_regret_bound(
    case: TwoPlans, bound: Callable[[TwoPlans], Any] = allowed
) -> Sides:
    """A plan made in the model loses at most twice the discounted error; the 2 is needed."""
    return Sides(case.loss(), bound(case))
