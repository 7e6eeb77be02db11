"""Claims about how far a tabular softmax moves, and how large advantages get."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from rolltheory.claims import Relation, Sides, Source, Tight, Tooth, Unbroken, Verdict, claim
from rolltheory.staleness.advantages import advantage_bound, group_advantages
from rolltheory.staleness.claims.exact_numbers import enclosed, number, precision, rational
from rolltheory.staleness.claims.prompt_weight import PAGE
from rolltheory.staleness.claims.prompts import Prompt, displacement, l1_distance, slope_of_success
from rolltheory.staleness.radii import SOFTMAX_SCORE_BOUND
from rolltheory.staleness.softmax import (
    SUCCESS_HESSIAN_BOUND,
    softmax_distance_bounds,
    success_gradient_bound,
)

__all__ = [
    "ConstantGroup",
    "Direction",
    "Group",
    "advantages_are_bounded",
    "chi_squared_is_bounded",
    "constant_groups_have_no_advantage",
    "kl_is_bounded",
    "l1_distance_is_bounded",
    "log_ratio_is_bounded",
    "mean_square_of_the_score",
    "nearby",
    "rare_action",
    "scores_are_short",
    "success_curvature_has_two_parts",
    "success_curves_boundedly",
    "success_slope_is_bounded",
]

SMOOTHNESS = f"{PAGE}#smoothness"
Limits = Callable[[Prompt], Any]


def nearby(moved: Fraction) -> Prompt:
    """Two policies over two actions, close to even."""
    half = Fraction(1, 2)
    return Prompt((half + moved, half - moved), (half - moved, half + moved), (1, 0), 2)


def rare_action(rare: Fraction) -> Prompt:
    """An action that the learner takes twice as often as the behaviour policy, and rarely."""
    return Prompt((2 * rare, 1 - 2 * rare), (rare, 1 - rare), (1, 0), 2)


def _limit(name: str, share: float = 1.0) -> Limits:
    """What the library answers at the least displacement of the logits, times a share."""

    def limit(case: Prompt) -> Fraction:
        size = displacement(case)
        upper = size if isinstance(size, int) else size.high
        return rational(share * getattr(softmax_distance_bounds(float(upper)), name))

    return limit


_L1, _LOG_RATIO, _KL, _CHI_SQUARED = map(_limit, ("l1", "log_ratio", "kl", "chi_squared"))


def _smaller(name: str) -> dict[str, Any]:
    return {
        "a tenth smaller": _limit(name, 0.9),
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    }


@claim(
    "staleness.softmax.l1",
    statement=r"|\pi_\theta - \pi_\phi|_1 \le |\theta - \phi| / \sqrt 2, \quad"
    r" \mathrm{TV} \le |\theta - \phi| / (2 \sqrt 2)",
    relation=Relation.AT_MOST,
    source=Source.derived(SMOOTHNESS),
    assumes={},
    teeth=_smaller("l1"),
    tight=Tight(nearby(Fraction(1, 10**4)), at_least=Fraction(999999, 10**6)),
)
def l1_distance_is_bounded(case: Prompt, limit: Limits = _L1) -> Sides:
    """The L1 distance of two softmax policies is at most the displacement over sqrt 2."""
    return Sides(l1_distance(case), limit(case))


@claim(
    "staleness.softmax.log_ratio",
    statement=r"\max_y |\log r(y)| \le \sqrt 2\, |\theta - \phi|",
    relation=Relation.AT_MOST,
    source=Source.derived(SMOOTHNESS),
    assumes={},
    teeth=_smaller("log_ratio"),
    tight=Tight(rare_action(Fraction(1, 10**6)), at_least=Fraction(999, 1000)),
)
def log_ratio_is_bounded(case: Prompt, limit: Limits = _LOG_RATIO) -> Sides:
    """No log-ratio exceeds sqrt 2 times the displacement."""
    pairs = zip(case.policy, case.behaviour, strict=True)
    with precision("ball"):
        sizes = [abs(number(p / q, "ball").log()) for p, q in pairs]
        largest = sizes[0]
        for size in sizes[1:]:
            largest = largest.max(size)
        return Sides(enclosed(largest), limit(case))


@claim(
    "staleness.softmax.kl",
    statement=r"\mathrm{KL}(\pi_\phi \| \pi_\theta) \le |\theta - \phi|^2 / 4",
    relation=Relation.AT_MOST,
    source=Source.derived(SMOOTHNESS),
    assumes={},
    teeth=_smaller("kl"),
    tight=Tight(nearby(Fraction(1, 10**3)), at_least=Fraction(99999, 10**5)),
)
def kl_is_bounded(case: Prompt, limit: Limits = _KL) -> Sides:
    """The divergence of two softmax policies is at most a quarter of the squared displacement."""
    pairs = zip(case.policy, case.behaviour, strict=True)
    with precision("ball"):
        terms = [number(q, "ball") * number(q / p, "ball").log() for p, q in pairs]
        return Sides(enclosed(sum(terms[1:], terms[0])), limit(case))


@claim(
    "staleness.softmax.chi_squared",
    statement=r"\mathbb{E}_\phi\, r^2 = 1 + \chi^2(\pi_\theta \| \pi_\phi)"
    r" \le e^{|\theta - \phi|^2 / 2}",
    relation=Relation.AT_MOST,
    source=Source.derived(SMOOTHNESS),
    assumes={},
    teeth=_smaller("chi_squared"),
    tight=Tight(nearby(Fraction(1, 10**3)), at_least=Fraction(99999, 10**5)),
)
def chi_squared_is_bounded(case: Prompt, limit: Limits = _CHI_SQUARED) -> Sides:
    """The variance of the ratio is at most exponential in the squared displacement."""
    pairs = zip(case.policy, case.behaviour, strict=True)
    return Sides(sum(((p - q) ** 2 / q for p, q in pairs), Fraction(0)), limit(case))


@claim(
    "staleness.softmax.score",
    statement=r"|e_y - \pi|^2 \le 2",
    relation=Relation.AT_MOST,
    source=Source.derived(SMOOTHNESS),
    assumes={},
    teeth={
        "a tenth smaller": 0.9 * SOFTMAX_SCORE_BOUND,
        "one": 1.0,
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    tight=Tight(rare_action(Fraction(1, 10**6)), at_least=Fraction(99999, 10**5)),
)
def scores_are_short(case: Prompt, longest: float = SOFTMAX_SCORE_BOUND) -> Sides:
    """No score is longer than sqrt 2; that of a rare action beside a certain one comes close."""
    return Sides(max(_squared_scores(case.policy)), rational(longest) ** 2)


def _squared_scores(policy: tuple[Any, ...]) -> list[Any]:
    total = sum(p * p for p in policy)
    return [1 - 2 * p + total for p in policy]


def _one_minus_squares(policy: tuple[Any, ...]) -> Any:
    return 1 - sum(p * p for p in policy)


@claim(
    "staleness.softmax.mean_square_score",
    statement=r"\mathbb{E}_\pi |e_y - \pi|^2 = 1 - |\pi|^2",
    relation=Relation.EQUAL,
    source=Source.derived(SMOOTHNESS),
    assumes={},
    teeth={
        "sign turned": lambda policy: 1 + sum(p * p for p in policy),
        "one": lambda policy: sum(policy),
        "of an even policy": lambda policy: 1 - Fraction(1, len(policy)),
    },
)
def mean_square_of_the_score(
    case: Prompt, formula: Callable[[tuple[Any, ...]], Any] = _one_minus_squares
) -> Sides:
    """The mean squared length of the score is one minus the collision probability."""
    pairs = zip(case.policy, _squared_scores(case.policy), strict=True)
    return Sides(sum(p * square for p, square in pairs), formula(case.policy))


@claim(
    "staleness.softmax.success_gradient",
    statement=r"|\nabla p|^2 \le 2 p^2 (1 - p)^2 \le 1/8, \quad p = \pi(C)",
    relation=Relation.AT_MOST,
    source=Source.derived(SMOOTHNESS),
    assumes={},
    teeth={
        "a tenth smaller": lambda p: 0.9 * success_gradient_bound(p),
        "without sqrt 2": lambda p: success_gradient_bound(p) / 2**0.5,
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    tight=Tight(nearby(Fraction(1, 5))),
)
def success_slope_is_bounded(
    case: Prompt, bound: Callable[[float], Any] = success_gradient_bound
) -> Sides:
    """A success probability changes at most sqrt 2 p (1 - p) per unit of displacement."""
    squares = sum((part * part for part in slope_of_success(case)), Fraction(0))
    success = case.success(case.policy)
    # The bound is symmetric; the smaller of p and 1 - p loses no digits as a float.
    return Sides(squares, rational(bound(float(min(success, 1 - success)))) ** 2)


@dataclass(frozen=True)
class Direction:
    """A policy, the set of its correct actions, and a direction in the logits."""

    policy: tuple[Any, ...]
    correct: tuple[bool, ...]
    direction: tuple[Any, ...]

    def second_derivative(self) -> Any:
        """Of the success probability along the direction: E (1_C - p)(u - E u)^2."""
        pairs = zip(self.policy, self.correct, strict=True)
        success = sum(p for p, inside in pairs if inside)
        mean = sum(p * u for p, u in zip(self.policy, self.direction, strict=True))
        terms = zip(self.policy, self.correct, self.direction, strict=True)
        return sum(p * (int(inside) - success) * (u - mean) ** 2 for p, inside, u in terms)


@claim(
    "staleness.softmax.success_hessian",
    statement=r"|u^\top \nabla^2 p\, u| \le \frac{1}{3 \sqrt 3}\, |u|^2",
    relation=Relation.AT_MOST,
    source=Source.derived(SMOOTHNESS),
    assumes={},
    teeth={
        "a tenth smaller": 0.9 * SUCCESS_HESSIAN_BOUND,
        "an eighth": 0.125,
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    tight=Tight(
        Direction((Fraction(2113, 10**4), Fraction(7887, 10**4)), (True, False), (1, -1)),
        at_least=Fraction(99999, 10**5),
    ),
)
def success_curves_boundedly(case: Direction, constant: float = SUCCESS_HESSIAN_BOUND) -> Sides:
    """The second derivative of a success probability is at most 1 / (3 sqrt 3).

    By staleness.softmax.hessian_form and its mirror image, it is p (1 - p) times a form whose
    largest eigenvalue is 2 s for s = 1 - 2p >= 1/4 and at most 1/2 otherwise, and s (1 - s^2) / 2
    is largest at s = 1 / sqrt 3.
    """
    squares = sum(u * u for u in case.direction)
    return Sides(abs(case.second_derivative()), rational(constant) * squares)


def _two_parts(case: Direction) -> Any:
    (first, second, rest), (x, y, b) = case.policy, case.direction
    success = first + second
    spread = first * (x - b) ** 2 + second * (y - b) ** 2
    return (1 - success) * ((1 - 2 * success) * spread + 2 * _variance(case)) + 0 * rest


def _variance(case: Direction) -> Any:
    """The squared success probability times the variance of the direction within the correct."""
    (first, second, _), (x, y, _) = case.policy, case.direction
    return first * second * (x - y) ** 2


@claim(
    "staleness.softmax.hessian_form",
    statement=r"u^\top \nabla^2 p\, u = p (1 - p) \bigl[(1 - 2p)\,"
    r" \mathbb{E}_C (u - b)^2 + 2 p\, \mathrm{Var}_C\, u \bigr], \quad u = b \text{ outside } C",
    relation=Relation.EQUAL,
    source=Source.derived(SMOOTHNESS),
    assumes={},
    teeth={
        "variance left out": lambda case: (
            _two_parts(case) - 2 * (1 - case.policy[0] - case.policy[1]) * _variance(case)
        ),
        "variance once": lambda case: (
            _two_parts(case) - (1 - case.policy[0] - case.policy[1]) * _variance(case)
        ),
    },
)
def success_curvature_has_two_parts(
    case: Direction, form: Callable[[Direction], Any] = _two_parts
) -> Sides:
    """How a success probability curves, for two correct actions and a wrong one.

    More correct actions need no more than two values of u: once the mean of u over C is fixed, the
    form is linear in their shares. Variance outside C only lowers it.
    """
    return Sides(case.second_derivative(), form(case))


@dataclass(frozen=True)
class Group:
    """The rewards of a group, not all equal."""

    rewards: tuple[int, ...]
    std: Any = "population"

    def largest_square(self) -> Fraction:
        """The largest squared advantage."""
        n, total = len(self.rewards), sum(self.rewards)
        spread = n * sum(r * r for r in self.rewards) - total**2
        largest = max((n * r - total) ** 2 for r in self.rewards)
        return Fraction(largest, spread) * (Fraction(n - 1, n) if self.std == "sample" else 1)


def _largest(case: Group) -> Any:
    return advantage_bound(len(case.rewards), std=case.std)


NOT_CONSTANT = "the rewards of the group are not all equal"


@claim(
    "staleness.advantage_bound",
    statement=r"|A_i| \le \sqrt{n - 1} \;(\text{population}), \quad"
    r" |A_i| \le (n - 1) / \sqrt n \;(\text{sample})",
    relation=Relation.AT_MOST,
    source=Source.known("Samuelson's inequality"),
    assumes={NOT_CONSTANT: lambda case: len(set(case.rewards)) > 1},
    teeth={
        "a tenth smaller": lambda case: 0.9 * _largest(case),
        "sample for population": lambda case: _largest(Group(case.rewards, "sample")),
        "n - 1 for n": lambda case: _largest(Group(case.rewards[1:], case.std)),
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    breaks={NOT_CONSTANT: Unbroken("the advantages of a constant group are 0 by definition")},
    tight=Tight(Group((1, 0, 0, 0))),
)
def advantages_are_bounded(case: Group, bound: Callable[[Group], Any] = _largest) -> Sides:
    """No advantage exceeds that of one success among failures.

    The sides are squares.
    """
    return Sides(case.largest_square(), rational(bound(case)) ** 2)


@dataclass(frozen=True)
class ConstantGroup:
    """A group whose rewards are all equal, as floats."""

    reward: float
    size: int


def _by_the_computed_deviation(rewards: Any) -> Any:
    """The popular formula: a group counts as constant if its computed deviation is 0."""
    deviation = rewards.std()
    return (rewards - rewards.mean()) / deviation if deviation else np.zeros(len(rewards))


@claim(
    "staleness.constant_group_by_deviation",
    statement=r"R_1 = \dots = R_n \implies \widehat{\mathrm{std}}(R) = 0 \text{ and } A = 0"
    r" \text{ in floats}",
    relation=Relation.EQUAL,
    source=Source.derived(SMOOTHNESS),
    assumes={},
    repairs={"the largest reward is compared with the smallest": group_advantages},
    declared=Verdict.REFUTED,
    repaired_by="staleness.advantage_bound",
)
def constant_groups_have_no_advantage(
    case: ConstantGroup, advantages: Callable[[Any], Any] = _by_the_computed_deviation
) -> Sides:
    """The computed standard deviation of equal rewards is zero.

    False in floats: three rewards of 0.1 have a computed deviation of 1.4e-17, and advantages of
    -1. Compare the largest reward with the smallest.
    """
    found = advantages(np.full(case.size, case.reward))
    return Sides(tuple(map(rational, found)), (0,) * case.size)
