"""Property tests of the claims about radii and powers."""

from __future__ import annotations

from typing import Any

from rolltheory.claims import Budget, Kind, check
from rolltheory.graph_world.claims.matrices import matrix, vector
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
from validation.graph_world.strategies import matrices, positive_vectors, rationals

__all__ = [
    "any_certificate",
    "any_float_power",
    "any_graph",
    "any_largest_quotient",
    "any_power",
    "any_power_by_its_radius",
    "any_smallest_quotient",
]

SMALL = "3 x 3 matrices of quarters from 0 to 2"
IRREDUCIBLE = "rescaled circulant 3 x 3 matrices, with their Perron vectors"


@check(largest_quotient_is_above, kind=Kind.PROPERTY_TESTED, domain=SMALL)
def any_largest_quotient(_: Budget) -> Any:
    """Arbitrary positive vectors."""
    from hypothesis import strategies as st

    return st.builds(Quotients, matrices(3), positive_vectors(3))


@check(smallest_quotient_is_below, kind=Kind.PROPERTY_TESTED, domain=SMALL)
def any_smallest_quotient(_: Budget) -> Any:
    """Arbitrary positive vectors."""
    from hypothesis import strategies as st

    return st.builds(Quotients, matrices(3), positive_vectors(3))


@check(certificate_encloses, kind=Kind.PROPERTY_TESTED, domain=SMALL)
def any_certificate(_: Budget) -> Any:
    """Reducible ones among them."""
    return matrices(3)


@check(nilpotent_iff_acyclic, kind=Kind.PROPERTY_TESTED, domain="5 x 5, mostly sparse")
def any_graph(_: Budget) -> Any:
    """A path through all vertices and some shortcuts, with one further entry."""
    from hypothesis import strategies as st

    def with_one_more(drawn: Any) -> Any:
        m, i, j = drawn
        rows = [[int(a - b == 1 or (a > b and m[a][b] > 1)) for b in range(5)] for a in range(5)]
        rows[i][j] += 1
        return matrix(rows)

    vertex = st.integers(0, 4)
    return st.tuples(matrices(5), vertex, vertex).map(with_one_more)


def powers(budget: Budget) -> Any:
    """D C D^-1 with C circulant, whose Perron vectors are those of ones, rescaled."""
    from hypothesis import strategies as st

    def built(stay: Any, turn: Any, scale: Any, exponent: int) -> Powers:
        circulant = [[(stay, turn, 0 * stay)[(j - i) % 3] for j in range(3)] for i in range(3)]
        rescaled = ([scale[i] * circulant[i][j] / scale[j] for j in range(3)] for i in range(3))
        return Powers(matrix(rescaled), scale, tuple(1 / x for x in scale), exponent)

    exponents = st.integers(0, 6 if budget.deep else 4)
    return st.builds(built, rationals(0, 2), rationals(1, 2), positive_vectors(3), exponents)


@check(powers_have_a_transient, kind=Kind.PROPERTY_TESTED, domain=IRREDUCIBLE)
def any_power(budget: Budget) -> Any:
    """Exact Perron vectors."""
    return powers(budget)


@check(power_bound_in_floats, kind=Kind.PROPERTY_TESTED, domain=IRREDUCIBLE)
def any_float_power(budget: Budget) -> Any:
    """Vectors found in floats."""
    return powers(budget)


@check(powers_follow_the_radius, kind=Kind.PROPERTY_TESTED, domain="[[0, b], [c, 0]]")
def any_power_by_its_radius(_: Budget) -> Any:
    """Its Perron vectors are rational where bc is a square."""
    from hypothesis import strategies as st

    def built(t: int, k: int) -> Powers:
        return Powers(matrix([[0, t * t], [1, 0]]), vector([t, 1]), vector([1, t]), k)

    return st.builds(built, st.integers(1, 9), st.integers(0, 5))
