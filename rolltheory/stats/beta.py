"""Ratios of Beta functions, without the cancellation of a difference of log-gammas."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from rolltheory.numerics.arguments import real_array

__all__ = ["log_beta_ratio"]

FloatArray: TypeAlias = npt.NDArray[np.float64]

_SHIFT = 32  # Stirling's series with four terms is exact to double precision from here on
_LARGEST = 1e150  # its square and the square of its inverse are floats
_BLOCK = 1 << 16  # keeps the temporaries of large inputs in the cache


def log_beta_ratio(a: npt.ArrayLike, b: npt.ArrayLike, increment: npt.ArrayLike) -> FloatArray:
    r"""Logarithm of ``B(a, b + k) / B(a, b)``, to a few units of rounding, at constant cost.

    .. math:: \log\frac{B(a, b+k)}{B(a, b)}
              = \log\frac{\Gamma(b+k)\,\Gamma(a+b)}{\Gamma(b)\,\Gamma(a+b+k)} \le 0

    This one ratio is the probability of ``k`` failures in a row under Beta(a, b), and, with
    ``a = c``, ``b = n - c - k + 1``, the share ``C(n - c, k) / C(n, k)`` of draws of ``k`` out
    of ``n`` that miss all ``c`` successes. It is symmetric in ``a`` and ``k``.

    Parameters
    ----------
    a : array_like, from 0 (which gives 0, the limit) to 1e150
    b : array_like, from 1e-150 to 1e150
    increment : array_like, from 0 to 1e150, not necessarily whole; the ``k`` above

    Returns
    -------
    float or ndarray of the broadcast shape. The relative error of the logarithm stays near
    1e-15, also where the ratio is within 1e-12 of one.

    Raises
    ------
    DomainError
        for arguments outside these ranges.

    Notes
    -----
    Source: derived here. Arguments below 32 are shifted up by the recurrence of the gamma
    function; there Stirling's series is combined over the four arguments before it is evaluated.

    Examples
    --------
    >>> np.exp(log_beta_ratio(1, 1, [0, 1, 2, 3])).round(12)
    array([1.        , 0.5       , 0.33333333, 0.25      ])
    """
    arrays = (
        real_array("a", a, at_least=0.0, at_most=_LARGEST),
        real_array("b", b, at_least=1 / _LARGEST, at_most=_LARGEST),
        real_array("increment", increment, at_least=0.0, at_most=_LARGEST),
    )
    shape = np.broadcast_shapes(*(array.shape for array in arrays))
    flat = [np.broadcast_to(array, shape).ravel() for array in arrays]
    result = np.empty(flat[0].size)
    for start in range(0, result.size, _BLOCK):
        block = slice(start, start + _BLOCK)
        result[block] = _log_ratio(*(array[block] for array in flat))
    return result.reshape(shape)[()]


def _log_ratio(a: FloatArray, b: FloatArray, k: FloatArray) -> FloatArray:
    result = np.zeros(a.shape)
    small = b < _SHIFT
    if small.any():
        a_small, b_small, k_small = a[small], b[small], k[small]
        shifted = np.zeros(a_small.shape)
        for step in range(_SHIFT):
            shifted += _log_cross(a_small, b_small + step, k_small)
        result[small] = shifted
        b = np.where(small, b + _SHIFT, b)
    both, with_a, with_k = a + b + k, a + b, b + k
    leading = a * np.log1p(k / with_a) + k * np.log1p(a / with_k) + (b - 0.5) * _log_cross(a, b, k)
    first = (a / b / with_a) * (k / with_k / both) * (b + both) / 12
    rest = _stirling_rest(both) - _stirling_rest(with_k) - _stirling_rest(with_a)
    return result - leading - first - (rest + _stirling_rest(b))


def _log_cross(a: FloatArray, b: FloatArray, k: FloatArray) -> FloatArray:
    """``log(b (a + b + k) / ((a + b) (b + k)))``, from whichever side keeps the digits."""
    with_a, with_k = a + b, b + k
    defect = (a / with_a) * (k / with_k)
    with np.errstate(divide="ignore"):
        result: FloatArray = np.log1p(-defect)
    far = defect > 0.5
    if far.any():
        result[far] = np.log((b[far] / with_a[far]) * ((with_a + k)[far] / with_k[far]))
    return result


def _stirling_rest(x: FloatArray) -> FloatArray:
    """Stirling's series for log-gamma after its term ``1 / (12 x)``."""
    inverse_square = 1 / (x * x)
    series = 1 / 1260 - inverse_square / 1680
    result: FloatArray = inverse_square * (inverse_square * series - 1 / 360) / x
    return result
