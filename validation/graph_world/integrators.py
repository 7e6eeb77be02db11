"""Property tests of the claims about the energy of integrated dynamics."""

from __future__ import annotations

from fractions import Fraction
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
from validation.graph_world.strategies import rationals

__all__ = [
    "any_aligned_update",
    "any_euler_run",
    "any_fall",
    "any_lower_orbit",
    "any_mixed_run",
    "any_runge_kutta_run",
    "any_symplectic_run",
    "any_upper_orbit",
]

RUNS = "states and steps in quarters, several steps"


def motions(most: int) -> Any:
    """Any start."""
    from hypothesis import strategies as st

    number = rationals(-3, 3)
    return st.builds(Motion, number, number, number, st.integers(0, most))


def orbits() -> Any:
    """From a turn, with steps below 2; those up to 30 steps long pass near both ends."""
    from hypothesis import strategies as st

    step = st.integers(1, 39).map(lambda numerator: Fraction(numerator, 20))
    start = rationals(1, 3)
    zero = st.just(Fraction(0))
    return st.builds(Motion, start, zero, step, st.integers(0, 30)) | st.builds(
        Motion, zero, start, step, st.integers(0, 30)
    )


@check(euler_pumps, kind=Kind.PROPERTY_TESTED, domain=RUNS)
def any_euler_run(_: Budget) -> Any:
    """In rationals."""
    return motions(8)


@check(runge_kutta_factor, kind=Kind.PROPERTY_TESTED, domain=RUNS)
def any_runge_kutta_run(_: Budget) -> Any:
    """In rationals."""
    return motions(3)


@check(symplectic_invariant, kind=Kind.PROPERTY_TESTED, domain=RUNS)
def any_symplectic_run(_: Budget) -> Any:
    """In rationals."""
    return motions(8)


ORBITS = "orbits from a turn, steps in twentieths below 2, up to 30 of them"


@check(symplectic_upper_end, kind=Kind.PROPERTY_TESTED, domain=ORBITS)
def any_upper_orbit(_: Budget) -> Any:
    """In rationals."""
    return orbits()


@check(symplectic_lower_end, kind=Kind.PROPERTY_TESTED, domain=ORBITS)
def any_lower_orbit(_: Budget) -> Any:
    """In rationals."""
    return orbits()


@check(mixed_update_grows, kind=Kind.PROPERTY_TESTED, domain="mixings in quarters, up to 8 steps")
def any_mixed_run(_: Budget) -> Any:
    """In rationals."""
    from hypothesis import strategies as st

    number = rationals(-3, 3)
    return st.builds(Mixed, number, number, rationals(0, 1), st.integers(0, 8), st.booleans())


@check(
    alignment_bounds_the_energy,
    kind=Kind.PROPERTY_TESTED,
    domain="starts at a turn, mixings in quarters, up to 20 aligned steps",
)
def any_aligned_update(_: Budget) -> Any:
    """In rationals."""
    from hypothesis import strategies as st

    zero, start = st.just(Fraction(0)), rationals(-3, 3)
    rest = (rationals(0, 1), st.integers(0, 20), st.just(True))
    return st.builds(Mixed, start, zero, *rest) | st.builds(Mixed, zero, start, *rest)


@check(
    drift_is_linear,
    kind=Kind.PROPERTY_TESTED,
    domain="falls with everything in quarters; misses along the gradient",
)
def any_fall(_: Budget) -> Any:
    """Such misses attain the bound."""
    from hypothesis import strategies as st

    def along(slope: int, gravity: int, duration: Fraction) -> FreeFall:
        momentum = Fraction(slope * gravity)
        misses = (Fraction(gravity) / slope, Fraction(gravity))
        return FreeFall(momentum, Fraction(gravity), misses, duration)

    number, duration = rationals(-3, 3), rationals(0, 3)
    falls = st.builds(FreeFall, number, number, st.tuples(number, number), duration)
    return st.builds(along, st.integers(1, 4), st.integers(0, 4), duration) | falls
