"""Environments on fixed and on changing edges, models with planted errors, and their rollouts.

A batch of rollouts is an array (..., n, d); all runs of a batch share the graph.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import integer_array, real_array

__all__ = [
    "DynamicRollout",
    "FixedRollout",
    "MessagePassing",
    "dynamic_edge_rollout",
    "fixed_edge_environment",
    "fixed_edge_rollout",
    "planted_model",
    "random_weight",
    "top_edges",
]

FloatArray = npt.NDArray[np.float64]
Step = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True)
class MessagePassing:
    """Layers X -> activation(A X W), one after another, then an optional residual X.

    Attributes
    ----------
    adjacency : (n, n) message matrix
    weights : (d, d) each
    activation : "identity" or "tanh"
    residual : whether X is added to the last layer
    """

    adjacency: FloatArray
    weights: tuple[FloatArray, ...]
    activation: Literal["identity", "tanh"] = "tanh"
    residual: bool = False

    def __call__(self, states: FloatArray) -> FloatArray:
        hidden = states
        for weight in self.weights:
            hidden = self.adjacency @ hidden @ weight
            hidden = np.tanh(hidden) if self.activation == "tanh" else hidden
        return states + hidden if self.residual else hidden


@dataclass(frozen=True)
class FixedRollout:
    """Truth and model side by side on fixed edges.

    Attributes
    ----------
    truth, model : (H + 1, ..., n, d) states
    one_step_errors : (H, ..., n, d), model step from the true state less the next true state
    """

    truth: FloatArray
    model: FloatArray
    one_step_errors: FloatArray

    @property
    def errors(self) -> FloatArray:
        """(H + 1, ..., n, d)"""
        return self.model - self.truth


@dataclass(frozen=True)
class DynamicRollout:
    """The same on edges that are computed from the state.

    Attributes
    ----------
    truth, model : (H + 1, n, d) states
    true_edges, model_edges : (H + 1, n, n)
    node_errors, edge_errors : (H,) one-step errors at the true state and edges, Frobenius norms
    """

    truth: FloatArray
    model: FloatArray
    true_edges: FloatArray
    model_edges: FloatArray
    node_errors: FloatArray
    edge_errors: FloatArray


def random_weight(size: int, norm: float, generator: np.random.Generator) -> FloatArray:
    """A Gaussian matrix scaled to a spectral norm.

    >>> weight = random_weight(4, 0.9, np.random.default_rng(0))
    >>> round(float(np.linalg.norm(weight, 2)), 12)
    0.9
    """
    matrix = generator.normal(size=(size, size))
    return np.asarray(matrix * norm / np.linalg.norm(matrix, 2))


def fixed_edge_environment(
    adjacency: FloatArray, *, features: int, weight_norm: float, generator: np.random.Generator
) -> MessagePassing:
    """One tanh layer with a random weight: the environment of the published experiments.

    >>> world = fixed_edge_environment(
    ...     np.eye(3), features=2, weight_norm=0.9, generator=np.random.default_rng(0)
    ... )
    >>> world(np.zeros((3, 2))).shape
    (3, 2)
    """
    return MessagePassing(adjacency, (random_weight(features, weight_norm, generator),))


def planted_model(
    environment: MessagePassing, *, weight_error: float, generator: np.random.Generator
) -> MessagePassing:
    """The same layers, with a random error of a given spectral norm on every weight.

    >>> world = MessagePassing(np.eye(2), (np.eye(2),))
    >>> model = planted_model(world, weight_error=0.1, generator=np.random.default_rng(0))
    >>> round(float(np.linalg.norm(model.weights[0] - np.eye(2), 2)), 12)
    0.1
    """
    weights = tuple(
        weight + random_weight(weight.shape[0], weight_error, generator)
        for weight in environment.weights
    )
    return MessagePassing(
        environment.adjacency, weights, environment.activation, environment.residual
    )


def fixed_edge_rollout(
    environment: Step,
    model: Step,
    start: FloatArray,
    *,
    horizon: int,
    noise_std: float = 0.0,
    start_error: float = 0.0,
    generator: np.random.Generator,
) -> FixedRollout:
    """Roll the truth, with process noise, and the model, without, from nearly the same state.

    Parameters
    ----------
    environment, model : one step on (..., n, d)
    start : (..., n, d) true first states
    horizon : H
    noise_std : of the noise added to each entry of the truth at each step
    start_error : standard deviation, per entry, of the model's first state about the true one
    generator : of noise and start

    Raises
    ------
    DomainError
        for negative arguments.

    Examples
    --------
    >>> rollout = fixed_edge_rollout(
    ...     lambda x: x / 2, lambda x: x / 2 + 1, np.zeros((2, 1)), horizon=2,
    ...     generator=np.random.default_rng(0))
    >>> rollout.errors[:, 0, 0]
    array([0. , 1. , 1.5])
    """
    steps = int(integer_array("horizon", horizon, at_least=1))
    spread = float(real_array("noise_std", noise_std, at_least=0))
    offset = float(real_array("start_error", start_error, at_least=0))
    truth, model_states, missed = [start], [start + offset * generator.normal(size=start.shape)], []
    for _ in range(steps):
        following = environment(truth[-1]) + spread * generator.normal(size=start.shape)
        missed.append(model(truth[-1]) - following)
        model_states.append(model(model_states[-1]))
        truth.append(following)
    return FixedRollout(np.array(truth), np.array(model_states), np.array(missed))


def top_edges(scores: FloatArray, degree: int) -> FloatArray:
    """The symmetric union of each row's highest scores, the diagonal left out.

    >>> top_edges(np.array([[0.0, 2, 1], [0, 0, 5], [3, 1, 0]]), 1)
    array([[0., 1., 1.],
           [1., 0., 1.],
           [1., 1., 0.]])
    """
    count = scores.shape[0]
    if not 1 <= degree < count:
        raise DomainError("degree", degree, f"1 to {count - 1} edges per row")
    outside = np.where(np.eye(count, dtype=bool), -np.inf, scores)
    chosen = np.argsort(-outside, axis=1, kind="stable")[:, :degree]
    edges = np.zeros((count, count))
    np.put_along_axis(edges, chosen, 1.0, axis=1)
    return np.maximum(edges, edges.T)


def dynamic_edge_rollout(
    start: FloatArray,
    *,
    weights: tuple[FloatArray, FloatArray],
    queries: tuple[FloatArray, FloatArray],
    horizon: int,
    bias: float = 0.0,
) -> DynamicRollout:
    """Truth and model with tanh(A X W), then A = sigmoid(X Q X^T + bias) from the new state.

    Parameters
    ----------
    start : (n, d) first state of both
    weights : (d, d) W of the truth and of the model
    queries : (d, d) Q of the truth and of the model
    horizon : H
    bias : of the edge scores

    Raises
    ------
    DomainError
        for a horizon below 1.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> rollout = dynamic_edge_rollout(
    ...     rng.normal(size=(3, 2)), weights=(np.eye(2), np.eye(2)), queries=(np.eye(2), np.eye(2)),
    ...     horizon=2)
    >>> float(np.abs(rollout.truth - rollout.model).max())
    0.0
    """
    steps = int(integer_array("horizon", horizon, at_least=1))

    def edges(state: FloatArray, query: FloatArray) -> FloatArray:
        return np.asarray(1 / (1 + np.exp(-(state @ query @ state.T + bias))))

    truth, model = [start], [start]
    true_edges, model_edges = [edges(start, queries[0])], [edges(start, queries[1])]
    node_errors, edge_errors = [], []
    for _ in range(steps):
        following = np.tanh(true_edges[-1] @ truth[-1] @ weights[0])
        node_errors.append(np.tanh(true_edges[-1] @ truth[-1] @ weights[1]) - following)
        model.append(np.tanh(model_edges[-1] @ model[-1] @ weights[1]))
        truth.append(following)
        true_edges.append(edges(following, queries[0]))
        edge_errors.append(edges(following, queries[1]) - true_edges[-1])
        model_edges.append(edges(model[-1], queries[1]))
    return DynamicRollout(
        *(np.array(part) for part in (truth, model, true_edges, model_edges)),
        node_errors=np.linalg.norm(node_errors, axis=(1, 2)),
        edge_errors=np.linalg.norm(edge_errors, axis=(1, 2)),
    )
