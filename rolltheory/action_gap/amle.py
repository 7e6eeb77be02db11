"""The absolutely minimal Lipschitz (infinity-harmonic) extension, solved exactly."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rolltheory.action_gap.extension import Extension
from rolltheory.action_gap.graph import Graph, as_graph
from rolltheory.action_gap.labels import as_labels
from rolltheory.action_gap.ladder import ladder_bound, steepness

__all__ = ["amle"]

_TOLERANCE = 1e-12  # of the range of the labels; paths nearer than this count as equally steep


def amle(graph: Any, labels: Any, *, lengths: Any = None) -> Extension:
    r"""The infinity-harmonic (absolutely minimal Lipschitz, lex-minimal) extension of the labels.

    .. math:: \max_{y \sim x} \frac{u(y) - u(x)}{\ell_{xy}}
              = \max_{y \sim x} \frac{u(x) - u(y)}{\ell_{xy}} \quad (x \notin \Gamma), \qquad
              u = f \text{ on } \Gamma

    On a unit-cost graph, u(x) is the mean of its largest and its smallest neighbour. The solution
    is unique as soon as every component holds a label. Found without iteration: the steepest
    paths between labels are fixed first, then the next steepest, by a quicksort on slopes.

    Parameters
    ----------
    graph : Graph, networkx graph, sparse matrix of lengths or edge list
    labels : mapping from vertex to value, or a pair (vertices, values)
    lengths : see `as_graph`
        Lengths, not conductances: a conductance w is to be given as 1 / w.

    Returns
    -------
    Extension
        ``residual`` is half the largest difference of the two sides above, in labels per length;
        ``error_bound`` is that of `amle_error_bound`.

    Raises
    ------
    DomainError
        for vertices that are not in the graph, or lengths that are not positive and finite.
    AssumptionError
        for contradictory labels, and for a component without a label, which has no unique solution.

    Notes
    -----
    Source: the lex-minimiser and its equality with this extension, arXiv 1505.00290; the error
    bound is derived here.

    Examples
    --------
    >>> amle([("left", "x"), ("x", "right")], {"left": 0.0, "right": 4.0}, lengths=[1, 3]).values
    array([0., 1., 4.])
    """
    network = as_graph(graph, lengths=lengths)
    labelled, values = as_labels(network, labels)
    _lex_minimise(network, labelled, values)
    return judged(network, labelled, values, "lex-minimiser")


def judged(
    graph: Graph,
    labelled: npt.NDArray[np.bool_],
    values: npt.NDArray[np.float64],
    method: str,
    error_bound: float = np.inf,
) -> Extension:
    """The extension with all that is known of its accuracy, and of a bound known before."""
    steep = steepness(graph, values)
    bound = min(error_bound, ladder_bound(graph, labelled, values, steep))
    drop = np.abs(values[graph.neighbours] - values[graph.sources])
    level = np.ones(values.size, dtype=bool)
    level[graph.sources[drop > 2 * bound]] = False
    residual = float(np.max(steep.uneven, initial=0.0, where=~labelled)) / 2
    return Extension(values, method, bound, residual, level & ~labelled)


def _lex_minimise(
    graph: Graph, labelled: npt.NDArray[np.bool_], values: npt.NDArray[np.float64]
) -> None:
    """Fill in the unlabelled values.

    Labels far from zero are moved there: else their rounding exceeds the tolerance, and paths that
    are equally steep outrun each other for ever.
    """
    from rolltheory.action_gap._amle_kernels import Network, lex_minimise

    known = values[labelled]
    least, width = float(known.min()), float(np.ptp(known))
    offset = least if np.abs(known).min() > width else 0.0  # labels within a factor 2: exact
    moved = values - offset
    unit_cost = np.array([graph.is_unit_cost])
    edges = (graph.offsets, graph.neighbours, graph.lengths)
    lex_minimise(Network(*edges, moved, labelled.copy(), unit_cost), _TOLERANCE * width)
    values[~labelled] = moved[~labelled] + offset
