"""Turn what a caller passed into checked arrays, or say clearly what is wrong with it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from rolltheory.errors import DomainError

__all__ = [
    "exact_probability",
    "integer_array",
    "positive_array",
    "probability_array",
    "real_array",
]


def integer_array(
    name: str, value: Any, *, at_least: int | None = None, at_most: int | None = None
) -> npt.NDArray[np.int64]:
    """Whole numbers within ``[at_least, at_most]``; floats that are whole are accepted.

    Raises
    ------
    DomainError
        with the first offending value.

    Examples
    --------
    >>> integer_array("k", [1, 2.0], at_least=1)
    array([1, 2])
    >>> integer_array("k", 0, at_least=1)
    Traceback (most recent call last):
    ...
    rolltheory.errors.DomainError: k = 0 is not allowed: need whole numbers, at least 1
    """
    allowed = f"whole numbers{_range_text(at_least, at_most)}"
    array = _numbers(name, value, allowed)
    if array.dtype.kind == "f":
        whole = np.isfinite(array) & (array == np.floor(array)) & (np.abs(array) < 2.0**63)
        _require(whole, name, array, allowed)
    elif array.dtype.kind == "u":
        _require(array <= np.uint64(2**63 - 1), name, array, allowed)
    _require(_within(array, at_least, at_most), name, array, allowed)
    return array.astype(np.int64)


def real_array(
    name: str, value: Any, *, at_least: float | None = None, at_most: float | None = None
) -> npt.NDArray[np.float64]:
    """Finite floats within ``[at_least, at_most]``.

    Raises
    ------
    DomainError
        with the first offending value; NaN and infinity always offend.

    Examples
    --------
    >>> real_array("weight", [1, 2.5], at_least=0)
    array([1. , 2.5])
    """
    allowed = f"finite numbers{_range_text(at_least, at_most)}"
    array = _numbers(name, value, allowed).astype(np.float64)
    _require(np.isfinite(array) & _within(array, at_least, at_most), name, array, allowed)
    return array


def positive_array(name: str, value: Any) -> npt.NDArray[np.float64]:
    """Finite floats above zero.

    >>> positive_array("rate", 0)
    Traceback (most recent call last):
    ...
    rolltheory.errors.DomainError: rate = 0.0 is not allowed: need finite numbers above 0
    """
    array = real_array(name, value)
    _require(array > 0, name, array, "finite numbers above 0")
    return array


def probability_array(name: str, value: Any) -> npt.NDArray[np.float64]:
    """Floats within [0, 1].

    >>> probability_array("p", 1)
    array(1.)
    """
    return real_array(name, value, at_least=0.0, at_most=1.0)


def exact_probability(name: str, value: Any) -> Fraction:
    """One rational within [0, 1]; a float counts as the rational that it is.

    >>> exact_probability("p", 0.25)
    Fraction(1, 4)
    """
    allowed = "a fraction within [0, 1]"
    try:
        probability = Fraction(value)
    except (TypeError, ValueError, OverflowError) as error:  # text, NaN, infinity
        raise DomainError(name, value, allowed) from error
    if not 0 <= probability <= 1:
        raise DomainError(name, value, allowed)
    return probability


def _numbers(name: str, value: Any, allowed: str) -> npt.NDArray[Any]:
    try:
        array = np.asarray(value)
    except (ValueError, OverflowError) as error:  # ragged nesting
        raise DomainError(name, value, allowed) from error
    if array.dtype.kind not in "iuf":
        raise DomainError(name, value, allowed)
    return array


def _within(
    array: npt.NDArray[Any], low: float | None, high: float | None
) -> npt.NDArray[np.bool_]:
    inside = np.ones(array.shape, dtype=bool)
    if low is not None:
        inside &= array >= low
    if high is not None:
        inside &= array <= high
    return inside


def _require(good: npt.NDArray[np.bool_], name: str, array: npt.NDArray[Any], allowed: str) -> None:
    if not good.all():
        raise DomainError(
            name, array[~good].flat[0].item() if array.ndim else array.item(), allowed
        )


def _range_text(low: float | None, high: float | None) -> str:
    if low is not None and high is not None:
        return f" within [{low:g}, {high:g}]"
    if low is not None:
        return f", at least {low:g}"
    if high is not None:
        return f", at most {high:g}"
    return ""
