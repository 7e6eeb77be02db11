"""Claims about the edge of stability under a fixed lag: delayed ascent fails by rotation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from rolltheory.claims import Relation, Sides, Source, claim
from rolltheory.staleness.stability import edge_cosine, stability_limit

__all__ = [
    "EdgeRoots",
    "EveryEdge",
    "MeasuredEdge",
    "NumericEdge",
    "cosine_at_the_edge",
    "root_at_the_edge",
]

PAGE = "docs/theory/staleness.md#stability-of-delayed-ascent"


@dataclass(frozen=True)
class NumericEdge:
    """The edge at one lag; ``trigonometry`` offers sin, cos and pi, as the module math does."""

    lag: int
    trigonometry: Any

    def residual(self, angle: Callable[[Any, Any], Any]) -> Any:
        """Squared modulus of the characteristic polynomial at the stated root and step."""
        by, omega = self.trigonometry, angle(self.lag, self.trigonometry.pi)
        return by.result(squared_modulus(self.lag * omega, (self.lag + 1) * omega, omega / 2, by))


@dataclass(frozen=True)
class EveryEdge:
    """The edge at every lag at once: a symbol for half the angle, which fixes the lag."""

    def residual(self, angle: Callable[[Any, Any], Any]) -> Any:
        """Squared modulus of the characteristic polynomial at the stated root and step."""
        import sympy

        half, lag = sympy.symbols("u S", positive=True)
        lag = sympy.solve(angle(lag, sympy.pi) - 2 * half, lag)[0]
        near, far = (sympy.expand(2 * half * power) for power in (lag, lag + 1))
        return squared_modulus(near, far, half, sympy)


def squared_modulus(near: Any, far: Any, half: Any, by: Any) -> Any:
    """|e^(i far) - e^(i near) + 2 sin(half)|^2."""
    real = by.cos(far) - by.cos(near) + 2 * by.sin(half)
    imaginary = by.sin(far) - by.sin(near)
    return real * real + imaginary * imaginary


@claim(
    "staleness.stability.edge_root",
    statement=r"z^{S+1} - z^S + 2 \sin\frac{\pi}{2(2S+1)} = 0 \text{ at } z = e^{i\pi/(2S+1)}",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={},
    teeth={
        "quarter of a cycle": lambda lag, pi: pi / (2 * lag),
        "cycle of S + 1": lambda lag, pi: pi / (lag + 1),
    },
)
def root_at_the_edge(
    case: NumericEdge | EveryEdge,
    angle: Callable[[Any, Any], Any] = lambda lag, pi: pi / (2 * lag + 1),
) -> Sides:
    """At the step 2 sin(pi/(2(2S+1))) a root of delayed ascent lies on the unit circle."""
    return Sides(case.residual(angle), 0)


@dataclass(frozen=True)
class EdgeRoots:
    """Delayed ascent on a linear map, at the step where it stops to converge."""

    lag: int
    behaviour_share: Fraction

    def coefficients(self) -> list[Fraction]:
        """Of the characteristic polynomial, highest power first."""
        share = self.behaviour_share
        step = Fraction(float(stability_limit(self.lag, behaviour_share=float(share))))
        falling = [Fraction(1), *[Fraction(0)] * self.lag, step * share]
        falling[1] -= 1 - step * (1 - share)
        return falling

    def cosine(self) -> Any:
        """Cosine of the argument of the largest root."""
        roots = np.roots([float(c) for c in self.coefficients()])
        largest = roots[np.argmax(np.abs(roots))]
        return float(largest.real / abs(largest))


@dataclass(frozen=True)
class MeasuredEdge:
    """Cosine of consecutive gradients of a simulated run at the edge."""

    lag: int
    behaviour_share: Fraction
    measured: float

    def cosine(self) -> float:
        """As measured."""
        return self.measured


@claim(
    "staleness.stability.edge_cosine",
    statement=r"\cos(g_t, g_{t+1}) = \cos\omega, \quad"
    r"\omega = \tfrac{\pi}{2S+1} \text{ for } \alpha = 1",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={},
    teeth={
        "no rotation": lambda *_, **__: 1.0,
        "share forgotten": lambda lag, **_: edge_cosine(lag),
        "lag one longer": lambda lag, **k: edge_cosine(lag + 1, **k),
    },
)
def cosine_at_the_edge(
    case: EdgeRoots | MeasuredEdge, cosine: Callable[..., Any] = edge_cosine
) -> Sides:
    """At the edge of stability gradients rotate slowly, so that consecutive ones agree."""
    stated = cosine(case.lag, behaviour_share=float(case.behaviour_share))
    return Sides(case.cosine(), Fraction(float(stated)))
