"""Lipschitz constants: worked gains, brute-force stretches, and what has no constant."""

from __future__ import annotations

from math import sqrt

import networkx as nx
import numpy as np
import pytest
from scipy import sparse

from rolltheory.errors import DomainError, UnsupportedError
from rolltheory.graph_world.edges import (
    edge_head_lipschitz,
    normalisation_lipschitz,
    topk_margin_horizon,
)
from rolltheory.graph_world.lipschitz import (
    activation_slope,
    closed_loop_lipschitz,
    damped_lipschitz,
    layer_lipschitz,
    operator_norm,
    step_lipschitz,
)

ACTIVATIONS = {
    "relu": lambda x: np.maximum(x, 0),
    "leaky_relu": lambda x: np.where(x > 0, x, 0.01 * x),
    "tanh": np.tanh,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "gelu": lambda x: x * (1 + np.vectorize(__import__("math").erf)(x / sqrt(2))) / 2,
    "silu": lambda x: x / (1 + np.exp(-x)),
}


def normalised(graph: nx.Graph) -> np.ndarray:
    weights = nx.to_numpy_array(graph) + np.eye(len(graph))
    scale = 1 / np.sqrt(weights.sum(axis=1))
    return scale[:, None] * weights * scale


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_slopes_are_the_steepest_secants(name: str) -> None:
    points = np.linspace(-6, 6, 240_001)
    steepest = np.abs(np.diff(ACTIVATIONS[name](points)) / np.diff(points)).max()
    assert steepest <= activation_slope(name) * (1 + 1e-9)
    assert steepest == pytest.approx(activation_slope(name), abs=1e-8)


def test_published_slopes() -> None:
    assert activation_slope("gelu") == pytest.approx(1.128904, abs=5e-7)
    assert activation_slope("silu") == pytest.approx(1.099839, abs=5e-7)
    assert activation_slope("identity") == 1


@pytest.mark.parametrize("name", ["attention", "layer_norm"])
def test_no_global_constant_is_invented(name: str) -> None:
    with pytest.raises(UnsupportedError, match="global constant"):
        activation_slope(name)
    with pytest.raises(UnsupportedError, match="known are identity"):
        activation_slope("softmin")


def test_operator_norms_are_upper_bounds_to_rounding() -> None:
    rng = np.random.default_rng(0)
    for shape in [(3, 5), (5, 3), (4, 4)]:
        matrix = rng.normal(size=shape)
        norm = np.linalg.norm(matrix, 2)
        assert norm <= operator_norm(matrix) <= norm * (1 + 1e-12)
        norm = np.linalg.norm(np.abs(matrix), 2)
        assert norm * (1 - 1e-12) <= operator_norm(np.abs(matrix)) <= norm * (1 + 1e-9)
        # a sparse signed matrix is bounded by its absolute values
        assert operator_norm(sparse.csr_array(matrix)) == operator_norm(np.abs(matrix))
    assert operator_norm(np.zeros((2, 3))) == 0


@pytest.mark.parametrize("symmetric", [True, False])
def test_a_linear_layer_attains_its_constant(symmetric: bool) -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        adjacency = rng.normal(size=(5, 5))
        if symmetric:
            adjacency = adjacency + adjacency.T
        weight, skip = rng.normal(size=(2, 3, 4))
        whole = np.kron(weight.T, adjacency) + np.kron(skip.T, np.eye(5))
        true = np.linalg.norm(whole, 2)
        constant = layer_lipschitz(adjacency, weight, skip)
        assert true <= constant
        if symmetric:
            assert constant == pytest.approx(true, rel=1e-9)


def test_the_star_doubles() -> None:
    star = nx.to_numpy_array(nx.star_graph(4))
    assert layer_lipschitz(star, 0.4 * np.eye(3)) == pytest.approx(0.8)
    assert layer_lipschitz(star, np.eye(3), slope=0.25) == pytest.approx(0.5)


def test_residual_blocks_of_unit_norm_gain_five() -> None:
    matrix = normalised(nx.star_graph(49))
    state = np.abs(np.linalg.eigh(matrix)[1][:, -1:])  # the Perron vector, positive
    hidden = state
    for _ in range(2):
        hidden = np.maximum(matrix @ hidden, 0) + hidden
    gain = np.linalg.norm(state + hidden) / np.linalg.norm(state)
    bound = step_lipschitz(
        "residual_blocks", adjacency_norm=operator_norm(matrix), weight_norms=[1, 1]
    )
    assert gain == pytest.approx(5)
    assert gain <= bound == pytest.approx(5)


def test_two_layers_pay_the_adjacency_twice() -> None:
    matrix = nx.to_numpy_array(nx.complete_graph(50))
    gain = np.linalg.norm(0.25 * matrix @ matrix, 2)
    bound = step_lipschitz("plain", adjacency_norm=operator_norm(matrix), weight_norms=[0.5, 0.5])
    assert gain == pytest.approx(600.25)
    assert gain <= bound == pytest.approx(600.25)
    once = step_lipschitz("one_hop", adjacency_norm=operator_norm(matrix), weight_norms=[0.5, 0.5])
    assert once == pytest.approx(12.25)  # right for one message pass, 49 times too small for two


@pytest.mark.parametrize("architecture", ["plain", "one_hop", "residual", "residual_blocks"])
def test_no_pair_of_states_is_stretched_further(architecture: str) -> None:
    rng = np.random.default_rng(2)
    matrix = normalised(nx.barabasi_albert_graph(12, 2, seed=1)) * 1.5
    first, second, into, out = rng.normal(size=(4, 3, 3)) * 0.7

    def plain(x: np.ndarray) -> np.ndarray:
        return np.tanh(matrix @ np.tanh(matrix @ x @ first) @ second)

    def blocks(x: np.ndarray) -> np.ndarray:
        for weight in (first, second):
            x = np.tanh(matrix @ x @ weight) + x
        return x

    step = {
        "plain": plain,
        "one_hop": lambda x: np.tanh(matrix @ x @ first) @ second,
        "residual": lambda x: x + plain(x @ into) @ out,
        "residual_blocks": lambda x: x + blocks(x @ into) @ out,
    }[architecture]
    bound = step_lipschitz(
        architecture,
        adjacency_norm=operator_norm(matrix),
        weight_norms=[operator_norm(first), operator_norm(second)],
        input_norm=operator_norm(into),
        output_norm=operator_norm(out),
    )
    here = rng.normal(size=(200, 12, 3)) * 0.1
    there = here + rng.normal(size=(200, 12, 3)) * 1e-3
    stretch = np.linalg.norm(step(there) - step(here), axis=(1, 2))
    assert (stretch <= bound * np.linalg.norm(there - here, axis=(1, 2))).all()


def test_mixed_and_closed_loops() -> None:
    assert damped_lipschitz([3, 0.5], 0.5) == pytest.approx([2, 0.75])
    assert closed_loop_lipschitz(0.5, 0.25, 2) == pytest.approx(1)
    with pytest.raises(DomainError, match="mixing"):
        damped_lipschitz(1, 1.5)


def test_the_edge_head_has_slope_ten_where_half_was_claimed() -> None:
    constant = edge_head_lipschitz([[1]], [[1]], state_norm=20)
    assert constant == pytest.approx(10)

    def head(x: float) -> float:
        return 1 / (1 + np.exp(-(x * x - 400)))

    slope = (head(20 + 1e-6) - head(20 - 1e-6)) / 2e-6
    assert slope == pytest.approx(10, rel=1e-6)


def test_the_edge_head_on_random_states() -> None:
    rng = np.random.default_rng(3)
    projection, query = rng.normal(size=(4, 2)), rng.normal(size=(2, 2))
    states = rng.normal(size=(2, 6, 4))
    radius = max(np.linalg.norm(state, 2) for state in states)
    scores = [state @ projection @ query @ projection.T @ state.T for state in states]
    edges = [1 / (1 + np.exp(-score)) for score in scores]
    bound = edge_head_lipschitz(query, projection, state_norm=radius)
    assert np.linalg.norm(edges[1] - edges[0]) <= bound * np.linalg.norm(states[1] - states[0])


def test_normalisation_stretches_by_the_root_of_n() -> None:
    size, step = 25, 1e-6
    star = nx.to_numpy_array(nx.star_graph(size - 1))

    def normalise(weights: np.ndarray) -> np.ndarray:
        looped = weights + np.eye(size)
        scale = 1 / np.sqrt(looped.sum(axis=1))
        return scale[:, None] * looped * scale

    change = np.linalg.norm(normalise(step * star) - normalise(0 * star))
    derivative = change / (step * np.linalg.norm(star))
    assert derivative == pytest.approx(sqrt((size + 2) / 2), rel=1e-4)
    assert derivative <= normalisation_lipschitz(size) == pytest.approx(6)
    assert normalisation_lipschitz(size, smallest_degree=2) == pytest.approx(3)


def test_hard_edges_hold_while_the_margin_does() -> None:
    errors = [0.0, 0.1, 0.3, 0.1]
    assert topk_margin_horizon([0.5] * 4, errors, score_lipschitz=1) == 2
    assert topk_margin_horizon([[0.5, 9]] * 4, errors, score_lipschitz=1) == 2
    assert topk_margin_horizon([0.5] * 4, errors, score_lipschitz=0.5) == 4
    assert topk_margin_horizon([0.0] * 4, [0.0] * 4, score_lipschitz=1) == 0


def test_a_tie_flips_on_next_to_nothing() -> None:
    def nearest(points: np.ndarray) -> np.ndarray:
        distances = np.abs(points[:, None] - points) + np.diag([np.inf] * points.size)
        return np.eye(points.size)[distances.argmin(axis=1)]

    left, right = (np.array([side, 1, -1, 1.5, -1.5]) for side in (-1e-9, 1e-9))
    assert np.linalg.norm(nearest(left) - nearest(right)) ** 2 == pytest.approx(2)
    gap = abs(abs(left[0] - 1) - abs(left[0] + 1))
    moved = np.abs(left - right).max()
    assert topk_margin_horizon([gap], [moved], score_lipschitz=1) == 0


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: layer_lipschitz(np.eye(2), np.eye(3), np.eye(2)), "skip"),
        (lambda: layer_lipschitz(np.ones((2, 3)), np.eye(3)), "a square matrix"),
        (lambda: layer_lipschitz([[np.nan]], [[1]]), "finite"),
        (lambda: operator_norm(sparse.csr_array([[np.inf]])), "finite"),
        (lambda: step_lipschitz("plain", adjacency_norm=-1, weight_norms=[1]), "adjacency_norm"),
        (lambda: step_lipschitz("mlp", adjacency_norm=1, weight_norms=[1]), "architecture"),
        (lambda: normalisation_lipschitz(3, smallest_degree=0.5), "smallest_degree"),
        (lambda: topk_margin_horizon([1, 1], [1], score_lipschitz=1), "one per step"),
    ],
)
def test_bad_arguments_are_named(call, words) -> None:
    with pytest.raises((DomainError, UnsupportedError), match=words):
        call()
