"""Elimination modulo a prime, compiled; import this module where it is used."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rolltheory.numerics.compilation import compiled

__all__ = ["eliminate", "eliminate_bits", "power"]


@compiled
def power(base: int, exponent: int, order: int) -> int:
    """A power modulo the order."""
    result = 1
    while exponent:
        if exponent & 1:
            result = result * base % order
        base = base * base % order
        exponent >>= 1
    return result


@compiled
def eliminate(rows: npt.NDArray[np.int64], columns: int, order: int) -> int:
    """Bring the rows to echelon form in place with regard to the first columns; the rank."""
    count, width = rows.shape
    found = 0
    for column in range(columns):
        pivot = found
        while pivot < count and rows[pivot, column] == 0:
            pivot += 1
        if pivot == count:
            continue
        if pivot != found:
            for j in range(column, width):
                rows[found, j], rows[pivot, j] = rows[pivot, j], rows[found, j]
        inverse = power(rows[found, column], order - 2, order)  # Fermat
        for i in range(found + 1, count):
            if rows[i, column]:
                factor = rows[i, column] * inverse % order
                for j in range(column, width):
                    rows[i, j] = (rows[i, j] + (order - factor) * rows[found, j]) % order
        found += 1
        if found == count:
            break
    return found


@compiled
def eliminate_bits(words: npt.NDArray[np.uint64], columns: int) -> int:
    """Bring packed rows to echelon form in place with regard to the first columns; the rank."""
    count, width = words.shape
    found = 0
    for column in range(columns):
        word = column >> 6
        bit = np.uint64(1) << np.uint64(column & 63)
        pivot = found
        while pivot < count and words[pivot, word] & bit == 0:
            pivot += 1
        if pivot == count:
            continue
        if pivot != found:
            for j in range(word, width):
                words[found, j], words[pivot, j] = words[pivot, j], words[found, j]
        for i in range(pivot + 1, count):
            if words[i, word] & bit:
                for j in range(word, width):
                    words[i, j] ^= words[found, j]
        found += 1
        if found == count:
            break
    return found
