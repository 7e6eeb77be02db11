from fractions import Fraction
from itertools import product
from math import comb, inf, isqrt, pi, sqrt

import numpy as np
import pytest

from rolltheory.errors import DomainError
from rolltheory.staleness.advantages import (
    advantage_bound,
    conditional_advantages,
    group_advantages,
    paired_advantages,
    sample_std_factor,
)
from rolltheory.staleness.prompt_weight import (
    potential,
    potential_limit,
    prompt_weight,
    prompt_weight_derivative,
    prompt_weight_enclosure,
    prompt_weight_limit,
    prompt_weight_slope_bound,
)

GRID = np.linspace(0, 1, 21)


@pytest.mark.parametrize(
    ("group_size", "weights"),
    [
        (4, (1.69028166, 1.64503175, 1.61602540)),
        (8, (2.3276890521, 2.0261155898, 1.8556559496)),
        (16, (2.84781236, 2.1979136, 1.9341226)),
    ],
)
def test_worked_values(group_size, weights):
    found = prompt_weight([0.1, 0.25, 0.5], group_size)
    assert found == pytest.approx(weights, abs=5e-9)


def test_limit_of_large_groups():
    p = np.array([0.1, 0.25, 0.5])
    assert prompt_weight_limit(p) == pytest.approx([10 / 3, 2.30940108, 2], abs=5e-9)
    assert prompt_weight(p, 10**5) == pytest.approx(prompt_weight_limit(p), rel=1e-4)


def test_closed_forms():
    product = GRID * (1 - GRID)
    closed = {
        2: np.ones(21),
        3: np.full(21, sqrt(2)),
        4: sqrt(3) - (2 * sqrt(3) - 3) * product,
        5: 2 - (6 - 2 * sqrt(6)) * product,
    }
    for n, expected in closed.items():
        assert prompt_weight(GRID, n) == pytest.approx(expected, abs=2e-15)


@pytest.mark.parametrize("n", [2, 3, 7, 40])
def test_it_is_the_mean_of_the_inverse_standard_deviation(n):
    p = GRID[1:-1]
    k = np.arange(n + 1)
    chances = np.array([[float(_binomial(n, i, float(x))) for i in k] for x in p])
    share = k / n
    expected = (chances * np.sqrt(share * (1 - share))).sum(axis=-1) / (p * (1 - p))
    assert prompt_weight(p, n) == pytest.approx(expected, rel=1e-13)


def _binomial(n, k, p):
    x = Fraction(p)
    return comb(n, int(k)) * x ** int(k) * (1 - x) ** int(n - k)


@pytest.mark.parametrize("std", ["population", "sample"])
@pytest.mark.parametrize("n", [2, 3, 4, 9, 33, 300])
def test_the_float_route_lies_within_the_rational_enclosure(n, std):
    for p in (Fraction(0), Fraction(1, 1000), Fraction(1, 3), Fraction(1, 2), Fraction(1)):
        enclosure = prompt_weight_enclosure(p, n, std=std)
        found = float(prompt_weight(float(p), n, std=std))
        assert float(enclosure.low) == pytest.approx(found, rel=2e-13)
        assert 0 <= enclosure.high - enclosure.low < Fraction(1, 2**120)


def test_ends_symmetry_and_sample_standard_deviation():
    for n in (2, 5, 16):
        assert prompt_weight([0, 1], n) == pytest.approx([sqrt(n - 1)] * 2, rel=1e-15)
        assert prompt_weight(GRID, n) == pytest.approx(prompt_weight(1 - GRID, n), rel=1e-13)
        ratio = prompt_weight(GRID, n, std="sample") / prompt_weight(GRID, n)
        assert ratio == pytest.approx(np.full(21, sqrt((n - 1) / n)), rel=1e-15)


def test_everything_broadcasts():
    found = prompt_weight(GRID, [[2], [3], [8]])
    assert found.shape == (3, 21)
    assert (found[2] == prompt_weight(GRID, 8)).all()
    assert prompt_weight(0.3, 4).shape == ()
    assert potential(GRID, [[2], [3]]).shape == (2, 21)


@pytest.mark.parametrize("std", ["population", "sample"])
@pytest.mark.parametrize("n", [4, 5, 8, 31])
def test_derivative(n, std):
    p, h = GRID[1:-1], 1e-6
    slope = (prompt_weight(p + h, n, std=std) - prompt_weight(p - h, n, std=std)) / (2 * h)
    assert prompt_weight_derivative(p, n, std=std) == pytest.approx(slope, abs=1e-7)
    assert float(prompt_weight_derivative(0.5, n, std=std)) == pytest.approx(0, abs=1e-14)


@pytest.mark.parametrize("std", ["population", "sample"])
@pytest.mark.parametrize("n", [2, 3, 7, 16])
@pytest.mark.parametrize("bits", [1, 4, 24])
def test_coarse_enclosures_hold_the_weight(n, std, bits):
    scale = Fraction(n - 1, n) if std == "sample" else 1
    for p in (Fraction(0), Fraction(1, 7), Fraction(1, 2), Fraction(9, 10)):
        exact = sum(
            _binomial(n - 1, k, p)
            * (_root(scale * (n - 1 - k) / (k + 1)) + _root(scale * k / (n - k)))
            for k in map(Fraction, range(n))
        )
        found = prompt_weight_enclosure(p, n, std=std, bits=bits)
        assert found.low <= exact <= found.high
        assert found.high - found.low <= Fraction(2, 2**bits)


def _root(square):
    """The square root to 200 binary places, exact where it is rational with such places."""
    return Fraction(isqrt(int(Fraction(square) * 4**200)), 2**200)


def test_groups_of_two_and_three_have_constant_weight():
    assert (prompt_weight_derivative(GRID, [[2], [3]]) == 0).all()
    assert (prompt_weight_slope_bound([2, 3]) == 0).all()


def test_slope_bound():
    bounds = prompt_weight_slope_bound([4, 8, 16, 64])
    expected = [0.46410162, 3.75015221, 14.53549718, 141.340589]
    assert bounds == pytest.approx(expected, abs=5e-7)
    for n in (4, 8, 64):
        slopes = np.abs(prompt_weight_derivative(np.linspace(0, 1, 1001), n))
        assert slopes.max() == pytest.approx(float(prompt_weight_slope_bound(n)), rel=1e-12)
    growth = float(prompt_weight_slope_bound(10**8)) / 1e12
    assert growth == pytest.approx(1 - 1 / sqrt(2), rel=1e-6)


def test_slope_bound_is_rounded_up():
    for n in range(4, 200):
        squared = Fraction(float(prompt_weight_slope_bound(n))) ** 2
        # (n - 1)(c_0 - c_1) = (n - 2) sqrt(n - 1) - (n - 1) sqrt((n - 2)/2), compared by squares
        outer, inner = Fraction((n - 2) ** 2 * (n - 1)), Fraction((n - 1) ** 2 * (n - 2), 2)
        # bound >= sqrt(outer) - sqrt(inner) iff bound^2 + inner + 2 bound sqrt(inner) >= outer
        rest = outer - squared - inner
        assert rest <= 0 or 4 * squared * inner >= rest**2


def test_potential_of_certain_success():
    expected = [1, 1.4142135624, 1.6547005384, 2.0996769947]
    assert potential(1.0, [2, 3, 4, 8]) == pytest.approx(expected, abs=5e-11)
    assert float(potential(1.0, 10**5)) == pytest.approx(pi, rel=5e-3)
    assert float(potential_limit(1.0)) == pytest.approx(pi)


@pytest.mark.parametrize("std", ["population", "sample"])
def test_potential_is_the_integral_of_the_weight(std):
    p, h = GRID[1:-1], 1e-5
    for n in (2, 4, 9):
        slope = (potential(p + h, n, std=std) - potential(p - h, n, std=std)) / (2 * h)
        assert slope == pytest.approx(prompt_weight(p, n, std=std), rel=1e-8)
        assert float(potential(0.0, n, std=std)) == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: prompt_weight(1.2, 4), "success_probability = 1.2"),
        (lambda: prompt_weight(0.5, 1), "group_size = 1"),
        (lambda: prompt_weight(0.5, 4.5), "whole numbers"),
        (lambda: prompt_weight(float("nan"), 4), "success_probability"),
        (lambda: prompt_weight(0.5, 4, std="both"), "'population' or 'sample'"),
        (lambda: prompt_weight_limit([0.5, 0.0]), "0 < p < 1"),
        (lambda: prompt_weight_enclosure(Fraction(3, 2), 4), "within"),
        (lambda: prompt_weight_enclosure(Fraction(1, 2), 4, std="none"), "std"),
        (lambda: group_advantages([1.0]), "at least 2 responses"),
        (lambda: group_advantages([1.0, inf]), "rewards"),
        (lambda: group_advantages([1.0, 0.0], std_offset=-1), "std_offset"),
        (lambda: conditional_advantages([0.5, 0.5], [1, 0, 0], 2), "one reward for each"),
        (lambda: conditional_advantages([0.5, 0.5], [1e300, 0], 2), "rewards = 1e\\+300"),
    ],
)
def test_refusals(call, message):
    with pytest.raises(DomainError, match=message):
        call()


def test_advantages_of_groups():
    rewards = np.array([[1.0, 0, 0, 0], [3, 1, 1, -2]])
    found = group_advantages(rewards)
    expected = rewards - rewards.mean(axis=-1, keepdims=True)
    expected /= rewards.std(axis=-1, keepdims=True)
    assert found == pytest.approx(expected, rel=1e-14)
    assert found.sum(axis=-1) == pytest.approx([0, 0], abs=1e-15)
    assert found[0, 0] == pytest.approx(sqrt(3))
    with_offset = group_advantages(rewards, std="sample", std_offset=0.5)
    expected *= rewards.std(axis=-1, keepdims=True)
    expected /= rewards.std(axis=-1, ddof=1, keepdims=True) + 0.5
    assert with_offset == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("value", [0.1, 0.7, 1e280, -3.3e-7])
def test_a_constant_group_has_advantage_zero(value):
    for std in ("population", "sample", None):
        assert (group_advantages([value] * 3, std=std) == 0).all()


def test_the_computed_deviation_of_a_constant_group_is_not_zero():
    rewards = np.full(3, 0.1)
    assert rewards.std() == pytest.approx(1.39e-17, rel=2e-3)
    assert ((rewards - rewards.mean()) / rewards.std()).tolist() == [-1.0] * 3


def test_tiny_differences_keep_their_advantages():
    assert group_advantages([1e-200, 0.0]) == pytest.approx([1, -1])
    table = conditional_advantages([0.3, 0.3, 0.4], [0.0, 1e-200, 1.0], 2)
    assert table.positive == pytest.approx([0, 0.3, 0.6])


def test_largest_advantage():
    for n in (2, 5, 64):
        one_success = np.eye(n)[0]
        for std in ("population", "sample"):
            largest = group_advantages(one_success, std=std)[0]
            bound = float(advantage_bound(n, std=std))
            assert largest <= bound == pytest.approx(largest, rel=1e-13)
    assert float(advantage_bound(4, std="sample")) == pytest.approx(3 / 2)
    assert sample_std_factor([2], "population") == [1]


@pytest.mark.parametrize("std", ["population", "sample", None])
@pytest.mark.parametrize("n", [2, 3, 4])
def test_mean_advantages_against_every_group(n, std):
    policy, rewards = np.array([0.1, 0.2, 0.3, 0.4]), np.array([1.0, 0.0, 0.5, 1.0])
    parts = np.zeros((2, 4))
    pairs = np.zeros((4, 4))
    for group in product(range(4), repeat=n):
        advantage = group_advantages(rewards[list(group)], std=std)[0]
        chance = policy[list(group)].prod()
        parts[0 if advantage > 0 else 1, group[0]] += chance * abs(advantage)
        pairs[group[0], group[1]] += chance * advantage
    found = conditional_advantages(policy, rewards, n, std=std)
    assert found.positive * policy == pytest.approx(parts[0], abs=1e-15)
    assert found.negative * policy == pytest.approx(parts[1], abs=1e-15)
    paired = paired_advantages(policy, rewards, n, std=std)
    assert paired * policy[:, None] * policy == pytest.approx(pairs, abs=1e-15)


def test_batches_of_policies():
    policies = np.random.default_rng(0).dirichlet(np.ones(3), size=(5, 2))
    found = conditional_advantages(policies, [0, 1, 2], 5)
    alone = conditional_advantages(policies[3, 1], [0, 1, 2], 5)
    assert found.positive[3, 1] == pytest.approx(alone.positive, rel=1e-14)
    pairs = paired_advantages(policies, [0, 1, 2], 5)
    assert pairs.shape == (5, 2, 3, 3)
    assert pairs[3, 1] == pytest.approx(paired_advantages(policies[3, 1], [0, 1, 2], 5))
