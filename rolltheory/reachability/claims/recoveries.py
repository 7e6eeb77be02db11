"""Claims about recovery maps: of measured curves, of counts, of fitted laws, and of one problem."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any, TypeAlias

import numpy as np

from rolltheory.claims import Counterexample, Relation, Sides, Source, Tight, Unbroken, claim
from rolltheory.reachability.beta_binomial import BetaBinomialFit
from rolltheory.reachability.exact import beta_pass_at_k_exact, pass_at_k_exact
from rolltheory.reachability.recovery import (
    RecoveryMap,
    recovery_map,
    recovery_map_of_counts,
    recovery_map_of_fits,
    recovery_ratio,
)

__all__ = [
    "Curves",
    "Laws",
    "OneProblem",
    "TwoTables",
    "counts_recover",
    "curves_recover",
    "fits_recover",
    "one_ratio_recovers",
]

PAGE = "docs/theory/reachability.md#populations"
NEAR = Fraction(1, 10**9)
Found: TypeAlias = dict[int, Any]


def answers(found: RecoveryMap) -> Found:
    """The tries of the base for each number of tries; None where they are unreached."""
    reached = zip(found.tries.tolist(), found.base_tries.tolist(), strict=True)
    return {int(n): base for n, base in reached} | dict.fromkeys(map(int, found.unreached))


def altered(honest: Callable[[Any], Found], change: Callable[[int, Any], Any]) -> Any:
    """The same map with every answer changed."""
    return lambda case: {
        tries: base if base is None else change(tries, base) for tries, base in honest(case).items()
    }


def other_maps(honest: Callable[[Any], Found]) -> dict[str, Callable[[Any], Found]]:
    """Wrong maps."""
    return {
        "10 % fewer": altered(honest, lambda _, base: 0.9 * base),
        "as many tries as the trained model": altered(honest, lambda tries, _: float(tries) / 2),
        "everything recovered": lambda case: {
            tries: 1e6 if base is None else base for tries, base in honest(case).items()
        },
        "nothing recovered": lambda case: dict.fromkeys(honest(case)),
    }


def mismatch(found: Found, wanted: Callable[[int], Fraction], base: Any, most: Fraction) -> Any:
    """The largest distance between the two sides of the equation, 2 for a wrong point.

    ``base`` is the curve of the base in rationals, ``most`` the value that it cannot exceed; floats
    may take a target near that for reached or not.
    """
    off = Fraction(0)
    for tries, answer in found.items():
        target = wanted(tries)
        if answer is not None:
            off = max(off, abs(base(Fraction(answer)) - target))
        elif target < most - NEAR:
            off = Fraction(2)
    return off


@dataclass(frozen=True)
class Curves:
    """Pass@k at k = 1, 2, ... of a trained model, and of its base; both are floats."""

    pass_at_k: tuple[Fraction, ...]
    base: tuple[Fraction, ...]

    def base_curve(self, tries: Fraction) -> Fraction:
        """The base's points, joined by lines from the origin on."""
        points = (Fraction(0), *self.base)
        place = min(int(tries), len(self.base) - 1)
        return points[place] + (tries - place) * (points[place + 1] - points[place])

    def first(self, target: Fraction) -> Fraction | None:
        """The fewest tries at which the joined points reach a target."""
        points = (Fraction(0), *self.base)
        for place, end in enumerate(self.base):
            if end >= target:
                return place + (target - points[place]) / (end - points[place])
        return None


def measured(case: Curves) -> Found:
    """The library's map."""
    at, base_at = (np.arange(1, len(curve) + 1) for curve in (case.pass_at_k, case.base))
    values = [list(map(float, curve)) for curve in (case.pass_at_k, case.base)]
    return answers(recovery_map(at, values[0], base_at, values[1]))


def is_rising(case: Curves) -> bool:
    """Whether both curves rise or stay, the first from a positive value."""
    curves = (case.pass_at_k, case.base)
    return case.pass_at_k[0] > 0 and all(sorted(curve) == list(curve) for curve in curves)


RISING = "neither curve falls, and that of the trained model is positive"


@claim(
    "reachability.recovery.curves",
    statement=r"N_B(N_R) = \min\{N: \text{Pass@}N(\text{base}) \ge \text{Pass@}N_R\}"
    r" \text{ to } 10^{-9} \text{ on joined points}",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={RISING: is_rising},
    teeth=other_maps(measured)
    | {"the next whole number": altered(measured, lambda _, base: float(math.ceil(base)))},
    breaks={RISING: Unbroken("a measured curve that falls is refused")},
)
def curves_recover(case: Curves, found: Callable[[Curves], Found] = measured) -> Sides:
    """The map of two measured curves is the first crossing of their joined points.

    Where the base stays below, no number of tries is given. The crossing is found in rationals.
    """
    wanted = {k: case.first(value) for k, value in enumerate(case.pass_at_k, 1)}
    answer = found(case)
    unreached = {k for k, value in answer.items() if value is None}
    if unreached != {k for k, value in wanted.items() if value is None}:
        return Sides(False, True)
    pairs = [(Fraction(answer[k]), first) for k, first in wanted.items() if first is not None]
    return Sides(all(abs(one - other) <= NEAR * other for one, other in pairs), True)


@dataclass(frozen=True)
class TwoTables:
    """Counts of successes under a trained model and under its base, and the tries of each."""

    samples: int
    successes: tuple[int, ...]
    base_samples: int
    base_successes: tuple[int, ...]

    def wanted(self, tries: int) -> Fraction:
        """Pass@k of the trained model."""
        values = (pass_at_k_exact(self.samples, c, tries) for c in self.successes)
        return sum(values, Fraction()) / len(self.successes)

    def base_curve(self, tries: Fraction) -> Fraction:
        """Pass@k of the base at a number of tries that need not be whole.

        With c successes it is 1 - (n - k)(n - 1 - k) ... (n - c + 1 - k) / (n (n - 1) ...), and 1
        from n - c + 1 tries on.
        """
        n, total = self.base_samples, Fraction()
        for c in self.base_successes:
            terms = (Fraction(n - i - tries) / (n - i) for i in range(c))
            total += 1 - math.prod(terms, start=Fraction(1)) * (tries < n - c + 1)
        return total / len(self.base_successes)


@cache
def counted(case: TwoTables) -> Found:
    """The library's map."""
    trained, base = (case.samples, case.successes), (case.base_samples, case.base_successes)
    return answers(recovery_map_of_counts(*trained, *base, np.arange(1, case.samples + 1)))


SOME = "the trained model succeeds somewhere"


@claim(
    "reachability.recovery.counts",
    statement=r"\frac{1}{M_B} \sum_i U(n_i, c_i, N_B) = \frac{1}{M_R} \sum_i U(n'_i, c'_i, N_R)"
    r" \text{ to } 10^{-9}, \text{ or } N_R \text{ is unreached,}"
    r" \text{ and Pass@} n \text{ of the base less}",
    relation=Relation.AT_MOST,
    source=Source.derived(PAGE),
    assumes={SOME: lambda case: any(case.successes)},
    teeth=other_maps(counted)
    | {"the next whole number": altered(counted, lambda _, base: float(math.ceil(base)))},
    breaks={SOME: Unbroken("a Pass@k of 0 is recovered by no tries, and refused")},
    tight=Tight(TwoTables(4, (1, 2), 4, (1, 1)), at_least=1e-9),
)
def counts_recover(case: TwoTables, found: Callable[[TwoTables], Found] = counted) -> Sides:
    """The map of counted tries solves its equation, fractions of tries included.

    The estimate at fractions of tries is a polynomial, evaluated in rationals here.
    """
    most = case.base_curve(Fraction(case.base_samples))
    return Sides(mismatch(found(case), case.wanted, case.base_curve, most), NEAR)


@dataclass(frozen=True)
class Laws:
    """The Beta laws of a trained model and of its base, whose first parameter is whole.

    A share ``base_zero_mass`` of the base's problems is hopeless.
    """

    a: Fraction
    b: Fraction
    base_a: int
    base_b: Fraction
    base_zero_mass: Fraction = Fraction(0)

    def wanted(self, tries: int) -> Fraction:
        """Pass@k of the trained model."""
        return beta_pass_at_k_exact(self.a, self.b, tries)

    def base_curve(self, tries: Fraction) -> Fraction:
        """Pass@k of the base at a number of tries that need not be whole."""
        a, b = self.base_a, self.base_b
        missed = math.prod((Fraction(b + i) / (b + tries + i) for i in range(a)), start=Fraction(1))
        return (1 - self.base_zero_mass) * (1 - missed)


def law_of(a: Fraction, b: Fraction, zero_mass: Fraction = Fraction(0)) -> BetaBinomialFit:
    """The law as the library writes it."""
    total = a + b
    return BetaBinomialFit(
        float(a / total), float(1 / (total + 1)), float(zero_mass), 0.0, 2, 2, ()
    )


@cache
def fitted(case: Laws) -> Found:
    """The library's map."""
    base = law_of(Fraction(case.base_a), case.base_b, case.base_zero_mass)
    return answers(recovery_map_of_fits(law_of(case.a, case.b), base, [1, 2, 3, 8]))


@claim(
    "reachability.recovery.fits",
    statement=r"(1 - \pi) \Bigl(1 - \frac{B(a_B, b_B + N_B)}{B(a_B, b_B)}\Bigr) ="
    r" 1 - \frac{B(a_R, b_R + N_R)}{B(a_R, b_R)} \text{ to } 10^{-9},"
    r" \text{ or } N_R \text{ is unreached and } 1 - \pi \text{ less, to } 10^{-9}",
    relation=Relation.AT_MOST,
    source=Source.derived(PAGE),
    assumes={"the base's first parameter is whole": lambda case: case.base_a == int(case.base_a)},
    teeth=other_maps(fitted)
    | {
        "hopeless problems forgotten": lambda case: fitted(
            replace(case, base_zero_mass=Fraction(0))
        ),
    },
    breaks={
        "the base's first parameter is whole": Unbroken("else the curve is no rational function")
    },
    tight=Tight(Laws(Fraction(1), Fraction(2), 1, Fraction(3)), at_least=1e-9),
)
def fits_recover(case: Laws, found: Callable[[Laws], Found] = fitted) -> Sides:
    """The map of two fitted laws solves its equation, and leaves out what the base cannot reach."""
    most = 1 - case.base_zero_mass
    return Sides(mismatch(found(case), case.wanted, case.base_curve, most), NEAR)


@dataclass(frozen=True)
class OneProblem:
    """A problem that a try fails with ``failure`` to the power ``tries``, or ``base_tries``.

    With ``tired``, every try of the trained model after the first fails.
    """

    failure: Fraction
    tries: int
    base_tries: int
    k: int
    tired: bool = False


def per_try(case: OneProblem) -> float:
    """The library's ratio of tries."""
    q = case.failure
    return recovery_ratio(float(1 - q**case.tries), float(1 - q**case.base_tries))


STEADY = "the tries of each model are independent, with one success probability"


@claim(
    "reachability.recovery.ratio",
    statement=r"1 - (1 - p_B)^{N_B} = 1 - (1 - p_R)^{N_R} \iff"
    r" N_B / N_R = \ln(1 - p_R) / \ln(1 - p_B), \text{ computed to } 10^{-12}",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={STEADY: lambda case: not case.tired},
    teeth={
        "ratio of probabilities": lambda case: float(
            (1 - case.failure**case.tries) / (1 - case.failure**case.base_tries)
        ),
        "its inverse": lambda case: 1 / per_try(case),
        "10 % smaller": lambda case: 0.9 * per_try(case),
        "two digits off": lambda case: per_try(case) * (1 + 1e-10),
    },
    breaks={
        STEADY: Counterexample(
            OneProblem(Fraction(1, 2), 1, 1, 2, tired=True), "A second try that fails is no try."
        )
    },
)
def one_ratio_recovers(case: OneProblem, ratio: Callable[[OneProblem], float] = per_try) -> Sides:
    """On one problem the base needs a fixed number of tries per try of the trained model.

    The left side is whether the ratio is that of the two powers, and whether so many tries of the
    base then fail together as often as those of the trained model.
    """
    near = abs(Fraction(ratio(case)) * case.base_tries / case.tries - 1) <= Fraction(1, 10**12)
    trained = case.failure ** (case.tries * (1 if case.tired else case.k * case.base_tries))
    base = case.failure ** (case.base_tries * case.k * case.tries)
    return Sides((near, trained), (True, base))
