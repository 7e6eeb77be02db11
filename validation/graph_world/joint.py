"""Simulations and property tests of the claims about node and edge errors."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from rolltheory.claims import Budget, Kind, check
from rolltheory.graph_world.claims.dynamic import JointRun, dynamic_rollouts_stay_within
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
from rolltheory.graph_world.claims.matrices import matrix
from rolltheory.graph_world.edges import edge_head_lipschitz
from simulators.graph_world.rollouts import dynamic_edge_rollout, random_weight
from validation.graph_world.strategies import matrices, positive_vectors, rationals

__all__ = [
    "any_authors_operator",
    "any_coupling",
    "any_determinant",
    "any_envelope",
    "any_operator",
    "any_operator_power",
    "any_order",
    "any_radius",
    "rollouts_on_dynamic_edges",
]

QUARTERS = "2 x 2 operators of quarters from 0 to 2"


def with_edge_cases() -> Any:
    """Quarters, among them operators exactly at the edge of stability."""
    from hypothesis import strategies as st

    def edge(a: Fraction, d: Fraction, b: Fraction) -> Any:
        return matrix([[a, b], [(1 - a) * (1 - d) / b, d]])

    below = rationals(0, 1, 4).map(lambda x: min(x, Fraction(3, 4)))
    coupling = rationals(0, 2).map(lambda x: x + Fraction(1, 4))
    return st.one_of(weakly_coupled(), matrices(2), st.builds(edge, below, below, coupling))


def weakly_coupled() -> Any:
    """Both diagonals of quarters, above one as often as below."""
    from hypothesis import strategies as st

    def built(a: Fraction, d: Fraction) -> Any:
        return matrix([[a, "1/10"], ["1/10", d]])

    diagonal = rationals(0, 2).map(lambda x: x + Fraction(1, 4))
    return st.builds(built, diagonal, diagonal)


@check(stability_needs_three_conditions, kind=Kind.PROPERTY_TESTED, domain=QUARTERS)
def any_operator(_: Budget) -> Any:
    """The edge included."""
    return with_edge_cases()


@check(
    determinant_decides, kind=Kind.PROPERTY_TESTED, domain="diagonals within [1/4, 9/4] of quarters"
)
def any_determinant(_: Budget) -> Any:
    """Weak couplings."""
    return weakly_coupled()


@check(radius_in_closed_form, kind=Kind.PROPERTY_TESTED, within=1e-10, domain=QUARTERS)
def any_radius(_: Budget) -> Any:
    """Floats against the characteristic polynomial."""
    return matrices(2)


@check(radius_exceeds_the_diagonal, kind=Kind.PROPERTY_TESTED, domain=QUARTERS)
def any_coupling(_: Budget) -> Any:
    """Zeros are common."""
    return matrices(2)


@check(radius_is_at_most_twice_the_geaf, kind=Kind.PROPERTY_TESTED, domain="quarters up to 8")
def any_authors_operator(_: Budget) -> Any:
    """Any sizes of states and edges."""
    from hypothesis import strategies as st

    size = rationals(0, 8).map(lambda x: x + Fraction(1, 4))
    return st.builds(AuthorsOperator, size, size, size, size, size)


@check(envelope_has_a_closed_form, kind=Kind.PROPERTY_TESTED, domain=QUARTERS)
def any_envelope(_: Budget) -> Any:
    """Where one is no eigenvalue."""
    from hypothesis import strategies as st

    vector, steps = positive_vectors(2), st.integers(1, 5)
    drawn = st.builds(Envelope, matrices(2), vector, vector, steps)
    return drawn.filter(lambda case: determinant_of_rest(case.operator) != 0)


@check(symmetrised_powers, kind=Kind.PROPERTY_TESTED, domain="couplings with rational radii")
def any_operator_power(_: Budget) -> Any:
    """b c a square."""
    from hypothesis import strategies as st

    def built(d: Fraction, b: Fraction, t: Fraction, k: int) -> OperatorPowers:
        return OperatorPowers(matrix([[d, b * t], [b / t, d]]), k)

    above = rationals(0, 3).map(lambda x: x + Fraction(1, 4))
    return st.builds(built, rationals(0, 1), above, above, st.integers(0, 5))


@check(orders_are_stable_together, kind=Kind.PROPERTY_TESTED, domain="sixteenths up to 2")
def any_order(_: Budget) -> Any:
    """Exact in floats."""
    from hypothesis import strategies as st

    constant = rationals(0, 2, 16)
    return st.builds(Orders, constant, constant, constant)


@check(
    dynamic_rollouts_stay_within,
    kind=Kind.SIMULATED,
    domain="sigmoid edges on 5 vertices with 2 features, errors in weight or query, up to 8 steps",
    error_level=1e-6,
)
def rollouts_on_dynamic_edges(budget: Budget) -> Iterator[JointRun]:
    """One kind of error at a time, then both."""
    rng = budget.generator()
    for run in range(60 if budget.deep else 12):
        weight, query = random_weight(2, 0.5, rng), random_weight(2, 1.0, rng)
        off_weight = weight + random_weight(2, 0.05, rng) * (run % 3 != 0)
        off_query = query + random_weight(2, 0.05, rng) * (run % 3 != 1)
        for steps in (1, 3, 8):
            start = rng.normal(size=(5, 2)) / 4
            yield _measured(start, (weight, off_weight), (query, off_query), steps)


def _measured(start: Any, weights: Any, queries: Any, steps: int) -> JointRun:
    rollout = dynamic_edge_rollout(start, weights=weights, queries=queries, horizon=steps)
    state = max(float(np.linalg.norm(x, 2)) for x in (*rollout.truth, *rollout.model))
    reach = max(float(np.linalg.norm(a, 2)) for a in rollout.model_edges)
    size = float(np.linalg.norm(weights[1], 2))
    return JointRun(
        node_to_node=reach * size,
        edge_to_node=size * state,
        node_to_edge=edge_head_lipschitz(queries[1], np.eye(2), state_norm=state),
        node_errors=tuple(rollout.node_errors.tolist()),
        edge_errors=tuple(rollout.edge_errors.tolist()),
        edge_start=float(np.linalg.norm(rollout.model_edges[0] - rollout.true_edges[0])),
        error=float(np.linalg.norm(rollout.model[-1] - rollout.truth[-1])),
    )
