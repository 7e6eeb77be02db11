"""Claims about policy gradients of Pass@k: which group rules follow it, and what others follow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any

from rolltheory.claims import Counterexample, Relation, Sides, Source, Unbroken, claim
from rolltheory.reachability.claims.groups import CountedGroup, Weights
from rolltheory.reachability.gradients import (
    pass_at_k_gradient_weights_exact,
    pass_at_k_slope_exact,
)

__all__ = [
    "GivenRule",
    "Slope",
    "condition_for_unbiasedness",
    "pass_at_k_slope_is_the_derivative",
    "rules_are_unbiased",
    "slope_crosses_one",
]

PAGE = "docs/theory/reachability.md#gradients"
UNBIASED = ("score", "low_variance", "best_minus_second")
HALF = Fraction(1, 2)
Step = Callable[[int, int, int], Any]
Formula = Callable[[Any, Any], Any]
Threshold = Callable[[int], Any]

RANGE = "1 <= k <= n, and k = n for best_minus_second"
RULE = f"the rule is one of {', '.join(UNBIASED)}"
INDEPENDENT = "the tries of a group are independent"
ON_POLICY = "the tries are drawn by the policy whose gradient is taken"


def slope(p: Any, k: int) -> Any:
    """k (1 - p)^(k - 1), for a rational or a symbol."""
    return pass_at_k_slope_exact(p, k) if isinstance(p, Fraction) else k * (1 - p) ** (k - 1)


def all_fail(n: int, c: int, k: int) -> Fraction:
    """The chance that k of n tries, c of which succeed, all fail."""
    return Fraction(comb(n - c, k), comb(n, k))


def other_weights(honest: Weights) -> dict[str, Weights]:
    """Wrong variants of a rule for Pass@k."""

    def shrunk(n: int, c: int, k: int, *, variant: str) -> tuple[Any, Any]:
        success, failure = honest(n, c, k, variant=variant)
        return success * 9 / 10, failure * 9 / 10

    def failures_get_nothing(n: int, c: int, k: int, **_: str) -> tuple[Any, Any]:
        return Fraction(k, n) * (c > 0), 0

    def own_try_counted(n: int, c: int, k: int, **_: str) -> tuple[Any, Any]:
        return Fraction(k, n), Fraction(k, n) * (1 - all_fail(n, c, k - 1))

    def with_replacement(n: int, c: int, k: int, **_: str) -> tuple[Any, Any]:
        return Fraction(k, n), Fraction(k, n) * (1 - Fraction(n - c, n) ** (k - 1))

    def group_reward(n: int, c: int, k: int, **_: str) -> tuple[Any, Any]:
        return ((1 - all_fail(n, c, k)) / n,) * 2

    return {
        "all weights 10 % smaller": shrunk,
        "failures get nothing": failures_get_nothing,
        "the try itself counted among its helpers": own_try_counted,
        "helpers drawn with replacement": with_replacement,
        "everyone rewarded by the group's estimate over n": group_reward,
    }


@claim(
    "reachability.pass_at_k_gradient.unbiased",
    statement=r"E \sum_{i=1}^n w_i \nabla\log\pi(y_i) = \nabla [1 - (1 - p)^k]"
    r" \quad\text{with}\quad w_+ = \tfrac{k}{n},\ w_-(c) = \tfrac{k}{n}(1 - \bar\rho(c))"
    r" \quad\text{or}\quad w_+(c) = \tfrac{k}{n}\bar\rho(c - 1),\ w_- = 0,"
    r" \quad \bar\rho(c) = \binom{n-1-c}{k-1} / \binom{n-1}{k-1}",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={
        RANGE: lambda case: (
            1 <= case.k <= case.group_size
            and (case.variant != "best_minus_second" or case.k == case.group_size)
        ),
        RULE: lambda case: case.variant in UNBIASED,
        INDEPENDENT: lambda case: not case.copied,
        ON_POLICY: lambda case: case.sampled_at is None,
    },
    teeth=other_weights(pass_at_k_gradient_weights_exact),
    breaks={
        RANGE: Counterexample(
            CountedGroup(1, 2, Fraction(1, 3)),
            "What one try can follow is a constant times the gradient of p: shown for w = k/n = 2.",
            sides=lambda case, _: Sides(
                case.estimate(lambda *_, **__: (2, 0)),
                case.gradient(slope(case.success_probability, case.k)),
            ),
        ),
        RULE: Counterexample(
            CountedGroup(2, 2, Fraction(1, 3), "pass_at_1"), "Plain policy gradient ignores k."
        ),
        INDEPENDENT: Counterexample(
            CountedGroup(2, 2, Fraction(1, 3), copied=True),
            "Copies of one try never help each other.",
        ),
        ON_POLICY: Counterexample(
            CountedGroup(1, 1, HALF, sampled_at=Fraction(1, 3)),
            "Tries of an older policy need importance weights.",
        ),
    },
)
def rules_are_unbiased(case: Any, weights: Weights = pass_at_k_gradient_weights_exact) -> Sides:
    """Three group rules follow the gradient of Pass@k without bias, for every k up to n.

    The rules are score (a success gets k/n, a failure the chance that it is saved by k - 1
    others), low_variance (score less the leave-one-out baseline; failures get nothing), and at
    k = n best_minus_second (only a lone success is rewarded). The first two are those of
    arXiv 2505.15201, as they are quoted elsewhere; c counts the successes of the group.
    """
    return Sides(case.estimate(weights), case.gradient(slope(case.success_probability, case.k)))


@dataclass(frozen=True)
class GivenRule:
    """Any rule for groups of a size: weights of a success at c = 1..n, of a failure at 0..n-1."""

    k: int
    success: tuple[Fraction, ...]
    failure: tuple[Fraction, ...]

    @property
    def group_size(self) -> int:
        """How many tries a group has."""
        return len(self.success)

    def weights(self, n: int, c: int, _: int, **__: str) -> tuple[Fraction, Fraction]:
        """The rule in the form of the library's; a class without members gets 0."""
        return (self.success[c - 1] if c else Fraction(), self.failure[c] if c < n else Fraction())

    def is_unbiased(self) -> bool:
        """Whether the rule follows the gradient of Pass@k at every p.

        Both sides are polynomials of degree n + 1 at most, hence equal if they agree at n + 2
        points; they agree at 0 and 1.
        """
        n = self.group_size
        groups = (CountedGroup(n, self.k, Fraction(j, n + 1)) for j in range(1, n + 1))
        return all(
            group.estimate(self.weights) == group.gradient(slope(group.success_probability, self.k))
            for group in groups
        )

    def steps(self) -> tuple[Fraction, ...]:
        """What one more success adds: weight of a success at c + 1 less that of a failure at c."""
        return tuple(s - f for s, f in zip(self.success, self.failure, strict=True))


def required_step(n: int, c: int, k: int) -> Fraction:
    """(k/n) times the chance that k - 1 of the other tries, c of which succeed, all fail."""
    return Fraction(k, n) * all_fail(n - 1, c, k - 1)


other_steps: dict[str, Step] = {
    "10 % smaller": lambda n, c, k: required_step(n, c, k) * 9 / 10,
    "the try itself counted among the others": lambda n, c, k: (
        Fraction(k, n) * all_fail(n, c, k - 1)
    ),
    "others drawn with replacement": lambda n, c, k: Fraction(k, n) * Fraction(n - c, n) ** (k - 1),
    "the factor k/n dropped": lambda n, c, k: required_step(n, c, k) * n / k,
}


@claim(
    "reachability.pass_at_k_gradient.condition",
    statement=r"\bigl(\forall p:\ E \sum_i w_i \nabla\log\pi(y_i) = \nabla [1 - (1-p)^k]\bigr)"
    r" \iff w_+(c + 1) - w_-(c) = \tfrac{k}{n} \binom{n-1-c}{k-1} / \binom{n-1}{k-1},"
    r" \quad c = 0, \dots, n - 1",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={"1 <= k <= n": lambda case: 1 <= case.k <= case.group_size},
    teeth=other_steps,
    breaks={
        "1 <= k <= n": Unbroken("above n the condition is not defined, and no rule is unbiased"),
    },
)
def condition_for_unbiasedness(case: GivenRule, step: Step = required_step) -> Sides:
    """A group rule is unbiased for Pass@k at every p iff its steps are the required ones.

    A step is what a try's own success changes while the other tries stay as they are. So all
    unbiased rules differ by a baseline only, which the other tries choose. Rewarding every try
    with the Pass@k estimate of the whole group is one of them.
    """
    needed = tuple(step(case.group_size, c, case.k) for c in range(case.group_size))
    return Sides(case.is_unbiased(), case.steps() == needed)


@dataclass(frozen=True)
class Slope:
    """Pass@k at a success probability, a rational or a symbol; k may be a symbol then, too."""

    success_probability: Any
    k: Any

    def derivative(self) -> Any:
        """The derivative of Pass@k in p: of its expansion in powers of p, or by the rules."""
        p, k = self.success_probability, self.k
        if isinstance(p, Fraction):
            return sum(comb(k, j) * j * (-1) ** (j + 1) * p ** (j - 1) for j in range(1, k + 1))
        import sympy

        return sympy.powsimp(sympy.diff(1 - (1 - p) ** k, p))


def other_slopes(honest: Formula) -> dict[str, Formula]:
    """Wrong formulas for the slope."""
    return {
        "10 % smaller": lambda p, k: honest(p, k) * 9 / 10,
        "off by one": lambda p, k: honest(p, k) * (1 - p),
        "the factor k dropped": lambda p, k: honest(p, k) / k,
        "all-of-k instead": lambda p, k: honest(1 - p, k),
    }


@claim(
    "reachability.pass_at_k.slope",
    statement=r"\frac{d}{dp} [1 - (1 - p)^k] = k (1 - p)^{k - 1}",
    relation=Relation.EQUAL,
    source=Source.known("the chain rule"),
    assumes={"k >= 1": lambda case: case.k >= 1},
    teeth=other_slopes(slope),
    breaks={"k >= 1": Unbroken("the formula holds at k = 0 too, but Pass@0 is nothing to train")},
)
def pass_at_k_slope_is_the_derivative(case: Slope, formula: Any = slope) -> Sides:
    """The weight that Pass@k puts on a problem is k times the chance of k - 1 failures."""
    return Sides(case.derivative(), formula(case.success_probability, case.k))


def crossover(k: int) -> Any:
    """1 - k^(-1/(k - 1)), an algebraic number."""
    import sympy

    return 1 - sympy.Integer(k) ** sympy.Rational(-1, k - 1)


def other_crossovers(honest: Threshold) -> dict[str, Threshold]:
    """Wrong thresholds."""
    return {
        "10 % smaller": lambda k: honest(k) * 9 / 10,
        "off by one": lambda k: honest(k + 1),
        "1/k, the usual rule of thumb": lambda k: Fraction(1, k),
        "direction swapped": lambda k: 1 - honest(k),
    }


@claim(
    "reachability.pass_at_k.slope_crossover",
    statement=r"k (1 - p)^{k - 1} > 1 \iff p < 1 - k^{-1/(k - 1)}",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={"k >= 2": lambda case: case.k >= 2},
    teeth=other_crossovers(crossover),
    breaks={"k >= 2": Unbroken("at k = 1 both objectives are one, and there is no crossover")},
)
def slope_crosses_one(case: Slope, threshold: Any = crossover) -> Sides:
    """Pass@k pushes a problem harder than Pass@1 exactly below a success probability.

    That threshold falls from 1/2 at k = 2 to about ln(k)/k: everything easier is pushed less.
    """
    pushed_harder = slope(case.success_probability, case.k) > 1
    return Sides(pushed_harder, bool(case.success_probability < threshold(case.k)))
