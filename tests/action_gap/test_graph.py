"""Graphs, labels and distances from every form a caller may hold, and what is refused."""

import networkx
import numpy as np
import pytest
from scipy.sparse import coo_array, csr_matrix

from rolltheory.action_gap import (
    Graph,
    as_graph,
    as_labels,
    distances,
    graph_from_array,
    graph_from_edges,
    graph_from_networkx,
    graph_from_sparse,
)
from rolltheory.errors import AssumptionError, DomainError, UnsupportedError

EDGES = [(0, 1), (1, 2), (2, 3), (3, 0), (1, 3)]


def rows(graph):
    return [part.tolist() for part in np.split(graph.neighbours, graph.offsets[1:-1])]


def test_every_form_gives_the_same_graph():
    lengths = [1.0, 2.0, 3.0, 4.0, 5.0]
    weighted = networkx.Graph()
    weighted.add_nodes_from(range(4))
    weighted.add_weighted_edges_from(
        [(*edge, length) for edge, length in zip(EDGES, lengths, strict=True)], weight="size"
    )
    half = coo_array((lengths, np.transpose(EDGES)), shape=(4, 4))
    forms = [
        graph_from_edges(EDGES, lengths=lengths),
        graph_from_edges(np.array(EDGES), lengths=lengths),
        graph_from_edges([edge[::-1] for edge in EDGES[::-1]], lengths=lengths[::-1]),
        graph_from_networkx(weighted, length="size"),
        as_graph(weighted, lengths="size"),
        graph_from_sparse(half + half.T),
        as_graph(csr_matrix(half + half.T)),
    ]
    for graph in forms:
        assert (graph.vertex_count, graph.edge_count, graph.is_unit_cost) == (4, 5, False)
        assert rows(graph) == [[1, 3], [0, 2, 3], [1, 3], [0, 1, 2]]
        assert graph.lengths.tolist() == [1, 4, 1, 2, 5, 2, 3, 4, 5, 3]
        assert graph.names is None
    assert as_graph(forms[0]) is forms[0]


def test_names_are_kept_in_the_order_they_come_in():
    graph = graph_from_edges([("goal", "b"), ("b", ("cell", 1))])
    assert graph.names == ("goal", "b", ("cell", 1))
    assert graph.numbers([("cell", 1), "goal"]).tolist() == [2, 0]
    assert graph.name(1) == "b"
    assert graph_from_networkx(networkx.Graph([(1, 0)])).names == (1, 0)
    assert graph_from_edges(EDGES).name(2) == 2


def test_a_vertex_may_have_no_edge():
    assert graph_from_edges([(0, 1)], vertex_count=4).offsets.tolist() == [0, 1, 2, 2, 2]
    with pytest.raises(DomainError, match="vertex_count = 1"):
        graph_from_edges([(0, 1)], vertex_count=1)
    with pytest.raises(DomainError, match="vertex_count = 3"):
        graph_from_edges([("a", "b")], vertex_count=3)


def test_an_edge_that_comes_twice_is_one_edge_if_its_lengths_agree():
    assert graph_from_edges([(0, 1), (1, 0), (0, 1)]).edge_count == 1
    with pytest.raises(AssumptionError, match=r"2 and 3 for the edge \('a', 'b'\)"):
        graph_from_edges([("a", "b"), ("b", "a")], lengths=[2, 3])


@pytest.mark.parametrize("length", [0.0, -1.0, np.nan, np.inf])
def test_lengths_are_positive_and_finite(length):
    with pytest.raises(DomainError, match="finite numbers above 0"):
        graph_from_edges([(0, 1), (1, 2)], lengths=[1.0, length])
    entries = ([length, 1.0, length, 1.0], ([0, 1, 1, 2], [1, 2, 0, 1]))
    with pytest.raises(DomainError, match="finite numbers above 0"):
        graph_from_sparse(coo_array(entries, shape=(3, 3)))


@pytest.mark.parametrize(
    ("edges", "message"),
    [
        ([(0, 0)], "no loops"),
        ([("a", "a")], "no loops"),
        ([(0, 1, 2)], "pairs of vertices"),
        (["ab"], "pairs of vertices"),
        ([(0, -1)], "at least 0"),
        (np.zeros((2, 3), dtype=int), r"\(m, 2\)"),
    ],
)
def test_what_is_no_edge_is_refused(edges, message):
    with pytest.raises(DomainError, match=message):
        graph_from_edges(edges)


def test_what_is_directed_is_refused_with_what_still_holds():
    with pytest.raises(UnsupportedError, match=r"directed graph .* still unique"):
        as_graph(networkx.DiGraph([(0, 1)]))
    with pytest.raises(UnsupportedError, match=r"differs at \(0, 1\)"):
        as_graph(coo_array(([1.0], ([0], [1])), shape=(2, 2)))
    with pytest.raises(DomainError, match="square"):
        as_graph(coo_array(([1.0], ([0], [1])), shape=(2, 3)))


def test_lengths_are_given_once():
    with pytest.raises(DomainError, match="carries its lengths"):
        as_graph(graph_from_edges(EDGES), lengths=[1.0] * 5)
    with pytest.raises(DomainError, match="one for each edge"):
        as_graph(EDGES, lengths=[1.0])
    with pytest.raises(DomainError, match="an attribute of every edge"):
        as_graph(networkx.path_graph(3), lengths="weight")
    with pytest.raises(DomainError, match="an array of lengths"):
        as_graph(EDGES, lengths="weight")


def brute_force_cells(mask, connectivity):
    cells = [tuple(cell) for cell in np.argwhere(mask)]
    edges = set()
    for r, c in cells:
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                straight = abs(down) + abs(right) == 1
                diagonal = connectivity == 8 and abs(down) + abs(right) == 2
                other = (r + down, c + right)
                if other in cells and (
                    straight or (diagonal and (r + down, c) in cells and (r, c + right) in cells)
                ):
                    edges.add((cells.index((r, c)), cells.index(other)))
    return sorted(edges)


@pytest.mark.parametrize("connectivity", [4, 8])
def test_a_map_becomes_the_graph_of_its_free_cells(connectivity):
    mask = np.random.default_rng(3).random((7, 6)) < 0.7
    graph = graph_from_array(mask, connectivity=connectivity)
    found = list(zip(graph.sources.tolist(), graph.neighbours.tolist(), strict=True))
    assert found == brute_force_cells(mask, connectivity)
    assert graph.is_unit_cost


def test_a_map_is_an_array_of_bool():
    for mask in (np.ones((2, 2)), np.ones(4, dtype=bool)):
        with pytest.raises(DomainError, match="two-dimensional array of bool"):
            graph_from_array(mask)
    with pytest.raises(DomainError, match="4 or 8"):
        graph_from_array(np.ones((2, 2), dtype=bool), connectivity=6)


def test_distances_agree_with_networkx():
    network = networkx.gnm_random_graph(40, 55, seed=2)
    rng = np.random.default_rng(2)
    for edge in network.edges:
        network.edges[edge]["length"] = float(rng.integers(1, 9))
    for attribute in (None, "length"):
        expected = networkx.single_source_dijkstra_path_length(network, 7, weight=attribute)
        found = distances(network, 7, lengths=attribute)
        assert found.tolist() == [expected.get(x, np.inf) for x in range(40)]


def test_labels_come_as_a_mapping_or_as_two_arrays():
    graph = graph_from_edges([("a", "b"), ("b", "c")])
    for labels in ({"c": 2.0, "a": 0.0}, (["c", "a", "c"], [2.0, 0.0, 2.0])):
        labelled, values = as_labels(graph, labels)
        assert labelled.tolist() == [True, False, True]
        np.testing.assert_array_equal(values, [0.0, np.nan, 2.0])


@pytest.mark.parametrize(
    ("labels", "error", "message"),
    [
        (([0, 0], [1.0, 2.0]), AssumptionError, "2|1 for 0"),
        ({0: np.nan}, DomainError, "label = nan"),
        ({0: np.inf}, DomainError, "label = inf"),
        ({9: 1.0}, DomainError, "vertex = 9"),
        ({}, DomainError, "at least one"),
        (([0, 1], [1.0]), DomainError, "one for each"),
        (3.0, DomainError, "a mapping or a pair"),
    ],
)
def test_what_is_no_labelling_is_refused(labels, error, message):
    with pytest.raises(error, match=message):
        as_labels(graph_from_edges(EDGES), labels)


def test_a_component_without_a_label_is_refused():
    """Any constant would extend nothing; graphlearning answers [5, 5, 0, 0] here."""
    with pytest.raises(AssumptionError, match="none among 2 vertices, one of them 2"):
        as_labels(graph_from_edges([(0, 1), (2, 3)]), {0: 5.0})


def test_an_unknown_name_is_refused():
    with pytest.raises(DomainError, match="vertex = 'z'"):
        graph_from_edges([("a", "b")]).numbers(["z"])


def test_an_empty_edge_list_is_a_graph_without_edges():
    graph = graph_from_edges([], vertex_count=2)
    assert isinstance(graph, Graph)
    assert as_labels(graph, {0: 1.0, 1: 2.0})[1].tolist() == [1.0, 2.0]
