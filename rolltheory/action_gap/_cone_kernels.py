"""Cones over the labels of a graph, compiled; import this module only where it is used."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rolltheory.action_gap._heap_kernels import pop, sift_up
from rolltheory.numerics.compilation import compiled

__all__ = ["label_cone"]

Integers = npt.NDArray[np.int64]
Reals = npt.NDArray[np.float64]


@compiled
def label_cone(
    offsets: Integers,
    neighbours: Integers,
    lengths: Reals,
    labelled: npt.NDArray[np.bool_],
    values: Reals,
    slope: float,
) -> tuple[Reals, Reals, Integers]:
    """min over labels b of value(b) + slope distance(x, b), the distance of that b, and b."""
    count = labelled.size
    key, distance = np.full(count, np.inf), np.zeros(count)
    origin, heap = np.full(count, -1), np.empty(count, np.int64)
    position, size = np.full(count, -1), 0
    for vertex in range(count):
        if labelled[vertex]:
            key[vertex], origin[vertex], heap[size] = values[vertex], vertex, vertex
            size += 1
            sift_up(heap, position, key, size - 1)
    while size > 0:
        vertex = pop(heap, position, key, size)
        size -= 1
        for edge in range(offsets[vertex], offsets[vertex + 1]):
            other = neighbours[edge]
            reached = distance[vertex] + lengths[edge]
            candidate = values[origin[vertex]] + slope * reached
            if candidate < key[other]:
                key[other], distance[other], origin[other] = candidate, reached, origin[vertex]
                if position[other] < 0:
                    heap[size], position[other] = other, size
                    size += 1
                sift_up(heap, position, key, position[other])
    return key, distance, origin
