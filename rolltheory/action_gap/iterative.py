"""Infinity-harmonic extensions by iteration, between a lower and an upper iterate."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from rolltheory.action_gap.amle import judged
from rolltheory.action_gap.extension import Extension
from rolltheory.action_gap.graph import Graph, as_graph
from rolltheory.action_gap.labels import as_labels
from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import integer_array, positive_array

__all__ = ["IterativeMethod", "iterative_amle"]

IterativeMethod = Literal["gauss-seidel", "over-relaxed", "work-list"]
Flags = npt.NDArray[np.bool_]
Reals = npt.NDArray[np.float64]

_RELAXATION = 1.8  # between 1, which is Gauss-Seidel, and 2, where it diverges


def iterative_amle(
    graph: Any,
    labels: Any,
    *,
    method: IterativeMethod = "work-list",
    tolerance: float = 1e-8,
    max_sweeps: int = 10_000,
    lengths: Any = None,
) -> Extension:
    r"""The infinity-harmonic extension by iteration, for comparison with the exact `amle`.

    .. math:: v \le u^* \le w, \qquad \|\tfrac12 (v + w) - u^*\|_\infty
              \le \tfrac12 \max_x (w(x) - v(x))

    "gauss-seidel" and "work-list" move a lower iterate v up from the least label and an upper one
    w down from the greatest; both are rounded away from the solution, so that the bound holds in
    floating point. "over-relaxed" moves one iterate, from the mean label, with factor 1.8;
    nothing keeps that on one side, and its bound is that of `amle_error_bound` alone.

    Parameters
    ----------
    graph, labels, lengths : as for `amle`
    method : "work-list", "gauss-seidel" or "over-relaxed"
    tolerance : float
        Stop at this error, in the unit of the labels; "over-relaxed" stops at a residual of this
        size, which bounds no error.
    max_sweeps : int
        Stop after so many updates of every vertex, whatever the error then is.

    Returns
    -------
    Extension
        ``error_bound`` says what was reached: it exceeds ``tolerance`` if the sweeps ran out.

    Notes
    -----
    Source: known; monotone iteration between sub- and supersolutions.

    Examples
    --------
    >>> found = iterative_amle([(0, 1), (1, 2), (2, 3)], {0: 0.0, 3: 3.0})
    >>> found.values.round(6), found.error_bound <= 1e-8
    (array([0., 1., 2., 3.]), True)
    """
    network = as_graph(graph, lengths=lengths)
    labelled, values = as_labels(network, labels)
    precision = float(positive_array("tolerance", tolerance))
    sweeps = int(integer_array("max_sweeps", max_sweeps, at_least=1))
    if method == "over-relaxed":
        _over_relaxed(network, labelled, values, precision, sweeps)
        return judged(network, labelled, values, "over-relaxed midrange iteration")
    if method not in ("gauss-seidel", "work-list"):
        raise DomainError("method", method, "'gauss-seidel', 'over-relaxed' or 'work-list'")
    sides = _start(labelled, values)
    run = _gauss_seidel if method == "gauss-seidel" else _work_list
    run(network, labelled, sides, precision, sweeps)
    middle = sides[0] + (sides[1] - sides[0]) / 2
    width = float(np.maximum(sides[1] - middle, middle - sides[0]).max()) * (1 + 2.0**-50)
    return judged(network, labelled, middle, f"{method} midrange iteration", width)


def _start(labelled: Flags, values: Reals) -> tuple[Reals, Reals]:
    known = values[labelled]
    lower, upper = np.where(labelled, values, known.min()), np.where(labelled, values, known.max())
    return lower, upper


def _scale(values: Reals) -> float:
    return float(np.abs(values).max())


def _gauss_seidel(
    graph: Graph, labelled: Flags, sides: tuple[Reals, Reals], tolerance: float, sweeps: int
) -> None:
    from rolltheory.action_gap._iteration_kernels import sweep

    edges = (graph.offsets, graph.neighbours, graph.lengths)
    free = np.flatnonzero(~labelled)
    scale = max(_scale(sides[0]), _scale(sides[1]))
    for _ in range(sweeps):
        changes = [
            sweep(*edges, free, values, side, scale)
            for values, side in zip(sides, (1.0, -1.0), strict=True)
        ]
        if max(changes) == 0.0 or (sides[1] - sides[0]).max() <= 2 * tolerance:
            return


def _work_list(
    graph: Graph, labelled: Flags, sides: tuple[Reals, Reals], tolerance: float, sweeps: int
) -> None:
    from rolltheory.action_gap._iteration_kernels import work_off

    edges = (graph.offsets, graph.neighbours, graph.lengths)
    scale = max(_scale(sides[0]), _scale(sides[1]))
    left, threshold = sweeps * labelled.size, tolerance
    while left > 0 and (sides[1] - sides[0]).max() > 2 * tolerance and threshold > 0.0:
        threshold = threshold / 10 if threshold > scale * 2.0**-52 else 0.0
        half = left // 2 + 1
        used = sum(
            half - work_off(*edges, labelled, values, side, scale, threshold, half)
            for values, side in zip(sides, (1.0, -1.0), strict=True)
        )
        left -= used


def _over_relaxed(
    graph: Graph, labelled: Flags, values: Reals, tolerance: float, sweeps: int
) -> None:
    from rolltheory.action_gap._iteration_kernels import over_relax

    edges = (graph.offsets, graph.neighbours, graph.lengths)
    free = np.flatnonzero(~labelled)
    values[free] = values[labelled].mean()
    for _ in range(sweeps):
        if over_relax(*edges, free, values, _RELAXATION) <= tolerance:
            return
