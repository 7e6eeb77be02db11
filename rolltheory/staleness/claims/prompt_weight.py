"""Claims about the weight that group-normalised advantages put on a prompt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import comb
from typing import Any

from rolltheory.claims import Counterexample, Relation, Sides, Source, Tight, Tooth, Unbroken, claim
from rolltheory.staleness.claims.exact_numbers import (
    enclosed,
    number,
    precision,
    rational,
    root,
    rounded,
)
from rolltheory.staleness.prompt_weight import (
    potential,
    potential_limit,
    prompt_weight,
    prompt_weight_limit,
    prompt_weight_slope_bound,
)

__all__ = [
    "Weight",
    "flat_at_one_half_only",
    "potential_is_the_integral",
    "slope_is_bounded",
    "small_groups_in_closed_form",
    "two_forms_agree",
    "weight_is_below_its_limit",
]

PAGE = "docs/theory/staleness.md"
BINARY = f"{PAGE}#binary-rewards"
INSIDE = "0 < p < 1"
CLOSED = "0 <= p <= 1"


@dataclass(frozen=True)
class Weight:
    """A success probability, rational or symbolic, and a group size."""

    success_probability: Any
    group_size: int
    std: str = "population"

    @property
    def kind(self) -> str:
        """The numbers that hold the weight: "symbol" or "ball"."""
        return "symbol" if hasattr(self.success_probability, "free_symbols") else "ball"

    def bernstein(self) -> Any:
        """The weight as the mean of c_K, K ~ Bin(n - 1, p)."""
        p, n = number(self.success_probability, self.kind), self.group_size
        with precision(self.kind):
            terms = [
                comb(n - 1, k) * p**k * (1 - p) ** (n - 1 - k) * self.term(k) for k in range(n)
            ]
            return sum(terms[1:], terms[0])

    def term(self, k: int) -> Any:
        """The number c_k: advantage of a success, plus that of a failure with its sign turned."""
        with precision(self.kind):
            return sum(self.root(square) for square in _squares(self.group_size, k))

    def root(self, square: Fraction) -> Any:
        """A square root, times the factor of the sample standard deviation."""
        n = self.group_size
        return root(square * Fraction(n - 1, n) if self.std == "sample" else square, self.kind)


def inside(case: Weight) -> bool:
    """Whether the success probability lies strictly between 0 and 1; a symbol does.

    >>> inside(Weight(Fraction(1, 2), 4)), inside(Weight(Fraction(0), 4))
    (True, False)
    """
    return case.kind == "symbol" or 0 < case.success_probability < 1


def library_weight(case: Weight) -> Any:
    """What the library answers; for a symbol, the sum that it evaluates.

    >>> library_weight(Weight(Fraction(1, 2), 2))
    Fraction(1, 1)
    """
    if case.kind == "symbol":
        return case.bernstein()
    p, std = float(case.success_probability), case.std
    return rational(prompt_weight(p, case.group_size, std=std))  # type: ignore[arg-type]


def _limit(case: Weight) -> Any:
    if case.kind == "symbol":
        p = case.success_probability
        return (p * (1 - p)) ** Fraction(-1, 2)
    return rational(prompt_weight_limit(float(case.success_probability)))


def _squares(n: int, k: int) -> tuple[Fraction, Fraction]:
    return Fraction(n - 1 - k, k + 1), Fraction(k, n - k)


@claim(
    "staleness.prompt_weight.forms",
    statement=r"\mathbb{E}_{K \sim \mathrm{Bin}(n, p)} \frac{\sqrt{q (1 - q)}}{p (1 - p)}"
    r" = \sum_{k=0}^{n-1} \mathrm{Bin}(n-1, k; p) \Bigl[\sqrt{\tfrac{n-1-k}{k+1}}"
    r" + \sqrt{\tfrac{k}{n-k}}\Bigr], \quad q = K/n",
    relation=Relation.EQUAL,
    source=Source.derived(BINARY),
    assumes={INSIDE: inside},
    teeth={
        "n - 1 for n": lambda case: library_weight(replace(case, group_size=case.group_size - 1)),
        "sample for population": lambda case: library_weight(replace(case, std="sample")),
        "an infinite group": _limit,
    },
    breaks={
        INSIDE: Unbroken("the left side is 0/0 at the ends, where the right side is its limit")
    },
)
def two_forms_agree(case: Weight, weight: Callable[[Weight], Any] = library_weight) -> Sides:
    """The weight of a prompt is the mean of the inverse spread that divides its gradient."""
    p, n = number(case.success_probability, case.kind), case.group_size
    with precision(case.kind):
        terms = [
            # The factor p (1 - p) cancels against k >= 1 successes and n - k >= 1 failures.
            comb(n, k) * p ** (k - 1) * (1 - p) ** (n - k - 1) * case.root(Fraction(k * (n - k)))
            for k in range(1, n)
        ]
        mean = sum(terms[1:], terms[0]) / n
    return Sides(enclosed(mean), rounded(weight(case)))


# (a, sign, b, c) for the end sqrt(a) and the slope sign sqrt(b) + c of small groups.
_PARABOLAS = {2: (1, 0, 0, 0), 3: (2, 0, 0, 0), 4: (3, 1, 12, -3), 5: (4, -1, 24, 6)}


def parabola(case: Weight) -> Any:
    """The closed form of a small group's weight.

    >>> round(float(parabola(Weight(Fraction(1, 2), 4)).low), 8)
    1.6160254
    """
    end, sign, square, whole = _PARABOLAS[case.group_size]
    with precision(case.kind):
        slope = sign * root(Fraction(square), case.kind) + whole
    return _through(case, root(Fraction(end), case.kind), slope)


def _through(case: Weight, end: Any, slope: Any) -> Any:
    p = number(case.success_probability, case.kind)
    with precision(case.kind):
        return enclosed(end - slope * p * (1 - p))


def _fitted(case: Weight, *_: Any) -> Sides:
    """The parabola through the weights at p = 0 and p = 1/2."""
    end = replace(case, success_probability=Fraction(0)).bernstein()
    middle = replace(case, success_probability=Fraction(1, 2)).bernstein()
    with precision(case.kind):
        slope = 4 * (end - middle)
    return Sides(enclosed(case.bernstein()), _through(case, end, slope))


@claim(
    "staleness.prompt_weight.small_groups",
    statement=r"w_2 = 1, \quad w_3 = \sqrt 2, \quad w_4 = \sqrt 3 - (2 \sqrt 3 - 3) p (1 - p),"
    r" \quad w_5 = 2 - (6 - 2 \sqrt 6) p (1 - p)",
    relation=Relation.EQUAL,
    source=Source.derived(BINARY),
    assumes={"n <= 5": lambda case: case.group_size <= 5},
    teeth={
        "n - 1 for n": lambda case: parabola(replace(case, group_size=max(case.group_size - 1, 2))),
        "constant": lambda case: enclosed(root(Fraction(case.group_size - 1), case.kind)),
    },
    breaks={
        "n <= 5": Counterexample(
            Weight(Fraction(1, 4), 6),
            "The parabola through the weights at 0 and 1/2 misses the one at 1/4.",
            sides=_fitted,
        )
    },
)
def small_groups_in_closed_form(case: Weight, formula: Callable[[Weight], Any] = parabola) -> Sides:
    """Up to five responses, the weight is a parabola in p; for two and three it is constant."""
    return Sides(enclosed(case.bernstein()), formula(case))


def slope(case: Weight) -> Any:
    """The derivative of the weight at a rational p, with equal square roots collected.

    >>> slope(Weight(Fraction(1, 2), 8))
    0
    """
    p, n = case.success_probability, case.group_size
    collected: dict[Fraction, Fraction] = {}
    for k in range(n - 1):
        chance = (n - 1) * comb(n - 2, k) * p**k * (1 - p) ** (n - 2 - k)
        signed = [(chance, square) for square in _squares(n, k + 1)]
        signed += [(-chance, square) for square in _squares(n, k)]
        for weight, square in signed:
            collected[square] = collected.get(square, Fraction(0)) + weight
    with precision("ball"):
        terms = [
            number(weight, "ball") * case.root(square)
            for square, weight in collected.items()
            if weight and square
        ]
        return sum(terms[1:], terms[0]) if terms else 0


@claim(
    "staleness.prompt_weight.flat_at_half",
    statement=r"\mathrm{sign}\, w_n'(p) = \mathrm{sign}(p - \tfrac12)",
    relation=Relation.EQUAL,
    source=Source.derived(BINARY),
    assumes={"n >= 4": lambda case: case.group_size >= 4},
    teeth={
        "largest in the middle": lambda p: (p < Fraction(1, 2)) - (p > Fraction(1, 2)),
        "never flat": lambda p: 1 if p >= Fraction(1, 2) else -1,
        "flat everywhere": lambda p: p * 0,
    },
    breaks={"n >= 4": Counterexample(Weight(Fraction(1, 4), 2), "w_2 is constant.")},
)
def flat_at_one_half_only(
    case: Weight,
    sign: Callable[[Fraction], int] = lambda p: (p > Fraction(1, 2)) - (p < Fraction(1, 2)),
) -> Sides:
    """The weight of a prompt is least at p = 1/2, flat there and nowhere else."""
    value = slope(case)
    found = 0 if isinstance(value, int) else (1 if value > 0 else -1 if value < 0 else None)
    return Sides(found, sign(case.success_probability))


@claim(
    "staleness.prompt_weight.slope",
    statement=r"|w_n'(p)| \le L_w(n) = (n - 1)(c_0 - c_1)"
    r" = \frac{(n-3) \sqrt{n-2}}{2 (\sqrt{(n-2)/(n-1)} + \sqrt{1/2})}",
    relation=Relation.AT_MOST,
    source=Source.derived(BINARY),
    assumes={CLOSED: lambda case: 0 <= case.success_probability <= 1},
    teeth={
        "a tenth smaller": lambda n: prompt_weight_slope_bound(n) * 0.9,
        "n - 1 for n": lambda n: prompt_weight_slope_bound(n - 1),
        "sample for population": lambda n: prompt_weight_slope_bound(n, std="sample"),
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    breaks={CLOSED: Counterexample(Weight(Fraction(2), 4), "The polynomial is steeper outside.")},
    tight=Tight(Weight(Fraction(0), 8)),
)
def slope_is_bounded(
    case: Weight, bound: Callable[[int], Any] = prompt_weight_slope_bound
) -> Sides:
    """The weight of a prompt changes fastest at p = 0 and p = 1."""
    with precision("ball"):
        size = abs(slope(case))
    return Sides(enclosed(size), rational(bound(case.group_size)))


def ceiling(case: Weight) -> Fraction:
    """What the library's limit and the factor of Jensen's inequality give.

    >>> float(ceiling(Weight(Fraction(1, 2), 2))).__round__(6)
    1.414214
    """
    n = case.group_size
    return rational(_limit(case)) * rational(((n - 1) / n) ** 0.5)


@claim(
    "staleness.prompt_weight.ceiling",
    statement=r"w_n(p) \le \sqrt{\tfrac{n-1}{n}}\, \frac{1}{\sqrt{p (1 - p)}} = "
    r"\sqrt{\tfrac{n-1}{n}}\, w_\infty(p)",
    relation=Relation.AT_MOST,
    source=Source.derived(BINARY),
    assumes={INSIDE: inside},
    teeth={
        "a tenth smaller": lambda case: ceiling(case) * Fraction(9, 10),
        "factor without its root": lambda case: (
            _limit(case) * Fraction(case.group_size - 1, case.group_size)
        ),
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    breaks={INSIDE: Unbroken("at the ends the right side is infinite")},
    tight=Tight(Weight(Fraction(1, 2), 64), at_least=Fraction(999, 1000)),
)
def weight_is_below_its_limit(case: Weight, bound: Callable[[Weight], Fraction] = ceiling) -> Sides:
    """A finite group puts less weight on a prompt than an infinite one."""
    return Sides(enclosed(case.bernstein()), bound(case))


def library_potential(case: Weight) -> Any:
    """What the library answers; for a symbol, the sum of binomial tails that it evaluates.

    >>> library_potential(Weight(Fraction(1), 2))
    Fraction(1, 1)
    """
    n, p = case.group_size, case.success_probability
    if case.kind == "ball":
        return rational(potential(float(p), n))
    tails = [
        case.term(k) * sum(comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(k + 1, n + 1))
        for k in range(n)
    ]
    return sum(tails[1:], tails[0]) / n


def _potential_of_infinite_groups(case: Weight) -> Any:
    if case.kind == "symbol":
        return case.success_probability * 2
    return rational(potential_limit(float(case.success_probability)))


@claim(
    "staleness.prompt_weight.potential",
    statement=r"W_n(p) = \frac1n \sum_k c_k\, P(\mathrm{Bin}(n, p) > k) = \int_0^p w_n(t)\, dt,"
    r" \quad\text{so}\quad H(\theta, \theta) = \nabla\, \mathbb{E}_x W_n(p_\theta(x))",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#potential"),
    assumes={CLOSED: lambda case: inside(case) or case.success_probability in (0, 1)},
    teeth={
        "an infinite group": _potential_of_infinite_groups,
        "n - 1 for n": lambda case: library_potential(
            replace(case, group_size=case.group_size - 1)
        ),
        "constant weight": lambda case: case.success_probability * library_weight(case),
    },
    breaks={CLOSED: Unbroken("outside, the tails are no probabilities")},
)
def potential_is_the_integral(
    case: Weight, formula: Callable[[Weight], Any] = library_potential
) -> Sides:
    """On-policy ascent with binary rewards climbs the integral of the prompt weight."""
    p, n = number(case.success_probability, case.kind), case.group_size
    with precision(case.kind):
        total = 0 * p
        for k in range(n):
            for j in range(n - k):  # expand (1 - t)^(n - 1 - k)
                factor = comb(n - 1, k) * comb(n - 1 - k, j) * (-1) ** j
                total = total + factor * case.term(k) * p ** (k + j + 1) / (k + j + 1)
    return Sides(enclosed(total), rounded(formula(case)))
