"""Exact checks of the claims about the kinematic consistency of rollouts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import comb
from types import SimpleNamespace
from typing import Any

import numpy as np

from rolltheory.claims import Budget, Kind, Sides, check
from rolltheory.graph_world.claims.invariance import (
    PlantedSlope,
    Rivals,
    residuals_order_models,
    slope_interval_covers,
    small_is_better,
)
from rolltheory.graph_world.claims.kinematics import (
    OSCILLATOR_TEETH,
    TRAPEZOID_TEETH,
    Fall,
    NoisyMotion,
    Oscillator,
    Swing,
    decoder_noise_adds,
    falls_as_stated,
    swings_as_stated,
    trapezoid_misses,
    trivial_model_is_perfect,
)
from rolltheory.graph_world.kinematics import kinematic_consistency_error_exact

__all__ = [
    "every_blur",
    "every_fall",
    "every_oscillator",
    "every_pair_of_models",
    "every_ranking",
    "every_sign_of_runs",
    "every_swing",
    "every_trivial_rollout",
]


def lazily(name: str) -> Callable[..., Any]:
    """A function of sympy, imported when it is called."""

    def call(*arguments: Any) -> Any:
        import sympy

        return getattr(sympy, name)(*arguments)

    return call


SYMBOLIC = SimpleNamespace(cos=lazily("cos"), sin=lazily("sin"))


def any_fall(budget: Budget) -> Iterator[Fall]:
    """Start, acceleration and step as symbols."""
    import sympy

    for steps in range(1, 7 if budget.deep else 4):
        yield Fall(*sympy.symbols("z v a h", real=True), steps)


FALLS = {"gate": "every start, step and acceleration, T <= 3", "deep": "the same for T <= 6"}


@check(trivial_model_is_perfect, kind=Kind.PROVED, domain=FALLS)
def every_trivial_rollout(budget: Budget) -> Iterator[Fall]:
    """Polynomials."""
    return any_fall(budget)


@check(falls_as_stated, kind=Kind.PROVED, domain=FALLS)
def every_fall(budget: Budget) -> Iterator[Fall]:
    """Polynomials."""
    return any_fall(budget)


def oscillator_law(amplitude: Any, frequency: Any, step: Any) -> Any:
    """As the library has it."""
    angle = frequency * step
    drop = 1 - SYMBOLIC.cos(angle)
    place = (drop**2 + (angle - SYMBOLIC.sin(angle)) ** 2) / 2
    return amplitude**2 * (place + frequency**2 * drop)


def mean_over_phases(
    case: Oscillator, law: Callable[[Any, Any, Any], Any] = oscillator_law
) -> Sides:
    """The integral, by its antiderivative."""
    import sympy

    phase = sympy.Symbol("phase", real=True)
    error = kinematic_consistency_error_exact(case.states(phase, SYMBOLIC), step=case.step)
    polynomial = sympy.expand(sympy.expand_trig(error))
    mean = sympy.integrate(polynomial, (phase, 0, 2 * sympy.pi)) / (2 * sympy.pi)
    stated = law(case.amplitude, case.frequency, case.step)
    sine = SYMBOLIC.sin(case.frequency * case.step)
    cosine = SYMBOLIC.cos(case.frequency * case.step)
    return Sides(sympy.expand(sympy.expand(mean - stated).subs(sine**2, 1 - cosine**2)), 0)


@check(
    swings_as_stated,
    kind=Kind.PROVED,
    domain="every amplitude, frequency and step",
    route=mean_over_phases,
    teeth={name: make(SYMBOLIC) for name, make in OSCILLATOR_TEETH.items()},
)
def every_oscillator(_: Budget) -> Iterator[Oscillator]:
    """One case with symbols."""
    import sympy

    yield Oscillator(*sympy.symbols("A omega h", positive=True))


@check(
    decoder_noise_adds,
    kind=Kind.ENUMERATED,
    domain="noise of fair signs, standard deviations 0, 1/2 and 1, steps 1/2 and 2, three motions",
)
def every_blur(_: Budget) -> Iterator[NoisyMotion]:
    """All 16 patterns."""
    motions = [((0, 0), (0, 0)), ((1, 2), (3, -1)), ((0, 1), (1, 1))]
    for place, speed, halves, motion in product(range(3), range(3), (1, 4), motions):
        states = tuple((Fraction(z), Fraction(v)) for z, v in motion)
        yield NoisyMotion(
            (states[0], states[1]), Fraction(place, 2), Fraction(speed, 2), Fraction(halves, 2)
        )


def trapezoid_law(angle: Any) -> Any:
    """As the library has it."""
    return 1 - angle / 2 * SYMBOLIC.cos(angle / 2) / SYMBOLIC.sin(angle / 2)


def trapezoid_in_symbols(case: Swing, law: Callable[[Any], Any] = trapezoid_law) -> Sides:
    """Both sides in the half angle."""
    import sympy

    residual, moved = case.residual(SYMBOLIC)
    difference = sympy.expand_trig(residual - law(case.angle) * moved)
    half = case.angle / 2
    whole = {SYMBOLIC.sin(case.angle): 2 * SYMBOLIC.sin(half) * SYMBOLIC.cos(half)}
    whole[SYMBOLIC.cos(case.angle)] = 1 - 2 * SYMBOLIC.sin(half) ** 2
    reduced = sympy.expand(sympy.expand(difference.subs(whole)))
    return Sides(
        sympy.expand(reduced.subs(SYMBOLIC.cos(half) ** 2, 1 - SYMBOLIC.sin(half) ** 2)), 0
    )


@check(
    trapezoid_misses,
    kind=Kind.PROVED,
    domain="every angle and phase",
    route=trapezoid_in_symbols,
    teeth={name: make(SYMBOLIC) for name, make in TRAPEZOID_TEETH.items()},
)
def every_swing(_: Budget) -> Iterator[Swing]:
    """One case with symbols."""
    import sympy

    yield Swing(*sympy.symbols("theta phi", positive=True))


def rivals(budget: Budget) -> Iterator[Rivals]:
    """Gravities in halves, one of the models often without any."""
    halves = range(-4, 9) if budget.deep else range(-2, 5)
    for gravity, first, second, steps in product((2, 0), halves, halves, (1, 3)):
        yield Rivals(
            Fraction(gravity, 2), Fraction(first, 2), Fraction(second, 2), Fraction(1, 2), steps
        )


RIVALS = {
    "gate": "gravity 1 or 0, models in halves from -1 to 2, 1 and 3 steps",
    "deep": "the same with models from -2 to 4",
}


@check(residuals_order_models, kind=Kind.ENUMERATED, domain=RIVALS)
def every_pair_of_models(budget: Budget) -> Iterator[Rivals]:
    """In rationals."""
    return rivals(budget)


@check(small_is_better, kind=Kind.ENUMERATED, domain=RIVALS)
def every_ranking(budget: Budget) -> Iterator[Rivals]:
    """The counterexample is nearer to no gravity than the truth is."""
    return rivals(budget)


@check(
    slope_interval_covers,
    kind=Kind.ENUMERATED,
    domain="three parameters, six runs each with errors of one size up or down, every pattern of "
    "signs, slopes 0 and -1; resampled with one seed",
)
def every_sign_of_runs(_: Budget) -> Iterator[PlantedSlope]:
    """Patterns counted by the number of errors that are up."""
    parameters, runs = np.array([1.0, 2.0, 4.0]), 6
    counts = list(product(range(runs + 1), repeat=3))
    signs = np.where(np.arange(runs) < np.array(counts)[..., None], 1.0, -1.0)
    weights = tuple(comb(runs, a) * comb(runs, b) * comb(runs, c) for a, b, c in counts)
    for slope in (0.0, -1.0):
        errors = np.exp(slope * np.log(parameters)[:, None] + 0.3 * signs)
        yield PlantedSlope((1.0, 2.0, 4.0), errors, slope, weights)
