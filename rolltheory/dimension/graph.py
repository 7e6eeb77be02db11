"""A pattern with which the rows agree in every possible way, and all patterns of two labels."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rolltheory.dimension.classes import Codes
from rolltheory.dimension.peeling import distinct_rows, row_keys

__all__ = ["agreement_pattern", "all_binary_patterns"]


def agreement_pattern(codes: Codes) -> Codes | None:
    r"""A row such that for each set of columns some row agrees with it there and nowhere else.

    The rows that agree with f on B and perhaps elsewhere are counted for all f at once, one set B
    after another; those that agree on B alone follow from them:

    .. math:: E_B = \sum_{A \supseteq B} (-1)^{|A \setminus B|} N_A

    >>> agreement_pattern(np.array([[0, 0], [0, 1], [1, 0], [2, 2]]))
    array([0, 0])
    """
    rows = distinct_rows(codes)
    columns = rows.shape[1]
    if len(rows) < 1 << columns:
        return None
    everywhere = np.arange(columns)
    movable = np.ones(len(rows), dtype=np.bool_)
    for i in range(columns):
        movable &= _like_it(rows[:, everywhere != i]) > 1
    if not movable.any():
        return None
    agreeing = np.stack(
        [
            _like_it(rows[:, (part >> everywhere & 1).astype(np.bool_)])[movable]
            for part in range(1 << columns)
        ]
    )
    for i in range(columns):
        split = agreeing.reshape(-1, 2, 1 << i, agreeing.shape[1])
        split[:, 0] -= split[:, 1]
    shattered = agreeing.all(axis=0)
    return rows[movable][np.argmax(shattered)] if shattered.any() else None


def all_binary_patterns(codes: Codes) -> Codes | None:
    """The first row if all patterns of the labels 0 and 1 occur, else None.

    >>> all_binary_patterns(np.array([[0, 0], [0, 1], [1, 0]])) is None
    True
    """
    columns = codes.shape[1]
    occurs = np.zeros(1 << columns, dtype=np.bool_)
    occurs[codes @ (1 << np.arange(columns))] = True
    return codes[0] if occurs.all() else None


def _like_it(rows: Codes) -> npt.NDArray[np.int32]:
    """How many rows equal each."""
    keys = row_keys(rows)
    if keys.max() > 8 * keys.size:  # too many counts that would be 0
        _, keys = np.unique(keys, return_inverse=True)
    return np.bincount(keys)[keys].astype(np.int32)
