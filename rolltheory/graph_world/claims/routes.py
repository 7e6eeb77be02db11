"""Claims that the float routes of this theory agree with exact ones, on the safe side."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from rolltheory.claims import (
    UP,
    Call,
    Computed,
    Relation,
    Route,
    Routes,
    Sides,
    Source,
    Tight,
    claim,
    relative,
)
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
    "matrices_are_computed",
    "scalars_are_computed",
]

HALF = Fraction(1, 2)
NEAR = relative(Fraction(1, 10**8))
STATEMENT = (
    r"|\mathrm{float} - \mathrm{exact}| \le 10^{-8} \max(1, |\mathrm{exact}|), \quad"
    r" \mathrm{float} \ge \mathrm{exact} \text{ for bounds}"
)


# of two numbers within (0, 1] and a whole number
SCALARS = Routes(
    NEAR,
    geometric_sum=Route(
        lambda x, y, n: geometric_sum([float(x), 1.0, 1 + float(y)], n),
        lambda x, y, n: [geometric_sum_exact(q, n) for q in (x, 1, 1 + y)],
    ),
    horizon_factor_limit=Route(
        lambda x, y, _: horizon_factor_limit(discount=float(x / 2), spectral_radius=float(y)),
        lambda x, y, _: (x / 2) / ((1 - x / 2) * (1 - x / 2 * y)),
        UP,
    ),
    damped_lipschitz=Route(
        lambda x, y, n: damped_lipschitz(n * float(y), float(x)),
        lambda x, y, n: 1 - x + x * n * y,
        UP,
    ),
    closed_loop_lipschitz=Route(
        lambda x, y, n: closed_loop_lipschitz(float(x), float(y), n),
        lambda x, y, n: x + y * n,
        UP,
    ),
    transient_constant=Route(
        lambda x, y, _: transient_constant([[0.5, float(x * x)], [float(y * y), 0.25]]),
        lambda x, y, _: max(x / y, y / x),
        UP,
    ),
    regret_bound=Route(
        lambda x, y, n: regret_bound(
            float(x), n, discount=float(y), spectral_radius=1.5, reward_error=0.5, transient=2.0
        ),
        lambda x, y, n: (
            4 * x * horizon_factor_exact(n, discount=y, spectral_radius=Fraction(3, 2))
            + geometric_sum_exact(y, n)
        ),
        UP,
    ),
    tight_regret_instance=Route(
        lambda x, y, n: (
            tight_regret_instance(float(x), n + 1, discount=float(y), spectral_radius=1.5).bonus
        ),
        lambda x, y, n: (
            2 * x * horizon_factor_exact(n + 1, discount=y, spectral_radius=Fraction(3, 2))
        ),
        UP,
    ),
    regret_from_errors=Route(
        lambda x, y, n: regret_from_errors([0, float(x), n], discount=float(y), reward_error=0.5),
        lambda x, y, n: 2 * (HALF + y * (x + HALF) + y**2 * (n + HALF)),
        UP,
    ),
)


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
MATRICES = Routes(
    NEAR,
    operator_norm=Route(
        lambda m, *_: [operator_norm(floats(d)) for d in (_diagonal(m), _mirrored(m))],
        lambda m, *_: [max(m[0][0], m[1][1])] * 2,
        UP,
    ),
    perron_transient_constant=Route(
        lambda _, r, s: perron_transient_constant(_certificate(_squared(r), _squared(s))),
        lambda _, r, s: (
            max(b / a for a, b in zip(r, s, strict=True))
            / min(b / a for a, b in zip(r, s, strict=True))
        ),
        UP,
    ),
    joint_envelope=Route(
        lambda m, r, s: joint_envelope(floats(m), _in_floats(r), _in_floats(s), 3),
        lambda m, r, s: joint_envelope_exact(m, r, s, 3),
        UP,
    ),
    steady_state=Route(
        lambda m, r, _: steady_state(floats(_damped(m)), _in_floats(r)),
        lambda m, r, _: _limit(_damped(m), r),
    ),
    error_exposure=Route(
        lambda m, r, _: error_exposure(floats(m), _in_floats(r), horizon=3),
        lambda m, r, _: applied(total(total(identity(2), m), power(m, 2)), r),
    ),
    walk_count=Route(
        lambda m, *_: walk_count(floats(m), length=3),
        lambda m, *_: walk_count_exact(m, length=3),
    ),
    walk_relief=Route(
        lambda m, *_: walk_relief(floats(m), [0], length=3),
        lambda m, *_: walk_count_exact(m, length=3) - walk_count_exact(submatrix(m, [1]), length=3),
    ),
    residual_relief=Route(
        lambda m, *_: residual_relief(floats(_diagonal(m)), [0]).upper,
        lambda m, *_: _relief(m),
        UP,
    ),
    optimal_repair=Route(
        lambda m, *_: optimal_repair(floats(_diagonal(m)), 1).reliefs[0].residual_upper,
        lambda m, *_: min(m[0][0], m[1][1]),
        UP,
    ),
    error_norm=Route(
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
    ),
    spectral_bound=Route(
        lambda m, r, s: spectral_bound(
            _weights(r, s), float(r[0]), _in_floats(s), weight_product=float(m[0][0])
        ),
        lambda m, r, s: [
            2 * x for x in fixed_edge_bound_exact(m[0][0] * Fraction(3, 2), r[0], list(s))
        ],
        UP,
    ),
    stability_certificate=Route(
        lambda m, *_: float(stability_certificate(floats(_damped(m))).rate < 1),
        lambda m, *_: Fraction(int(_is_below_one(_damped(m)))),
    ),
)


def _mirrored(m: Matrix) -> Matrix:
    """The diagonal moved to the other diagonal, with a sign: the same norm."""
    return ((Fraction(0), -m[0][0]), (m[1][1], Fraction(0)))


def _squared(x: Vector) -> Vector:
    return vector(entry**2 for entry in x)


def _is_below_one(m: Matrix) -> bool:
    found = radius(m)
    return bool((found if isinstance(found, Fraction) else found.high) < 1)


@claim(
    "graph_world.routes.scalars",
    statement=STATEMENT,
    relation=Relation.AT_MOST,
    source=Source.known("floating-point arithmetic"),
    assumes={},
    teeth=SCALARS.off_by_a_tenth(),
    tight=Tight(Call("regret_bound", (HALF, HALF, 7)), 1e-9),
)
def scalars_are_computed(case: Call, computed: Computed = SCALARS.computed) -> Sides:
    """Float routes of what a few numbers give agree with rationals, and bounds never lie below.

    Sums, limits, constants, transients and regret; each has a tooth.
    """
    return SCALARS.judged(case, computed)


@claim(
    "graph_world.routes.matrices",
    statement=STATEMENT,
    relation=Relation.AT_MOST,
    source=Source.known("floating-point arithmetic"),
    assumes={},
    teeth=MATRICES.off_by_a_tenth(),
    tight=Tight(Call("joint_envelope", (((HALF,) * 2,) * 2, (HALF,) * 2, (HALF,) * 2)), 1e-9),
)
def matrices_are_computed(case: Call, computed: Computed = MATRICES.computed) -> Sides:
    """Float routes of what a matrix gives agree with rationals, and bounds never lie below.

    Norms, envelopes, steady states, walks, reliefs and weighted norms; each has a tooth.
    """
    return MATRICES.judged(case, computed)
