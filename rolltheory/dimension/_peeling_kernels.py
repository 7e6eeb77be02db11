"""Take away the rows that are alone on a line, compiled; import this module where it is used."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rolltheory.numerics.compilation import compiled

__all__ = ["peel_lines"]

Flags = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int64]


@compiled
def peel_lines(lines: Numbers, count: int) -> Flags:
    """Which rows survive, given the numbers, below ``count``, of the lines through each.

    A line holds how many of its rows are left, and the exclusive or of their numbers: the number of
    the last one.
    """
    rows, directions = lines.shape
    left, last = np.zeros(count, np.int64), np.zeros(count, np.int64)
    for row in range(rows):
        for i in range(directions):
            left[lines[row, i]] += 1
            last[lines[row, i]] ^= row
    alive = np.ones(rows, np.bool_)
    queue = np.empty(rows, np.int64)
    end = place = 0
    for line in range(count):
        if left[line] == 1 and alive[last[line]]:
            alive[last[line]] = False
            queue[end] = last[line]
            end += 1
    while place < end:
        row = queue[place]
        place += 1
        for i in range(directions):
            line = lines[row, i]
            left[line] -= 1
            last[line] ^= row
            if left[line] == 1 and alive[last[line]]:
                alive[last[line]] = False
                queue[end] = last[line]
                end += 1
    return alive
