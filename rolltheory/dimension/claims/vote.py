"""Claims about the vote of prefixes: its tail, and the steps of its proof."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rolltheory.claims import (
    ConfidenceInterval,
    Counterexample,
    Relation,
    Sides,
    Source,
    Tight,
    claim,
)
from rolltheory.dimension.claims._balls import ball, enclosed, precision
from rolltheory.dimension.claims._small_classes import CUBE_3, Row, Rows
from rolltheory.dimension.claims.elementary import PAGE
from rolltheory.dimension.claims.one_inclusion import whole_heads
from rolltheory.dimension.learners import Learner, PrefixVote
from rolltheory.dimension.sample_complexity import high_probability_error_bound
from rolltheory.stats.intervals import clopper_pearson

__all__ = [
    "Drawn",
    "Errors",
    "Parts",
    "Power",
    "exponentials_are_below_their_chords",
    "harmonic_half_is_below_ln_two",
    "vote_constants_follow",
    "vote_errs_where_half_do",
    "vote_has_a_tail",
]


@dataclass(frozen=True)
class Drawn:
    """A class, prompts in the order in which they were drawn, and the target."""

    rows: Rows
    prompts: Row
    target: Row

    def errors(self, learner: Learner, sizes: range) -> list[Fraction]:
        """The share of all prompts that is wrong after the first so many, for each size."""
        fitted = learner.fit(self.prompts, [self.target[x] for x in self.prompts]).sample
        codes = learner.hypotheses.codes[self.rows.index(self.target)].tolist()

        def error(size: int) -> Fraction:
            answers = (learner.answer(fitted[:size], column) for column in range(len(codes)))
            right = (answer.get(code, 0) for answer, code in zip(answers, codes, strict=True))
            return 1 - Fraction(sum(right), len(codes))

        return [error(size) for size in sizes]


def mean(errors: list[Fraction]) -> Fraction:
    """Their mean."""
    return sum(errors, Fraction(0)) / len(errors)


@claim(
    "dimension.vote.majority",
    statement=r"\mathrm{err}(\text{vote}) \le 2 \cdot \frac{2}{n} \sum_{t = n/2}^{n - 1}"
    r" \mathrm{err}(f_t)",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#learning"),
    assumes={},
    teeth={
        "the mean": mean,
        "nineteen tenths": lambda errors: Fraction(19, 10) * mean(errors),
        "the last prefix": lambda errors: errors[-1],
    },
    tight=Tight(Drawn(CUBE_3, (0, 1, 2, 0), (0, 0, 1)), at_least=Fraction(1, 4)),
)
def vote_errs_where_half_do(
    case: Drawn, bound: Callable[[list[Fraction]], Fraction] = lambda errors: 2 * mean(errors)
) -> Sides:
    """A vote is wrong only where at least half of those who vote are."""
    learner, n = whole_heads(case.rows), len(case.prompts)
    (vote,) = case.errors(PrefixVote(learner), range(n, n + 1))
    return Sides(vote, bound(case.errors(learner, range(n // 2, n))))


@dataclass(frozen=True)
class Parts:
    """p, ln(2 / delta) and n, as symbols or numbers."""

    dimension: Any
    nats: Any
    samples: Any


def as_stated(case: Parts) -> Any:
    """With the constants that the library uses."""
    import sympy

    e = sympy.E
    total = 4 * e * sympy.log(2) * case.dimension + 8 * e / (e - 1) * case.nats
    return total / case.samples


def with_constants(dimension: Any, nats: Any) -> Callable[[Parts], Any]:
    """With these for 4 e ln 2 and 8 e / (e - 1)."""
    return lambda case: (dimension * case.dimension + nats * case.nats) / case.samples


def one_tail(case: Parts) -> Any:
    """The forward step without its own failure."""
    import sympy

    e = sympy.E
    total = 4 * e * sympy.log(2) * case.dimension + 4 * e / (e - 1) * case.nats
    return total / case.samples


@claim(
    "dimension.vote.constants",
    statement=r"2 \cdot \frac{2}{n} \cdot \frac{e}{e - 1} \bigl((e - 1)\, p \ln 2 + 2L\bigr)"
    r" = \frac{4e \ln 2\; p + \frac{8e}{e - 1} L}{n}, \quad L = \ln(2 / \delta)",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#learning"),
    assumes={},
    teeth={
        "one tail for two": one_tail,
        "rounded constants": with_constants(Fraction(75, 10), Fraction(126, 10)),
    },
)
def vote_constants_follow(case: Parts, bound: Callable[[Parts], Any] = as_stated) -> Sides:
    """The constants of the vote's bound follow from its two martingales and the majority.

    The mistakes on the next samples are at most (e - 1) p ln 2 + L, with what they say of the risks
    e / (e - 1) times that plus L; the vote doubles the mean of n / 2 risks.
    """
    import sympy

    e, p, nats = sympy.E, case.dimension, case.nats
    mistakes = (e - 1) * p * sympy.log(2) + nats
    risks = e / (e - 1) * (mistakes + nats)
    return Sides(2 * risks / (sympy.sympify(case.samples) / 2), bound(case))


@claim(
    "dimension.vote.harmonic",
    statement=r"\sum_{t = n/2}^{n - 1} \frac{1}{t + 1} \le \ln 2",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#learning"),
    assumes={},
    teeth={
        "a little less": lambda: enclosed(ball(Fraction(99, 100)) * ball(2).log()),
        "one half": lambda: Fraction(1, 2),
    },
    tight=Tight(200, at_least=Fraction(99, 100)),
)
def harmonic_half_is_below_ln_two(
    case: int, bound: Callable[[], Any] = lambda: enclosed(ball(2).log())
) -> Sides:
    """Over the second half of an even sample, the expected mistakes sum to p ln 2 at most."""
    total = sum((Fraction(1, t + 1) for t in range(case // 2, case)), Fraction(0))
    return Sides(total, bound())


@dataclass(frozen=True)
class Power:
    """A mistake z, and whether it counts for (1) or against (-1)."""

    mistake: Fraction
    sign: int


def chord(case: Power) -> Any:
    """The chord of the exponential over [0, 1]."""
    with precision():
        return 1 + (ball(case.sign).exp() - 1) * ball(case.mistake)


def tangent(case: Power) -> Any:
    """Its tangent at 0."""
    return ball(1 + case.sign * case.mistake)


WITHIN = "0 < z < 1"


@claim(
    "dimension.vote.exponentials",
    statement=r"e^{-z} \le 1 - (1 - 1/e)\, z, \quad e^z \le 1 + (e - 1)\, z",
    relation=Relation.AT_MOST,
    source=Source.known("the exponential is convex"),
    assumes={WITHIN: lambda case: 0 < case.mistake < 1},
    teeth={
        "tangents": tangent,
        "rounded constants": lambda case: ball(
            1 + case.mistake * (Fraction(17, 10) if case.sign > 0 else Fraction(-64, 100))
        ),
    },
    breaks={WITHIN: Counterexample(Power(Fraction(2), 1), "two mistakes at once")},
    tight=Tight(Power(Fraction(99, 100), 1), at_least=Fraction(99, 100)),
)
def exponentials_are_below_their_chords(
    case: Power, bound: Callable[[Power], Any] = chord
) -> Sides:
    """Exponentials of a mistake, for the forward and the backward martingale of the vote."""
    with precision():
        left = (ball(case.sign) * ball(case.mistake)).exp()
    return Sides(enclosed(left), enclosed(bound(case)))


@dataclass(frozen=True)
class Errors:
    """Errors of the vote on samples, with their probabilities, or drawn if there are none."""

    dimension: int
    samples: int
    failure_probability: Fraction
    errors: tuple[Fraction, ...]
    chances: tuple[Fraction, ...] = ()
    error_level: float = 0.0

    def quantile(self) -> Fraction | ConfidenceInterval:
        """The least error that is exceeded with the failure probability at most."""
        delta = self.failure_probability
        if self.chances:
            return min(x for x in {*self.errors, Fraction(0)} if self._beyond(x) <= delta)
        ranked, n = sorted(map(float, self.errors), reverse=True), len(self.errors)
        limits = [clopper_pearson(n, k, confidence=1 - self.error_level) for k in range(n + 1)]
        few = sum(float(high) <= delta for _, high in limits) - 1
        many = next(k for k, (low, _) in enumerate(limits) if float(low) > delta)
        return ConfidenceInterval(ranked[many - 1], ranked[few], self.error_level)

    def _beyond(self, bound: Fraction) -> Fraction:
        pairs = zip(self.errors, self.chances, strict=True)
        return sum((chance for error, chance in pairs if error > bound), Fraction(0))


def stated_error(case: Errors) -> Fraction:
    """The library's bound."""
    delta = float(case.failure_probability)
    bound = high_probability_error_bound(case.dimension, case.samples, failure_probability=delta)
    return Fraction(bound)


@claim(
    "dimension.vote.tail",
    statement=r"\min\{x : P(\mathrm{err}(\text{vote}) > x) \le \delta\} \le"
    r" \min\Bigl\{1, \frac{4e \ln 2\; p + \frac{8e}{e - 1} \ln(2 / \delta)}{n}\Bigr\}",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#learning"),
    assumes={},
    teeth={
        "a hundredth": lambda case: stated_error(case) / 100,
        "a hundredth of the sample": lambda case: Fraction(1, 100 * case.samples),
    },
    tight=Tight(
        Errors(1, 2, Fraction(1, 4), (Fraction(1, 2), Fraction(0)), (Fraction(1, 2),) * 2),
        at_least=Fraction(1, 2),
    ),
)
def vote_has_a_tail(case: Errors, bound: Callable[[Errors], Fraction] = stated_error) -> Sides:
    """The error of the vote of prefixes is below its bound but for a small probability.

    The constants are loose: at sizes where they say anything, what is observed is some hundredths.
    The tight case is a guess on two bits of which one was seen, twice; there the bound is 1.
    """
    return Sides(case.quantile(), bound(case))
