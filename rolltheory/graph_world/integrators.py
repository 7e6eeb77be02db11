"""Energy along rollouts of learned Hamiltonian dynamics: which updates drift, and by how much."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from rolltheory.errors import AssumptionError, DomainError, UnsupportedError
from rolltheory.numerics.arguments import integer_array, positive_array, real_array
from rolltheory.numerics.rounding import product_above, rounded_down, rounded_up

__all__ = [
    "Integrator",
    "energy_drift_bound",
    "energy_drift_bound_exact",
    "energy_growth",
    "energy_growth_exact",
    "mixed_update_energy_growth",
    "mixed_update_energy_growth_exact",
    "symplectic_energy_range",
    "symplectic_energy_range_exact",
]

FloatArray = npt.NDArray[np.float64]
Integrator = Literal["explicit_euler", "runge_kutta_4"]


def energy_growth(step: Any, *, integrator: Integrator) -> FloatArray:
    r"""By what one step multiplies an oscillator's energy (q^2 + p^2) / 2. Broadcasts.

    Explicit Euler: 1 + h^2, growth for every step. Fourth-order Runge-Kutta:
    1 - h^6 / 72 + h^8 / 576, decay for h < sqrt 8.

    Parameters
    ----------
    step : h, in radians of the oscillation
    integrator : which

    Raises
    ------
    UnsupportedError
        for another integrator; symplectic Euler has no such factor, see `symplectic_energy_range`.

    Notes
    -----
    Source: derived here, docs/theory/graph_world.md.

    Examples
    --------
    >>> float(0.5 * energy_growth(0.1, integrator="explicit_euler").round(9) ** 100).__round__(6)
    1.352407
    """
    size = real_array("step", step)
    return np.asarray(_growth(size * size, integrator, float))[()]


def energy_growth_exact(step: Any, *, integrator: Integrator) -> Any:
    """The same for a rational step, or for a symbol.

    >>> energy_growth_exact(Fraction(1, 2), integrator="explicit_euler")
    Fraction(5, 4)
    """
    return _growth(step * step, integrator, Fraction)


def symplectic_energy_range(energy: float, step: float) -> tuple[float, float]:
    r"""Between which energies symplectic Euler keeps an oscillator for ever.

    It conserves q^2 + p^2 - h q p, so that from q p = 0

    .. math:: \frac{E_0}{1 + h/2} \le E_t \le \frac{E_0}{1 - h/2}

    Parameters
    ----------
    energy : E_0 = (q^2 + p^2) / 2 at a start with q p = 0, above 0
    step : h, below 2, where the method is stable

    Raises
    ------
    AssumptionError
        for steps from 2 on: the method is unstable.
    DomainError
        for numbers that are not positive.

    Notes
    -----
    Source: derived here, docs/theory/graph_world.md.

    Examples
    --------
    >>> [round(end, 7) for end in symplectic_energy_range(0.5, 0.1)]
    [0.4761905, 0.5263158]
    """
    start, size = float(positive_array("energy", energy)), float(positive_array("step", step))
    if size >= 2:
        raise AssumptionError("the step is below 2 radians", f"{size:g}")
    return (
        float(rounded_down(start / (1 + size / 2), 4)),
        float(rounded_up(start / (1 - size / 2), 4)),
    )


def symplectic_energy_range_exact(energy: Any, step: Any) -> tuple[Fraction, Fraction]:
    """The same in rationals.

    >>> symplectic_energy_range_exact(Fraction(1, 2), Fraction(1, 10))
    (Fraction(10, 21), Fraction(10, 19))
    """
    start, size = Fraction(energy), Fraction(step)
    if start <= 0 or size <= 0:
        raise DomainError("energy, step", (energy, step), "numbers above 0")
    if size >= 2:
        raise AssumptionError("the step is below 2 radians", str(size))
    return start / (1 + size / 2), start / (1 - size / 2)


def mixed_update_energy_growth(mixing: Any, *, steps: int, aligned: bool = False) -> FloatArray:
    r"""Energy factor of the mixed update q + (1 - a) f_q + a dH/dp, p + (1 - a) f_p - a dH/dq.

    .. math:: (1 + a^2)^k \text{ with } f = 0; \qquad 2^k \text{ with } f \text{ aligned to } H

    on H = (q^2 + p^2) / 2 without control. Once the alignment loss is zero the mixing cancels
    and each step is explicit Euler with step 1. Update p first, then q, for a bounded drift.
    Broadcasts.

    Parameters
    ----------
    mixing : a, within [0, 1]
    steps : k, at least 0
    aligned : whether the free network branch equals the Hamiltonian field

    Raises
    ------
    DomainError
        outside these ranges.

    Notes
    -----
    Source: derived here, docs/theory/graph_world.md, for the update of arXiv 2605.05951.

    Examples
    --------
    >>> float(mixed_update_energy_growth(0.5, steps=6).round(4))
    3.8147
    >>> float(mixed_update_energy_growth(0.5, steps=6, aligned=True))
    64.0
    """
    share = real_array("mixing", mixing, at_least=0, at_most=1)
    count = int(integer_array("steps", steps, at_least=0))
    return np.asarray((1 + (np.ones_like(share) if aligned else share**2)) ** count)[()]


def mixed_update_energy_growth_exact(mixing: Any, *, steps: int, aligned: bool = False) -> Any:
    """The same for a rational share, or for a symbol.

    >>> mixed_update_energy_growth_exact(Fraction(1, 2), steps=2)
    Fraction(25, 16)
    """
    return (1 + (Fraction(1) if aligned else mixing * mixing)) ** steps


def energy_drift_bound(duration: Any, *, gradient_bound: Any, residual: Any) -> FloatArray:
    r"""How far the energy can drift along a flow whose field misses a Hamiltonian one. Broadcasts.

    .. math:: |H_T - H_0| \le G\,\delta\,T

    Parameters
    ----------
    duration : T, at least 0
    gradient_bound : G, the largest gradient norm of H along the flow
    residual : delta, the largest distance of the field from the Hamiltonian field of H

    Raises
    ------
    DomainError
        for negative numbers.

    Notes
    -----
    Source: derived here: dH/dt = grad H . (field - Hamiltonian field).

    Examples
    --------
    >>> float(energy_drift_bound(10, gradient_bound=2, residual=0.01).round(9))
    0.2
    """
    length = real_array("duration", duration, at_least=0)
    steepness = real_array("gradient_bound", gradient_bound, at_least=0)
    return product_above(length, steepness, real_array("residual", residual, at_least=0))


def energy_drift_bound_exact(duration: Any, *, gradient_bound: Any, residual: Any) -> Fraction:
    """The same in rationals.

    >>> energy_drift_bound_exact(10, gradient_bound=2, residual=Fraction(1, 100))
    Fraction(1, 5)
    """
    return Fraction(duration) * Fraction(gradient_bound) * Fraction(residual)


def _growth(square: Any, integrator: str, number: type[Any]) -> Any:
    """A polynomial in h^2."""
    if integrator == "explicit_euler":
        return number(1) + square
    if integrator == "runge_kutta_4":
        return number(1) - square**3 * (number(8) - square) * (number(1) / 576)
    raise UnsupportedError(f"integrator {integrator!r}", "known: explicit_euler, runge_kutta_4")
