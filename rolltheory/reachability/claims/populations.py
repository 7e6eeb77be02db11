"""Claims about Pass@k of populations of problems: the closed form, its tail, and recovery."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from rolltheory.claims import (
    ConfidenceInterval,
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
from rolltheory.reachability.recovery import beta_recovery_law
from rolltheory.stats.beta import log_beta_ratio
from rolltheory.stats.concentration import hoeffding_interval

__all__ = [
    "BetaProblems",
    "ObservedProblems",
    "Recovery",
    "Tail",
    "few_tries_tell_the_exponent",
    "hopeless_problems_make_a_plateau",
    "pass_at_k_has_a_closed_form",
    "recovery_is_a_power_law",
    "tail_is_a_power_law",
]

PAGE = "docs/theory/reachability.md#populations"
HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
Form = Callable[[Any, Any, int, Any], Any]

INDEPENDENT = "the tries of one problem are independent"
HOPEFUL = "no problem is hopeless"


@dataclass(frozen=True)
class BetaProblems:
    """Problems whose success probabilities follow Beta(a, b), and a share of hopeless ones.

    ``a`` is rational and ``b`` whole, so that the density integrates term by term. Tries are
    independent, or copies of one.
    """

    a: Fraction
    b: int
    k: int
    zero_mass: Fraction = Fraction(0)
    copied: bool = False

    def pass_at_k(self) -> Any:
        """The share of problems that one of k tries solves, by integration."""
        tries = 1 if self.copied else self.k
        return (1 - self.zero_mass) * (1 - self._moment(self.b + tries) / self._moment(self.b))

    def _moment(self, b: int) -> Fraction:
        """The integral of p^(a - 1) (1 - p)^(b - 1) over [0, 1]."""
        terms = (math.comb(b - 1, i) * (-1) ** i / (self.a + i) for i in range(b))
        return sum(terms, Fraction())


@dataclass(frozen=True)
class ObservedProblems(BetaProblems):
    """Simulated problems: ``solved`` (problems,) tells whether one of k tries succeeded."""

    error_level: float = 0.0
    solved: npt.NDArray[np.float64] = field(default_factory=lambda: np.zeros(0), repr=False)

    def pass_at_k(self) -> ConfidenceInterval:
        """An interval for the share of problems that one of k tries solves."""
        low, high = hoeffding_interval(self.solved, low=0, high=1, error_level=self.error_level)
        return ConfidenceInterval(low, high, self.error_level)


def product_form(a: Any, b: Any, k: int, zero_mass: Any) -> Any:
    """The ratio of Beta functions as a product."""
    unsolved = math.prod((b + i) / (a + b + i) for i in range(k))
    return (1 - zero_mass) * (1 - unsolved)


def other_forms(honest: Form) -> dict[str, Form]:
    """Wrong values for a population."""
    return {
        "10 % smaller": lambda a, b, k, mass: honest(a, b, k, mass) * 9 / 10,
        "one try too many": lambda a, b, k, mass: honest(a, b, k + 1, mass),
        "Pass@k of the mean problem": lambda a, b, k, mass: 1 - (1 - (1 - mass) * a / (a + b)) ** k,
        "hopeless problems forgotten": lambda a, b, k, mass: honest(a, b, k, mass * 0),
    }


@claim(
    "reachability.beta_binomial.pass_at_k",
    statement=r"P \sim (1 - \pi)\,\mathrm{Beta}(a, b) + \pi\,\delta_0 \implies"
    r" E[1 - (1 - P)^k] = (1 - \pi)\Bigl(1 - \frac{B(a, b + k)}{B(a, b)}\Bigr),"
    r" \quad \frac{B(a, b + k)}{B(a, b)} = \prod_{i < k} \frac{b + i}{a + b + i}",
    relation=Relation.EQUAL,
    source=Source.known("the Beta-binomial law"),
    assumes={INDEPENDENT: lambda case: not case.copied},
    teeth=other_forms(product_form),
    breaks={
        INDEPENDENT: Counterexample(
            BetaProblems(Fraction(1), 1, 2, copied=True), "Copies of one try solve no more than it."
        )
    },
)
def pass_at_k_has_a_closed_form(case: BetaProblems, form: Form = product_form) -> Sides:
    """Pass@k of a Beta population is one less a ratio of Beta functions, hopeless problems aside.

    It is not the Pass@k of the mean problem, which is far too high: Beta(1, 1) has Pass@8 of 8/9,
    its mean problem 255/256.
    """
    return Sides(case.pass_at_k(), form(case.a, case.b, case.k, case.zero_mass))


@claim(
    "reachability.beta_binomial.plateau",
    statement=r"P = 0 \text{ with probability } \pi \implies"
    r" E[1 - (1 - P)^k] \le 1 - \pi = \lim_{k \to \infty} E[1 - (1 - P)^k]",
    relation=Relation.AT_MOST,
    source=Source.known("dominated convergence"),
    assumes={},
    teeth={
        "10 % smaller": lambda mass: (1 - mass) * 9 / 10,
        "the share counted twice": lambda mass: 1 - 2 * mass,
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    tight=Tight(BetaProblems(Fraction(4), 1, 40, THIRD), Fraction(99_999, 100_000)),
)
def hopeless_problems_make_a_plateau(
    case: BetaProblems, plateau: Any = lambda mass: 1 - mass
) -> Sides:
    """A share of hopeless problems turns the limit of Pass@k into a plateau below 1.

    The plateau is never reached and approached as near as one likes.
    """
    return Sides(case.pass_at_k(), plateau(case.zero_mass))


@dataclass(frozen=True)
class Tail:
    """A Beta population with a share of hopeless problems, looked at from k to 2 k tries."""

    a: float
    b: float
    k: int
    zero_mass: float = 0.0

    def exponent(self) -> Any:
        """The exponent of k with which the share of unsolved problems falls there."""
        share = np.exp(log_beta_ratio(self.a, self.b, [self.k, 2 * self.k]))
        unsolved = self.zero_mass + (1 - self.zero_mass) * share
        return float(np.log2(unsolved[0] / unsolved[1]))


# an exponential has every exponent in the end
other_exponents: dict[str, Callable[[float, float], float]] = {
    "10 % smaller": lambda a, _: a * 0.9,
    "b instead of a": lambda _, b: b,
    "off by one": lambda a, _: a + 1,
    "exponential decay, as of one problem": lambda *_: 1e6,
}


@claim(
    "reachability.beta_binomial.tail",
    statement=r"\lim_{k \to \infty} \frac{\ln F(k) - \ln F(2k)}{\ln 2} = a, \quad"
    r" F(k) = E(1 - P)^k = \frac{B(a, b + k)}{B(a, b)}, \quad P \sim \mathrm{Beta}(a, b)",
    relation=Relation.GROWS_AS,
    source=Source.known("Stirling's formula", "reported for repeated sampling of language models"),
    assumes={HOPEFUL: lambda case: case.zero_mass == 0},
    teeth=other_exponents,
    breaks={
        HOPEFUL: Counterexample(
            Tail(0.5, 1.0, 2**20, zero_mass=0.25), "The hopeless problems stay, and nothing falls."
        )
    },
)
def tail_is_a_power_law(case: Tail, exponent: Any = lambda a, _: a) -> Sides:
    """The problems that remain unsolved fall by a power law, although each falls exponentially.

    The exponent a is that of the density at p = 0: only the hardest problems count. F(k) k^a tends
    to Gamma(a + b) / Gamma(b). The exponent is read off between k and 2 k tries.
    """
    return Sides(case.exponent(), exponent(case.a, case.b))


Law = Callable[["Recovery"], float]
_FARTHEST = 60.0  # the logarithm of more tries than anyone makes


@dataclass(frozen=True)
class Recovery:
    """Two Beta populations: of a trained model that makes so many tries, and of its base model."""

    a: float
    b: float
    base_a: float
    base_b: float
    tries: int
    base_zero_mass: float = 0.0

    def base_tries(self) -> float:
        """The tries of the base model with the same Pass@k; infinite if there are none."""
        from scipy.optimize import brentq

        def excess(log_tries: float) -> float:
            """How much more of the problems the base model leaves, on a log scale."""
            share = math.exp(log_beta_ratio(self.base_a, self.base_b, math.exp(log_tries)))
            unsolved = self.base_zero_mass + (1 - self.base_zero_mass) * share
            return math.log(unsolved) - wanted

        wanted = float(log_beta_ratio(self.a, self.b, self.tries))
        if excess(_FARTHEST) > 0:
            return math.inf
        return math.exp(brentq(excess, -_FARTHEST, _FARTHEST, xtol=1e-13))

    def local_exponent(self) -> float:
        """The exponent of N_R with which N_B grows between these tries and twice as many."""
        twice = replace(self, tries=2 * self.tries)
        return math.log2(twice.base_tries() / self.base_tries())


def recovery_law(case: Recovery) -> float:
    """What the library's law says of the tries of the base model."""
    law = beta_recovery_law(case.a, case.b, case.base_a, case.base_b)
    return float(law.coefficient * case.tries**law.exponent)


def _inverted(case: Recovery) -> float:
    law = beta_recovery_law(case.a, case.b, case.base_a, case.base_b)
    return float(law.coefficient * case.tries ** (1 / law.exponent))


def _without_root(case: Recovery) -> float:
    law = beta_recovery_law(case.a, case.b, case.base_a, case.base_b)
    return float(law.coefficient**case.base_a * case.tries**law.exponent)


other_laws: dict[str, Law] = {
    "10 % smaller": lambda case: recovery_law(case) * 0.9,
    "the exponent inverted": _inverted,
    "the coefficient without its root": _without_root,
    "one ratio for all tries, as of one problem": lambda case: (
        case.tries * replace(case, tries=1).base_tries()
    ),
}

MANY = "both models make at least 2^20 tries"


@claim(
    "reachability.recovery.law",
    statement=r"\frac{N_B(N_R)}{\alpha N_R^\beta} \to 1, \quad \beta = a_R / a_B,"
    r" \quad \alpha = (C_B / C_R)^{1/a_B}, \quad C = \Gamma(a + b) / \Gamma(b)",
    relation=Relation.GROWS_AS,
    source=Source.derived(PAGE),
    assumes={
        HOPEFUL: lambda case: case.base_zero_mass == 0,
        MANY: lambda case: min(case.tries, recovery_law(case)) >= 2**20,
    },
    teeth=other_laws,
    breaks={
        HOPEFUL: Counterexample(
            Recovery(0.5, 1.0, 0.5, 3.0, 2**20, base_zero_mass=0.25),
            "A base model with hopeless problems never recovers what lies above its plateau.",
        ),
        MANY: Counterexample(Recovery(0.3, 1.2, 0.5, 1.0, 1), "One try is far from the limit."),
    },
)
def recovery_is_a_power_law(case: Recovery, law: Law = recovery_law) -> Sides:
    """The base model's tries that recover a trained model's Pass@k grow as a power of its tries.

    N_B(N_R) is the number of tries at which the base model has the trained model's Pass@N_R; for
    Beta populations the law follows from their tails.
    """
    return Sides(case.base_tries() / law(case), 1)


@claim(
    "reachability.recovery.few_tries",
    statement=r"\frac{\ln N_B(2 N_R) - \ln N_B(N_R)}{\ln 2} = \beta \quad\text{for small } N_R",
    relation=Relation.GROWS_AS,
    source=Source.derived(PAGE),
    assumes={HOPEFUL: lambda case: case.base_zero_mass == 0},
    repairs={"read off at 2^20 times as many tries": lambda tries: tries * 2**20},
    breaks={HOPEFUL: Unbroken("false with it already")},
    declared=Verdict.REFUTED,
    repaired_by="reachability.recovery.law",
)
def few_tries_tell_the_exponent(case: Recovery, at: Any = lambda tries: tries) -> Sides:
    """The exponent of recovery can be read off at a few tries.

    It cannot: the local exponent drifts to its limit from above or from below. For trained
    Beta(.2, .6) and base Beta(.25, 2) it is .909 between 1 and 2 tries, and .8 in the limit; with
    the two models exchanged it is 1.031 and 1.25.
    """
    there = replace(case, tries=at(case.tries))
    return Sides(there.local_exponent(), case.a / case.base_a)
