"""Extensions whose values are local means of their neighbours: one solver, one certificate."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csc_array, csr_array, diags_array
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import cg, splu

from rolltheory.action_gap.extension import Extension
from rolltheory.action_gap.graph import Graph, as_graph
from rolltheory.action_gap.labels import as_labels
from rolltheory.errors import UnsupportedError
from rolltheory.numerics.rounding import rounded_up

__all__ = ["TOLERANCE", "LocalMean", "extension"]

Flags = npt.NDArray[np.bool_]
Reals = npt.NDArray[np.float64]
Vertices = npt.NDArray[np.int64]

TOLERANCE = 1e-9
"""The largest scale-free residual that is accepted, where rounding of the values allows it."""

_UNIT = 2.0**-52
_STEPS = 10  # at an exponent on the way, which need not be solved to the end
_LAST_STEPS = 100
_SWEEPS = 16  # at most, between steps that do not help
_ITERATED_FROM = 50_000  # unknowns of a symmetric system; fewer are factorised faster
_MARGINS = (2.0**-48, 2.0**-42, 2.0**-36)  # of the largest label


@dataclass(frozen=True)
class LocalMean:
    """The p-mean that solves the local problem: variational, or of the game."""

    p: float
    game: bool


@dataclass(frozen=True, eq=False)
class Problem:
    """Labels on a graph, without the vertices whose value is plain.

    ``kept`` are the vertices that no other one cuts off from the labels; ``offsets``,
    ``neighbours`` and ``lengths`` the graph on them, ``start`` their values, mid-range of the
    labels around where they are ``unknown``, ``low`` and ``high`` the labels' range there.
    """

    offsets: Vertices
    neighbours: Vertices
    lengths: Reals
    start: Reals
    unknown: Vertices
    low: Reals
    high: Reals
    kept: Vertices
    attached: Vertices

    @classmethod
    def of(cls, graph: Graph, labelled: Flags, values: Reals) -> Problem:
        """Set aside what hangs on one vertex, and the regions whose labels all agree."""
        from rolltheory.action_gap._p_laplacian_kernels import attachments

        attached = attachments(graph.offsets, graph.neighbours, labelled)
        kept = np.flatnonzero(attached == np.arange(attached.size))
        matrix = graph.matrix
        if kept.size < attached.size:
            matrix = csr_array(matrix[kept][:, kept])
        start, inside = values[kept], ~labelled[kept]
        low, high = _label_ranges(matrix, start, inside)
        start[inside] = (0.5 * low + 0.5 * high)[inside]
        unknown = np.flatnonzero(inside & (low < high))
        return cls(
            matrix.indptr.astype(np.int64),
            matrix.indices.astype(np.int64),
            np.ldexp(matrix.data, -int(np.frexp(_shortest(graph))[1])),
            start,
            unknown,
            low[unknown],
            high[unknown],
            kept,
            attached,
        )

    @cached_property
    def position(self) -> Vertices:
        """The number of each kept vertex among the unknowns, or -1."""
        position = np.full(self.start.size, -1)
        position[self.unknown] = np.arange(self.unknown.size)
        return position

    @cached_property
    def scale(self) -> float:
        """The largest value that a label can give."""
        return float(np.abs(self.start).max())

    def everywhere(self, u: Reals) -> Reals:
        """Values of all vertices of the graph from those of the kept ones."""
        values = np.empty(self.attached.size)
        values[self.kept] = u
        return values[self.attached]

    def defects(self, u: Reals, mean: LocalMean) -> tuple[Reals, Reals, Reals]:
        """Displacement, its rounding and the scale-free residual at each unknown."""
        from rolltheory.action_gap._p_laplacian_kernels import defects

        graph = (self.offsets, self.neighbours, self.lengths)
        return defects(*graph, u, self.unknown, float(mean.p), mean.game)

    def residual(self, u: Reals, mean: LocalMean) -> float:
        """The largest scale-free residual that is more than a rounding of the values."""
        displacement, _, relative = self.defects(u, mean)
        beyond = ~(np.abs(displacement) <= 4 * _UNIT * self.scale)  # so that NaN counts
        return float(relative[beyond].max(initial=0.0))

    def relax(self, u: Reals, mean: LocalMean, order: Vertices) -> None:
        """One sweep in place."""
        from rolltheory.action_gap._p_laplacian_kernels import relax

        relax(self.offsets, self.neighbours, self.lengths, u, order, float(mean.p), mean.game)

    def newton(self, u: Reals, mean: LocalMean, noise: float, shift: float = 0.0) -> Reals:
        """The step that solves the linearised equations, mean = value + shift.

        Differences below ``noise`` weigh alike: they are not known well enough to take powers of.
        """
        from rolltheory.action_gap._p_laplacian_kernels import linearised

        graph = (self.offsets, self.neighbours, self.lengths)
        where = (u, self.unknown, self.position)
        rows = linearised(*graph, *where, float(mean.p), mean.game, shift, noise)
        if mean.p == 2 and self.unknown.size > _ITERATED_FROM:
            step = self._iterated(*rows)
            if step is not None:
                return step
        return _factorised(*rows)

    def _iterated(
        self, start: Vertices, columns: Vertices, entries: Reals, right: Reals
    ) -> Reals | None:
        """Conjugate gradients on the rows times their total weight, which are symmetric."""
        weight = np.add.reduceat(self.lengths**-2.0, self.offsets[:-1])[self.unknown]
        size = self.unknown.size
        matrix = csr_array(
            (entries * np.repeat(weight, np.diff(start)), columns, start), (size,) * 2
        )
        preconditioner = diags_array(1.0 / weight)
        step, failed = cg(matrix, weight * right, rtol=1e-12, maxiter=1000, M=preconditioner)
        return None if failed else step


def extension(graph: Any, labels: Any, mean: LocalMean, *, lengths: Any) -> Extension:
    """The extension of the labels of which every unlabelled value is that mean."""
    network = as_graph(graph, lengths=lengths)
    labelled, given = as_labels(network, labels)
    problem = Problem.of(network, labelled, given)
    u, residual, error = _solved(problem, mean)
    values = problem.everywhere(u)
    difference = np.abs(values[network.neighbours] - values[network.sources])
    moving = difference > 2 * (4 * _UNIT * problem.scale if error is None else error)
    level = np.bincount(network.sources, moving, minlength=values.size) == 0
    kind = "game" if mean.game else "variational"
    method = f"{kind} p-Laplacian, p = {mean.p:g}: Newton's method on scale-free local means"
    return Extension(values, method, error, residual, level & ~labelled)


def _solved(problem: Problem, mean: LocalMean) -> tuple[Reals, float, float | None]:
    """Values on the kept vertices, their residual, and a bound on their error if one is found.

    Newton steps, each followed by a sweep of exact local means, along exponents whose distance
    from 1 doubles. A Newton step sees the large scale, a sweep the flat regions.
    """
    u = problem.start.copy()
    if not problem.unknown.size:
        return u, 0.0, 0.0
    p = 2.0
    residual = _approached(problem, u, LocalMean(p, mean.game), p < mean.p)
    while p < mean.p:
        p = min(2.0 * p - 1.0, mean.p)
        residual = _approached(problem, u, LocalMean(p, mean.game), p < mean.p)
    if not residual <= TOLERANCE:
        raise UnsupportedError(
            f"a p-harmonic extension with p = {mean.p:g} on these labels",
            f"after {_LAST_STEPS} steps the scale-free residual is still {residual:.3g}, not "
            f"{TOLERANCE:g}; a smaller p, or amle, its limit, is solved exactly",
        )
    return u, residual, _error_bound(problem, u, mean)


def _approached(problem: Problem, u: Reals, mean: LocalMean, passing: bool) -> float:
    """Improve u in place until the residual is small, less so if only passing; the residual."""
    residual, sweeps, noise = np.inf, 1, 2.0**-12
    for _ in range(_STEPS if passing else _LAST_STEPS):
        moved = u[problem.unknown] + problem.newton(u, mean, noise * problem.scale)
        u[problem.unknown] = np.clip(moved, problem.low, problem.high)
        for sweep in range(sweeps):
            problem.relax(u, mean, problem.unknown[:: -1 if sweep % 2 else 1])
        before, residual = residual, problem.residual(u, mean)
        if residual <= (0.1 if passing else TOLERANCE):
            break
        if residual > before / 2:
            sweeps = min(2 * sweeps, _SWEEPS)
        noise = max(noise / 16, 16 * _UNIT)
    return residual


def _error_bound(problem: Problem, u: Reals, mean: LocalMean) -> float | None:
    """How far u can be from a proven sub-solution and a proven super-solution; None without."""
    for margin in _MARGINS:
        shift = margin * problem.scale
        below, above = (_one_sided(problem, u, mean, signed) for signed in (shift, -shift))
        if below is not None and above is not None:
            return float(rounded_up(max(np.abs(below - u).max(), np.abs(above - u).max()), 4))
    return None


def _one_sided(problem: Problem, u: Reals, mean: LocalMean, shift: float) -> Reals | None:
    """Values near u that every local mean exceeds, by about the shift, beyond all rounding.

    With a negative shift: that every local mean falls short of. By the comparison principle no
    such values lie above (below) the extension.
    """
    side = u.copy()
    for _ in range(10):
        try:
            side[problem.unknown] += problem.newton(side, mean, 64 * abs(shift), shift)
        except UnsupportedError:
            break
        displacement, rounding, _ = problem.defects(side, mean)
        if (np.sign(shift) * displacement >= rounding).all():
            return side
    return None


def _factorised(start: Vertices, columns: Vertices, entries: Reals, right: Reals) -> Reals:
    """Sparse LU without pivoting, which dominant diagonals do not need."""
    rows = (entries, columns.astype(np.int32), start.astype(np.int32))
    matrix = csc_array(csr_array(rows, (right.size, right.size)))
    try:
        factors = splu(
            matrix,
            permc_spec="MMD_AT_PLUS_A",
            diag_pivot_thresh=0.0,
            options={"SymmetricMode": True},
        )
    except (MemoryError, RuntimeError) as error:
        raise UnsupportedError("an extension with these lengths and labels", str(error)) from None
    return np.asarray(factors.solve(right))


def _shortest(graph: Graph) -> float:
    """The unit in which lengths are near 1; any does without edges."""
    return float(graph.lengths.min()) if graph.lengths.size else 1.0


def _label_ranges(
    matrix: csr_array[np.float64], values: Reals, inside: Flags
) -> tuple[Reals, Reals]:
    """The least and the greatest label around the region of each vertex inside."""
    low, high = values.copy(), values.copy()
    numbers = np.flatnonzero(inside)
    count, region = connected_components(matrix[numbers][:, numbers], directed=False)
    sources = np.repeat(np.arange(inside.size), np.diff(matrix.indptr))
    rim = inside[sources] & ~inside[matrix.indices]
    around = np.full(inside.size, -1)
    around[numbers] = region
    least, most = np.full(count, np.inf), np.full(count, -np.inf)
    np.minimum.at(least, around[sources[rim]], values[matrix.indices[rim]])
    np.maximum.at(most, around[sources[rim]], values[matrix.indices[rim]])
    low[numbers], high[numbers] = least[region], most[region]
    return low, high
