"""Rank and kernels of matrices modulo a prime; modulo 2 on packed bits."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import integer_array

__all__ = ["kernel_vector", "prime_field", "rank"]

Matrix = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]
_LARGEST = 2**31 - 1  # products of two residues stay below 2**62
_WORTH_COMPILING = 1 << 14  # entries; below that loading the kernels costs more than it saves


def prime_field(field: int) -> int:
    """The field's order, if it is a prime below 2**31.

    Raises
    ------
    DomainError
        if it is not: a field with as many elements as a power of a prime is not that of the
        integers modulo it.

    Examples
    --------
    >>> prime_field(4)
    Traceback (most recent call last):
    ...
    rolltheory.errors.DomainError: field = 4 is not allowed: need a prime below 2**31
    """
    number = integer_array("field", field)
    order = int(number) if number.ndim == 0 else 0
    if not 2 <= order <= _LARGEST or any(order % d == 0 for d in range(2, int(order**0.5) + 1)):
        raise DomainError("field", field, "a prime below 2**31")
    return order


def rank(matrix: npt.ArrayLike, *, field: int) -> int:
    """Rank of an integer matrix modulo a prime.

    Parameters
    ----------
    matrix : shape (rows, columns), integers or truth values
    field : int
        The prime.

    Raises
    ------
    DomainError
        if the field is no prime below 2**31, or the matrix does not have two axes.

    Examples
    --------
    >>> matrix = [[1, 1, 0], [0, 1, 1], [1, 0, 1]]
    >>> rank(matrix, field=2), rank(matrix, field=3)
    (2, 3)
    """
    order, entries = prime_field(field), _matrix(matrix)
    if min(entries.shape) == 0:
        return 0
    if order == 2:
        return _eliminated_bits(_packed(entries), entries.shape[1])
    return _eliminated(_residues(entries, order), entries.shape[1], order)


def kernel_vector(matrix: npt.ArrayLike, *, field: int) -> Matrix | None:
    """A vector x, not 0, with ``x @ matrix = 0`` modulo a prime; None if the rows are independent.

    Parameters
    ----------
    matrix : shape (rows, columns), integers or truth values
    field : int
        The prime.

    Returns
    -------
    array of shape (rows,), within [0, field), the first entry that is not 0 being 1; or None

    Raises
    ------
    DomainError
        as `rank`.

    Examples
    --------
    >>> kernel_vector([[1, 1, 0], [0, 1, 1], [1, 0, 1]], field=2)
    array([1, 1, 1])
    >>> kernel_vector([[1, 2], [3, 1]], field=5)
    array([1, 3])
    >>> kernel_vector([[1, 2], [3, 1]], field=7) is None
    True
    """
    order, entries = prime_field(field), _matrix(matrix)
    rows, columns = entries.shape
    if not rows:
        return None
    identity = np.eye(rows, dtype=np.bool_)
    if order == 2:
        left = _packed(entries)
        words = np.concatenate([left, _packed(identity)], axis=1)
        found = _eliminated_bits(words, columns)
        vector = _unpacked(words[-1:, left.shape[1] :], rows)[0]
    else:
        tracked = np.concatenate([_residues(entries, order), identity], axis=1)
        found = _eliminated(tracked, columns, order)
        vector = tracked[-1, columns:]
    if found == rows:
        return None
    lead = int(vector[np.flatnonzero(vector)[0]])
    scaled: Matrix = vector * pow(lead, -1, order) % order
    return scaled


def _matrix(matrix: npt.ArrayLike) -> npt.NDArray[Any]:
    """The matrix, of signed integers or truth values; other numbers are checked to be whole."""
    known = isinstance(matrix, np.ndarray) and matrix.dtype.kind in "bi"
    entries = np.asarray(matrix) if known else integer_array("matrix", matrix)
    if entries.ndim != 2:
        raise DomainError("matrix", f"{entries.ndim} axes", "two axes")
    return entries


def _residues(entries: npt.NDArray[Any], order: int) -> Matrix:
    residues: Matrix = entries.astype(np.int64) % order
    return residues


def _eliminated(residues: Matrix, columns: int, order: int) -> int:
    """Bring residues to echelon form in place with regard to the first columns; the rank."""
    if residues.size < _WORTH_COMPILING:
        return _eliminate(residues, columns, order)
    from rolltheory.numerics._modular_kernels import eliminate

    return int(eliminate(residues, columns, order))


def _eliminate(rows: Matrix, columns: int, order: int) -> int:
    """The same without compiled code, all rows below a pivot at once."""
    found = 0
    for column in range(columns):
        holders = found + np.flatnonzero(rows[found:, column])
        if holders.size:
            rows[[found, holders[0]]] = rows[[holders[0], found]]
            inverse = pow(int(rows[found, column]), -1, order)
            factors = rows[found + 1 :, column] * inverse % order
            rows[found + 1 :] = (rows[found + 1 :] - factors[:, None] * rows[found]) % order
            found += 1
    return found


def _eliminated_bits(words: Words, columns: int) -> int:
    """Bring packed rows to echelon form in place with regard to the first columns; the rank."""
    if words.size * 64 < _WORTH_COMPILING:
        return _eliminate_bits(words, columns)
    from rolltheory.numerics._modular_kernels import eliminate_bits

    return int(eliminate_bits(words, columns))


def _eliminate_bits(words: Words, columns: int) -> int:
    """The same without compiled code, all rows below a pivot at once."""
    found = 0
    for column in range(columns):
        word, bit = column // 64, np.uint64(1 << column % 64)
        holders = found + np.flatnonzero(words[found:, word] & bit)
        if holders.size:
            words[[found, holders[0]]] = words[[holders[0], found]]
            words[holders[1:]] ^= words[found]
            found += 1
    return found


def _packed(entries: npt.NDArray[Any]) -> Words:
    """The parities of each row, 64 to a word."""
    padded = np.zeros((len(entries), -(-entries.shape[1] // 64) * 64), dtype=np.bool_)
    np.not_equal(entries & 1, 0, out=padded[:, : entries.shape[1]])
    return np.packbits(padded, axis=1, bitorder="little").view(np.uint64)


def _unpacked(words: Words, width: int) -> Matrix:
    bits = np.unpackbits(
        np.ascontiguousarray(words).view(np.uint8), axis=1, bitorder="little", count=width
    )
    return bits.astype(np.int64)
