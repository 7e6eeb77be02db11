"""Repair and criticality: worked graphs, greedy choices against the optimum, the guarantee."""

from __future__ import annotations

from itertools import combinations
from math import e, sqrt

import networkx as nx
import numpy as np
import pytest

from rolltheory.errors import AssumptionError, DomainError, UnsupportedError
from rolltheory.graph_world.criticality import critical_weights, error_exposure
from rolltheory.graph_world.regret import horizon_factor
from rolltheory.graph_world.repair import (
    greedy_repair,
    optimal_repair,
    residual_relief,
    walk_relief,
)
from rolltheory.graph_world.walks import walk_count, walk_count_exact
from rolltheory.numerics.perron import perron_certificate


def clique_with_path() -> np.ndarray:
    graph = nx.complete_graph(6)
    nx.add_path(graph, [5, 6, 7, 8])
    return nx.to_numpy_array(graph)


TRIANGLES = nx.to_numpy_array(nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3)))


def test_two_triangles_need_two_nodes() -> None:
    alone = residual_relief(TRIANGLES, [0])
    assert alone.lower == 0
    assert alone.upper < 1e-9  # zero, whatever the rounding says
    both = residual_relief(TRIANGLES, [0, 3])
    assert both.lower == pytest.approx(1)
    assert optimal_repair(TRIANGLES, 2).reliefs[-1].lower == pytest.approx(1)
    # greedy does not stop where the first node brings nothing
    for objective in ("radius", "walks"):
        repair = greedy_repair(TRIANGLES, 2, objective=objective)
        assert repair.reliefs[-1].lower == pytest.approx(1)
        assert {node // 3 for node in repair.region} == {0, 1}


def test_a_clique_with_a_tail() -> None:
    matrix = clique_with_path()
    assert perron_certificate(matrix).upper == pytest.approx(5.0355312, abs=5e-8)
    tail = residual_relief(matrix, [8, 7, 6, 5])
    assert tail.residual_upper == pytest.approx(4.0)
    best = optimal_repair(matrix, 4, connected=True)
    assert best.reliefs[0].residual_upper == pytest.approx(sqrt(2))
    assert residual_relief(matrix, [0, 1, 2, 5]).residual_upper == pytest.approx(sqrt(2))


def test_what_repair_is_worth_to_a_planner() -> None:
    matrix = clique_with_path() / 4
    radii = [
        perron_certificate(matrix).upper,
        residual_relief(matrix, [8, 7, 6, 5]).residual_upper,
        residual_relief(matrix, [0, 1, 2, 5]).residual_upper,
    ]
    factors = [float(horizon_factor(32, discount=0.95, spectral_radius=radius)) for radius in radii]
    assert factors == pytest.approx([5963.90, 182.414, 22.616], rel=1e-5)


def test_greedy_by_walks_keeps_its_guarantee_on_random_graphs() -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        matrix = rng.random((7, 7)) * (rng.random((7, 7)) < 0.5)
        repair = greedy_repair(matrix, 3, length=3)
        best = max(walk_relief(matrix, region, length=3) for region in combinations(range(7), 3))
        assert repair.guarantee == pytest.approx(1 - 1 / e)
        assert repair.walk_reliefs[-1] >= repair.guarantee * best
        assert walk_relief(matrix, repair.region, length=3) == pytest.approx(
            repair.walk_reliefs[-1]
        )


def test_no_guarantee_is_claimed_where_none_holds() -> None:
    assert greedy_repair(TRIANGLES, 1, objective="radius").guarantee is None
    assert greedy_repair(TRIANGLES, 1, connected=True).guarantee is None


def test_a_connected_region_stays_connected_and_may_end_early() -> None:
    repair = greedy_repair(TRIANGLES, 5, connected=True)
    assert len(repair.region) == 3
    assert len({node // 3 for node in repair.region}) == 1


def test_growth_from_the_wrong_end_is_far_from_the_optimum() -> None:
    best = optimal_repair(clique_with_path(), 4, connected=True)
    grown = residual_relief(clique_with_path(), [8, 7, 6, 5])
    assert grown.upper < best.reliefs[0].lower / 3


def test_walks_bound_the_radius_and_traces_do_not() -> None:
    cycle = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]])
    assert np.trace(cycle @ cycle) == 0
    assert walk_count(cycle, length=2) == 3
    rng = np.random.default_rng(1)
    for _ in range(20):
        matrix = rng.random((5, 5))
        for length in (1, 2, 7):
            assert perron_certificate(matrix).lower <= walk_count(matrix, length=length) ** (
                1 / length
            )
            exact = walk_count_exact(matrix.tolist(), length=length)
            assert walk_count(matrix, length=length) == pytest.approx(float(exact), rel=1e-14)


def test_relief_is_monotone_and_neither_submodular_nor_supermodular() -> None:
    rng = np.random.default_rng(2)
    rises, falls = 0, 0
    for _ in range(40):
        matrix = np.triu(rng.random((6, 6)) < 0.5, 1).astype(float)
        matrix += matrix.T
        base = residual_relief(matrix, [0])
        more = residual_relief(matrix, [0, 1])
        assert more.upper >= base.lower
        with_third = residual_relief(matrix, [0, 1, 2]).lower - more.upper
        without = residual_relief(matrix, [0, 2]).upper - base.lower
        rises += with_third > without + 1e-6
        falls += residual_relief(matrix, [0, 1, 2]).upper - more.lower < (
            residual_relief(matrix, [0, 2]).lower - base.upper - 1e-6
        )
    assert rises > 0
    assert falls > 0


def test_worked_katz_weights() -> None:
    star = 0.4 * nx.to_numpy_array(nx.star_graph(4))
    assert critical_weights(star) == pytest.approx([7.2222] + [3.8889] * 4, abs=5e-5)
    assert critical_weights(star, horizon=10) == pytest.approx([6.44674] + [3.47132] * 4, abs=5e-6)


NORMALISED = {
    "star": (nx.star_graph(49), 4.614, 8.2, 5.0),
    "scale-free": (nx.barabasi_albert_graph(50, 2, seed=1), 2.278, 2.748, 2.449),
}


@pytest.mark.parametrize(("graph", "right", "rows", "degree"), NORMALISED.values(), ids=NORMALISED)
def test_row_sums_overweigh_the_hub(graph, right, rows, degree) -> None:
    looped = nx.to_numpy_array(graph) + np.eye(50)
    scale = 1 / np.sqrt(looped.sum(axis=1))
    matrix = scale[:, None] * looped * scale
    weights = critical_weights(0.9 * matrix, horizon=32)
    for values, ratio in (
        (weights, right),
        (matrix.sum(axis=1), rows),
        (np.sqrt(looped.sum(axis=1)), degree),
    ):
        assert values.max() / values.min() == pytest.approx(ratio, abs=6e-4 * ratio)


def test_the_weights_are_the_derivatives_of_the_readout() -> None:
    rng = np.random.default_rng(3)
    matrix, readout, errors = rng.random((6, 6)) / 4, rng.random(6), rng.random(6)
    state = np.zeros(6)
    for _ in range(9):
        state = matrix @ state + errors
    assert readout @ state == pytest.approx(critical_weights(matrix, readout, horizon=9) @ errors)
    assert error_exposure(matrix, errors, horizon=9) == pytest.approx(state)
    assert critical_weights(matrix, readout, horizon=0).tolist() == [0] * 6


def test_for_ever_needs_a_radius_below_one() -> None:
    with pytest.raises(AssumptionError, match="spectral radius is below 1"):
        critical_weights(np.ones((2, 2)))
    nilpotent = np.triu(np.full((3, 3), 9.0), 1)
    assert critical_weights(nilpotent) == pytest.approx(critical_weights(nilpotent, horizon=3))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: residual_relief(TRIANGLES, [6]), "nodes below 6"),
        (lambda: residual_relief(TRIANGLES, [-1]), "region"),
        (lambda: greedy_repair(TRIANGLES, 7), "budget"),
        (lambda: greedy_repair(TRIANGLES, 1, objective="luck"), "objective"),
        (lambda: optimal_repair(np.ones((40, 40)), 10), "regions"),
        (lambda: critical_weights(np.eye(2) / 2, [1]), "readout"),
        (lambda: walk_count(TRIANGLES, length=0), "length"),
    ],
)
def test_bad_arguments_are_named(call, words) -> None:
    with pytest.raises((DomainError, UnsupportedError), match=words):
        call()
