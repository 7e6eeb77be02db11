"""Claims that the float routes of this theory agree with exact ones, on the safe side."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from rolltheory.claims import Relation, Sides, Source, Tight, claim
from rolltheory.graph_world.claims.matrices import (
    Matrix,
    Vector,
    applied,
    floats,
    identity,
    power,
    radius,
    scaled,
    submatrix,
    total,
    vector,
)
from rolltheory.graph_world.criticality import error_exposure
from rolltheory.graph_world.joint import (
    joint_envelope,
    joint_envelope_exact,
    steady_state,
    steady_state_exact,
    transient_constant,
)
from rolltheory.graph_world.lipschitz import (
    closed_loop_lipschitz,
    damped_lipschitz,
    operator_norm,
)
from rolltheory.graph_world.regret import (
    horizon_factor_exact,
    horizon_factor_limit,
    regret_bound,
    regret_from_errors,
    tight_regret_instance,
)
from rolltheory.graph_world.repair import optimal_repair, residual_relief, walk_relief
from rolltheory.graph_world.rollout import (
    error_norm,
    fixed_edge_bound_exact,
    geometric_sum,
    geometric_sum_exact,
    spectral_bound,
)
from rolltheory.graph_world.spectral import PowerNormBound, perron_transient_constant
from rolltheory.graph_world.stability import stability_certificate
from rolltheory.graph_world.walks import walk_count, walk_count_exact
from rolltheory.numerics.perron import PerronCertificate

__all__ = [
    "MATRICES",
    "SCALARS",
    "Call",
    "matrices_are_computed",
    "scalars_are_computed",
]

HALF = Fraction(1, 2)
NEAR = Fraction(1, 10**8)
STATEMENT = (
    r"|\mathrm{float} - \mathrm{exact}| \le 10^{-8} \max(1, |\mathrm{exact}|), \quad"
    r" \mathrm{float} \ge \mathrm{exact} \text{ for bounds}"
)


class Route(NamedTuple):
    """A float function with its exact twin; a bound may not lie below."""

    in_floats: Callable[..., Any]
    exactly: Callable[..., Any]
    is_bound: bool = True


Routes: TypeAlias = Mapping[str, Route]
Computed: TypeAlias = Callable[["Call"], Any]


@dataclass(frozen=True)
class Call:
    """A call of a function with rational arguments."""

    function: str
    arguments: tuple[Any, ...]


def computed_by(routes: Routes) -> Computed:
    """The library's float routes."""
    return lambda case: routes[case.function].in_floats(*case.arguments)


def off_by_a_tenth(routes: Routes) -> dict[str, Computed]:
    """For every function, the same with that one off by a tenth."""

    def off(function: str) -> Computed:
        def computed(case: Call) -> Any:
            factor = 0.9 if case.function == function else 1.0
            return factor * np.asarray(computed_by(routes)(case), dtype=float)

        return computed

    return {f"{function} off by a tenth": off(function) for function in routes}


def judged(case: Call, routes: Routes, computed: Computed) -> Sides:
    """The largest distance, one where a bound lies below, and what is allowed."""
    route = routes[case.function]
    exact = _flat(route.exactly(*case.arguments), object)
    found = _flat(computed(case), float)
    pairs = list(zip(found, exact, strict=True))
    if route.is_bound and any(f < x for f, x in pairs):
        return Sides(Fraction(1), NEAR)
    return Sides(max(abs(f - x) / max(Fraction(1), abs(x)) for f, x in pairs), NEAR)


def _flat(values: Any, kind: type) -> list[Fraction]:
    row: list[Any] = np.ravel(np.asarray(values, dtype=kind)).tolist()
    return [Fraction(x) for x in row]


# of two numbers within (0, 1] and a whole number
SCALARS: Routes = {
    "geometric_sum": Route(
        lambda x, y, n: geometric_sum([float(x), 1.0, 1 + float(y)], n),
        lambda x, y, n: [geometric_sum_exact(q, n) for q in (x, 1, 1 + y)],
        is_bound=False,
    ),
    "horizon_factor_limit": Route(
        lambda x, y, _: horizon_factor_limit(discount=float(x / 2), spectral_radius=float(y)),
        lambda x, y, _: (x / 2) / ((1 - x / 2) * (1 - x / 2 * y)),
    ),
    "damped_lipschitz": Route(
        lambda x, y, n: damped_lipschitz(n * float(y), float(x)),
        lambda x, y, n: 1 - x + x * n * y,
    ),
    "closed_loop_lipschitz": Route(
        lambda x, y, n: closed_loop_lipschitz(float(x), float(y), n),
        lambda x, y, n: x + y * n,
    ),
    "transient_constant": Route(
        lambda x, y, _: transient_constant([[0.5, float(x * x)], [float(y * y), 0.25]]),
        lambda x, y, _: max(x / y, y / x),
    ),
    "regret_bound": Route(
        lambda x, y, n: regret_bound(
            float(x), n, discount=float(y), spectral_radius=1.5, reward_error=0.5, transient=2.0
        ),
        lambda x, y, n: (
            4 * x * horizon_factor_exact(n, discount=y, spectral_radius=Fraction(3, 2))
            + geometric_sum_exact(y, n)
        ),
    ),
    "tight_regret_instance": Route(
        lambda x, y, n: (
            tight_regret_instance(float(x), n + 1, discount=float(y), spectral_radius=1.5).bonus
        ),
        lambda x, y, n: (
            2 * x * horizon_factor_exact(n + 1, discount=y, spectral_radius=Fraction(3, 2))
        ),
    ),
    "regret_from_errors": Route(
        lambda x, y, n: regret_from_errors([0, float(x), n], discount=float(y), reward_error=0.5),
        lambda x, y, n: 2 * (HALF + y * (x + HALF) + y**2 * (n + HALF)),
    ),
}


def _weights(right: Vector, left: Vector) -> PowerNormBound:
    """Weights of nodes, with rates that do not matter here."""
    return PowerNormBound(1.5, 1.5, 1.5, 2.0, _array(right), _array(left), "for a norm")


def _array(x: Vector) -> Any:
    return np.array([float(entry) for entry in x])


def _certificate(right: Vector, left: Vector) -> PerronCertificate:
    return PerronCertificate(
        0, 1, np.arange(2), _array(right), _array(left), 1, 1, irreducible=True
    )


def _damped(m: Matrix) -> Matrix:
    """Scaled until every row sums to at most a half."""
    return scaled(m, HALF / max(1, *map(sum, m)))


def _limit(m: Matrix, forcing: Vector) -> list[Fraction]:
    return steady_state_exact(m, forcing)


def _relief(m: Matrix) -> Fraction:
    """By deleting the first of two nodes of a diagonal matrix."""
    return max(m[0][0], m[1][1]) - m[1][1]


def _diagonal(m: Matrix) -> Matrix:
    return ((m[0][0], Fraction(0)), (Fraction(0), m[1][1]))


def _in_floats(x: Vector) -> list[float]:
    return [float(entry) for entry in x]


# of a 2 x 2 matrix with entries from 0 to 2 and two positive vectors
MATRICES: Routes = {
    "operator_norm": Route(
        lambda m, *_: [operator_norm(floats(d)) for d in (_diagonal(m), _mirrored(m))],
        lambda m, *_: [max(m[0][0], m[1][1])] * 2,
    ),
    "perron_transient_constant": Route(
        lambda _, r, s: perron_transient_constant(_certificate(_squared(r), _squared(s))),
        lambda _, r, s: (
            max(b / a for a, b in zip(r, s, strict=True))
            / min(b / a for a, b in zip(r, s, strict=True))
        ),
    ),
    "joint_envelope": Route(
        lambda m, r, s: joint_envelope(floats(m), _in_floats(r), _in_floats(s), 3),
        lambda m, r, s: joint_envelope_exact(m, r, s, 3),
    ),
    "steady_state": Route(
        lambda m, r, _: steady_state(floats(_damped(m)), _in_floats(r)),
        lambda m, r, _: _limit(_damped(m), r),
        is_bound=False,
    ),
    "error_exposure": Route(
        lambda m, r, _: error_exposure(floats(m), _in_floats(r), horizon=3),
        lambda m, r, _: applied(total(total(identity(2), m), power(m, 2)), r),
        is_bound=False,
    ),
    "walk_count": Route(
        lambda m, *_: walk_count(floats(m), length=3),
        lambda m, *_: walk_count_exact(m, length=3),
        is_bound=False,
    ),
    "walk_relief": Route(
        lambda m, *_: walk_relief(floats(m), [0], length=3),
        lambda m, *_: walk_count_exact(m, length=3) - walk_count_exact(submatrix(m, [1]), length=3),
        is_bound=False,
    ),
    "residual_relief": Route(
        lambda m, *_: residual_relief(floats(_diagonal(m)), [0]).upper,
        lambda m, *_: _relief(m),
    ),
    "optimal_repair": Route(
        lambda m, *_: optimal_repair(floats(_diagonal(m)), 1).reliefs[0].residual_upper,
        lambda m, *_: min(m[0][0], m[1][1]),
    ),
    "error_norm": Route(
        lambda m, r, s: [
            error_norm(floats(m), _weights(r, s), "quadratic") ** 2,
            error_norm(_in_floats(m[0]), _weights(r, s), "largest"),
            error_norm(_in_floats(m[0]), _weights(r, s), "total"),
        ],
        lambda m, r, s: [
            sum(s[i] / r[i] * sum(x * x for x in m[i]) for i in (0, 1)),
            max(x / y for x, y in zip(m[0], r, strict=True)),
            sum(x * y for x, y in zip(m[0], s, strict=True)),
        ],
        is_bound=False,
    ),
    "spectral_bound": Route(
        lambda m, r, s: spectral_bound(
            _weights(r, s), float(r[0]), _in_floats(s), weight_product=float(m[0][0])
        ),
        lambda m, r, s: [
            2 * x for x in fixed_edge_bound_exact(m[0][0] * Fraction(3, 2), r[0], list(s))
        ],
    ),
    "stability_certificate": Route(
        lambda m, *_: float(stability_certificate(floats(_damped(m))).rate < 1),
        lambda m, *_: Fraction(int(_is_below_one(_damped(m)))),
        is_bound=False,
    ),
}


def _mirrored(m: Matrix) -> Matrix:
    """The diagonal moved to the other diagonal, with a sign: the same norm."""
    return ((Fraction(0), -m[0][0]), (m[1][1], Fraction(0)))


def _squared(x: Vector) -> Vector:
    return vector(entry**2 for entry in x)


def _is_below_one(m: Matrix) -> bool:
    found = radius(m)
    return bool((found if isinstance(found, Fraction) else found.high) < 1)


scalars_in_floats = computed_by(SCALARS)
matrices_in_floats = computed_by(MATRICES)


@claim(
    "graph_world.routes.scalars",
    statement=STATEMENT,
    relation=Relation.AT_MOST,
    source=Source.known("floating-point arithmetic"),
    assumes={},
    teeth=off_by_a_tenth(SCALARS),
    tight=Tight(Call("regret_bound", (HALF, HALF, 7)), 1e-9),
)
def scalars_are_computed(case: Call, computed: Computed = scalars_in_floats) -> Sides:
    """Float routes of what a few numbers give agree with rationals, and bounds never lie below.

    Sums, limits, constants, transients and regret; each has a tooth.
    """
    return judged(case, SCALARS, computed)


@claim(
    "graph_world.routes.matrices",
    statement=STATEMENT,
    relation=Relation.AT_MOST,
    source=Source.known("floating-point arithmetic"),
    assumes={},
    teeth=off_by_a_tenth(MATRICES),
    tight=Tight(Call("joint_envelope", (((HALF,) * 2,) * 2, (HALF,) * 2, (HALF,) * 2)), 1e-9),
)
def matrices_are_computed(case: Call, computed: Computed = matrices_in_floats) -> Sides:
    """Float routes of what a matrix gives agree with rationals, and bounds never lie below.

    Norms, envelopes, steady states, walks, reliefs and weighted norms; each has a tooth.
    """
    return judged(case, MATRICES, computed)
