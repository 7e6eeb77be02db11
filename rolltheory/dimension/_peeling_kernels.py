"""Take away the rows that are alone on a line, compiled; import this module where it is used."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rolltheory.numerics.compilation import compiled

__all__ = ["peel_lines", "peel_table"]

Flags = npt.NDArray[np.bool_]
Keys = npt.NDArray[np.int32]
Numbers = npt.NDArray[np.int64]


@compiled
def peel_table(
    keys: Keys, table: Flags, shifts: Numbers, masks: Numbers, label_counts: Numbers
) -> Keys:
    """The keys of the rows that survive, of those with these keys; repetitions are no members.

    A key holds the label at point i in the bits of ``masks[i]``, from bit ``shifts[i]`` on, and the
    table a flag for each key, all off before and after. A row is visited once for itself and once
    more when it has been taken away; either may find another alone on a line.
    """
    queue = np.empty(2 * keys.size, keys.dtype)
    end = 0
    for key in keys:
        if not table[key]:
            table[key] = True
            queue[end] = key
            end += 1
    members, place = end, 0
    while place < end:
        key = queue[place]
        place += 1
        for i in range(shifts.size):
            first = key & ~masks[i]
            count = 0
            for label in range(label_counts[i]):
                cell = first | (label << shifts[i])
                if table[cell]:
                    count += 1
                    last = cell
                    if count == 2:
                        break
            if count == 1:
                table[last] = False
                queue[end] = last
                end += 1
    kept = queue[:members][table[queue[:members]]]
    table[kept] = False
    return kept


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
