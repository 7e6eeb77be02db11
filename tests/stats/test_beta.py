"""The ratio of Beta functions against products of rationals and against mpmath."""

from fractions import Fraction
from itertools import product

import mpmath
import numpy as np
import pytest

from rolltheory.errors import DomainError
from rolltheory.stats.beta import log_beta_ratio


def reference(a: float, b: float, k: float) -> float:
    with mpmath.workdps(60):
        a, b, k = mpmath.mpf(a), mpmath.mpf(b), mpmath.mpf(k)
        gamma = mpmath.loggamma
        return float(gamma(b + k) + gamma(a + b) - gamma(b) - gamma(a + b + k))


def test_agrees_with_many_digits_for_real_arguments_of_every_size():
    generator = np.random.default_rng(11)
    for _ in range(400):
        a, b, k = (float(10 ** generator.uniform(-6, 9)) for _ in range(3))
        assert log_beta_ratio(a, b, k) == pytest.approx(reference(a, b, k), rel=5e-14), (a, b, k)


def test_whole_increments_are_a_product_of_shares_of_failure():
    for a, b, k in [(1, 2, 3), (5, 1, 9), (40, 33, 12), (3, 100, 50)]:
        product = Fraction(1)
        for i in range(k):
            product *= Fraction(b + i, a + b + i)
        assert np.exp(log_beta_ratio(a, b, k)) == pytest.approx(float(product), rel=1e-13)


def test_is_symmetric_and_zero_at_zero():
    assert log_beta_ratio(0.3, 7.5, 12) == pytest.approx(log_beta_ratio(12, 7.5, 0.3), rel=1e-14)
    assert log_beta_ratio([0, 3], 2, [4, 0]).tolist() == [0, 0]


def test_large_inputs_in_blocks_equal_single_values():
    a = np.linspace(0.1, 500, 70_000)
    values = log_beta_ratio(a, 1.5, 10)
    for index in [0, 65_535, 65_536, 69_999]:
        assert values[index] == log_beta_ratio(a[index], 1.5, 10)


def test_refuses_arguments_outside_the_domain():
    with pytest.raises(DomainError, match=r"b = 0\.0"):
        log_beta_ratio(1, [1, 0], 1)
    for arguments in ((1e151, 1, 1), (1, 1e151, 1), (1, 1, 1e151), (1, 1e-151, 1), (1, 1, -1)):
        with pytest.raises(DomainError, match=r"1e\+150\]"):
            log_beta_ratio(*arguments)
    with pytest.raises(DomainError, match=r"a = -1\.0"):
        log_beta_ratio(-1, 1, 1)


def test_digits_next_to_the_start_of_the_series():
    """Relative to the logarithm, Stirling's fourth term still matters at 32."""
    for a, k, b in product((0.3, 1.0, 2.5), (0.7, 1.0, 3.0), (0.5, 31.9, 32.0, 32.5, 34.0)):
        assert log_beta_ratio(a, b, k) == pytest.approx(reference(a, b, k), rel=3e-15), (a, b, k)


def test_the_whole_stated_range_is_finite():
    ends = np.array([1e-150, 1.0, 1e150])
    values = log_beta_ratio(ends[:, None, None], ends[:, None], ends)
    assert np.isfinite(values).all()
    assert np.exp(log_beta_ratio(1e150, 1e150, 1)) == pytest.approx(0.5, rel=1e-15)
