"""Alignment of consecutive gradients, and a projection that limits it."""

from __future__ import annotations

from typing import Any

import numpy as np

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import real_array
from rolltheory.staleness._arrays import FloatArray

__all__ = ["align_gradient", "aligned_norm_ratio", "gradient_cosine"]


def gradient_cosine(gradient: Any, previous: Any) -> FloatArray:
    r"""Cosine of the angle between consecutive gradients.

    .. math:: c = \frac{\langle g_t, g_{t-1} \rangle}{|g_t| |g_{t-1}|}

    High on stale data, but not only there: two fresh batches have expected cosine SNR/(1 + SNR).

    Parameters
    ----------
    gradient : array (..., parameters)
    previous : array that broadcasts with it

    Returns
    -------
    array (...) within [-1, 1]

    Raises
    ------
    DomainError
        if a gradient is zero or not finite.

    Notes
    -----
    Source: known; as a sign of staleness arXiv:2603.01501.

    Examples
    --------
    >>> float(gradient_cosine([3.0, 4.0], [1.0, 0.0]))
    0.6
    """
    current, direction = _unit("gradient", gradient), _unit("previous", previous)
    return np.asarray(np.clip((current * direction).sum(axis=-1), -1.0, 1.0))


def align_gradient(gradient: Any, previous: Any, *, threshold: float) -> FloatArray:
    r"""Turn a gradient away from the previous one until their cosine is the threshold.

    .. math:: g' = g_\perp + \frac{\tau}{\sqrt{1 - \tau^2}} |g_\perp|
        \frac{g_{t-1}}{|g_{t-1}|} \quad \text{if } c > \tau

    Keeps the component orthogonal to the previous gradient and shortens the parallel one; leaves a
    gradient with c <= tau as it is. A gradient that is exactly parallel becomes zero.

    Parameters
    ----------
    gradient : array (..., parameters)
    previous : array that broadcasts with it
    threshold : number within [0, 1), tau

    Returns
    -------
    array (..., parameters)

    Raises
    ------
    DomainError
        if a gradient is zero or not finite, or the threshold lies outside [0, 1).

    Notes
    -----
    Source: derived here, after arXiv:2603.01501 (whose thresholds are not known here).

    Examples
    --------
    >>> align_gradient([4.0, 3.0], [1.0, 0.0], threshold=0.6)
    array([2.25, 3.  ])
    """
    tau = _threshold(threshold)
    current = real_array("gradient", gradient)
    cosine = gradient_cosine(current, previous)[..., None]
    direction = _unit("previous", previous)
    across = current - (current * direction).sum(axis=-1, keepdims=True) * direction
    length = np.linalg.norm(across, axis=-1, keepdims=True)
    turned = across + tau / np.sqrt(1 - tau**2) * length * direction
    return np.where(cosine > tau, turned, current)


def aligned_norm_ratio(cosine: Any, *, threshold: float) -> FloatArray:
    r"""How much :func:`align_gradient` shortens a gradient.

    .. math:: \frac{|g'|}{|g|} = \sqrt{\frac{1 - c^2}{1 - \tau^2}} \text{ if } c > \tau,
        \text{ else } 1

    Parameters
    ----------
    cosine : array within [-1, 1], before the projection
    threshold : number within [0, 1), tau

    Returns
    -------
    array of its shape within [0, 1]

    Raises
    ------
    DomainError
        if an argument is out of range.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> aligned_norm_ratio([0.8, 0.5], threshold=0.6)
    array([0.75, 1.  ])
    """
    tau = _threshold(threshold)
    c = real_array("cosine", cosine, at_least=-1.0, at_most=1.0)
    return np.where(c > tau, np.sqrt((1 - c**2) / (1 - tau**2)), 1.0)


def _unit(name: str, gradient: Any) -> FloatArray:
    vector = real_array(name, gradient)
    if vector.ndim == 0:
        raise DomainError(name, gradient, "a last axis over parameters")
    size = np.abs(vector).max(axis=-1, keepdims=True, initial=0.0)
    if (size == 0).any():
        raise DomainError(name, "a zero gradient", "gradients that are not zero")
    scaled = vector / size  # so that squares neither overflow nor vanish
    return np.asarray(scaled / np.linalg.norm(scaled, axis=-1, keepdims=True))


def _threshold(threshold: float) -> float:
    tau = float(real_array("threshold", threshold, at_least=0.0))
    if tau >= 1:
        raise DomainError("threshold", threshold, "a number within [0, 1)")
    return tau
