"""How far given values are from the infinity-harmonic extension, without knowing it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rolltheory.action_gap.graph import Graph, as_graph
from rolltheory.action_gap.labels import as_labels
from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import real_array
from rolltheory.numerics.rounding import rounded_up

__all__ = ["amle_error_bound"]

Reals = npt.NDArray[np.float64]


class Steepness(NamedTuple):
    """Slopes of given values: the steepest at each vertex, how uneven, and along which edges."""

    steepest: Reals
    uneven: Reals
    upward: npt.NDArray[np.int64]
    downward: npt.NDArray[np.int64]


def amle_error_bound(graph: Any, labels: Any, values: Any, *, lengths: Any = None) -> float:
    r"""A bound on the error of given values as the infinity-harmonic extension of the labels.

    .. math:: \|u - u^*\|_\infty \le \sum_k \max_{x \in C_k} \max(D_k^+(x), D_k^-(x))

    The unlabelled vertices are ranked by their steepest slope and cut into rungs
    :math:`C_1, C_2, \dots` of nearly equal slope; :math:`s_k` is the steepest of rung k and
    :math:`D_k^\pm(x)` the sum of :math:`s_k \ell - |\Delta u|` along a path of steepest edges
    up (down) from x to a rung above or a label, or :math:`2 s_k` times the distance to the labels
    if that is less. Proof: let T hold the labels and all rungs above. The extension of u from T has
    slopes of at most :math:`s_k` outside T, because u itself has, so along the path it differs from
    u by at most D; and it differs from :math:`u^*` by at most the error on T, by comparison.

    Works for values from any solver. Linear in edges but for two sorts of the vertices.

    Parameters
    ----------
    graph, labels, lengths : as for `amle`
    values : array-like, shape (n,)
        Equal to the labels where there are any.

    Returns
    -------
    float
        Rounded up. Near zero only for nearly exact values.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> path = [(0, 1), (1, 2), (2, 3)]
    >>> amle_error_bound(path, {0: 0.0, 3: 3.0}, [0.0, 1.0, 2.0, 3.0]) < 1e-14
    True
    >>> amle_error_bound(path, {0: 0.0, 3: 3.0}, [0.0, 1.5, 2.0, 3.0]) >= 0.5
    True
    """
    network = as_graph(graph, lengths=lengths)
    labelled, given = as_labels(network, labels)
    numbers = real_array("values", values)
    if numbers.shape != labelled.shape:
        raise DomainError("values.shape", numbers.shape, f"({labelled.size},)")
    wrong = labelled & (numbers != given)
    if wrong.any():
        vertex = int(np.argmax(wrong))
        raise DomainError("values", numbers[vertex].item(), f"the label {given[vertex]:g}")
    return ladder_bound(network, labelled, numbers, steepness(network, numbers))


def steepness(graph: Graph, values: Reals) -> Steepness:
    """The slopes of the values, shape (n,) each; unevenness is zero for an exact extension."""
    from rolltheory.action_gap._ladder_kernels import slopes

    rise, fall, upward, downward = slopes(graph.offsets, graph.neighbours, graph.lengths, values)
    return Steepness(np.maximum(rise, fall), np.abs(rise - fall), upward, downward)


def ladder_bound(
    graph: Graph, labelled: npt.NDArray[np.bool_], values: Reals, steep: Steepness
) -> float:
    """`amle_error_bound` of checked arguments."""
    from rolltheory.action_gap._ladder_kernels import distance_to_labels

    reach = distance_to_labels(graph.offsets, graph.neighbours, graph.lengths, labelled)
    worst = rung_bounds(graph, labelled, values, steep, reach)
    return float(rounded_up(worst.sum(), values.size + 64))


def rung_bounds(
    graph: Graph,
    labelled: npt.NDArray[np.bool_],
    values: Reals,
    steep: Steepness,
    reach: Reals,
) -> Reals:
    """What each rung adds to the error, given the distances of the vertices from the labels.

    Relative roundings are left to the sum; those of differences are in the kernel.
    """
    from rolltheory.action_gap._ladder_kernels import rung_errors

    inner = np.flatnonzero(~labelled)
    if not inner.size:
        return np.zeros(0)
    ranked = inner[np.argsort(-steep.steepest[inner], kind="stable")]
    slope = steep.steepest[ranked]
    first = np.concatenate([[True], slope[:-1] - slope[1:] > steep.uneven[inner].max()])
    rungs = np.full(values.size, -1)
    rungs[ranked] = np.cumsum(first) - 1
    error = np.zeros(values.size)
    for edge, sign in ((steep.downward, 1.0), (steep.upward, -1.0)):
        order = inner[np.lexsort((sign * values[inner], rungs[inner]))]
        side = rung_errors(
            order, rungs, slope[first], edge, graph.neighbours, graph.lengths, values, reach, sign
        )
        error = np.maximum(error, side)
    return np.maximum.reduceat(error[ranked], np.flatnonzero(first))
