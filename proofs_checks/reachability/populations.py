"""Exact checks of the claims about populations of problems."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

from rolltheory.claims import Budget, Enclosure, Kind, Sides, check
from rolltheory.reachability.claims.populations import (
    BetaProblems,
    Recovery,
    Tail,
    few_tries_tell_the_exponent,
    hopeless_problems_make_a_plateau,
    other_exponents,
    other_laws,
    pass_at_k_has_a_closed_form,
    recovery_is_a_power_law,
    recovery_law,
    tail_is_a_power_law,
)

__all__ = [
    "every_plateau",
    "every_population",
    "some_first_tries",
    "some_recoveries",
    "some_tails",
]

SHAPES = ((0.2, 0.6, 0.25, 2.0), (0.25, 2.0, 0.5, 1.0), (0.3, 1.2, 0.5, 1.0), (1.0, 2.0, 0.5, 0.5))


def populations(budget: Budget) -> Iterator[BetaProblems]:
    """Parameters and masses of a grid."""
    largest, tries = (6, 12) if budget.deep else (3, 6)
    grid = product(range(1, 3 * largest + 1), range(1, largest + 1), range(1, tries + 1), (0, 1, 2))
    for thirds, b, k, quarters in grid:
        yield BetaProblems(Fraction(thirds, 3), b, k, Fraction(quarters, 4))


POPULATIONS = {
    "gate": "a in thirds and whole b up to 3, k <= 6, hopeless shares 0, 1/4, 1/2",
    "deep": "a in thirds and whole b up to 6, k <= 12, hopeless shares 0, 1/4, 1/2",
}


@check(pass_at_k_has_a_closed_form, kind=Kind.ENUMERATED, domain=POPULATIONS)
def every_population(budget: Budget) -> Iterator[BetaProblems]:
    """The density integrated term by term."""
    return populations(budget)


@check(hopeless_problems_make_a_plateau, kind=Kind.ENUMERATED, domain=POPULATIONS)
def every_plateau(budget: Budget) -> Iterator[BetaProblems]:
    """The density integrated term by term, and populations close to their plateau."""
    yield from populations(budget)
    yield BetaProblems(Fraction(4), 1, 40, Fraction(1, 4))


def log_unsolved(a: float, b: float, k: Any) -> Any:
    """The logarithm of B(a, b + k) / B(a, b), as a ball."""
    from flint import arb

    first, second, tries = arb(a), arb(b), k if isinstance(k, arb) else arb(k)
    below = second.lgamma() + (first + second + tries).lgamma()
    return (second + tries).lgamma() + (first + second).lgamma() - below


def enclosed(ball: Any) -> Enclosure:
    """The ends of a ball as rationals."""
    ends = []
    for end in (ball.lower(), ball.upper()):
        mantissa, exponent = (int(part) for part in end.mid().man_exp())
        ends.append(Fraction(mantissa) * Fraction(2) ** exponent)
    slack = Fraction(1, 2**150)  # the ends themselves are rounded at 200 bits
    return Enclosure(ends[0] - slack, ends[1] + slack)


def certified_exponent(case: Tail, exponent: Any = lambda a, _: a) -> Sides:
    """The exponent between k and 2 k tries, enclosed."""
    from flint import arb, ctx

    with ctx.workprec(200):
        fall = log_unsolved(case.a, case.b, case.k) - log_unsolved(case.a, case.b, 2 * case.k)
        found = enclosed(fall / arb(2).log())
    right = exponent(case.a, case.b)
    return Sides(found, Enclosure(right, right))


@check(
    tail_is_a_power_law,
    kind=Kind.CERTIFIED,
    domain="six populations at k = 2^20, in balls of 200 bits",
    route=certified_exponent,
    teeth=other_exponents,
    within=1e-4,
)
def some_tails(_: Budget) -> Iterator[Tail]:
    """Steep and flat densities at 0."""
    for a, b in ((0.3, 1.2), (0.25, 2.0), (0.2, 0.6), (1.0, 2.0), (2.5, 0.5), (3.0, 7.0)):
        yield Tail(a, b, 2**20)


def bracketed(case: Recovery) -> tuple[Fraction, Fraction]:
    """Tries of the base model that are certainly too few and certainly enough."""
    near = Fraction(case.base_tries())
    few, enough = near * (1 - Fraction(1, 10**7)), near * (1 + Fraction(1, 10**7))
    wanted = log_unsolved(case.a, case.b, case.tries)
    for tries, sign in ((few, 1), (enough, -1)):
        excess = log_unsolved(case.base_a, case.base_b, _ball(tries)) - wanted
        if not sign * excess > 0:
            raise ArithmeticError(f"{float(tries)} tries are not on their side of the crossing")
    return few, enough


def _ball(number: Fraction) -> Any:
    from flint import arb, fmpq

    return arb(fmpq(number.numerator, number.denominator))


def certified_recovery(case: Recovery, law: Any = recovery_law) -> Sides:
    """The tries of the base model, enclosed."""
    from flint import ctx

    with ctx.workprec(200):
        few, enough = bracketed(case)
    right = Fraction(law(case))
    return Sides(Enclosure(few / right, enough / right), 1)


@check(
    recovery_is_a_power_law,
    kind=Kind.CERTIFIED,
    domain="three pairs of populations at 2^24 tries, in balls of 200 bits",
    route=certified_recovery,
    teeth=other_laws,
    within=1e-3,
)
def some_recoveries(_: Budget) -> Iterator[Recovery]:
    """Exponents above and below 1."""
    shapes = ((0.2, 0.6, 0.25, 2.0), (0.5, 1.0, 0.5, 3.0), (0.6, 1.2, 0.4, 0.8))
    return (Recovery(*shape, 2**24) for shape in shapes)


def certified_local_exponent(case: Recovery, at: Any = lambda tries: tries) -> Sides:
    """The exponent between some tries and twice as many, enclosed."""
    from flint import arb, ctx

    tries = at(case.tries)
    with ctx.workprec(200):
        few, enough = bracketed(replace(case, tries=tries))
        few_twice, enough_twice = bracketed(replace(case, tries=2 * tries))
        low = enclosed(_ball(few_twice / enough).log() / arb(2).log()).low
        high = enclosed(_ball(enough_twice / few).log() / arb(2).log()).high
    right = Fraction(case.a) / Fraction(case.base_a)
    return Sides(Enclosure(low, high), right)


@check(
    few_tries_tell_the_exponent,
    kind=Kind.CERTIFIED,
    domain="four pairs of populations from 1, 2, 4 tries on, in balls of 200 bits",
    route=certified_local_exponent,
    teeth={"read off at 2^20 times as many tries": lambda tries: tries * 2**20},
    within=1e-2,
)
def some_first_tries(_: Budget) -> Iterator[Recovery]:
    """Exponents above and below 1."""
    return (Recovery(*shape, tries) for tries in (1, 2, 4) for shape in SHAPES)
