"""Sweeps of iterative infinity-harmonic solvers, compiled; import this module where it is used."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rolltheory.numerics.compilation import compiled

__all__ = ["over_relax", "sweep", "work_off"]

Flags = npt.NDArray[np.bool_]
Integers = npt.NDArray[np.int64]
Reals = npt.NDArray[np.float64]


@compiled
def midrange(
    offsets: Integers, neighbours: Integers, lengths: Reals, values: Reals, vertex: int
) -> float:
    """The value at which the steepest slopes up and down from the vertex are equal."""
    steepest = -1.0
    value: float = values[neighbours[offsets[vertex]]]
    for high in range(offsets[vertex], offsets[vertex + 1]):
        for low in range(offsets[vertex], offsets[vertex + 1]):
            drop = values[neighbours[high]] - values[neighbours[low]]
            slope = drop / (lengths[high] + lengths[low])
            if slope > steepest:
                steepest = slope
                share = lengths[low] / (lengths[high] + lengths[low])
                value = values[neighbours[low]] + share * drop
    return value


@compiled
def toward(side: float, old: float, new: float, scale: float) -> float:
    """The new value rounded away from the solution, or the old one if that is nearer to it.

    A lower iterate (side 1) only rises and an upper one (side -1) only falls.
    """
    rounded = new - side * scale * 2.0**-50
    return max(old, rounded) if side > 0 else min(old, rounded)


@compiled
def sweep(
    offsets: Integers,
    neighbours: Integers,
    lengths: Reals,
    free: Integers,
    values: Reals,
    side: float,
    scale: float,
) -> float:
    """One Gauss-Seidel pass over the free vertices, in place; the largest change."""
    change = 0.0
    for vertex in free:
        old = values[vertex]
        new = midrange(offsets, neighbours, lengths, values, vertex)
        values[vertex] = toward(side, old, new, scale)
        change = max(change, abs(values[vertex] - old))
    return change


@compiled
def work_off(
    offsets: Integers,
    neighbours: Integers,
    lengths: Reals,
    labelled: Flags,
    values: Reals,
    side: float,
    scale: float,
    threshold: float,
    updates: int,
) -> int:
    """Gauss-Seidel on vertices beside a change above the threshold; the number of updates left."""
    count = labelled.size
    queue, waiting = np.empty(count, np.int64), ~labelled
    queue[: waiting.sum()] = np.flatnonzero(waiting)
    head, size = 0, waiting.sum()
    while size > 0 and updates > 0:
        vertex = queue[head]
        head, size, updates = (head + 1) % count, size - 1, updates - 1
        waiting[vertex] = False
        old = values[vertex]
        new = midrange(offsets, neighbours, lengths, values, vertex)
        values[vertex] = toward(side, old, new, scale)
        if abs(values[vertex] - old) > threshold:
            for edge in range(offsets[vertex], offsets[vertex + 1]):
                other = neighbours[edge]
                if not (labelled[other] or waiting[other]):
                    waiting[other] = True
                    queue[(head + size) % count] = other
                    size += 1
    return updates


@compiled
def over_relax(
    offsets: Integers,
    neighbours: Integers,
    lengths: Reals,
    free: Integers,
    values: Reals,
    factor: float,
) -> float:
    """One over-relaxed pass over the free vertices, in place; the largest change."""
    change = 0.0
    for vertex in free:
        step = midrange(offsets, neighbours, lengths, values, vertex) - values[vertex]
        values[vertex] += factor * step
        change = max(change, abs(step))
    return change
