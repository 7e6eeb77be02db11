"""Claims about importance weights: effective sample size, its alarms, truncation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from rolltheory.claims import (
    Counterexample,
    Relation,
    Sides,
    Source,
    Tight,
    Tooth,
    Verdict,
    claim,
)
from rolltheory.staleness.claims.policies import Policies
from rolltheory.staleness.divergences import chi_squared_exact
from rolltheory.staleness.weights import (
    clamp_for_effective_sample_fraction,
    effective_sample_floor_exact,
    effective_sample_fraction_exact,
    sequence_effective_sample_fraction_exact,
    truncated_excess_bound_exact,
    truncation_bias_exact,
)

__all__ = [
    "Clamped",
    "Monitored",
    "Threshold",
    "TokenLaw",
    "Truncated",
    "alarm_needs_a_clamp",
    "clamped_alarm_is_called_live",
    "effective_sample_fraction_has_a_floor",
    "high_effective_sample_fraction_is_called_safe",
    "sequence_fraction_is_a_power",
    "truncated_excess_is_bounded",
    "truncation_bias_is_bounded",
]

PAGE = "docs/theory/staleness.md#importance-weights"
TWO, HALF = Fraction(2), Fraction(1, 2)

CLAMPED = "every weight lies within [a, b]"
INDEPENDENT = "the ratios of a sequence's tokens are independent"
BOUNDED = "|f| is at most its stated supremum"
ABOVE_ONE = "C > 1"


@dataclass(frozen=True)
class Clamped:
    """Weights, and the range to which they are said to be clamped."""

    weights: tuple[Fraction, ...]
    lowest: Fraction = HALF
    highest: Fraction = TWO


def unsquared(lowest: Fraction, highest: Fraction) -> Fraction:
    """The popular slip: 4/(c + 1/c)."""
    return 4 * lowest * highest / (lowest + highest)


@claim(
    "staleness.weights.ess_floor",
    statement=r"\frac{(\sum w_i)^2}{N \sum w_i^2} \ge \frac{4ab}{(a+b)^2}, \quad w_i \in [a, b];"
    r"\qquad \frac{4}{(c + 1/c)^2}\ \text{on}\ [1/c, c]",
    relation=Relation.AT_LEAST,
    source=Source.known("Kantorovich's inequality"),
    assumes={CLAMPED: lambda case: all(case.lowest <= w <= case.highest for w in case.weights)},
    teeth={
        "10 % larger": lambda a, b: effective_sample_floor_exact(a, b) * 11 / 10,
        "not squared": unsquared,
        "one clamp only": lambda _, b: effective_sample_floor_exact(Fraction(1), b),
        "direction swapped": Tooth(relation=Relation.AT_MOST),
    },
    breaks={
        CLAMPED: Counterexample(
            Clamped((Fraction(100), *([HALF] * 5))), "Unclamped, one weight can outweigh all."
        )
    },
    tight=Tight(Clamped((TWO, HALF, HALF, HALF, HALF))),
)
def effective_sample_fraction_has_a_floor(
    case: Clamped, floor: Any = effective_sample_floor_exact
) -> Sides:
    """Weights that are clamped to a range cannot have a small effective sample fraction."""
    fraction = effective_sample_fraction_exact(case.weights)
    return Sides(fraction, floor(case.lowest, case.highest))


@dataclass(frozen=True)
class Threshold:
    """An alarm "below tau"; tau is a rational or a symbol."""

    tau: Any

    def floor(self, clamp: Any) -> Any:
        """Of weights clamped to [1/c, c]."""
        return 4 / (clamp + 1 / clamp) ** 2


@claim(
    "staleness.weights.alarm_clamp",
    statement=r"\frac{4}{(c + 1/c)^2} = \tau\ \text{at}\ c = \frac{1 + \sqrt{1 - \tau}}{\sqrt\tau}"
    r"\quad (3.3533\ \text{for}\ \tau = 0.3)",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={},
    teeth={
        "as if the floor were 1/c squared": lambda tau: tau ** Fraction(-1, 2),
        "3.352 for 0.3": lambda tau: clamp_for_effective_sample_fraction(float(tau)) * 0.99963,
        "the reciprocal root left out": lambda tau: 1 + (1 - tau) ** Fraction(1, 2),
    },
)
def alarm_needs_a_clamp(case: Threshold, clamp: Any = clamp_for_effective_sample_fraction) -> Sides:
    """An alarm on the effective sample fraction can fire only if the clamp is large enough."""
    return Sides(float(case.floor(clamp(float(case.tau)))), float(case.tau))


@dataclass(frozen=True)
class Monitored:
    """The raw weights of a batch."""

    weights: tuple[Fraction, ...]


ALARM = Fraction(3, 10)


def clamped_fraction(weights: tuple[Fraction, ...]) -> Fraction:
    """Effective sample fraction after clamping to [1/2, 2]."""
    return effective_sample_fraction_exact([min(max(w, HALF), TWO) for w in weights])


@claim(
    "staleness.weights.clamped_alarm",
    statement=r"ESS/N < 0.3 \Rightarrow \text{the logged ESS/N, of weights clamped to}"
    r"\ [1/2, 2],\ \text{is below}\ 0.3",
    relation=Relation.IMPLIES,
    source=Source.derived(PAGE),
    assumes={},
    repairs={"weights as they are": effective_sample_fraction_exact},
    declared=Verdict.REFUTED,
    repaired_by="staleness.weights.ess_floor",
)
def clamped_alarm_is_called_live(case: Monitored, logged: Any = clamped_fraction) -> Sides:
    """An alarm at 0.3 on a logged effective sample fraction fires when few samples matter.

    False where it is computed from weights clamped to [1/2, 2]: their floor is 0.64.
    """
    fraction = effective_sample_fraction_exact(case.weights)
    return Sides(fraction < ALARM, logged(case.weights) < ALARM)


@dataclass(frozen=True)
class TokenLaw:
    """Equally likely token ratios with mean 1; ``copied`` tokens of a sequence are all alike."""

    ratios: tuple[Fraction, ...]
    length: int
    copied: bool = False

    def sequence_fraction(self) -> Fraction:
        """Of many sequence weights, by enumeration."""
        if self.copied:
            weights = [ratio**self.length for ratio in self.ratios]
        else:
            weights = [
                prod(path, start=Fraction(1)) for path in product(self.ratios, repeat=self.length)
            ]
        return effective_sample_fraction_exact(weights)


@claim(
    "staleness.weights.sequence_ess",
    statement=r"\frac{1}{1 + \chi^2_{sequence}} = \left(\frac{1}{1 + \chi^2_{token}}\right)^L",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={INDEPENDENT: lambda case: not case.copied},
    teeth={
        "the token's own": lambda fraction, _: fraction,
        "in proportion to the length": lambda fraction, n: 1 / (1 + n * (1 / fraction - 1)),
    },
    breaks={
        INDEPENDENT: Counterexample(
            TokenLaw((HALF, Fraction(3, 2)), 2, copied=True), "Copies multiply the same ratio."
        )
    },
)
def sequence_fraction_is_a_power(
    case: TokenLaw, power: Any = sequence_effective_sample_fraction_exact
) -> Sides:
    """The effective sample fraction of sequences is that of tokens to the power of the length."""
    return Sides(
        case.sequence_fraction(), power(effective_sample_fraction_exact(case.ratios), case.length)
    )


@dataclass(frozen=True)
class Sampled:
    """Effective sample fraction of a run's tokens, and the length of its sequences."""

    token_fraction: Fraction
    length: int

    def of_sequences(self) -> Fraction:
        """At sequence level."""
        return sequence_effective_sample_fraction_exact(self.token_fraction, self.length)


@claim(
    "staleness.weights.high_ess_is_safe",
    statement=r"ESS/N \ge 0.989\ \text{for tokens} \Rightarrow ESS/N \ge 1/2\ \text{for sequences}",
    relation=Relation.IMPLIES,
    source=Source.derived(PAGE),
    assumes={},
    repairs={"raised to the length": lambda case: case.of_sequences()},
    declared=Verdict.REFUTED,
    repaired_by="staleness.weights.sequence_ess",
)
def high_effective_sample_fraction_is_called_safe(
    case: Sampled, logged: Callable[[Sampled], Fraction] = lambda case: case.token_fraction
) -> Sides:
    """An effective sample fraction of 0.989 shows that the data still fit the learner.

    False: over 1000 independent tokens 0.989 leaves 1.6e-5 of the sequences. One public run that
    never fell below 0.989 completed 2 of 128 answers.
    """
    return Sides(logged(case) >= Fraction(989, 1000), case.of_sequences() >= HALF)


@dataclass(frozen=True)
class Truncated(Policies):
    """Two policies, a function of the actions with its stated supremum, and a cap."""

    values: tuple[Fraction, ...] = (Fraction(1), Fraction(1))
    supremum: Fraction = Fraction(1)
    cap: Fraction = TWO

    def excess(self) -> Fraction:
        """Mean of what the cap takes off the ratio."""
        return -self.bias([Fraction(1)] * len(self.learner))

    def bias(self, values: Any) -> Fraction:
        """Of the truncated importance-weighted mean of a function."""
        return truncation_bias_exact(self.learner, self.sampler, values, cap=self.cap)

    def share_above(self) -> Fraction:
        """The sampler's probability of a ratio above the cap."""
        pairs = zip(self.sampler, self.ratios, strict=True)
        return sum((q for q, ratio in pairs if ratio > self.cap), Fraction(0))


FAR = ((Fraction(4, 5), Fraction(1, 5)), (Fraction(1, 5), Fraction(4, 5)))


@claim(
    "staleness.weights.truncation_bias",
    statement=r"|E_\phi[\min(r, C) f] - E_\theta f| \le \sup|f|\, E_\phi(r - C)_+",
    relation=Relation.AT_MOST,
    source=Source.known("truncated importance sampling"),
    assumes={BOUNDED: lambda case: max(map(abs, case.values)) <= case.supremum},
    teeth={
        "10 % smaller": lambda case: case.excess() * case.supremum * 9 / 10,
        "the share of truncated samples": lambda case: case.share_above() * case.supremum,
        "no bias": lambda _: 0,
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    breaks={
        BOUNDED: Counterexample(
            Truncated(*FAR, values=(Fraction(3), Fraction(0))), "f is larger than stated."
        )
    },
    tight=Tight(Truncated(*FAR)),
)
def truncation_bias_is_bounded(
    case: Truncated,
    bound: Callable[[Truncated], Any] = lambda case: case.excess() * case.supremum,
) -> Sides:
    """Truncating weights biases a mean by at most the mean weight removed times the supremum."""
    return Sides(abs(case.bias(case.values)), bound(case))


def rare(parts: int) -> Truncated:
    """One rare action whose ratio is twice the cap less one, the others near 1."""
    chance, ratio = Fraction(1, parts), Fraction(3)
    return Truncated((chance * ratio, 1 - chance * ratio), (chance, 1 - chance))


@claim(
    "staleness.weights.truncated_excess",
    statement=r"E_\phi(r - C)_+ \le \frac{\chi^2(\pi_\theta \| \pi_\phi)}{4(C - 1)}, \quad C > 1",
    relation=Relation.AT_MOST,
    source=Source.derived(PAGE),
    assumes={ABOVE_ONE: lambda case: case.cap > 1},
    teeth={
        "10 % smaller": lambda chi, *, cap: truncated_excess_bound_exact(chi, cap=cap) * 9 / 10,
        "C squared in place of 4(C - 1)": lambda chi, *, cap: chi / cap**2 * 9 / 10,
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    breaks={
        ABOVE_ONE: Counterexample(
            Truncated((HALF, HALF), (HALF, HALF), cap=HALF),
            "A cap below 1 truncates fresh data too.",
            sides=lambda case, _: Sides(case.excess(), 0),
        )
    },
    tight=Tight(rare(100_000), at_least=Fraction(999, 1000)),
)
def truncated_excess_is_bounded(
    case: Truncated, bound: Any = truncated_excess_bound_exact
) -> Sides:
    """The mean weight that a cap removes is at most chi-squared over 4(C - 1)."""
    return Sides(case.excess(), bound(chi_squared_exact(case.learner, case.sampler), cap=case.cap))
