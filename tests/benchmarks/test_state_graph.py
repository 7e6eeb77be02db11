"""State graphs against what one would use instead, side by side in one run.

Sizes are those of a large graph, 1e6 states; ``ROLLTHEORY_BENCHMARK_SCALE=0.01`` shrinks them.
networkx runs on a tenth of them, at the same number of edges per state, beside `can_reach` on the
same graph: at full size its dictionaries take several GiB. Storm takes part where stormpy is
installed. Compilation is outside of all timings; residuals and memory are in ``extra_info``.
"""

import os
from importlib.util import find_spec
from pathlib import Path

import networkx
import numpy as np
import pytest
from scipy.sparse import coo_array, csr_array, eye_array
from scipy.sparse.csgraph import breadth_first_order
from scipy.sparse.linalg import spsolve

from rolltheory.reachability.reach import can_reach, reach_classes
from rolltheory.reachability.state_graph import StateGraph
from rolltheory.reachability.success import success_probability, success_probability_enclosure

STATES = int(1_000_000 * float(os.environ.get("ROLLTHEORY_BENCHMARK_SCALE", "1")))


def from_weights(source, target, weight, states, success, failure):
    """The chain with those weights, normalised, on the states that are no end."""
    inner = ~np.isin(source, np.concatenate([success, failure]))
    source, target, weight = source[inner], target[inner], weight[inner]
    weight = weight / np.bincount(source, weight, minlength=states)[source]
    matrix = coo_array((weight, (source, target)), shape=(states, states))
    return StateGraph.from_scipy(matrix, success=success, absorbing=failure)


def random_graph(states):
    """Ten edges a state, to anywhere; one state in ten thousand is a success, one a failure."""
    rng = np.random.default_rng(1)
    source = np.repeat(np.arange(states, dtype=np.int32), 10)
    target = rng.integers(0, states, source.size, dtype=np.int32)
    ends = np.arange(2 * (states // 10_000 + 1), dtype=np.int32)
    return from_weights(source, target, rng.random(source.size), states, ends[::2], ends[1::2])


def prefix_tree(states):
    """Three continuations a prefix, and from one in five a retry from a prefix three above."""
    rng = np.random.default_rng(1)
    prefix = np.arange(states)
    inner = prefix[3 * prefix + 3 < states]
    above = inner
    for _ in range(3):
        above = np.maximum((above - 1) // 3, 0)
    retry = (rng.random(inner.size) < 0.2) & (inner > 0)
    source = np.concatenate([inner, inner, inner, inner[retry]])
    target = np.concatenate([3 * inner + 1, 3 * inner + 2, 3 * inner + 3, above[retry]])
    leaves = np.arange(inner.size, states)
    good = rng.random(leaves.size) < 0.2
    return from_weights(
        source, target, rng.random(source.size) + 0.1, states, leaves[good], leaves[~good]
    )


def lattice(states):
    """A square on which the run drifts to any neighbour; one state in a thousand is an end."""
    rng = np.random.default_rng(1)
    number = np.arange(int(states**0.5) ** 2).reshape(int(states**0.5), -1)
    pairs = [(number[1:], number[:-1]), (number[:, 1:], number[:, :-1])]
    source = np.concatenate([end.ravel() for pair in pairs for end in pair])
    target = np.concatenate([end.ravel() for pair in pairs for end in pair[::-1]])
    ends = rng.choice(number.size, 2 * (number.size // 2000 + 1), replace=False)
    weight = rng.random(source.size)
    return from_weights(source, target, weight, number.size, ends[::2], ends[1::2])


@pytest.fixture(scope="module")
def large():
    return random_graph(STATES)


@pytest.fixture(scope="module")
def small():
    return random_graph(STATES // 10)


def once_warm(benchmark, function, *arguments, rounds=5):
    return benchmark.pedantic(function, arguments, rounds=rounds, warmup_rounds=1)


def towards_success(graph):
    """The reversed matrix with one more state, from which every success is one step away."""
    back = csr_array(graph.transition_matrix().T)
    goals = np.flatnonzero(graph.success)
    size = graph.success.size + 1
    return csr_array(
        (
            np.concatenate([back.data, np.ones(goals.size)]),
            np.concatenate([back.indices, goals]),
            np.append(back.indptr, back.nnz + goals.size),
        ),
        shape=(size, size),
    )


def breadth_first(matrix, start):
    return breadth_first_order(matrix, start, return_predecessors=False)


@pytest.mark.benchmark(group="can_reach, 10 edges a state")
def test_can_reach(benchmark, large):
    once_warm(benchmark, can_reach, large)


@pytest.mark.benchmark(group="can_reach, 10 edges a state")
def test_scipy_forwards_on_the_same_matrix(benchmark, large):
    """Another question (what does one state reach?), on exactly the same arrays."""
    once_warm(benchmark, breadth_first, large.transition_matrix(), STATES - 1)


@pytest.mark.benchmark(group="can_reach, 10 edges a state")
def test_scipy_on_a_matrix_that_was_reversed_before(benchmark, large):
    reached = once_warm(benchmark, breadth_first, towards_success(large), STATES)
    assert reached.size - 1 == can_reach(large).sum()


@pytest.mark.benchmark(group="can_reach, 10 edges a state")
def test_scipy_with_the_reversal(benchmark, large):
    once_warm(benchmark, lambda: breadth_first(towards_success(large), STATES))


@pytest.mark.benchmark(group="can_reach, 10 edges a state, a tenth of the states")
def test_can_reach_on_a_tenth(benchmark, small):
    once_warm(benchmark, can_reach, small)


@pytest.mark.benchmark(group="can_reach, 10 edges a state, a tenth of the states")
def test_networkx_ancestors(benchmark, small):
    graph = networkx.from_scipy_sparse_array(
        small.transition_matrix(), create_using=networkx.DiGraph
    )
    graph.add_edges_from((goal, "success") for goal in np.flatnonzero(small.success).tolist())
    found = benchmark.pedantic(networkx.ancestors, (graph, "success"), rounds=2)
    assert len(found) == can_reach(small).sum()


def restricted_system(graph):
    """The equations on the states that can reach a success but may fail to."""
    reached, sure = reach_classes(graph)
    unknown = np.flatnonzero(reached & ~sure)
    rows = graph.transition_matrix()[unknown]
    matrix = eye_array(unknown.size, format="csc") - rows[:, unknown].tocsc()
    return unknown, matrix, rows @ sure.astype(float)


CHAINS = {"prefix tree": prefix_tree, "lattice": lattice}


@pytest.fixture(scope="module", params=CHAINS)
def chain(request):
    return CHAINS[request.param](STATES)


def record_residual(benchmark, chain, value):
    unknown, matrix, right = restricted_system(chain)
    benchmark.extra_info["unknowns"] = unknown.size
    benchmark.extra_info["residual"] = float(np.abs(right - matrix @ value[unknown]).max())


@pytest.mark.benchmark(group="success_probability")
def test_success_probability(benchmark, chain):
    """From the graph to certified probabilities."""
    value = once_warm(benchmark, success_probability, chain, rounds=1)
    record_residual(benchmark, chain, value)
    value, lower, upper = success_probability_enclosure(chain)
    benchmark.extra_info["certified error"] = float(np.maximum(upper - value, value - lower).max())


@pytest.mark.benchmark(group="success_probability")
def test_scipy_spsolve(benchmark, chain):
    """The solve alone: the restricted system is already built."""
    unknown, matrix, right = restricted_system(chain)
    value = np.zeros(chain.success.size)
    value[unknown] = benchmark.pedantic(spsolve, (matrix, right), rounds=1)
    record_residual(benchmark, chain, value)


@pytest.mark.benchmark(group="success_probability on a graph that has no sparse factors")
def test_success_probability_random(benchmark, large):
    value = once_warm(benchmark, success_probability, large, rounds=1)
    record_residual(benchmark, large, value)


if find_spec("stormpy"):
    import stormpy
    from stormpy import datastructures, environments, models

    def storm_model(graph):
        builder = datastructures.SparseMatrixBuilder[float](0, 0, 0)
        matrix = graph.transition_matrix()
        for state, first, end in zip(
            range(matrix.shape[0]), matrix.indptr[:-1], matrix.indptr[1:], strict=True
        ):
            for target, weight in zip(
                matrix.indices[first:end], matrix.data[first:end], strict=True
            ):
                builder.add_next_value(state, int(target), float(weight))
            if first == end:
                builder.add_next_value(state, state, 1.0)
        labels = models.StateLabeling(matrix.shape[0])
        labels.add_label("success")
        for state in np.flatnonzero(graph.success).tolist():
            labels.add_label_to_state("success", state)
        return models.SparseDtmc[float](
            models.SparseModelComponents[float](builder.build(), labels)
        )

    def storm(benchmark, graph, environment):
        """The query alone: the model is already built."""
        query = stormpy.parse_properties('P=? [F "success"]')[0]
        arguments = (storm_model(graph), query)
        options = {"environment": environment}
        result = benchmark.pedantic(stormpy.model_checking, arguments, options, rounds=1)
        record_residual(benchmark, graph, np.array(result.get_value_vector()))

    @pytest.mark.benchmark(group="success_probability")
    def test_storm_direct(benchmark, chain):
        environment = environments.Environment()
        solver = environment.solver()
        solver.set_linear_equation_solver_type(environments.EquationSolverType.EIGEN)
        storm(benchmark, chain, environment)

    @pytest.mark.benchmark(group="success_probability")
    def test_storm_interval_iteration(benchmark):
        """On the tree only: on a lattice of a tenth of the size it takes minutes."""
        environment = environments.sound()
        environment.solver().native().precision = stormpy.Rational("1e-12")
        storm(benchmark, prefix_tree(STATES), environment)


@pytest.mark.benchmark(group="memory")
@pytest.mark.parametrize("function", [can_reach, success_probability])
def test_memory(benchmark, large, function):
    """Highest resident memory above what the process held before, graph included, by edge list."""
    status, reset = Path("/proc/self/status"), Path("/proc/self/clear_refs")
    function(large)  # compiled code is not part of the question
    reset.write_text("5")

    def resident(field):
        lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
        return int(lines[field].split()[0]) * 1024

    before = resident("VmRSS")
    benchmark.pedantic(function, (large,), rounds=1)
    graph = large.targets.nbytes + large.probabilities.nbytes + large.row_start.nbytes
    edge_list = large.targets.size * 24  # two 64-bit state numbers and a float
    benchmark.extra_info["memory per edge list"] = (resident("VmHWM") - before + graph) / edge_list
