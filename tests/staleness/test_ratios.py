"""Importance ratios: worked values, identities between the aggregates, masks, refusals."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy.special import log_softmax

from rolltheory.errors import DomainError
from rolltheory.staleness.ratios import (
    factorise_log_ratio,
    factorise_log_ratio_exact,
    minimum_prefix_log_ratio,
    minimum_prefix_log_ratio_exact,
    prefix_log_ratio,
    prefix_log_ratio_exact,
    prefix_log_ratio_variance,
    prefix_mean_log_ratio,
    prefix_mean_log_ratio_exact,
    prefix_mean_log_ratio_variance,
    sequence_log_ratio,
    sequence_mean_log_ratio,
    token_log_ratio,
)

AGGREGATES = [
    prefix_log_ratio,
    prefix_mean_log_ratio,
    minimum_prefix_log_ratio,
    sequence_log_ratio,
    sequence_mean_log_ratio,
]


@pytest.mark.parametrize(
    ("learner", "sampler", "ratios"),
    [
        ((0.2, -0.1, 0.4), (0.5, -0.3, 0.1), (0.7155607314, 1.1797601983, 1.3038366615)),
        ((0.5, -0.3, 0.1), (-0.2, 0.2, 0.3), (1.9534111301, 0.5883561259, 0.7941976985)),
    ],
)
def test_token_ratios_of_three_actions(learner, sampler, ratios):
    found = np.exp(token_log_ratio(log_softmax(learner), log_softmax(sampler)))
    np.testing.assert_allclose(found, ratios, atol=5e-11)


@pytest.mark.parametrize(
    ("aggregate", "exact"),
    [
        (prefix_log_ratio, prefix_log_ratio_exact),
        (prefix_mean_log_ratio, prefix_mean_log_ratio_exact),
        (minimum_prefix_log_ratio, minimum_prefix_log_ratio_exact),
    ],
)
def test_float_aggregates_match_their_exact_twins(aggregate, exact):
    for ratios in product((Fraction(-1, 3), Fraction(0), Fraction(5, 7)), repeat=4):
        found = aggregate([float(r) for r in ratios])
        np.testing.assert_allclose(found, [float(r) for r in exact(ratios)], atol=1e-15)


def test_aggregates_end_where_sequences_do():
    ratio = np.random.default_rng(0).normal(size=(5, 3, 7))
    np.testing.assert_allclose(prefix_log_ratio(ratio)[..., -1], sequence_log_ratio(ratio))
    np.testing.assert_allclose(
        prefix_mean_log_ratio(ratio)[..., -1], sequence_mean_log_ratio(ratio), rtol=1e-12
    )
    np.testing.assert_allclose(sequence_log_ratio(ratio), 7 * sequence_mean_log_ratio(ratio))


@pytest.mark.parametrize("aggregate", AGGREGATES)
def test_masked_tokens_are_as_if_absent(aggregate):
    rng = np.random.default_rng(1)
    ratio = rng.normal(size=8)
    mask = np.array([0, 1, 1, 0, 1, 0, 1, 1], dtype=bool)
    dense = aggregate(ratio[mask])
    spoiled = np.where(mask, ratio, np.nan)
    found = aggregate(spoiled, mask=mask)
    if dense.ndim:
        np.testing.assert_allclose(found[mask], dense)
        assert (found[~mask] == 0).all()
    else:
        np.testing.assert_allclose(found, dense)


def test_first_unmasked_token_keeps_its_own_ratio_under_the_minimum():
    found = minimum_prefix_log_ratio([9.0, 0.5, -2.0, 1.0], mask=[0, 1, 1, 1])
    np.testing.assert_allclose(found, [0.0, 0.5, -1.5, -1.0])


def test_factors_add_up_and_name_the_right_pairs():
    rng = np.random.default_rng(2)
    learner, old, sampler = -rng.exponential(size=(3, 4, 6))
    factors = factorise_log_ratio(learner, old, sampler)
    np.testing.assert_allclose(factors.total, token_log_ratio(learner, sampler), atol=1e-15)
    np.testing.assert_array_equal(factors.staleness, learner - old)
    np.testing.assert_array_equal(factors.discrepancy, old - sampler)


def test_factors_match_their_exact_twin():
    rows = [[Fraction(-a, 7) for a in row] for row in ((1, 2, 3), (4, 0, 5), (6, 6, 1))]
    exact = factorise_log_ratio_exact(*rows)
    found = factorise_log_ratio(*([float(x) for x in row] for row in rows))
    np.testing.assert_allclose(found, [[float(x) for x in row] for row in exact], atol=1e-15)


def test_recomputed_old_log_probabilities_hide_staleness():
    learner, sampler = np.array([-1.0, -2.0]), np.array([-1.5, -1.0])
    factors = factorise_log_ratio(learner, learner, sampler)
    assert (factors.staleness == 0).all()
    np.testing.assert_array_equal(factors.discrepancy, learner - sampler)


def test_variance_laws_at_the_worked_value():
    assert float(prefix_log_ratio_variance(0.01, 32)) == pytest.approx(0.32, rel=1e-15)
    assert float(prefix_mean_log_ratio_variance(0.01, 32)) == 3.125e-4


def test_variance_laws_by_enumeration_of_two_point_tokens():
    paths = np.array(list(product([-1.0, 1.0], repeat=6)))  # variance 1, independent
    position = np.arange(1, 7)
    np.testing.assert_allclose(
        prefix_log_ratio(paths).var(axis=0), prefix_log_ratio_variance(1.0, position)
    )
    np.testing.assert_allclose(
        prefix_mean_log_ratio(paths).var(axis=0), prefix_mean_log_ratio_variance(1.0, position)
    )


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: token_log_ratio([0.1], [-1.0]), "log_probability = 0.1"),
        (lambda: token_log_ratio([-1.0], [-np.inf]), "behaviour_log_probability = -inf"),
        (lambda: token_log_ratio([-1.0, -1.0], [-1.0]), "the learner's shape"),
        (lambda: token_log_ratio(-1.0, -1.0), "last axis over tokens"),
        (lambda: prefix_log_ratio([np.nan]), "log_ratio = nan"),
        (lambda: prefix_log_ratio([0.1, 0.2], mask=[1, 1, 1]), "broadcasts to"),
        (lambda: prefix_log_ratio([0.1, 0.2], mask=[1, 2]), "mask = 2"),
        (lambda: sequence_mean_log_ratio([[0.1], [0.2]], mask=[[1], [0]]), "without tokens"),
        (lambda: prefix_log_ratio_variance(-0.1, 1), "token_variance"),
        (lambda: prefix_mean_log_ratio_variance(0.1, 0), "position = 0"),
    ],
)
def test_refusals(call, complaint):
    with pytest.raises(DomainError, match=complaint):
        call()
