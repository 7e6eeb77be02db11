"""Fits of simple laws."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import real_array

__all__ = ["PowerLaw", "fit_power_law"]


class PowerLaw(NamedTuple):
    """``y = coefficient * x ** exponent``."""

    coefficient: float
    exponent: float


def fit_power_law(x: npt.ArrayLike, y: npt.ArrayLike) -> PowerLaw:
    r"""Power law through positive points, by least squares of the logarithms.

    .. math:: \min_{\alpha, \beta} \sum_i (\ln y_i - \ln\alpha - \beta \ln x_i)^2

    Assumes errors that are relative and of one size. Where the points bend on log-log axes the
    exponent depends on the range that they cover.

    Parameters
    ----------
    x, y : array_like, shape (N,)
        Positive, with at least two different ``x``.

    Returns
    -------
    PowerLaw

    Raises
    ------
    DomainError
        for values that are not positive, or fewer than two different ``x``.

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> law = fit_power_law([1, 4, 16], [3, 6, 12])
    >>> round(law.coefficient, 12), round(law.exponent, 12)
    (3.0, 0.5)
    """
    arrays = []
    for name, value in (("x", x), ("y", y)):
        array = real_array(name, value).ravel()
        if not (array > 0).all():
            raise DomainError(name, float(array.min()), "positive numbers")
        arrays.append(np.log(array))
    if np.unique(arrays[0]).size < 2:
        raise DomainError("x", np.asarray(x).tolist(), "at least two different values")
    centred = arrays[0] - arrays[0].mean()
    exponent = float(centred @ arrays[1] / (centred @ centred))
    level = float(arrays[1].mean() - exponent * arrays[0].mean())
    return PowerLaw(float(np.exp(level)), exponent)
