"""Label sets: exact recovery, and few labels that make a graph safe, against every smaller set."""

import itertools

import numpy as np
import pytest

from rolltheory.action_gap.amle import amle
from rolltheory.action_gap.distances import distances
from rolltheory.action_gap.graph import graph_from_array, graph_from_edges
from rolltheory.action_gap.mazes import maze_map
from rolltheory.action_gap.placement import exact_recovery_labels, sufficient_labels
from rolltheory.action_gap.success import reaches_goal
from rolltheory.errors import AssumptionError, DomainError
from simulators.action_gap import random_network

SPOKES = [(0, 1), (1, 2), (2, 3), *[(1, v) for v in range(5, 10)], *[(v, 4) for v in range(5, 10)]]


@pytest.fixture
def generator():
    return np.random.default_rng(20260521)


def harmonic(graph, labels):
    """A dense solve; lengths count as inverse conductances."""
    count, (vertices, given) = graph.vertex_count, labels
    weights = np.zeros((count, count))
    weights[graph.sources, graph.neighbours] = 1 / graph.lengths
    system = np.diag(weights.sum(1)) - weights
    system[vertices] = np.eye(count)[vertices]
    right = np.zeros(count)
    right[vertices] = given
    values = np.linalg.solve(system, right)
    values[vertices] = given
    return np.round(values, 9)


def infinity_harmonic(graph, labels):
    """Steepest slopes up and down balanced at one vertex after the other, until nothing moves."""
    values = np.full(graph.vertex_count, np.mean(labels[1]))
    values[labels[0]] = labels[1]
    inner = set(range(graph.vertex_count)) - set(labels[0].tolist())
    for _ in range(3000):
        before = values.copy()
        for x in inner:
            row = slice(graph.offsets[x], graph.offsets[x + 1])
            near, lengths = values[graph.neighbours[row]], graph.lengths[row]
            slopes = (near[:, None] - near) / (lengths[:, None] + lengths)
            high, low = np.unravel_index(np.argmax(slopes), slopes.shape)
            values[x] = near[low] + slopes[high, low] * lengths[low]
        if np.abs(values - before).max() < 1e-13:
            break
    return np.round(values, 9)


def drawn(generator, vertices, longest=1.0):
    network = random_network(vertices, extra_edges=4, longest=longest, generator=generator)
    lengths = np.round(network.lengths * 2) / 2
    return graph_from_edges(network.edges, lengths=lengths), int(generator.integers(vertices))


@pytest.mark.parametrize("longest", [1.0, 3.0])
def test_recovery_labels_are_needed_and_enough(longest, generator):
    for _ in range(30):
        graph, goal = drawn(generator, 8, longest)
        distance = distances(graph, goal)
        vertices = exact_recovery_labels(graph, distance)
        np.testing.assert_allclose(
            infinity_harmonic(graph, (vertices, distance[vertices])), distance, atol=1e-8
        )
        for spared in vertices[vertices != goal]:
            fewer = np.setdiff1d(vertices, [spared])
            values = infinity_harmonic(graph, (fewer, distance[fewer]))
            assert np.abs(values - distance).max() > 1e-3


@pytest.mark.parametrize(("refinement", "low", "high"), [(4, 0.015, 0.05), (8, 0.005, 0.012)])
def test_recovery_takes_few_labels_on_mazes(refinement, low, high, generator):
    for layout in ("medium", "large"):
        graph = graph_from_array(maze_map(layout, refinement=refinement))
        shares = []
        for goal in generator.integers(0, graph.vertex_count, 20):
            vertices = exact_recovery_labels(graph, distances(graph, int(goal)))
            shares.append(vertices.size / graph.vertex_count)
        assert low < np.mean(shares) < high


def fewest(graph, goal, extend, given):
    """The smallest number of labels beside the given ones that make every start safe."""
    distance = distances(graph, goal)
    others = np.setdiff1d(np.arange(graph.vertex_count), given)
    for size in range(others.size + 1):
        for more in itertools.combinations(others.tolist(), size):
            vertices = np.union1d(given, more).astype(np.int64)
            values = extend(graph, (vertices, distance[vertices]))
            if reaches_goal(graph, values, goal, ties="all").all():
                return size
    raise AssertionError


@pytest.mark.parametrize("extend", [harmonic, infinity_harmonic])
def test_few_labels_are_as_few_as_can_be_on_most_small_graphs(extend, generator):
    excess = []
    for _ in range(25):
        graph, goal = drawn(generator, 8)
        given = np.union1d(generator.choice(8, 2, replace=False), [goal])
        vertices = sufficient_labels(graph, goal, extend, labelled=given)
        assert np.isin(given, vertices).all()
        distance = distances(graph, goal)
        values = extend(graph, (vertices, distance[vertices]))
        assert reaches_goal(graph, values, goal, ties="all").all()
        for spared in np.setdiff1d(vertices, given):
            rest = np.setdiff1d(vertices, [spared])
            values = extend(graph, (rest, distance[rest]))
            assert not reaches_goal(graph, values, goal, ties="all").all()
        excess.append(vertices.size - given.size - fewest(graph, goal, extend, given))
    assert np.mean(excess) < 0.2
    assert max(excess) <= 1


def test_one_more_label_mends_the_smallest_harmonic_failure():
    graph = graph_from_edges(SPOKES)
    assert fewest(graph, 0, harmonic, np.array([0, 2, 4])) == 1
    assert sufficient_labels(graph, 0, harmonic, labelled=[0, 2, 4]).tolist() == [0, 1, 2, 4]


def test_the_steepest_slope_needs_fewer_labels_on_lengths():
    ring = graph_from_edges([(0, 1), (1, 2), (2, 3), (3, 0)], lengths=[1.0, 4.0, 1.0, 4.0])
    steep = sufficient_labels(ring, 0, infinity_harmonic, labelled=[1], planner="steepest_slope")
    assert steep.tolist() == [0, 1]
    assert sufficient_labels(ring, 0, infinity_harmonic, labelled=[1]).size > 2


def test_names_and_faults():
    path = graph_from_edges([("goal", "door"), ("door", "room")])
    assert sufficient_labels(path, "goal", infinity_harmonic, labelled=["door"]).tolist() == [0, 1]
    with pytest.raises(DomainError, match="vertex = 'attic'"):
        sufficient_labels(path, "attic", infinity_harmonic)
    with pytest.raises(AssumptionError, match="the tie tolerance is below every action gap"):
        sufficient_labels(path, "goal", infinity_harmonic, tie_tolerance=5.0)
    with pytest.raises(DomainError, match="need a connected graph"):
        sufficient_labels(graph_from_edges([(0, 1)], vertex_count=3), 0, infinity_harmonic)


def test_extensions_are_asked_by_number_also_where_vertices_have_names():
    path = [("goal", "b"), ("b", "x"), ("x", "y")]
    found = sufficient_labels(path, "goal", lambda g, labels: amle(g, labels).values, labelled="b")
    np.testing.assert_array_equal(found, [0, 1, 3])
