"""The one-inclusion hypergraph of rows: its densest part and its orientations, by flows."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from rolltheory.dimension.classes import Codes
from rolltheory.dimension.lines import lines_of
from rolltheory.errors import UnsupportedError

__all__ = ["Hypergraph", "densest_part", "hypergraph", "shares_within"]

_LARGEST_CAPACITY = 2**31 - 1  # scipy's flows are 32 bits wide


class Hypergraph(NamedTuple):
    """Rows as vertices, and the lines with two members or more as hyperedges.

    Parameters
    ----------
    vertices : int
    edges : int64, shape (incidences, 2)
        Pairs (hyperedge, vertex), by hyperedge; hyperedges are numbered by direction first.
    directions : int64, shape (hyperedges,)
    sizes : int64, shape (hyperedges,)
    """

    vertices: int
    edges: Codes
    directions: Codes
    sizes: Codes

    @property
    def degrees(self) -> Codes:
        """Hyperedges through each vertex, shape (vertices,)."""
        return np.bincount(self.edges[:, 1], minlength=self.vertices)


def hypergraph(codes: Codes) -> Hypergraph:
    """The one-inclusion hypergraph of distinct rows.

    >>> hypergraph(np.array([[0, 0], [0, 1], [1, 1]])).edges.tolist()
    [[0, 1], [0, 2], [1, 0], [1, 1]]
    """
    numbers, sizes = lines_of(codes)
    kept = sizes >= 2
    renumbered = np.cumsum(kept) - 1
    lines, vertices = numbers.T.ravel(), np.tile(np.arange(len(codes)), codes.shape[1])
    order = np.argsort(lines, kind="stable")
    order = order[kept[lines[order]]]
    edges = np.stack([renumbered[lines[order]], vertices[order]], axis=1)
    directions = np.repeat(np.arange(codes.shape[1]), numbers.max(axis=0) - numbers.min(axis=0) + 1)
    return Hypergraph(len(codes), edges, directions[kept], sizes[kept])


def densest_part(graph: Hypergraph) -> tuple[Fraction, Codes]:
    """The largest excess per vertex, and the vertices of a part that attains it.

    Each round asks a flow whether a part is denser than the last one; two to five rounds do.

    >>> densest_part(hypergraph(np.array([[0, 0], [0, 1], [2, 2]])))
    (Fraction(1, 2), array([0, 1]))
    """
    chosen = np.arange(graph.vertices)
    while True:
        inside = np.isin(graph.edges[:, 1], chosen)
        members = np.bincount(graph.edges[inside, 0])
        value = Fraction(int(np.maximum(members - 1, 0).sum()), chosen.size)
        denser = _denser_part(graph, value)
        if not denser.size:
            return value, chosen
        chosen = denser


def shares_within(graph: Hypergraph, out_degree: Fraction) -> Codes | None:
    """Shares of heads in units of one over the denominator, one for each row of ``graph.edges``.

    None if some vertex would miss more than the out-degree. A vertex of degree g needs heads that
    sum to g less the out-degree; what none needs, the first member gets.

    >>> shares_within(hypergraph(np.array([[0, 0], [0, 1], [1, 1]])), Fraction(1))
    array([1, 0, 1, 0])
    """
    p, q = out_degree.numerator, out_degree.denominator
    demands = np.maximum(graph.degrees * q - p, 0)
    amounts = np.zeros(len(graph.edges), dtype=np.int64)
    if demands.any():
        _, flow = _served(graph, demands, q)
        edges, vertices = graph.edges.T
        amounts += np.asarray(flow[vertices, graph.vertices + edges]).ravel()
        if amounts.sum() < demands.sum():
            return None
    first = np.cumsum(graph.sizes) - graph.sizes
    amounts[first] += q - np.add.reduceat(amounts, first) if first.size else 0
    return amounts


def _denser_part(graph: Hypergraph, density: Fraction) -> Codes:
    """The vertices of a part that is denser, none if there is none.

    At density p / q the part is denser if its members' demands, q times the degree less p, sum to
    more than q for each hyperedge that they meet; a minimum cut finds where the difference is
    largest.
    """
    p, q = density.numerator, density.denominator
    demands = np.maximum(graph.degrees * q - p, 0)
    network, flow = _served(graph, demands, q)
    residual = (network - flow).tocsr()
    residual.data = np.maximum(residual.data, 0)
    residual.eliminate_zeros()
    if not residual[[_source(graph)]].nnz:
        return np.empty(0, dtype=np.int64)
    from scipy.sparse.csgraph import breadth_first_order

    reached = breadth_first_order(residual, _source(graph), return_predecessors=False)
    return np.sort(reached[reached < graph.vertices]).astype(np.int64)


def _source(graph: Hypergraph) -> int:
    """The node of the flow behind those of the vertices and the hyperedges."""
    return graph.vertices + graph.sizes.size


def _served(graph: Hypergraph, demands: Codes, capacity: int) -> tuple[Any, Any]:
    """A network from the source through vertices and hyperedges to a sink, and a largest flow.

    A vertex is sent what it demands, and each hyperedge passes on no more than its capacity.
    """
    if max(int(demands.max(initial=0)), capacity) > _LARGEST_CAPACITY:
        raise UnsupportedError(
            f"a hypergraph of {graph.vertices} hypotheses",
            f"hypotheses times points must stay below {_LARGEST_CAPACITY}",
        )
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_flow

    count, source = graph.sizes.size, _source(graph)
    edges, vertices = graph.edges.T
    behind = graph.vertices + np.arange(count)
    start = np.concatenate([np.full(graph.vertices, source), vertices, behind])
    end = np.concatenate(
        [np.arange(graph.vertices), graph.vertices + edges, np.full(count, source + 1)]
    )
    limits = np.concatenate([demands, np.full(len(edges) + count, capacity)]).astype(np.int32)
    network = csr_array((limits, (start, end)), shape=(source + 2, source + 2))
    return network, maximum_flow(network, source, source + 1).flow
