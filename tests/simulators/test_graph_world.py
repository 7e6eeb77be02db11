"""The simulators of graph world models do what they say."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from rolltheory.errors import DomainError
from simulators.graph_world.rollouts import (
    MessagePassing,
    dynamic_edge_rollout,
    fixed_edge_environment,
    fixed_edge_rollout,
    planted_model,
    random_weight,
    top_edges,
)
from simulators.graph_world.series import (
    autoregressive_season,
    random_markov_models,
    spectral_field,
    walker,
)
from simulators.graph_world.topologies import (
    TOPOLOGIES,
    calling_tree,
    message_matrix,
    topology,
)

EDGES = {
    "chain": 49,
    "tree": 49,
    "grid": 85,
    "small_world": 100,
    "scale_free": 96,
    "star": 49,
    "complete": 1225,
}


@pytest.mark.parametrize("name", TOPOLOGIES)
def test_every_topology(name) -> None:
    adjacency = topology(name, 50, seed=1)
    assert adjacency.sum() / 2 == EDGES[name]
    assert (adjacency == adjacency.T).all()
    assert not adjacency.diagonal().any()
    assert nx.is_connected(nx.from_numpy_array(adjacency))
    acyclic = topology(name, 50, seed=1, directed=True)
    assert nx.is_directed_acyclic_graph(nx.from_numpy_array(acyclic, create_using=nx.DiGraph))
    assert (acyclic + acyclic.T == adjacency).all()


@pytest.mark.parametrize("name", TOPOLOGIES)
def test_normalised_messages_have_radius_one(name) -> None:
    adjacency = topology(name, 50, seed=2)
    symmetric = message_matrix(adjacency, "symmetric")
    assert np.linalg.norm(symmetric, 2) == pytest.approx(1)
    walk = message_matrix(adjacency, "random_walk")
    assert walk.sum(axis=1) == pytest.approx(np.ones(50))
    assert message_matrix(adjacency, "none") is adjacency


def test_calling_trees_never_have_a_cycle() -> None:
    rng = np.random.default_rng(0)
    for cross in (0.0, 0.2, 1.0):
        calls = nx.from_numpy_array(
            calling_tree(30, cross_calls=cross, generator=rng).T, create_using=nx.DiGraph
        )
        assert nx.is_directed_acyclic_graph(calls)
        assert nx.has_path(calls, 0, 29) or cross == 0
        assert len(nx.descendants(calls, 0)) == 29


def test_a_fixed_rollout_records_what_happened() -> None:
    rng = np.random.default_rng(1)
    world = fixed_edge_environment(
        message_matrix(topology("star", 6), "symmetric"),
        features=3,
        weight_norm=0.9,
        generator=rng,
    )
    model = planted_model(world, weight_error=0.1, generator=rng)
    start = rng.normal(size=(4, 6, 3))
    rollout = fixed_edge_rollout(
        world, model, start, horizon=5, noise_std=0.01, start_error=0.1, generator=rng
    )
    assert rollout.truth.shape == (6, 4, 6, 3)
    np.testing.assert_allclose(
        rollout.one_step_errors, model(rollout.truth[:-1]) - rollout.truth[1:]
    )
    np.testing.assert_allclose(rollout.model[1:], model(rollout.model[:-1]))
    assert rollout.errors.std() > 0


def test_layers_and_residuals() -> None:
    step = MessagePassing(2 * np.eye(2), (np.eye(1), 3 * np.eye(1)), "identity", residual=True)
    assert step(np.ones((2, 1))).tolist() == [[13], [13]]
    tanh = MessagePassing(np.eye(2), (np.eye(1),))
    assert tanh(np.ones((2, 1)))[0, 0] == pytest.approx(np.tanh(1))
    assert np.linalg.norm(random_weight(5, 0.7, np.random.default_rng(0)), 2) == pytest.approx(0.7)


def test_a_dynamic_rollout_of_the_truth_by_itself_is_exact() -> None:
    rng = np.random.default_rng(2)
    weight, query = random_weight(3, 0.9, rng), random_weight(3, 1, rng)
    start = rng.normal(size=(5, 3))
    same = dynamic_edge_rollout(start, weights=(weight, weight), queries=(query, query), horizon=4)
    assert not same.node_errors.any()
    assert not same.edge_errors.any()
    off = dynamic_edge_rollout(
        start, weights=(weight, weight * 1.1), queries=(query, query), horizon=4
    )
    assert (off.node_errors > 0).all()
    assert off.model_edges[0] == pytest.approx(off.true_edges[0])
    assert np.abs(off.model_edges[-1] - off.true_edges[-1]).max() > 0


def test_top_edges_are_symmetric_and_bounded() -> None:
    scores = np.random.default_rng(3).normal(size=(8, 8))
    edges = top_edges(scores, 3)
    assert (edges == edges.T).all()
    assert (edges.sum(axis=1) >= 3).all()
    with pytest.raises(DomainError, match="degree"):
        top_edges(scores, 8)


def test_models_are_chains_with_bounded_rewards() -> None:
    models = random_markov_models(50, 4, np.random.default_rng(4))
    for chains in (models.truth, models.model):
        assert (chains >= 0).all()
        assert chains.sum(axis=2) == pytest.approx(np.ones((50, 4)))
    assert models.model_rewards.min() >= 0
    assert models.model_rewards.max() <= 1


def test_a_spectral_field_grows_where_its_multiplier_does() -> None:
    field = spectral_field(
        np.array([0.9, 1.1]), steps=100, generator=np.random.default_rng(5), noise_std=0.0
    )
    ratio = np.abs(field[-1] / field[0])
    assert ratio == pytest.approx([0.9**100, 1.1**100])


def test_the_weather_has_the_variance_of_its_memory() -> None:
    series = autoregressive_season(
        200_000,
        period=100,
        amplitude=0,
        memory=0.8,
        noise_std=0.6,
        generator=np.random.default_rng(6),
    )
    assert series.std() == pytest.approx(1.0, rel=0.03)
    assert np.corrcoef(series[:-1], series[1:])[0, 1] == pytest.approx(0.8, abs=0.01)


def test_the_walker_scales_with_friction() -> None:
    friction = np.array([0.5, 1.0, 2.0])
    states = walker(
        friction, runs=4000, steps=16, exponent=-0.22, generator=np.random.default_rng(7)
    )
    kicks = (np.diff(states[..., 1], axis=-1) ** 2).mean(axis=(1, 2))
    assert kicks / kicks[1] == pytest.approx(friction**-0.22, rel=0.04)
    moved = np.diff(states[..., 0], axis=-1) - 0.025 * states[..., :-1, 1]
    assert np.abs(moved).max() < 1e-12


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: topology("ring", 9), "name"),
        (lambda: topology("star", 4), "vertices"),
        (lambda: message_matrix(np.eye(2), "rows"), "normalisation"),
        (
            lambda: calling_tree(3, cross_calls=2, generator=np.random.default_rng(0)),
            "cross_calls",
        ),
    ],
)
def test_bad_arguments_are_named(call, words) -> None:
    with pytest.raises(DomainError, match=words):
        call()
