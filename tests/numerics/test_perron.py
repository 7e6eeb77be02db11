"""The enclosure of the spectral radius: exact cases, families that defeat eigenvalue solvers."""

from __future__ import annotations

from fractions import Fraction
from math import cos, pi, sqrt

import networkx as nx
import numpy as np
import pytest
from scipy import sparse

from rolltheory.errors import AssumptionError, DomainError
from rolltheory.numerics.perron import (
    collatz_wielandt_bounds,
    collatz_wielandt_bounds_exact,
    perron_certificate,
)


def adjacency(graph: nx.Graph) -> sparse.csr_array:
    return nx.to_scipy_sparse_array(graph, dtype=float)


RADII = {
    "chain": (nx.path_graph(50), 2 * cos(pi / 51)),
    "grid": (nx.grid_2d_graph(5, 10), 2 * cos(pi / 6) + 2 * cos(pi / 11)),
    "star": (nx.star_graph(49), 7.0),
    "complete": (nx.complete_graph(50), 49.0),
    "directed cycle of 300": (nx.cycle_graph(300, create_using=nx.DiGraph), 1.0),
    "chain of 20,000": (nx.path_graph(20_000), 2 * cos(pi / 20_001)),
}


@pytest.mark.parametrize(("graph", "radius"), RADII.values(), ids=RADII)
def test_known_radii_are_enclosed(graph: nx.Graph, radius: float) -> None:
    certificate = perron_certificate(adjacency(graph))
    assert certificate.lower <= radius * (1 + 1e-15)
    assert certificate.upper >= radius * (1 - 1e-15)
    assert certificate.width <= 1e-8
    assert certificate.irreducible


PUBLISHED = [
    *zip([1, 2, 3], ["watts"] * 3, [4.15529, 4.10481, 4.22854], strict=True),
    *zip([1, 2, 3], ["barabasi"] * 3, [5.91243, 6.13096, 5.77778], strict=True),
]


@pytest.mark.parametrize(("seed", "family", "radius"), PUBLISHED)
def test_random_families(seed: int, family: str, radius: float) -> None:
    graph = (
        nx.watts_strogatz_graph(50, 4, 0.1, seed=seed)
        if family == "watts"
        else nx.barabasi_albert_graph(50, 2, seed=seed)
    )
    assert perron_certificate(adjacency(graph)).upper == pytest.approx(radius, abs=6e-6)


@pytest.mark.parametrize(
    "graph", [nx.complete_graph(300), nx.barabasi_albert_graph(300, 2, seed=1)]
)
def test_without_a_cycle_the_radius_is_zero_where_arnoldi_returns_a_number(graph: nx.Graph) -> None:
    certificate = perron_certificate(np.triu(nx.to_numpy_array(graph), 1))
    assert (certificate.lower, certificate.upper, certificate.period) == (0, 0, 0)
    assert certificate.right.size == certificate.component_count == 0


def test_a_defective_matrix_has_its_diagonal_as_radius() -> None:
    jordan = 0.5 * np.eye(60) + np.eye(60, k=1)
    certificate = perron_certificate(jordan)
    assert certificate.lower <= 0.5 <= certificate.upper <= 0.5 * (1 + 1e-12)
    assert certificate.component_count == 60
    assert not certificate.irreducible


def test_the_largest_component_wins_wherever_it_stands() -> None:
    blocks = sparse.block_diag([np.ones((2, 2)), np.ones((5, 5)), [[3.0]]], format="lil")
    blocks[0, 4] = 1000.0  # one way between components: no cycle, no change
    certificate = perron_certificate(blocks)
    assert certificate.lower <= 5 <= certificate.upper < 5 + 1e-8
    assert certificate.component.tolist() == [2, 3, 4, 5, 6]


def test_the_enclosure_holds_the_radius_of_random_rational_matrices() -> None:
    import sympy

    rng = np.random.default_rng(3)
    for _ in range(20):
        matrix = rng.integers(0, 3, (4, 4))
        certificate = perron_certificate(matrix)
        if certificate.upper == 0:
            assert not np.linalg.matrix_power(matrix, 4).any()
            continue
        x = sympy.Symbol("x")
        polynomial = sympy.Matrix(matrix.tolist()).charpoly(x).as_expr()
        largest = max(sympy.Poly(polynomial, x).real_roots())
        assert sympy.Rational(certificate.lower) <= largest <= sympy.Rational(certificate.upper)


def test_periods() -> None:
    assert perron_certificate(adjacency(nx.star_graph(4))).period == 2
    assert perron_certificate([[0, 1, 0], [0, 0, 1], [1, 0, 0]]).period == 3
    assert perron_certificate([[1, 1], [1, 0]]).period == 1


def test_left_and_right_vectors_are_those_of_the_matrix() -> None:
    certificate = perron_certificate([[0, 4], [1, 0]])
    np.testing.assert_allclose(certificate.right, [1, 0.5])
    np.testing.assert_allclose(certificate.left, [0.5, 1])


def test_scale_does_not_matter() -> None:
    for scale in (2.0**-900, 1e-300, 1.0, 1e300):
        certificate = perron_certificate(scale * np.ones((3, 3)))
        assert certificate.lower <= 3 * scale * (1 + 1e-15)
        assert certificate.upper >= 3 * scale * (1 - 1e-15)
        assert certificate.width <= 1e-12 * scale


def test_any_positive_vector_bounds_from_both_sides() -> None:
    rng = np.random.default_rng(5)
    matrix, vector = rng.random((6, 6)), rng.random(6) + 0.1
    radius = np.abs(np.linalg.eigvals(matrix)).max()
    lower, upper = collatz_wielandt_bounds(matrix, vector)
    assert lower < radius < upper
    exact = collatz_wielandt_bounds_exact(matrix.tolist(), vector.tolist())
    assert Fraction(lower) < exact[0] <= exact[1] < Fraction(upper)
    assert exact[0] - Fraction(lower) < 1e-14


def test_exact_bounds_of_the_golden_ratio_alternate() -> None:
    lower, upper = collatz_wielandt_bounds_exact([[1, 1], [1, 0]], [13, 8])
    assert (lower, upper) == (Fraction(21, 13), Fraction(13, 8))
    assert lower < (1 + sqrt(5)) / 2 < upper


@pytest.mark.parametrize(
    ("matrix", "error", "words"),
    [
        ([[0, -1], [1, 0]], AssumptionError, "matrix is nonnegative; found entry -1"),
        ([[np.nan]], DomainError, "finite entries"),
        ([[np.inf]], DomainError, "finite entries"),
        ([[1, 2]], DomainError, "a square matrix"),
        (np.empty((0, 0)), DomainError, "at least one row"),
        ([["a"]], DomainError, "a square matrix of real numbers"),
    ],
)
def test_what_is_not_a_nonnegative_matrix_is_refused(matrix, error, words) -> None:
    with pytest.raises(error, match=words):
        perron_certificate(matrix)


def test_vectors_that_bound_nothing_are_refused() -> None:
    with pytest.raises(DomainError, match="vector = 0"):
        collatz_wielandt_bounds([[1]], [0])
    with pytest.raises(DomainError, match=r"shape \(2,\)"):
        collatz_wielandt_bounds(np.ones((2, 2)), [1])
    with pytest.raises(DomainError, match="as many entries"):
        collatz_wielandt_bounds_exact([[1, 1], [1, 1]], [1])
    with pytest.raises(DomainError, match="positive entries"):
        collatz_wielandt_bounds_exact([[1]], [0])
    with pytest.raises(AssumptionError, match="negative"):
        collatz_wielandt_bounds_exact([[-1]], [1])


@pytest.mark.parametrize("size", [100, 400])
def test_a_weighted_cycle_has_the_geometric_mean_of_its_weights(size: int) -> None:
    """Periodic, with a vector that spans many orders of magnitude: the search starts slowly."""
    weights = np.random.default_rng(0).random(size) + 0.1
    cycle = sparse.coo_array((weights, (np.arange(size), np.roll(np.arange(size), -1))))
    certificate = perron_certificate(cycle)
    assert certificate.lower <= np.exp(np.log(weights).mean()) * (1 + 1e-12)
    assert certificate.upper >= np.exp(np.log(weights).mean()) * (1 - 1e-12)
    assert certificate.width < 1e-9


def test_a_graph_without_small_factors_is_searched_by_power_steps() -> None:
    """A factorisation of this random graph would fill: it would take minutes."""
    ends = np.random.default_rng(0).integers(0, 20_000, (2, 100_000))
    messages = sparse.coo_array((np.ones(100_000), tuple(ends)), shape=(20_000, 20_000))
    certificate = perron_certificate(messages + messages.T, tolerance=1e-12)
    assert certificate.width < 1e-12 * certificate.upper * 2
