"""Claims about the error of a rollout on fixed edges."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rolltheory.claims import Counterexample, Relation, Sides, Source, Tight, Tooth, claim
from rolltheory.graph_world.claims.matrices import (
    Matrix,
    Vector,
    applied,
    floats,
    largest_row_sum,
    matrix,
    power,
    product,
    transposed,
    vector,
)
from rolltheory.graph_world.rollout import (
    fixed_edge_bound_exact,
    geometric_sum_exact,
    noise_floor,
    validity_horizon,
)
from rolltheory.numerics.perron import collatz_wielandt_bounds_exact

__all__ = [
    "Floor",
    "LinearRollout",
    "Run",
    "Validity",
    "WeightedStep",
    "error_stays_within_the_fixed_edge_bound",
    "horizon_is_the_inverse",
    "noise_sets_a_floor",
    "weighted_norms_contract_by_the_radius",
]

PAGE = "docs/theory/graph_world.md#fixed-edges"
PROMISED = "one-step errors are at most the promised ones"


@dataclass(frozen=True)
class Run:
    """A measured rollout: a constant of one step, errors at the start and of each step, the end."""

    lipschitz: float
    start: float
    sizes: tuple[float, ...]
    error: float
    keeps_its_promise: bool = True  # the sizes were measured


@dataclass(frozen=True)
class LinearRollout:
    """Errors e <- M e + w_t of a linear model, in the norm of the largest entry."""

    matrix: Matrix
    start: Vector
    missed: tuple[Vector, ...]
    promised: tuple[Fraction, ...] | None = None

    @property
    def sizes(self) -> list[Fraction]:
        """The one-step errors that the bound is given."""
        return list(self.promised or (max(map(abs, row)) for row in self.missed))

    @property
    def keeps_its_promise(self) -> bool:
        """Whether no error is larger than the bound is told."""
        errors = zip(self.missed, self.sizes, strict=True)
        return all(max(map(abs, missed)) <= size for missed, size in errors)

    def error(self) -> Fraction:
        """The size of the error at the end."""
        error = self.start
        for missed in self.missed:
            moved = applied(self.matrix, error)
            error = tuple(a + b for a, b in zip(moved, missed, strict=True))
        return max(map(abs, error))


Bound = Callable[[Any, Any, list[Any]], Any]


def fixed_edge(lipschitz: Any, start: Any, missed: list[Any]) -> Fraction:
    """The honest bound at the last step."""
    return fixed_edge_bound_exact(lipschitz, start, missed)[-1]


@claim(
    "graph_world.rollout.fixed_edges",
    statement=r"e_H \le \Lambda^H e_0 + \sum_{k<H} \Lambda^{H-1-k} \varepsilon_k",
    relation=Relation.AT_MOST,
    source=Source.derived(PAGE),
    assumes={PROMISED: lambda case: case.keeps_its_promise},
    teeth={
        "start forgotten": lambda lipschitz, _, missed: fixed_edge(lipschitz, 0, missed),
        "errors reversed in time": lambda lipschitz, start, missed: fixed_edge(
            lipschitz, start, missed[::-1]
        ),
        "10 % smaller growth": lambda lipschitz, start, missed: fixed_edge(
            lipschitz * Fraction(9, 10), start, missed
        ),
        "only the last error": lambda lipschitz, start, missed: (
            lipschitz ** len(missed) * start + missed[-1]
        ),
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    breaks={
        PROMISED: Counterexample(
            LinearRollout(matrix([[1]]), vector([0]), (vector([1]),), (Fraction(1, 2),)),
            "An error larger than promised.",
        )
    },
    tight=Tight(LinearRollout(matrix([[2]]), vector([1]), (vector([1]), vector([3])))),
)
def error_stays_within_the_fixed_edge_bound(
    case: LinearRollout, bound: Bound = fixed_edge
) -> Sides:
    """A Lipschitz constant carries the start and every one-step error to the end, and no more."""
    start = max(map(abs, case.start))
    return Sides(case.error(), bound(largest_row_sum(case.matrix), start, case.sizes))


@dataclass(frozen=True)
class WeightedStep:
    """One step of row norms under A >= 0 with positive vectors r and l, and the norm to look at."""

    matrix: Matrix
    right: Vector
    left: Vector
    errors: Vector
    norm: str

    def size(self, errors: Vector) -> Fraction:
        """The norm; the quadratic one squared."""
        sides = zip(errors, self.right, self.left, strict=True)
        if self.norm == "largest":
            return max(abs(e) / r for e, r, _ in sides)
        if self.norm == "total":
            return sum((left * abs(e) for e, _, left in sides), Fraction(0))
        return sum((left / r * e**2 for e, r, left in sides), Fraction(0))


def weighted_rate(case: WeightedStep) -> Fraction:
    """a, b, or a b for the square."""
    right = collatz_wielandt_bounds_exact(case.matrix, case.right)[1]
    left = collatz_wielandt_bounds_exact(transposed(case.matrix), case.left)[1]
    return {"largest": right, "total": left, "quadratic": right * left}[case.norm]


@claim(
    "graph_world.rollout.weighted_norms",
    statement=r"N(A v) \le \mathrm{rate} \cdot N(v) \text{ for } N_\infty = \max_i v_i / r_i"
    r"\ (a),\ N_1 = \sum_i l_i v_i\ (b),\ N_2^2 = \sum_i (l_i / r_i) v_i^2\ (ab)",
    relation=Relation.AT_MOST,
    source=Source.derived(PAGE),
    assumes={},
    teeth={
        "10 % smaller": lambda case: weighted_rate(case) * 9 / 10,
        "the rate of plain norms": lambda case: min(
            weighted_rate(case), min(map(min, case.matrix)) * len(case.matrix)
        ),
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    tight=Tight(
        WeightedStep(
            matrix([[0, 4], [1, 0]]), vector([2, 1]), vector([1, 2]), vector([2, 1]), "largest"
        )
    ),
)
def weighted_norms_contract_by_the_radius(
    case: WeightedStep, rate: Callable[[WeightedStep], Any] = weighted_rate
) -> Sides:
    """In norms weighed by positive vectors a step stretches by their rate: the spectral radius.

    In the plain norm it does not: that costs the transient constant, once.
    """
    moved = applied(case.matrix, case.errors)
    return Sides(case.size(moved), rate(case) * case.size(case.errors))


@dataclass(frozen=True)
class Validity:
    """A constant one-step error of one, and how much error is tolerable."""

    lipschitz: Fraction
    tolerance: Fraction

    def horizon(self) -> int | None:
        """Counted."""
        if self.lipschitz < 1 and 1 / (1 - self.lipschitz) <= self.tolerance:
            return None
        steps = 0
        while geometric_sum_exact(self.lipschitz, steps + 1) <= self.tolerance:
            steps += 1
        return steps


@claim(
    "graph_world.rollout.horizon",
    statement=r"\mathtt{validity\_horizon} = \max\{H : 1 + \Lambda + \dots + \Lambda^{H-1}"
    r" \le \mathrm{tolerance}\}",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={},
    teeth={
        "linear growth": lambda _, tolerance: int(tolerance),
        "one step more": lambda lipschitz, tolerance: (
            -1 if (h := validity_horizon(lipschitz, 1.0, tolerance)) is None else h + 1
        ),
        "for ever below one": lambda lipschitz, tolerance: (
            None if lipschitz < 1 else validity_horizon(lipschitz, 1.0, tolerance)
        ),
    },
)
def horizon_is_the_inverse(
    case: Validity,
    horizon: Callable[[float, float], int | None] = lambda lipschitz, tolerance: validity_horizon(
        lipschitz, 1.0, tolerance
    ),
) -> Sides:
    """The horizon of validity is the last one at which the bound is tolerable, or for ever."""
    return Sides(case.horizon(), horizon(float(case.lipschitz), float(case.tolerance)))


@dataclass(frozen=True)
class Floor:
    """Unit noise pushed through a linear model; measured is an interval, if it was simulated."""

    jacobian: Matrix
    horizon: int
    measured: Any = None

    def variance(self) -> Any:
        """Trace of the covariance, by its own recursion."""
        if self.measured is not None:
            return self.measured
        size = len(self.jacobian)
        covariance = matrix([0] * size for _ in range(size))
        for _ in range(self.horizon):
            moved = product(product(self.jacobian, covariance), transposed(self.jacobian))
            covariance = tuple(
                tuple(entry + int(i == j) for j, entry in enumerate(row))
                for i, row in enumerate(moved)
            )
        return sum((covariance[i][i] for i in range(size)), Fraction(0))


def floor_in_floats(case: Floor) -> Fraction:
    """What the library says, as the rational that it is."""
    return Fraction(float(noise_floor(floats(case.jacobian), case.horizon, noise_std=1.0)[-1]))


def floor_by_radius(case: Floor) -> Fraction:
    """The popular shortcut: powers of the trace instead of norms of powers."""
    size = len(case.jacobian)
    return sum(
        (
            sum((power(case.jacobian, k)[i][i] ** 2 for i in range(size)), Fraction(0))
            for k in range(case.horizon)
        ),
        Fraction(0),
    )


@claim(
    "graph_world.rollout.noise_floor",
    statement=r"E\,e_H^2 = s^2 \sum_{k<H} \lVert J^k \rVert_F^2",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={},
    teeth={
        "diagonals instead of norms": floor_by_radius,
        "one step more": lambda case: floor_in_floats(Floor(case.jacobian, case.horizon + 1)),
        "independent entries": lambda case: case.horizon * len(case.jacobian),
    },
)
def noise_sets_a_floor(case: Floor, floor: Callable[[Floor], Any] = floor_in_floats) -> Sides:
    """Noise alone gives a linear model an error that no predictor removes."""
    return Sides(case.variance(), floor(case))
