"""Local means of a value extension, compiled; import this module only where it is used.

Both graph p-Laplacians say that a value is a mean of the neighbours' values, and both means are
monotone and move along with a constant. All slopes at a vertex are taken relative to the steepest
one there, so that no power of them can overflow, nor vanish at all edges.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rolltheory.numerics.compilation import compiled

__all__ = ["attachments", "defects", "linearised", "relax"]

Reals = npt.NDArray[np.float64]
Vertices = npt.NDArray[np.int64]

_UNIT = 2.0**-52
_NO_SLOPE = 1e-250  # against labels of 1e-200 or more; products of smaller ones would vanish
_LEAST_WEIGHT = 1e-8  # of an edge in the linearised mean, so that no vertex loses its way out


@compiled
def attachments(
    offsets: Vertices, neighbours: Vertices, labelled: npt.NDArray[np.bool_]
) -> Vertices:
    """For each vertex that one other vertex cuts off from all labels, that vertex; else itself.

    A subtree of the depth-first search that has no edge above its parent hangs on that parent. Of
    nested cuts the one nearest to the labels counts.
    """
    order, parent, depth, lowest = _searched(offsets, neighbours, labelled)
    attached = np.arange(labelled.size)
    for vertex in order:
        above = parent[vertex]
        if above >= 0 and attached[above] != above:
            attached[vertex] = attached[above]
        elif above >= 0 and lowest[vertex] >= depth[above]:
            attached[vertex] = above
    return attached


@compiled
def _searched(
    offsets: Vertices, neighbours: Vertices, labelled: npt.NDArray[np.bool_]
) -> tuple[Vertices, Vertices, Vertices, Vertices]:
    """Depth-first order from the labels, parents, depths, and the least depth below each vertex.

    That is the least depth next to its subtree, and 0 if a label is in it: as if one more vertex
    above all were joined to every label. A parent is -1 at the top.
    """
    count = labelled.size
    depth, lowest = np.zeros(count, np.int64), np.zeros(count, np.int64)
    edge, path, order = offsets[:count].copy(), np.empty(count, np.int64), np.empty(count, np.int64)
    parent = np.full(count, -1)
    seen = 0
    for root in np.flatnonzero(labelled):
        if depth[root] > 0:
            continue
        depth[root], path[0], order[seen] = 1, root, root
        height, seen = 1, seen + 1
        while height > 0:
            vertex = path[height - 1]
            if edge[vertex] < offsets[vertex + 1]:
                neighbour = neighbours[edge[vertex]]
                edge[vertex] += 1
                if depth[neighbour] == 0:
                    depth[neighbour] = lowest[neighbour] = height + 1
                    parent[neighbour] = vertex
                    path[height], order[seen] = neighbour, neighbour
                    height, seen = height + 1, seen + 1
                lowest[vertex] = min(lowest[vertex], depth[neighbour])
                continue
            height -= 1
            if labelled[vertex]:
                lowest[vertex] = 0
            if height > 0:
                lowest[path[height - 1]] = min(lowest[path[height - 1]], lowest[vertex])
    return order[:seen], parent, depth, lowest


@compiled
def _steepest(
    offsets: Vertices, neighbours: Vertices, lengths: Reals, u: Reals, x: int
) -> tuple[int, int, float]:
    """The edges of the steepest path through x, up and down, and the value of x halfway on it."""
    up = down = offsets[x]
    for e in range(offsets[x], offsets[x + 1]):
        if u[neighbours[e]] > u[neighbours[up]]:
            up = e
    middle = u[neighbours[up]]
    for _ in range(offsets[x], offsets[x + 1]):  # each round finds a steeper way up, or ends
        middle = np.inf
        for e in range(offsets[x], offsets[x + 1]):
            share = lengths[up] / (lengths[up] + lengths[e])
            value = u[neighbours[up]] + share * (u[neighbours[e]] - u[neighbours[up]])
            if value < middle:
                down, middle = e, value
        better, slope = up, (u[neighbours[up]] - middle) / lengths[up]
        for e in range(offsets[x], offsets[x + 1]):
            steeper = (u[neighbours[e]] - middle) / lengths[e]
            if steeper > slope:
                better, slope = e, steeper
        if better == up:
            break
        up = better
    return up, down, middle


@compiled
def _game(
    offsets: Vertices, neighbours: Vertices, lengths: Reals, u: Reals, x: int, m: float, p: float
) -> tuple[float, float, float]:
    """`_local` of the game mean."""
    middle = _steepest(offsets, neighbours, lengths, u, x)[2]
    total = weights = largest = widest = 0.0
    for e in range(offsets[x], offsets[x + 1]):
        weight = (lengths[offsets[x]] / lengths[e]) ** 2
        total += weight * (u[neighbours[e]] - m)
        weights += weight
        largest = max(largest, abs(u[neighbours[e]]))
        widest = max(widest, abs(u[neighbours[e]] - m))
    displacement = (total / weights + (p - 2.0) * (middle - m)) / (p - 1.0)
    allowance = _UNIT * ((offsets[x + 1] - offsets[x] + 32) * widest + 4.0 * largest)
    return displacement, allowance, abs(displacement) / widest if widest > 0.0 else 0.0


@compiled
def _variational(
    offsets: Vertices, neighbours: Vertices, lengths: Reals, u: Reals, x: int, m: float, p: float
) -> tuple[float, float, float]:
    """`_local` of the variational mean."""
    steepest = 0.0
    for e in range(offsets[x], offsets[x + 1]):
        steepest = max(steepest, abs(u[neighbours[e]] - m) / lengths[e])
    if steepest < _NO_SLOPE:
        return 0.0, 0.0, 0.0
    flow = gain = size = 0.0
    for e in range(offsets[x], offsets[x + 1]):
        slope = (u[neighbours[e]] - m) / lengths[e]
        power = (abs(slope) / steepest) ** (p - 2.0)
        flow += power * slope / lengths[e]
        gain += power / lengths[e] ** 2
        size += power * abs(slope) / lengths[e]
    roundings = 2.0 * p + (offsets[x + 1] - offsets[x]) + 8.0
    gain *= p - 1.0
    return flow / gain, roundings * _UNIT * size / gain, abs(flow) / size


@compiled
def _local(
    offsets: Vertices,
    neighbours: Vertices,
    lengths: Reals,
    u: Reals,
    x: int,
    m: float,
    p: float,
    game: bool,
) -> tuple[float, float, float]:
    """How far m is from the mean of x to first order, the rounding in it, and the residual."""
    if game:
        return _game(offsets, neighbours, lengths, u, x, m, p)
    return _variational(offsets, neighbours, lengths, u, x, m, p)


@compiled
def defects(
    offsets: Vertices,
    neighbours: Vertices,
    lengths: Reals,
    u: Reals,
    unknown: Vertices,
    p: float,
    game: bool,
) -> tuple[Reals, Reals, Reals]:
    """Displacement towards the local mean, rounding in it, scale-free residual, at each unknown.

    The sign of a displacement beyond its rounding is the sign of the exact one.
    """
    found = np.empty((3, unknown.size))
    for i in range(unknown.size):
        x = unknown[i]
        found[0, i], found[1, i], found[2, i] = _local(
            offsets, neighbours, lengths, u, x, u[x], p, game
        )
    return found[0], found[1], found[2]


@compiled
def relax(
    offsets: Vertices,
    neighbours: Vertices,
    lengths: Reals,
    u: Reals,
    unknown: Vertices,
    p: float,
    game: bool,
) -> None:
    """Set each unknown in turn to the mean of its neighbours; no sweep enlarges the error."""
    for x in unknown:
        low, high = np.inf, -np.inf
        for e in range(offsets[x], offsets[x + 1]):
            low, high = min(low, u[neighbours[e]]), max(high, u[neighbours[e]])
        m = min(max(u[x], low), high)
        for _ in range(60):
            if low >= high:
                break
            step, allowance, _ = _local(offsets, neighbours, lengths, u, x, m, p, game)
            if abs(step) <= allowance or m + step == m:
                break
            if step > 0.0:
                low = m
            else:
                high = m
            m = m + step if low < m + step < high else 0.5 * (low + high)
        u[x] = m


@compiled
def linearised(
    offsets: Vertices,
    neighbours: Vertices,
    lengths: Reals,
    u: Reals,
    unknown: Vertices,
    position: Vertices,
    p: float,
    game: bool,
    shift: float,
    noise: float,
) -> tuple[Vertices, Vertices, Reals, Reals]:
    """Rows of the identity minus the linearised mean on the unknowns, and the right-hand side.

    ``position`` numbers the unknowns, and is -1 elsewhere. Solving moves u, to first order, to
    where each mean exceeds the value by ``shift``. Differences below ``noise`` weigh alike.
    """
    size = unknown.size
    for x in unknown:
        size += offsets[x + 1] - offsets[x]
    start, columns = np.zeros(unknown.size + 1, np.int64), np.empty(size, np.int64)
    entries, right = np.empty(size), np.empty(unknown.size)
    place = 0
    for i in range(unknown.size):
        x = unknown[i]
        m = u[x] + shift
        right[i] = _local(offsets, neighbours, lengths, u, x, m, p, game)[0]
        columns[place], entries[place] = i, 1.0
        place += 1
        shares = _shares(offsets, neighbours, lengths, u, x, m, p, game, noise)
        for e in range(offsets[x], offsets[x + 1]):
            if position[neighbours[e]] >= 0:
                columns[place], entries[place] = position[neighbours[e]], -shares[e - offsets[x]]
                place += 1
        start[i + 1] = place
    return start, columns[:place], entries[:place], right


@compiled
def _shares(
    offsets: Vertices,
    neighbours: Vertices,
    lengths: Reals,
    u: Reals,
    x: int,
    m: float,
    p: float,
    game: bool,
    noise: float,
) -> Reals:
    """The weight of each neighbour in the linearised mean; they sum to one."""
    first, end = offsets[x], offsets[x + 1]
    shares = np.empty(end - first)
    steepest = 0.0
    for e in range(first, end):
        steepest = max(steepest, max(abs(u[neighbours[e]] - m), noise) / lengths[e])
    for e in range(first, end):
        power = 1.0
        if not game:
            relative = max(abs(u[neighbours[e]] - m), noise) / lengths[e] / steepest
            power = max(relative ** (p - 2.0), _LEAST_WEIGHT)
        shares[e - first] = power * (lengths[first] / lengths[e]) ** 2
    shares /= shares.sum()
    if game:
        up, down, _ = _steepest(offsets, neighbours, lengths, u, x)
        shares /= p - 1.0
        half = (p - 2.0) / (p - 1.0) / (lengths[up] + lengths[down])
        shares[up - first] += half * lengths[down]
        shares[down - first] += half * lengths[up]
    return shares
