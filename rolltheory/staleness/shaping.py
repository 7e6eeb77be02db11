"""Shaping of off-policy tokens whose sampler's probability is unknown and taken as 1."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import positive_array, probability_array
from rolltheory.staleness._arrays import FloatArray

__all__ = ["shaped_probability", "shaping_gradient_factor", "shaping_gradient_factor_exact"]


def shaped_probability(probability: Any, *, gamma: Any = 0.1) -> FloatArray:
    r"""What replaces the ratio of an off-policy token (LUFFY).

    .. math:: f(\pi) = \frac{\pi}{\pi + \gamma}

    Parameters
    ----------
    probability : array within [0, 1], of the off-policy token under the learner
    gamma : array that broadcasts with it, above 0

    Returns
    -------
    array of the broadcast shape within [0, 1)

    Raises
    ------
    DomainError
        if a probability lies outside [0, 1] or gamma is not above 0.

    Notes
    -----
    Source: arXiv:2504.14945, read in its public code.

    Examples
    --------
    >>> shaped_probability([0.1, 0.9])
    array([0.5, 0.9])
    """
    p, width = probability_array("probability", probability), positive_array("gamma", gamma)
    return np.asarray(p / (p + width))


def shaping_gradient_factor(probability: Any, *, gamma: Any = 0.1) -> FloatArray:
    r"""What multiplies the score of a shaped off-policy token.

    .. math:: \frac{d f}{d \log \pi} = \frac{\gamma \pi}{(\pi + \gamma)^2} \le \frac14

    Largest at pi = gamma, near pi/gamma for rare tokens, where the unshaped factor is pi.

    Parameters, returns, raises, source : as :func:`shaped_probability`.

    >>> shaping_gradient_factor([0.1, 1.0]).round(7)
    array([0.25     , 0.0826446])
    """
    p, width = probability_array("probability", probability), positive_array("gamma", gamma)
    return np.asarray((p / (p + width)) * (width / (p + width)))


def shaping_gradient_factor_exact(probability: Fraction, *, gamma: Fraction) -> Fraction:
    """Exact twin of :func:`shaping_gradient_factor`.

    >>> shaping_gradient_factor_exact(Fraction(1), gamma=Fraction(1, 10))
    Fraction(10, 121)
    """
    if not 0 <= probability <= 1 or gamma <= 0:
        raise DomainError(
            "probability, gamma", (probability, gamma), "probability within [0, 1], gamma above 0"
        )
    return Fraction(gamma) * probability / (Fraction(probability) + gamma) ** 2
