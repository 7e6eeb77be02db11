"""Loops over the edges of a graph, written in plain Python and compiled when the graph is large.

Every function here is its own plain twin: `for_size` hands out the function itself for a small
graph, where starting the compiler would cost more than the work, and its compiled form otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TypeVar, cast

import numpy as np
import numpy.typing as npt

__all__ = [
    "compiled",
    "component_system",
    "components_sinks_first",
    "error_per_move",
    "for_size",
    "forward_sweep",
    "mark_sources",
    "relax",
    "reverse_edges",
    "search",
    "solve_small_components",
]

Kernel = TypeVar("Kernel", bound=Callable[..., object])
Flags = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int32]
Offsets = npt.NDArray[np.int64]
Reals = npt.NDArray[np.float64]

_WORTH_COMPILING = 20_000  # edges; plain Python takes some 20 ms there, loading numba far more


def for_size(kernel: Kernel, edges: int) -> Kernel:
    """The kernel itself, or its compiled form if the graph has many edges."""
    return kernel if edges < _WORTH_COMPILING else cast(Kernel, compiled(kernel))


@cache
def compiled(kernel: Callable[..., object]) -> Callable[..., object]:
    """The kernel compiled by numba, kept on disk for the next process where a disk allows it."""
    from numba import njit

    try:
        return cast(Callable[..., object], njit(cache=True)(kernel))
    except RuntimeError:  # numba found no folder that it may write to
        return cast(Callable[..., object], njit(kernel))


def mark_sources(
    row_start: Offsets, targets: Numbers, closed: Flags, marked: Flags, upwards: bool
) -> None:
    """One pass over the states that marks each open one with an edge into a marked state."""
    count = closed.size
    for number in range(count):
        state = number if upwards else count - 1 - number
        if not (closed[state] or marked[state]):
            for edge in range(row_start[state], row_start[state + 1]):
                if marked[targets[edge]]:
                    marked[state] = True
                    break


def reverse_edges(row_start: Offsets, targets: Numbers, closed: Flags) -> tuple[Offsets, Numbers]:
    """The sources of the edges into each state, leaving out edges that start in a closed state."""
    count = closed.size
    start = np.zeros(count + 2, np.int64)
    for state in range(count):
        if not closed[state]:
            for edge in range(row_start[state], row_start[state + 1]):
                start[targets[edge] + 2] += 1
    for state in range(count):
        start[state + 2] += start[state + 1]
    sources = np.empty(start[count + 1], np.int32)
    for state in range(count):
        if not closed[state]:
            for edge in range(row_start[state], row_start[state + 1]):
                place = start[targets[edge] + 1]
                sources[place] = state
                start[targets[edge] + 1] = place + 1
    return start[: count + 1], sources


def search(start: Offsets, neighbours: Numbers, seeds: Flags) -> Flags:
    """The states that the seeds reach, seeds included."""
    reached = seeds.copy()
    waiting = np.empty(seeds.size, np.int32)
    size = 0
    for state in range(seeds.size):
        if seeds[state]:
            waiting[size] = state
            size += 1
    while size > 0:
        size -= 1
        state = waiting[size]
        for edge in range(start[state], start[state + 1]):
            neighbour = neighbours[edge]
            if not reached[neighbour]:
                reached[neighbour] = True
                waiting[size] = neighbour
                size += 1
    return reached


def components_sinks_first(
    row_start: Offsets, targets: Numbers, inside: Flags
) -> tuple[Numbers, Numbers]:
    """Strongly connected components of the inside states, each after all that it leads to.

    Returns the states in that order, and where in it each component starts, with the end last.
    Tarjan's algorithm with an explicit path. A finished state is numbered above all others, so that
    it lowers nothing; an extra state ``count`` at the foot of the path stands for "no parent".
    """
    count = inside.size
    number, lowest = np.zeros(count, np.int32), np.zeros(count + 1, np.int32)
    edge = row_start[:count].copy()
    path, pending = np.full(count + 1, count, np.int32), np.empty(count, np.int32)
    order, start = np.empty(count, np.int32), np.zeros(count + 1, np.int32)
    depth = opened = seen = placed = components = 0
    for root in range(count):
        child = root if inside[root] and number[root] == 0 else -1
        while child >= 0 or depth > 0:
            if child >= 0:
                seen += 1
                number[child] = lowest[child] = seen
                pending[opened] = path[depth + 1] = child
                depth, opened, child = depth + 1, opened + 1, -1
            state = path[depth]
            while child < 0 and edge[state] < row_start[state + 1]:
                target = targets[edge[state]]
                edge[state] += 1
                if inside[target] and number[target] == 0:
                    child = target
                elif inside[target]:
                    lowest[state] = min(lowest[state], number[target])
            if child < 0:
                depth -= 1
                lowest[path[depth]] = min(lowest[path[depth]], lowest[state])
                if lowest[state] == number[state]:
                    while number[state] <= count:
                        opened -= 1
                        order[placed] = pending[opened]
                        number[pending[opened]] = count + 1
                        placed += 1
                    components += 1
                    start[components] = placed
    return order[:placed], start[: components + 1]


def solve_small_components(
    row_start: Offsets,
    targets: Numbers,
    probabilities: Reals,
    order: Numbers,
    start: Numbers,
    place: Numbers,
    component: int,
    value: Reals,
    moves: Reals,
) -> int:
    """Fill in value and moves from the given component on; return the first one that is too large.

    States are eliminated one by one without a subtraction (known as GTH), so that
    every digit survives however unlikely it is to leave the component. Columns of the table: weight
    that leaves, weight that leaves times value, expected moves, then the component's own states.
    """
    table = np.zeros((32, 35))
    for current in range(component, start.size - 1):
        low, size = start[current], start[current + 1] - start[current]
        if size > 32:
            return current
        table[:size, : size + 3] = 0.0
        for row in range(size):
            state = order[low + row]
            for edge in range(row_start[state], row_start[state + 1]):
                target, weight = targets[edge], probabilities[edge]
                column = place[target] - low
                if 0 <= column < size:
                    table[row, column + 3] += weight
                else:
                    table[row, 0] += weight
                    table[row, 1] += weight * value[target]
                    table[row, 2] += weight * moves[target]
            table[row, row + 3] = 0.0
            table[row, 2] += table[row, 0] + table[row, 3 : size + 3].sum()
        for pivot in range(size - 1, -1, -1):
            used = pivot + 3
            table[pivot, :used] /= table[pivot, 0] + table[pivot, 3:used].sum()
            for row in range(pivot):
                table[row, :used] += table[row, used] * table[pivot, :used]
        for row in range(size):
            total, further = table[row, 1], table[row, 2]
            for column in range(row):
                total += table[row, column + 3] * value[order[low + column]]
                further += table[row, column + 3] * moves[order[low + column]]
            value[order[low + row]], moves[order[low + row]] = total, further
    return start.size - 1


def component_system(
    row_start: Offsets,
    targets: Numbers,
    probabilities: Reals,
    members: Numbers,
    place: Numbers,
    value: Reals,
    moves: Reals,
) -> tuple[Numbers, Numbers, Reals, Reals]:
    """The equations of one component: rows start, columns, coefficients, two right-hand sides.

    Self-loops are taken out and every row is divided by its weight of moving, so that the diagonal
    is one and the right-hand side of the expected number of moves is one plus what is known.
    """
    low, size = place[members[0]], members.size
    edges = 0
    for state in members:
        edges += row_start[state + 1] - row_start[state]
    start, columns = np.zeros(size + 1, np.int32), np.empty(edges + size, np.int32)
    coefficients, right = np.empty(edges + size), np.zeros((2, size))
    filled = 0
    for row in range(size):
        state = members[row]
        first, moving = filled, 0.0
        for edge in range(row_start[state], row_start[state + 1]):
            target, weight = targets[edge], probabilities[edge]
            moving += weight if target != state else 0.0
            if not 0 <= place[target] - low < size:
                right[0, row] += weight * value[target]
                right[1, row] += weight * moves[target]
            elif target != state:
                columns[filled], coefficients[filled] = place[target] - low, -weight
                filled += 1
        coefficients[first:filled] /= moving
        right[:, row] /= moving
        right[1, row] += 1.0
        columns[filled], coefficients[filled] = row, 1.0
        filled += 1
        start[row + 1] = filled
    return start, columns[:filled], coefficients[:filled], right


def relax(
    start: Numbers, columns: Numbers, coefficients: Reals, right: Reals, solution: Reals
) -> bool:
    """Sweep over the equations of a component until value and moves, the solutions, stand still.

    Returns False, early, if the changes do not halve from sweep to sweep. Nothing rests on the
    stopping rule: what it leaves is measured and certified at the end.
    """
    for sweep in range(56):
        change = drift = 0.0
        for row in range(right.shape[1]):
            value, moves = right[0, row], right[1, row]
            for entry in range(start[row], start[row + 1] - 1):  # the diagonal is last, and one
                value -= coefficients[entry] * solution[0, columns[entry]]
                moves -= coefficients[entry] * solution[1, columns[entry]]
            change = max(change, abs(value - solution[0, row]))
            drift = max(drift, abs(moves - solution[1, row]))
            solution[0, row], solution[1, row] = value, moves
        if change <= 2.0**-51 and drift <= 0.1:
            return True
        if change > 16.0 * 0.5**sweep:
            return False
    return False


def forward_sweep(start: Numbers, columns: Numbers, coefficients: Reals, right: Reals) -> Reals:
    """Solve with the part of a unit-diagonal matrix on and below its diagonal."""
    solution = right.copy()
    for row in range(right.size):
        total = 0.0
        for entry in range(start[row], start[row + 1]):
            if columns[entry] < row:
                total += coefficients[entry] * solution[columns[entry]]
        solution[row] -= total
    return solution


def error_per_move(
    row_start: Offsets,
    targets: Numbers,
    probabilities: Reals,
    order: Numbers,
    value: Reals,
    moves: Reals,
) -> float:
    """The largest ratio, over the ordered states, of the defect of value to the drop of moves.

    Both are sums over the edges of a state of weight times a difference; the defect is rounded up
    and the drop down by a bound on the rounding of the sum. Infinite where moves do not drop.
    """
    worst = 0.0
    for state in order:
        defect = size = drop = height = 0.0
        for edge in range(row_start[state], row_start[state + 1]):
            target, weight = targets[edge], probabilities[edge]
            defect += weight * (value[target] - value[state])
            size += weight * abs(value[target] - value[state])
            drop += weight * (moves[state] - moves[target])
            height += weight * abs(moves[state] - moves[target])
        rounding = (row_start[state + 1] - row_start[state] + 4) * 2.0**-52
        drop -= rounding * height + 1e-300
        if not drop > 0.0:
            return np.inf
        worst = max(worst, (abs(defect) + rounding * size + 1e-300) / drop)
    return worst * (1.0 + 2.0**-50)
