"""Exact checks of the claims about node and edge errors that feed each other."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from proofs_checks.graph_world.matrices import every_matrix
from rolltheory.claims import Budget, Kind, check
from rolltheory.graph_world.claims.dynamic import (
    JointRun,
    dynamic_rollouts_stay_within,
    scalar_world,
)
from rolltheory.graph_world.claims.joint import (
    AuthorsOperator,
    Envelope,
    OperatorPowers,
    Orders,
    determinant_decides,
    determinant_of_rest,
    envelope_has_a_closed_form,
    orders_are_stable_together,
    radius_exceeds_the_diagonal,
    radius_in_closed_form,
    radius_is_at_most_twice_the_geaf,
    stability_needs_three_conditions,
    symmetrised_powers,
)
from rolltheory.graph_world.claims.matrices import Matrix, matrix, scaled, vector

__all__ = [
    "every_authors_operator",
    "every_coupling",
    "every_determinant",
    "every_envelope",
    "every_operator",
    "every_operator_power",
    "every_order",
    "every_radius",
    "every_scalar_world",
]

HALVES = "2 x 2 operators with entries 0 to 3/2 in halves, and entries around one"


def operators() -> Iterator[Matrix]:
    """Halves, then couplings just beside the edge of stability."""
    for m in every_matrix((0, 1, 2, 3), 2):
        yield scaled(m, Fraction(1, 2))
    for step in (-1, 0, 1):
        yield matrix([["1/2", 1], [Fraction(1, 4) + Fraction(step, 1000), "1/2"]])
    yield matrix([[3, "1/10"], ["1/10", 3]])


@check(stability_needs_three_conditions, kind=Kind.ENUMERATED, domain=HALVES)
def every_operator(_: Budget) -> Iterator[Matrix]:
    """Against the derivatives of the characteristic polynomial at one."""
    return operators()


@check(determinant_decides, kind=Kind.ENUMERATED, domain=HALVES)
def every_determinant(_: Budget) -> Iterator[Matrix]:
    """The counterexample has both diagonals above one."""
    return operators()


@check(
    radius_in_closed_form, kind=Kind.ENUMERATED, domain="operators of quarters with rational radii"
)
def every_radius(_: Budget) -> Iterator[Matrix]:
    """b c = s^2 - (a - d)^2 / 4 makes the root s."""
    for a, d, b, s in product((0, 1, 3), (0, 1, 2), (1, 2), (2, 3)):
        yield matrix([[a, b], [(Fraction(s) ** 2 - Fraction(a - d, 2) ** 2) / b, d]])


@check(radius_exceeds_the_diagonal, kind=Kind.ENUMERATED, domain=HALVES)
def every_coupling(_: Budget) -> Iterator[Matrix]:
    """The lower ends of the enclosures decide."""
    return operators()


@check(
    radius_is_at_most_twice_the_geaf,
    kind=Kind.CERTIFIED,
    domain="reach 1 to 4, weight 1, states 1 to 20, edges 1 to 4, heads 1/4 to 1",
)
def every_authors_operator(_: Budget) -> Iterator[AuthorsOperator]:
    """The counterexample has a state larger than the reach."""
    for reach, state, edges, head in product((1, 2, 4), (1, 5, 20), (1, 4), (1, 2, 4)):
        yield AuthorsOperator(*map(Fraction, (reach, 1, state, edges)), head=Fraction(head, 4))


@check(
    envelope_has_a_closed_form,
    kind=Kind.ENUMERATED,
    domain="2 x 2 operators with entries 0 to 3/2 in halves, up to four steps",
)
def every_envelope(_: Budget) -> Iterator[Envelope]:
    """Stable or not."""
    for m, horizon in product(every_matrix((0, 1, 3), 2), (1, 2, 4)):
        operator = scaled(m, Fraction(1, 2))
        if determinant_of_rest(operator):
            yield Envelope(operator, vector(["1/10", "1/5"]), vector([1, 2]), horizon)


@check(
    symmetrised_powers,
    kind=Kind.CERTIFIED,
    domain="operators d + [[0, b t], [b / t, 0]] with rational radii, k < 5",
)
def every_operator_power(_: Budget) -> Iterator[OperatorPowers]:
    """Radii are exact."""
    for diagonal, b, t, k in product((0, 1), (1, 2), ("1/3", "1/2", 1, 2, 3), range(5)):
        ratio = Fraction(t)
        operator = matrix([[diagonal, b * ratio], [b / ratio, diagonal]])
        yield OperatorPowers(operator, k)


@check(
    orders_are_stable_together,
    kind=Kind.ENUMERATED,
    domain="constants in quarters from 0 to 1",
)
def every_order(_: Budget) -> Iterator[Orders]:
    """Quarters are exact in floats; rank one makes the radius rational."""
    quarters = [Fraction(j, 4) for j in range(5)]
    return (Orders(*constants) for constants in product(quarters, repeat=3))


@check(
    dynamic_rollouts_stay_within,
    kind=Kind.ENUMERATED,
    domain="one vertex, states 1/2 and 1, w and q in {1/2, 2/3, 1}, up to three steps",
)
def every_scalar_world(_: Budget) -> Iterator[JointRun]:
    """In rationals."""
    values = (Fraction(1, 2), Fraction(2, 3), Fraction(1))
    pairs = list(product(values, repeat=2))
    for state, weights, queries, steps in product(values[::2], pairs, pairs, (1, 2, 3)):
        yield scalar_world(state, weights, queries, steps)
