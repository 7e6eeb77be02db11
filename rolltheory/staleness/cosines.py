"""How much the gradients of fresh batches agree, and what that says of their noise."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import positive_array, real_array
from rolltheory.staleness._quantities import FloatArray

__all__ = [
    "cosine_at_batch_size",
    "fresh_gradient_cosine",
    "fresh_gradient_cosine_exact",
    "snr_from_cosine",
]


def fresh_gradient_cosine(signal_to_noise: Any) -> FloatArray:
    r"""Cosine between the gradients of two fresh independent batches, as a ratio of means.

    .. math:: \frac{E\langle g, g'\rangle}{E|g|^2} = \frac{\mathrm{SNR}}{1 + \mathrm{SNR}}, \qquad
        \mathrm{SNR} = \frac{|E g|^2}{\operatorname{tr} \operatorname{Cov} g}

    The mean of the cosines themselves tends to it in high dimension only; in one dimension it
    differs. Assumes no staleness and no shared rollouts: a high cosine alone proves neither.

    Parameters
    ----------
    signal_to_noise : array, at least 0

    Returns
    -------
    array of the same shape, within [0, 1)

    Raises
    ------
    DomainError
        if an argument is negative.

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> fresh_gradient_cosine([0.1, 1.0, 10.0]).round(4)
    array([0.0909, 0.5   , 0.9091])
    """
    ratio = real_array("signal_to_noise", signal_to_noise, at_least=0.0)
    return ratio / (1 + ratio)


def fresh_gradient_cosine_exact(signal_to_noise: Fraction) -> Fraction:
    """Exact twin of :func:`fresh_gradient_cosine`.

    >>> fresh_gradient_cosine_exact(Fraction(3))
    Fraction(3, 4)
    """
    return signal_to_noise / (1 + signal_to_noise)


def snr_from_cosine(cosine: Any) -> FloatArray:
    """Signal-to-noise ratio of a batch gradient, from the cosine of two: c / (1 - c).

    The inverse of :func:`fresh_gradient_cosine`.

    Parameters
    ----------
    cosine : array within [0, 1)

    Returns
    -------
    array of the same shape

    Raises
    ------
    DomainError
        if an argument lies outside [0, 1).

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> snr_from_cosine([0.0, 0.5]).round(4)
    array([0., 1.])
    """
    array = real_array("cosine", cosine, at_least=0.0)
    if (array >= 1).any():
        raise DomainError("cosine", array[array >= 1].flat[0].item(), "numbers within [0, 1)")
    return array / (1 - array)


def cosine_at_batch_size(cosine: Any, batch_ratio: Any) -> FloatArray:
    r"""Cosine of two fresh gradients at another batch size: k c / (1 + (k - 1) c).

    The signal-to-noise ratio is proportional to the batch size, so cosines of runs with different
    batch sizes cannot be compared as they are. Broadcasts.

    Parameters
    ----------
    cosine : array within [0, 1), measured
    batch_ratio : array above 0, k, wanted over measured batch size

    Returns
    -------
    array of the broadcast shape

    Raises
    ------
    DomainError
        if an argument lies outside its range.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> cosine_at_batch_size(0.5, [0.1, 1, 10]).round(4)
    array([0.0909, 0.5   , 0.9091])
    """
    ratio = positive_array("batch_ratio", batch_ratio)
    return fresh_gradient_cosine(ratio * snr_from_cosine(cosine))
