"""Value bounds against solved Markov chains: attained cases, random ones, classical contrasts."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from rolltheory.errors import AssumptionError, DomainError
from rolltheory.graph_world.value_bounds import (
    classical_simulation_lemma,
    finite_horizon_simulation_lemma,
    finite_horizon_simulation_lemma_exact,
    lipschitz_value_bound,
    lipschitz_value_bound_exact,
    model_return_gap,
    model_return_gap_exact,
    simulation_lemma,
    simulation_lemma_exact,
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


def test_a_return_in_the_model_exceeds_the_true_one_by_less_than_the_gap() -> None:
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
        gap = model_return_gap(
            gamma,
            model_error=np.abs(true - model).sum(axis=2).max() / 2,
            policy_shift=np.abs(policies[0] - policies[1]).sum(axis=1).max() / 2,
        )
        assert (returns[1] - returns[0]).max() <= gap


@pytest.mark.parametrize("gamma", [0.0, 0.5, 0.9])
@pytest.mark.parametrize("reward_error", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("error", [0.0, 0.1, 1.0])
def test_the_sharp_lemma_is_attained_for_both_errors_at_once(gamma, reward_error, error) -> None:
    leaks = np.array([[1 - error, error], [0, 1]])
    loss = 1 / (1 - gamma) - value(leaks, np.array([1 - reward_error, 0.0]), gamma)[0]
    bound = simulation_lemma(gamma, reward_error=reward_error, transition_error=error)
    assert loss == pytest.approx(bound)
    assert bound <= 1 / (1 - gamma) * (1 + 1e-12)  # no more than there is to lose


def test_exact_twins() -> None:
    gamma, tenth = Fraction(9, 10), Fraction(1, 10)
    assert simulation_lemma_exact(gamma, reward_error=0, transition_error=tenth) == Fraction(90, 19)
    assert (
        finite_horizon_simulation_lemma_exact(20, transition_error=tenth)
        == 20 - (1 - (1 - tenth) ** 20) / tenth
    )
    assert lipschitz_value_bound_exact(
        gamma, transition_lipschitz=tenth * 8, reward_lipschitz=2, model_error=tenth / 2
    ) == Fraction(45, 14)
    assert model_return_gap_exact(
        Fraction(1, 2), model_error=0, policy_shift=tenth, reward_bound=2
    ) == Fraction(16, 5)
    with pytest.raises(AssumptionError, match="transition_lipschitz"):
        lipschitz_value_bound_exact(
            gamma, transition_lipschitz=2, reward_lipschitz=1, model_error=1
        )
    with pytest.raises(DomainError, match="below 1"):
        simulation_lemma_exact(1, reward_error=0, transition_error=0)


def test_floats_keep_to_the_exact_value_where_the_series_hardly_converges() -> None:
    discount, stretch = 1 - 2.0**-40, 1 - 2.0**-45
    bound = lipschitz_value_bound(
        discount, transition_lipschitz=stretch, reward_lipschitz=1, model_error=1
    )
    exact = lipschitz_value_bound_exact(
        Fraction(discount),
        transition_lipschitz=Fraction(stretch),
        reward_lipschitz=1,
        model_error=1,
    )
    assert exact <= Fraction(float(bound)) <= exact * (1 + Fraction(1, 10**12))
    close = simulation_lemma(discount, reward_error=0, transition_error=2.0**-50)
    true = simulation_lemma_exact(
        Fraction(discount), reward_error=0, transition_error=Fraction(2) ** -50
    )
    assert true <= Fraction(float(close)) <= true * (1 + Fraction(1, 10**12))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: simulation_lemma(1.0, reward_error=0, transition_error=0), "below 1"),
        (lambda: simulation_lemma(0.5, reward_error=2, transition_error=0), "reward_error"),
        (lambda: finite_horizon_simulation_lemma(-1, transition_error=0), "horizon"),
        (lambda: model_return_gap(0.5, model_error=2, policy_shift=0), "model_error"),
    ],
)
def test_bad_arguments_are_named(call, words) -> None:
    with pytest.raises(DomainError, match=words):
        call()
