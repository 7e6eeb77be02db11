"""Claims about node and edge errors that feed each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Any

from rolltheory.claims import (
    Counterexample,
    Enclosure,
    Relation,
    Sides,
    Source,
    Tight,
    Verdict,
    claim,
)
from rolltheory.graph_world.claims.matrices import (
    Matrix,
    Vector,
    applied,
    floats,
    identity,
    matrix,
    norm_squared,
    power,
    radius,
    scaled,
    total,
    vector,
)
from rolltheory.graph_world.joint import (
    UpdateOrder,
    is_stable,
    joint_envelope_exact,
    joint_operator,
    joint_spectral_radius,
)

__all__ = [
    "AuthorsOperator",
    "Envelope",
    "OperatorPowers",
    "Orders",
    "determinant_decides",
    "envelope_has_a_closed_form",
    "orders_are_stable_together",
    "radius_exceeds_the_diagonal",
    "radius_in_closed_form",
    "radius_is_at_most_twice_the_geaf",
    "stability_needs_three_conditions",
    "symmetrised_powers",
]

PAGE = "docs/theory/graph_world.md#joint-operator"
AUTHORS = Source.paper("2606.27780", "Theorems 2 and 3, as its code states them")


def below_one(case: Matrix) -> bool:
    """Whether the radius is below one, from the enclosure or exactly."""
    found = radius(case)
    return found < 1 if isinstance(found, Fraction) else bool(found.high < 1)


def determinant_of_rest(m: Matrix) -> Fraction:
    """det(I - M)."""
    return (1 - m[0][0]) * (1 - m[1][1]) - m[0][1] * m[1][0]


def determinant_alone(m: Matrix) -> bool:
    """The popular shortcut."""
    return determinant_of_rest(m) > 0


@claim(
    "graph_world.joint.stable",
    statement=r"\rho(M) < 1 \iff a < 1,\ d < 1,\ bc < (1 - a)(1 - d)",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={},
    teeth={
        "determinant alone": determinant_alone,
        "diagonal alone": lambda m: m[0][0] < 1 and m[1][1] < 1,
        "boundary included": lambda m: (
            m[0][0] <= 1 and m[1][1] <= 1 and determinant_of_rest(m) >= 0
        ),
    },
)
def stability_needs_three_conditions(
    case: Matrix, stable: Callable[[Matrix], bool] = is_stable
) -> Sides:
    """A 2 x 2 operator is stable exactly under three conditions, all of them needed."""
    return Sides(below_one(case), bool(stable(case)))


@claim(
    "graph_world.joint.determinant",
    statement=r"\det(I - M) > 0 \implies \rho(M) < 1",
    relation=Relation.IMPLIES,
    source=Source.known("a popular shortcut"),
    assumes={},
    repairs={"with both diagonals below one": is_stable},
    declared=Verdict.REFUTED,
    repaired_by="graph_world.joint.stable",
)
def determinant_decides(
    case: Matrix, promised: Callable[[Matrix], bool] = determinant_alone
) -> Sides:
    """A positive determinant of I - M proves stability. False: a = d = 3, b = c = 1/10."""
    return Sides(bool(promised(case)), below_one(case))


def closed_form(m: Matrix) -> Any:
    """In rationals where the root is one, and as the library says where it is not."""
    (a, b), (c, d) = m
    inside = (a - d) ** 2 / 4 + b * c
    root = Fraction(isqrt(inside.numerator), isqrt(inside.denominator))
    return (a + d) / 2 + root if root**2 == inside else joint_spectral_radius(floats(m))


@claim(
    "graph_world.joint.radius",
    statement=r"\rho(M) = \tfrac{a + d}{2} + \sqrt{\tfrac{(a - d)^2}{4} + bc}",
    relation=Relation.EQUAL,
    source=Source.known("quadratic formula"),
    assumes={},
    teeth={
        "the larger diagonal": lambda m: max(m[0][0], m[1][1]),
        "half of the root": lambda m: (closed_form(m) + (m[0][0] + m[1][1]) / 2) / 2,
        "the largest row sum": lambda m: max(map(sum, m)),
    },
)
def radius_in_closed_form(case: Matrix, form: Callable[[Matrix], Any] = closed_form) -> Sides:
    """The formula gives the largest root of the characteristic polynomial."""
    return Sides(radius(case), form(case))


@claim(
    "graph_world.joint.above_diagonal",
    statement=r"\rho(M) > \max(a, d) \iff bc > 0",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={},
    teeth={
        "b alone": lambda m: m[0][1] > 0,
        "c alone": lambda m: m[1][0] > 0,
        "either": lambda m: m[0][1] + m[1][0] > 0,
    },
)
def radius_exceeds_the_diagonal(
    case: Matrix, coupled: Callable[[Matrix], bool] = lambda m: m[0][1] * m[1][0] > 0
) -> Sides:
    """Mutual coupling raises the radius above both diagonals: arithmetic, not evidence."""
    found, diagonal = radius(case), max(case[0][0], case[1][1])
    low = found if isinstance(found, Fraction) else found.low
    return Sides(bool(low > diagonal), bool(coupled(case)))


@dataclass(frozen=True)
class AuthorsOperator:
    """B with L_X = w a, L_A = w R, M_X = g R_A, M_A = g R, as the paper's code has it."""

    reach: Fraction
    weight: Fraction
    state: Fraction
    edges: Fraction
    head: Fraction

    @property
    def operator(self) -> Matrix:
        """B."""
        return matrix(
            [
                [self.weight * self.reach, self.weight * self.state],
                [self.head * self.edges, self.head * self.state],
            ]
        )

    @property
    def geaf(self) -> Fraction:
        """rho(A) times the product of weight norms."""
        return self.reach * self.weight


@claim(
    "graph_world.joint.geaf",
    statement=r"\rho(B) \le 2\,\mathrm{GEAF}",
    relation=Relation.AT_MOST,
    source=AUTHORS,
    assumes={},
    repairs={
        "the largest row sum": lambda case: max(map(sum, case.operator)),
    },
    declared=Verdict.REFUTED,
    repaired_by="graph_world.joint.radius",
)
def radius_is_at_most_twice_the_geaf(
    case: AuthorsOperator, bound: Callable[[AuthorsOperator], Any] = lambda case: 2 * case.geaf
) -> Sides:
    """Twice the GEAF bounds the joint radius. False: the state's size enters without limit."""
    return Sides(radius(case.operator), bound(case))


@dataclass(frozen=True)
class Envelope:
    """An operator, what each step adds, and the start, of any number of error types."""

    operator: Matrix
    forcing: Vector
    start: Vector
    horizon: int


def closed_envelope(case: Envelope) -> list[Fraction]:
    """M^H u_0 + (I - M)^-1 (I - M^H) f."""
    grown = power(case.operator, case.horizon)
    rest = total(identity(2), scaled(grown, -1))
    limit = applied(inverse_of_rest(case.operator), applied(rest, case.forcing))
    return [a + b for a, b in zip(applied(grown, case.start), limit, strict=True)]


def inverse_of_rest(m: Matrix) -> Matrix:
    """(I - M)^-1 of a 2 x 2 matrix, whether stable or not."""
    (a, b), (c, d) = m
    determinant = determinant_of_rest(m)
    return scaled(((1 - d, b), (c, 1 - a)), 1 / determinant)


REGULAR = "1 is not an eigenvalue"


@claim(
    "graph_world.joint.envelope",
    statement=r"M^H u_0 + \sum_{k<H} M^k f = M^H u_0 + (I - M)^{-1} (I - M^H) f",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={REGULAR: lambda case: determinant_of_rest(case.operator) != 0},
    teeth={
        "the steady state too early": lambda case: list(
            applied(inverse_of_rest(case.operator), case.forcing)
        ),
        "start forgotten": lambda case: closed_envelope(
            Envelope(case.operator, case.forcing, vector([0, 0]), case.horizon)
        ),
        "one step less": lambda case: closed_envelope(
            Envelope(case.operator, case.forcing, case.start, case.horizon - 1)
        ),
    },
    breaks={
        REGULAR: Counterexample(
            Envelope(matrix([[1, 0], [0, 0]]), vector([1, 0]), vector([0, 0]), 3),
            "The error grows by one each step.",
            lambda case, _: Sides(
                joint_envelope_exact(case.operator, case.forcing, case.start, case.horizon)[-1],
                [Fraction(0), Fraction(0)],
            ),
        )
    },
)
def envelope_has_a_closed_form(
    case: Envelope, form: Callable[[Envelope], list[Fraction]] = closed_envelope
) -> Sides:
    """The recursive envelope is the closed sum."""
    recursive = joint_envelope_exact(case.operator, case.forcing, case.start, case.horizon)[-1]
    return Sides(recursive, form(case))


@dataclass(frozen=True)
class OperatorPowers:
    """A 2 x 2 operator with both couplings positive, and an exponent."""

    operator: Matrix
    exponent: int


def coupling_ratio(m: Matrix) -> Fraction:
    """kappa^2 = max(b / c, c / b)."""
    return max(m[0][1] / m[1][0], m[1][0] / m[0][1])


@claim(
    "graph_world.joint.transient",
    statement=r"\lVert M^k \rVert_2^2 \le \max(b/c,\ c/b)\,\rho^{2k}",
    relation=Relation.AT_MOST,
    source=Source.derived(PAGE),
    assumes={},
    teeth={
        "no transient": lambda _: Fraction(1),
        "10 % smaller": lambda m: coupling_ratio(m) * 9 / 10,
        "couplings exchanged": lambda m: m[1][0] / m[0][1],
    },
    tight=Tight(OperatorPowers(matrix([[0, 4], [1, 0]]), 1)),
)
def symmetrised_powers(
    case: OperatorPowers, transient: Callable[[Matrix], Fraction] = coupling_ratio
) -> Sides:
    """Powers exceed powers of the radius by at most the ratio of the couplings."""
    found = radius(case.operator)
    factor = transient(case.operator)
    low, high = (found, found) if isinstance(found, Fraction) else (found.low, found.high)
    bound = Enclosure(
        factor * Fraction(low) ** (2 * case.exponent),
        factor * Fraction(high) ** (2 * case.exponent),
    )
    return Sides(norm_squared(power(case.operator, case.exponent)), bound)


@dataclass(frozen=True)
class Orders:
    """Constants of node and edge maps that both orders of update share."""

    node_to_node: Fraction
    edge_to_node: Fraction
    node_to_edge: Fraction


def new_state_radius(case: Orders) -> Fraction:
    """L_XX + L_XA L_g, the radius if edges follow the new state."""
    return case.node_to_node + case.edge_to_node * case.node_to_edge


@claim(
    "graph_world.joint.orders",
    statement=r"\text{edges from } X_{t+1}: \rho(M) = L_{XX} + L_g L_{XA}; \quad"
    r" \text{both orders are stable} \iff L_{XX} + L_{XA} L_g < 1",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={},
    teeth={
        "the larger constant": lambda case: max(
            case.node_to_node, case.edge_to_node * case.node_to_edge
        ),
        "couplings added": lambda case: case.node_to_node + case.edge_to_node + case.node_to_edge,
        "edges forgotten": lambda case: case.node_to_node,
    },
)
def orders_are_stable_together(
    case: Orders, form: Callable[[Orders], Fraction] = new_state_radius
) -> Sides:
    """The order of update changes the radius, and never whether it is below one."""
    orders: tuple[UpdateOrder, ...] = ("old_state", "new_state")
    operators = {
        order: joint_operator(
            order=order,
            node_to_node=float(case.node_to_node),
            edge_to_node=float(case.edge_to_node),
            node_to_edge=float(case.node_to_edge),
        ).matrix
        for order in orders
    }
    rank_one = matrix(
        [
            [case.node_to_node, case.edge_to_node],
            [case.node_to_edge * case.node_to_node, case.node_to_edge * case.edge_to_node],
        ]
    )
    verdicts = tuple(is_stable(matrix(m.tolist())) for m in operators.values())
    stable = form(case) < 1
    return Sides((radius(rank_one), *verdicts), (form(case), stable, stable))
