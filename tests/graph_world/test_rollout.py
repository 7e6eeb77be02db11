"""Fixed edges: worked horizons, the attained case, and every norm against simulated rollouts."""

from __future__ import annotations

from fractions import Fraction

import networkx as nx
import numpy as np
import pytest

from rolltheory.errors import DomainError
from rolltheory.graph_world.rollout import (
    error_norm,
    fixed_edge_bound,
    fixed_edge_bound_exact,
    geometric_sum,
    geometric_sum_exact,
    noise_floor,
    spectral_bound,
    validity_horizon,
)
from rolltheory.graph_world.spectral import power_norm_bound


@pytest.mark.parametrize("ratio", [0.0, 1e-300, 0.3, 1 - 2**-50, 1.0, 1 + 2**-50, 1.5, 40.0])
def test_geometric_sums_against_rationals(ratio: float) -> None:
    for terms in (0, 1, 2, 7, 40):
        exact = float(geometric_sum_exact(ratio, terms))
        assert geometric_sum(ratio, terms) == pytest.approx(exact, rel=1e-13)


def test_geometric_sums_broadcast_and_overflow_to_infinity() -> None:
    sums = geometric_sum([[0.5], [2]], [1, 2, 3])
    np.testing.assert_allclose(sums, [[1, 1.5, 1.75], [1, 3, 7]], rtol=1e-14)
    assert geometric_sum(2.0, 10**6) == np.inf


def test_the_star_attains_the_bound() -> None:
    star = nx.to_numpy_array(nx.star_graph(4))
    perron = np.linalg.eigh(star)[1][:, -1]
    perron = perron * np.sign(perron[0]) / np.linalg.norm(perron)
    error = 0.1 * perron
    for _ in range(10):
        error = 0.4 * star @ error + 0.01 * perron
    bound = fixed_edge_bound(0.8, 0.1, [0.01] * 10)
    assert bound[-1] == pytest.approx(0.05536870912, abs=1e-13)
    assert np.linalg.norm(error) == pytest.approx(bound[-1], rel=1e-14)


def test_the_float_route_rounds_up_and_stays_near_the_exact_one() -> None:
    rng = np.random.default_rng(0)
    for _ in range(50):
        growth, start, *errors = rng.random(12) * 2
        exact = fixed_edge_bound_exact(growth, start, errors)
        bound = fixed_edge_bound(growth, start, errors)
        assert all(Fraction(b) >= x for b, x in zip(bound, exact, strict=True))
        np.testing.assert_allclose(bound, [float(x) for x in exact], rtol=1e-13)


def test_a_bound_may_be_infinite_and_is_never_undefined() -> None:
    bound = fixed_edge_bound(1e200, 1.0, [0.0, 0.0])
    assert bound.tolist()[-1] == np.inf
    assert fixed_edge_bound(0.0, 5.0, [1.0]).tolist()[1] == pytest.approx(1.0)


def test_the_worked_horizon_of_validity() -> None:
    assert validity_horizon(1.1, 0.01, 1.0) == 25
    assert fixed_edge_bound(1.1, 0, [0.01] * 26)[25:] == pytest.approx([0.98347, 1.09182], abs=5e-6)


@pytest.mark.parametrize("growth", [0.0, 0.5, 0.999, 1.0, 1.001, 1.3, 7.0])
@pytest.mark.parametrize("tolerance", [0.5, 1.0, 1.5, 3.0, 1000.0])
def test_the_horizon_is_the_inverse_of_the_bound(growth: float, tolerance: float) -> None:
    horizon = validity_horizon(growth, 1.0, tolerance)
    if horizon is None:
        assert growth < 1
        assert 1 / (1 - Fraction(growth)) <= Fraction(tolerance)
        return
    exact = [geometric_sum_exact(growth, h) for h in (horizon, horizon + 1)]
    assert exact[0] <= Fraction(tolerance) < exact[1] * Fraction(1 + 1e-13)


@pytest.mark.parametrize("norm", ["frobenius", "quadratic", "largest", "total"])
def test_every_norm_holds_along_nonlinear_rollouts_on_directed_graphs(norm) -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        matrix = rng.random((6, 6)) * (rng.random((6, 6)) < 0.6)
        matrix += 0.05 * (1 - np.eye(6))
        bound = power_norm_bound(matrix)
        weight = rng.normal(size=(3, 3))
        true = model = rng.normal(size=(6, 3))
        model = model + 0.1 * rng.normal(size=(6, 3))
        start = error_norm(model - true, bound, norm)
        forcing, observed = [], [start]
        for _ in range(8):
            noise = 0.01 * rng.normal(size=(6, 3))
            model = np.tanh(matrix @ model @ weight)
            true = np.tanh(matrix @ true @ weight) + noise
            forcing.append(error_norm(noise, bound, norm))
            observed.append(error_norm(model - true, bound, norm))
        envelope = spectral_bound(
            bound, start, forcing, weight_product=np.linalg.norm(weight, 2), norm=norm
        )
        assert (observed <= envelope * (1 + 1e-12)).all()


def test_without_kappa_the_radius_is_no_bound() -> None:
    matrix = np.array([[0, 4], [1, 0]], dtype=float)
    error = np.linalg.norm(0.5 * matrix @ [0, 1])
    bound = spectral_bound(power_norm_bound(matrix), 1.0, [0.0], weight_product=0.5)
    assert error == 2
    assert fixed_edge_bound(0.5 * 2, 1.0, [0.0])[1] == pytest.approx(1)  # what the radius promises
    assert bound[1] == pytest.approx(2)
    assert bound[1] >= error


def test_layers_multiply_the_radius() -> None:
    bound = power_norm_bound([[0, 4], [1, 0]])
    twice = spectral_bound(bound, 1.0, [0.0], weight_product=1, layers=2, norm="total")
    assert twice[1] == pytest.approx(4)


def test_the_noise_floor_is_the_variance_of_noise_pushed_through() -> None:
    jacobian = np.array([[0.5, 10], [0, 0.5]])
    floor = noise_floor(jacobian, 3, noise_std=0.1)
    covariance, expected = np.zeros((2, 2)), [0.0]
    for _ in range(3):
        covariance = jacobian @ covariance @ jacobian.T + 0.01 * np.eye(2)
        expected.append(np.trace(covariance))
    np.testing.assert_allclose(floor, expected)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: fixed_edge_bound(-1, 0, [1]), "lipschitz"),
        (lambda: fixed_edge_bound(1, 0, [np.nan]), "one_step_errors"),
        (lambda: fixed_edge_bound(1, 0, [[1.0]]), "one number per step"),
        (lambda: validity_horizon(1, 0, 1), "one_step_error"),
        (lambda: error_norm([1, 2, 3], power_norm_bound(np.ones((2, 2))), "total"), "2 rows"),
        (lambda: noise_floor([[1, 2]], 1, noise_std=1), "a square matrix"),
    ],
)
def test_bad_arguments_are_named(call, words) -> None:
    with pytest.raises(DomainError, match=words):
        call()
