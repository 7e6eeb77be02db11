"""Building a state graph: every route gives the same graph, every broken one its message."""

import re
from fractions import Fraction

import networkx
import numpy as np
import pytest
from scipy.sparse import coo_array, csr_array

from rolltheory.errors import DomainError
from rolltheory.reachability.state_graph import StateError, StateGraph

EDGES = [("a", "b", 0.5), ("a", "c", 0.25), ("a", "a", 0.25), ("b", "a", 1.0)]


def arrays(graph):
    return graph.row_start, graph.targets, graph.probabilities, graph.success


def test_edges_become_sorted_rows():
    graph = StateGraph.from_edges(EDGES, success=["c"])
    assert graph.states == ("a", "b", "c")
    assert graph.row_start.tolist() == [0, 3, 4, 4]
    assert graph.targets.tolist() == [0, 1, 2, 0]
    assert graph.probabilities.tolist() == [0.25, 0.5, 0.25, 1.0]
    assert graph.success.tolist() == [False, False, True]
    assert repr(graph) == "StateGraph(3 states, 4 edges, 1 success)"
    assert len({graph, graph, StateGraph.from_edges(EDGES, success=["c"])}) == 2  # by identity


def test_every_route_builds_the_same_graph():
    by_hand = StateGraph.from_edges(EDGES, success=["c"])
    network = networkx.DiGraph()
    network.add_weighted_edges_from(EDGES, weight="chance")
    network = StateGraph.from_networkx(network, success=["c"], probability="chance")
    matrix = StateGraph.from_scipy(
        by_hand.transition_matrix().tocoo(), success=[2], states=("a", "b", "c")
    )
    for other in (network, matrix):
        assert other.states == by_hand.states
        for left, right in zip(arrays(other), arrays(by_hand), strict=True):
            assert left.dtype == right.dtype
            np.testing.assert_array_equal(left, right)


def test_integer_states_are_ordered_by_number_others_by_appearance():
    assert StateGraph.from_edges([(9, 2, 1.0)], success=[2]).states == (2, 9)
    assert StateGraph.from_edges([("9", 2, 1.0)], success=[2]).states == ("9", 2)
    given = StateGraph.from_edges([(9, 2, 1.0)], success=[2], states=[9, 2])
    assert given.targets.tolist() == [1]


@pytest.mark.parametrize("half", [0.5, Fraction(1, 2)])
def test_parallel_edges_are_summed_and_zero_edges_left_out(half):
    edges = [("a", "b", half / 2), ("a", "b", half / 2), ("a", "c", half), ("b", "c", 0 * half)]
    graph = StateGraph.from_edges(edges, success=["b"], absorbing=["c"])
    assert graph.targets.tolist() == [1, 2, 2]
    assert graph.probabilities.tolist() == [0.5, 0.5, 1.0]
    multi = networkx.MultiDiGraph()
    multi.add_weighted_edges_from(edges, weight="probability")
    multi = StateGraph.from_networkx(multi, success=["b"], absorbing=["c"])
    np.testing.assert_array_equal(multi.probabilities, graph.probabilities)
    matrix = coo_array(([0.25, 0.25, 0.5, 0.0], ([0, 0, 0, 1], [1, 1, 2, 2])), shape=(3, 3))
    matrix = StateGraph.from_scipy(matrix, success=1, absorbing=[2])
    np.testing.assert_array_equal(matrix.targets, graph.targets)


def test_rationals_are_kept_only_if_all_are_rational():
    third = Fraction(1, 3)
    exact = StateGraph.from_edges([(0, 1, third), (0, 0, 2 * third), (2, 2, 1)], success=[1])
    assert exact.rationals == (Fraction(2, 3), third, 1)
    assert StateGraph.from_edges([(0, 1, third), (0, 0, 2 / 3)], success=[1]).rationals is None


def test_an_absorbing_state_may_be_named_only_there():
    graph = StateGraph.from_edges([(0, 1, 1.0)], success=[1], absorbing=[2, 2])
    assert graph.states == (0, 1, 2)
    assert graph.row_start.tolist() == [0, 1, 1, 2]


def test_a_success_alone_is_a_graph():
    graph = StateGraph.from_edges([], success=["only"], states=["only"])
    assert graph.targets.size == 0
    graph = StateGraph.from_scipy(csr_array((1, 1)), success=0)
    assert graph.states == range(1)


def test_the_arrays_cannot_be_written_and_are_not_the_callers():
    matrix = csr_array([[0.5, 0.5], [0.0, 1.0]])
    graph = StateGraph.from_scipy(matrix, success=[1])
    with pytest.raises(ValueError, match="read-only"):
        graph.probabilities[0] = 0.9
    matrix.data[0] = 0.7
    assert graph.probabilities[0] == 0.5


def test_row_sums_may_err_within_the_tolerance_only():
    edges = [(0, 0, 0.33333), (0, 1, 0.33333), (0, 2, 0.33334), (2, 2, 0.99999)]
    StateGraph.from_edges(edges, success=[1], row_sum_tolerance=1.01e-5)
    with pytest.raises(StateError, match=r"out of state 2 = 0\.99999 .* 1 within 1e-06"):
        StateGraph.from_edges(edges, success=[1], row_sum_tolerance=1e-6)
    with pytest.raises(StateError) as caught:
        StateGraph.from_edges([("a", "b", 0.9)], success=["b"])
    assert caught.value.state == "a"


@pytest.mark.parametrize(
    ("edges", "options", "message"),
    [
        ([(0, 1, -0.1), (0, 1, 1.1)], {}, "edges[0], probability from 0 to 1 = -0.1"),
        ([(0, 1, float("nan"))], {}, "edges[0], probability from 0 to 1 = nan"),
        ([(0, 1, float("inf"))], {}, "probability from 0 to 1 = inf"),
        ([(0, 1, "1")], {}, "probability from 0 to 1 = '1'"),
        ([(0, 1, True)], {}, "probability from 0 to 1 = True"),
        ([(0, 1, None)], {}, "probability from 0 to 1 = None"),
        ([(0, 1, 1), (0, 0, Fraction(1, 10**400))], {}, "edges[1], probability from 0 to 0"),
        ([(0, 1)], {}, "edges[0] = (0, 1) is not allowed: need (source, target, probability)"),
        ([5], {}, "edges[0] = 5"),
        ([(0, 1, 1.0)], {"success": []}, "success = [] is not allowed: need at least one"),
        ([(0, 1, 1.0)], {"success": [7]}, "success = 7 is not allowed: need states of the graph"),
        ([(0, 1, 1.0), (2, 0, 0.0)], {}, "number of ways out of state 2 = 0"),
        ([(0, 1, 1.0)], {"states": [0, 1, 2]}, "number of ways out of state 2 = 0"),
        ([(0, 1, 1.0)], {"states": [1]}, "edges = 0 is not allowed: need states of the graph"),
        ([(0, 1, 1.0)], {"states": [0, 1, 0]}, "need labels that differ"),
        ([(0, 1, 1.0)], {"absorbing": [0]}, "number of ways out of state 0 = 1"),
        ([], {}, "success = 1 is not allowed"),
        ([], {"states": [], "success": []}, "states = 0 is not allowed: need from 1 to"),
        ([(0, 1, 0.7)], {}, "sum of the probabilities out of state 0 = 0.7"),
        ([(0, 1, 1.0), (1, 0, 0.7)], {}, "sum of the probabilities out of state 1 = 0.7"),
    ],
)
def test_broken_edges(edges, options, message):
    with pytest.raises(DomainError, match=re.escape(message)):
        StateGraph.from_edges(edges, **{"success": [1], **options})


@pytest.mark.parametrize(
    ("matrix", "options", "message"),
    [
        (csr_array((2, 3)), {}, "matrix.shape = (2, 3)"),
        (coo_array((2**31, 2**31)), {}, "states = 2147483648"),
        (csr_array([[0.0, np.nan], [0.0, 1.0]]), {}, "matrix = nan"),
        (coo_array(([-0.5, 1.5], ([0, 0], [1, 1])), shape=(2, 2)), {}, "matrix = -0.5"),
        (csr_array([[0.0, 1.0], [0.0, 0.0]]), {"success": 2}, "success = 2"),
        (csr_array([[0.0, 1.0], [0.0, 0.0]]), {"success": []}, "success = []"),
        (csr_array([[0.0, 1.0], [0.0, 0.0]]), {"success": [False, True]}, "success = "),
        (csr_array([[0.0, 1.0], [0.0, 0.0]]), {"success": [0]}, "ways out of state 1 = 0"),
        (csr_array([[0.0, 1.0], [0.0, 0.0]]), {"absorbing": [0]}, "ways out of state 0 = 1"),
        (csr_array([[0.0, 1.0], [0.0, 0.0]]), {"states": ["a"]}, "states = ['a']"),
    ],
)
def test_broken_matrices(matrix, options, message):
    with pytest.raises(DomainError, match=re.escape(message)):
        StateGraph.from_scipy(matrix, **{"success": [1], **options})


def test_broken_networks():
    with pytest.raises(DomainError, match="need a directed graph"):
        StateGraph.from_networkx(networkx.Graph([(0, 1)]), success=[1])
    with pytest.raises(DomainError, match="probability from 0 to 1 = None"):
        StateGraph.from_networkx(networkx.DiGraph([(0, 1)]), success=[1])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"row_start": np.array([0, 2])}, "states = "),
        ({"row_start": np.array([1, 1, 2])}, "row_start = "),
        ({"row_start": np.array([0, 1, 3])}, "probabilities = "),
        ({"targets": np.array([1, 2])}, "targets = array([1, 2])"),
        ({"probabilities": np.array([1.0, 0.0])}, "need positive finite probabilities"),
        ({"probabilities": np.array([1.0, np.nan])}, "need positive finite probabilities"),
    ],
)
def test_broken_arrays(change, message):
    good = {
        "row_start": np.array([0, 1, 2]),
        "targets": np.array([1, 1], dtype=np.int32),
        "probabilities": np.array([1.0, 1.0]),
        "success": np.array([False, True]),
        "states": range(2),
    }
    StateGraph(**good)
    with pytest.raises(DomainError, match=re.escape(message)):
        StateGraph(**(good | change))


def test_a_state_is_not_both_a_success_and_absorbing():
    with pytest.raises(StateError, match="declaration of state 'b' = 'success and absorbing'"):
        StateGraph.from_edges([("a", "b", 1.0)], success=["b"], absorbing=["b"])
    with pytest.raises(StateError, match="declaration of state 1 = "):
        StateGraph.from_scipy(csr_array([[0.0, 1.0], [0.0, 0.0]]), success=[1], absorbing=[1])
