"""Cones over the labels of a graph, compiled; import this module only where it is used."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rolltheory.action_gap._heap_kernels import pop, sift_up
from rolltheory.numerics.compilation import compiled

__all__ = ["label_cone", "product_towards", "sum_towards"]

Integers = npt.NDArray[np.int64]
Reals = npt.NDArray[np.float64]


@compiled
def sum_towards(sign: float, a: float, b: float) -> float:
    """a + b, rounded up (sign 1) or down (-1) where it is no float."""
    total = a + b
    part = total - a
    lost = (a - (total - part)) + (b - part)
    return total if sign * lost <= 0 else float(np.nextafter(total, sign * np.inf))


@compiled
def product_towards(sign: float, a: float, b: float) -> float:
    """a b of non-negative numbers, rounded up (sign 1) or down (-1) where it is no float."""
    if a == 0 or b == 0:
        return 0.0
    product = a * b
    split_a, split_b = 134217729.0 * a, 134217729.0 * b  # 2^27 + 1
    high_a, high_b = split_a - (split_a - a), split_b - (split_b - b)
    low_a, low_b = a - high_a, b - high_b
    lost = ((high_a * high_b - product) + high_a * low_b + low_a * high_b) + low_a * low_b
    if product > 2.0**-900 and sign * lost <= 0:  # below, what was lost may be lost itself
        return product
    return max(float(np.nextafter(product, sign * np.inf)), 0.0)


@compiled
def label_cone(
    offsets: Integers,
    neighbours: Integers,
    lengths: Reals,
    labelled: npt.NDArray[np.bool_],
    values: Reals,
    slope: float,
    sign: float,
) -> tuple[Reals, Reals, Integers]:
    """min over labels b of value(b) + slope distance(x, b), the distance of that b, and b.

    Rounded up (sign 1) or down (-1) where they are no floats.
    """
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
            reached = sum_towards(sign, distance[vertex], lengths[edge])
            climb = product_towards(sign, slope, reached)
            candidate = sum_towards(sign, values[origin[vertex]], climb)
            if candidate < key[other]:
                key[other], distance[other], origin[other] = candidate, reached, origin[vertex]
                if position[other] < 0:
                    heap[size], position[other] = other, size
                    size += 1
                sift_up(heap, position, key, position[other])
    return key, distance, origin
