"""Intervals from bounded observations: known values, and coverage where it is exact."""

from math import comb, log, sqrt

import numpy as np
import pytest

from rolltheory.errors import DomainError
from rolltheory.stats.concentration import hoeffding_interval


@pytest.mark.parametrize(("size", "level"), [(10, 0.5), (1000, 1e-3), (40_000, 1e-6)])
def test_the_reach_is_hoeffdings(size, level):
    values = np.tile([0.0, 1.0], size // 2)
    lower, upper = hoeffding_interval(values, low=0, high=1, error_level=level)
    reach = sqrt(log(2 / level) / (2 * size))
    assert lower == pytest.approx(max(0.0, 0.5 - reach), rel=1e-12)
    assert upper == pytest.approx(min(1.0, 0.5 + reach), rel=1e-12)


def test_the_reach_scales_with_the_range():
    narrow = hoeffding_interval([0.5] * 100, low=0, high=1, error_level=0.1)
    wide = hoeffding_interval([0.5] * 100, low=-9, high=11, error_level=0.1)
    assert wide[1] - wide[0] == pytest.approx(20 * (narrow[1] - narrow[0]))


@pytest.mark.parametrize("p", [0.05, 0.3, 0.5])
def test_it_misses_no_more_often_than_stated(p):
    size, level = 30, 0.2
    missed = 0.0
    for c in range(size + 1):
        values = np.arange(size) < c
        lower, upper = hoeffding_interval(values * 1.0, low=0, high=1, error_level=level)
        missed += (not lower <= p <= upper) * comb(size, c) * p**c * (1 - p) ** (size - c)
    assert missed <= level


@pytest.mark.parametrize(
    ("values", "level"),
    [([], 0.1), ([2.0], 0.1), ([-0.5], 0.1), ([0.5], 0.0), ([0.5], 1.0), ([np.nan], 0.1)],
)
def test_what_it_does_not_cover_is_refused(values, level):
    with pytest.raises(DomainError):
        hoeffding_interval(values, low=0, high=1, error_level=level)
