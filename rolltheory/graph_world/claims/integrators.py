"""Claims about the energy of integrated oscillators."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rolltheory.claims import (
    Counterexample,
    Relation,
    Sides,
    Source,
    Tight,
    Tooth,
    Unbroken,
    claim,
)
from rolltheory.graph_world.integrators import (
    energy_growth_exact,
    symplectic_energy_range_exact,
)

__all__ = [
    "Motion",
    "Point",
    "energy",
    "euler_pumps",
    "runge_kutta_factor",
    "starts_at_a_turn",
    "symplectic_euler",
    "symplectic_invariant",
    "symplectic_lower_end",
    "symplectic_upper_end",
]

PAGE = "docs/theory/graph_world.md#energy"
AT_A_TURN = "the start has q p = 0"
STABLE = "the step is below 2 radians"
Point = tuple[Any, Any]


def energy(point: Point) -> Any:
    """(q^2 + p^2) / 2."""
    return (point[0] * point[0] + point[1] * point[1]) * Fraction(1, 2)


def explicit_euler(point: Point, step: Any) -> Point:
    """Both halves from the old state."""
    q, p = point
    return q + step * p, p - step * q


def symplectic_euler(point: Point, step: Any) -> Point:
    """Momentum first, then place."""
    q, p = point
    moved = p - step * q
    return q + step * moved, moved


def runge_kutta(point: Point, step: Any) -> Point:
    """The classical method of fourth order on q' = p, p' = -q."""

    def shifted(slope: Point, share: Any) -> Point:
        q, p = point[0] + share * slope[0], point[1] + share * slope[1]
        return p, -q

    first = shifted((0, 0), 0)
    second = shifted(first, step * Fraction(1, 2))
    third = shifted(second, step * Fraction(1, 2))
    fourth = shifted(third, step)
    slopes = zip(first, second, third, fourth, strict=True)
    q, p = ((a + 2 * b + 2 * c + d) * step * Fraction(1, 6) for a, b, c, d in slopes)
    return point[0] + q, point[1] + p


@dataclass(frozen=True)
class Motion:
    """An oscillator's state, a step in radians, and how many of them; numbers or symbols."""

    place: Any
    momentum: Any
    step: Any
    steps: int = 1

    @property
    def start(self) -> Point:
        """(q, p)."""
        return self.place, self.momentum

    def after(self, update: Callable[[Point, Any], Point]) -> Point:
        """The state at the end."""
        point = self.start
        for _ in range(self.steps):
            point = update(point, self.step)
        return point


Factor = Callable[[Any], Any]


@claim(
    "graph_world.energy.explicit_euler",
    statement=r"E_{t+1} = (1 + h^2)\,E_t",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={},
    teeth={
        "conserved": lambda _: 1,
        "first order": lambda h: 1 + h,
        "half": lambda h: 1 + h * h * Fraction(1, 2),
    },
)
def euler_pumps(
    case: Motion, factor: Factor = lambda h: energy_growth_exact(h, integrator="explicit_euler")
) -> Sides:
    """Explicit Euler feeds an oscillator at every step, whatever the step."""
    after = case.after(explicit_euler)
    return Sides(energy(after), factor(case.step) ** case.steps * energy(case.start))


@claim(
    "graph_world.energy.runge_kutta",
    statement=r"E_{t+1} = \Bigl(1 - \frac{h^6}{72} + \frac{h^8}{576}\Bigr) E_t",
    relation=Relation.EQUAL,
    source=Source.known("stability polynomial of the classical fourth-order method"),
    assumes={},
    teeth={
        "conserved": lambda _: 1,
        "leading term alone": lambda h: 1 - h**6 * Fraction(1, 72),
        "growth": lambda h: 1 + h**6 * Fraction(1, 72) + h**8 * Fraction(1, 576),
    },
)
def runge_kutta_factor(
    case: Motion, factor: Factor = lambda h: energy_growth_exact(h, integrator="runge_kutta_4")
) -> Sides:
    """The fourth-order method damps an oscillator for steps below the root of 8."""
    after = case.after(runge_kutta)
    return Sides(energy(after), factor(case.step) ** case.steps * energy(case.start))


@claim(
    "graph_world.energy.symplectic_invariant",
    statement=r"q_{t+1}^2 + p_{t+1}^2 - h\,q_{t+1} p_{t+1} = q_t^2 + p_t^2 - h\,q_t p_t",
    relation=Relation.EQUAL,
    source=Source.known("modified Hamiltonian of symplectic Euler"),
    assumes={},
    teeth={
        "the energy itself": lambda q, p, _: q * q + p * p,
        "other sign": lambda q, p, h: q * q + p * p + h * q * p,
        "half the correction": lambda q, p, h: q * q + p * p - h * q * p * Fraction(1, 2),
    },
)
def symplectic_invariant(
    case: Motion,
    invariant: Callable[[Any, Any, Any], Any] = lambda q, p, h: q * q + p * p - h * q * p,
) -> Sides:
    """Symplectic Euler, momentum first, conserves a slightly tilted energy."""
    after = case.after(symplectic_euler)
    return Sides(invariant(*after, case.step), invariant(*case.start, case.step))


def starts_at_a_turn(case: Any) -> bool:
    """Place or momentum is zero."""
    return bool(case.place * case.momentum == 0)


def is_stable(case: Any) -> bool:
    return bool(0 < case.step < 2)


def upper_end(start: Fraction, step: Fraction) -> Fraction:
    """The library's."""
    return symplectic_energy_range_exact(start, step)[1]


def lower_end(start: Fraction, step: Fraction) -> Fraction:
    """The library's."""
    return symplectic_energy_range_exact(start, step)[0]


@claim(
    "graph_world.energy.symplectic_upper",
    statement=r"E_t \le \frac{E_0}{1 - h/2} \quad \forall t",
    relation=Relation.AT_MOST,
    source=Source.derived(PAGE),
    assumes={AT_A_TURN: starts_at_a_turn, STABLE: is_stable},
    teeth={
        "10 % smaller": lambda start, step: upper_end(start, step) * 9 / 10,
        "conserved": lambda start, _: start,
        "first order": lambda start, step: start * (1 + step / 2),
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    breaks={
        AT_A_TURN: Counterexample(
            Motion(Fraction(1), Fraction(-1), Fraction(1)), "It starts at the lowest energy."
        ),
        STABLE: Counterexample(
            Motion(Fraction(1), Fraction(0), Fraction(3)),
            "The orbit is unbounded, and the formula negative.",
            lambda case, _: Sides(
                energy(case.after(symplectic_euler)), energy(case.start) / (1 - case.step / 2)
            ),
        ),
    },
    tight=Tight(Motion(Fraction(1), Fraction(0), Fraction(1), 2)),
)
def symplectic_upper_end(
    case: Motion, bound: Callable[[Fraction, Fraction], Fraction] = upper_end
) -> Sides:
    """Symplectic Euler keeps an oscillator below an energy for ever."""
    return Sides(energy(case.after(symplectic_euler)), bound(energy(case.start), case.step))


@claim(
    "graph_world.energy.symplectic_lower",
    statement=r"E_t \ge \frac{E_0}{1 + h/2} \quad \forall t",
    relation=Relation.AT_LEAST,
    source=Source.derived(PAGE),
    assumes={AT_A_TURN: starts_at_a_turn, STABLE: is_stable},
    teeth={
        "10 % larger": lambda start, step: lower_end(start, step) * 11 / 10,
        "conserved": lambda start, _: start,
        "direction swapped": Tooth(relation=Relation.AT_MOST),
    },
    breaks={
        AT_A_TURN: Counterexample(
            Motion(Fraction(1), Fraction(1), Fraction(1)), "It starts at the highest energy."
        ),
        STABLE: Unbroken("it holds for every step; both ends are stated together"),
    },
    tight=Tight(Motion(Fraction(1), Fraction(0), Fraction(55, 89)), at_least=0.9999),
)
def symplectic_lower_end(
    case: Motion, bound: Callable[[Fraction, Fraction], Fraction] = lower_end
) -> Sides:
    """Symplectic Euler keeps an oscillator above an energy for ever."""
    return Sides(energy(case.after(symplectic_euler)), bound(energy(case.start), case.step))
