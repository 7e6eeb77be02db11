"""How far a function on a graph is, at each vertex, from the equation of each extension."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rolltheory.action_gap.graph import Graph, as_graph
from rolltheory.errors import DomainError, UnsupportedError
from rolltheory.numerics.arguments import real_array

__all__ = ["DegreeCounts", "degree_counts", "operator_residuals", "operator_residuals_exact"]

Counts = npt.NDArray[np.int64]

_OPERATORS = ("midrange", "laplacian", "variational", "game")


class DegreeCounts(NamedTuple):
    """How many neighbours of each vertex lie lower, level and higher, each of shape (n,)."""

    lower: Counts
    level: Counts
    higher: Counts


def degree_counts(graph: Any, values: npt.ArrayLike, *, lengths: Any = None) -> DegreeCounts:
    r"""How many neighbours of each vertex have a smaller, an equal and a larger value.

    .. math:: n_-(x), \quad n_0(x), \quad n_+(x)

    Of the true cost-to-go on a unit-cost graph, :math:`n_+ \ge 1` says that a geodesic extends
    beyond x, and :math:`n_+ = n_-` that the cost-to-go is harmonic there.

    Parameters
    ----------
    graph : Graph, networkx graph, sparse matrix of lengths or edge list
    values : array-like, shape (n,)
    lengths : see `as_graph`

    Returns
    -------
    DegreeCounts of int64, shape (n,)

    Notes
    -----
    Source: arXiv 2605.19185, Proposition 3.10 and Corollary 3.11, uses them.

    Examples
    --------
    >>> degree_counts([(0, 1), (1, 2), (1, 3)], [0, 1, 2, 1]).higher
    array([1, 1, 0, 0])
    """
    network = as_graph(graph, lengths=lengths)
    u = _values(network, values)
    change = u[network.neighbours] - u[network.sources]
    return DegreeCounts(
        *(
            np.bincount(network.sources, chosen, minlength=u.size).astype(np.int64)
            for chosen in (change < 0, change == 0, change > 0)
        )
    )


def operator_residuals(
    graph: Any, values: npt.ArrayLike, *, operator: str, p: float | None = None, lengths: Any = None
) -> npt.NDArray[np.float64]:
    r"""What each operator leaves of a function u; zero where u satisfies the equation.

    .. math::

        \text{midrange:}\quad & \tfrac12 (\max_y u(y) + \min_y u(y)) - u(x) \\
        \text{laplacian:}\quad & \textstyle\sum_y (u(y) - u(x)) \\
        \text{variational:}\quad & \textstyle\sum_y |u(y) - u(x)|^{p-2} (u(y) - u(x)) \\
        \text{game:}\quad & \alpha \operatorname{mean}_y (u(y) - u(x))
            + (1 - \alpha) \text{ midrange}, \qquad \alpha = \frac{1}{p-1}

    over the neighbours y of x, on a unit-cost graph. At a vertex x other than the goal, the true
    cost-to-go leaves under midrange 0 if :math:`n_+ \ge 1`, -1/2 if :math:`n_+ = 0 < n_0`, and -1
    if :math:`n_+ = n_0 = 0`; under the laplacian and under the variational operator of every p it
    leaves :math:`n_+ - n_-`: no finite p repairs the incompatibility.

    Parameters
    ----------
    graph : Graph, networkx graph, sparse matrix or edge list
        Unit cost, every vertex with a neighbour.
    values : array-like, shape (n,)
    operator : "midrange", "laplacian", "variational" or "game"
    p : float from 2, only for the last two
    lengths : see `as_graph`

    Returns
    -------
    float64, shape (n,)

    Raises
    ------
    UnsupportedError
        for a graph that is not unit cost.

    Notes
    -----
    Source: arXiv 2605.19185, Proposition 3.10 and Corollary 3.11; the table derived here.

    Examples
    --------
    >>> path, d = [(0, 1), (1, 2)], [0, 1, 2]
    >>> operator_residuals(path, d, operator="midrange")
    array([ 1.,  0., -1.])
    >>> operator_residuals(path, d, operator="variational", p=16)
    array([ 1.,  0., -1.])
    """
    network = _unit_cost(graph, lengths)
    u = _values(network, values)
    needs_p = operator in ("variational", "game")
    if operator not in _OPERATORS:
        raise DomainError("operator", operator, f"one of {', '.join(_OPERATORS)}")
    if needs_p != (p is not None) or not (p is None or p >= 2):
        raise DomainError("p", p, "a number from 2" if needs_p else f"None for {operator}")
    starts = network.offsets[:-1]
    change = u[network.neighbours] - u[network.sources]
    if operator in ("laplacian", "variational"):
        power = 0.0 if p is None else p - 2.0
        return np.add.reduceat(np.abs(change) ** power * change, starts)
    middle = (np.maximum.reduceat(change, starts) + np.minimum.reduceat(change, starts)) / 2
    if p is None:
        return middle
    mean = np.add.reduceat(change, starts) / np.diff(network.offsets)
    return (mean + (p - 2) * middle) / (p - 1)


def operator_residuals_exact(
    graph: Any, values: Any, *, operator: str, p: int | None = None, lengths: Any = None
) -> tuple[Fraction, ...]:
    """The residuals in rationals, for a whole number p; values count as the rationals they are.

    Examples
    --------
    >>> operator_residuals_exact([(0, 1), (1, 2)], [0, 1, 2], operator="game", p=4)
    (Fraction(1, 1), Fraction(0, 1), Fraction(-1, 1))
    """
    network = _unit_cost(graph, lengths)
    u = [Fraction(value) for value in values]
    operator_residuals(network, [float(value) for value in u], operator=operator, p=p)
    ends = network.offsets.tolist()
    found = []
    for x, value in enumerate(u):
        change = [u[y] - value for y in network.neighbours[ends[x] : ends[x + 1]].tolist()]
        middle = (max(change) + min(change)) / 2
        if operator in ("laplacian", "variational"):
            power = 0 if p is None else Fraction(p) - 2
            found.append(sum((abs(c) ** power * c for c in change if c), Fraction(0)))
        elif p is None:
            found.append(middle)
        else:
            mean = sum(change, Fraction(0)) / len(change)
            found.append((mean + (Fraction(p) - 2) * middle) / (Fraction(p) - 1))
    return tuple(found)


def _unit_cost(graph: Any, lengths: Any) -> Graph:
    network = as_graph(graph, lengths=lengths)
    if not network.is_unit_cost:
        raise UnsupportedError("a graph with lengths", "the operators are stated at unit cost")
    if not (np.diff(network.offsets) > 0).all():
        alone = network.name(int(np.argmin(np.diff(network.offsets))))
        raise DomainError("vertex without a neighbour", alone, "an edge at every vertex")
    return network


def _values(network: Graph, values: npt.ArrayLike) -> npt.NDArray[np.float64]:
    u = real_array("values", values)
    if u.shape != (network.vertex_count,):
        raise DomainError("values.shape", u.shape, f"({network.vertex_count},), one per vertex")
    return u
