"""Exact checks of the claims about the energy of integrated dynamics."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from rolltheory.claims import Budget, Kind, check
from rolltheory.graph_world.claims.hamiltonians import (
    FreeFall,
    Mixed,
    alignment_bounds_the_energy,
    drift_is_linear,
    mixed_update_grows,
)
from rolltheory.graph_world.claims.integrators import (
    Motion,
    euler_pumps,
    runge_kutta_factor,
    symplectic_invariant,
    symplectic_lower_end,
    symplectic_upper_end,
)

__all__ = [
    "every_aligned_update",
    "every_euler_step",
    "every_fall",
    "every_lower_orbit",
    "every_mixed_step",
    "every_runge_kutta_step",
    "every_symplectic_step",
    "every_upper_orbit",
]

ONE_STEP = "every state and every step"


def symbols(names: str) -> Any:
    """Real ones."""
    import sympy

    return sympy.symbols(names, real=True)


def any_motion() -> Iterator[Motion]:
    """State and step as symbols."""
    yield Motion(*symbols("q p h"))


@check(euler_pumps, kind=Kind.PROVED, domain=ONE_STEP)
def every_euler_step(_: Budget) -> Iterator[Motion]:
    """Polynomials in q, p and h."""
    return any_motion()


@check(runge_kutta_factor, kind=Kind.PROVED, domain=ONE_STEP)
def every_runge_kutta_step(_: Budget) -> Iterator[Motion]:
    """Polynomials in q, p and h."""
    return any_motion()


@check(symplectic_invariant, kind=Kind.PROVED, domain=ONE_STEP)
def every_symplectic_step(_: Budget) -> Iterator[Motion]:
    """Polynomials in q, p and h."""
    return any_motion()


def orbits(budget: Budget) -> Iterator[Motion]:
    """From both turns, with steps in eighths below 2."""
    starts = ((1, 0), (0, 1))
    steps = 41 if budget.deep else 13
    for start, eighths, count in product(starts, range(1, 16), range(steps)):
        yield Motion(*map(Fraction, start), Fraction(eighths, 8), count)


ORBITS = {
    "gate": "both turns, steps in eighths below 2, up to 12 of them",
    "deep": "both turns, steps in eighths below 2, up to 40 of them",
}


@check(symplectic_upper_end, kind=Kind.ENUMERATED, domain=ORBITS)
def every_upper_orbit(budget: Budget) -> Iterator[Motion]:
    """Attained for a step of 1."""
    return orbits(budget)


@check(symplectic_lower_end, kind=Kind.ENUMERATED, domain=ORBITS)
def every_lower_orbit(budget: Budget) -> Iterator[Motion]:
    """Nearly attained where an orbit passes q = -p."""
    return orbits(budget)


@check(
    mixed_update_grows,
    kind=Kind.PROVED,
    domain={"gate": "every state and mixing, k <= 3", "deep": "every state and mixing, k <= 6"},
)
def every_mixed_step(budget: Budget) -> Iterator[Mixed]:
    """Polynomials in q, p and a."""
    for steps, aligned in product(range(1, 7 if budget.deep else 4), (False, True)):
        yield Mixed(*symbols("q p a"), steps, aligned)


@check(
    alignment_bounds_the_energy,
    kind=Kind.ENUMERATED,
    domain="both turns, mixings 0, 1/2 and 1, up to 12 aligned steps",
)
def every_aligned_update(_: Budget) -> Iterator[Mixed]:
    """The counterexample is the second step."""
    for steps, start, mixing in product(range(13), ((1, 0), (0, 1)), (0, 1, 2)):
        yield Mixed(*map(Fraction, start), Fraction(mixing, 2), steps, aligned=True)


@check(
    drift_is_linear,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "falls with momentum and gravity 0, 3 and 4, misses of 0, 9/4 and 3, T of 1/2 to 2",
        "deep": "the same with momenta and gravities up to 6",
    },
)
def every_fall(budget: Budget) -> Iterator[FreeFall]:
    """Attained where the miss points along the gradient all the way."""
    numbers = range(7) if budget.deep else (0, 3, 4)
    misses = [Fraction(j, 4) for j in (0, 9, 12, -12)]
    for momentum, gravity, place, push, halves in product(
        numbers, numbers, misses, misses, range(1, 5)
    ):
        yield FreeFall(Fraction(momentum), Fraction(gravity), (place, push), Fraction(halves, 2))
