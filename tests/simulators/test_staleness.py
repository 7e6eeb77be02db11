import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from rolltheory.errors import DomainError
from simulators.staleness.ascent import (
    Prompts,
    bandit_map,
    delayed_ascent,
    linear_map,
    prompt_map,
    random_prompts,
)
from simulators.staleness.asynchronous import fixed_lags, random_lags, rollout_queue, sync_lags
from simulators.staleness.walks import (
    correlated_directions,
    correlated_walk,
    first_passage,
    fresh_gradient_pairs,
    log_ratio_sequences,
)


@pytest.fixture
def generator():
    return np.random.default_rng(11)


def test_lag_schedules_by_definition(generator):
    assert fixed_lags(5, 3).tolist() == [0, 1, 2, 3, 3]
    assert sync_lags(7, [3, 1]).T.tolist() == [[0, 1, 2, 0, 1, 2, 0], [0] * 7]
    drawn = random_lags(4000, [0, 3, 7], generator=generator)
    assert drawn.max(0).tolist() == [0, 3, 7]
    assert (drawn <= np.arange(4000)[:, None]).all()
    counts = np.bincount(drawn[10:, 1])
    assert np.abs(counts / counts.sum() - 0.25).max() < 5 * math.sqrt(0.25 * 0.75 / 3990)


def test_linear_ascent_against_exact_steps(generator):
    """Three runs, each against rationals stepped one by one."""
    lags = random_lags(30, [2, 2, 5], generator=generator)
    shares, rates = np.array([0.0, 0.5, 0.875]), np.array([0.5, 0.25, 0.125])
    path = delayed_ascent(linear_map(shares, 2.0), [[1.0], [3.0], [-1.0]], rates, lags)
    for run, start in enumerate((1, 3, -1)):
        exact = [Fraction(start)]
        share, rate = Fraction(shares[run]), Fraction(rates[run])
        for update in range(30):
            sampled = exact[update - lags[update, run]]
            pull = 2 * ((1 - share) * exact[-1] + share * sampled)
            exact.append(exact[-1] - rate * pull)
        np.testing.assert_allclose(path[:, run, 0], [float(x) for x in exact], atol=1e-12)


def test_ascent_keeps_what_was_asked_for():
    path = delayed_ascent(linear_map(1.0), np.ones((1, 1)), 0.1, fixed_lags(9, 2))
    kept = delayed_ascent(linear_map(1.0), np.ones((1, 1)), 0.1, fixed_lags(9, 2), keep=4)
    assert kept[:, 0, 0].tolist() == path[[0, 4, 8], 0, 0].tolist()


def test_ascent_refuses_batches_from_before_the_start():
    with pytest.raises(DomainError, match="lags"):
        delayed_ascent(linear_map(1.0), np.ones((1, 1)), 0.1, [0, 2])


def enumerated_update(features, correct, size, theta, phi, *, ratio):
    """The expected update of one prompt over every single group of answers."""
    learner = np.exp(features @ theta) / np.exp(features @ theta).sum()
    sampler = np.exp(features @ phi) / np.exp(features @ phi).sum()
    scores = features - learner @ features
    total = np.zeros(features.shape[1])
    for group in map(list, product(range(len(correct)), repeat=size)):
        reward = correct[group].astype(float)
        if reward.std() > 0:
            advantage = (reward - reward.mean()) / reward.std()
            weight = learner[group] / sampler[group] if ratio else 1.0
            update = (advantage * weight) @ scores[group] / size
            total += np.prod(sampler[group]) * update
    return total


def test_prompt_map_against_every_group(generator):
    features = generator.standard_normal((2, 2, 3, 4))
    correct = np.array([[True, False, True], [False, True, False]])
    theta, phi = generator.standard_normal((2, 2, 4))
    fast = prompt_map(Prompts(features, correct, 4))(theta, phi)
    for run in range(2):
        slow = [
            enumerated_update(f, c, 4, theta[run], phi[run], ratio=True)
            for f, c in zip(features[run], correct, strict=True)
        ]
        np.testing.assert_allclose(fast[run], np.mean(slow, axis=0), atol=1e-14)


def test_prompt_map_at_a_known_value():
    prompts = Prompts(np.eye(3)[None, None], np.array([[True, False, False]]), 4)
    theta, phi = np.array([[0.2, -0.1, 0.4]]), np.array([[0.5, -0.3, 0.1]])
    known = [0.3614602401, -0.1364659408, -0.2249942993]
    np.testing.assert_allclose(prompt_map(prompts)(theta, phi)[0], known, atol=1e-10)
    known = [0.3641152369, -0.1374683100, -0.2266469268]
    np.testing.assert_allclose(prompt_map(prompts)(theta, theta)[0], known, atol=1e-10)


def test_bandit_map_against_every_group():
    features, correct = np.array([[1.0], [0.0]]), np.array([True, False])
    for theta, phi in ((0.3, -1.2), (2.0, 0.5)):
        fast = bandit_map(5, [0.1])(np.array([[theta]]), np.array([[phi]]))
        slow = enumerated_update(features, correct, 5, [theta], [phi], ratio=False)
        assert fast[0, 0] == pytest.approx(slow[0] - 0.1 * theta, abs=1e-14)


def test_random_prompts_are_reproducible():
    one, two = (random_prompts(3, generator=np.random.default_rng(5)) for _ in range(2))
    assert (one.features == two.features).all()
    policy = one.policy(np.zeros((3, 3)))
    np.testing.assert_allclose(policy, 1 / 3)


def test_queue_obeys_its_bound_and_its_accounts(generator):
    bounds = np.repeat([0, 2, 30], 20)
    run = rollout_queue(
        bounds, 0.3, updates=100, workers=16, batch_size=4, slow_ticks=20, generator=generator
    )
    assert (run.oldest_lag.max((0, 2)) <= bounds).all()
    assert (run.newest_lag <= run.mean_lag + 1e-12).all()
    assert (run.mean_lag <= run.oldest_lag + 1e-12).all()
    assert (run.newest_lag >= 0).all()
    assert (np.diff(run.tick, axis=0) >= 1).all()
    assert set(np.unique(run.duration)) == {1, 2, 3, 4, 20}
    assert run.dropped[:, bounds == 0].sum() > 0
    assert run.dropped[:, bounds == 30].sum() == 0
    assert (run.dropped_ticks <= 20 * run.dropped).all()
    assert (run.dropped_ticks >= run.dropped).all()


def test_queue_mixes_versions_in_stragglers_and_starves_them(generator):
    run = rollout_queue(
        np.repeat([4, 100], 30), 0.3, updates=200, workers=24, batch_size=4, generator=generator
    )
    tight, loose = run.duration[:, :30], run.duration[:, 30:]
    slow = loose == 16
    mixed = run.oldest_lag > run.newest_lag
    assert mixed[:, 30:][slow].mean() > 0.9
    assert mixed[:, 30:][loose == 1].max() == 0
    # what is dropped is slow, so stragglers are rarer in what the learner sees
    assert run.dropped_ticks.sum() / run.dropped.sum() > 14
    assert (tight == 16).mean() < 0.2 * (loose == 16).mean()


def test_a_queue_without_slack_is_synchronous(generator):
    run = rollout_queue(
        5, 0.0, updates=30, workers=4, batch_size=4, fast_ticks=1, generator=generator
    )
    assert run.oldest_lag.max() == 0
    assert run.tick[:, 0].tolist() == list(range(1, 31))
    with pytest.raises(DomainError, match="batch_size = 5"):
        rollout_queue(1, 0.0, updates=1, workers=4, batch_size=5, generator=generator)


@pytest.mark.parametrize("dimension", [1, 2, 5])
def test_directions_have_unit_norm_and_their_correlation(dimension, generator):
    runs = 4000
    for rho in (-0.5, 0.0, 0.8, 1.0):
        unit = correlated_directions(
            np.full(runs, rho), 6, dimension=dimension, generator=generator
        )
        np.testing.assert_allclose(np.linalg.norm(unit, axis=-1), 1.0, atol=1e-12)
        for apart in (1, 3):
            products = (unit[0] * unit[apart]).sum(-1)
            allowed = 5 * products.std() / math.sqrt(runs) + 1e-12
            assert abs(products.mean() - rho**apart) <= allowed


def test_walks_start_at_zero_and_pass_radii_in_time(generator):
    path = correlated_walk([1.0, 0.0], 50, dimension=3, generator=generator)
    assert (path[0] == 0).all()
    assert first_passage(path, 9.5)[0] == 10
    assert first_passage(path, 51.0).tolist() == [-1, -1]
    assert first_passage(path, 3.0)[1] > 3


def test_fresh_gradients_have_their_signal_and_noise(generator):
    ratio = np.full(20_000, 2.0)
    first, second = fresh_gradient_pairs(ratio, dimension=4, generator=generator)
    assert first.mean(0)[0] == pytest.approx(math.sqrt(2), abs=0.02)
    assert ((first - first.mean(0)) ** 2).sum(-1).mean() == pytest.approx(1.0, abs=0.02)
    assert np.cov(first[:, 0], second[:, 0])[0, 1] == pytest.approx(0.0, abs=0.01)


def test_log_ratios_have_mean_one_ratios_and_their_correlation(generator):
    logs = log_ratio_sequences(np.full(20_000, 0.09), 4, correlation=0.6, generator=generator)
    assert np.exp(logs).mean(0) == pytest.approx(np.ones(4), abs=5 * 0.31 / math.sqrt(20_000))
    assert np.var(logs, axis=0) == pytest.approx(np.full(4, 0.09), abs=0.005)
    assert np.corrcoef(logs[:, 0], logs[:, 2])[0, 1] == pytest.approx(0.36, abs=0.04)
    with pytest.raises(DomainError, match=r"correlation = 1\.0"):
        log_ratio_sequences([0.1], 4, correlation=1.0, generator=generator)
