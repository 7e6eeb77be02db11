"""Claims about how the bias grows: with the displacement, the lag and the learning rate.

The cases here are one prompt with two actions and binary rewards, whose logits differ by z. The
learner's ascent is z <- z + 2 eta w_n(p_phi) p (1 - p), since both logits move.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from rolltheory.claims import Counterexample, Relation, Sides, Source, Tight, Unbroken, claim
from rolltheory.staleness.bias import binary_bias_bound
from rolltheory.staleness.claims.exact_numbers import enclosed, number, precision, rational
from rolltheory.staleness.claims.prompt_weight import BINARY, PAGE, Weight

__all__ = [
    "Ascent",
    "Shift",
    "bias_grows_with_lag_and_rate",
    "bias_grows_with_the_displacement",
    "bias_is_at_most_linear_in_the_lag",
]

HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Shift:
    """The learner's success probability, the group size, and a small shift of the logits."""

    success_probability: Fraction
    group_size: int
    shift: Fraction = Fraction(1, 2**40)

    def bias(self, shift: Fraction) -> Any:
        """Size of the bias over the fixed length of the success gradient, as a ball."""
        p = number(self.success_probability, "ball")
        moved = p / (p + (1 - p) * number(-shift, "ball").exp())
        return abs(_weight(moved, self.group_size) - _weight(p, self.group_size))

    def exponent(self) -> Any:
        """Logarithm to base 2 of how much a doubled shift increases the bias."""
        if self.group_size <= 3:
            return math.inf  # no bias at all
        with precision("ball"):
            ratio = self.bias(2 * self.shift) / self.bias(self.shift)
            return enclosed(ratio.log() / number(2, "ball").log())


def _weight(p: Any, group_size: int) -> Any:
    """The prompt weight at a ball."""
    table = Weight(Fraction(0), group_size)
    terms = [
        math.comb(group_size - 1, k) * p**k * (1 - p) ** (group_size - 1 - k) * table.term(k)
        for k in range(group_size)
    ]
    return sum(terms[1:], terms[0])


@claim(
    "staleness.bias.order",
    statement=r"|H(\theta, \theta + h u) - H(\theta, \theta)| \sim h^{e},"
    r" \quad e = 2 \text{ if } p_\theta = \tfrac12, \text{ else } 1",
    relation=Relation.GROWS_AS,
    source=Source.derived(BINARY),
    assumes={"n >= 4": lambda case: case.group_size >= 4},
    teeth={
        "always the first order": lambda p: 1 + 0 * p,
        "always the second order": lambda p: 2 + 0 * p,
        "second order at the ends": lambda p: 1 if p == HALF else 2,
    },
    breaks={
        "n >= 4": Counterexample(Shift(Fraction(1, 4), 3), "Groups of three have no bias at all.")
    },
)
def bias_grows_with_the_displacement(
    case: Shift, order: Callable[[Fraction], Any] = lambda p: 2 if p == HALF else 1
) -> Sides:
    """The bias is of first order in the displacement, but of second order at p = 1/2.

    O(S eta) is an upper bound on the order: it is 0 for n = 2 and 3, and second order where half of
    the responses succeed.
    """
    return Sides(case.exponent(), order(case.success_probability))


@dataclass(frozen=True)
class Ascent:
    """Stale ascent from a logit difference, with data of a fixed age.

    ``lag`` is what is known of the age of the data, ``age`` what it is (the lag, if not given).
    ``varied`` is "lag" or "learning_rate".
    """

    start: Fraction
    group_size: int
    lag: int
    learning_rate: Fraction
    steps: int
    age: int | None = None
    varied: str = "lag"

    @property
    def oldest(self) -> int:
        """The age of the data, in updates."""
        return self.lag if self.age is None else self.age

    @property
    def is_of_first_order(self) -> bool:
        """Whether p stays below 1/2 by far, as no step climbs more than twice the rate."""
        climbed = 2 * self.learning_rate * self.steps
        small = 2 * self.lag * self.learning_rate <= Fraction(1, 50)
        return 4 <= self.group_size <= 16 and small and self.start + climbed < -HALF

    def largest_bias(self) -> Any:
        """The largest bias on the way, as a ball."""
        with precision("ball"):
            path, largest = [number(self.start, "ball")], number(0, "ball")
            rate = number(2 * self.learning_rate, "ball")
            for step in range(self.steps):
                p, q = (1 / (1 + (-z).exp()) for z in (path[-1], path[max(0, step - self.oldest)]))
                weight, slope = _weight(q, self.group_size), p * (1 - p)
                fresh = _weight(p, self.group_size)
                largest = largest.max(abs(weight - fresh) * slope * number(2, "ball").sqrt())
                path.append(path[-1] + rate * weight * slope)
            return largest

    def doubled(self) -> Ascent:
        """The same ascent with twice the varied quantity, over the same distance."""
        if self.varied == "lag":
            return replace(self, lag=2 * self.lag)
        return replace(self, learning_rate=2 * self.learning_rate, steps=self.steps // 2)


def linear_bound(case: Ascent, lag: int | None = None) -> Fraction:
    """The library's bound at S eta G, with the largest norm of a stale binary gradient for G."""
    largest_update = math.sqrt(case.group_size - 1) / math.sqrt(8)
    displacement = (case.lag if lag is None else lag) * case.learning_rate
    moved = float(displacement) * largest_update * (1 + 1e-15)
    return rational(binary_bias_bound(moved, case.group_size))


OLDEST = "the data are at most S updates old"
_TYPICAL = Ascent(Fraction(-1), 4, 8, Fraction(1, 100), 20)


@claim(
    "staleness.bias.linear_in_lag",
    statement=r"\max_t |\delta_t| \le \frac{L_w(n)}{8}\, S\, \eta\, G,"
    r" \quad G = \frac{\sqrt{n - 1}}{2 \sqrt 2}",
    relation=Relation.AT_MOST,
    source=Source.paper("2607.01083", "abstract, the order O(S eta); the constant is derived here"),
    assumes={OLDEST: lambda case: case.oldest <= case.lag},
    teeth={
        "lag left out": lambda case: linear_bound(case, 1),
        "a tenth of the constant": lambda case: linear_bound(case) / 10,
    },
    breaks={OLDEST: Counterexample(replace(_TYPICAL, lag=1, age=12), "Data older than known.")},
    tight=Tight(_TYPICAL, at_least=Fraction(21, 100)),
)
def bias_is_at_most_linear_in_the_lag(
    case: Ascent, bound: Callable[[Ascent], Fraction] = linear_bound
) -> Sides:
    """Along stale ascent with binary rewards, the bias is at most proportional to S eta."""
    return Sides(enclosed(case.largest_bias()), bound(case))


FIRST_ORDER = "p stays away from 1/2, 4 <= n <= 16, and S eta is small"


@claim(
    "staleness.bias.lag_and_rate",
    statement=r"\max_t |\delta_t| \sim S^1 \eta^1",
    relation=Relation.GROWS_AS,
    source=Source.derived(f"{PAGE}#bias-bounds"),
    assumes={FIRST_ORDER: lambda case: case.is_of_first_order},
    teeth={"square root": HALF, "second order": Fraction(2), "no growth": Fraction(0)},
    breaks={FIRST_ORDER: Unbroken("elsewhere the exponent is another one: staleness.bias.order")},
)
def bias_grows_with_lag_and_rate(case: Ascent, exponent: Fraction = Fraction(1)) -> Sides:
    """Where it is of first order, the bias grows as the lag and as the learning rate."""
    with precision("ball"):
        ratio = case.doubled().largest_bias() / case.largest_bias()
        return Sides(enclosed(ratio.log() / number(2, "ball").log()), exponent)
