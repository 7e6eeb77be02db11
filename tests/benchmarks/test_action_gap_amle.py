"""Infinity-harmonic extensions against what one would use instead, side by side in one run.

Grids of 200 x 200 and 1000 x 1000 cells; ``ROLLTHEORY_BENCHMARK_SCALE=0.1`` shrinks their sides.
graphlearning takes part where it is installed; its published rule, Gauss-Seidel sweeps from zero
until none changes more than 1e-5 or there were 1000, always does. Compilation is outside of all
timings; errors against the exact solution and memory are in ``extra_info``.
"""

import os
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from rolltheory.action_gap import amle, distances, graph_from_array, iterative_amle
from rolltheory.numerics.compilation import compiled

SCALE = float(os.environ.get("ROLLTHEORY_BENCHMARK_SCALE", "1"))
SIDES = {"small": int(200 * SCALE), "large": int(1000 * SCALE)}


def problem(side, kind, fraction=0.05):
    """A grid and labels: distances to a random goal, noise, or a frame of x^2 - y^2."""
    graph = graph_from_array(np.ones((side, side), dtype=bool))
    rng = np.random.default_rng(0)
    if kind == "frame":
        edge = np.zeros((side, side), dtype=bool)
        edge[[0, -1]] = edge[:, [0, -1]] = True
        y, x = np.mgrid[-1 : 1 : side * 1j, -1 : 1 : side * 1j]
        chosen = np.flatnonzero(edge)
        return graph, (chosen, (x * x - y * y).ravel()[chosen])
    goal = int(rng.integers(side * side))
    others = rng.choice(side * side, int(fraction * side * side), replace=False)
    chosen = np.union1d(others, [goal])
    if kind == "noise":
        return graph, (chosen, rng.normal(size=chosen.size))
    return graph, (chosen, distances(graph, goal)[chosen])


def once_warm(benchmark, function, *arguments, rounds=3):
    return benchmark.pedantic(function, arguments, rounds=rounds, warmup_rounds=1)


def record(benchmark, found):
    benchmark.extra_info["residual"] = found.residual
    benchmark.extra_info["certified error"] = found.error_bound


@pytest.mark.benchmark(group="amle")
@pytest.mark.parametrize("size", SIDES)
@pytest.mark.parametrize("kind", ["cost-to-go", "noise", "frame"])
def test_amle(benchmark, size, kind):
    record(benchmark, once_warm(benchmark, amle, *problem(SIDES[size], kind), rounds=1))


@compiled
def published_sweeps(offsets, neighbours, free, values, tolerance, most):
    """graphlearning's rule without weights; the number of sweeps."""
    for sweep in range(most):
        change = 0.0
        for vertex in free:
            least, greatest = np.inf, -np.inf
            for edge in range(offsets[vertex], offsets[vertex + 1]):
                least = min(least, values[neighbours[edge]])
                greatest = max(greatest, values[neighbours[edge]])
            new = (least + greatest) / 2
            change = max(change, abs(new - values[vertex]))
            values[vertex] = new
        if change < tolerance and sweep > 20:
            return sweep + 1
    return most


def published(graph, labels):
    vertices, known = labels
    values = np.zeros(graph.vertex_count)
    values[vertices] = known
    free = np.setdiff1d(np.arange(graph.vertex_count), vertices)
    published_sweeps(graph.offsets, graph.neighbours, free, values, 1e-5, 1000)
    return values


@pytest.mark.benchmark(group="amle, small")
@pytest.mark.parametrize("kind", ["cost-to-go", "noise"])
def test_published_rule(benchmark, kind):
    graph, labels = problem(SIDES["small"], kind)
    values = once_warm(benchmark, published, graph, labels)
    exact = amle(graph, labels)
    benchmark.extra_info["error"] = float(np.abs(values - exact.values).max())


@pytest.mark.benchmark(group="amle, small")
@pytest.mark.parametrize("method", ["gauss-seidel", "work-list", "over-relaxed"])
@pytest.mark.parametrize("kind", ["cost-to-go", "noise"])
def test_iterative(benchmark, method, kind):
    graph, labels = problem(SIDES["small"], kind)

    def run():
        return iterative_amle(graph, labels, method=method, tolerance=1e-6)

    found = once_warm(benchmark, run, rounds=1)
    record(benchmark, found)
    benchmark.extra_info["error"] = float(np.abs(found.values - amle(graph, labels).values).max())


if find_spec("graphlearning"):
    import graphlearning

    @pytest.mark.benchmark(group="amle, small")
    @pytest.mark.parametrize("weighted", [True, False])
    def test_graphlearning(benchmark, weighted):
        graph, labels = problem(SIDES["small"], "cost-to-go")
        peer = graphlearning.graph(graph.matrix)
        values = benchmark.pedantic(peer.amle, labels, {"weighted": weighted}, rounds=1)
        benchmark.extra_info["error"] = float(np.abs(values - amle(graph, labels).values).max())


@pytest.mark.benchmark(group="memory")
def test_memory(benchmark):
    """Highest resident memory above what the process held before, in MiB, graph not included."""
    graph, labels = problem(SIDES["large"], "cost-to-go")
    amle(*problem(20, "cost-to-go"))  # compiled code is not part of the question
    Path("/proc/self/clear_refs").write_text("5")

    def resident(field):
        lines = Path("/proc/self/status").read_text().splitlines()
        return int(dict(line.split(":", 1) for line in lines)[field].split()[0]) / 1024

    before = resident("VmRSS")
    benchmark.pedantic(amle, (graph, labels), rounds=1)
    benchmark.extra_info["MiB"] = resident("VmHWM") - before
