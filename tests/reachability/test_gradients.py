from fractions import Fraction
from itertools import product
from math import comb, prod, sqrt

import numpy as np
import pytest

from rolltheory.errors import DomainError, UnsupportedError
from rolltheory.reachability.gradients import (
    pass_at_k_gradient_scale,
    pass_at_k_gradient_scale_exact,
    pass_at_k_gradient_weights,
    pass_at_k_gradient_weights_exact,
    pass_at_k_sample_weights,
    pass_at_k_slope,
    pass_at_k_slope_crossover,
    pass_at_k_slope_exact,
)

UNBIASED = ("score", "low_variance", "best_minus_second")
EXACT = (*UNBIASED, "pass_at_1")
POLICIES = {
    "two actions": ((Fraction(1, 3), Fraction(2, 3)), (1, 0)),
    "three actions": ((Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)), (0, 1, 1)),
    "four actions": (tuple(Fraction(j, 10) for j in (1, 2, 3, 4)), (1, 0, 1, 0)),
}


def variants_at(k, group_size, names=EXACT):
    return [name for name in names if name != "best_minus_second" or k == group_size]


def softmax_gradient(policy, rewards):
    """Gradient of the success probability in the logits."""
    p = sum(pi for pi, r in zip(policy, rewards, strict=True) if r)
    return [pi * (r - p) for pi, r in zip(policy, rewards, strict=True)]


def group_gradients(policy, rewards, group_size, weights):
    """Every group of actions: its probability and its gradient estimate in the logits."""
    for group in product(range(len(policy)), repeat=group_size):
        success, failure = weights[sum(rewards[a] for a in group)]
        weight = [success if rewards[a] else failure for a in group]
        total = sum(weight)
        taken = [
            sum(w for w, a in zip(weight, group, strict=True) if a == b) for b in range(len(policy))
        ]
        gradient = [t - total * pi for t, pi in zip(taken, policy, strict=True)]
        yield prod(policy[a] for a in group), gradient


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize("group_size", [1, 2, 3, 4])
def test_every_group_of_a_softmax_policy_averages_to_the_exact_gradient(name, group_size):
    policy, rewards = POLICIES[name]
    p = sum(pi for pi, r in zip(policy, rewards, strict=True) if r)
    for k in range(1, group_size + 1):
        for variant in variants_at(k, group_size):
            weights = [
                pass_at_k_gradient_weights_exact(group_size, c, k, variant=variant)
                for c in range(group_size + 1)
            ]
            mean = [Fraction(0)] * len(policy)
            for chance, gradient in group_gradients(policy, rewards, group_size, weights):
                mean = [m + chance * g for m, g in zip(mean, gradient, strict=True)]
            slope = 1 if variant == "pass_at_1" else k * (1 - p) ** (k - 1)
            assert mean == [slope * g for g in softmax_gradient(policy, rewards)], (k, variant)


def test_enumeration_rejects_a_wrong_rule():
    policy, rewards = POLICIES["three actions"]
    p = Fraction(1, 2)
    weights = [pass_at_k_gradient_weights_exact(3, c, 2) for c in range(4)]
    without_failures = [(success, Fraction(0)) for success, _ in weights]
    mean = sum(
        chance * gradient[0]
        for chance, gradient in group_gradients(policy, rewards, 3, without_failures)
    )
    assert mean != 2 * (1 - p) * softmax_gradient(policy, rewards)[0]


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize(("group_size", "k"), [(3, 2), (4, 2), (4, 3), (4, 4)])
def test_low_variance_has_less_variance_than_score(name, group_size, k):
    policy, rewards = POLICIES[name]
    square = {}
    for variant in ("score", "low_variance"):
        weights = [
            pass_at_k_gradient_weights_exact(group_size, c, k, variant=variant)
            for c in range(group_size + 1)
        ]
        square[variant] = sum(
            chance * sum(g * g for g in gradient)
            for chance, gradient in group_gradients(policy, rewards, group_size, weights)
        )
    assert square["low_variance"] < square["score"]


def test_expected_scale_of_the_unbiased_rules_is_the_slope():
    for group_size in range(1, 8):
        for k in range(1, group_size + 1):
            for p in (Fraction(j, 6) for j in range(7)):
                for variant in variants_at(k, group_size, UNBIASED):
                    scale = pass_at_k_gradient_scale_exact(p, group_size, k, variant=variant)
                    assert scale == pass_at_k_slope_exact(p, k)
                assert pass_at_k_gradient_scale_exact(p, group_size, k, variant="pass_at_1") == 1


def test_float_routes_follow_the_exact_ones():
    for group_size in (1, 2, 5, 12, 40):
        counts = np.arange(group_size + 1)
        for k in sorted({1, (group_size + 1) // 2, group_size}):
            for variant in variants_at(k, group_size):
                fast = pass_at_k_gradient_weights(group_size, counts, k, variant=variant)
                exact = [
                    pass_at_k_gradient_weights_exact(group_size, int(c), k, variant=variant)
                    for c in counts
                ]
                np.testing.assert_allclose(fast.success, [float(s) for s, _ in exact], rtol=1e-13)
                np.testing.assert_allclose(fast.failure, [float(f) for _, f in exact], rtol=1e-13)
                for p in (0.0, 1e-3, 0.4, 1.0):
                    scale = pass_at_k_gradient_scale(p, group_size, k, variant=variant)
                    twin = pass_at_k_gradient_scale_exact(
                        Fraction(p), group_size, k, variant=variant
                    )
                    np.testing.assert_allclose(scale, float(twin), rtol=1e-11)


def test_large_groups_are_as_exact_as_small_ones():
    for variant in ("score", "low_variance"):
        fast = pass_at_k_gradient_weights(4000, 1500, 3, variant=variant)
        exact = pass_at_k_gradient_weights_exact(4000, 1500, 3, variant=variant)
        np.testing.assert_allclose(fast, [float(part) for part in exact], rtol=1e-14)


def test_small_failure_weights_keep_their_digits():
    weights = pass_at_k_gradient_weights(10**12, 1, 2)
    np.testing.assert_allclose(weights.failure, 2e-12 / (10**12 - 1), rtol=1e-14)


def test_worked_slopes():
    slopes = pass_at_k_slope([0.01, 0.1, 0.125, 0.5, 0.9], 8)
    np.testing.assert_allclose(slopes, [7.456523, 3.826375, 3.141567, 0.0625, 8e-7], rtol=2e-7)
    assert pass_at_k_slope([0.0, 1.0], [[1], [3]]).tolist() == [[1.0, 1.0], [3.0, 0.0]]
    for k in (1, 2, 9):
        assert pass_at_k_slope(0.25, k) == pytest.approx(
            float(pass_at_k_slope_exact(Fraction(1, 4), k)), rel=1e-15
        )


def test_slope_is_one_at_the_crossover():
    k = np.array([2, 3, 8, 1000, 10**9])
    np.testing.assert_allclose(pass_at_k_slope(pass_at_k_slope_crossover(k), k), 1.0, rtol=1e-6)
    with pytest.raises(DomainError, match="k = 1 "):
        pass_at_k_slope_crossover(1)


def test_worked_weights_of_eight_tries():
    counts = np.arange(9)
    score = pass_at_k_gradient_weights(8, counts, 4)
    assert score.success.tolist() == [0.0] + [0.5] * 8
    failure = [0, 0.214286, 0.357143, 0.442857, 0.485714, 0.5, 0.5, 0.5, 0]
    np.testing.assert_allclose(score.failure, failure, atol=5e-7)
    low = pass_at_k_gradient_weights(8, counts, 4, variant="low_variance")
    success = [0, 0.5, 0.285714, 0.142857, 0.057143, 0.014286, 0, 0, 0]
    np.testing.assert_allclose(low.success, success, atol=5e-7)
    assert not low.failure.any()


def test_worked_pass_at_k_training_advantages():
    weights = pass_at_k_gradient_weights(8, np.arange(9), 4, variant="pass_at_k_training")
    success = [0, 1, 0.5222, 0.2774, 0.1204, 0, 0, 0, 0]
    failure = [0, -0.1429, -0.1741, -0.1664, -0.1204, 0, 0, 0, 0]
    np.testing.assert_allclose(8 * weights.success, success, atol=5e-5)
    np.testing.assert_allclose(8 * weights.failure, failure, atol=5e-5)
    assert not weights.success[5:].any()
    assert not weights.failure[5:].any()


def test_pass_at_k_training_equals_its_published_form_and_sums_to_zero():
    for n, k in ((3, 2), (6, 1), (8, 4), (9, 9)):
        for c in range(1, n - k + 1):
            miss = comb(n - c, k) / comb(n, k)
            sd = sqrt(miss * (1 - miss))
            published = miss / sd, (miss - comb(n - c - 1, k - 1) / comb(n - 1, k - 1)) / sd
            success, failure = pass_at_k_gradient_weights(n, c, k, variant="pass_at_k_training")
            assert n * success == pytest.approx(published[0], rel=1e-12)
            assert n * failure == pytest.approx(published[1], rel=1e-12)
            assert c * success + (n - c) * failure == pytest.approx(0, abs=1e-15)


def test_pass_at_k_training_at_one_try_divides_by_the_group_deviation():
    success, failure = pass_at_k_gradient_weights(8, 3, 1, variant="pass_at_k_training")
    deviation = sqrt(3 / 8 * 5 / 8)
    assert 8 * success == pytest.approx((1 - 3 / 8) / deviation)
    assert 8 * failure == pytest.approx(-(3 / 8) / deviation)


def test_pass_at_k_training_is_biased_for_pass_at_k():
    p = np.array([0.05, 0.3, 0.6])
    scale = pass_at_k_gradient_scale(p, 8, 4, variant="pass_at_k_training")
    ratio = scale / pass_at_k_slope(p, 4)
    assert ratio.max() > 2 * ratio.min()


def test_rules_coincide_where_they_should():
    counts = np.arange(7)
    score, low = (
        pass_at_k_gradient_weights(6, counts, 1, variant=name) for name in ("score", "low_variance")
    )
    once = pass_at_k_gradient_weights(6, counts, 5, variant="pass_at_1")
    for rule in (low, once):
        assert rule.success.tolist() == score.success.tolist()
        assert rule.failure.tolist() == score.failure.tolist()
    best = pass_at_k_gradient_weights(6, counts, 6, variant="best_minus_second")
    assert best.success.tolist() == [0, 1, 0, 0, 0, 0, 0]
    assert not best.failure.any()


def test_sample_weights_place_the_class_weights():
    rewards = np.array([[True, False, False, True], [False] * 4, [True] * 4])
    weights = pass_at_k_sample_weights(rewards, 2)
    expected = [[0.5, 1 / 3, 1 / 3, 0.5], [0] * 4, [0.5] * 4]
    np.testing.assert_allclose(weights, expected, rtol=1e-14)
    assert pass_at_k_sample_weights(rewards.astype(float), 2).tolist() == weights.tolist()
    per_group = pass_at_k_sample_weights(rewards, [1, 2, 4])
    np.testing.assert_allclose(per_group[:, 0], [0.25, 0, 1], rtol=1e-14)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((8, 9, 4), "successes = 9 is not allowed: need successes <= group_size = 8"),
        ((8, 1, 9), "k = 9 is not allowed: need k <= group_size = 8"),
        ((8, 1, 0), "k = 0 "),
        ((0, 0, 1), "group_size = 0 "),
        ((8, -1, 1), "successes = -1 "),
        ((8, 1.5, 1), "successes = 1.5 "),
    ],
)
def test_bad_groups_are_refused(arguments, message):
    with pytest.raises(DomainError, match=message):
        pass_at_k_gradient_weights(*arguments)
    with pytest.raises(DomainError, match=message):
        pass_at_k_gradient_weights_exact(*arguments)


def test_bad_variants_and_rewards_are_refused():
    with pytest.raises(DomainError, match="variant = 'grpo' is not allowed: need one of score"):
        pass_at_k_gradient_weights(8, 1, 4, variant="grpo")
    with pytest.raises(DomainError, match="k = 4 is not allowed: need k = group_size"):
        pass_at_k_gradient_weights(8, 1, 4, variant="best_minus_second")
    with pytest.raises(UnsupportedError, match="square root"):
        pass_at_k_gradient_weights_exact(8, 1, 4, variant="pass_at_k_training")
    with pytest.raises(DomainError, match=r"rewards = 0\.5 "):
        pass_at_k_sample_weights([0.5, 1.0], 1)
    for empty in (1, np.zeros((3, 0))):
        with pytest.raises(DomainError, match="last axis is a group"):
            pass_at_k_sample_weights(empty, 1)
    with pytest.raises(DomainError, match="success_probability = nan"):
        pass_at_k_slope(float("nan"), 2)
    with pytest.raises(DomainError, match="need a fraction within"):
        pass_at_k_gradient_scale_exact(Fraction(3, 2), 2, 1)
    with pytest.raises(DomainError, match="k = 0 "):
        pass_at_k_slope_exact(Fraction(1, 2), 0)
