"""Claims about the energy of integrated oscillators and of learned Hamiltonian dynamics."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Any

from rolltheory.claims import (
    Counterexample,
    Relation,
    Sides,
    Source,
    Tight,
    Tooth,
    Unbroken,
    Verdict,
    claim,
)
from rolltheory.graph_world.integrators import (
    energy_drift_bound_exact,
    energy_growth_exact,
    mixed_update_energy_growth_exact,
    symplectic_energy_range_exact,
)

__all__ = [
    "FreeFall",
    "Mixed",
    "Motion",
    "alignment_bounds_the_energy",
    "drift_is_linear",
    "euler_pumps",
    "mixed_update_grows",
    "runge_kutta_factor",
    "symplectic_invariant",
    "symplectic_lower_end",
    "symplectic_upper_end",
]

PAGE = "docs/theory/graph_world.md#energy"
AT_A_TURN = "the start has q p = 0"
STABLE = "the step is below 2 radians"
FLOW = "the rollout is the flow of its field, not a step map"
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


@dataclass(frozen=True)
class Mixed:
    """Steps that mix a free network branch with the Hamiltonian field of (q^2 + p^2) / 2.

    The branch is zero, or aligned: equal to that field.
    """

    place: Any
    momentum: Any
    mixing: Any
    steps: int
    aligned: bool

    @property
    def start(self) -> Point:
        """(q, p)."""
        return self.place, self.momentum

    def end(self) -> Point:
        """q + (1 - a) f_q + a p, p + (1 - a) f_p - a q, both from the old state."""
        q, p = self.start
        for _ in range(self.steps):
            branch = (p, -q) if self.aligned else (0, 0)
            rest = 1 - self.mixing
            q, p = (
                q + rest * branch[0] + self.mixing * p,
                p + rest * branch[1] - self.mixing * q,
            )
        return q, p


MixedFactor = Callable[[Any, int, bool], Any]


def mixed_factor(mixing: Any, steps: int, aligned: bool) -> Any:
    """The library's, by position."""
    return mixed_update_energy_growth_exact(mixing, steps=steps, aligned=aligned)


@claim(
    "graph_world.energy.mixed_update",
    statement=r"E_k = (1 + a^2)^k E_0 \text{ with } f = 0, \qquad"
    r"E_k = 2^k E_0 \text{ with } f = (\partial_p H, -\partial_q H)",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={},
    teeth={
        "conserved": lambda *_: 1,
        "the mixing stays when aligned": lambda a, k, _: (1 + a * a) ** k,
        "always as if aligned": lambda _, k, __: 2**k,
        "one step": lambda a, _, aligned: mixed_factor(a, 1, aligned),
    },
)
def mixed_update_grows(case: Mixed, factor: MixedFactor = mixed_factor) -> Sides:
    """The mixed update is explicit Euler: it grows, and faster once its branch is aligned."""
    growth = factor(case.mixing, case.steps, case.aligned)
    return Sides(energy(case.end()), growth * energy(case.start))


def as_published(case: Mixed) -> Point:
    """Both halves from the old state."""
    return case.end()


def momentum_first(case: Mixed) -> Point:
    """The same aligned field with the new momentum in the step of the place."""
    return Motion(*case.start, Fraction(1), case.steps).after(symplectic_euler)


@claim(
    "graph_world.energy.alignment_bounds",
    statement=r"\mathcal L_{\mathrm{ham}} = 0 \implies E_k \le 2 E_0 \quad \forall k",
    relation=Relation.AT_MOST,
    source=Source.derived(PAGE),
    assumes={
        "the alignment loss is zero": lambda case: case.aligned,
        AT_A_TURN: starts_at_a_turn,
    },
    breaks={
        "the alignment loss is zero": Unbroken("the claim is false with it already"),
        AT_A_TURN: Unbroken("the claim is false with it already"),
    },
    repairs={"momentum first": momentum_first},
    declared=Verdict.REFUTED,
    repaired_by="graph_world.energy.symplectic_upper",
)
def alignment_bounds_the_energy(
    case: Mixed, update: Callable[[Mixed], Point] = as_published
) -> Sides:
    """An update that is aligned to a Hamiltonian keeps its energy bounded. False for Euler steps.

    The energy doubles at each step. With the momentum first it stays below twice the first one.
    """
    return Sides(energy(update(case)), 2 * energy(case.start))


@dataclass(frozen=True)
class FreeFall:
    """Free fall, H = p^2 / 2 + g q, whose field misses by a constant (m_q, m_p).

    With Euler steps instead of the flow if their number is given.
    """

    momentum: Fraction
    gravity: Fraction
    misses: tuple[Fraction, Fraction]
    duration: Fraction
    euler_steps: int = 0

    @property
    def drift(self) -> Fraction:
        """|H_T - H_0|."""
        q, p = Fraction(0), self.momentum
        force = self.misses[1] - self.gravity
        if self.euler_steps:
            step = self.duration / self.euler_steps
            for _ in range(self.euler_steps):
                q, p = q + step * (p + self.misses[0]), p + step * force
        else:
            q += self.duration * (p + self.misses[0]) + self.duration**2 * force / 2
            p += self.duration * force
        return abs(p * p / 2 + self.gravity * q - self.momentum**2 / 2)

    @property
    def steepest(self) -> Fraction:
        """The largest gradient norm, at one of the ends; rounded up if irrational."""
        last = self.momentum + self.duration * (self.misses[1] - self.gravity)
        return root_above(self.gravity**2 + max(self.momentum**2, last**2))

    @property
    def residual(self) -> Fraction:
        """The size of the miss; rounded up if irrational."""
        return root_above(self.misses[0] ** 2 + self.misses[1] ** 2)


def root_above(square: Fraction) -> Fraction:
    """The root, or a rational that is above it by at most 2^-40.

    >>> root_above(Fraction(25, 4))
    Fraction(5, 2)
    """
    numerator, denominator = isqrt(square.numerator), isqrt(square.denominator)
    if Fraction(numerator, denominator) ** 2 == square:
        return Fraction(numerator, denominator)
    return Fraction(isqrt((square.numerator << 80) // square.denominator) + 1, 1 << 40)


def energy_drift(length: Fraction, steepest: Fraction, residual: Fraction) -> Fraction:
    """The library's bound, by position."""
    return energy_drift_bound_exact(length, gradient_bound=steepest, residual=residual)


@claim(
    "graph_world.energy.drift",
    statement=r"\dot x = J \nabla H + r,\ |r| \le \delta,\ |\nabla H| \le G"
    r"\implies |H_T - H_0| \le G\,\delta\,T",
    relation=Relation.AT_MOST,
    source=Source.derived(PAGE),
    assumes={FLOW: lambda case: not case.euler_steps},
    teeth={
        "10 % smaller": lambda *arguments: energy_drift(*arguments) * 9 / 10,
        "without the gradient": lambda length, _, residual: length * residual,
        "without the duration": lambda _, steepest, residual: steepest * residual,
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    breaks={
        FLOW: Counterexample(
            FreeFall(Fraction(0), Fraction(1), (Fraction(0), Fraction(0)), Fraction(1), 1),
            "An Euler step drifts by itself, with an exact field.",
        )
    },
    tight=Tight(FreeFall(Fraction(4), Fraction(3), (Fraction(9, 4), Fraction(3)), Fraction(2))),
)
def drift_is_linear(
    case: FreeFall, bound: Callable[[Fraction, Fraction, Fraction], Fraction] = energy_drift
) -> Sides:
    """Along a flow the energy drifts at most linearly, by what the field misses."""
    return Sides(case.drift, bound(case.duration, case.steepest, case.residual))
