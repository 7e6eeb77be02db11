"""p-harmonic extensions on the large maze, beside what one would use instead.

The large AntMaze layout at refinement 12 (6,624 vertices) with 1 % exact labels. Compilation is
outside of all timings; the scale-free residual and the proven error bound are in ``extra_info``.
graphlearning takes part where it is installed.
"""

from importlib.util import find_spec

import numpy as np
import pytest
from scipy.sparse import csr_array, diags_array
from scipy.sparse.linalg import spsolve

from rolltheory.action_gap.distances import distances
from rolltheory.action_gap.graph import graph_from_array
from rolltheory.action_gap.harmonic import harmonic_extension
from rolltheory.action_gap.p_laplacian import p_harmonic_extension

LARGE = [
    "111111111111",
    "100001000001",
    "101101010101",
    "100000010001",
    "101111011101",
    "100101000001",
    "110101010111",
    "100100010001",
    "111111111111",
]


@pytest.fixture(scope="module")
def problem():
    free = np.array([[mark == "0" for mark in row] for row in LARGE])
    graph = graph_from_array(np.kron(free, np.ones((12, 12), dtype=bool)))
    rng = np.random.default_rng(0)
    chosen = rng.choice(graph.vertex_count, graph.vertex_count // 100, replace=False)
    return graph, (chosen, distances(graph, int(chosen[0]))[chosen])


def record(benchmark, found):
    benchmark.extra_info["residual"] = found.residual
    benchmark.extra_info["error bound"] = found.error_bound


@pytest.mark.benchmark(group="p-harmonic extension, 6,624 vertices")
@pytest.mark.parametrize("flavour", ["variational", "game"])
@pytest.mark.parametrize("p", [4, 16])
def test_p_harmonic_extension(benchmark, problem, p, flavour):
    options = {"p": p, "flavour": flavour}
    found = benchmark.pedantic(p_harmonic_extension, problem, options, rounds=3, warmup_rounds=1)
    record(benchmark, found)
    assert found.residual <= 1e-8


@pytest.mark.benchmark(group="harmonic extension, 6,624 vertices")
def test_harmonic_extension(benchmark, problem):
    found = benchmark.pedantic(harmonic_extension, problem, rounds=5, warmup_rounds=1)
    record(benchmark, found)


@pytest.mark.benchmark(group="harmonic extension, 6,624 vertices")
def test_scipy_spsolve(benchmark, problem):
    """The solve alone, without a bound: the restricted system is already built."""
    graph, (labelled, given) = problem
    inside = np.setdiff1d(np.arange(graph.vertex_count), labelled)
    degree = diags_array(np.diff(graph.offsets).astype(float))
    laplacian = csr_array(degree - graph.matrix)
    right = -laplacian[inside][:, labelled] @ given
    benchmark.pedantic(spsolve, (laplacian[inside][:, inside].tocsc(), right), rounds=5)


if find_spec("graphlearning"):
    import graphlearning

    @pytest.mark.benchmark(group="p-harmonic extension, 6,624 vertices")
    @pytest.mark.parametrize("p", [4, 16])
    def test_graphlearning_fast(benchmark, problem, p):
        """The game p-Laplacian, stopped by the change in a sweep; its error in ``extra_info``."""
        graph, (labelled, given) = problem
        peer = graphlearning.graph(graph.matrix)
        arguments = (labelled, given, p)
        values = benchmark.pedantic(peer.plaplace, arguments, {"fast": True}, rounds=1)
        truth = p_harmonic_extension(*problem, p=p, flavour="game").values
        benchmark.extra_info["error"] = float(np.abs(values - truth).max())
