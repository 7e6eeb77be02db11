"""Graph certificates beside what one would call instead, in one run; print and keep the ratios.

Run with ``make bench``. Sizes are those of a large graph, 1e6 nodes and 1e7 edges;
``ROLLTHEORY_BENCHMARK_SCALE=0.01`` shrinks them. The semidefinite bound takes part where cvxpy is
installed.
"""

import os
from importlib.util import find_spec
from time import perf_counter

import networkx as nx
import numpy as np
import pytest
from scipy import sparse
from scipy.sparse.linalg import ArpackError, eigs, eigsh

from rolltheory.graph_world.criticality import critical_weights
from rolltheory.numerics.perron import perron_certificate
from rolltheory.readers.adjacency import Adjacency
from rolltheory.report.graph_world import certify, step_model

NODES = int(1_000_000 * float(os.environ.get("ROLLTHEORY_BENCHMARK_SCALE", "1")))
HORIZON = 32


@pytest.fixture(scope="module")
def large():
    """Ten undirected edges a node, to anywhere; 0/1 but for the few that coincide."""
    ends = np.random.default_rng(1).integers(0, NODES, (2, 10 * NODES), dtype=np.int32)
    half = sparse.coo_array((np.ones(ends.shape[1]), tuple(ends)), shape=(NODES, NODES)).tocsr()
    return sparse.csr_array(half + half.T)


def seconds(function):
    start = perf_counter()
    value = function()
    return value, perf_counter() - start


def compare(benchmark, name, other, what):
    """The ratio of the median time to that of what one would call instead."""
    if benchmark.stats:  # none with --benchmark-disable
        ratio = benchmark.stats.stats.median / other
        benchmark.extra_info.update(seconds_of_the_other=other, time_ratio=ratio)
        print(f"\n{name}: {ratio:.2f} times the time of {what}")  # noqa: T201


def test_an_enclosure_of_width_1e_8_beside_eigsh(benchmark, large):
    """eigsh at its default tolerance gives a number; this proves two."""
    value, other = seconds(lambda: eigsh(large, k=1, which="LA", return_eigenvectors=False)[0])
    found = benchmark.pedantic(
        perron_certificate, (large,), {"tolerance": 4e-10}, rounds=1, warmup_rounds=0
    )
    assert found.width <= 1e-8
    assert found.lower * (1 - 1e-12) <= value <= found.upper * (1 + 1e-12)
    benchmark.extra_info["width"] = found.width
    compare(benchmark, "enclosure", other, "eigsh")


def test_critical_weights_beside_bare_products(benchmark, large):
    """One sparse product a step, and what a step adds to the sum."""
    step = large * 0.04

    def products():
        vector = np.ones(NODES)
        for _ in range(HORIZON - 1):
            vector = step @ vector

    _, other = seconds(products)
    weights = benchmark.pedantic(critical_weights, (step,), {"horizon": HORIZON}, rounds=1)
    total = np.zeros(NODES)
    for _ in range(HORIZON):
        total = 1 + step @ total
    np.testing.assert_allclose(weights, total, rtol=1e-12)
    compare(benchmark, "critical_weights", other, f"{HORIZON - 1} products")


def scale_free_dag(nodes):
    graph = nx.to_scipy_sparse_array(nx.barabasi_albert_graph(nodes, 2, seed=1), dtype=float)
    return sparse.csr_array(sparse.triu(graph, 1))


FAMILIES = {
    "complete graph without a cycle": (np.triu(np.ones((300, 300)), 1), 0.0),
    "scale-free graph without a cycle": (scale_free_dag(300), 0.0),
    "one long Jordan block": (0.5 * np.eye(60) + np.eye(60, k=-1), 0.5),
}


@pytest.mark.parametrize("name", FAMILIES)
def test_beside_eigs_where_it_is_silently_wrong(benchmark, name):
    matrix, radius = FAMILIES[name]
    start = np.random.default_rng(3).normal(size=matrix.shape[0])
    try:
        estimate = abs(eigs(sparse.csr_array(matrix), k=1, v0=start)[0][0])
    except ArpackError as error:
        estimate = str(error)
    found = benchmark.pedantic(perron_certificate, (matrix,), rounds=3)
    assert found.lower <= radius <= found.upper
    assert found.width <= 1e-8
    benchmark.extra_info["eigs"] = estimate
    print(f"\n{name}: {found.upper:.6g}, by eigs {estimate}")  # noqa: T201


ROLLOUT = 8
GRAPHS = {
    "path": nx.to_numpy_array(nx.path_graph(6)),
    "directed cycle with shortcuts": np.roll(np.eye(6), 1, axis=1) + np.eye(6, k=3),
}


@pytest.mark.parametrize("name", GRAPHS)
def test_tightness_of_the_rollout_bound(benchmark, name):
    """Growth of one initial error over some steps of A relu(A X W1) W2, found and bounded."""
    graph, rng = GRAPHS[name], np.random.default_rng(0)
    first, second = (rng.random(shape) - 0.1 for shape in ((2, 4), (4, 2)))
    messages = Adjacency(sparse.csr_array(graph), tuple("012345"))
    step = step_model(messages, {"first": first, "second": second}, activation="relu")

    def certified():
        found, _ = certify(step, horizons=[ROLLOUT], initial_error=1.0, one_step_errors=0.0)
        return found.bounds[0]

    row = benchmark.pedantic(certified, rounds=3)
    found = steepest(graph, first, second)
    growths = {"found": found, "ours": row.bound, "product of norms": row.by_norm}
    if find_spec("cvxpy"):
        growths["semidefinite"] = semidefinite_bound(graph, first, second) ** ROLLOUT
    assert found <= min(growths.values()) * (1 + 1e-6)
    benchmark.extra_info.update(growths)
    print(f"\n{name}:", ", ".join(f"{k} {v:.4g}" for k, v in growths.items()))  # noqa: T201


def steepest(graph, first, second):
    """The steepest Jacobian of a rollout met from random starts: no bound is below its norm."""
    outer, inner = np.kron(graph, second.T), np.kron(graph, first.T)
    rng, found = np.random.default_rng(1), 0.0
    for state in rng.random((2000, outer.shape[0])) - 0.1:
        jacobian = np.eye(state.size)
        for _ in range(ROLLOUT):
            hidden = inner @ state
            jacobian = outer @ np.diag(hidden > 0) @ inner @ jacobian
            state = outer @ np.maximum(hidden, 0)
        found = max(found, float(np.linalg.norm(jacobian, 2)))
    return found


def semidefinite_bound(graph, first, second):
    """A Lipschitz constant of one step, with a multiplier per neuron for slopes within [0, 1]."""
    import cvxpy

    outer, inner = np.kron(graph, second.T), np.kron(graph, first.T)
    multipliers = cvxpy.diag(cvxpy.Variable(outer.shape[1], nonneg=True))
    square = cvxpy.Variable(nonneg=True)
    corner = multipliers @ inner
    blocks = [
        [square * np.eye(inner.shape[1]), -corner.T],
        [-corner, 2 * multipliers - outer.T @ outer],
    ]
    cvxpy.Problem(cvxpy.Minimize(square), [cvxpy.bmat(blocks) >> 0]).solve()
    return float(np.sqrt(square.value))
