"""Loops over the edges of a graph, compiled; import this module only where it is used."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rolltheory.numerics.compilation import compiled

__all__ = ["breadth_first"]


@compiled
def breadth_first(
    offsets: npt.NDArray[np.int64], neighbours: npt.NDArray[np.int64], start: int
) -> npt.NDArray[np.float64]:
    """Number of edges of a shortest path from the start, infinite where there is none."""
    count = offsets.size - 1
    distance = np.full(count, np.inf)
    queue = np.empty(count, np.int64)
    distance[start], queue[0] = 0.0, start
    head, tail = 0, 1
    while head < tail:
        vertex = queue[head]
        head += 1
        for edge in range(offsets[vertex], offsets[vertex + 1]):
            neighbour = neighbours[edge]
            if distance[neighbour] == np.inf:
                distance[neighbour] = distance[vertex] + 1.0
                queue[tail] = neighbour
                tail += 1
    return distance
