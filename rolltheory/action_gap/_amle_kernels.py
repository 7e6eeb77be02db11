"""The lex-minimiser's loops, compiled; import this module only where it is used.

Vocabulary: terminals are the vertices whose value is fixed. The pressure of a free vertex is the
greatest slope, value drop over length, of a path through it that joins two terminals and passes
free vertices only. A task is a set of free vertices, all of a pressure above its lower limit, as a
segment of one array; the segments of waiting tasks are nested or disjoint, so that no depth of the
recursion costs memory.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rolltheory.action_gap._heap_kernels import pop, sift_down, sift_up
from rolltheory.numerics.compilation import compiled

__all__ = ["Network", "lex_minimise"]

Flags = npt.NDArray[np.bool_]
Integers = npt.NDArray[np.int64]
Reals = npt.NDArray[np.float64]


class Network(NamedTuple):
    """A graph in compressed rows, its fixed values, and, in one entry, whether it is unit-cost."""

    offsets: Integers
    neighbours: Integers
    lengths: Reals
    values: Reals
    fixed: Flags
    unit_cost: Flags


class Work(NamedTuple):
    """Arrays with one entry for each vertex.

    ``stamp`` tells the task of a vertex; ``low`` and ``high`` are the cones from the terminals, the
    latter with its sign changed, so that both are least distances; ``heap`` and ``position`` are a
    binary heap of vertices and its inverse.
    """

    arena: Integers
    spare: Integers
    stamp: Integers
    low: Reals
    high: Reals
    heap: Integers
    position: Integers


class Stack(NamedTuple):
    """Tasks that wait: their segments, lower limits, and whether they are one component."""

    start: Integers
    end: Integers
    lower: Reals
    connected: Flags
    size: Integers


@compiled
def start_cone(
    network: Network, work: Work, key: Reals, start: int, end: int, slope: float, sign: float
) -> int:
    """Make a heap of a task's vertices beside terminals, at their least keys; its size."""
    size = 0
    for place in range(start, end):
        vertex = work.arena[place]
        best = np.inf
        for edge in range(network.offsets[vertex], network.offsets[vertex + 1]):
            other = network.neighbours[edge]
            if network.fixed[other]:
                best = min(best, sign * network.values[other] + slope * network.lengths[edge])
        key[vertex] = best
        work.position[vertex] = -1
        if best < np.inf:
            work.heap[size] = vertex
            work.position[vertex] = size
            size += 1
    for place in range(size // 2 - 1, -1, -1):
        sift_down(work.heap, work.position, key, place, size)
    return size


@compiled
def spread_with_lengths(
    network: Network, work: Work, key: Reals, size: int, slope: float, stamp: int
) -> None:
    """Dijkstra's algorithm from the vertices of the heap."""
    while size > 0:
        vertex = pop(work.heap, work.position, key, size)
        size -= 1
        for edge in range(network.offsets[vertex], network.offsets[vertex + 1]):
            other = network.neighbours[edge]
            if work.stamp[other] == stamp:
                reached = key[vertex] + slope * network.lengths[edge]
                if reached < key[other]:
                    key[other] = reached
                    if work.position[other] < 0:
                        work.heap[size] = other
                        work.position[other] = size
                        size += 1
                    sift_up(work.heap, work.position, key, work.position[other])


@compiled
def spread_at_unit_cost(
    network: Network, work: Work, key: Reals, size: int, slope: float, stamp: int
) -> None:
    """The same without lengths: what is reached is reached in order, so that a queue will do.

    Only a vertex that is still in the heap can be reached at a lesser key than before.
    """
    head = tail = 0
    while size > 0 or head < tail:
        if head == tail or (size > 0 and key[work.heap[0]] <= key[work.spare[head]]):
            vertex = pop(work.heap, work.position, key, size)
            size -= 1
        else:
            vertex = work.spare[head]
            head += 1
        reached = key[vertex] + slope
        for edge in range(network.offsets[vertex], network.offsets[vertex + 1]):
            other = network.neighbours[edge]
            if work.stamp[other] == stamp and reached < key[other]:
                key[other] = reached
                if work.position[other] < 0:
                    work.spare[tail] = other
                    tail += 1
                else:
                    sift_up(work.heap, work.position, key, work.position[other])


@compiled
def cone(
    network: Network, work: Work, key: Reals, start: int, end: int, slope: float, sign: float
) -> None:
    """key(x) = least, over the terminals t, of sign value(t) + slope distance(x, t) in the task."""
    stamp = work.stamp[work.arena[start]]
    size = start_cone(network, work, key, start, end, slope, sign)
    if network.unit_cost[0]:
        spread_at_unit_cost(network, work, key, size, slope, stamp)
    else:
        spread_with_lengths(network, work, key, size, slope, stamp)


@compiled
def steepest_pair(distance: Reals, value: Reals, slope: float) -> float:
    """The greatest (v_i - v_j) / (d_i + d_j), or the given slope if that is greater.

    Dinkelbach's iteration: the pair that is best against one slope gives the next.
    """
    while True:
        top, bottom = 0, 0
        for place in range(1, value.size):
            if value[place] - slope * distance[place] > value[top] - slope * distance[top]:
                top = place
            if value[place] + slope * distance[place] < value[bottom] + slope * distance[bottom]:
                bottom = place
        better = (value[top] - value[bottom]) / (distance[top] + distance[bottom])
        if better <= slope:
            return slope
        slope = better


@compiled
def value_range(network: Network, work: Work, start: int, end: int) -> float:
    """The greatest minus the least value among the terminals beside a task."""
    least, greatest = np.inf, -np.inf
    for place in range(start, end):
        vertex = work.arena[place]
        for edge in range(network.offsets[vertex], network.offsets[vertex + 1]):
            other = network.neighbours[edge]
            if network.fixed[other]:
                least = min(least, network.values[other])
                greatest = max(greatest, network.values[other])
    return greatest - least


@compiled
def enter(
    work: Work, other: int, reached: float, stamp: int, size: int, touched: int, unit_cost: bool
) -> tuple[int, int]:
    """Let a search reach a vertex of its task; how many then wait, and how many it has seen."""
    if work.stamp[other] == stamp:
        work.stamp[other], work.low[other] = -stamp, reached
        work.spare[touched] = work.heap[size] = other
        if not unit_cost:
            sift_up(work.heap, work.position, work.low, size)
        return size + 1, touched + 1
    if work.stamp[other] == -stamp and reached < work.low[other]:
        work.low[other] = reached
        sift_up(work.heap, work.position, work.low, work.position[other])
    return size, touched


@compiled
def doubled(found: Reals) -> Reals:
    """The same table with room for twice as many columns."""
    grown = np.empty((2, 2 * found.shape[1]))
    grown[:, : found.shape[1]] = found
    return grown


@compiled
def steepest_through(network: Network, work: Work, pivot: int, drop: float, lower: float) -> float:
    """The pressure of a vertex, or the lower limit if that is greater.

    A search from the vertex, in order of distance; it stops where the greatest value drop, over the
    distance reached plus that of the nearest terminal, is no steeper than what is known. Seen
    vertices have their stamp negated meanwhile; without lengths the list of them is the queue.
    """
    key, stamp, unit_cost = work.low, work.stamp[pivot], network.unit_cost[0]
    found = np.empty((2, 16))
    terminals, head, nearest, slope = 0, 0, np.inf, lower
    size, touched = enter(work, pivot, 0.0, stamp, 0, 0, unit_cost)
    while size > 0:
        vertex = work.spare[head] if unit_cost else pop(work.heap, work.position, key, size)
        head, size = head + 1, size - 1
        if drop <= slope * (key[vertex] + min(nearest, key[vertex])):
            break
        for edge in range(network.offsets[vertex], network.offsets[vertex + 1]):
            other, reached = network.neighbours[edge], key[vertex] + network.lengths[edge]
            if network.fixed[other]:
                found = doubled(found) if terminals == found.shape[1] else found
                found[0, terminals], found[1, terminals] = reached, network.values[other]
                terminals += 1
                nearest = min(nearest, reached)
                first = abs(found[1, 0] - network.values[other]) / (found[0, 0] + reached)
                slope = max(slope, first)
            else:
                size, touched = enter(work, other, reached, stamp, size, touched, unit_cost)
    for place in range(touched):
        work.stamp[work.spare[place]] = stamp
    if terminals == 0:
        return lower
    return steepest_pair(found[0, :terminals], found[1, :terminals], lower)


@compiled
def push(stack: Stack, start: int, end: int, lower: float, connected: bool) -> None:
    """Let a task wait."""
    top = stack.size[0]
    stack.start[top], stack.end[top] = start, end
    stack.lower[top], stack.connected[top] = lower, connected
    stack.size[0] = top + 1


@compiled
def split(
    network: Network, work: Work, stack: Stack, start: int, end: int, lower: float, stamp: int
) -> int:
    """Let the components of a task's free vertices wait, each with a stamp; the last stamp."""
    stamp += 1
    members = stamp
    for place in range(start, end):
        vertex = work.arena[place]
        if not network.fixed[vertex]:
            work.stamp[vertex] = members
    head = tail = start
    for place in range(start, end):
        seed = work.arena[place]
        if work.stamp[seed] == members and not network.fixed[seed]:
            first, stamp = tail, stamp + 1
            work.spare[tail], work.stamp[seed] = seed, stamp
            tail += 1
            while head < tail:
                vertex = work.spare[head]
                head += 1
                for edge in range(network.offsets[vertex], network.offsets[vertex + 1]):
                    other = network.neighbours[edge]
                    if work.stamp[other] == members and not network.fixed[other]:
                        work.spare[tail], work.stamp[other] = other, stamp
                        tail += 1
            push(stack, first, tail, lower, True)
    work.arena[start:tail] = work.spare[start:tail]
    return stamp


@compiled
def partition(work: Work, start: int, end: int, threshold: float) -> int:
    """Move the vertices whose cones cross by more than the threshold to the front; their end."""
    boundary = start
    for place in range(start, end):
        vertex = work.arena[place]
        if work.low[vertex] + work.high[vertex] < -threshold:
            work.arena[place], work.arena[boundary] = work.arena[boundary], vertex
            boundary += 1
    return boundary


@compiled
def fix_tight(network: Network, work: Work, start: int, end: int, threshold: float) -> None:
    """Fix the vertices of a task at which the cones touch, that is, those on steepest paths."""
    for place in range(start, end):
        vertex = work.arena[place]
        if work.low[vertex] + work.high[vertex] <= threshold:
            network.values[vertex] = (work.low[vertex] - work.high[vertex]) / 2
            network.fixed[vertex] = True


@compiled
def advance(
    network: Network,
    work: Work,
    stack: Stack,
    start: int,
    end: int,
    lower: float,
    tolerance: float,
    pivot: int,
) -> None:
    """One step on a connected task: fix its steepest paths, or let its steeper part go first.

    The pivot never belongs to that part, whatever the rounding, so that every step makes progress.
    """
    drop = value_range(network, work, start, end)
    slope = steepest_through(network, work, pivot, drop, lower)
    cone(network, work, work.low, start, end, slope, 1.0)
    cone(network, work, work.high, start, end, slope, -1.0)
    threshold = max(tolerance, abs(work.low[pivot] + work.high[pivot]))
    if slope <= lower:
        threshold = tolerance
        work.low[pivot] = np.inf
    boundary = partition(work, start, end, threshold)
    if boundary > start:
        if slope > lower:
            push(stack, start, end, lower, False)
        push(stack, start, boundary, slope, False)
    elif slope > lower:
        fix_tight(network, work, start, end, threshold)
        push(stack, start, end, lower, False)


@compiled
def fill_level(network: Network, work: Work, count: int) -> None:
    """Give every vertex that is left, all of no pressure, the value of its terminals."""
    head = tail = 0
    for vertex in range(count):
        if network.fixed[vertex]:
            work.spare[tail] = vertex
            tail += 1
    while head < tail:
        vertex = work.spare[head]
        head += 1
        for edge in range(network.offsets[vertex], network.offsets[vertex + 1]):
            other = network.neighbours[edge]
            if not network.fixed[other]:
                network.fixed[other] = True
                network.values[other] = network.values[vertex]
                work.spare[tail] = other
                tail += 1


@compiled
def lex_minimise(network: Network, tolerance: float) -> None:
    """Fix all vertices at the lex-minimal values; every component needs a fixed one before."""
    count = network.fixed.size
    free = np.flatnonzero(~network.fixed)
    work = Work(
        free,
        np.empty(count, np.int64),
        np.zeros(count, np.int64),
        np.empty(count),
        np.empty(count),
        np.empty(count, np.int64),
        np.empty(count, np.int64),
    )
    room = 2 * count + 2
    stack = Stack(
        np.empty(room, np.int64),
        np.empty(room, np.int64),
        np.empty(room),
        np.empty(room, np.bool_),
        np.zeros(1, np.int64),
    )
    stamp = turn = 0
    if free.size:
        push(stack, 0, free.size, 0.0, False)
    while stack.size[0] > 0:
        stack.size[0] -= 1
        top = stack.size[0]
        start, end, lower = stack.start[top], stack.end[top], stack.lower[top]
        if stack.connected[top]:
            turn += 1
            pivot = work.arena[start + (turn * 2654435761) % (end - start)]
            advance(network, work, stack, start, end, lower, tolerance, pivot)
        else:
            stamp = split(network, work, stack, start, end, lower, stamp)
    fill_level(network, work, count)
