"""Loops behind the error bound of an infinity-harmonic extension, compiled."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rolltheory.numerics.compilation import compiled

__all__ = ["distance_to_labels", "rung_errors", "slopes"]

Flags = npt.NDArray[np.bool_]
Integers = npt.NDArray[np.int64]
Reals = npt.NDArray[np.float64]


@compiled
def slopes(
    offsets: Integers, neighbours: Integers, lengths: Reals, values: Reals
) -> tuple[Reals, Reals, Integers, Integers]:
    """The steepest slope up and down at each vertex, and the stored edges that have it."""
    count = values.size
    rise, fall = np.zeros(count), np.zeros(count)
    upward, downward = offsets[:count].copy(), offsets[:count].copy()
    for vertex in range(count):
        first = True
        for edge in range(offsets[vertex], offsets[vertex + 1]):
            slope = (values[neighbours[edge]] - values[vertex]) / lengths[edge]
            if first or slope > rise[vertex]:
                rise[vertex], upward[vertex] = slope, edge
            if first or -slope > fall[vertex]:
                fall[vertex], downward[vertex] = -slope, edge
            first = False
    return rise, fall, upward, downward


@compiled
def distance_to_labels(
    offsets: Integers, neighbours: Integers, lengths: Reals, labelled: Flags
) -> Reals:
    """At least the distance of each vertex from the labels: along a tree of fewest edges."""
    count = labelled.size
    distance, queue = np.full(count, np.inf), np.empty(count, np.int64)
    tail = 0
    for vertex in range(count):
        if labelled[vertex]:
            distance[vertex], queue[tail] = 0.0, vertex
            tail += 1
    for head in range(count):
        vertex = queue[head]
        for edge in range(offsets[vertex], offsets[vertex + 1]):
            other = neighbours[edge]
            if distance[other] == np.inf:
                distance[other] = distance[vertex] + lengths[edge]
                queue[tail] = other
                tail += 1
    return distance


@compiled
def rung_errors(
    order: Integers,
    rungs: Integers,
    top: Reals,
    edge: Integers,
    neighbours: Integers,
    lengths: Reals,
    values: Reals,
    reach: Reals,
    sign: float,
) -> Reals:
    """How far the true value may exceed (sign 1) or miss (-1) a vertex's, given all rungs above.

    ``order`` lists the unlabelled vertices rung by rung, each rung so that the end of a vertex's
    steepest edge comes first; ``rungs`` is the rung of every vertex, -1 if it is labelled.
    """
    # A slope has two roundings, a climb one more; no drop exceeds its climb, and it has one.
    slack = 2.0**-49
    error = np.zeros(values.size)
    done = rungs < 0
    for vertex in order:
        slope, other = top[rungs[vertex]], neighbours[edge[vertex]]
        error[vertex] = 2 * slope * reach[vertex]
        if done[other]:
            climb = slope * lengths[edge[vertex]]
            lost = climb * (1 + slack) - sign * (values[vertex] - values[other])
            chained = lost if rungs[other] < rungs[vertex] else lost + error[other]
            error[vertex] = min(error[vertex], chained)
        done[vertex] = True
    return error
