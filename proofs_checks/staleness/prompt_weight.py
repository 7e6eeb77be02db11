"""Exact checks of the claims about the prompt weight."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rolltheory.claims import Budget, Kind, Sides, check
from rolltheory.staleness.claims.exact_numbers import enclosed, precision, rational
from rolltheory.staleness.claims.prompt_weight import (
    Weight,
    flat_at_one_half_only,
    potential_is_the_integral,
    slope_is_bounded,
    small_groups_in_closed_form,
    two_forms_agree,
    weight_is_below_its_limit,
)
from rolltheory.staleness.prompt_weight import prompt_weight_slope_bound

__all__ = [
    "FLOAT_ERROR",
    "Step",
    "every_ceiling",
    "every_float_potential",
    "every_float_weight",
    "every_parabola",
    "every_parabola_at_once",
    "every_potential_at_once",
    "every_sign",
    "every_slope",
    "every_slope_at_once",
    "every_weight_at_once",
]

FLOAT_ERROR = Fraction(1, 10**12)
TENTHS = {"gate": "n <= 9, p in tenths", "deep": "n <= 40, p in tenths"}


def _symbol() -> Any:
    import sympy

    return sympy.Symbol("p", positive=True)


def _grid(budget: Budget, *, first: int = 2, ends: bool = False) -> Iterator[Weight]:
    points = range(11) if ends else range(1, 10)
    for n in range(first, 41 if budget.deep else 10):
        yield from (Weight(Fraction(j, 10), n) for j in points)


@check(
    two_forms_agree,
    kind=Kind.PROVED,
    domain={"gate": "every p, n <= 5", "deep": "every p, n <= 10"},
)
def every_weight_at_once(budget: Budget) -> Iterator[Weight]:
    """Both forms as polynomials in the success probability."""
    return (Weight(_symbol(), n) for n in range(2, 11 if budget.deep else 6))


@check(two_forms_agree, kind=Kind.CERTIFIED, domain=TENTHS, within=FLOAT_ERROR)
def every_float_weight(budget: Budget) -> Iterator[Weight]:
    """The float route against a ball."""
    return _grid(budget)


@check(small_groups_in_closed_form, kind=Kind.PROVED, domain="every p, n <= 5")
def every_parabola_at_once(_: Budget) -> Iterator[Weight]:
    """Both sides as polynomials in the success probability."""
    return (Weight(_symbol(), n) for n in range(2, 6))


@check(
    small_groups_in_closed_form,
    kind=Kind.CERTIFIED,
    domain="n <= 5, p in twelfths",
    within=Fraction(1, 10**40),
)
def every_parabola(_: Budget) -> Iterator[Weight]:
    """Balls on both sides."""
    for n in range(2, 6):
        yield from (Weight(Fraction(j, 12), n) for j in range(13))


@check(
    flat_at_one_half_only,
    kind=Kind.CERTIFIED,
    domain={"gate": "4 <= n <= 12, p in 24ths", "deep": "4 <= n <= 60, p in 24ths"},
)
def every_sign(budget: Budget) -> Iterator[Weight]:
    """Signs of balls; at one half equal square roots cancel exactly."""
    for n in range(4, 61 if budget.deep else 13):
        yield from (Weight(Fraction(j, 24), n) for j in range(25))


@check(slope_is_bounded, kind=Kind.CERTIFIED, domain=TENTHS)
def every_slope(budget: Budget) -> Iterator[Weight]:
    """The ends included, where the bound is attained."""
    return _grid(budget, first=4, ends=True)


@dataclass(frozen=True)
class Step:
    """The step from c_k to c_(k+1); the slope at any p is a mean of such steps, times n - 1."""

    group_size: int
    k: int
    success_probability: int = 0  # stands for every p


def _largest_step(case: Step, bound: Callable[[int], Any] = prompt_weight_slope_bound) -> Sides:
    weight = Weight(Fraction(0), case.group_size)
    with precision("ball"):
        step = abs(weight.term(case.k + 1) - weight.term(case.k)) * (case.group_size - 1)
    return Sides(enclosed(step), rational(bound(case.group_size)))


@check(
    slope_is_bounded,
    kind=Kind.CERTIFIED,
    domain={"gate": "every p, 4 <= n <= 40", "deep": "every p, 4 <= n <= 400"},
    route=_largest_step,
    teeth={
        name: tooth.subject
        for name, tooth in slope_is_bounded.teeth.items()
        if tooth.replaces_subject
    },
)
def every_slope_at_once(budget: Budget) -> Iterator[Step]:
    """Every difference of the Bernstein coefficients."""
    for n in range(4, 401 if budget.deep else 41):
        yield from (Step(n, k) for k in range(n - 1))


@check(
    weight_is_below_its_limit,
    kind=Kind.CERTIFIED,
    domain={"gate": "n <= 9 and n = 32, p in tenths", "deep": "n <= 40, p in tenths"},
)
def every_ceiling(budget: Budget) -> Iterator[Weight]:
    """One large group, for which the ceiling is near."""
    yield from _grid(budget)
    yield from (Weight(Fraction(j, 10), 32) for j in range(1, 10))


@check(
    potential_is_the_integral,
    kind=Kind.PROVED,
    domain={"gate": "every p, n <= 5", "deep": "every p, n <= 10"},
)
def every_potential_at_once(budget: Budget) -> Iterator[Weight]:
    """Both sides as polynomials in the success probability."""
    return (Weight(_symbol(), n) for n in range(2, 11 if budget.deep else 6))


@check(potential_is_the_integral, kind=Kind.CERTIFIED, domain=TENTHS, within=FLOAT_ERROR)
def every_float_potential(budget: Budget) -> Iterator[Weight]:
    """The float route against a ball."""
    return _grid(budget, ends=True)
