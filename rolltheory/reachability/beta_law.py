"""Pass@k of a population of problems whose success probabilities follow a Beta law."""

from __future__ import annotations

from math import exp, inf, lgamma
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import positive_array, probability_array
from rolltheory.stats.beta import log_beta_ratio

__all__ = ["beta_pass_at_k", "beta_tail_coefficient"]

FloatArray: TypeAlias = npt.NDArray[np.float64]

_LARGEST_LOG = 709.0  # exp of it is near the largest float


def beta_pass_at_k(
    a: npt.ArrayLike, b: npt.ArrayLike, k: npt.ArrayLike, *, zero_mass: npt.ArrayLike = 0.0
) -> FloatArray:
    r"""Pass@k of a population of problems with Beta-distributed success probabilities.

    .. math:: \text{Pass@}k = (1 - \pi) \left(1 - \frac{B(a, b+k)}{B(a, b)}\right), \qquad
              \frac{B(a, b+k)}{B(a, b)} \sim \frac{\Gamma(a+b)}{\Gamma(b)}\, k^{-a}

    A power law in ``k``, although each problem alone decays exponentially. A share ``pi`` of
    problems that cannot be solved turns the limit into a plateau at ``1 - pi``.

    Assumes independent tries given the problem.

    Parameters
    ----------
    a, b : array_like
        Positive parameters, up to 1e150; ``b`` from 1e-150 on.
    k : array_like
        Number of tries, from 0 to 1e150; fractions interpolate.
    zero_mass : array_like
        Share ``pi`` of problems with success probability 0.

    Returns
    -------
    float or ndarray of the broadcast shape.

    Raises
    ------
    DomainError
        for arguments outside these ranges.

    Notes
    -----
    Source: known; reported for repeated sampling in "How do LLM monkeys get their power (laws)".

    Examples
    --------
    >>> beta_pass_at_k(1, 1, [1, 4, 9]).round(12)
    array([0.5, 0.8, 0.9])
    """
    first = positive_array("a", a)
    share = probability_array("zero_mass", zero_mass)
    return ((1 - share) * (0.0 - np.expm1(log_beta_ratio(first, b, k))))[()]


def beta_tail_coefficient(a: float, b: float) -> float:
    r"""Coefficient of the power law with which the failures of a Beta population decay.

    .. math:: \lim_{k \to \infty} k^a\, \frac{B(a, b+k)}{B(a, b)} = \frac{\Gamma(a+b)}{\Gamma(b)}

    Parameters
    ----------
    a, b : float
        Positive parameters.

    Returns
    -------
    float

    Raises
    ------
    DomainError
        for parameters that are not positive.

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> round(beta_tail_coefficient(2, 1), 12)
    2.0
    """
    for name, value in (("a", a), ("b", b)):
        if not 0 < value < inf:
            raise DomainError(name, value, "a positive finite number")
    log_coefficient = lgamma(a + b) - lgamma(b)
    if log_coefficient > _LARGEST_LOG:
        raise DomainError("a", a, "a coefficient that a float can hold; take a smaller one")
    return exp(log_coefficient)
