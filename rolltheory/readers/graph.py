"""Read a graph to plan on, and labels on its vertices.

A graph is undirected; its edges have lengths, in the unit of the labels, or count one each:

- ``.txt``, ``.map``: a maze drawn in text, walls ``1`` or ``#``, free cells ``0``, ``.`` or a
  space; a vertex is called ``row,column``, counted from 0;
- ``.csv``, one undirected edge a line, with a header; the third column may be left out::

    source,target,length
    hall,door,2.5
    door,yard,4

- ``.graphml``: undirected, the lengths an attribute of its edges;
- ``.npz``, ``.mtx``: a symmetric matrix, see `rolltheory.readers.adjacency`.

Lengths are what a column or an attribute ``length`` holds; any other has to be named, because
what is called a weight is often a conductance w. As a length that is 1 / w, or w ** (-1 / p) where
it weighs the terms of a p-harmonic sum.

Labels are CSV, ``vertex,value`` or, on a maze, ``row,column,value``.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rolltheory.action_gap.graph import (
    Graph,
    graph_from_array,
    graph_from_edges,
    graph_from_networkx,
    graph_from_sparse,
)
from rolltheory.action_gap.mazes import map_from_text
from rolltheory.errors import AssumptionError, DomainError, ReaderError
from rolltheory.readers.adjacency import read_adjacency
from rolltheory.readers.arrays import by_ending
from rolltheory.readers.tables import csv_rows, number, wrong_header

__all__ = ["GraphFile", "read_graph", "read_labels"]

_HEADERS = (["vertex", "value"], ["row", "column", "value"])


@dataclass(frozen=True, eq=False)
class GraphFile:
    """A graph whose vertices are called by text, and the map that it was drawn as.

    Attributes
    ----------
    graph : Graph
    free : bool, shape (rows, columns), the free cells of a maze; None for other files
    """

    graph: Graph
    free: npt.NDArray[np.bool_] | None = None


def read_graph(
    path: str | PathLike[str],
    *,
    lengths: str | None = None,
    connectivity: int = 4,
    refinement: int = 1,
) -> GraphFile:
    """The graph in a file; see the module for the formats.

    Parameters
    ----------
    path : file, whose ending tells the format
    lengths : str, optional
        Which column or attribute holds them, "stored" for the entries of a matrix, "unit" to count
        each edge as one. By default what is called ``length``, else one.
    connectivity : 4 or 8, of a maze; see `graph_from_array`
    refinement : int, into how many cells a side of each cell of a maze is cut

    Returns
    -------
    GraphFile

    Raises
    ------
    ReaderError
        with the line where the format has lines, what was found and what is allowed.
    UnsupportedError
        for a directed graph.
    DomainError
        for a connectivity or a refinement of what is no maze.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "maze.txt")
    ...     _ = path.write_text("####\\n#..#\\n####\\n")
    ...     read_graph(path).graph.names
    ('1,1', '1,2')
    """
    file = Path(path)
    if file.suffix.lower() not in (".txt", ".map"):
        for option, value, usual in (
            ("connectivity", connectivity, 4),
            ("refinement", refinement, 1),
        ):
            if value != usual:
                raise DomainError(option, value, f"{usual}, unless FILE is a maze (txt or map)")
    readers = {
        ".txt": lambda named: _read_maze(named, lengths, connectivity, refinement),
        ".map": lambda named: _read_maze(named, lengths, connectivity, refinement),
        ".csv": lambda named: _read_edges(named, lengths),
        ".graphml": lambda named: _read_graphml(named, lengths),
        ".npz": lambda named: _read_matrix(named, lengths),
        ".mtx": lambda named: _read_matrix(named, lengths),
    }
    try:
        read = by_ending(file, readers)
    except AssumptionError as error:
        raise ReaderError(path, error.found, error.assumption) from None
    except DomainError as error:
        found = f"{error.field} = {error.value!r}"
        raise ReaderError(path, found, error.allowed) from None
    if not read.graph.edge_count:
        raise ReaderError(path, f"{read.graph.vertex_count} vertices without an edge", "an edge")
    return read


def read_labels(path: str | PathLike[str], graph: Graph) -> dict[Hashable, float]:
    """The label of each vertex that a CSV file names.

    Parameters
    ----------
    path : file
    graph : Graph whose vertices are called by text, as `read_graph` gives it

    Returns
    -------
    dict from vertex to label

    Raises
    ------
    ReaderError
        for a vertex that is not in the graph, a label that is no finite number, and two labels of
        one vertex that differ.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "labels.csv")
    ...     _ = path.write_text("vertex,value\\nhall,0\\nyard,6.5\\n")
    ...     read_labels(path, graph_from_edges([("hall", "yard")]))
    {'hall': 0.0, 'yard': 6.5}
    """
    return by_ending(path, {".csv": lambda named: _read_labels(named, set(graph.names or ()))})


def _read_labels(path: Path, known: set[Any]) -> dict[Hashable, float]:
    rows = csv_rows(path)
    line, header = next(rows, (1, []))
    if header not in _HEADERS:
        allowed = "vertex,value, or row,column,value for a maze"
        raise ReaderError(path, f"header {','.join(header)[:80]!r}", allowed, line=line)
    labels: dict[Hashable, float] = {}
    for line, row in rows:
        _require_width(path, line, row, len(header))
        vertex, value = ",".join(row[:-1]), number(path, line, row[-1], "label")
        if vertex not in known:
            raise ReaderError(path, f"vertex {vertex[:40]!r}", "a vertex of the graph", line=line)
        if labels.setdefault(vertex, value) != value:
            found = f"the label {value:g} for {vertex!r}, which has {labels[vertex]:g}"
            raise ReaderError(path, found, "one label for a vertex", line=line)
    return labels


def _read_maze(path: Path, lengths: str | None, connectivity: int, refinement: int) -> GraphFile:
    if lengths not in (None, "unit"):
        raise ReaderError(path, f"a maze, and lengths {lengths!r}", "no lengths: its steps are one")
    try:
        free = map_from_text(path.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ReaderError(path, f"bytes that are not UTF-8 ({error.reason})", "text") from None
    except DomainError as error:
        raise ReaderError(path, f"{error.value!r}, {error.field}", error.allowed) from None
    free = np.repeat(np.repeat(free, refinement, axis=0), refinement, axis=1)
    names = tuple(f"{row},{column}" for row, column in np.argwhere(free).tolist())
    return GraphFile(replace(graph_from_array(free, connectivity=connectivity), names=names), free)


def _read_edges(path: Path, lengths: str | None) -> GraphFile:
    rows = csv_rows(path)
    line, header = next(rows, (1, []))
    if header[:2] != ["source", "target"] or len(header) > 3:
        allowed = "source,target or source,target,length"
        raise wrong_header(path, line, header, allowed)
    named = _chosen(path, header[2:], lengths)
    edges, sizes = [], []
    seen: dict[frozenset[str], tuple[int, float]] = {}
    for line, row in rows:
        _require_width(path, line, row, len(header))
        source, target = row[:2]
        if not source or not target or source == target:
            found = f"the edge from {source!r} to {target!r}"
            raise ReaderError(path, found, "two different vertices", line=line)
        edges.append((source, target))
        if named:
            sizes.append(number(path, line, row[2], "length"))
            if sizes[-1] <= 0:
                raise ReaderError(path, f"length {row[2][:40]!r}", "one above 0", line=line)
            first, size = seen.setdefault(frozenset(row[:2]), (line, sizes[-1]))
            if size != sizes[-1]:
                found = (
                    f"length {row[2][:40]} from {source!r} to {target!r}, {size:g} on line {first}"
                )
                raise ReaderError(path, found, "one length for an edge", line=line)
    return GraphFile(graph_from_edges(edges, lengths=sizes if named else None))


def _read_graphml(path: Path, lengths: str | None) -> GraphFile:
    from xml.etree.ElementTree import ParseError

    import networkx as nx

    try:
        graph: Any = nx.read_graphml(path)
    except ParseError as error:
        place = error.position[0]
        raise ReaderError(path, f"broken XML ({error})", "GraphML", line=place) from None
    except Exception as error:  # what files make its parser raise is not documented
        found = f"unusable GraphML ({' '.join(str(error).split()) or type(error).__name__})"
        raise ReaderError(path, found, "a graph") from None
    attributes = {name for *_, data in graph.edges(data=True) for name in data}
    named = _chosen(path, sorted(attributes & {"length", "weight", lengths}), lengths)
    names = tuple(str(name) for name in graph)
    return GraphFile(replace(graph_from_networkx(graph, length=named), names=names))


def _read_matrix(path: Path, lengths: str | None) -> GraphFile:
    read = read_adjacency(path)
    if len(set(read.names)) < len(read.names):
        raise ReaderError(path, "a name of two vertices", "one name for each")
    matrix = read.matrix.copy()
    others = ["stored"] if lengths is not None or (matrix.data != 1).any() else []
    if _chosen(path, others, lengths) is None:
        matrix.data[:] = 1
    return GraphFile(replace(graph_from_sparse(matrix), names=read.names))


def _chosen(path: Path, held: list[str], lengths: str | None) -> str | None:
    """What holds the lengths, among what could; a guess between two meanings is not made."""
    if lengths == "unit" or not (held or lengths):
        return None
    if lengths is None and "length" not in held:
        found = f"numbers of unknown meaning on the edges ({', '.join(held)})"
        allowed = (
            f"lengths {held[0]!r}, if they are lengths (a conductance w is the length 1 / w, in a "
            "p-harmonic sum w ** (-1 / p)), or lengths 'unit'"
        )
        raise ReaderError(path, found, allowed)
    if lengths is not None and lengths not in held:
        allowed = f"one of {', '.join([*held, 'unit'])}"
        raise ReaderError(path, f"no lengths {lengths!r}", allowed)
    return lengths or "length"


def _require_width(path: Path, line: int, row: list[str], width: int) -> None:
    if len(row) != width:
        raise ReaderError(path, f"{len(row)} cells", f"{width}, as in the header", line=line)
