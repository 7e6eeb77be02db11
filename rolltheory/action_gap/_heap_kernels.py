"""A binary heap of vertices in two arrays, compiled; import this module only where it is used.

``heap`` lists the vertices, ``position`` is its inverse, ``key`` holds what they are ordered by.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rolltheory.numerics.compilation import compiled

__all__ = ["pop", "sift_down", "sift_up"]

Integers = npt.NDArray[np.int64]
Reals = npt.NDArray[np.float64]


@compiled
def sift_up(heap: Integers, position: Integers, key: Reals, place: int) -> None:
    """Move an entry towards the top until its parent is no larger."""
    vertex = heap[place]
    while place > 0:
        parent = (place - 1) >> 1
        above = heap[parent]
        if key[above] <= key[vertex]:
            break
        heap[place] = above
        position[above] = place
        place = parent
    heap[place] = vertex
    position[vertex] = place


@compiled
def sift_down(heap: Integers, position: Integers, key: Reals, place: int, size: int) -> None:
    """Move an entry away from the top until no child is smaller."""
    vertex = heap[place]
    while 2 * place + 1 < size:
        child = 2 * place + 1
        if child + 1 < size and key[heap[child + 1]] < key[heap[child]]:
            child += 1
        below = heap[child]
        if key[below] >= key[vertex]:
            break
        heap[place] = below
        position[below] = place
        place = child
    heap[place] = vertex
    position[vertex] = place


@compiled
def pop(heap: Integers, position: Integers, key: Reals, size: int) -> int:
    """Take the vertex of the smallest key off a heap of that size."""
    vertex: int = heap[0]
    if size > 1:
        heap[0] = heap[size - 1]
        sift_down(heap, position, key, 0, size - 1)
    return vertex
