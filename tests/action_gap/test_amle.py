"""The infinity-harmonic extension: worked values, the exact twin, error bounds, hard cases."""

from fractions import Fraction

import networkx
import numpy as np
import pytest

from rolltheory.action_gap import (
    amle,
    amle_error_bound,
    amle_exact,
    distances,
    graph_from_array,
)
from rolltheory.errors import AssumptionError, DomainError

F = Fraction

WORKED = {
    "weighted path": ([(0, 1), (1, 2)], [1.0, 3.0], {0: 0, 2: 4}, "0 1 4"),
    "smallest harmonic mis-ranking": (
        [(0, 1), (0, 4), (1, 2), (2, 3), (2, 5), (4, 5), (5, 6)],
        None,
        {1: 0, 3: 2, 6: 3},
        "2/3 0 1 2 4/3 2 3",
    ),
    "smallest harmonic rollout failure": (
        [(0, 1), (1, 2), (2, 3)] + [(1, x) for x in range(5, 10)] + [(x, 4) for x in range(5, 10)],
        None,
        {0: 0, 2: 2, 4: 3},
        "0 1 2 2 3 2 2 2 2 2",
    ),
    "plateau behind a label": ([(0, 1), (1, 2), (2, 3)], None, {0: 0, 1: 1}, "0 1 1 1"),
    "ties that harmonic values resolve": (
        [(0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (3, 6), (4, 5)],
        None,
        {0: 2, 2: 3, 5: 0},
        "2 2 3 2 1 0 2",
    ),
    "a sub-optimal step": (
        [(x, (x + 1) % 5) for x in range(5)],
        None,
        {0: 0, 1: 1},
        "0 1 3/4 1/2 1/4",
    ),
    "noise below half an edge": ([(0, 1), (1, 2)], None, {0: 0.45, 1: 0.55}, None),
    "weighted cycle": (
        [(0, 1), (1, 2), (2, 3), (3, 0)],
        [1.0, 4.0, 1.0, 4.0],
        {0: 0, 1: 1},
        "0 1 5/9 4/9",
    ),
    "hexagon": ([(x, (x + 1) % 6) for x in range(6)], None, {0: 0, 2: 2}, "0 1 2 3/2 1 1/2"),
}


@pytest.mark.parametrize("name", WORKED)
def test_worked_examples(name):
    edges, lengths, labels, expected = WORKED[name]
    exact = amle_exact(edges, labels, lengths=lengths)
    if expected is not None:
        assert exact == tuple(map(Fraction, expected.split()))
    found = amle(edges, labels, lengths=lengths)
    np.testing.assert_allclose(found.values, np.array(exact, dtype=float), rtol=0, atol=1e-15)
    assert found.error_bound < 1e-13


def test_the_public_values_of_yinslex():
    """6 x 6, labels 0 and 1 at two corners; four digits from its documentation."""
    found = amle(graph_from_array(np.ones((6, 6), dtype=bool)), {0: 0.0, 30: 1.0})
    top = [
        [0, 0.1429, 0.2449, 0.3178, 0.3698, 0.4070],
        [0.2, 0.2857, 0.3469, 0.3907, 0.4219, 0.4442],
        [0.4, 0.4286, 0.4490, 0.4636, 0.4740, 0.4814],
    ]
    expected = np.vstack([top, 1 - np.array(top[::-1])])
    assert np.abs(found.values.reshape(6, 6) - expected).max() <= 5.1e-5
    assert found.residual < 1e-15
    assert found.error_bound < 1e-13


def test_lengths_are_not_conductances():
    path, labels = [(0, 1), (1, 2)], {0: 0.0, 2: 4.0}
    assert amle(path, labels, lengths=[1, 3]).values[1] == 1.0
    assert amle(path, labels, lengths=[1, 1 / 3]).values[1] == pytest.approx(3.0)
    assert amle(path, labels).values[1] == 2.0


def random_problem(seed):
    """A connected graph, unit cost or with lengths, and labels of several kinds."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(2, 22))
    network = networkx.gnm_random_graph(count, int(rng.integers(count, 3 * count)), seed=seed)
    largest = max(networkx.connected_components(network), key=len)
    network = networkx.convert_node_labels_to_integers(network.subgraph(largest))
    edges = list(network.edges) or [(0, 1)]
    count = 1 + max(map(max, edges))
    chosen = rng.choice(count, int(rng.integers(1, count + 1)), replace=False)
    values = rng.integers(0, 7, chosen.size) if seed % 3 else rng.normal(size=chosen.size)
    labels = dict(zip(chosen.tolist(), map(float, values), strict=True))
    lengths = [None, rng.integers(1, 9, len(edges)) / 4, rng.random(len(edges)) + 0.05][seed % 3]
    return edges, labels, lengths


@pytest.mark.parametrize("seed", range(60))
def test_the_float_route_is_within_its_bound_of_the_exact_one(seed):
    edges, labels, lengths = random_problem(seed)
    exact = amle_exact(edges, labels, lengths=lengths)
    found = amle(edges, labels, lengths=lengths)
    error = max(abs(F(v) - u) for v, u in zip(found.values.tolist(), exact, strict=True))
    assert error <= found.error_bound <= 1e-11
    assert found.residual <= 1e-11
    level = {
        x
        for x in set(range(len(exact))) - set(labels)
        if all(exact[y] == exact[x] for edge in edges if x in edge for y in edge)
    }
    assert set(np.flatnonzero(found.flat)) == level


def minimiser_of_power(edges, labels, power):
    """The minimiser of the sum of |slope|^power, vertex after vertex, each by bisection."""
    mean = sum(labels.values()) / len(labels)
    around = {x: [b if a == x else a for a, b in edges if x in (a, b)] for e in edges for x in e}
    found = {x: labels.get(x, mean) for x in around}
    for _ in range(60):
        for x in around.keys() - labels.keys():
            near = np.array([found[y] for y in around[x]])
            low, high = near.min(), near.max()
            drop = high - low
            for _ in range(45 if drop else 0):
                middle = (low + high) / 2
                pulls = (near - middle) / drop
                rises = (np.sign(pulls) * np.abs(pulls) ** (power - 1)).sum() > 0
                low, high = (middle, high) if rises else (low, middle)
            found[x] = low
    return np.array([found[x] for x in range(len(found))])


@pytest.mark.parametrize("name", ["smallest harmonic mis-ranking", "a sub-optimal step", "star"])
def test_large_powers_approach_the_extension(name):
    star = ([(0, 3), (1, 3), (2, 3)], None, {0: 0, 1: 0, 2: 1}, "0 0 1 1/2")
    edges, _, labels, _ = (WORKED | {"star": star})[name]
    exact = amle(edges, labels).values
    errors = [np.abs(minimiser_of_power(edges, labels, p) - exact).max() for p in (4, 32)]
    assert errors[1] <= errors[0] / 4 + 1e-9
    assert errors[1] < 0.02
    if name == "star":
        assert errors[0] == pytest.approx(0.5 - 0.442493, abs=1e-6)


def test_the_bound_sees_what_the_residual_does_not():
    """A path of 1001 vertices: residual 5e-6 but an error of 1.25."""
    top = 1000
    x = np.arange(top + 1.0)
    values = x + 5e-6 * x * (top - x)
    values[[0, -1]] = 0.0, top
    edges = np.column_stack([np.arange(top), np.arange(1, top + 1)])
    rise = np.diff(values)
    assert np.abs(np.diff(rise)).max() / 2 <= 5.1e-6
    error = np.abs(values - x).max()
    assert error == pytest.approx(1.25)
    bound = amle_error_bound(edges, {0: 0.0, top: top}, values)
    assert error <= bound <= 4 * error


def test_the_bound_refuses_values_that_are_not_the_labels():
    with pytest.raises(DomainError, match="the label 1"):
        amle_error_bound([(0, 1)], {0: 1.0}, [2.0, 2.0])
    with pytest.raises(DomainError, match=r"values.shape"):
        amle_error_bound([(0, 1)], {0: 1.0}, [1.0])


def test_the_bound_of_a_local_minimum():
    """The steepest fall leads upwards there; its drop must not count as a gain."""
    path = [(0, 1), (1, 2), (2, 3), (3, 4)]
    values = [0.0, 1.0, 0.5, 1.0, 4.0]
    exact = [0.0, 1.0, 2.0, 3.0, 4.0]
    assert amle_error_bound(path, {0: 0.0, 4: 4.0}, values) >= max(
        abs(a - b) for a, b in zip(values, exact, strict=True)
    )


def test_equal_labels_are_extended_by_their_value():
    found = amle([(0, 1), (1, 2), (2, 0), (2, 3)], {0: 0.1, 3: 0.1})
    assert found.values.tolist() == [0.1] * 4
    assert (found.error_bound, found.residual) == (0.0, 0.0)
    assert found.flat.tolist() == [False, True, True, False]


def test_all_vertices_may_be_labelled():
    found = amle([(0, 1)], {0: 3.0, 1: -1.0})
    assert found.values.tolist() == [3.0, -1.0]
    assert (found.error_bound, found.residual) == (0.0, 0.0)


def test_a_component_without_a_label_is_refused():
    with pytest.raises(AssumptionError, match="every component of the graph holds a label"):
        amle([(0, 1), (2, 3)], {0: 5.0})
    with pytest.raises(AssumptionError, match="every component of the graph holds a label"):
        amle_exact([(0, 1), (2, 3)], {0: 5})


def test_two_components_are_two_problems():
    found = amle([(0, 1), (1, 2), (3, 4)], {0: 0.0, 2: 2.0, 4: 7.0})
    assert found.values.tolist() == [0.0, 1.0, 2.0, 7.0, 7.0]


@pytest.fixture(scope="module")
def grid():
    return graph_from_array(np.ones((200, 200), dtype=bool))


def test_cost_to_go_labels_on_a_grid(grid):
    rng = np.random.default_rng(0)
    goal = int(rng.integers(40_000))
    distance = distances(grid, goal)
    chosen = np.append(rng.choice(40_000, 2_000, replace=False), goal)
    found = amle(grid, (chosen, distance[chosen]))
    assert found.error_bound < 1e-9
    assert (found.values <= distance + found.error_bound).all()
    assert not found.flat.any()


def test_a_full_frame_of_boundary_values(grid):
    """Where a pivot that lands among the steeper vertices makes the recursion run out of memory."""
    edge = np.zeros((200, 200), dtype=bool)
    edge[[0, -1]] = edge[:, [0, -1]] = True
    y, x = np.mgrid[-1:1:200j, -1:1:200j]
    frame = np.flatnonzero(edge)
    found = amle(grid, (frame, (x * x - y * y).ravel()[frame]))
    assert found.error_bound < 1e-10
    assert (
        np.abs(found.values.reshape(200, 200) - found.values.reshape(200, 200)[::-1]).max() < 1e-10
    )


def test_a_long_path_costs_no_stack():
    count = 100_000
    edges = np.column_stack([np.arange(count - 1), np.arange(1, count)])
    found = amle(edges, {0: 0.0, count - 1: 1.0})
    np.testing.assert_allclose(found.values, np.linspace(0, 1, count), rtol=0, atol=1e-11)
    assert found.error_bound < 1e-6


def test_tiny_and_huge_labels_are_scaled():
    path = [(0, 1), (1, 2), (2, 3)]
    for scale in (1e-200, 1e199):
        found = amle(path, {0: 0.0, 3: 3 * scale})
        np.testing.assert_allclose(found.values / scale, [0, 1, 2, 3], rtol=1e-14)
        assert found.error_bound <= 1e-13 * scale


@pytest.mark.parametrize("offset", [2.0**17, -(2.0**31), 2.0**50])
def test_labels_far_from_zero_keep_their_accuracy(offset):
    """Their rounding once exceeded the tolerance on slopes, and equal paths never ended."""
    generator = np.random.default_rng(5)
    edges = [(x, x + 1) for x in range(16) if x % 4 < 3] + [(x, x + 4) for x in range(12)]
    for _ in range(40):
        lengths = generator.choice([1 / 3, 2 / 3, 1.0, 4 / 3], len(edges))
        vertices = generator.choice(16, 4, replace=False).tolist()
        labels = dict(zip(vertices, (offset + generator.random(4)).tolist(), strict=True))
        found = amle(edges, labels, lengths=lengths)
        truth = amle_exact(edges, labels, lengths=lengths)
        wrong = max(abs(F(u) - v) for u, v in zip(found.values.tolist(), truth, strict=True))
        assert wrong <= np.spacing(abs(offset)) < found.error_bound < 64 * np.spacing(abs(offset))
