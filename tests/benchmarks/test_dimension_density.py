"""Exact densities of one-inclusion hypergraphs, beside the same minimum cuts by networkx.

Random binary classes: 90,787 hypotheses on 20 points with 78,850 lines, and 79,798 on 18 points
with 219,095 lines; networkx takes part at 3,357 hypotheses on 12 points. What is found is in
``extra_info``; reading the class is outside of all timings.
"""

from fractions import Fraction
from math import ceil

import networkx as nx
import numpy as np
import pytest

from rolltheory.dimension.classes import class_from_rows
from rolltheory.dimension.density import attains, max_density
from rolltheory.dimension.hypergraph import densest_part, hypergraph, shares_within

SIZES = {(95_000, 20): 90_787, (95_000, 18): 79_798}


@pytest.fixture(scope="module", params=SIZES, ids=lambda size: f"{SIZES[size]:,} hypotheses")
def large(request):
    return drawn(*request.param)


@pytest.fixture(scope="module")
def small():
    return drawn(7_000, 12)


def drawn(rows, points):
    rng = np.random.default_rng(0)
    return class_from_rows(np.unique(rng.integers(0, 2, (rows, points)), axis=0))


@pytest.mark.benchmark(group="exact density")
def test_max_density(benchmark, large):
    found = benchmark.pedantic(max_density, (large,), rounds=1)
    benchmark.extra_info["density"] = str(found.value)
    benchmark.extra_info["hypotheses"] = len(large)
    assert attains(found, large)


@pytest.mark.benchmark(group="exact density, with the orientation that proves it")
def test_density_and_orientation(benchmark, large):
    graph = hypergraph(large.codes)

    def proven():
        density = densest_part(graph)[0]
        return density, shares_within(graph, Fraction(ceil(density)))

    density, shares = benchmark.pedantic(proven, rounds=1)
    assert shares is not None
    assert shares_within(graph, Fraction(ceil(density) - 1)) is None


@pytest.mark.benchmark(group="exact density, 3,357 hypotheses")
def test_rolltheory(benchmark, small):
    found = benchmark.pedantic(densest_part, (hypergraph(small.codes),), rounds=5)
    benchmark.extra_info["density"] = str(found[0])


@pytest.mark.benchmark(group="exact density, 3,357 hypotheses")
def test_networkx(benchmark, small):
    """The same rounds, with the cuts of networkx's preflow-push."""
    graph = hypergraph(small.codes)
    density, part = benchmark.pedantic(densest_by_networkx, (graph,), rounds=1)
    benchmark.extra_info["density"] = str(density)
    assert (density, len(part)) == (densest_part(graph)[0], densest_part(graph)[1].size)


def densest_by_networkx(graph):
    part = set(range(graph.vertices))
    while True:
        density = excess_per_vertex(graph, part)
        denser = denser_by_networkx(graph, density)
        if not denser:
            return density, part
        part = denser


def excess_per_vertex(graph, part):
    inside = np.isin(graph.edges[:, 1], list(part))
    members = np.bincount(graph.edges[inside, 0])
    return Fraction(int(np.maximum(members - 1, 0).sum()), len(part))


def denser_by_networkx(graph, density):
    p, q = density.numerator, density.denominator
    network = nx.DiGraph()
    for vertex, degree in enumerate(graph.degrees.tolist()):
        network.add_edge("source", ("v", vertex), capacity=max(q * degree - p, 0))
    for edge, vertex in graph.edges.tolist():
        network.add_edge(("v", vertex), ("e", edge), capacity=q)
        network.add_edge(("e", edge), "sink", capacity=q)
    value, (near, _) = nx.minimum_cut(network, "source", "sink")
    demanded = sum(capacity["capacity"] for capacity in network["source"].values())
    if value == demanded:
        return set()
    demand = network["source"]
    return {node[1] for node in near if node in demand and demand[node]["capacity"]}
