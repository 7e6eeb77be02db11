"""Confidence intervals for means over independent runs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.special import stdtrit

from rolltheory.claims import ConfidenceInterval

__all__ = ["mean_interval"]


def mean_interval(values: Any, error_level: float) -> ConfidenceInterval:
    """Student's interval for the mean of independent runs (R,), whose law is taken as normal."""
    sample = np.asarray(values, dtype=np.float64)
    quantile = -float(stdtrit(sample.size - 1, error_level / 2))
    width = quantile * sample.std(ddof=1) / math.sqrt(sample.size)
    return ConfidenceInterval(
        float(sample.mean() - width), float(sample.mean() + width), error_level
    )
