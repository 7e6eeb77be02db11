"""Confidence intervals for means over independent runs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rolltheory.claims import ConfidenceInterval

__all__ = ["mean_interval"]


def mean_interval(values: Any, error_level: float) -> ConfidenceInterval:
    """Student's interval for the mean of independent runs (R,), whose law is taken as normal."""
    from scipy import stats

    sample = np.asarray(values, dtype=np.float64)
    width = stats.t.isf(error_level / 2, sample.size - 1) * sample.std(ddof=1)
    width /= math.sqrt(sample.size)
    return ConfidenceInterval(
        float(sample.mean() - width), float(sample.mean() + width), error_level
    )
