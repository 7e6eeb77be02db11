"""Claims about the energy of learned Hamiltonian dynamics."""

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
from rolltheory.graph_world.claims.integrators import (
    Motion,
    Point,
    energy,
    starts_at_a_turn,
    symplectic_euler,
)
from rolltheory.graph_world.integrators import (
    energy_drift_bound_exact,
    mixed_update_energy_growth_exact,
)

__all__ = [
    "FreeFall",
    "Mixed",
    "alignment_bounds_the_energy",
    "drift_is_linear",
    "mixed_update_grows",
]

PAGE = "docs/theory/graph_world.md#energy"
AT_A_TURN = "the start has q p = 0"
FLOW = "the rollout is the flow of its field, not a step map"


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
