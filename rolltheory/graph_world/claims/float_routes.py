"""The claim that bounds in floats lie on the safe side of the exact ones, and close to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rolltheory.claims import Relation, Sides, Source, claim
from rolltheory.graph_world.integrators import (
    energy_drift_bound,
    energy_drift_bound_exact,
    energy_growth,
    energy_growth_exact,
    mixed_update_energy_growth,
    mixed_update_energy_growth_exact,
    symplectic_energy_range,
    symplectic_energy_range_exact,
)
from rolltheory.graph_world.kinematics import (
    constant_velocity,
    free_fall_inconsistency,
    free_fall_inconsistency_exact,
    kinematic_consistency_error,
    kinematic_consistency_error_exact,
    noise_inconsistency,
    noise_inconsistency_exact,
)
from rolltheory.graph_world.training_data import mixture_shift_bound, mixture_shift_bound_exact
from rolltheory.graph_world.value_bounds import (
    classical_simulation_lemma,
    classical_simulation_lemma_exact,
    finite_horizon_simulation_lemma,
    finite_horizon_simulation_lemma_exact,
    lipschitz_value_bound,
    lipschitz_value_bound_exact,
    model_return_gap,
    model_return_gap_exact,
    simulation_lemma,
    simulation_lemma_exact,
)

__all__ = ["EQUALITIES", "ROUTES", "UPPER_BOUNDS", "Rounded", "floats_are_safe"]


@dataclass(frozen=True)
class Rounded:
    """A function by its name, at four shares of its arguments' ranges."""

    name: str
    shares: tuple[float, float, float, float]


Pair = tuple[Any, Any]
Arguments = tuple[Any, Any, Any, Any]


def mixture(bound: Callable[..., Any], x: Arguments) -> Any:
    """Two past policies in equal parts."""
    low, high = sorted(x[1:3])
    return bound(x[0], [x[0] * 0 + 0.5] * 2, [0, x[3]], mixture_error=low, largest_error=high)


def exact_mixture(x: Arguments) -> Any:
    """The same in rationals."""
    low, high = sorted(x[1:3])
    return mixture_shift_bound_exact(
        x[0], [Fraction(1, 2)] * 2, [0, x[3]], mixture_error=low, largest_error=high
    )


UPPER_BOUNDS: Mapping[str, Callable[[Arguments, Arguments], Pair]] = {
    "simulation_lemma": lambda f, x: (
        simulation_lemma(f[0], reward_error=f[1], transition_error=f[2]),
        simulation_lemma_exact(x[0], reward_error=x[1], transition_error=x[2]),
    ),
    "classical_simulation_lemma": lambda f, x: (
        classical_simulation_lemma(f[0], reward_error=f[1], transition_error=f[2]),
        classical_simulation_lemma_exact(x[0], reward_error=x[1], transition_error=x[2]),
    ),
    "finite_horizon_simulation_lemma": lambda f, x: (
        finite_horizon_simulation_lemma(int(30 * f[0]), transition_error=f[1]),
        finite_horizon_simulation_lemma_exact(int(30 * f[0]), transition_error=x[1]),
    ),
    "lipschitz_value_bound": lambda f, x: (
        lipschitz_value_bound(
            f[0], transition_lipschitz=f[1], reward_lipschitz=f[2], model_error=f[3]
        ),
        lipschitz_value_bound_exact(
            x[0], transition_lipschitz=x[1], reward_lipschitz=x[2], model_error=x[3]
        ),
    ),
    "model_return_gap": lambda f, x: (
        model_return_gap(f[0], model_error=f[1], policy_shift=f[2], reward_bound=f[3]),
        model_return_gap_exact(x[0], model_error=x[1], policy_shift=x[2], reward_bound=x[3]),
    ),
    "mixture_shift_bound": lambda f, x: (mixture(mixture_shift_bound, f), exact_mixture(x)),
    "symplectic_energy_range": lambda f, x: (
        symplectic_energy_range(1 + f[1], f[0] + 2.0**-9)[1],
        symplectic_energy_range_exact(1 + x[1], x[0] + Fraction(1, 512))[1],
    ),
    "symplectic_energy_range, lower end": lambda f, x: (
        -symplectic_energy_range(1 + f[1], f[0] + 2.0**-9)[0],
        -symplectic_energy_range_exact(1 + x[1], x[0] + Fraction(1, 512))[0],
    ),
    "energy_drift_bound": lambda f, x: (
        energy_drift_bound(f[0], gradient_bound=f[1], residual=f[2]),
        energy_drift_bound_exact(x[0], gradient_bound=x[1], residual=x[2]),
    ),
}
"""Pairs of a bound in floats and the exact one, from the same arguments in both."""

EQUALITIES: Mapping[str, Callable[[Arguments, Arguments], Pair]] = {
    "energy_growth, explicit Euler": lambda f, x: (
        energy_growth(f[0], integrator="explicit_euler"),
        energy_growth_exact(x[0], integrator="explicit_euler"),
    ),
    "energy_growth, Runge and Kutta": lambda f, x: (
        energy_growth(f[0], integrator="runge_kutta_4"),
        energy_growth_exact(x[0], integrator="runge_kutta_4"),
    ),
    "mixed_update_energy_growth": lambda f, x: (
        mixed_update_energy_growth(f[0], steps=int(20 * f[1])),
        mixed_update_energy_growth_exact(x[0], steps=int(20 * f[1])),
    ),
    "kinematic_consistency_error": lambda f, x: (
        kinematic_consistency_error([f[:2], f[2:], (1.0, 0.0)], constant_velocity(0.5)),
        kinematic_consistency_error_exact([x[:2], x[2:], (1, 0)], step=Fraction(1, 2)),
    ),
    "free_fall_inconsistency": lambda f, x: (
        free_fall_inconsistency(f[0] + 2.0**-9, gravity=f[1]),
        free_fall_inconsistency_exact(x[0] + Fraction(1, 512), gravity=x[1]),
    ),
    "noise_inconsistency": lambda f, x: (
        noise_inconsistency(f[0], f[1], step=f[2] + 2.0**-9),
        noise_inconsistency_exact(x[0], x[1], step=x[2] + Fraction(1, 512)),
    ),
}
"""The same for functions that promise no side."""

ROUTES = {**UPPER_BOUNDS, **EQUALITIES}


@claim(
    "graph_world.values.in_floats",
    statement=r"x \le \mathrm{fl}(x) \le (1 + 10^{-12})\,x \text{ for bounds},"
    r"\qquad |\mathrm{fl}(x) - x| \le 10^{-12}\,|x| \text{ for laws}",
    relation=Relation.IMPLIES,
    source=Source.derived("docs/theory/graph_world.md#values"),
    assumes={},
    teeth={
        "a little lower": lambda value: value - abs(value) * 2.0**-44,
        "single precision": lambda value: float(f"{value:.7g}"),
        "a millionth higher": lambda value: value + abs(value) * 1e-6,
    },
)
def floats_are_safe(case: Rounded, rounding: Callable[[float], float] = float) -> Sides:
    """Bounds in floats are not below the exact ones, and no function is far from its exact twin."""
    exact = tuple(map(Fraction, case.shares))
    found, true = ROUTES[case.name](case.shares, (exact[0], exact[1], exact[2], exact[3]))
    value = Fraction(rounding(float(found)))
    near = abs(value - true) <= abs(true) / 10**12
    return Sides(True, near and (case.name not in UPPER_BOUNDS or value >= true))
