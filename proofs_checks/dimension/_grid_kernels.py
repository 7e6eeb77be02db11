"""Loops over all classes on a grid, compiled; import this module where it is used.

A class is a mask: bit i is the i-th cell of the grid. A table holds a byte for each mask.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rolltheory.numerics.compilation import compiled

__all__ = ["close_upwards", "kept_bits", "mark_pseudo_cubes", "measure"]

Bytes = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.int32]


@compiled
def close_upwards(table: Bytes, bits: int) -> None:
    """Give each mask the flags of all masks within it."""
    for bit in range(bits):
        step = 1 << bit
        for start in range(0, table.size, 2 * step):
            for mask in range(start, start + step):
                table[mask + step] |= table[mask]


@compiled
def mark_pseudo_cubes(table: Bytes, flag: int, fine: Bytes, slices: int, width: int) -> None:
    """Flag the masks of which no line holds exactly one cell.

    A mask is so many slices of so many bits, one for each label of the first point; ``fine`` says
    for which slices no line within holds exactly one cell.
    """
    low = (1 << width) - 1
    for mask in range(1, table.size):
        once, twice, rest, good = 0, 0, mask, True
        for _ in range(slices):
            part = rest & low
            rest >>= width
            twice |= once & part
            once |= part
            good &= fine[part] != 0
        if good and once & ~twice == 0:
            table[mask] |= flag


@compiled
def kept_bits(places: Numbers, bits: int) -> Numbers:
    """For each mask of so many bits, the mask of the places of its bits; -1 is no place."""
    found = np.zeros(1 << bits, np.int32)
    for mask in range(1, found.size):
        lowest = 0
        while not mask >> lowest & 1:
            lowest += 1
        place = places[lowest]
        found[mask] = found[mask & (mask - 1)]
        if place >= 0:
            found[mask] |= 1 << place
    return found


@compiled
def measure(
    first: int,
    flags: Bytes,
    low_bits: int,
    low_parts: Numbers,
    high_parts: Numbers,
    part_flags: Bytes,
    part_sizes: Numbers,
    low_slices: Numbers,
    high_slices: Numbers,
    slice_depths: npt.NDArray[np.int8],
    slice_points: Numbers,
    regularities: Bytes,
) -> Numbers:
    """For the masks from the first on, whose flags are given: the measured numbers, as digits.

    From the highest digit on: the Natarajan, parity, DS and graph dimensions, that of Littlestone,
    and the regularity, in base 5. Row s of the tables of parts is about a proper subset of the
    points, with so many points and the flags of what masks become there; row s of those of slices
    about a point and a label, with the Littlestone dimensions of what is left.
    """
    found = np.empty(flags.size, np.int32)
    points = slice_points[-1] + 1
    for offset in range(flags.size):
        mask = first + offset
        low, high = mask & ((1 << low_bits) - 1), mask >> low_bits
        natarajan = parity = ds = graph = 0
        for s in range(part_sizes.size + 1):
            held, size = flags[offset], points
            if s < part_sizes.size:
                held = part_flags[s, low_parts[s, low] | high_parts[s, high]]
                size = part_sizes[s]
            natarajan = max(natarajan, size * (held & 1))
            parity = max(parity, size * (held >> 1 & 1))
            ds = max(ds, size * (held >> 2 & 1))
            graph = max(graph, size * (held >> 3 & 1))
        deepest = best = second = 0
        before = -1
        for s in range(slice_points.size):
            if slice_points[s] != before:
                before, best, second = slice_points[s], -1, -1
            depth = slice_depths[s, low_slices[s, low] | high_slices[s, high]]
            if depth > best:
                best, second = depth, best
            elif depth > second:
                second = depth
            if second + 1 > deepest:
                deepest = second + 1
        regularity = 0 if mask & (mask - 1) == 0 else regularities[flags[offset]]
        digits = ((natarajan * 5 + parity) * 5 + ds) * 5 + graph
        found[offset] = (digits * 5 + deepest) * 5 + regularity
    return found
