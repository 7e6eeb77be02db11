"""Simulations and property tests of the claims about populations of problems."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from rolltheory.claims import Budget, Kind, Sides, check
from rolltheory.reachability.beta_law import beta_pass_at_k
from rolltheory.reachability.claims.populations import (
    BetaProblems,
    ObservedProblems,
    Recovery,
    Tail,
    few_tries_tell_the_exponent,
    hopeless_problems_make_a_plateau,
    other_forms,
    pass_at_k_has_a_closed_form,
    recovery_is_a_power_law,
    tail_is_a_power_law,
)
from simulators.reachability import beta_success_probabilities, independent_tries

__all__ = [
    "any_first_tries",
    "any_plateau",
    "any_population",
    "any_recovery",
    "any_tail",
    "simulated_problems",
]

PROBLEMS = 400_000


@check(
    pass_at_k_has_a_closed_form,
    kind=Kind.SIMULATED,
    domain=f"{PROBLEMS} problems of Beta(1/3, 1), a quarter of them hopeless, 1, 4, 32 tries each",
    error_level=1e-6,
)
def simulated_problems(budget: Budget) -> Iterator[ObservedProblems]:
    """The share of problems that are solved."""
    generator = budget.generator()
    truth = beta_success_probabilities(PROBLEMS, 1 / 3, 1, zero_mass=0.25, generator=generator)
    for k in (1, 4, 32):
        tries = independent_tries(truth, k, generator=generator)
        solved = (tries.successes > 0).astype(np.float64)
        law = Fraction(1, 3), 1, k, Fraction(1, 4)
        yield ObservedProblems(*law, error_level=1e-6 / 3, solved=solved)


def float_form(a: Any, b: Any, k: int, zero_mass: Any) -> float:
    """The library's float route."""
    return float(beta_pass_at_k(float(a), b, k, zero_mass=float(zero_mass)))


def library_form(case: BetaProblems, form: Any = float_form) -> Sides:
    """The exact integral against the library."""
    return Sides(case.pass_at_k(), float(form(case.a, case.b, case.k, case.zero_mass)))


def any_beta_problems() -> Any:
    """Any population that integrates term by term."""
    from hypothesis import strategies as st

    def problems(part: int, b: int, k: int, percent: int) -> BetaProblems:
        return BetaProblems(Fraction(part, 16), b, k, Fraction(percent, 100))

    return st.builds(
        problems, st.integers(1, 80), st.integers(1, 8), st.integers(1, 60), st.integers(0, 99)
    )


@check(
    pass_at_k_has_a_closed_form,
    kind=Kind.PROPERTY_TESTED,
    domain="a in 16ths up to 5, whole b <= 8, k <= 60; the library's floats",
    route=library_form,
    teeth=other_forms(float_form),
    tolerance=1e-12,
)
def any_population(_: Budget) -> Any:
    """More tries than can be enumerated."""
    return any_beta_problems()


@check(
    hopeless_problems_make_a_plateau,
    kind=Kind.PROPERTY_TESTED,
    domain="a in 16ths up to 5, whole b <= 8, k <= 60, exact",
)
def any_plateau(_: Budget) -> Any:
    """More tries than can be enumerated."""
    return any_beta_problems()


@check(
    tail_is_a_power_law,
    kind=Kind.PROPERTY_TESTED,
    domain="a and b in tenths up to 4, k = 2^16 to 2^40; the library's floats",
    within=1e-3,
)
def any_tail(_: Budget) -> Any:
    """The local exponent far out."""
    from hypothesis import strategies as st

    def tail(a: int, b: int, power: int) -> Tail:
        return Tail(a / 10, b / 10, 2**power)

    return st.builds(tail, st.integers(1, 40), st.integers(1, 40), st.integers(16, 40))


def any_pair(tries: Any, smallest: int) -> Any:
    """Two populations, the exponent of whose recovery law is given in percent up to 200."""
    from hypothesis import strategies as st

    def pair(base: int, percent: int, b: int, base_b: int, tries: int) -> Recovery:
        return Recovery(base * percent / 1000, b / 10, base / 10, base_b / 10, tries)

    shape = st.integers(2, 10), st.integers(smallest, 200), st.integers(5, 30), st.integers(5, 30)
    return st.builds(pair, *shape, tries)


@check(
    recovery_is_a_power_law,
    kind=Kind.PROPERTY_TESTED,
    domain="base a 0.2 to 1, exponents 1 to 2, b 0.5 to 3, 2^24 to 2^28 tries",
    within=1e-3,
)
def any_recovery(_: Budget) -> Any:
    """The library's law against the crossing far out."""
    from hypothesis import strategies as st

    return any_pair(st.integers(24, 28).map(lambda power: 2**power), 100)


@check(
    few_tries_tell_the_exponent,
    kind=Kind.PROPERTY_TESTED,
    domain="base a 0.2 to 1, exponents 1/2 to 2, b 0.5 to 3, 1 to 8 tries",
    within=1e-2,
)
def any_first_tries(_: Budget) -> Any:
    """Exponents above and below 1."""
    from hypothesis import strategies as st

    return any_pair(st.integers(1, 8), 50)
