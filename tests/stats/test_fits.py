"""Power-law fits."""

import numpy as np
import pytest

from rolltheory.errors import DomainError
from rolltheory.stats.fits import fit_power_law


def test_worked_recovery_exponents_of_amc():
    law = fit_power_law([1, 2, 4, 8, 16, 32], [0.977, 1.86, 3.53, 6.99, 15.0, 31.9])
    assert law == pytest.approx((0.924, 1.005), abs=6e-4)


def test_agrees_with_a_regression_of_the_logarithms():
    from statsmodels.api import OLS, add_constant

    draws = np.random.default_rng(1)
    x, y = draws.uniform(0.5, 50, 30), draws.uniform(0.5, 50, 30)
    level, exponent = OLS(np.log(y), add_constant(np.log(x))).fit().params
    assert fit_power_law(x, y) == pytest.approx((np.exp(level), exponent), rel=1e-10)


def test_two_points_lie_on_one_power_law():
    assert fit_power_law([2, 8, 2], [3, 6, 3]) == pytest.approx((3 / 2**0.5, 0.5))


@pytest.mark.parametrize(
    ("x", "y", "message"),
    [([1, 2], [0, 1], r"y = 0\.0"), ([-1, 2], [1, 1], r"x = -1\.0"), ([2, 2], [1, 3], "different")],
)
def test_refusals(x, y, message):
    with pytest.raises(DomainError, match=message):
        fit_power_law(x, y)
