"""Value bounds against solved Markov chains: attained cases, random ones, classical contrasts."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from rolltheory.errors import AssumptionError, DomainError
from rolltheory.graph_world.value_bounds import (
    best_replay_window,
    branched_rollout_gap,
    classical_simulation_lemma,
    finite_horizon_simulation_lemma,
    lipschitz_value_bound,
    mixture_shift_bound,
    optimal_data_split,
    simulation_lemma,
)


def value(transitions: np.ndarray, rewards: np.ndarray, gamma: float) -> np.ndarray:
    return np.linalg.solve(np.eye(len(rewards)) - gamma * transitions, rewards)


def random_chain(rng: np.random.Generator, states: int) -> np.ndarray:
    return rng.dirichlet(np.ones(states), size=states)


def test_the_sharp_lemma_is_attained_by_leaking_into_a_worthless_state() -> None:
    gamma, error = 0.9, 0.1
    stays, leaks = np.eye(2), np.array([[1 - error, error], [0, 1]])
    rewards = np.array([1.0, 0.0])
    loss = value(stays, rewards, gamma)[0] - value(leaks, rewards, gamma)[0]
    assert loss == pytest.approx(90 / 19)
    bound = simulation_lemma(gamma, reward_error=0, transition_error=error)
    assert loss <= bound == pytest.approx(90 / 19)
    classical = classical_simulation_lemma(gamma, reward_error=0, transition_error=error)
    assert classical == pytest.approx(9)


def test_a_reward_error_alone_is_attained_too() -> None:
    bound = simulation_lemma(0.5, reward_error=0.25, transition_error=0)
    assert bound == pytest.approx(0.25 / 0.5)


def test_the_sharp_lemma_on_random_chains() -> None:
    rng = np.random.default_rng(0)
    worst = 0.0
    for _ in range(500):
        gamma = rng.uniform(0, 0.99)
        true, model = random_chain(rng, 3), random_chain(rng, 3)
        model = true + rng.uniform(0, 1) * (model - true)
        rewards, guess = rng.random((2, 3))
        bound = simulation_lemma(
            gamma,
            reward_error=np.abs(rewards - guess).max(),
            transition_error=np.abs(true - model).sum(axis=1).max() / 2,
        )
        gap = np.abs(value(true, rewards, gamma) - value(model, guess, gamma)).max()
        assert gap <= bound
        worst = max(worst, gap / bound)
    assert worst > 0.5  # the bound is not idle


def test_the_finite_horizon_form() -> None:
    assert finite_horizon_simulation_lemma(20, transition_error=0.1) == pytest.approx(
        11.215767, abs=5e-7
    )
    steps, errors = np.arange(30)[:, None], np.array([0.0, 1e-12, 0.3, 1.0])
    bounds = finite_horizon_simulation_lemma(steps, transition_error=errors)
    for h in range(30):
        for column, eps in enumerate(errors):
            alive, total = 1.0, 0.0
            for _ in range(h):
                total += 1 - alive
                alive *= 1 - eps
            assert bounds[h, column] >= total
            assert bounds[h, column] == pytest.approx(total, rel=1e-3, abs=1e-15)
            assert bounds[h, column] <= eps * h * (h - 1) / 2 * (1 + 1e-12)


def test_the_lipschitz_bound_is_attained_by_a_shifted_contraction() -> None:
    gamma, stretch, slope, shift = 0.9, 0.8, 2.0, 0.05
    state, loss = 0.0, 0.0
    for t in range(2000):
        loss += gamma**t * slope * state  # the true state stays at zero
        state = stretch * state + shift
    bound = lipschitz_value_bound(
        gamma, transition_lipschitz=stretch, reward_lipschitz=slope, model_error=shift
    )
    assert loss == pytest.approx(3.2142857, abs=5e-8)
    assert bound == pytest.approx(loss)
    with pytest.raises(AssumptionError, match=r"found 1\.08"):
        lipschitz_value_bound(0.9, transition_lipschitz=1.2, reward_lipschitz=1, model_error=1)


def test_a_branched_return_exceeds_the_true_one_by_less_than_the_gap() -> None:
    rng = np.random.default_rng(1)
    for _ in range(200):
        gamma = rng.uniform(0, 0.95)
        policies = rng.dirichlet(np.ones(2), size=(2, 3))  # past and present, three states
        true, model = rng.dirichlet(np.ones(3), size=(2, 3, 2))
        model = true + rng.uniform(0, 0.3) * (model - true)
        rewards = rng.random((3, 2))
        returns = [
            value(np.einsum("sa,sat->st", policies[1], law), (policies[1] * rewards).sum(1), gamma)
            for law in (true, model)
        ]
        gap = branched_rollout_gap(
            gamma,
            model_error=np.abs(true - model).sum(axis=2).max() / 2,
            policy_shift=np.abs(policies[0] - policies[1]).sum(axis=1).max() / 2,
        )
        assert (returns[1] - returns[0]).max() <= gap


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


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: simulation_lemma(1.0, reward_error=0, transition_error=0), "below 1"),
        (lambda: simulation_lemma(0.5, reward_error=2, transition_error=0), "reward_error"),
        (lambda: finite_horizon_simulation_lemma(-1, transition_error=0), "horizon"),
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
    ],
)
def test_bad_arguments_are_named(call, words) -> None:
    with pytest.raises(DomainError, match=words):
        call()
