"""Exact checks of the claims about radii and powers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from proofs_checks.graph_world.matrices import every_matrix, every_vector, perron_triples
from rolltheory.claims import Budget, Kind, check
from rolltheory.graph_world.claims.matrices import Matrix, matrix, vector
from rolltheory.graph_world.claims.spectral import (
    Powers,
    Quotients,
    certificate_encloses,
    largest_quotient_is_above,
    nilpotent_iff_acyclic,
    power_bound_in_floats,
    powers_follow_the_radius,
    powers_have_a_transient,
    smallest_quotient_is_below,
)

__all__ = [
    "every_certificate",
    "every_float_power",
    "every_graph",
    "every_largest_quotient",
    "every_power",
    "every_power_by_its_radius",
    "every_smallest_quotient",
]

DEFECTIVE = [
    matrix([["1/2", 10, 0], [0, "1/2", 10], [0, 0, "1/2"]]),
    matrix([[0, 1, 0], [0, 0, 1], [1, 0, 0]]),
    matrix([[0, 9, 9], [0, 0, 9], [0, 0, 0]]),
]


def every_quotient() -> Iterator[Quotients]:
    """Entries 0 to 2 on two vertices, vectors with entries 1 to 3."""
    for m, x in product(every_matrix((0, 1, 2), 2), every_vector((1, 2, 3), 2)):
        yield Quotients(m, x)
    yield Quotients(matrix([[0, 4], [1, 0]]), vector([2, 1]))


@check(
    largest_quotient_is_above,
    kind=Kind.CERTIFIED,
    domain="2 x 2 matrices with entries 0, 1, 2 and vectors with entries 1, 2, 3",
)
def every_largest_quotient(_: Budget) -> Iterator[Quotients]:
    """The radius by Sturm-like bisection of the characteristic polynomial."""
    return every_quotient()


@check(
    smallest_quotient_is_below,
    kind=Kind.CERTIFIED,
    domain="2 x 2 matrices with entries 0, 1, 2 and vectors with entries 1, 2, 3",
)
def every_smallest_quotient(_: Budget) -> Iterator[Quotients]:
    """The radius by Sturm-like bisection of the characteristic polynomial."""
    return every_quotient()


@check(
    certificate_encloses,
    kind=Kind.CERTIFIED,
    domain={
        "gate": "2 x 2 with entries 0, 1, 2; defective, periodic and nilpotent 3 x 3",
        "deep": "2 x 2 with entries 0 to 3; 3 x 3 with entries 0, 1",
    },
)
def every_certificate(budget: Budget) -> Iterator[Matrix]:
    """Against the characteristic polynomial."""
    yield from every_matrix((0, 1, 2, 3) if budget.deep else (0, 1, 2), 2)
    yield from DEFECTIVE
    if budget.deep:
        yield from every_matrix((0, 1), 3)


@check(
    nilpotent_iff_acyclic,
    kind=Kind.ENUMERATED,
    domain={"gate": "every 0-1 matrix up to 3 x 3", "deep": "every 0-1 matrix up to 4 x 4"},
)
def every_graph(budget: Budget) -> Iterator[Matrix]:
    """Every directed graph, loops included."""
    for size in range(1, 5 if budget.deep else 4):
        yield from every_matrix((0, 1), size)


def powers_of_perron_triples(budget: Budget) -> Iterator[Powers]:
    """Perron vectors, and vectors that are none."""
    exponents = range(7 if budget.deep else 5)
    for (m, right, left), k in product(perron_triples((1, 2, 3)), exponents):
        yield Powers(m, right, left, k)


POWERS = "2 x 2 with rational Perron vectors, k < 5"


@check(
    powers_have_a_transient,
    kind=Kind.CERTIFIED,
    domain={
        "gate": f"{POWERS}; entries 0 to 2 with other positive vectors",
        "deep": "the same for k < 7",
    },
)
def every_power(budget: Budget) -> Iterator[Powers]:
    """Squares of norms by the characteristic polynomial of the Gram matrix."""
    yield from powers_of_perron_triples(budget)
    for m, right, left in product(
        every_matrix((0, 1, 2), 2), every_vector((1, 2), 2), every_vector((1, 2), 2)
    ):
        yield Powers(m, right, left, 3)


@check(
    power_bound_in_floats,
    kind=Kind.CERTIFIED,
    domain={"gate": POWERS, "deep": "the same for k < 7"},
)
def every_float_power(budget: Budget) -> Iterator[Powers]:
    """Floats above rationals."""
    return powers_of_perron_triples(budget)


@check(
    powers_follow_the_radius,
    kind=Kind.CERTIFIED,
    domain={"gate": POWERS, "deep": "the same for k < 7"},
)
def every_power_by_its_radius(budget: Budget) -> Iterator[Powers]:
    """The counterexample is the first asymmetric odd power."""
    return powers_of_perron_triples(budget)
