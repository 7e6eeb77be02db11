from fractions import Fraction

import numpy as np
import pytest

from rolltheory.errors import DomainError
from rolltheory.staleness.bias import (
    bias_bound,
    bias_constant,
    binary_bias_bound,
    largest_lag_for_bias,
    stale_bias_bound,
)
from rolltheory.staleness.prompt_weight import prompt_weight_slope_bound
from rolltheory.staleness.softmax import softmax_distance_bounds, softmax_distances
from rolltheory.staleness.surrogate import binary_surrogate_gradient, gradient_bias
from rolltheory.staleness.token_surrogate import token_gradient_bias
from simulators.staleness.policies import displaced_logits, feature_prompts

SIZES = [2, 4, 8, 16, 64]
BAND = (0.2, 0.2)
ONE = [1, 0, 0]
NEAR = ([0.2, -0.1, 0.4], [0.5, -0.3, 0.1])
FAR = ([0.5, -0.3, 0.1], [-0.2, 0.2, 0.3])


@pytest.mark.parametrize(
    ("variant", "clip", "expected"),
    [
        ("exact_ratio", None, (1, 5.19615242, 18.52025918, 58.09475019, 500.04699779)),
        ("clipped", BAND, (6, 13.85640646, 31.74901573, 77.45966692, 539.73326746)),
        ("no_ratio", None, (2, 6.92820323, 21.16601049, 61.96773354, 507.98425172)),
    ],
)
def test_constants(variant, clip, expected):
    found = bias_constant(SIZES, variant=variant, clip=clip)
    assert found == pytest.approx(expected, abs=6e-9)


def test_binary_constants():
    expected = [0, 0.05801270, 0.46876903, 1.81693715, 17.66757362]
    assert binary_bias_bound(1.0, SIZES) == pytest.approx(expected, abs=6e-9)
    sample = binary_bias_bound(1.0, 8, std="sample") / binary_bias_bound(1.0, 8)
    assert float(sample) == pytest.approx(np.sqrt(7 / 8))


def test_worked_bounds():
    displacement = np.linalg.norm(np.subtract(*NEAR))
    assert float(binary_bias_bound(displacement, 4)) == pytest.approx(0.0272103691, abs=6e-11)
    # The far pair: |Delta| times C_(b).
    far = np.linalg.norm(np.subtract(*FAR))
    constant = bias_constant(4, variant="clipped", clip=BAND)
    assert float(constant * far) == pytest.approx(12.2376468, abs=6e-8)


def test_worked_token_bound():
    stale = [[0.5, 0.0], [0.3, 0.0], [-0.4, 0.0]]
    distance = softmax_distances(np.zeros((3, 2)), stale).l1.max()
    bound = bias_bound(distance, 2, variant="token", length=2, largest_advantage=0.5)
    assert float(bound) == pytest.approx(0.5195509, abs=6e-8)
    bias = token_gradient_bias(np.zeros((3, 2)), stale, [1, 0, 0, 1], 2, std=None)
    assert np.linalg.norm(bias) < bound


@pytest.mark.parametrize(
    ("variant", "options", "clip"),
    [
        ("exact_ratio", {}, None),
        ("clipped", {"clip": (0.1, 0.3)}, (0.1, 0.3)),
        ("no_ratio", {"ratio": "none"}, None),
    ],
)
def test_no_random_pair_exceeds_a_bound(variant, options, clip):
    rng = np.random.default_rng(11)
    for n, actions in ((2, 4), (3, 3), (5, 3)):
        learner = rng.normal(size=(300, actions)) * 2
        behaviour = displaced_logits(learner, rng.exponential(size=300), generator=rng)
        rewards = rng.integers(4, size=actions) / 3
        bias = np.linalg.norm(gradient_bias(learner, behaviour, rewards, n, **options), axis=-1)
        distance = softmax_distances(learner, behaviour).l1
        assert (bias <= bias_bound(distance, n, variant=variant, clip=clip)).all()


@pytest.mark.parametrize("clip", [None, (0.1, 0.1)])
def test_no_random_token_table_exceeds_its_bound(clip):
    rng = np.random.default_rng(12)
    learner = rng.normal(size=(100, 7, 2))
    behaviour = displaced_logits(learner, rng.exponential(size=(100, 7)), generator=rng)
    rewards = rng.integers(3, size=8)
    bias = token_gradient_bias(learner, behaviour, rewards, 2, clip=clip)
    distance = softmax_distances(learner, behaviour).l1.max(axis=-1)
    bound = bias_bound(distance, 2, variant="token", length=3, clip=clip)
    assert (np.linalg.norm(bias, axis=(-2, -1)) <= bound).all()


def test_bound_from_distance_and_from_displacement_agree():
    distance = softmax_distance_bounds(0.3).l1
    from_distance = float(bias_bound(distance, 8, variant="no_ratio"))
    from_lag = float(stale_bias_bound(3, 0.1, 1.0, 8, variant="no_ratio"))
    assert from_distance == pytest.approx(from_lag, rel=1e-12)
    assert from_lag == pytest.approx(0.3 * 8 * np.sqrt(7), rel=1e-12)


def test_the_lag_is_the_inverse_of_the_bound():
    rates = np.geomspace(1e-7, 1e-2, 40)
    options = {"variant": "clipped", "clip": BAND}
    lag = largest_lag_for_bias(0.25, rates, 0.7, 8, **options)
    assert (stale_bias_bound(lag, rates, 0.7, 8, **options) <= 0.25).all()
    assert (stale_bias_bound(lag + 1, rates, 0.7, 8, **options) > 0.25).all()


def test_constants_are_rounded_up():
    for n in range(2, 80):
        exact = bias_constant(n, variant="exact_ratio")
        assert Fraction(float(exact)) ** 2 >= (n - 1) ** 3


@pytest.fixture(scope="module")
def trajectory():
    """Mean bias along plain ascent with a fixed lag, by (lag, learning rate)."""
    rng = np.random.default_rng(2)
    features, correct = (part[0] for part in feature_prompts(3, 3, 3, generator=rng))
    group_size = 8

    def gradient(theta, phi):
        logits, stale = features @ theta, features @ phi
        per_prompt = binary_surrogate_gradient(logits, stale, correct, group_size)
        return np.einsum("xka,xk->a", features, per_prompt) / len(features)

    def mean_bias(lag, rate, horizon=4.0, *, sync=False):
        path, biases = [np.zeros(3)], []
        for t in range(round(horizon / rate)):
            phi = path[lag * (t // lag) if sync else max(0, t - lag)]
            update = gradient(path[-1], phi)
            biases.append(np.linalg.norm(update - gradient(path[-1], path[-1])))
            path.append(path[-1] + rate * update)
        return np.mean(biases)

    return mean_bias


def test_bias_grows_in_proportion_to_lag_and_learning_rate(trajectory):
    lags, rates = [1, 2, 4, 8, 16], [0.01, 0.02, 0.04]
    by_lag = [trajectory(lag, 0.02) for lag in lags]
    by_rate = [trajectory(4, rate) for rate in rates]
    assert np.polyfit(np.log(lags), np.log(by_lag), 1)[0] == pytest.approx(1, abs=0.03)
    assert np.polyfit(np.log(rates), np.log(by_rate), 1)[0] == pytest.approx(1, abs=0.03)


def test_sync_halves_the_mean_lag_and_so_the_mean_bias(trajectory):
    ratio = trajectory(8, 0.02, sync=True) / trajectory(8, 0.02)
    assert ratio == pytest.approx(7 / 16, abs=0.02)


def test_constants_are_worst_cases():
    rng = np.random.default_rng(4)
    learner = rng.normal(size=(200, 3))
    behaviour = displaced_logits(learner, 0.1, generator=rng)
    bias = np.linalg.norm(gradient_bias(learner, behaviour, ONE, 8), axis=-1)
    assert bias.max() < float(binary_bias_bound(0.1, 8)) / 3
    assert float(binary_bias_bound(0.1, 8)) < float(0.1 * bias_constant(8, variant="exact_ratio"))
    assert float(prompt_weight_slope_bound(8)) / 8 == pytest.approx(0.46876903, abs=5e-9)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: bias_constant(1, variant="exact_ratio"), "group_size"),
        (lambda: bias_constant(4, variant="exact"), "exact_ratio, clipped, no_ratio, token"),
        (lambda: bias_constant(4, variant="clipped"), "clip = None"),
        (lambda: bias_constant(4, variant="no_ratio", clip=BAND), "clip"),
        (lambda: bias_constant(4, variant="no_ratio", length=3), "length"),
        (lambda: bias_constant(4, variant="token", length=0), "length"),
        (lambda: bias_constant(4, variant="token", largest_advantage=-1), "largest_advantage"),
        (lambda: bias_bound(2.5, 4, variant="token"), "l1_distance"),
        (lambda: stale_bias_bound(-1, 0.1, 1, 4, variant="token"), "lag"),
        (lambda: largest_lag_for_bias(0.1, 0.0, 1, 4, variant="token"), "bias"),
        (lambda: binary_bias_bound(-0.1, 4), "displacement"),
    ],
)
def test_refusals(call, message):
    with pytest.raises(DomainError, match=message):
        call()


@pytest.mark.parametrize("variant", ["exact_ratio", "no_ratio"])
def test_bounds_and_lags_err_on_the_safe_side(variant):
    rng = np.random.default_rng(11)
    for _ in range(300):
        lag, size = int(rng.integers(1, 300)), int(rng.integers(2, 100))
        rate, norm, advantage = (float(x) for x in rng.uniform(0.01, 3, 3))
        options = {"variant": variant, "largest_advantage": advantage}
        factor = size - 1 if variant == "exact_ratio" else size
        per_update = Fraction(advantage) * factor * Fraction(rate) * Fraction(norm)
        bound = Fraction(float(stale_bias_bound(lag, rate, norm, size, **options)))
        assert 0 <= bound / (lag * per_update) - 1 <= Fraction(1, 10**13)
        budget = float(lag * per_update)  # as often a little below what this lag needs as above
        found = int(largest_lag_for_bias(budget, rate, norm, size, **options))
        assert lag - 1 <= found <= lag
        assert found * per_update <= Fraction(budget)
