"""Exact checks of the claims about rollouts on fixed edges."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from proofs_checks.graph_world.matrices import every_matrix, every_vector, perron_triples
from rolltheory.claims import Budget, Kind, check
from rolltheory.graph_world.claims.matrices import matrix, vector
from rolltheory.graph_world.claims.rollout import (
    Floor,
    LinearRollout,
    Validity,
    WeightedStep,
    error_stays_within_the_fixed_edge_bound,
    horizon_is_the_inverse,
    noise_sets_a_floor,
    weighted_norms_contract_by_the_radius,
)

__all__ = ["every_floor", "every_horizon", "every_linear_rollout", "every_weighted_step"]


@check(
    error_stays_within_the_fixed_edge_bound,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "scalar models -2 to 2, three steps; 2 x 2 models with entries -1, 0, 1, two steps",
        "deep": "the same with 2 x 2 models over three steps",
    },
)
def every_linear_rollout(budget: Budget) -> Iterator[LinearRollout]:
    """In rationals, in the norm of the largest entry."""
    for growth, start, *missed in product((-2, -1, 0, 1, 2), (0, 1), (0, 1, 2), (0, 1), (1, 3)):
        yield LinearRollout(matrix([[growth]]), vector([start]), tuple(vector([m]) for m in missed))
    errors = list(every_vector((-1, 2), 2))
    steps = 3 if budget.deep else 2
    for model, start in product(every_matrix((-1, 0, 1), 2), errors):
        for missed in product(errors, repeat=steps):
            yield LinearRollout(model, start, missed)


@check(
    weighted_norms_contract_by_the_radius,
    kind=Kind.ENUMERATED,
    domain="2 x 2 matrices with rational Perron vectors, and entries 0 to 2 with other vectors",
)
def every_weighted_step(_: Budget) -> Iterator[WeightedStep]:
    """All three norms; the quadratic one squared."""
    norms = ("largest", "total", "quadratic")
    errors = list(every_vector((0, 1, 2), 2))[1:]
    for (m, right, left), error, norm in product(perron_triples((1, 2, 3)), errors, norms):
        yield WeightedStep(m, right, left, error, norm)
    others = list(every_vector((1, 2), 2))
    for m, right, left, norm in product(every_matrix((0, 1, 2), 2), others, others, norms):
        yield WeightedStep(m, right, left, vector([1, 2]), norm)


@check(
    horizon_is_the_inverse,
    kind=Kind.ENUMERATED,
    domain="growth 0 to 2 in quarters, tolerance up to 20 in halves: all exact in floats",
)
def every_horizon(_: Budget) -> Iterator[Validity]:
    """Counted in rationals."""
    for growth, tolerance in product(range(9), range(1, 41)):
        yield Validity(Fraction(growth, 4), Fraction(tolerance, 2))


@check(
    noise_sets_a_floor,
    kind=Kind.ENUMERATED,
    domain="2 x 2 models with entries -1, 0, 1 or 2, up to four steps: all exact in floats",
)
def every_floor(_: Budget) -> Iterator[Floor]:
    """By the recursion of the covariance."""
    for model, horizon in product(every_matrix((-1, 0, 2), 2), range(5)):
        yield Floor(model, horizon)
