"""A rigorous enclosure of the spectral radius of a nonnegative matrix.

For nonnegative A and any vector x > 0, min_i (A x)_i / x_i <= rho(A) <= max_i (A x)_i / x_i
(Collatz and Wielandt), however x was found: the search may be careless, the enclosure is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.sparse.csgraph import breadth_first_order, connected_components

from rolltheory.errors import AssumptionError, DomainError
from rolltheory.numerics._perron_search import perron_vector
from rolltheory.numerics.arguments import positive_array
from rolltheory.numerics.rounding import binary_scale, rounded_down, rounded_up

__all__ = [
    "PerronCertificate",
    "collatz_wielandt_bounds",
    "collatz_wielandt_bounds_exact",
    "nonnegative_matrix",
    "perron_certificate",
]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

_SMALLEST, _LARGEST = 5e-324, float(np.finfo(float).max)


@dataclass(frozen=True)
class PerronCertificate:
    """What is certain about the spectral radius of a nonnegative matrix.

    Attributes
    ----------
    lower, upper : bounds on the spectral radius; no rounding error can make either false
    component : the vertices, ascending, of a strongly connected component that has the upper bound
    right, left : positive vectors on that component, with A r ~ rho r and l A ~ rho l, each with
        largest entry 1; empty if the graph has no cycle
    period : the greatest common divisor of the lengths of that component's cycles; 0 without cycles
    component_count : how many strongly connected components contain a cycle
    irreducible : whether the whole matrix is one strongly connected component
    """

    lower: float
    upper: float
    component: IntArray
    right: FloatArray
    left: FloatArray
    period: int
    component_count: int
    irreducible: bool

    @property
    def width(self) -> float:
        """How much the enclosure leaves open."""
        return self.upper - self.lower


def perron_certificate(matrix: Any, *, tolerance: float = 1e-9) -> PerronCertificate:
    r"""Enclose the spectral radius of a nonnegative matrix.

    .. math:: \mathrm{lower} \le \rho(A) = \max_c \rho(A_c) \le \mathrm{upper}

    over the strongly connected components c. Components without a cycle have radius exactly 0, so
    a directed acyclic graph gets [0, 0]. In the others a positive vector is searched in floats, and
    the Collatz-Wielandt quotients of that vector, rounded outwards, are the bounds.

    Parameters
    ----------
    matrix : (n, n) finite, nonnegative; dense or scipy sparse
    tolerance : width, relative to the radius, at which the search stops. It may stop earlier where
        floats allow no more: read `PerronCertificate.width`

    Raises
    ------
    DomainError
        if the matrix is not square, finite and nonempty.
    AssumptionError
        if an entry is negative; bound a signed matrix by its entrywise absolute value.

    Notes
    -----
    Source: Collatz and Wielandt; the search by known methods (power steps, Noda's iteration).

    Examples
    --------
    >>> certificate = perron_certificate([[0, 4], [1, 0]])
    >>> certificate.lower <= 2 <= certificate.upper, certificate.width < 1e-9, certificate.period
    (True, True, 2)
    >>> perron_certificate([[0, 7], [0, 0]]).upper
    0.0
    """
    weights = nonnegative_matrix("matrix", matrix)
    tolerance = float(positive_array("tolerance", tolerance))
    count, labels = connected_components(weights, directed=True, connection="strong")
    cyclic = _components_with_a_cycle(weights, labels, count)
    found = [_certify(weights, members, tolerance) for members in cyclic]
    if not found:
        return _acyclic()
    winner = max(found, key=lambda certificate: certificate.upper)
    return PerronCertificate(
        lower=max(certificate.lower for certificate in found),
        upper=winner.upper,
        component=winner.component,
        right=winner.right,
        left=winner.left,
        period=winner.period,
        component_count=len(found),
        irreducible=count == 1,
    )


def collatz_wielandt_bounds(matrix: Any, vector: Any) -> tuple[float, float]:
    r"""Bounds on the spectral radius from one positive vector, rounded outwards.

    .. math:: \min_i (A x)_i / x_i \le \rho(A) \le \max_i (A x)_i / x_i

    Parameters
    ----------
    matrix : (n, n) finite, nonnegative; dense or scipy sparse
    vector : (n,) positive

    Raises
    ------
    DomainError
        for a vector of another length, or one that is not positive.
    AssumptionError
        for a negative entry of the matrix.

    Notes
    -----
    Source: Collatz and Wielandt (known). A sum of s nonnegative products has s + 1 roundings.

    Examples
    --------
    >>> lower, upper = collatz_wielandt_bounds([[1, 1], [1, 1]], [1, 1])
    >>> lower <= 2 <= upper, upper - lower < 1e-14
    (True, True)
    """
    weights = nonnegative_matrix("matrix", matrix)
    positive = positive_array("vector", vector)
    if positive.shape != (weights.shape[0],):
        raise DomainError("vector", positive.shape, f"shape ({weights.shape[0]},)")
    if not weights.nnz:
        return 0.0, 0.0
    block, scale = _scaled(weights)
    lower, upper = _quotient_bounds(block, np.maximum(positive / positive.max(), _SMALLEST))
    with np.errstate(over="ignore"):
        return (
            _from_below(lower * scale),
            float(rounded_up(upper * scale or _SMALLEST, 1)),
        )


def collatz_wielandt_bounds_exact(
    matrix: Sequence[Sequence[Any]], vector: Sequence[Any]
) -> tuple[Fraction, Fraction]:
    """The same bounds in rational arithmetic, without rounding.

    Parameters
    ----------
    matrix : n rows of n nonnegative rationals (floats count as the rationals that they are)
    vector : n positive rationals

    Raises
    ------
    DomainError
        if the sizes differ or an entry of the vector is not positive.
    AssumptionError
        if an entry of the matrix is negative.

    Notes
    -----
    Source: Collatz and Wielandt (known).

    Examples
    --------
    >>> collatz_wielandt_bounds_exact([[0, 4], [1, 0]], [2, 1])
    (Fraction(2, 1), Fraction(2, 1))
    """
    rows = [[Fraction(entry) for entry in row] for row in matrix]
    positive = [Fraction(entry) for entry in vector]
    if not rows or {len(rows), *map(len, rows)} != {len(positive)}:
        raise DomainError("vector", len(positive), "as many entries as the square matrix has rows")
    if min(positive) <= 0:
        raise DomainError("vector", min(positive), "positive entries")
    if min(min(row) for row in rows) < 0:
        raise AssumptionError("the matrix is nonnegative", "a negative entry")
    quotients = [
        sum((a * x for a, x in zip(row, positive, strict=True)), Fraction(0)) / entry
        for row, entry in zip(rows, positive, strict=True)
    ]
    return min(quotients), max(quotients)


def nonnegative_matrix(name: str, matrix: Any) -> sparse.csr_array:
    """A square, finite, nonnegative matrix in compressed rows, with no stored zeros.

    Raises
    ------
    DomainError
        if it is not square, finite and nonempty.
    AssumptionError
        if an entry is negative.

    Examples
    --------
    >>> nonnegative_matrix("A", [[0, 2], [0, 0]]).nnz
    1
    >>> nonnegative_matrix("A", [[-1]])
    Traceback (most recent call last):
    ...
    rolltheory.errors.AssumptionError: assumption violated: A is nonnegative; found entry -1.0
    """
    try:
        given: Any = matrix if sparse.issparse(matrix) else np.atleast_2d(matrix)
        if given.dtype.kind not in "biufO":
            raise ValueError("complex entries, or text")
        weights = sparse.csr_array(given.astype(np.float64))  # before duplicates are summed
    except (TypeError, ValueError) as error:
        raise DomainError(name, matrix, "a square matrix of real numbers") from error
    if weights.ndim != 2 or weights.shape[0] != weights.shape[1] or weights.shape[0] == 0:
        raise DomainError(name, weights.shape, "a square matrix with at least one row")
    weights.sum_duplicates()
    weights.eliminate_zeros()
    if not np.isfinite(weights.data).all():
        raise DomainError(
            name, float(weights.data[~np.isfinite(weights.data)][0]), "finite entries"
        )
    if weights.nnz and weights.data.min() < 0:
        raise AssumptionError(f"{name} is nonnegative", f"entry {weights.data.min()}")
    return weights


def _components_with_a_cycle(
    weights: sparse.csr_array, labels: npt.NDArray[np.int32], count: int
) -> list[IntArray]:
    """Members, ascending, of each strongly connected component that contains a cycle."""
    has_cycle = np.bincount(labels, minlength=count) > 1
    has_cycle[labels[weights.diagonal() > 0]] = True
    order = np.argsort(labels, kind="stable")
    members = np.split(order, np.cumsum(np.bincount(labels, minlength=count))[:-1])
    return [members[label] for label in np.flatnonzero(has_cycle)]


def _certify(weights: sparse.csr_array, members: IntArray, tolerance: float) -> PerronCertificate:
    """Certificate of one strongly connected component that contains a cycle."""
    whole = members.size == weights.shape[0]
    block = weights if whole else sparse.csr_array(weights[members][:, members])
    block.sort_indices()
    block, scale = _scaled(block)
    transposed = sparse.csr_array(block.T)
    right = perron_vector(block, tolerance)
    left = right if _same(block, transposed) else perron_vector(transposed, tolerance)
    # A and its transpose have one radius: each vector bounds it from both sides
    bounds = [_quotient_bounds(block, right), _quotient_bounds(transposed, left)]
    return PerronCertificate(
        lower=_from_below(max(lower for lower, _ in bounds) * scale),
        upper=float(rounded_up(min(upper for _, upper in bounds) * scale or _SMALLEST, 1)),
        component=members,
        right=right,
        left=left,
        period=_period(block),
        component_count=1,
        irreducible=whole,
    )


def _same(first: sparse.csr_array, second: sparse.csr_array) -> bool:
    return all(
        np.array_equal(getattr(first, part), getattr(second, part))
        for part in ("indptr", "indices", "data")
    )


def _scaled(block: sparse.csr_array) -> tuple[sparse.csr_array, float]:
    """The block over a power of two near its largest entry, which is exact, and that power."""
    scale = binary_scale(block.data.max())
    return sparse.csr_array((block.data / scale, block.indices, block.indptr), block.shape), scale


def _quotient_bounds(weights: sparse.csr_array, positive: FloatArray) -> tuple[float, float]:
    """Collatz-Wielandt quotients, rounded outwards by what their sums can have lost.

    Products too small for a float lose up to its smallest step each, entries scaled down as much.
    """
    with np.errstate(over="ignore"):
        quotients = (weights @ positive) / positive
        terms = np.diff(weights.indptr)
        lost = np.where(terms, 2 * (terms + 1) * _SMALLEST, 0) / positive
        lower = float((rounded_down(quotients, terms + 3) - 2 * lost).min())
        upper = float((rounded_up(quotients, terms + 3) + 2 * lost).max())
    return float(np.clip(lower, 0.0, _LARGEST)), upper


def _from_below(radius: float) -> float:
    """A lower bound, within what a float can hold."""
    return float(np.clip(rounded_down(min(radius, _LARGEST), 1), 0.0, _LARGEST))


def _period(block: sparse.csr_array) -> int:
    """The greatest common divisor of level[i] + 1 - level[j] over the edges i -> j."""
    order, parents = breadth_first_order(block, 0, directed=True)
    level = np.zeros(block.shape[0], dtype=np.int64)
    for vertex in order[1:]:
        level[vertex] = level[parents[vertex]] + 1
    tails = np.repeat(np.arange(block.shape[0]), np.diff(block.indptr))
    return int(np.gcd.reduce(np.abs(level[tails] + 1 - level[block.indices])))


def _acyclic() -> PerronCertificate:
    empty = np.empty(0)
    return PerronCertificate(0.0, 0.0, np.empty(0, dtype=np.int64), empty, empty, 0, 0, False)
