"""Where an error hurts a rollout most: the derivative of the bound by each one-step error."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from rolltheory.errors import AssumptionError, DomainError
from rolltheory.numerics.arguments import integer_array, real_array
from rolltheory.numerics.perron import nonnegative_matrix, perron_certificate

__all__ = ["critical_weights", "error_exposure"]

FloatArray = npt.NDArray[np.float64]


def critical_weights(matrix: Any, readout: Any = None, *, horizon: int | None = None) -> FloatArray:
    r"""How much a unit of one-step error at each node adds to the bound on a readout.

    .. math:: q^T v_H \le \sum_j s_j \varepsilon_j, \qquad s = \sum_{k<H} (M^T)^k q

    with v <- M v + eps and M = c A^L. For H without end, s = (I - M^T)^{-1} q. If the radius of M
    is 1 or more (or near 1), s turns to the left Perron vector as the horizon grows; degrees and
    row sums need not agree with it.

    Parameters
    ----------
    matrix : (n, n) M, nonnegative; dense or scipy sparse
    readout : (n,) q, nonnegative; all nodes alike if not given
    horizon : H, at least 0; None for ever

    Returns
    -------
    (n,) weights, per unit of one-step error.

    Raises
    ------
    AssumptionError
        for a negative entry; for ever, if the spectral radius is not certified to be below 1.
    DomainError
        if the readout does not fit.

    Notes
    -----
    Source: derived here, docs/theory/graph_world.md; H sparse products.

    Examples
    --------
    >>> star = np.zeros((5, 5)); star[0, 1:] = star[1:, 0] = 0.4
    >>> critical_weights(star).round(4)
    array([7.2222, 3.8889, 3.8889, 3.8889, 3.8889])
    >>> critical_weights(star, horizon=10).round(5)
    array([6.44674, 3.47132, 3.47132, 3.47132, 3.47132])
    """
    weights = nonnegative_matrix("matrix", matrix)
    return _accumulated(weights.T, weights.shape[0], readout, horizon)


def error_exposure(matrix: Any, errors: Any = None, *, horizon: int | None = None) -> FloatArray:
    r"""Where errors show: the bound on each node's error after H steps.

    .. math:: v_H \le \sum_{k<H} M^k \varepsilon

    The mirror of `critical_weights`, with the right Perron vector for the left one.

    Parameters
    ----------
    matrix : (n, n) M, nonnegative; dense or scipy sparse
    errors : (n,) one-step errors, nonnegative; one each if not given
    horizon : H, at least 0; None for ever

    Raises
    ------
    AssumptionError
        as for `critical_weights`.
    DomainError
        if the errors do not fit.

    Notes
    -----
    Source: derived here, docs/theory/graph_world.md.

    Examples
    --------
    >>> error_exposure([[0, 0.5], [0, 0]])
    array([1.5, 1. ])
    """
    weights = nonnegative_matrix("matrix", matrix)
    return _accumulated(weights, weights.shape[0], errors, horizon)


def _accumulated(step: Any, size: int, start: Any, horizon: int | None) -> FloatArray:
    """start + step start + ... + step^(H-1) start, or the limit of that sum."""
    vector = np.ones(size) if start is None else real_array("readout", start, at_least=0)
    if vector.shape != (size,):
        raise DomainError("readout", vector.shape, f"one number per node, ({size},)")
    if horizon is None:
        return _limit(step, vector)
    total = np.zeros(size)
    for _ in range(int(integer_array("horizon", horizon, at_least=0))):
        total, vector = total + vector, step @ vector
    return total


def _limit(step: Any, vector: FloatArray) -> FloatArray:
    from scipy.sparse.linalg import spsolve

    upper = perron_certificate(step).upper
    if upper >= 1:
        raise AssumptionError("the spectral radius is below 1", f"an upper bound of {upper:.6g}")
    return np.asarray(spsolve(sparse.csc_array(sparse.eye_array(vector.size) - step), vector))
