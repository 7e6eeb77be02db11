"""Exact checks of the claims about changing edges, norms and radii."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from proofs_checks.graph_world.matrices import every_matrix, every_vector
from rolltheory.claims import Budget, Kind, check
from rolltheory.graph_world.claims.changing import (
    Activation,
    Alternation,
    Directions,
    Ranking,
    alternating_radii_bound_a_rollout,
    edges_hold_while_the_margin_does,
    kreiss_brackets_the_powers,
    normalisation_stretches_by_the_root,
    norms_bound_an_alternating_rollout,
    slopes_are_the_steepest,
    star,
    zeros,
)
from rolltheory.graph_world.claims.matrices import Matrix, matrix, scaled

__all__ = [
    "every_activation",
    "every_alternation",
    "every_alternation_by_radii",
    "every_direction",
    "every_kreiss",
    "every_ranking",
]


def alternations() -> Iterator[Alternation]:
    """Every pair with entries 0 and 2."""
    matrices = list(every_matrix((0, 2), 2))
    return (Alternation(*pair) for pair in product(matrices, repeat=2))


PAIRS = "pairs of 2 x 2 matrices with entries 0 and 2"


@check(norms_bound_an_alternating_rollout, kind=Kind.CERTIFIED, domain=PAIRS)
def every_alternation(_: Budget) -> Iterator[Alternation]:
    """Norms by characteristic polynomials."""
    return alternations()


@check(alternating_radii_bound_a_rollout, kind=Kind.CERTIFIED, domain=PAIRS)
def every_alternation_by_radii(_: Budget) -> Iterator[Alternation]:
    """Nilpotent pairs among them."""
    return alternations()


@check(
    normalisation_stretches_by_the_root,
    kind=Kind.CERTIFIED,
    domain="from no edges towards stars of 4 to 30 vertices; 0-1 matrices on 3 in unit directions",
)
def every_direction(_: Budget) -> Iterator[Directions]:
    """Square roots in balls."""
    for size in (4, 9, 16, 30):
        yield Directions(zeros(size), star(size), Fraction(1, 1000))
    for flat in product((0, 1), repeat=3):
        a, b, c = flat
        base = matrix([[0, a, b], [a, 0, c], [b, c, 0]])
        for i, j in ((0, 1), (1, 2)):
            unit = matrix([int({x, y} == {i, j}) for y in range(3)] for x in range(3))
            yield Directions(base, unit, Fraction(1, 10))


@check(
    edges_hold_while_the_margin_does,
    kind=Kind.ENUMERATED,
    domain="three candidates with scores 0 to 2, one or two kept, moves of -1/2 to 1/2 in fourths",
)
def every_ranking(_: Budget) -> Iterator[Ranking]:
    """Ties included: all exact in floats."""
    moves = [Fraction(j, 4) for j in (-2, -1, 0, 1, 2)]
    for scores, kept, errors in product(
        every_vector((0, 1, 2), 3), (1, 2), product(moves, repeat=3)
    ):
        yield Ranking(scores, kept, errors)


@check(
    kreiss_brackets_the_powers,
    kind=Kind.CERTIFIED,
    domain="[[1/2, b], [0, d]] with b in {0, 1, 10} and d in {0, 1/2}, and two rotations",
)
def every_kreiss(_: Budget) -> Iterator[Matrix]:
    """Sixty powers each."""
    for b, d in product((0, 1, 10), (0, 1)):
        yield scaled(matrix([[1, 2 * b], [0, d]]), Fraction(1, 2))
    yield matrix([[0, 2], ["1/8", 0]])
    yield matrix([["1/4", 3], ["1/16", "1/4"]])


@check(
    slopes_are_the_steepest,
    kind=Kind.CERTIFIED,
    domain="seven activations, secants of 2^-10 from -4 to 4, of 2^-19 about the steepest points",
)
def every_activation(_: Budget) -> Iterator[Activation]:
    """Functions in balls."""
    names = ("identity", "relu", "leaky_relu", "tanh", "sigmoid", "gelu", "silu")
    for name, eighth in product(names, range(-32, 33)):
        yield Activation(name, eighth / 8, eighth / 8 + 2.0**-10)
    for name, point in (("gelu", 2**0.5), ("silu", 2.399357280515), ("tanh", 0), ("sigmoid", 0)):
        yield Activation(name, point - 2.0**-20, point + 2.0**-20)
