"""Claims about group rules that do not follow Pass@k, Pass@k training first of all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rolltheory.claims import Counterexample, Relation, Sides, Source, Unbroken, Verdict, claim
from rolltheory.reachability.claims.gradients import INDEPENDENT, ON_POLICY, PAGE, all_fail, slope
from rolltheory.reachability.claims.groups import CountedGroup
from rolltheory.reachability.claims.tries import binomial
from rolltheory.reachability.gradients import (
    pass_at_k_gradient_scale_exact,
    pass_at_k_gradient_weights_exact,
)

__all__ = [
    "TrainingGroup",
    "rules_follow_their_scale",
    "training_follows_pass_at_k",
    "training_is_silent",
    "training_simplifies",
    "training_sums_to_zero",
]

TRAINING = "pass_at_k_training"
Pair = Callable[[int, int, int], tuple[Any, Any]]


def training_weights(n: int, c: int, k: int) -> tuple[Any, Any]:
    """Weights of a success and of a failure in Pass@k training, in radicals."""
    import sympy

    if c == 0:
        return sympy.Integer(0), sympy.Integer(0)
    missed = all_fail(n, c, k)
    success = sympy.sqrt(sympy.Rational(missed / (1 - missed))) / n
    return success, -success * c / max(n - c, 1)


def weights_in_radicals(n: int, c: int, k: int, *, variant: str) -> tuple[Any, Any]:
    """The exact weights of every rule of the library, in rationals or radicals."""
    if variant == TRAINING:
        return training_weights(n, c, k)
    return pass_at_k_gradient_weights_exact(n, c, k, variant=variant)  # type: ignore[arg-type]


def sum_of_steps(p: Any, n: int, k: int, variant: str, *, tries: int = 1, losses: int = 1) -> Any:
    """The scale as a mean of steps; other arguments give wrong formulas of the same form."""
    total: Any = 0
    for j in range(n):
        gain = weights_in_radicals(n, j + 1, k, variant=variant)[0]
        loss = weights_in_radicals(n, j, k, variant=variant)[1]
        total += binomial(n - tries, j, p) * (gain - losses * loss) if j <= n - tries else 0
    return n * total


def followed_scale(p: Any, n: int, k: int, variant: str) -> Any:
    """The library's exact scale, and in radicals that of Pass@k training."""
    if variant == TRAINING:
        return sum_of_steps(p, n, k, variant)
    return pass_at_k_gradient_scale_exact(p, n, k, variant=variant)  # type: ignore[arg-type]


other_scales: dict[str, Callable[..., Any]] = {
    "10 % smaller": lambda p, n, k, variant: followed_scale(p, n, k, variant) * 9 / 10,
    "successes counted among all n tries": lambda p, n, k, variant: sum_of_steps(
        p, n, k, variant, tries=0
    ),
    "losses of failures dropped": lambda p, n, k, variant: sum_of_steps(p, n, k, variant, losses=0),
    "losses of failures added": lambda p, n, k, variant: sum_of_steps(p, n, k, variant, losses=-1),
    "the slope of Pass@k, whatever the rule": lambda p, _n, k, _variant: slope(p, k),
}


@claim(
    "reachability.pass_at_k_gradient.scale",
    statement=r"E \sum_{i=1}^n w_i \nabla\log\pi(y_i) = s(p)\,\nabla p, \quad"
    r" s(p) = n \sum_{j=0}^{n-1} \mathrm{Bin}(j; n-1, p)\,[w_+(j + 1) - w_-(j)]",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={
        INDEPENDENT: lambda case: not case.copied,
        ON_POLICY: lambda case: case.sampled_at is None,
    },
    teeth=other_scales,
    breaks={
        INDEPENDENT: Counterexample(
            CountedGroup(2, 2, Fraction(1, 3), copied=True),
            "Copies of one try never help each other.",
        ),
        ON_POLICY: Counterexample(
            CountedGroup(1, 1, Fraction(1, 2), sampled_at=Fraction(1, 3)),
            "Tries of an older policy need importance weights.",
        ),
    },
)
def rules_follow_their_scale(case: Any, scale: Any = followed_scale) -> Sides:
    """Every group rule follows the gradient of the success probability, scaled by its mean step.

    A rule weights a try by its own outcome and the number of successes in its group. In
    expectation no such rule changes the direction, only how hard each problem is pushed.
    """
    p = case.success_probability
    followed = scale(p, case.group_size, case.k, case.variant)
    return Sides(case.estimate(weights_in_radicals), case.gradient(followed))


@claim(
    "reachability.pass_at_k_training.unbiased",
    statement=r"E \sum_{i=1}^n w_i \nabla\log\pi(y_i) = \nabla [1 - (1 - p)^k] \quad\text{for}\quad"
    r" w_+ = \frac{1}{n} \sqrt{\frac{1 - U}{U}},\ w_- = -\frac{c}{n - c} w_+,"
    r"\quad U = 1 - \binom{n-c}{k} / \binom{n}{k}",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={"1 <= k <= n": lambda case: 1 <= case.k <= case.group_size},
    repairs={"it follows the scale of its own mean step": followed_scale},
    breaks={"1 <= k <= n": Unbroken("above n the rule is not defined")},
    declared=Verdict.REFUTED,
    repaired_by="reachability.pass_at_k_gradient.scale",
)
def training_follows_pass_at_k(
    case: Any, scale: Any = lambda p, _n, k, _variant: slope(p, k)
) -> Sides:
    """Pass@k training follows the gradient of Pass@k.

    It does not: it divides by the group's own standard deviation, so hard problems are pushed
    less than Pass@k would (n = 8, k = 4, p = 1/100: 0.977 instead of 3.88) and a group with fewer
    than k failures is silent. The direction stays that of the gradient of p. The rule is that of
    arXiv 2508.10751 as recalled, averaged over the group.
    """
    followed = scale(case.success_probability, case.group_size, case.k, case.variant)
    return Sides(case.estimate(weights_in_radicals), case.gradient(followed))


def published(n: int, c: int, k: int) -> tuple[Any, Any]:
    """Advantages of a success and of a failure in their published form, in radicals.

    A group without deviation gives none.
    """
    import sympy

    mean = 1 - all_fail(n, c, k)
    if mean in (0, 1):
        return sympy.Integer(0), sympy.Integer(0)
    deviation = sympy.sqrt(sympy.Rational(mean * (1 - mean)))
    success = 1 - mean
    failure = success - all_fail(n - 1, c, k - 1)
    return sympy.Rational(success) / deviation, sympy.Rational(failure) / deviation


@dataclass(frozen=True)
class TrainingGroup:
    """A group of Pass@k training, and whether the try that we look at succeeded."""

    group_size: int
    successes: int
    k: int
    succeeded: bool = True

    def own(self, pair: Pair) -> Any:
        """The weight of the try that we look at."""
        return pair(self.group_size, self.successes, self.k)[0 if self.succeeded else 1]

    def total(self, pair: Pair) -> Any:
        """The sum of the weights of the group."""
        n, c = self.group_size, self.successes
        success, failure = pair(n, c, self.k)
        return c * success + (n - c) * failure

    def is_silent(self, pair: Pair) -> bool:
        """Whether all weights of the group are 0."""
        n, c = self.group_size, self.successes
        success, failure = pair(n, c, self.k)
        return bool((c == 0 or success == 0) and (c == n or failure == 0))


GROUP = "0 <= c <= n and 1 <= k <= n"
NO_GROUP = Unbroken("no weights are defined elsewhere")


def is_group(case: TrainingGroup) -> bool:
    """Whether the numbers describe a group."""
    return 0 <= case.successes <= case.group_size and 1 <= case.k <= case.group_size


def other_pairs(honest: Pair) -> dict[str, Pair]:
    """Wrong variants of the weights, none of which sums to zero."""

    def variant(success: float, failure: float, lost: float = 0) -> Pair:
        def pair(n: int, c: int, k: int) -> tuple[Any, Any]:
            gain, loss = honest(n, c, k)
            return success * gain, failure * loss - lost * gain

        return pair

    return {
        "failures lose nothing": variant(1, 0),
        "failures lose twice as much": variant(1, 2),
        "a failure loses what a success gains": variant(1, 0, 1),
    }


def one_success_less(n: int, c: int, k: int) -> tuple[Any, Any]:
    """The weights of a group that has one success less."""
    return training_weights(n, max(c - 1, 0), k)


ADVANTAGES = (
    r"A_+ = \frac{1 - U}{\sqrt{U (1 - U)}}, \quad"
    r" A_- = \frac{1 - U - \binom{n-c-1}{k-1} / \binom{n-1}{k-1}}{\sqrt{U (1 - U)}},"
    r" \quad U = 1 - \binom{n-c}{k} / \binom{n}{k}"
)


@claim(
    "reachability.pass_at_k_training.form",
    statement=r"\frac{A_+}{n} = w_+ = \frac{1}{n} \sqrt{\frac{1 - U}{U}}, \quad"
    r" \frac{A_-}{n} = w_- = -\frac{c}{n - c} w_+, \quad\text{where}\quad " + ADVANTAGES,
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={GROUP: is_group},
    teeth=other_pairs(training_weights) | {"one success less": one_success_less},
    breaks={GROUP: NO_GROUP},
)
def training_simplifies(case: TrainingGroup, weights: Pair = training_weights) -> Sides:
    """The advantages of Pass@k training have a closed form without their second binomial.

    Averaged over the group, a success gets one square root, a failure its share of the same. The
    published advantages are those of arXiv 2508.10751 as recalled.
    """
    return Sides(case.own(published) / case.group_size, case.own(weights))


@claim(
    "reachability.pass_at_k_training.zero_sum",
    statement=r"c\,A_+ + (n - c)\,A_- = 0 \quad\text{for}\quad " + ADVANTAGES,
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={GROUP: is_group},
    teeth=other_pairs(published),
    breaks={GROUP: NO_GROUP},
)
def training_sums_to_zero(case: TrainingGroup, advantages: Pair = published) -> Sides:
    """The advantages of Pass@k training sum to zero in every group."""
    return Sides(case.total(advantages), 0)


def silent(n: int, c: int, k: int) -> bool:
    """Whether the rule has nothing to say about a group."""
    return c == 0 or n - c < k


other_conditions: dict[str, Callable[[int, int, int], bool]] = {
    "only groups of one outcome": lambda n, c, _: c in (0, n),
    "off by one": lambda n, c, k: c == 0 or n - c <= k,
    "as soon as k succeed": lambda _, c, k: c == 0 or c >= k,
}


@claim(
    "reachability.pass_at_k_training.silence",
    statement=r"A_+ = A_- = 0 \iff c = 0 \ \text{or}\ n - c < k \quad\text{for}\quad " + ADVANTAGES,
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={GROUP: is_group},
    teeth=other_conditions,
    breaks={GROUP: NO_GROUP},
)
def training_is_silent(case: TrainingGroup, condition: Any = silent) -> Sides:
    """Pass@k training says nothing about a group with no success or with fewer than k failures.

    At n = 8, k = 4 it is silent from 5 successes on, and at k = n about every group.
    """
    n, c, k = case.group_size, case.successes, case.k
    return Sides(case.is_silent(published), condition(n, c, k))
