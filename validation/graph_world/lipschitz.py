"""Property tests of the claims about what one step can stretch."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

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
from rolltheory.graph_world.claims.matrices import matrix, scaled
from validation.graph_world.strategies import matrices, rationals

__all__ = [
    "any_edge_head",
    "any_layer",
    "any_pass_through_one_adjacency",
    "any_plain_model",
    "any_residual_model",
    "any_symmetric_layer",
    "any_unit_weights",
]

MODELS = "2 x 2 messages of quarters from 0 to 2, weights of quarters up to 1, up to three layers"


@check(
    layer_is_exact_for_symmetric_messages,
    kind=Kind.PROPERTY_TESTED,
    within=1e-9,
    domain="diagonal messages of quarters, weights and skips of 2 x 2 quarters",
)
def any_symmetric_layer(_: Budget) -> Any:
    """Rational eigenvalues are those of diagonal messages."""
    from hypothesis import strategies as st

    def built(first: Fraction, second: Fraction, weight: Any, skip: Any) -> Layer:
        return Layer(matrix([[first, 0], [0, second]]), weight, skip, (first, second))

    kernel = matrices(2, lowest=-2)
    return st.builds(built, rationals(-2, 2), rationals(-2, 2), kernel, kernel)


@check(layer_constant_in_floats, kind=Kind.PROPERTY_TESTED, domain="2 x 2 of quarters from -2 to 2")
def any_layer(_: Budget) -> Any:
    """Signed messages too."""
    from hypothesis import strategies as st

    kernel = matrices(2, lowest=-2)
    return st.builds(Layer, kernel, kernel, kernel)


def models() -> Any:
    """Plain and residual models share their cases."""
    from hypothesis import strategies as st

    return st.builds(Layers, matrices(2), rationals(0, 1), st.integers(1, 3))


@check(layers_pay_the_adjacency_each, kind=Kind.PROPERTY_TESTED, domain=MODELS)
def any_plain_model(_: Budget) -> Any:
    """Linear models."""
    return models()


@check(layers_pay_the_adjacency_once, kind=Kind.PROPERTY_TESTED, domain=MODELS)
def any_pass_through_one_adjacency(_: Budget) -> Any:
    """Linear models."""
    return models()


@check(residual_blocks_add_up, kind=Kind.PROPERTY_TESTED, domain=MODELS)
def any_residual_model(_: Budget) -> Any:
    """Linear models."""
    return models()


@check(residual_paths_are_free, kind=Kind.PROPERTY_TESTED, domain="normalised pairs")
def any_unit_weights(_: Budget) -> Any:
    """D^-1 (A + I) of a weighted pair."""
    from hypothesis import strategies as st

    def built(edge: Fraction, weight: Fraction, count: int) -> Layers:
        return Layers(scaled(matrix([[1, edge], [edge, 1]]), 1 / (1 + edge)), weight, count)

    return st.builds(built, rationals(0, 2), rationals(0, 1), st.integers(1, 3))


@check(
    edge_head_stretches,
    kind=Kind.PROPERTY_TESTED,
    domain="scalar heads of quarters, states within 5 and apart by a hundredth, bias at the middle",
)
def any_edge_head(_: Budget) -> Any:
    """The bias puts the sigmoid where it is steepest."""
    from hypothesis import strategies as st

    def built(q: Fraction, p: Fraction, x: Fraction) -> EdgeHead:
        near = x - Fraction(1, 100)
        return EdgeHead(q, p, near, x, -q * p**2 * x * near)

    above = rationals(1, 2).map(lambda value: value + Fraction(1, 4))
    return st.builds(built, above, above, rationals(2, 5))
