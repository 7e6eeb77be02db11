"""Effective sample size and its floor, truncation, shaping, baselines, alignment, selection."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import log

import numpy as np
import pytest
from scipy.special import log_softmax

from rolltheory.errors import DomainError
from rolltheory.staleness.divergences import chi_squared_exact
from rolltheory.staleness.softmax import softmax_distances
from rolltheory.staleness.weights import (
    clamp_for_effective_sample_fraction,
    effective_sample_floor,
    effective_sample_floor_exact,
    effective_sample_fraction,
    effective_sample_fraction_exact,
    sequence_effective_sample_fraction,
    sequence_effective_sample_fraction_exact,
    truncated_excess_bound,
    truncated_excess_bound_exact,
    truncation_bias,
    truncation_bias_bound,
    truncation_bias_exact,
)

LEARNER, SAMPLER = (0.2, -0.1, 0.4), (0.5, -0.3, 0.1)


def test_population_value_of_three_actions():
    fraction = 1 / (1 + float(softmax_distances(LEARNER, SAMPLER).chi_squared))
    assert fraction == pytest.approx(0.9309134909, abs=5e-11)
    sampler = np.exp(log_softmax(SAMPLER))
    ratio = log_softmax(LEARNER) - log_softmax(SAMPLER)
    draws = np.random.default_rng(0).choice(3, 400_000, p=sampler)
    assert float(effective_sample_fraction(ratio[draws])) == pytest.approx(fraction, abs=2e-3)


def test_effective_sample_fraction_ignores_scale_and_mask():
    weight = np.array([[0.3, -1.0, 2.0, np.nan]])
    mask = [1, 1, 1, 0]
    found = effective_sample_fraction(weight, mask=mask)
    np.testing.assert_allclose(found, effective_sample_fraction(weight[:, :3] + 900))
    exact = effective_sample_fraction_exact([Fraction(np.exp(w)) for w in weight[0, :3]])
    assert float(found[0]) == pytest.approx(float(exact))


@pytest.mark.parametrize(("clamp", "floor"), [(2, 0.64), (5, 0.1479290), (10, 0.0392118)])
def test_floor_under_clamping(clamp, floor):
    assert float(effective_sample_floor(1 / clamp, clamp)) == pytest.approx(floor, abs=5e-8)
    high = [Fraction(clamp)]
    worst = high + clamp * clamp * [Fraction(1, clamp)]
    assert effective_sample_fraction_exact(worst) == effective_sample_floor_exact(
        Fraction(1, clamp), Fraction(clamp)
    )


def test_float_floor_is_rounded_down():
    rng = np.random.default_rng(1)
    for a, b in np.sort(rng.random((300, 2)) + 1e-6, axis=1):
        exact = effective_sample_floor_exact(Fraction(a), Fraction(b))
        found = Fraction(float(effective_sample_floor(a, b)))
        assert exact * (1 - Fraction(1, 10**13)) <= found <= exact


def test_which_clamp_lets_an_alarm_fire():
    assert float(clamp_for_effective_sample_fraction(0.3)) == pytest.approx(3.3532670900, abs=5e-11)
    for threshold in (0.05, 0.3, 0.64, 1.0):
        clamp = float(clamp_for_effective_sample_fraction(threshold))
        assert float(effective_sample_floor(1 / clamp, clamp)) == pytest.approx(threshold)
    assert float(effective_sample_floor(1 / 3.352, 3.352)) > 0.3


def test_token_fraction_near_one_hides_what_sequences_do():
    assert float(sequence_effective_sample_fraction(0.989, 1000)) == pytest.approx(
        1.57e-5, rel=1e-2
    )
    token = [Fraction(1, 2), Fraction(3, 2)]  # equally likely, mean 1
    for length in (1, 2, 3):
        weights = [np.prod(path) for path in product(token, repeat=length)]
        exact = effective_sample_fraction_exact(weights)
        assert exact == sequence_effective_sample_fraction_exact(
            effective_sample_fraction_exact(token), length
        )
        found = sequence_effective_sample_fraction(
            float(effective_sample_fraction_exact(token)), length
        )
        assert float(found) == pytest.approx(float(exact))


def test_truncation_bias_against_its_exact_twin_and_bound():
    values = [Fraction(1), Fraction(-1, 2), Fraction(1, 4)]
    grid = [(a, b, 9 - a - b) for a in range(1, 8) for b in range(1, 9 - a)]
    reached = 0.0
    for p, q in product(grid, grid):
        probabilities = [[Fraction(x, 9) for x in row] for row in (p, q)]
        logs = [[log(x) for x in row] for row in probabilities]
        for cap in (Fraction(3, 2), Fraction(2)):
            exact = truncation_bias_exact(*probabilities, values, cap=cap)
            found = float(truncation_bias(*logs, [float(v) for v in values], cap=float(cap)))
            assert found == pytest.approx(float(exact), abs=1e-14)
            excess = -truncation_bias_exact(*probabilities, [Fraction(1)] * 3, cap=cap)
            assert abs(exact) <= excess  # sup|f| = 1
            assert float(abs(exact)) <= float(truncation_bias_bound(float(excess), 1.0)) + 1e-15
            limit = truncated_excess_bound_exact(chi_squared_exact(*probabilities), cap=cap)
            assert excess <= limit
            reached = max(reached, float(excess / limit) if limit else 0)
    assert reached > 0.7


def test_excess_bound_is_approached_at_twice_the_cap():
    rare, cap = Fraction(1, 10**6), Fraction(3)
    sampler = [rare, 1 - rare]
    learner = [rare * (2 * cap - 1), 1 - rare * (2 * cap - 1)]
    excess = -truncation_bias_exact(learner, sampler, [1, 1], cap=cap)
    limit = truncated_excess_bound_exact(chi_squared_exact(learner, sampler), cap=cap)
    assert 0.999 < excess / limit <= 1
    assert float(truncated_excess_bound(0.2, cap=3.0)) == pytest.approx(0.025)


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: effective_sample_fraction([np.inf]), "log_weight = inf"),
        (lambda: effective_sample_fraction([0.1], mask=[0]), "without samples"),
        (lambda: effective_sample_fraction_exact([]), "non-negative rationals"),
        (lambda: effective_sample_floor(2.0, 1.0), "at most highest"),
        (lambda: effective_sample_floor_exact(Fraction(0), Fraction(1)), "0 < lowest"),
        (lambda: clamp_for_effective_sample_fraction(0.0), "threshold = 0.0"),
        (lambda: sequence_effective_sample_fraction(1.1, 2), "token_fraction = 1.1"),
        (lambda: truncation_bias([0.0, 0.0], [0.0, 0.0], [1, 1], cap=0.0), "cap = 0.0"),
        (lambda: truncated_excess_bound(0.1, cap=1.0), "cap - 1"),
        (lambda: truncation_bias_bound(1.5, 1.0), "excess = 1.5"),
    ],
)
def test_refusals(call, complaint):
    with pytest.raises(DomainError, match=complaint):
        call()
