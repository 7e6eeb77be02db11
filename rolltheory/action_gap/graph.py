"""Undirected graphs with edge lengths, from whatever form a caller holds them in."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_array, csr_array, issparse

from rolltheory.errors import AssumptionError, DomainError, UnsupportedError
from rolltheory.numerics.arguments import integer_array

__all__ = [
    "Graph",
    "as_graph",
    "graph_from_array",
    "graph_from_edges",
    "graph_from_networkx",
    "graph_from_sparse",
]

Vertices: TypeAlias = npt.NDArray[np.int64]
Reals: TypeAlias = npt.NDArray[np.float64]

_UNDIRECTED = (
    "every statement here needs an undirected graph; on a directed one the infinity-harmonic "
    "extension is still unique if each vertex has a directed path to a label, but exact labels "
    "then bound it neither from above nor at the labels, so no rollout is certified"
)


@dataclass(frozen=True, eq=False, repr=False)
class Graph:
    """An undirected graph in symmetric compressed rows, without loops and parallel edges.

    Parameters
    ----------
    offsets : int64, shape (n + 1,)
        The edges of vertex x stand at ``offsets[x]:offsets[x + 1]``.
    neighbours : int64, shape (2m,)
        Ascending within each row.
    lengths : float64, shape (2m,)
        Positive lengths, in the unit of the labels. A longer edge is a weaker link: a conductance
        w stands for the length 1 / w.
    names : tuple of n hashables, optional
        What the caller calls the vertices; None if they are called 0 .. n - 1.

    Examples
    --------
    >>> graph_from_edges([("goal", "door"), ("door", "room")])
    Graph(3 vertices, 2 edges, unit cost)
    """

    offsets: Vertices
    neighbours: Vertices
    lengths: Reals
    names: tuple[Hashable, ...] | None = None

    @property
    def vertex_count(self) -> int:
        """Number of vertices, n."""
        return self.offsets.size - 1

    @property
    def edge_count(self) -> int:
        """Number of undirected edges, m."""
        return self.neighbours.size // 2

    @cached_property
    def is_unit_cost(self) -> bool:
        """Whether every edge has length one."""
        return bool((self.lengths == 1.0).all())

    @cached_property
    def sources(self) -> Vertices:
        """The vertex whose row each stored edge stands in, shape (2m,)."""
        return np.repeat(np.arange(self.vertex_count), np.diff(self.offsets))

    @cached_property
    def matrix(self) -> csr_array[np.float64]:
        """The lengths as a sparse matrix, shape (n, n), sharing memory."""
        shape = (self.vertex_count, self.vertex_count)
        return csr_array((self.lengths, self.neighbours, self.offsets), shape=shape)

    @cached_property
    def _positions(self) -> dict[Hashable, int]:
        return {name: number for number, name in enumerate(self.names or ())}

    def name(self, vertex: int) -> Hashable:
        """What the caller calls the vertex of this number."""
        return int(vertex) if self.names is None else self.names[vertex]

    def numbers(self, vertices: Iterable[Hashable]) -> Vertices:
        """The numbers of the vertices that the caller calls so.

        >>> graph_from_edges([("goal", "door"), ("door", "room")]).numbers(["room", "goal"])
        array([2, 0])

        Raises
        ------
        DomainError
            if one of them is not in the graph.
        """
        if self.names is None:
            given = vertices if isinstance(vertices, np.ndarray) else np.array(list(vertices))
            if not given.size:
                return np.empty(0, dtype=np.int64)
            return integer_array("vertex", given, at_least=0, at_most=self.vertex_count - 1)
        try:
            return np.array([self._positions[vertex] for vertex in vertices], dtype=np.int64)
        except (KeyError, TypeError) as error:
            raise DomainError("vertex", error.args[0], "vertices of the graph") from None

    def __repr__(self) -> str:
        cost = "unit cost" if self.is_unit_cost else "with lengths"
        return f"Graph({self.vertex_count} vertices, {self.edge_count} edges, {cost})"


def as_graph(graph: Any, *, lengths: Any = None) -> Graph:
    """The `Graph` of a Graph, a networkx graph, a sparse matrix of lengths or an edge list.

    Parameters
    ----------
    graph : Graph, networkx graph, scipy sparse matrix, or edges (pairs of vertices)
    lengths : array-like of m lengths for an edge list, an edge attribute for a networkx graph
        None means unit cost. A Graph and a matrix carry their lengths: there it must be None.
        These are lengths: a conductance w is to be given as 1 / w.

    Examples
    --------
    >>> as_graph([(0, 1), (1, 2)], lengths=[1.0, 3.0])
    Graph(3 vertices, 2 edges, with lengths)
    """
    if isinstance(graph, Graph) or issparse(graph):
        if lengths is not None:
            raise DomainError("lengths", lengths, "None, because this graph carries its lengths")
        return graph if isinstance(graph, Graph) else graph_from_sparse(graph)
    if hasattr(graph, "is_directed"):
        return graph_from_networkx(graph, length=lengths)
    return graph_from_edges(graph, lengths=lengths)


def graph_from_edges(edges: Any, *, lengths: Any = None, vertex_count: int | None = None) -> Graph:
    """The graph of undirected edges; unit cost without lengths.

    Parameters
    ----------
    edges : array-like, shape (m, 2), or pairs of hashables
        Integers are vertex numbers; any other names are numbered as they first appear. An edge may
        stand there twice (in either direction) if its lengths agree.
    lengths : array-like, shape (m,), optional
        Finite and positive; not conductances, which are their inverses.
    vertex_count : int, optional
        Number of vertices if they are numbers, at least the greatest number plus one (the default).

    Raises
    ------
    DomainError
        for self-loops, contradictory lengths, and lengths that are not finite and positive.

    Examples
    --------
    >>> graph_from_edges([(0, 1), (1, 2), (2, 1)]).neighbours
    array([1, 0, 2, 1])
    """
    pairs, names = _numbered(edges)
    if names is None:
        least = int(pairs.max()) + 1 if pairs.size else 0
        count = least if vertex_count is None else vertex_count
        if not least <= count:
            raise DomainError("vertex_count", vertex_count, f"at least {least}")
    elif vertex_count is not None:
        raise DomainError("vertex_count", vertex_count, "None, because the vertices have names")
    else:
        count = len(names)
    if lengths is None:
        sizes = np.ones(len(pairs))
    else:
        sizes = _checked_lengths(lengths)
        if sizes.shape != (len(pairs),):
            raise DomainError("lengths.shape", sizes.shape, f"({len(pairs)},), one for each edge")
    return _assembled(pairs, sizes, count, names)


def graph_from_networkx(graph: Any, *, length: str | None = None) -> Graph:
    """The graph of a networkx graph; the edge attribute ``length`` holds lengths, else unit cost.

    Examples
    --------
    >>> import networkx
    >>> graph_from_networkx(networkx.path_graph(4))
    Graph(4 vertices, 3 edges, unit cost)
    """
    if graph.is_directed():
        raise UnsupportedError("a directed graph", _UNDIRECTED)
    names = tuple(graph.nodes)
    position = {name: number for number, name in enumerate(names)}
    pairs = np.array(
        [(position[a], position[b]) for a, b in graph.edges()], dtype=np.int64
    ).reshape(-1, 2)
    sizes = np.ones(len(pairs))
    if length is not None:
        missing = next((e for e in graph.edges(data=True) if length not in e[2]), None)
        if missing is not None:
            raise DomainError("length", length, f"an attribute of every edge, also {missing[:2]}")
        sizes = _checked_lengths([size for *_, size in graph.edges(data=length)])
    return _assembled(
        pairs, sizes, len(names), None if names == tuple(range(len(names))) else names
    )


def graph_from_sparse(matrix: Any) -> Graph:
    """The graph of a symmetric sparse matrix whose stored values are lengths, shape (n, n).

    Raises
    ------
    UnsupportedError
        if the matrix is not symmetric.

    Examples
    --------
    >>> graph_from_sparse(coo_array(([3.0, 3.0], ([0, 1], [1, 0])), shape=(2, 2)))
    Graph(2 vertices, 1 edges, with lengths)
    """
    if len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1]:
        raise DomainError("matrix.shape", matrix.shape, "a square matrix")
    table = coo_array(matrix)
    _checked_lengths(table.data)  # before a sum or a difference can hide one
    difference = csr_array(table) - csr_array(table).T
    if difference.count_nonzero():
        row, column = (int(entry[0]) for entry in difference.nonzero())
        raise UnsupportedError(f"a matrix that differs at {(row, column)} and back", _UNDIRECTED)
    pairs = np.column_stack([table.row, table.col]).astype(np.int64)
    return _assembled(pairs, table.data.astype(np.float64), matrix.shape[0], None)


def graph_from_array(mask: Any, *, connectivity: int = 4) -> Graph:
    """The unit-cost graph of the free cells of a map, vertices in row-major order.

    Parameters
    ----------
    mask : bool, shape (rows, columns)
        True where a cell is free; vertex i is the cell ``numpy.argwhere(mask)[i]``.
    connectivity : 4 or 8
        With 8, a diagonal move needs both cells beside it free (no corner is cut).

    Examples
    --------
    >>> import numpy as np
    >>> graph_from_array(np.array([[True, True], [False, True]]))
    Graph(3 vertices, 2 edges, unit cost)
    """
    free = np.asarray(mask)
    if free.dtype != bool or free.ndim != 2:
        raise DomainError("mask", mask, "a two-dimensional array of bool, True where free")
    if connectivity not in (4, 8):
        raise DomainError("connectivity", connectivity, "4 or 8")
    rows, columns = free.shape
    number = np.full((rows + 2, columns + 2), -1, dtype=np.int64)
    number[1:-1, 1:-1][free] = np.arange(np.count_nonzero(free))

    def beside(down: int, right: int) -> Vertices:
        """The vertices so many cells away from each vertex, -1 where there is none."""
        shifted = number[1 + down : 1 + down + rows, 1 + right : 1 + right + columns]
        return np.asarray(shifted[free], dtype=np.int64)

    steps = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]  # ascending
    found = []
    for down, right in steps:
        if down == 0 or right == 0:
            found.append(beside(down, right))
        elif connectivity == 8:
            open_corner = (beside(down, 0) >= 0) & (beside(0, right) >= 0)
            found.append(np.where(open_corner, beside(down, right), -1))
    table = np.stack(found, axis=1)
    offsets = np.zeros(len(table) + 1, dtype=np.int64)
    np.cumsum((table >= 0).sum(axis=1), out=offsets[1:])
    neighbours = table[table >= 0]
    return Graph(offsets, neighbours, np.ones(neighbours.size))


def _numbered(edges: Any) -> tuple[Vertices, tuple[Hashable, ...] | None]:
    """Pairs of vertex numbers, and the names of the vertices unless these are numbers already."""
    rows = edges if isinstance(edges, np.ndarray) else list(edges)
    if not len(rows):
        return np.empty((0, 2), dtype=np.int64), None
    if not isinstance(rows, np.ndarray):
        wrong = next((row for row in rows if isinstance(row, str) or _size(row) != 2), None)
        if wrong is not None:
            raise DomainError("edges", wrong, "pairs of vertices")
        if not all(_is_number(end) for row in rows for end in row):
            position: dict[Hashable, int] = {}
            numbers = [[position.setdefault(end, len(position)) for end in row] for row in rows]
            return np.array(numbers, dtype=np.int64), tuple(position)
    pairs = integer_array("edges", rows, at_least=0)
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        raise DomainError("edges.shape", pairs.shape, "(m, 2)")
    return pairs, None


def _size(row: Any) -> int:
    return len(row) if isinstance(row, (Sequence, np.ndarray)) else -1


def _is_number(end: Any) -> bool:
    return isinstance(end, (int, np.integer)) and not isinstance(end, bool)


def _checked_lengths(lengths: Any) -> Reals:
    if isinstance(lengths, (str, Mapping)):
        raise DomainError("lengths", lengths, "an array of lengths, one for each edge")
    array = np.asarray(lengths)
    if array.dtype.kind not in "iuf":
        raise DomainError("lengths", lengths, "finite numbers above 0")
    good = np.isfinite(array) & (array > 0)
    if not good.all():
        raise DomainError("lengths", array[~good].flat[0].item(), "finite numbers above 0")
    return array.astype(np.float64)


def _assembled(
    pairs: Vertices, sizes: Reals, count: int, names: tuple[Hashable, ...] | None
) -> Graph:
    """Symmetric sorted rows; an edge given more than once must have one length."""
    loops = pairs[:, 0] == pairs[:, 1]
    if loops.any():
        vertex = int(pairs[loops][0, 0])
        raise DomainError("edge", (vertex, vertex) if names is None else names[vertex], "no loops")
    source = np.concatenate([pairs[:, 0], pairs[:, 1]])
    target = np.concatenate([pairs[:, 1], pairs[:, 0]])
    both = np.concatenate([sizes, sizes])
    order = np.lexsort((target, source))
    source, target, both = source[order], target[order], both[order]
    same = (source[1:] == source[:-1]) & (target[1:] == target[:-1])
    differing = same & (both[1:] != both[:-1])
    if differing.any():
        at = int(np.argmax(differing))
        ends = tuple(int(v) if names is None else names[v] for v in (source[at], target[at]))
        raise AssumptionError(
            "an edge has one length", f"{both[at]:g} and {both[at + 1]:g} for the edge {ends}"
        )
    if same.any():
        kept = np.concatenate([[True], ~same])
        source, target, both = source[kept], target[kept], both[kept]
    offsets = np.zeros(count + 1, dtype=np.int64)
    np.cumsum(np.bincount(source, minlength=count), out=offsets[1:])
    return Graph(offsets, target, both, names)
