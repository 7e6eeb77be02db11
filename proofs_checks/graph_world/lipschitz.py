"""Exact checks of the claims about what one step can stretch."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from proofs_checks.graph_world.matrices import every_matrix
from rolltheory.claims import Budget, Kind, check
from rolltheory.graph_world.claims.lipschitz import (
    EdgeHead,
    Layer,
    Layers,
    edge_head_stretches,
    layer_constant_in_floats,
    layer_is_exact_for_symmetric_messages,
    layers_pay_the_adjacency_each,
    layers_pay_the_adjacency_once,
    residual_blocks_add_up,
    residual_paths_are_free,
)
from rolltheory.graph_world.claims.matrices import Matrix, matrix, scaled

__all__ = [
    "every_edge_head",
    "every_layer",
    "every_pass_through_one_adjacency",
    "every_plain_model",
    "every_residual_model",
    "every_symmetric_layer",
    "every_unit_weights",
]

WEIGHTS = (Fraction(1, 2), Fraction(1))
NORMALISED = matrix([["1/2", "1/2"], ["1/2", "1/2"]])


def symmetric(first: int, second: int) -> tuple[Matrix, tuple[Fraction, Fraction]]:
    """A 2 x 2 matrix with these eigenvalues, in a basis of thirds and fourths to five."""
    cosine, sine = Fraction(3, 5), Fraction(4, 5)
    a = first * cosine**2 + second * sine**2
    b = (first - second) * cosine * sine
    d = first * sine**2 + second * cosine**2
    return matrix([[a, b], [b, d]]), (Fraction(first), Fraction(second))


def messages() -> Iterator[Matrix]:
    """Directed and undirected, with rational norms or not."""
    yield from every_matrix((0, 1), 2)
    yield scaled(NORMALISED, 2)
    yield matrix([[0, 2], [2, 0]])
    yield matrix([[0, 1, 1], [1, 0, 1], [1, 1, 0]])


@check(
    layer_is_exact_for_symmetric_messages,
    kind=Kind.CERTIFIED,
    within=1e-9,
    domain="2 x 2 messages with eigenvalues -2 to 2, weights and skips with entries -1, 0, 1",
)
def every_symmetric_layer(_: Budget) -> Iterator[Layer]:
    """Norms of Kronecker products by their characteristic polynomial."""
    kernels = [matrix([[1]]), matrix([[1, -1], [0, 1]])]
    for first, second in product((-2, -1, 1, 2), repeat=2):
        adjacency, eigenvalues = symmetric(first, second)
        for weight in kernels:
            for skip in every_matrix((-1, 0, 1), 1) if len(weight) == 1 else kernels[1:]:
                yield Layer(adjacency, weight, skip, eigenvalues)


@check(
    layer_constant_in_floats,
    kind=Kind.CERTIFIED,
    domain="messages on two and three vertices, weights and skips 0, 1 or -1",
)
def every_layer(_: Budget) -> Iterator[Layer]:
    """Floats above rationals."""
    for adjacency, weight, skip in product(messages(), (1, -1), (0, 1, -2)):
        yield Layer(adjacency, matrix([[weight]]), matrix([[skip]]))


def models() -> Iterator[Layers]:
    """One to three layers."""
    for adjacency, weight, count in product(messages(), WEIGHTS, (1, 2, 3)):
        yield Layers(adjacency, weight, count)


MODELS = "messages on two and three vertices, weights 1/2 and 1, one to three layers"


@check(layers_pay_the_adjacency_each, kind=Kind.CERTIFIED, domain=MODELS)
def every_plain_model(_: Budget) -> Iterator[Layers]:
    """Linear models."""
    return models()


@check(layers_pay_the_adjacency_once, kind=Kind.CERTIFIED, domain=MODELS)
def every_pass_through_one_adjacency(_: Budget) -> Iterator[Layers]:
    """The counterexample is the first with two layers and a norm above one."""
    return models()


@check(residual_blocks_add_up, kind=Kind.CERTIFIED, domain=MODELS)
def every_residual_model(_: Budget) -> Iterator[Layers]:
    """Linear models."""
    return models()


@check(residual_paths_are_free, kind=Kind.CERTIFIED, domain="normalised messages, weights up to 1")
def every_unit_weights(_: Budget) -> Iterator[Layers]:
    """The gain of five on a normalised pair among them."""
    for weight, count in product((Fraction(0), *WEIGHTS), (1, 2)):
        yield Layers(NORMALISED, weight, count)


@check(
    edge_head_stretches,
    kind=Kind.CERTIFIED,
    domain="scalar heads with q, p in {1/2, 2}, states -2 to 2, and one at 20 with bias -400",
)
def every_edge_head(_: Budget) -> Iterator[EdgeHead]:
    """Sigmoids in balls."""
    halves = (Fraction(1, 2), Fraction(2))
    states = [Fraction(j, 2) for j in range(-4, 5)]
    for q, p, (x, y) in product(halves, halves, product(states, repeat=2)):
        if x < y:
            yield EdgeHead(q, p, x, y, Fraction(0))
    yield EdgeHead(Fraction(1), Fraction(1), Fraction(1999, 100), Fraction(20), Fraction(-400))
    # each part of the constant where it alone decides
    yield EdgeHead(Fraction(1), Fraction(2), Fraction(99, 100), Fraction(1), Fraction(-4))
    yield EdgeHead(Fraction(1), Fraction(1), Fraction(399, 100), Fraction(4), Fraction(-16))
