"""The lines of a class: in each direction, the rows that agree at all other points."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rolltheory.dimension.classes import Codes

__all__ = ["Lines", "incidence", "lines_of"]


class Lines(NamedTuple):
    """The lines that meet some distinct rows.

    Parameters
    ----------
    numbers : int64, shape (rows, points)
        The line through each row in the direction of each point.
    sizes : int64, shape (lines,)
        How many of the rows stand on each line.
    """

    numbers: Codes
    sizes: Codes

    @property
    def directions(self) -> Codes:
        """The direction of each line, shape (lines,)."""
        found = np.empty(self.sizes.size, dtype=np.int64)
        found[self.numbers] = np.arange(self.numbers.shape[1])
        return found


def lines_of(codes: Codes) -> Lines:
    """The lines that meet these distinct rows, direction by direction.

    A row is numbered from both ends, label by label, so no number exceeds the count of rows times
    that of labels; the line through a row is what stands before and behind the point.

    Examples
    --------
    >>> numbers, sizes = lines_of(np.array([[0, 0], [0, 1], [1, 1]]))
    >>> numbers.tolist(), sizes.tolist()
    ([[0, 2], [1, 2], [1, 3]], [1, 2, 2, 1])
    """
    before, behind = _beginnings(codes), _beginnings(codes[:, ::-1])[::-1]
    numbers = np.empty(codes.shape, dtype=np.int64)
    count = 0
    for i in range(codes.shape[1]):
        numbers[:, i] = count + _numbered(before[i], behind[i + 1])
        count = int(numbers[:, i].max(initial=count - 1)) + 1
    return Lines(numbers, np.bincount(numbers.ravel(), minlength=count))


def incidence(codes: Codes) -> npt.NDArray[np.bool_]:
    """Which row stands on which line, shape (rows, lines).

    >>> incidence(np.array([[0, 0], [0, 1]])).astype(int).tolist()
    [[1, 0, 1], [0, 1, 1]]
    """
    numbers, sizes = lines_of(codes)
    matrix = np.zeros((len(codes), sizes.size), dtype=np.bool_)
    np.put_along_axis(matrix, numbers, True, axis=1)
    return matrix


def _beginnings(codes: Codes) -> list[Codes]:
    """For each number of columns, from none on, a number for each different beginning of a row."""
    numbers = [np.zeros(len(codes), dtype=np.int64)]
    for column in codes.T:
        numbers.append(_numbered(numbers[-1], column))
    return numbers


def _numbered(first: Codes, second: Codes) -> Codes:
    """A number for each different pair."""
    pairs = first * (second.max(initial=0) + 1) + second
    return np.unique(pairs, return_inverse=True)[1].astype(np.int64)
