"""Training data: bounds on replay, windows and splits against search, Pinsker against integrals."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from rolltheory.errors import DomainError
from rolltheory.graph_world.training_data import (
    best_replay_window,
    gaussian_pinsker_bound,
    mixture_shift_bound,
    mixture_shift_bound_exact,
    optimal_data_split,
)


def value(transitions: np.ndarray, rewards: np.ndarray, gamma: float) -> np.ndarray:
    return np.linalg.solve(np.eye(len(rewards)) - gamma * transitions, rewards)


def occupancy(policy: np.ndarray, law: np.ndarray, gamma: float) -> np.ndarray:
    """Discounted shares of (state, action), started from state 0."""
    chain = np.einsum("sa,sat->st", policy, law)
    states = (1 - gamma) * np.linalg.solve(np.eye(3) - gamma * chain.T, np.eye(3)[0])
    return states[:, None] * policy


def gain(policy: np.ndarray, law: np.ndarray, rewards: np.ndarray, gamma: float) -> float:
    chain = np.einsum("sa,sat->st", policy, law)
    return value(chain, (policy * rewards).sum(axis=1), gamma)[0]


def test_the_mixture_bound_on_random_replay() -> None:
    rng = np.random.default_rng(2)
    for _ in range(200):
        gamma = rng.uniform(0.1, 0.9)
        true, model = rng.dirichlet(np.ones(3), size=(2, 3, 2))
        model = true + rng.uniform(0, 1) * (model - true)
        error = np.abs(true - model).sum(axis=2) / 2
        policies = rng.dirichlet(np.ones(2), size=(4, 3))
        policies = policies[0] + 0.2 * (policies - policies[0])
        shares, rewards = rng.dirichlet(np.ones(3)), rng.random((3, 2))
        mixture = sum(
            share * occupancy(policy, true, gamma)
            for share, policy in zip(shares, policies[1:], strict=True)
        )
        shifts = np.abs(policies[1:] - policies[0]).sum(axis=2).max(axis=1) / 2
        bound = mixture_shift_bound(
            gamma,
            shares,
            shifts,
            mixture_error=(mixture * error).sum(),
            largest_error=error.max(),
        )
        gains = [gain(policies[0], law, rewards, gamma) for law in (true, model)]
        assert abs(gains[0] - gains[1]) <= bound


def test_the_replay_window_minimises_the_cost() -> None:
    window = best_replay_window(0.02, samples=100, noise=1)
    assert window == pytest.approx(2.92, abs=5e-3)

    def cost(m: float) -> float:
        return 0.02 * (m - 1) / 2 + 1 / np.sqrt(100 * m)

    found = minimize_scalar(cost, bounds=(0.1, 50), method="bounded", options={"xatol": 1e-9})
    assert window == pytest.approx(found.x, rel=1e-5)
    assert cost(3) < min(cost(2), cost(4))


def test_the_data_split_is_the_best_on_a_grid() -> None:
    arguments = {"error_scales": (3, 1), "exponents": (0.5, 0.3), "unit_costs": (2, 1)}
    dynamics, reward = optimal_data_split(100.0, **arguments)
    assert 2 * dynamics + reward == pytest.approx(100)
    grid = np.linspace(0.1, 49.9, 100_001)
    costs = 3 * grid**-0.5 + (100 - 2 * grid) ** -0.3
    assert dynamics == pytest.approx(grid[costs.argmin()], abs=2e-3)


def total_variation(mean: float, std: float, other_mean: float, other_std: float) -> float:
    grid = np.linspace(-60, 60, 400_001)
    densities = [
        np.exp(-(((grid - m) / s) ** 2) / 2) / (s * np.sqrt(2 * np.pi))
        for m, s in ((mean, std), (other_mean, other_std))
    ]
    return float(np.abs(densities[0] - densities[1]).sum() * (grid[1] - grid[0]) / 2)


def test_pinsker_with_variances_and_what_the_published_code_computes() -> None:
    bound = gaussian_pinsker_bound([0.0], [0.05], std=[0.1], other_std=[0.1])
    true = total_variation(0, 0.1, 0.05, 0.1)
    with_deviations = np.sqrt(0.05**2 / 0.1 / 4)
    assert (with_deviations, true, bound) == (
        pytest.approx(0.079, abs=5e-4),
        pytest.approx(0.1974, abs=5e-5),
        pytest.approx(0.25),
    )
    assert with_deviations < true <= bound


@pytest.mark.parametrize("std", [0.3, 1.0, 1.0001, 4.0])
@pytest.mark.parametrize("mean", [0.0, 0.5, 3.0])
def test_pinsker_is_above_the_integral(mean: float, std: float) -> None:
    bound = gaussian_pinsker_bound([mean], [0.0], std=[std], other_std=[1.0])
    assert total_variation(mean, std, 0, 1) <= bound + 1e-9
    assert bound <= 1


def test_pinsker_over_coordinates_and_states() -> None:
    means = np.zeros((4, 2))
    bounds = gaussian_pinsker_bound(
        means, means + np.array([0.3, 0.4]), std=[1, 1], other_std=[1, 1]
    )
    assert bounds == pytest.approx(np.full(4, 0.25))
    assert gaussian_pinsker_bound([1.0], [1.0], std=[2.0], other_std=[2.0]) == 0
    assert gaussian_pinsker_bound([0.0], [0.0], std=[1e200], other_std=[1e-200]) == 1


def test_the_mixture_bound_and_its_exact_twin() -> None:
    shares, shifts = [0.25, 0.75], [0.5, 0.125]
    exact = mixture_shift_bound_exact(
        Fraction(1, 2),
        list(map(Fraction, shares)),
        list(map(Fraction, shifts)),
        mixture_error=Fraction(1, 16),
        largest_error=Fraction(1, 4),
    )
    assert exact == 2 * (Fraction(1, 16) + Fraction(1, 4) * 2 * Fraction(7, 32))
    bound = mixture_shift_bound(0.5, shares, shifts, mixture_error=1 / 16, largest_error=1 / 4)
    assert exact <= Fraction(bound) <= exact * (1 + Fraction(1, 10**12))
    with pytest.raises(DomainError, match="sum to 1"):
        mixture_shift_bound_exact(
            Fraction(1, 2), [Fraction(1, 3)], [0], mixture_error=0, largest_error=0
        )


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda: mixture_shift_bound(0.5, [0.5], [0], mixture_error=0, largest_error=0),
            "sum to 1",
        ),
        (
            lambda: mixture_shift_bound(0.5, [1], [0, 0], mixture_error=0, largest_error=0),
            "one per weight",
        ),
        (
            lambda: mixture_shift_bound(0.5, [1], [0], mixture_error=0.5, largest_error=0.1),
            "largest_error",
        ),
        (lambda: best_replay_window(0, samples=1, noise=1), "drift"),
        (
            lambda: gaussian_pinsker_bound([0.0], [0.0], std=[0.0], other_std=[1.0]),
            "std",
        ),
        (
            lambda: mixture_shift_bound(1.0, [1], [0], mixture_error=0, largest_error=0),
            "below 1",
        ),
    ],
)
def test_bad_arguments_are_named(call, words) -> None:
    with pytest.raises(DomainError, match=words):
        call()
