"""Claims about the kinematic consistency of rollouts: its null models."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from rolltheory.claims import Counterexample, Relation, Sides, Source, claim
from rolltheory.graph_world.kinematics import (
    free_fall_inconsistency_exact,
    kinematic_consistency_error_exact,
    noise_inconsistency_exact,
    oscillator_inconsistency,
    trapezoid_residual,
)

__all__ = [
    "OSCILLATOR_TEETH",
    "TRAPEZOID_TEETH",
    "Fall",
    "MeasuredNoise",
    "NoisyMotion",
    "Oscillator",
    "States",
    "Swing",
    "decoder_noise_adds",
    "falls_as_stated",
    "inconsistency",
    "swings_as_stated",
    "trapezoid_misses",
    "trivial_model_is_perfect",
]

PAGE = "docs/theory/graph_world.md#kinematics"
WHITE = "the noise of each entry and each time is independent of all other"
States = list[tuple[Any, Any]]


@dataclass(frozen=True)
class Fall:
    """A motion with a constant acceleration, (z, v) in steps; numbers or symbols."""

    place: Any
    velocity: Any
    acceleration: Any
    step: Any
    steps: int

    @property
    def states(self) -> States:
        """The exact ones."""
        times = [self.step * t for t in range(self.steps + 1)]
        half = Fraction(1, 2)
        return [
            (
                self.place + self.velocity * t + self.acceleration * t**2 * half,
                self.velocity + self.acceleration * t,
            )
            for t in times
        ]


Measure = Callable[[States, Any], Any]


def inconsistency(states: States, step: Any) -> Any:
    """The library's, by position."""
    return kinematic_consistency_error_exact(states, step=step)


def against_standing_still(states: States, _: Any) -> Any:
    """The predictor says that nothing moves."""
    return kinematic_consistency_error_exact(states, step=0)


@claim(
    "graph_world.kinematics.trivial",
    statement=r"\hat x_{t+1} = \mathrm{kin}(\hat x_t) \ \forall t \implies \mathrm{iKCE} = 0",
    relation=Relation.EQUAL,
    source=Source.paper("2607.05966", "trivial kinematic model"),
    assumes={},
    teeth={
        "against standing still": against_standing_still,
        "another step": lambda states, step: inconsistency(states, 2 * step),
        "another frame": lambda states, step: inconsistency([(z, v + 1) for z, v in states], step),
    },
)
def trivial_model_is_perfect(case: Fall, measure: Measure = inconsistency) -> Sides:
    """A model that is the kinematic predictor has no inconsistency at all, whatever the physics."""
    still = Fall(case.place, case.velocity, 0, case.step, case.steps)
    return Sides(measure(still.states, case.step), 0)


FallLaw = Callable[[Any, Any], Any]


@claim(
    "graph_world.kinematics.free_fall",
    statement=r"\mathrm{iKCE} = (g\,dt)^2 + (g\,dt^2 / 2)^2",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={},
    teeth={
        "velocity alone": lambda g, step: (g * step) ** 2,
        "place without the half": lambda g, step: (g * step) ** 2 + (g * step**2) ** 2,
        "linear in gravity": lambda g, step: g * (step**2 + step**4 * Fraction(1, 4)),
    },
)
def falls_as_stated(
    case: Fall, law: FallLaw = lambda g, step: free_fall_inconsistency_exact(step, gravity=g)
) -> Sides:
    """Exact free fall has an inconsistency of its own, quadratic in gravity."""
    return Sides(inconsistency(case.states, case.step), law(case.acceleration, case.step))


@dataclass(frozen=True)
class Oscillator:
    """Amplitude, frequency and step of an exact oscillator."""

    amplitude: Any
    frequency: Any
    step: Any

    def states(self, phase: Any, functions: Any) -> States:
        """Two successive ones, with the cosine and sine of a module."""
        return [
            (
                self.amplitude * functions.cos(angle),
                -self.amplitude * self.frequency * functions.sin(angle),
            )
            for angle in (phase, phase + self.frequency * self.step)
        ]


OscillatorLaw = Callable[[Any, Any, Any], Any]


def oscillator_part(
    functions: Any, place: Fraction, lag: Fraction, speed: Fraction
) -> OscillatorLaw:
    """The law with other weights of its three parts."""

    def law(amplitude: Any, frequency: Any, step: Any) -> Any:
        angle = frequency * step
        drop, behind = 1 - functions.cos(angle), angle - functions.sin(angle)
        inner = place * drop**2 + lag * behind**2 + speed * frequency**2 * drop
        return amplitude**2 * inner

    return law


HALF = Fraction(1, 2)
OSCILLATOR_TEETH: Mapping[str, Callable[[Any], OscillatorLaw]] = {
    "place alone": lambda functions: oscillator_part(functions, HALF, HALF, Fraction(0)),
    "velocity alone": lambda functions: oscillator_part(
        functions, Fraction(0), Fraction(0), Fraction(1)
    ),
    "at the worst phase": lambda functions: oscillator_part(
        functions, Fraction(1), Fraction(1), Fraction(2)
    ),
}


@claim(
    "graph_world.kinematics.oscillator",
    statement=r"\frac1{2\pi} \int \mathrm{iKCE}\,d\varphi = \tfrac12 A^2 [(1 - \cos\theta)^2"
    r"+ (\theta - \sin\theta)^2] + A^2 \omega^2 (1 - \cos\theta), \quad \theta = \omega\,dt",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={},
    teeth={name: make(math) for name, make in OSCILLATOR_TEETH.items()},
)
def swings_as_stated(
    case: Oscillator,
    law: OscillatorLaw = lambda amplitude, frequency, step: float(
        oscillator_inconsistency(amplitude, frequency, step=step)
    ),
) -> Sides:
    """An exact oscillator has a known inconsistency, in the mean over its phase."""
    phases = [math.pi * j / 4 for j in range(8)]  # the mean is exact for second harmonics
    found = sum(inconsistency(case.states(phase, math), case.step) for phase in phases) / 8
    return Sides(found, law(case.amplitude, case.frequency, case.step))


@dataclass(frozen=True)
class NoisyMotion:
    """Two successive states that a decoder blurs by a sign times a standard deviation each.

    Without ``white``, both times have the same noise.
    """

    states: tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]
    position_std: Fraction
    velocity_std: Fraction
    step: Fraction
    white: bool = True

    @property
    def added(self) -> Fraction:
        """Mean over every pattern of signs, less the inconsistency without noise."""
        patterns = [
            (signs if self.white else (*signs[:2], *signs[:2]))
            for signs in product((1, -1), repeat=4)
        ]
        blurred = sum(
            inconsistency(
                [
                    (z + signs[2 * t] * self.position_std, v + signs[2 * t + 1] * self.velocity_std)
                    for t, (z, v) in enumerate(self.states)
                ],
                self.step,
            )
            for signs in patterns
        )
        clear = inconsistency(list(self.states), self.step)
        return Fraction(blurred / len(patterns) - clear)


@dataclass(frozen=True)
class MeasuredNoise:
    """What simulated noise added, as an interval."""

    position_std: float
    velocity_std: float
    step: float
    added: Any
    white: bool = True


NoiseLaw = Callable[[Any, Any, Any], Any]


@claim(
    "graph_world.kinematics.noise",
    statement=r"E[\mathrm{iKCE}] = \mathrm{iKCE}_0 + 2 s_z^2 + dt^2 s_v^2 + 2 s_v^2",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={WHITE: lambda case: case.white},
    teeth={
        "noise of one time": lambda place, speed, step: place**2 + speed**2 + step**2 * speed**2,
        "velocity predicts without noise": lambda place, speed, _: 2 * place**2 + 2 * speed**2,
        "place alone": lambda place, _, __: 2 * place**2,
    },
    breaks={
        WHITE: Counterexample(
            NoisyMotion(((Fraction(0),) * 2,) * 2, Fraction(1), Fraction(1), Fraction(1), False),
            "An offset that stays is no inconsistency of the place.",
        )
    },
)
def decoder_noise_adds(
    case: NoisyMotion | MeasuredNoise,
    law: NoiseLaw = lambda place, speed, step: noise_inconsistency_exact(place, speed, step=step),
) -> Sides:
    """White noise of a decoder adds a floor to the inconsistency, whatever the motion."""
    return Sides(case.added, law(case.position_std, case.velocity_std, case.step))


@dataclass(frozen=True)
class Swing:
    """Angle of a step, and phase, of an oscillator of amplitude and frequency 1."""

    angle: Any
    phase: Any

    def residual(self, functions: Any) -> tuple[Any, Any]:
        """z' - z - dt (v + v') / 2, and z' - z."""
        before, after = Oscillator(1, 1, self.angle).states(self.phase, functions)
        moved = after[0] - before[0]
        return moved - self.angle * (before[1] + after[1]) / 2, moved


TRAPEZOID_TEETH: Mapping[str, Callable[[Any], Callable[[Any], Any]]] = {
    "leading term": lambda _: lambda angle: angle**2 / 12,
    "whole angle": lambda functions: (
        lambda angle: 1 - angle * functions.cos(angle) / functions.sin(angle)
    ),
    "none": lambda _: lambda angle: 0 * angle,
}


@claim(
    "graph_world.kinematics.trapezoid",
    statement=r"z' - z - dt\,\frac{v + v'}{2} ="
    r"\Bigl(1 - \tfrac\theta2 \cot\tfrac\theta2\Bigr) (z' - z)",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={},
    teeth={name: make(math) for name, make in TRAPEZOID_TEETH.items()},
)
def trapezoid_misses(
    case: Swing, law: Callable[[Any], Any] = lambda angle: float(trapezoid_residual(angle))
) -> Sides:
    """An exact oscillator misses the trapezoid rule by the same share of every displacement."""
    residual, moved = case.residual(math)
    return Sides(residual, law(case.angle) * moved)
