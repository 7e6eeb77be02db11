"""The simulated graphs, labels, noise and rollouts are what they say they are."""

import networkx
import numpy as np
import pytest

from rolltheory.errors import DomainError
from simulators.action_gap import (
    Network,
    adversarial_noise,
    cost_to_go,
    greedy_runs,
    grid,
    network_of_cells,
    random_labels,
    random_maze,
    random_network,
    uniform_noise,
)


@pytest.fixture
def generator():
    return np.random.default_rng(7)


def as_networkx(network):
    graph = networkx.empty_graph(network.vertices)
    graph.add_weighted_edges_from(
        (*edge, length)
        for edge, length in zip(network.edges.tolist(), network.lengths.tolist(), strict=True)
    )
    return graph


def test_random_networks_are_connected_and_simple(generator):
    sizes = set()
    for _ in range(50):
        network = random_network(9, extra_edges=6, longest=3.0, generator=generator)
        graph = as_networkx(network)
        assert networkx.is_connected(graph)
        assert graph.number_of_edges() == len(network.edges)
        assert networkx.number_of_selfloops(graph) == 0
        assert 1 <= network.lengths.min() <= network.lengths.max() <= 3
        sizes.add(len(network.edges))
    assert min(sizes) < max(sizes) <= 14
    assert (random_network(5, generator=generator).lengths == 1).all()


def test_grids_and_cells_are_those_of_networkx():
    lattice = networkx.convert_node_labels_to_integers(
        networkx.grid_2d_graph(3, 4), ordering="sorted"
    )
    assert {tuple(e) for e in grid(3, 4).edges.tolist()} == {
        tuple(sorted(edge)) for edge in lattice.edges
    }
    corner = network_of_cells([[1, 0], [1, 1]])
    assert corner.edges.tolist() == [[0, 1], [1, 2]]
    assert network_of_cells([[0, 1]]).edges.shape == (0, 2)


def test_a_random_maze_is_a_tree_of_rooms_plus_its_openings(generator):
    for openings in (0, 3):
        free = random_maze(5, 7, openings=openings, generator=generator)
        assert free.shape == (11, 15)
        assert free[1::2, 1::2].all()
        assert not free[0].any()
        assert not free[:, 0].any()
        assert not free[-1].any()
        assert not free[:, -1].any()
        graph = as_networkx(network_of_cells(free))
        assert networkx.is_connected(graph)
        assert graph.number_of_edges() - graph.number_of_nodes() + 1 == openings


def test_distances_are_those_of_networkx(generator):
    for longest in (1.0, 5.0):
        network = random_network(20, extra_edges=15, longest=longest, generator=generator)
        lengths = networkx.single_source_dijkstra_path_length(as_networkx(network), 4)
        expected = [lengths[vertex] for vertex in range(20)]
        np.testing.assert_allclose(cost_to_go(network, 4), expected)
    with pytest.raises(DomainError, match="need a connected network"):
        cost_to_go(Network(3, np.array([[0, 1]]), np.ones(1)), 0)


def test_labels_are_the_goal_and_the_asked_share(generator):
    network, seen = grid(10, 10), np.zeros(100)
    for _ in range(400):
        labels = random_labels(network, 3, 0.2, generator=generator)
        assert 3 in labels
        assert labels.size in (20, 21)
        assert (np.diff(labels) > 0).all()
        seen[labels] += 1
    assert seen[3] == 400
    others = np.delete(seen, 3) / 400
    assert (np.abs(others - 0.2) < 5 * np.sqrt(0.16 / 400)).all()
    assert random_labels(network, 3, 0.0, generator=generator).tolist() == [3]


def test_noise_stays_within_its_amplitude(generator):
    exact = np.arange(1000.0)
    error = uniform_noise(exact, 0.5, generator=generator) - exact
    assert np.abs(error).max() <= 0.5
    assert error.std() == pytest.approx(0.5 / np.sqrt(3), rel=0.1)
    assert adversarial_noise([1.0, 2.0], 0.25, [1, -1]).tolist() == [1.25, 1.75]
    with pytest.raises(DomainError, match=r"signs = .* is not allowed: need -1 or 1"):
        adversarial_noise([1.0, 2.0], 0.25, [1, 0])


def test_rollouts_follow_the_values_down_and_stop_at_the_cap(generator):
    network = grid(4, 4)
    distance = cost_to_go(network, 0)
    for ties in ("lowest_index", "highest_index", "random"):
        runs = greedy_runs(
            network, distance, range(16), 0, step_cap=20, ties=ties, generator=generator
        )
        assert runs.reached.all()
        assert (runs.steps == distance).all()
        assert (runs.cost == distance).all()
    capped = greedy_runs(network, distance, range(16), 0, step_cap=3, generator=generator)
    assert (capped.reached == (distance <= 3)).all()
    assert capped.steps.max() == 3
    lost = greedy_runs(network, -distance, [0, 5], 0, step_cap=50, generator=generator)
    assert lost.reached.tolist() == [True, False]


def test_planners_and_ties_differ_where_they_should(generator):
    ring = Network(4, np.array([[0, 1], [1, 2], [2, 3], [0, 3]]), np.array([1.0, 4.0, 1.0, 4.0]))
    values = [0.0, 1.0, 5 / 9, 4 / 9]
    reached = {
        planner: greedy_runs(
            ring, values, range(4), 0, step_cap=9, planner=planner, generator=generator
        ).reached.tolist()
        for planner in ("argmin_q", "steepest_slope")
    }
    assert reached["argmin_q"] == [True, True, False, False]
    assert all(reached["steepest_slope"])
    path = Network(4, np.array([[0, 1], [1, 2], [2, 3]]), np.ones(3))
    options = {"step_cap": 99, "generator": generator}
    flat = [0.0, 1.0, 1.0, 1.0]
    for ties, last in (("lowest_index", True), ("highest_index", False), ("random", True)):
        assert greedy_runs(path, flat, [3], 0, ties=ties, **options).reached.tolist() == [last]
    near = [0.0, 1.0, 1.0, 1.0 - 1e-9]
    for tolerance, last in ((0.0, False), (1e-8, True)):
        runs = greedy_runs(path, near, [3], 0, tie_tolerance=tolerance, **options)
        assert runs.reached.tolist() == [last]
    with pytest.raises(DomainError, match="ties = 'all'"):
        greedy_runs(path, flat, [3], 0, ties="all", **options)
    with pytest.raises(DomainError, match="planner = 'random'"):
        greedy_runs(path, flat, [3], 0, planner="random", **options)


def test_the_same_seed_gives_the_same_data():
    def everything(seed):
        generator = np.random.default_rng(seed)
        network = random_network(30, extra_edges=10, longest=2.0, generator=generator)
        labels = random_labels(network, 0, 0.3, generator=generator)
        noisy = uniform_noise(labels, 1.0, generator=generator)
        free = random_maze(4, 4, openings=2, generator=generator)
        runs = greedy_runs(network, np.zeros(30), range(30), 0, step_cap=9, generator=generator)
        parts = (network.edges, network.lengths, labels, noisy, free, runs.steps)
        return [part.tolist() for part in parts]

    assert everything(1) == everything(1)
    assert everything(1) != everything(2)
