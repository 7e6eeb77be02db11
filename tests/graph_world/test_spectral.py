"""Powers of message matrices: worked values, and bounds where the radius alone fails."""

from __future__ import annotations

from math import comb, e, sqrt

import networkx as nx
import numpy as np
import pytest

from rolltheory.errors import AssumptionError, DomainError
from rolltheory.graph_world.spectral import (
    is_nilpotent_graph,
    kreiss_constant,
    perron_transient_constant,
    power_norm_bound,
)
from rolltheory.numerics.perron import perron_certificate


def power_norms(matrix, count: int) -> np.ndarray:
    powers = [np.linalg.matrix_power(np.asarray(matrix, dtype=float), k) for k in range(count)]
    return np.array([np.linalg.norm(power, 2) for power in powers])


def random_walk(graph: nx.Graph) -> np.ndarray:
    weights = nx.to_numpy_array(graph) + np.eye(len(graph))
    return weights / weights.sum(axis=1, keepdims=True)


def directed(graph: nx.Graph) -> np.ndarray:
    """Messages from the lower to the higher vertex only."""
    return np.tril(nx.to_numpy_array(nx.convert_node_labels_to_integers(graph)))


def test_the_transient_of_two_vertices_is_attained_at_every_odd_power() -> None:
    matrix = [[0, 4], [1, 0]]
    norms = power_norms(matrix, 6)
    assert norms[1:].tolist() == [4, 4, 16, 16, 64]
    bound = power_norm_bound(matrix)
    assert (bound.at(np.arange(6)) >= norms).all()
    np.testing.assert_allclose(bound.at([1, 3, 5]), norms[[1, 3, 5]], rtol=1e-8)
    assert (norms[1::2] > 2.0 ** np.arange(1, 6, 2)).all()  # the radius alone is no bound


TRANSIENTS = {
    "star": (nx.star_graph(49), 5.0, 3.53576),
    "scale-free": (nx.barabasi_albert_graph(50, 2, seed=1), 2.4495, 1.21771),
}


@pytest.mark.parametrize(("graph", "kappa", "norm"), TRANSIENTS.values(), ids=TRANSIENTS)
def test_random_walks_have_the_transient_of_their_degrees(graph, kappa, norm) -> None:
    matrix = random_walk(graph)
    assert np.linalg.norm(matrix, 2) == pytest.approx(norm, abs=6e-6)
    certificate = perron_certificate(matrix)
    assert perron_transient_constant(certificate) == pytest.approx(kappa, abs=6e-5)
    degrees = [degree + 1 for _, degree in graph.degree]
    assert kappa == pytest.approx(sqrt(max(degrees) / min(degrees)), abs=6e-5)
    bound = power_norm_bound(matrix)
    assert (bound.at(np.arange(30)) >= power_norms(matrix, 30)).all()


def test_symmetric_matrices_have_no_transient() -> None:
    assert perron_transient_constant(perron_certificate(nx.to_numpy_array(nx.path_graph(9)))) == 1


def test_the_bound_holds_on_random_matrices_irreducible_or_not() -> None:
    rng = np.random.default_rng(7)
    for _ in range(100):
        matrix = rng.random((5, 5)) * (rng.random((5, 5)) < 0.5)
        norms = power_norms(matrix, 12)
        rate = 1.2 * perron_certificate(matrix).upper + 0.1
        bound = power_norm_bound(matrix, rate=rate)
        assert bound.rate <= rate * (1 + 1e-12)
        assert (bound.at(np.arange(12)) >= norms).all()


def test_directed_acyclic_graphs_are_nilpotent_and_grow_before_that() -> None:
    grid = directed(nx.grid_2d_graph(5, 10))
    assert is_nilpotent_graph(grid)
    assert np.linalg.matrix_power(grid, 13).max() == comb(13, 4) == 715
    assert not np.linalg.matrix_power(grid, 14).any()
    complete = directed(nx.complete_graph(50))
    assert np.linalg.matrix_power(complete, 25)[49, 0] == comb(48, 24) == 32247603683100
    assert not is_nilpotent_graph(complete + complete.T)
    bound = power_norm_bound(grid, rate=0.5)
    assert (bound.at(np.arange(20)) >= power_norms(grid, 20)).all()


def test_the_kreiss_constant_of_a_jordan_block() -> None:
    matrix = [[0.5, 10], [0, 0.5]]
    constant = kreiss_constant(matrix)
    assert constant.lower == pytest.approx(5.05, abs=5e-5)
    assert e * 2 * constant.lower == pytest.approx(27.4546, abs=5e-4)
    assert constant.upper == pytest.approx(10.0249378, abs=5e-8)
    assert constant.upper >= power_norms(matrix, 200).max()
    assert constant.largest_power == 1
    z = constant.argument
    resolvent = np.linalg.inv(z * np.eye(2) - matrix)
    assert (abs(z) - 1) * np.linalg.norm(resolvent, 2) == pytest.approx(constant.lower)


def test_kreiss_bounds_the_powers_of_random_signed_matrices() -> None:
    rng = np.random.default_rng(11)
    for _ in range(5):
        matrix = rng.normal(size=(4, 4))
        matrix *= 0.9 / np.abs(np.linalg.eigvals(matrix)).max()
        constant = kreiss_constant(matrix)
        largest = power_norms(matrix, 400).max()
        assert constant.lower <= largest * (1 + 1e-9)
        assert largest <= e * 4 * constant.lower
        assert largest <= constant.upper


def test_what_a_radius_cannot_bound_is_refused() -> None:
    with pytest.raises(AssumptionError, match="irreducible"):
        power_norm_bound([[0.5, 10], [0, 0.5]])
    with pytest.raises(AssumptionError, match="irreducible"):
        perron_transient_constant(perron_certificate([[1, 1], [0, 1]]))
    with pytest.raises(DomainError, match=r"rate = 0\.5 .* above the spectral radius"):
        power_norm_bound([[0.5, 10], [0, 0.5]], rate=0.5)
    with pytest.raises(AssumptionError, match="spectral radius is below 1"):
        kreiss_constant([[1.0]])
    with pytest.raises(DomainError, match="a square matrix"):
        kreiss_constant([[1.0, 2.0]])
    with pytest.raises(DomainError, match="power = -1"):
        power_norm_bound([[1.0]]).at(-1)
