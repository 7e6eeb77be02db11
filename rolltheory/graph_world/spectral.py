"""What the spectral radius of a message matrix bounds: its powers, with their transient."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from rolltheory.errors import AssumptionError, DomainError
from rolltheory.numerics.arguments import integer_array, positive_array
from rolltheory.numerics.perron import (
    PerronCertificate,
    collatz_wielandt_bounds,
    nonnegative_matrix,
    perron_certificate,
)
from rolltheory.numerics.rounding import (
    power_above,
    product_above,
    rounded_down,
    rounded_up,
)

__all__ = [
    "KreissConstant",
    "PowerNormBound",
    "is_nilpotent_graph",
    "kreiss_constant",
    "perron_transient_constant",
    "power_norm_bound",
]

FloatArray = npt.NDArray[np.float64]

_TERMS, _NEGLIGIBLE, _LARGE = 2000, 1e-13, 1e200


@dataclass(frozen=True)
class PowerNormBound:
    """The certificate that ``|A^k|_2 <= transient_constant * rate^k`` for every k >= 0.

    Attributes
    ----------
    rate : per step, sqrt(right_rate * left_rate)
    right_rate, left_rate : a and b, the rates in the norms ``max |x_i| / r_i`` and
        ``sum l_i |x_i|``
    transient_constant : condition number of the diagonal scaling in which one step has norm `rate`
    right, left : (n,) positive vectors with A r <= a r and l A <= b l
    assumption : what the bound used
    """

    rate: float
    right_rate: float
    left_rate: float
    transient_constant: float
    right: FloatArray
    left: FloatArray
    assumption: str

    def at(self, power: Any) -> FloatArray:
        """The bound on ``|A^k|_2``, rounded up, for each power k >= 0."""
        exponent = integer_array("power", power, at_least=0)
        return product_above(self.transient_constant, power_above(self.rate, exponent * 1.0))


@dataclass(frozen=True)
class KreissConstant:
    """Enclosure of K(A), the supremum over ``|z| > 1`` of ``(|z| - 1) |(z - A)^-1|_2``.

    Attributes
    ----------
    lower : the largest value found, at `argument`
    upper : the largest ``|A^k|_2``, which is never below K(A)
    argument : the z of the largest value
    largest_power : the k that attains `upper`
    """

    lower: float
    upper: float
    argument: complex
    largest_power: int


def is_nilpotent_graph(matrix: Any) -> bool:
    """Whether a nonnegative matrix has spectral radius exactly 0: its graph has no cycle.

    Then A^m = 0 beyond the longest path, whatever the weights; before that, powers count paths and
    can be astronomically large.

    Parameters
    ----------
    matrix : (n, n) finite, nonnegative; dense or scipy sparse

    Raises
    ------
    DomainError
        if it is not square, finite and nonempty.
    AssumptionError
        if an entry is negative.

    Notes
    -----
    Source: classical.

    Examples
    --------
    >>> is_nilpotent_graph([[0, 9], [0, 0]]), is_nilpotent_graph([[0, 9], [1e-9, 0]])
    (True, False)
    """
    return perron_certificate(matrix, tolerance=1.0).upper == 0


def perron_transient_constant(certificate: PerronCertificate) -> float:
    r"""The factor by which powers may exceed the spectral radius's powers.

    .. math:: \kappa = \sqrt{\max_i (l_i / r_i) \,/\, \min_i (l_i / r_i)}, \qquad
        \lVert A^k \rVert_2 \le \kappa\, \rho(A)^k

    It is 1 if and only if the left and the right Perron vector agree (symmetric A). The value is as
    accurate as the certificate's vectors; the rate and constant that are certain together are those
    of `power_norm_bound`.

    Parameters
    ----------
    certificate : of an irreducible matrix

    Raises
    ------
    AssumptionError
        if the matrix is reducible: no multiple of rho^k need bound its powers.

    Notes
    -----
    Source: derived here, docs/theory/graph_world.md (Schur's test in the Perron scaling).

    Examples
    --------
    >>> round(perron_transient_constant(perron_certificate([[0, 4], [1, 0]])), 9)
    2.0
    """
    _require_irreducible(certificate)
    return _condition(certificate.right, certificate.left)


def power_norm_bound(matrix: Any, *, rate: float | None = None) -> PowerNormBound:
    r"""A rigorous geometric bound on the norms of all powers of a nonnegative matrix.

    .. math:: A r \le a\,r,\ l A \le b\,l,\ r, l > 0 \implies
        \lVert A^k \rVert_2 \le \kappa\,(ab)^{k/2}, \quad
        \kappa^2 = \max_i (l_i / r_i) \,/\, \min_i (l_i / r_i)

    Without `rate`, r and l are Perron vectors and the matrix must be irreducible. With `rate` q
    above the spectral radius, they are (q - A)^-1 1 and its transpose's, which reducible matrices
    have too.

    Parameters
    ----------
    matrix : (n, n) finite, nonnegative; dense or scipy sparse
    rate : growth per step that is allowed, above the spectral radius

    Raises
    ------
    AssumptionError
        if an entry is negative, or without `rate` if the matrix is reducible.
    DomainError
        if the rate is not above the certified spectral radius.

    Notes
    -----
    Source: derived here, docs/theory/graph_world.md.

    Examples
    --------
    >>> bound = power_norm_bound([[0, 4], [1, 0]])
    >>> bound.at([1, 2, 3]).round(6)
    array([ 4.,  8., 16.])
    >>> power_norm_bound([[0.5, 10], [0, 0.5]], rate=0.75).rate <= 0.75
    True
    """
    weights = nonnegative_matrix("matrix", matrix)
    certificate = perron_certificate(weights)
    if rate is None:
        _require_irreducible(certificate)
        return _scaled_bound(weights, certificate.right, certificate.left, "A >= 0, irreducible")
    allowed = float(positive_array("rate", rate))
    if allowed <= certificate.upper:
        raise DomainError("rate", allowed, f"above the spectral radius, {certificate.upper}")
    right, left = (_resolvent_of_ones(part, allowed) for part in (weights, weights.T))
    return _scaled_bound(
        weights, right, left, f"A >= 0, rate {allowed:g} above its spectral radius"
    )


def kreiss_constant(matrix: Any, *, largest_power: int = 1000) -> KreissConstant:
    r"""Enclose the Kreiss constant of a matrix with spectral radius at most 1, of any signs.

    .. math:: K(A) = \sup_{|z| > 1} (|z| - 1)\,\lVert (z - A)^{-1} \rVert_2
        \le \sup_k \lVert A^k \rVert_2 \le e\,N\,K(A)

    Parameters
    ----------
    matrix : (N, N) finite, dense
    largest_power : powers up to this one are formed, until one has norm below 1

    Raises
    ------
    DomainError
        if the matrix is not square and finite.
    AssumptionError
        if none has: the radius is 1 or more, or so near that more powers are needed.

    Notes
    -----
    Source: Kreiss's matrix theorem (known). The lower end is the largest value found on a grid that
    a local search refines.

    Examples
    --------
    >>> constant = kreiss_constant([[0.5, 10], [0, 0.5]])
    >>> round(constant.lower, 2), round(constant.upper, 4)
    (5.05, 10.0249)
    """
    dense = np.asarray(matrix, dtype=np.float64)
    if dense.ndim != 2 or dense.shape[0] != dense.shape[1] or not np.isfinite(dense).all():
        raise DomainError("matrix", dense.shape, "a square matrix of finite numbers")
    upper, power = _largest_power_norm(dense, largest_power)
    lower, argument = _largest_resolvent(dense)
    return KreissConstant(lower, upper, argument, power)


def _require_irreducible(certificate: PerronCertificate) -> None:
    if not certificate.irreducible:
        raise AssumptionError(
            "the matrix is irreducible",
            "vertices outside the leading strongly connected component; give a rate above the "
            "spectral radius instead",
        )


def _condition(right: FloatArray, left: FloatArray) -> float:
    ratio = left / right
    return float(rounded_up(np.sqrt(ratio.max() / ratio.min()), 8)) if np.ptp(ratio) else 1.0


def _scaled_bound(
    weights: sparse.csr_array, right: FloatArray, left: FloatArray, assumption: str
) -> PowerNormBound:
    _, above = collatz_wielandt_bounds(weights, right)
    _, beside = collatz_wielandt_bounds(weights.T, left)
    rate = float(rounded_up(np.sqrt(above) * np.sqrt(beside), 8))
    return PowerNormBound(rate, above, beside, _condition(right, left), right, left, assumption)


def _resolvent_of_ones(weights: Any, rate: float) -> FloatArray:
    """(q - A)^-1 1 = (1 + A/q + ...) 1/q, which is positive for q above the radius."""
    from scipy.sparse.linalg import spsolve

    total, term = np.ones(weights.shape[0]), np.ones(weights.shape[0])
    with np.errstate(over="ignore"):
        for _ in range(_TERMS):
            term = (weights @ term) / rate
            total = total + term
            if term.max() <= _NEGLIGIBLE and total.max() < _LARGE:
                return np.asarray(total / total.max())
    shifted = sparse.csc_array(sparse.eye_array(weights.shape[0]) * rate - weights)
    solution = np.asarray(spsolve(shifted, np.ones(weights.shape[0])))
    return np.asarray(np.maximum(solution, 1 / rate) / solution.max())


def _largest_power_norm(dense: FloatArray, largest_power: int) -> tuple[float, int]:
    """The largest |A^k|_2 over all k; once one is below 1, later ones factor through it."""
    size = dense.shape[0]
    power, absolute, bounds, lost = np.eye(size), np.eye(size), [1.0], [0.0]
    unit = size * 2.0**-52
    with np.errstate(over="ignore", invalid="ignore"):
        for step in range(1, largest_power + 1):
            power, absolute = power @ dense, absolute @ np.abs(dense)
            if not np.isfinite(absolute).all():
                break
            # what product j lost went through the powers that came after it; without
            # cancellation it stays a share of the power
            missed = min(
                np.dot(lost, bounds[::-1]), 2 * step * unit * float(np.linalg.norm(absolute))
            )
            norm = rounded_up(np.linalg.norm(power, 2), 32 * size)
            bounds.append(float(rounded_up(norm + missed, 8 + step)))
            lost.append(unit * float(np.linalg.norm(power) * np.linalg.norm(dense)))
            # |A^(qm + r)| <= |A^m|^q |A^r|: nothing later exceeds what was seen before
            if bounds[-1] < 1:
                return max(bounds), int(np.argmax(bounds))
    raise AssumptionError(
        "the spectral radius is below 1", f"|A^{len(bounds) - 1}|_2 within {bounds[-1]:.6g}"
    )


def _largest_resolvent(dense: FloatArray) -> tuple[float, complex]:
    from scipy.optimize import minimize

    identity = np.eye(dense.shape[0])

    def value(modulus: Any, angle: Any) -> FloatArray:
        z = np.asarray(modulus * np.exp(1j * angle))
        smallest = np.linalg.svd(z[..., None, None] * identity - dense, compute_uv=False)[..., -1]
        return np.asarray((modulus - 1) / smallest)

    # a real matrix has the same resolvent norm at conjugate points
    moduli, angles = np.meshgrid(1 + np.logspace(-6, 3, 37), np.linspace(0, np.pi, 33))
    found = value(moduli, angles)
    best = np.unravel_index(found.argmax(), found.shape)
    start: Any = np.array([np.log(moduli[best] - 1), angles[best]])

    def loss(place: Any) -> float:
        return -float(value(1 + np.exp(place[0]), place[1]))

    refined: Any = minimize(
        loss,
        start,
        method="Nelder-Mead",
        tol=1e-10,
        bounds=[(-30, 20), (None, None)],
    )
    modulus, angle = 1 + np.exp(refined.x[0]), refined.x[1]
    point = complex(modulus * np.exp(1j * angle))
    return _certain_resolvent(point * identity - dense, modulus), point


def _certain_resolvent(shifted: Any, modulus: float) -> float:
    """At most (|z| - 1) |x| / |(z - A) x|, which for no x exceeds the resolvent's value."""
    size = shifted.shape[0]
    heaviest = np.linalg.svd(shifted)[0][:, -1]
    vector = np.linalg.solve(shifted, heaviest)
    # what the product can have lost, entry by entry, and |z| by its own roundings
    lost = 2.0**-49 * size * (np.abs(shifted) @ np.abs(vector))
    image = float(np.linalg.norm(np.abs(shifted @ vector) + lost))
    outside = max(modulus * (1 - 2.0**-50) - 1, 0.0)
    return float(rounded_down(outside * np.linalg.norm(vector) / image, 32 + 4 * size))
