"""When a run collapsed, by a definition fixed beforehand."""

from __future__ import annotations

from typing import Any

import numpy as np

from rolltheory.numerics.arguments import integer_array, positive_array, real_array
from rolltheory.staleness.run_log import FloatArray

__all__ = ["collapse_row", "smoothed"]


def smoothed(score: Any, *, window: int) -> FloatArray:
    """Mean of each value and those before it within a window.

    Parameters
    ----------
    score : array (rows,)
    window : rows, at least 1

    Returns
    -------
    array (rows,)

    Raises
    ------
    DomainError
        for a window below 1, or values that are not finite.

    Examples
    --------
    >>> smoothed([0.0, 2.0, 4.0], window=2)
    array([0., 1., 3.])
    """
    values = real_array("score", score).ravel()
    width = int(integer_array("window", window, at_least=1))
    sums = np.concatenate([[0.0], np.cumsum(values)])
    end = np.arange(1, values.size + 1)
    start = np.maximum(end - width, 0)
    return np.asarray((sums[end] - sums[start]) / (end - start))


def collapse_row(score: Any, *, drop: float, patience: int, window: int = 1) -> int | None:
    r"""First row from which the smoothed score stays well below its running maximum.

    .. math:: \min\{t : \bar s_u < \max_{v \le u} \bar s_v - \delta \text{ for }
        t \le u < t + H\}

    Only rows whose whole window lies within the run count.

    Parameters
    ----------
    score : array (rows,), larger is better
    drop : delta, above 0, in the unit of the score
    patience : H in rows, at least 1
    window : rows of the smoothing

    Returns
    -------
    row from 0, None if the score never stays so low for so long

    Raises
    ------
    DomainError
        if an argument is out of range.

    Notes
    -----
    Source: derived here: a definition for tests, as that of arXiv:2607.01083 is not known here.

    Examples
    --------
    >>> collapse_row([0.0, 1.0, 0.9, 0.1, 0.0, 0.2], drop=0.5, patience=3)
    3
    """
    depth = float(positive_array("drop", drop))
    length = int(integer_array("patience", patience, at_least=1))
    # means over fewer rows are noisier, and would set a maximum that no later one reaches
    values = smoothed(score, window=window)[window - 1 :]
    below = values < np.maximum.accumulate(values) - depth
    if below.size < length:
        return None
    runs = np.convolve(below, np.ones(length), mode="valid")
    found = np.flatnonzero(runs == length)
    return int(found[0]) + window - 1 if found.size else None
