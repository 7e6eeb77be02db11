"""The Lipschitz constant of labels, and the least and the greatest extension that has it."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rolltheory.action_gap.graph import Graph, as_graph
from rolltheory.action_gap.labels import as_labels
from rolltheory.errors import AssumptionError
from rolltheory.numerics.arguments import real_array

__all__ = ["Envelopes", "LipschitzConstant", "lipschitz_constant", "mcshane_whitney_envelopes"]

Flags = npt.NDArray[np.bool_]
Reals = npt.NDArray[np.float64]
Vertices = npt.NDArray[np.int64]


class LipschitzConstant(NamedTuple):
    """The steepest slope between two labels, in labels per length, and who attains it.

    ``pair`` names the higher and the lower vertex; None if all labels of a component are equal.
    """

    constant: float
    pair: tuple[Hashable, Hashable] | None


class Envelopes(NamedTuple):
    """The least and the greatest Lipschitz extension, shape (n,) each, and their constant."""

    lower: Reals
    upper: Reals
    lipschitz: float


def lipschitz_constant(graph: Any, labels: Any, *, lengths: Any = None) -> LipschitzConstant:
    r"""The Lipschitz constant of labels in the metric of the graph, and the pair that attains it.

    .. math:: L = \max_{b, c \in \Gamma} \frac{f(b) - f(c)}{\mathrm{dist}(b, c)}

    Exact labels, that is distances to a goal, have L = 1 or 0. Dinkelbach's iteration: the cones of
    one slope name the label that violates it most, and that pair has the next slope. It ends where
    cones that are rounded down are violated by none.

    Parameters
    ----------
    graph, labels, lengths : as for `amle`

    Returns
    -------
    LipschitzConstant
        Rounded up where it is no float.

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> lipschitz_constant([("g", "a"), ("a", "b")], {"g": 0.0, "a": 1.0, "b": 3.0})
    LipschitzConstant(constant=2.0, pair=('b', 'a'))
    """
    network = as_graph(graph, lengths=lengths)
    return _lipschitz(network, *as_labels(network, labels))


def mcshane_whitney_envelopes(
    graph: Any, labels: Any, *, lipschitz: float | None = None, lengths: Any = None
) -> Envelopes:
    r"""The least and the greatest extension of the labels with a given Lipschitz constant.

    .. math:: \max_{b \in \Gamma} f(b) - L\, \mathrm{dist}(x, b) \le u(x)
              \le \min_{b \in \Gamma} f(b) + L\, \mathrm{dist}(x, b)

    for every extension u with constant L, `amle` among them if L is that of the labels. With
    exact labels, the goal labelled and L = 1, the upper one is the distance to the goal.

    Parameters
    ----------
    graph, labels, lengths : as for `amle`
    lipschitz : float, optional
        L, in labels per length; by default that of the labels.

    Returns
    -------
    Envelopes
        Rounded outwards where they are no floats.

    Raises
    ------
    AssumptionError
        if two labels are steeper than ``lipschitz``; the pair is named.

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> envelopes = mcshane_whitney_envelopes([(0, 1), (1, 2), (2, 3)], {0: 0.0, 2: 1.0})
    >>> envelopes.lower, envelopes.upper, envelopes.lipschitz
    (array([0. , 0.5, 1. , 0.5]), array([0. , 0.5, 1. , 1.5]), 0.5)
    """
    network = as_graph(graph, lengths=lengths)
    labelled, values = as_labels(network, labels)
    if lipschitz is None:
        slope = _lipschitz(network, labelled, values).constant
    else:
        slope = float(real_array("lipschitz", lipschitz, at_least=0.0))
    upper = _cone(network, labelled, values, slope, 1.0)[0]
    if lipschitz is not None and (upper[labelled] < values[labelled]).any():
        constant, pair = _lipschitz(network, labelled, values)
        raise AssumptionError(
            f"the labels have a Lipschitz constant of at most {slope:g}",
            f"{constant:g}, between {pair[0]!r} and {pair[1]!r}" if pair else f"{constant:g}",
        )
    lower = -_cone(network, labelled, -values, slope, 1.0)[0]
    upper[labelled] = lower[labelled] = values[labelled]
    return Envelopes(lower, upper, slope)


def _cone(
    graph: Graph, labelled: Flags, values: Reals, slope: float, sign: float
) -> tuple[Reals, Reals, Vertices]:
    from rolltheory.action_gap._cone_kernels import label_cone

    edges = (graph.offsets, graph.neighbours, graph.lengths)
    return label_cone(*edges, labelled, values, slope, sign)


def _lipschitz(graph: Graph, labelled: Flags, values: Reals) -> LipschitzConstant:
    vertices = np.flatnonzero(labelled)
    constant, bump, pair = 0.0, 0.0, None
    while True:
        _, distance, origin = _cone(graph, labelled, values, constant, -1.0)
        high = vertices[origin[vertices] != vertices]
        if not high.size:
            return LipschitzConstant(constant, pair)
        slopes = (values[high] - values[origin[high]]) / distance[high]
        steepest = int(np.argmax(slopes))
        vertex = int(high[steepest])
        pair = (graph.name(vertex), graph.name(int(origin[vertex])))
        found = float(slopes[steepest])
        bump = 0.0 if found > constant else max(2 * bump, float(np.spacing(constant)))
        constant = max(found, constant + bump)
