"""Stability of a nonnegative operator of any size, proved by one vector."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rolltheory.numerics.perron import nonnegative_matrix
from rolltheory.numerics.rounding import rounded_up

__all__ = ["StabilityCertificate", "stability_certificate"]

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class StabilityCertificate:
    """A positive x with M x < x, which proves rho(M) < 1 in one line; None where none was found.

    Attributes
    ----------
    vector : (m,) positive, or None
    rate : max_i (M x)_i / x_i, an upper bound on rho(M); infinite without a vector
    """

    vector: FloatArray | None
    rate: float

    @property
    def stable(self) -> bool:
        return self.vector is not None


def stability_certificate(matrix: Any) -> StabilityCertificate:
    r"""Prove rho(M) < 1 for any number of error types, by a vector that one step shrinks.

    .. math:: \exists\, x > 0: M x < x \iff \rho(M) < 1

    The candidate is (I - M)^{-1} 1; the inequality is then checked with every rounding against it,
    so that a vector is only ever returned where the statement is true.

    Parameters
    ----------
    matrix : (m, m) nonnegative; dense or scipy sparse

    Raises
    ------
    DomainError
        if it is not square and finite.
    AssumptionError
        for a negative entry.

    Notes
    -----
    Source: classical (M-matrices).

    Examples
    --------
    >>> stability_certificate([[0.5, 0.2], [0.3, 0.4]]).vector
    array([1., 1.])
    >>> stability_certificate([[1.0]]).stable
    False
    """
    weights = nonnegative_matrix("matrix", matrix)
    step = weights.toarray()
    try:
        candidate = np.linalg.solve(np.eye(step.shape[0]) - step, np.ones(step.shape[0]))
    except np.linalg.LinAlgError:
        return StabilityCertificate(None, np.inf)
    if not (np.isfinite(candidate).all() and candidate.min() > 0):
        return StabilityCertificate(None, np.inf)
    candidate = candidate / candidate.max()
    rate = float(rounded_up((step @ candidate) / candidate, step.shape[0] + 3).max())
    return StabilityCertificate(candidate if rate < 1 else None, rate if rate < 1 else np.inf)
