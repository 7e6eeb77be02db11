"""Simulations and property tests of the claims about rollouts on fixed edges."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from rolltheory.claims import Budget, ConfidenceInterval, Kind, Sides, check
from rolltheory.graph_world.claims.matrices import floats, matrix
from rolltheory.graph_world.claims.rollout import (
    Floor,
    LinearRollout,
    Run,
    Validity,
    WeightedStep,
    error_stays_within_the_fixed_edge_bound,
    horizon_is_the_inverse,
    noise_sets_a_floor,
    weighted_norms_contract_by_the_radius,
)
from rolltheory.graph_world.lipschitz import operator_norm
from rolltheory.graph_world.rollout import fixed_edge_bound
from simulators.graph_world.rollouts import (
    MessagePassing,
    fixed_edge_environment,
    fixed_edge_rollout,
    planted_model,
)
from simulators.graph_world.topologies import TOPOLOGIES, message_matrix, topology
from validation.graph_world.strategies import matrices, positive_vectors, rationals, vectors

__all__ = [
    "any_horizon",
    "any_linear_rollout",
    "any_weighted_step",
    "noisy_linear_models",
    "rollouts_on_every_topology",
]

ERROR_LEVEL = 1e-6
FloatBound = Callable[[float, float, Any], Any]


def float_bound(lipschitz: float, start: float, missed: Any) -> float:
    """The library's envelope at the end."""
    return float(fixed_edge_bound(lipschitz, start, missed)[-1])


def run_within_the_bound(case: Run, bound: FloatBound = float_bound) -> Sides:
    """A measured run against the float envelope."""
    return Sides(case.error, bound(case.lipschitz, case.start, list(case.sizes)))


@check(
    error_stays_within_the_fixed_edge_bound,
    kind=Kind.SIMULATED,
    domain="seven topologies of 20 vertices, tanh and linear layers, up to 16 steps",
    error_level=ERROR_LEVEL,
    route=run_within_the_bound,
    teeth={
        "start forgotten": lambda lipschitz, _, missed: float_bound(lipschitz, 0.0, missed),
        "errors reversed in time": lambda lipschitz, start, missed: float_bound(
            lipschitz, start, missed[::-1]
        ),
        "10 % smaller growth": lambda lipschitz, start, missed: float_bound(
            0.9 * lipschitz, start, missed
        ),
        "only the last error": lambda lipschitz, start, missed: (
            lipschitz ** len(missed) * start + missed[-1]
        ),
    },
)
def rollouts_on_every_topology(budget: Budget) -> Iterator[Run]:
    """Models with planted errors; then linear ones with errors along the Perron vector."""
    rng = budget.generator()
    for name in TOPOLOGIES:
        messages = message_matrix(topology(name, 20, seed=1), "symmetric")
        world = fixed_edge_environment(messages, features=3, weight_norm=1.1, generator=rng)
        model = planted_model(world, weight_error=0.05, generator=rng)
        start = rng.normal(size=(20, 3))
        yield from _runs(world, model, start, 0.1, rng)
        perron = np.linalg.eigh(messages)[1][:, -1:]
        linear = MessagePassing(messages, (np.array([[1.2]]),), "identity")
        yield from _late(linear, perron)


def _runs(
    world: MessagePassing,
    model: MessagePassing,
    start: Any,
    offset: float,
    rng: np.random.Generator,
) -> Iterator[Run]:
    rollout = fixed_edge_rollout(
        world, model, start, horizon=16, noise_std=0.0, start_error=offset, generator=rng
    )
    errors = np.linalg.norm(rollout.errors, axis=(1, 2))
    missed = np.linalg.norm(rollout.one_step_errors, axis=(1, 2))
    for steps in (1, 4, 16):
        yield Run(
            operator_norm(model.weights[0]),
            float(errors[0]),
            tuple(missed[:steps]),
            float(errors[steps]),
        )


def _late(step: MessagePassing, perron: Any) -> Iterator[Run]:
    """Errors along the Perron vector, at the start and at the first of three steps: attained."""
    error = perron.copy()
    for k in range(3):
        error = step(error) + (perron if k == 0 else 0)
    size = float(np.linalg.norm(perron))
    yield Run(1.2 * (1 + 1e-12), size, (size, 0.0, 0.0), float(np.linalg.norm(error)))


@check(
    error_stays_within_the_fixed_edge_bound,
    kind=Kind.PROPERTY_TESTED,
    domain="2 x 2 models of quarters from 0 to 2, three steps of errors",
)
def any_linear_rollout(_: Budget) -> Any:
    """Nonnegative models and errors, where little cancels."""
    from hypothesis import strategies as st

    positive = positive_vectors(2)
    missed = st.tuples(positive, positive, positive)
    return st.builds(LinearRollout, matrices(2), positive, missed)


@check(
    weighted_norms_contract_by_the_radius,
    kind=Kind.PROPERTY_TESTED,
    domain="3 x 3 matrices of quarters, arbitrary positive vectors, all three norms",
)
def any_weighted_step(_: Budget) -> Any:
    """Errors along the right vector come near the bound."""
    from hypothesis import strategies as st

    def built(m: Any, right: Any, left: Any, error: Any, norm: str) -> WeightedStep:
        return WeightedStep(m, right, left, right if norm == "largest" else error, norm)

    norms = st.sampled_from(["largest", "total", "quadratic"])
    positive = positive_vectors(3)
    return st.builds(built, matrices(3), positive, positive, vectors(3, 1, 3), norms)


@check(
    horizon_is_the_inverse,
    kind=Kind.PROPERTY_TESTED,
    domain="growth of sixteenths up to 2, tolerance of sixteenths up to 60",
)
def any_horizon(_: Budget) -> Any:
    """Sixteenths are exact in floats."""
    from hypothesis import strategies as st

    tolerance = rationals(0, 60, 16).map(lambda value: value + Fraction(1, 16))
    return st.builds(Validity, rationals(0, 2, 16), tolerance)


@check(
    noise_sets_a_floor,
    kind=Kind.SIMULATED,
    domain="2 x 2 models, normal and not, four steps, 200,000 runs each",
    error_level=ERROR_LEVEL,
)
def noisy_linear_models(budget: Budget) -> Iterator[Floor]:
    """The truth alone is rolled out, from zero."""
    from scipy.special import ndtri

    rng = budget.generator()
    models = [[["1/2", 1], [0, "1/2"]], [[0, 1], [-1, 0]], [["1/2", "1/4"], ["1/4", "1/2"]]]
    width = -ndtri(ERROR_LEVEL / (2 * len(models)))
    for rows in models:
        jacobian = matrix(rows)
        step = np.array(floats(jacobian))
        states = np.zeros((200_000, 2))
        for _ in range(4):
            states = states @ step.T + rng.normal(size=states.shape)
        sizes = (states**2).sum(axis=1)
        half = width * sizes.std() / np.sqrt(sizes.size)
        interval = ConfidenceInterval(
            float(sizes.mean() - half), float(sizes.mean() + half), ERROR_LEVEL / len(models)
        )
        yield Floor(jacobian, 4, interval)
