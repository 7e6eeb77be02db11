"""What numbers of tries must satisfy, as arguments and as answers."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import integer_array

__all__ = ["checked_counts", "checked_draws", "whole_tries"]

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]


def checked_counts(
    samples: npt.ArrayLike, successes: npt.ArrayLike, *, name: str = "samples"
) -> tuple[IntArray, IntArray]:
    """Numbers of tries and of successes, with ``1 <= samples`` and ``0 <= successes <= samples``.

    The two arrays keep their own shapes, which must broadcast. Messages call the first by ``name``.

    Raises
    ------
    DomainError
        with the first offending value.

    Examples
    --------
    >>> checked_counts(4, 5)
    Traceback (most recent call last):
    ...
    rolltheory.errors.DomainError: successes = 5 is not allowed: need successes <= samples = 4
    """
    n = integer_array(name, samples, at_least=1)
    c = integer_array("successes", successes, at_least=0)
    _require_at_most("successes", c, name, n)
    return n, c


def checked_draws(
    samples: npt.ArrayLike, k: npt.ArrayLike, *, name: str = "samples"
) -> tuple[IntArray, IntArray]:
    """Numbers of tries and of draws from them, with ``1 <= k <= samples``.

    Raises
    ------
    DomainError
        with the first offending value: of fewer than ``k`` tries no function is unbiased.

    Examples
    --------
    >>> checked_draws([4, 2], 3)
    Traceback (most recent call last):
    ...
    rolltheory.errors.DomainError: k = 3 is not allowed: need k <= samples = 2
    """
    n = integer_array(name, samples)
    draws = integer_array("k", k, at_least=1)
    _require_at_most("k", draws, name, n)
    return n, draws


def whole_tries(total: npt.ArrayLike, per_try: npt.ArrayLike) -> IntArray:
    """Whole tries that cover a total, a few units of rounding more, so that they are never too few.

    Both have the same sign, and ``per_try`` is not zero; they broadcast.

    Raises
    ------
    DomainError
        for 2**62 tries or more.

    Examples
    --------
    >>> whole_tries([0.0, 2.5, 3.0], 0.5)
    array([1, 6, 7])
    """
    with np.errstate(over="ignore"):
        whole = np.maximum(np.ceil(np.divide(total, per_try) * (1 + 2.0**-50)), 1.0)
    if not (whole < 2.0**62).all():
        raise DomainError("tries", float(whole.max()), "a case that fewer than 2**62 tries settle")
    return whole.astype(np.int64)


def _require_at_most(name: str, value: IntArray, limit_name: str, limit: IntArray) -> None:
    above = value > limit
    if above.any():
        first = np.unravel_index(above.argmax(), above.shape)
        value, limit = np.broadcast_to(value, above.shape), np.broadcast_to(limit, above.shape)
        raise DomainError(name, int(value[first]), f"{name} <= {limit_name} = {int(limit[first])}")
