"""Action gaps, neighbour counts and detour excess against their definitions."""

import networkx
import numpy as np
import pytest

from rolltheory.action_gap.certificates import (
    exact_certificate,
    half_gap_certificate,
    oscillation_certificate,
)
from rolltheory.action_gap.distances import distances
from rolltheory.action_gap.excess import detour_excess, label_distances
from rolltheory.action_gap.gaps import (
    action_gaps,
    optimal_moves,
    true_cost_to_go,
)
from rolltheory.action_gap.graph import graph_from_array, graph_from_edges
from rolltheory.action_gap.mazes import maze_map
from rolltheory.errors import AssumptionError, DomainError
from simulators.action_gap import cost_to_go, random_labels, random_network


@pytest.fixture
def generator():
    return np.random.default_rng(20260518)


def drawn(generator, longest=1.0):
    network = random_network(12, extra_edges=8, longest=longest, generator=generator)
    if longest > 1:
        lengths = np.round(network.lengths * 4) / 4
        network = type(network)(network.vertices, network.edges, lengths)
    graph = graph_from_edges(network.edges, lengths=network.lengths)
    goal = int(generator.integers(12))
    return network, graph, goal, cost_to_go(network, goal)


def gap_by_definition(graph, distance, vertex):
    q = {}
    for edge in range(graph.offsets[vertex], graph.offsets[vertex + 1]):
        q[int(graph.neighbours[edge])] = graph.lengths[edge] + distance[graph.neighbours[edge]]
    worse = [value - distance[vertex] for value in q.values() if value != distance[vertex]]
    return min(worse, default=np.inf)


@pytest.mark.parametrize("longest", [1.0, 4.0])
def test_gaps_are_those_of_the_definition(longest, generator):
    for _ in range(40):
        _, graph, goal, distance = drawn(generator, longest)
        gaps = action_gaps(graph, distance)
        for vertex in set(range(12)) - {goal}:
            assert gaps[vertex] == gap_by_definition(graph, distance, vertex)
        assert gaps[goal] == np.inf


def test_unit_cost_gaps_are_one_two_or_infinite(generator):
    seen = set()
    for _ in range(40):
        _, graph, _, distance = drawn(generator)
        seen |= set(action_gaps(graph, distance).tolist())
    assert seen == {1.0, 2.0, np.inf}


def test_bipartite_gaps_are_two_or_infinite():
    graph = graph_from_array(maze_map("large", refinement=4))
    gaps = action_gaps(graph, distances(graph, 0))
    assert set(gaps.tolist()) == {2.0, np.inf}


@pytest.mark.parametrize(("layout", "share"), [("medium", 0.765), ("large", 0.756)])
def test_a_gap_that_counts_ties_would_be_zero_nearly_everywhere(layout, share):
    """Trap 1: at three quarters of the states (r = 4) at least two moves are optimal."""
    graph = graph_from_array(maze_map(layout, refinement=4))
    generator = np.random.default_rng(0)
    shares = []
    for goal in generator.integers(0, graph.vertex_count, 40):
        distance = distances(graph, int(goal))
        best = np.bincount(graph.sources[optimal_moves(graph, distance)])
        shares.append((best >= 2).mean())
        assert (action_gaps(graph, distance) > 0).all()
    assert np.mean(shares) == pytest.approx(share, abs=0.05)


@pytest.mark.parametrize(
    ("values", "error", "message"),
    [
        ([0, 1, 3], AssumptionError, "found 3 at 2, where its neighbours say 2"),
        ([0, 1, 0], AssumptionError, "zero at the goal alone; found 2 zeros"),
        ([1, 1, 2], AssumptionError, "found 0 zeros"),
        ([0, 1], DomainError, r"cost_to_go\.shape = \(2,\) is not allowed"),
        ([0, 1, np.inf], DomainError, "infinite at 2"),
        ([0, 1, np.nan], DomainError, "cost_to_go = nan"),
        ([0, 1, -2], DomainError, r"cost_to_go = -2\.0 is not allowed"),
    ],
)
def test_what_is_no_distance_is_refused(values, error, message):
    with pytest.raises(error, match=message):
        true_cost_to_go([(0, 1), (1, 2)], values)


DIAMOND = [(0, 1), (1, 2), (0, 2), (2, 3), (1, 3)]
GREAT_RATIOS = [
    ([(0, 1), (1, 2)], [1e13, 1.0], [0, 1e13, -1]),
    ([(0, 1), (1, 2)], [4e6, 1e-6], [0, 4e6, -1]),
    (DIAMOND, [1, 1, 1 + 2.0**-42, 1, 1], [0, 1, 0.5, 2]),
]


@pytest.mark.parametrize(("edges", "lengths", "values"), GREAT_RATIOS)
@pytest.mark.parametrize(
    "certificate", [exact_certificate, half_gap_certificate, oscillation_certificate]
)
def test_a_short_detour_is_no_optimal_move(certificate, edges, lengths, values):
    graph = graph_from_edges(edges, lengths=lengths)
    distance = distances(graph, 0)
    assert not certificate(graph, values, distance).certified[1:].all()
    best = optimal_moves(graph, distance)
    assert (distance[graph.neighbours] < distance[graph.sources])[best].all()
    assert action_gaps(graph, distance)[1 if len(values) == 3 else 3] <= 2 * min(lengths)


def test_false_distances_over_a_long_edge_are_refused():
    graph = graph_from_edges([(0, 1), (1, 2)], lengths=[1e13, 1.0])
    with pytest.raises(AssumptionError, match="is the distance to the goal"):
        true_cost_to_go(graph, [0, 2e12, 2e12])


def test_a_length_below_the_rounding_of_the_distances_is_refused():
    graph = graph_from_edges([(0, 1), (1, 2)], lengths=[1e16, 1.0])
    with pytest.raises(AssumptionError, match="the rounding of the largest distance"):
        true_cost_to_go(graph, distances(graph, 0))


def test_sums_of_lengths_that_round_apart_tie():
    graph = graph_from_edges([(0, 1), (1, 3), (0, 2), (2, 3)], lengths=[0.1, 0.7, 0.3, 0.5])
    assert 0.1 + 0.7 != 0.3 + 0.5
    assert action_gaps(graph, distances(graph, 0))[3] == np.inf


@pytest.mark.parametrize("longest", [1.0, 4.0])
def test_label_distance_and_excess_are_those_of_the_definition(longest, generator):
    for _ in range(20):
        network, graph, goal, distance = drawn(generator, longest)
        labelled = random_labels(network, goal, 0.3, generator=generator)
        labels = (labelled, distance[labelled])
        table = np.array([cost_to_go(network, int(label)) for label in labelled])
        np.testing.assert_allclose(label_distances(graph, labels), table.min(0), atol=1e-12)
        excess = (distance + table - distance[labelled][:, None]).min(0)
        found = detour_excess(graph, labels, distance)
        np.testing.assert_allclose(found, excess, atol=1e-12)
        assert (found >= 0).all()
        assert (found <= 2 * table.min(0) + 1e-12).all()


def test_excess_needs_exact_labels_and_a_labelled_goal():
    path = networkx.path_graph(3)
    with pytest.raises(AssumptionError, match="the goal is labelled; found no label at 0"):
        detour_excess(path, {2: 2.0}, [0, 1, 2])
    with pytest.raises(AssumptionError, match=r"found 1\.5 at 2, 2 away"):
        detour_excess(path, {0: 0.0, 2: 1.5}, [0, 1, 2])
