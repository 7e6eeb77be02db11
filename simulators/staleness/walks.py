"""Correlated random-walk drift, gradients of fresh batches, and log-ratios of token sequences."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import integer_array, real_array

__all__ = [
    "correlated_directions",
    "correlated_walk",
    "first_passage",
    "fresh_gradient_pairs",
    "log_ratio_sequences",
]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


def correlated_directions(
    correlation: Any, updates: int, *, dimension: int, generator: np.random.Generator
) -> FloatArray:
    """Unit vectors (updates, R, dimension) whose inner product at distance k has mean rho**k.

    Each next one is rho times the last plus a uniformly drawn orthogonal part, so that its norm
    stays 1; in one dimension the sign flips with probability (1 - rho)/2.

    Parameters
    ----------
    correlation : array (R,), rho within [-1, 1] of each run
    updates : number of vectors per run
    dimension : at least 1
    generator : source of the directions

    Returns
    -------
    array (updates, R, dimension)
    """
    rho = real_array("correlation", correlation, at_least=-1.0, at_most=1.0).reshape(-1, 1)
    current = _unit(generator.standard_normal((rho.size, dimension)))
    vectors = [current]
    for _ in range(updates - 1):
        if dimension == 1:
            flips = generator.random(rho.shape) < (1 - rho) / 2
            current = np.where(flips, -current, current)
        else:
            drawn = generator.standard_normal(current.shape)
            drawn -= (drawn * current).sum(-1, keepdims=True) * current
            current = _unit(rho * current + np.sqrt(1 - rho**2) * _unit(drawn))
        vectors.append(current)
    return np.stack(vectors)


def correlated_walk(
    correlation: Any, updates: int, *, dimension: int, generator: np.random.Generator
) -> FloatArray:
    """Positions (updates + 1, R, dimension) of walks with `correlated_directions` as steps.

    >>> path = correlated_walk([1.0, -1.0], 3, dimension=2, generator=np.random.default_rng(0))
    >>> np.linalg.norm(path, axis=-1).round(6).T
    array([[0., 1., 2., 3.],
           [0., 1., 0., 1.]])
    """
    steps = correlated_directions(correlation, updates, dimension=dimension, generator=generator)
    return np.concatenate([np.zeros_like(steps[:1]), np.cumsum(steps, axis=0)])


def first_passage(path: Any, radius: Any) -> IntArray:
    """First update (R,) at which each walk is at least the radius away from its start, or -1.

    >>> first_passage([[[0.0]], [[1.0]], [[2.0]]], 1.5)
    array([2])
    """
    walk = real_array("path", path)
    away = np.linalg.norm(walk - walk[:1], axis=-1) >= real_array("radius", radius)
    return np.where(away.any(0), away.argmax(0), -1)


def fresh_gradient_pairs(
    signal_to_noise: Any, *, dimension: int, generator: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Gradients (R, dimension) of two independent batches with Gaussian noise.

    The noise has total variance 1, and the common mean the squared norm that the signal-to-noise
    ratio (R,) names.

    >>> one, two = fresh_gradient_pairs([4.0], dimension=3, generator=np.random.default_rng(0))
    >>> one.shape, bool((one == two).any())
    ((1, 3), False)
    """
    ratio = real_array("signal_to_noise", signal_to_noise, at_least=0.0).reshape(-1, 1)
    mean = np.zeros((ratio.size, dimension))
    mean[:, :1] = np.sqrt(ratio)
    scale = dimension**-0.5
    first, second = (mean + scale * generator.standard_normal(mean.shape) for _ in range(2))
    return first, second


def log_ratio_sequences(
    variance: Any,
    length: int,
    *,
    correlation: Any = 0.0,
    generator: np.random.Generator,
) -> FloatArray:
    """Log-ratios (R, length) of tokens: Gaussian with mean -v/2, so that each ratio has mean 1.

    Parameters
    ----------
    variance : array (R,), v of one token's log-ratio, at least 0
    length : tokens per sequence
    correlation : array that broadcasts to (R,), of neighbouring tokens, within (-1, 1)
    generator : source of the noise

    Returns
    -------
    array (R, length)
    """
    spread = real_array("variance", variance, at_least=0.0).reshape(-1)
    rho = np.broadcast_to(real_array("correlation", correlation), spread.shape)
    if (np.abs(rho) >= 1).any():
        raise DomainError("correlation", correlation, "numbers within (-1, 1)")
    count = int(integer_array("length", length, at_least=1))
    noise = generator.standard_normal((spread.size, count))
    for token in range(1, count):
        noise[:, token] = rho * noise[:, token - 1] + np.sqrt(1 - rho**2) * noise[:, token]
    return np.sqrt(spread)[:, None] * noise - spread[:, None] / 2


def _unit(vectors: FloatArray) -> FloatArray:
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
