"""Search, in floats, for a positive vector near the Perron vector of an irreducible matrix.

Nothing here is trusted: `rolltheory.numerics.perron` bounds the radius from whatever positive
vector comes out, so a poor search costs width and never truth.
"""

from __future__ import annotations

import warnings

import numpy as np
import numpy.typing as npt
from scipy import sparse

__all__ = ["perron_vector"]

FloatArray = npt.NDArray[np.float64]

_SMALLEST = 2.0**-500  # relative to the largest entry: products with weights stay normal numbers
_POWER_STEPS = 60
_SPELLS = 30  # of power steps, as long as so many more would do
_ROUNDS = 200
_PROGRESS = 0.98  # of the spread in a round; Noda's iteration starts slowly and ends fast
_FACTORISABLE = 200_000  # rows up to which a thin matrix is factorised
_THIN = 6  # entries per row; more of them fill the factors
_SMALL = 2_000  # rows up to which any is
_RESTARTS = 50


def perron_vector(block: sparse.csr_array, tolerance: float) -> FloatArray:
    """A positive vector, largest entry 1, with quotients (A x)_i / x_i as near together as found.

    Power steps on A + s, which never stall on a period; when these are slow, Noda's inverse
    iteration (shifted by the largest quotient), or Arnoldi's where factors would not fit.
    """
    size = block.shape[0]
    thin = size <= _FACTORISABLE and block.nnz <= _THIN * size
    candidates = _noda if thin or size <= _SMALL else _arnoldi
    best, spread = _power_spells(block, np.ones(size), tolerance)
    for _ in range(_ROUNDS):
        if spread <= tolerance:
            return best
        proposal, narrower = _power_spells(block, candidates(block, best), tolerance)
        if not narrower < _PROGRESS * spread:
            return proposal if narrower < spread else best
        best, spread = proposal, narrower
    return best


def _power_spells(
    block: sparse.csr_array, vector: FloatArray, tolerance: float
) -> tuple[FloatArray, float]:
    """Spells of power steps while they are on their way to the tolerance, and the spread left."""
    before = np.inf
    for _ in range(_SPELLS):
        vector = _power_steps(block, vector, tolerance)
        spread = _spread(block, vector)
        if spread <= tolerance or not spread < before:
            break
        if before < np.inf and np.log(tolerance / spread) < _SPELLS * np.log(spread / before):
            break
        before = spread
    return vector, spread


def _spread(block: sparse.csr_array, vector: FloatArray) -> float:
    """Largest over smallest quotient, less one: the relative width that the vector certifies."""
    quotients = (block @ vector) / vector
    return float(quotients.max() / quotients.min() - 1)


def _power_steps(block: sparse.csr_array, vector: FloatArray, tolerance: float) -> FloatArray:
    """Power steps on A + s with s half the radius: all eigenvalues but the radius shrink."""
    for step in range(_POWER_STEPS):
        image = block @ vector
        quotients = image / vector
        largest = float(quotients.max())
        if step % 4 == 0 and largest <= float(quotients.min()) * (1 + tolerance):
            break
        vector = _normalised(image + largest / 2 * vector)
    return vector


def _noda(block: sparse.csr_array, vector: FloatArray) -> FloatArray:
    """One step x <- (q - A)^-1 x with q the largest quotient, slightly raised: positive."""
    from scipy.sparse.linalg import splu

    shift = float(((block @ vector) / vector).max()) * (1 + 2.0**-48)
    shifted = sparse.csc_array(sparse.eye_array(block.shape[0]) * shift - block)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            solution = splu(shifted).solve(vector)
        except RuntimeError:  # the radius itself was met: exactly singular
            return vector
    return _normalised(np.abs(solution)) if np.isfinite(solution).all() else vector


def _arnoldi(block: sparse.csr_array, vector: FloatArray) -> FloatArray:
    """The leading vector by implicitly restarted Arnoldi, started from what is known."""
    from scipy.sparse.linalg import ArpackError, eigs

    try:
        _, vectors = eigs(block, k=1, which="LR", v0=vector, tol=1e-12, maxiter=_RESTARTS)
    except ArpackError:
        return vector
    return _normalised(np.abs(vectors[:, 0]))


def _normalised(vector: FloatArray) -> FloatArray:
    return np.asarray(np.maximum(vector / vector.max(), _SMALLEST))
