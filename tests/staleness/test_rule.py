import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from rolltheory.errors import DomainError
from rolltheory.staleness.ascent import (
    best_learning_rate,
    error_floor,
    error_floor_exact,
    horizon_for_error,
)
from rolltheory.staleness.displacement import rms_collapse_time
from rolltheory.staleness.drift import binary_gradient_norm_bound, lag_displacement
from rolltheory.staleness.prompt_weight import potential
from rolltheory.staleness.radii import (
    batch_radius,
    clip_fraction_bound,
    clip_radius,
    ess_floor,
    ess_radius,
    softmax_batch_radius,
)
from rolltheory.staleness.rule import (
    collapse_time_lower_bound,
    max_horizon,
    max_lag,
    stable_learning_rate,
    stable_learning_rate_exact,
)
from simulators.staleness.ascent import delayed_ascent, prompt_map, random_prompts
from simulators.staleness.asynchronous import fixed_lags


def softmax(logits):
    weight = np.exp(logits - logits.max(-1, keepdims=True))
    return weight / weight.sum(-1, keepdims=True)


def random_pairs(generator, count, actions, distance):
    """Policies (count, actions) of samplers and learners whose logits are that far apart."""
    sampler = generator.standard_normal((count, actions)) * generator.uniform(0, 4, (count, 1))
    move = generator.standard_normal((count, actions))
    move *= distance / np.linalg.norm(move, axis=-1, keepdims=True)
    return softmax(sampler), softmax(sampler + move)


def clipped_share(sampler, learner, low, high):
    ratio = learner / sampler
    return (sampler * ((ratio < 1 - low) | (ratio > 1 + high))).sum(-1)


def two_actions(span, share):
    """Policies of sampler and learner on two actions, logits ``span`` apart in range."""
    up = share * math.exp(span)
    return np.array([share, 1 - share]), np.array([up, 1 - share]) / (up + 1 - share)


def test_radii_at_known_values():
    radii = clip_radius([0.2, 0.2, 0.3], [0.2, 0.28, 5.0])
    assert radii == pytest.approx([0.1289208092, 0.1577863183, 0.2522072715], abs=1e-10)
    assert batch_radius(0.05, 0.2, 0.2) == pytest.approx(0.0141421, abs=1e-7)
    radii = ess_radius(0.5, [1, 1000, 10**4])
    assert radii == pytest.approx([1.1774, 0.037233, 0.011774], abs=5e-5)


@pytest.mark.parametrize(("low", "high"), [(0.2, 0.2), (0.2, 0.28), (0.3, 5.0), (0.05, 0.9)])
def test_no_sample_is_clipped_within_the_clip_radius(low, high):
    generator = np.random.default_rng(2)
    radius = clip_radius(low, high)
    for actions in (2, 3, 10):
        pairs = random_pairs(generator, 3000, actions, radius)
        assert clipped_share(*pairs, low, high).max() == 0
    beyond = two_actions(
        1.001 * radius * math.sqrt(2), 1e-6 if high < low / (1 - low) else 1 - 1e-6
    )
    assert clipped_share(*beyond, low, high) > 0


@pytest.mark.parametrize(("low", "high"), [(0.2, 0.2), (0.2, 0.28), (0.3, 5.0), (0.6, 0.2)])
def test_clipped_share_stays_below_its_bound(low, high):
    generator = np.random.default_rng(3)
    for distance in (0.13, 0.2, 0.5, 1.5):
        bound = clip_fraction_bound(distance, low, high)
        for actions in (2, 3, 10):
            pairs = random_pairs(generator, 2000, actions, distance)
            assert clipped_share(*pairs, low, high).max() <= bound + 1e-12


def test_clipped_share_bound_is_approached_by_two_actions():
    for distance in (0.135, 0.14, 0.15):
        bound = float(clip_fraction_bound(distance, 0.2, 0.2))
        pair = two_actions(distance * math.sqrt(2), bound * (1 - 1e-9))
        assert clipped_share(*pair, 0.2, 0.2) == pytest.approx(bound, rel=1e-8)


def test_softmax_batch_radius_inverts_the_bound():
    shares = np.array([0.0, 0.01, 0.05, 0.3, 0.5, 0.8, 0.99])
    for low, high in ((0.2, 0.2), (0.2, 0.28), (0.3, 5.0), (0.6, 0.2), (0.9, 9.0)):
        radius = softmax_batch_radius(shares, low, high)
        np.testing.assert_allclose(clip_fraction_bound(radius, low, high), shares, atol=1e-12)
        assert (clip_fraction_bound(radius * 1.0001, low, high) > shares).all()
        assert radius[0] == pytest.approx(float(clip_radius(low, high)), rel=1e-12)
        assert (radius >= batch_radius(shares, low, high)).all()
    assert softmax_batch_radius(0.05, 0.2, 0.2) / batch_radius(0.05, 0.2, 0.2) > 9


def _exact_softmax_batch_radius(share, low, high):
    """The stated radius to fifty digits."""
    with mpmath.workdps(50):
        kappa, up, down = mpmath.mpf(share), 1 + mpmath.mpf(high), 1 / (1 - mpmath.mpf(low))
        room = 1 - kappa * up
        factors = [(down - kappa) / (1 - kappa), (1 + down - kappa) / (1 + 1 / up - kappa)]
        factors += [(1 - kappa) * up / room] if room > 0 else []
        return mpmath.log(min(factors)) / mpmath.sqrt(2)


def test_radii_are_below_their_exact_values():
    generator = np.random.default_rng(8)
    for _ in range(400):
        share, low = (float(x) for x in generator.uniform(0.001, 0.95, 2))
        high = float(generator.uniform(0.01, 6))
        exact = _exact_softmax_batch_radius(share, low, high)
        found = float(softmax_batch_radius(share, low, high))
        assert 0 <= exact - found <= 1e-13 * (1 + exact)
        share, low, high = (Fraction(x) for x in (share, low, high))
        exact = share * 2 / (1 / low + 1 / high) / 3
        found = Fraction(float(batch_radius(*map(float, (share, low, high)), l1_constant=3.0)))
        assert 0 <= 1 - found / exact <= Fraction(1, 10**14)


def test_batch_radius_holds_where_only_the_distance_is_known():
    generator = np.random.default_rng(4)
    for share, low, high in ((0.05, 0.2, 0.2), (0.5, 0.2, 0.4)):
        sampler = generator.dirichlet(np.ones(4) * 0.3, 20_000) + 1e-12
        learner = 0.9 * sampler + 0.1 * generator.dirichlet(np.ones(4) * 0.3, 20_000)
        distance = np.abs(sampler - learner).sum(-1)
        within = distance <= batch_radius(share, low, high, l1_constant=1.0)
        assert within.sum() > 100
        assert clipped_share(sampler[within], learner[within], low, high).max() <= share


def test_effective_share_stays_above_its_floor_and_approaches_it():
    generator = np.random.default_rng(5)
    for distance in (0.01, 0.5, 1.2, 3.0):
        for actions in (2, 5):
            sampler, learner = random_pairs(generator, 3000, actions, distance)
            effective = 1 / (learner**2 / sampler).sum(-1)
            assert effective.min() >= ess_floor(distance)
    move = np.array([0.01, -0.01]) / math.sqrt(2)
    learner = softmax(move)
    effective = 1 / (learner**2 / 0.5).sum()
    assert math.log(effective) == pytest.approx(math.log(ess_floor(0.01)), rel=1e-3)


def test_ess_radius_inverts_its_floor_on_the_safe_side():
    share = np.array([0.01, 0.3, 0.5, 0.99, 1.0])
    for length in (1, 1000):
        floor = ess_floor(ess_radius(share, length), length)
        np.testing.assert_allclose(floor, share, rtol=1e-12)
    assert ess_radius(1.0) == 0


def test_two_constraint_rule_at_known_values():
    rule = stable_learning_rate(8, 8, clip_radius(0.2, 0.2), 1.0, math.sqrt(7 / 16))
    assert rule.learning_rate == pytest.approx(0.0243637428, abs=1e-10)
    assert rule.binding == "lag"


def test_which_constraint_binds_turns_at_the_crossover():
    lags = np.array([0, 1, 9, 10, 11, 100])
    rule = stable_learning_rate(lags, 1000, 0.01, 1.0, 2.0)
    assert rule.crossover_lag.tolist() == [10.0] * 6
    assert rule.binding.tolist() == ["horizon"] * 3 + ["both"] + ["lag"] * 2
    assert rule.lag_limit[0] == np.inf
    assert rule.horizon_limit == pytest.approx([0.0005] * 6)
    assert rule.learning_rate[:4] == pytest.approx([0.0005] * 4)
    assert rule.learning_rate[-1] == pytest.approx(0.00005)
    sync = stable_learning_rate(lags + 1, 1000, 0.01, 1.0, 2.0, schedule="sync")
    assert sync.learning_rate.tolist() == rule.learning_rate.tolist()
    assert sync.binding.tolist() == rule.binding.tolist()
    assert sync.crossover_lag.tolist() == [11.0] * 6


def test_which_constraint_binds_next_to_the_crossover():
    for lag, horizon in ((3, 9), (7, 21), (1000, 3000), (2**20, 3 * 2**20)):
        for share, binding in ((-4, "lag"), (0, "both"), (4, "horizon")):
            radius = 0.25 * (1 + share * 2.0**-52)
            assert stable_learning_rate(lag, horizon, radius, 0.75, 1.0).binding == binding
            demand, supply = lag * Fraction(0.75), horizon * Fraction(radius)
            assert np.sign(supply - demand) == np.sign(share)


def test_the_rule_is_rounded_down_from_the_exact_one():
    for lag in (1, 3, 8, 32):
        for radius, norm in ((0.1, 0.7), (3.0, 1e-3)):
            found = float(stable_learning_rate(lag, 70, radius, 1.3, norm).learning_rate)
            exact = stable_learning_rate_exact(
                lag, 70, Fraction(radius), Fraction(1.3), Fraction(norm)
            )
            assert exact * (1 - Fraction(1, 10**15)) <= Fraction(found) <= exact
    assert stable_learning_rate_exact(
        1, 10, Fraction(1), Fraction(5), Fraction(1), schedule="sync"
    ) == Fraction(1, 2)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("batch", "critical", "norm"),
    [(1e300, 1e300, 1e-300), (1.0, 1e300, 1e-300), (1e300, 1.0, 1e-300), (1.0, 1.0, 1e308)],
)
def test_a_rate_beyond_floats_is_refused(batch, critical, norm):
    with pytest.raises(DomainError, match="ratio = "):
        stable_learning_rate([0, 1, 8], 1000, batch, critical, norm)


def test_a_straight_run_reaches_both_radii_and_no_more():
    rule = stable_learning_rate(4, 20, 1.0, 3.0, 1.0)
    positions = rule.learning_rate * np.arange(21)
    assert positions[20] <= 3.0
    assert positions[20] == pytest.approx(3.0)
    assert (positions[4:] - positions[:-4]).max() <= 1.0


def test_inverses_of_the_rule_are_free_of_rounding():
    assert max_lag([0.5, 0.1, 0.3], [2.0, 1.0, 0.9], 1.0).tolist() == [4, 9, 3]  # 0.1 > 1/10
    assert max_lag(0.5, 2.0, 1.0, schedule="sync") == 5
    assert max_horizon(0.25, 2.0, 2.0) == 4
    assert collapse_time_lower_bound(0.25, 2.0, 2.0) == 4
    assert collapse_time_lower_bound(0.1, 1.0, 1.0) == 10
    for rate in (0.3, 0.07, 1.9):
        lag = int(max_lag(rate, 1.0, 0.6))
        assert (
            lag * Fraction(rate) * Fraction(0.6) <= 1 < (lag + 1) * Fraction(rate) * Fraction(0.6)
        )
        time = int(collapse_time_lower_bound(rate, 1.0, 0.6))
        assert max_horizon(rate, 1.0, 0.6) == time - 1
    assert max_lag(1e-300, 1e300, 1e-300, schedule="sync") > 2**61


def test_reported_constants_and_what_they_imply():
    """A threshold S eta of 1.6e-6 and T eta of 3.2e-5 for collapse, as reported for Adam runs."""
    lags = np.array([8, 16, 32])
    local = stable_learning_rate(lags, 1, 1.6e-6, 3.2e-5, 1.0)
    assert local.lag_limit == pytest.approx([2e-7, 1e-7, 5e-8])
    assert (local.lag_limit < 0.99e-7).tolist() == [False, False, True]  # below the reported sweep
    rates = [1e-6, 5e-7, 2e-7, 1e-7]
    assert collapse_time_lower_bound(rates, 3.2e-5, 1.0).tolist() == [32, 64, 160, 320]
    assert collapse_time_lower_bound(1e-6, 3.2e-5, 1.0) / 32 == 1  # one cycle of S = 32
    assert stable_learning_rate(8, 160, 1.6e-6, 3.2e-5, 1.0).crossover_lag == pytest.approx(8)
    # their size if every one of 1.24e9 parameters moved by the learning rate
    moved = lag_displacement([8, 160], 2e-7, math.sqrt(1.24e9))
    assert moved == pytest.approx([0.0563, 1.127], rel=1e-3)
    # so a run at the stable edge of S = 8 would leave at step 160, were its drift straight
    assert rms_collapse_time(2e-7, 3.2e-5, [1.0, 0.0]) == pytest.approx([160, 160**2], abs=1)


def test_error_floor_bounds_stale_ascent_on_prompts():
    """Three prompts with shared parameters, n = 8, S = 8, 400 updates."""
    size, lag, updates = 8, 8, 400
    prompts = random_prompts(1, group_size=size, generator=np.random.default_rng(12))
    gradient = prompt_map(prompts)
    norm = max(np.linalg.norm(features, ord=2) for features in prompts.features[0])
    ends = [math.sqrt((size - 1 - k) / (k + 1)) + math.sqrt(k / (size - k)) for k in range(size)]
    weight_slope = (size - 1) * (ends[0] - ends[1])
    smoothness = weight_slope / 8 + math.sqrt(size - 1) / (3 * math.sqrt(3))
    assert smoothness == pytest.approx(0.9779441039, abs=1e-10)
    rate = 0.5 / (smoothness * norm**2)
    path = delayed_ascent(gradient, np.zeros((1, 3)), rate, fixed_lags(updates, lag))
    fresh = np.stack([gradient(at, at)[0] for at in path[:-1]])
    stale = (path[1:, 0] - path[:-1, 0]) / rate
    bias = np.linalg.norm(stale - fresh, axis=-1).max()
    gap = sum(ends) / size - prompts.policy(path[0])[0, :, 0].mean()  # the weight is at least 1
    left = (fresh**2).sum(-1).mean()
    floor = error_floor(gap, rate, updates, bias, smoothness * norm**2)
    assert 0 < bias**2 < 0.01 * left
    assert left <= floor < 20 * left
    start, end = (potential(prompts.policy(at)[0, :, 0], size).mean() for at in (path[0], path[-1]))
    climbed = error_floor(end - start, rate, updates, bias, smoothness * norm**2)
    assert climbed / left == pytest.approx(2, abs=0.02)  # all the ascent, paid for twice
    bound = weight_slope / 8 * lag * rate * norm**3 * binary_gradient_norm_bound(size, stale=True)
    assert bias <= bound


def test_error_floor_bounds_a_biased_run():
    generator = np.random.default_rng(6)
    curvature = np.array([0.2, 1.0, 2.5])
    for rate in (0.05, 0.2, 0.4):
        x = generator.standard_normal(3)
        gap = 0.5 * (curvature * x**2).sum()
        squares = []
        for _ in range(300):
            gradient = -curvature * x
            squares.append((gradient**2).sum())
            push = generator.standard_normal(3)
            x = x + rate * (gradient + 0.1 * push / np.linalg.norm(push))
            floor = error_floor(gap, rate, len(squares), 0.1, 2.5)
            assert np.mean(squares) <= floor
        assert np.mean(squares[-50:]) < 0.1**2


def test_error_floor_is_attained_by_one_step_on_a_quadratic():
    start, curvature = 3.0, 2.0
    gap = curvature * start**2 / 2
    assert error_floor(gap, 1 / curvature, 1, 0.0, curvature) == pytest.approx(
        (curvature * start) ** 2
    )
    assert error_floor_exact(Fraction(9), Fraction(1, 2), 1, Fraction(0)) == 36


def test_error_floor_is_rounded_up_and_inverted():
    for gap, rate, horizon, bias in ((1.0, 0.3, 7, 0.1), (0.37, 0.01, 1000, 0.03)):
        found = error_floor(gap, rate, horizon, bias, 1.0)
        exact = error_floor_exact(Fraction(gap), Fraction(rate), horizon, Fraction(bias))
        assert exact <= Fraction(float(found)) <= exact * (1 + Fraction(1, 10**14))
        assert horizon_for_error(found, gap, rate, bias, 1.0) <= horizon
        assert horizon_for_error(found * 0.9999, gap, rate, bias, 1.0) > horizon
    assert horizon_for_error(5.0, 0.0, 0.1, 0.0, 1.0) == 1


def test_best_learning_rate_makes_the_floor_least():
    best = float(best_learning_rate(2.0, 500, 0.8, 1.5))
    floors = [
        float(error_floor(2.0, r, 500, 0.8 * r, 1.5)) for r in (best / 1.01, best, best * 1.01)
    ]
    assert floors[1] < min(floors[0], floors[2])
    assert best_learning_rate(2.0, 500, 1e-6, 1.5) == pytest.approx(1 / 1.5)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: clip_radius(1.0, 0.2), "clip_low = 1.0"),
        (lambda: clip_radius(0.2, 0.0), "clip_high = 0.0"),
        (lambda: batch_radius(1.5, 0.2, 0.2), "clip_fraction = 1.5"),
        (lambda: softmax_batch_radius(1.0, 0.2, 0.2), "clip_fraction = 1.0"),
        (lambda: ess_radius(0.0), "ess_fraction = 0.0"),
        (lambda: ess_floor(-1.0), "displacement = -1"),
        (lambda: stable_learning_rate(1, 0, 1.0, 1.0, 1.0), "horizon = 0"),
        (lambda: stable_learning_rate(1, 1, 1.0, math.inf, 1.0), "critical_radius = inf"),
        (lambda: error_floor(1.0, 0.6, 10, 0.0, 2.0), "learning_rate = 0.6 .* 1/smoothness"),
        (lambda: horizon_for_error(0.01, 1.0, 0.5, 0.1, 1.0), "error = 0.01 .* squared bias"),
    ],
)
def test_what_lies_outside_is_refused(call, message):
    with pytest.raises(DomainError, match=message):
        call()
