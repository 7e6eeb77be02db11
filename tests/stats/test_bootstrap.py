"""Resampling against the moments and levels that theory gives for it."""

from itertools import product

import numpy as np
import pytest

from rolltheory.errors import DomainError
from rolltheory.stats import bootstrap
from rolltheory.stats.bootstrap import bootstrap_means, percentile_interval, sign_flip_p_value


def test_means_have_the_moments_of_resampling():
    values = np.array([0.0, 0.0, 1.0, 3.0, 6.0])
    means = bootstrap_means(values, generator=np.random.default_rng(1), resamples=40_000)
    assert means.mean() == pytest.approx(values.mean(), abs=0.02)
    assert means.var() == pytest.approx(values.var() / 5, rel=0.03)
    assert means.min() >= 0


@pytest.mark.parametrize("block", [10, 1000])  # fewer numbers than a row has, and more
def test_blocks_change_no_draw(monkeypatch, block):
    values = np.random.default_rng(2).uniform(size=50)
    whole = bootstrap_means(values, generator=np.random.default_rng(3), resamples=101)
    p_value = sign_flip_p_value(values - 0.4, generator=np.random.default_rng(3), resamples=101)
    monkeypatch.setattr(bootstrap, "_BLOCK", block)
    again = bootstrap_means(values, generator=np.random.default_rng(3), resamples=101)
    np.testing.assert_allclose(whole, again, rtol=1e-14)
    assert p_value == sign_flip_p_value(
        values - 0.4, generator=np.random.default_rng(3), resamples=101
    )


def test_percentile_interval_is_rounded_outward_to_draws():
    draws = np.arange(101.0)
    assert percentile_interval(draws, confidence=0.5) == (25.0, 75.0)
    assert percentile_interval(draws, confidence=0.75) == (12.0, 88.0)
    assert percentile_interval(draws) == (2.0, 98.0)


def test_sign_flips_match_the_enumeration_of_all_of_them():
    differences = np.array([0.5, -0.25, 1.0, 1.5, 0.0, 0.75, -0.125])
    signs = np.array(list(product([-1, 1], repeat=7)))
    exact = np.mean(np.abs(signs @ differences) >= abs(differences.sum()))
    p_value = sign_flip_p_value(differences, generator=np.random.default_rng(6), resamples=40_000)
    assert p_value == pytest.approx(exact, abs=0.01)


def test_sign_flips_keep_their_level_with_few_units():
    draws = np.random.default_rng(9)
    p_values = [
        sign_flip_p_value(draws.standard_t(2, size=6), generator=draws, resamples=199)
        for _ in range(2000)
    ]
    assert np.mean(np.array(p_values) <= 0.05) <= 0.065


@pytest.mark.parametrize(
    ("values", "resamples", "message"),
    [([], 10, "at least one unit"), ([1.0, float("nan")], 10, "values = nan"), ([1.0], 0, "= 0")],
)
def test_refusals(values, resamples, message):
    for function in (bootstrap_means, sign_flip_p_value):
        with pytest.raises(DomainError, match=message):
            function(values, generator=np.random.default_rng(0), resamples=resamples)


def test_the_p_value_counts_the_data_among_the_flips():
    generator = np.random.default_rng(0)
    assert sign_flip_p_value(np.ones(60), generator=generator, resamples=99) == 1 / 100


@pytest.mark.parametrize("scale", [2.0**-30, -1.0, 2.0**30])
def test_a_flip_that_ties_but_for_rounding_counts(scale):
    values = scale * np.full(6, 0.7)
    assert abs(values.sum()) > 6 * abs(values[0])  # all signs equal: 2 of 64, by another sum
    p_value = sign_flip_p_value(values, generator=np.random.default_rng(1), resamples=40_000)
    assert p_value == pytest.approx(2 / 64, abs=0.005)
    zeros = sign_flip_p_value([0.0], generator=np.random.default_rng(1), resamples=1)
    assert zeros == 1.0
    assert bootstrap_means([2.0], generator=np.random.default_rng(1), resamples=1) == [2.0]


def test_a_flip_that_is_smaller_by_a_millionth_does_not_count():
    close = [1.0, 1e-6]
    p_value = sign_flip_p_value(close, generator=np.random.default_rng(1), resamples=40_000)
    assert p_value == pytest.approx(1 / 2, abs=0.02)
