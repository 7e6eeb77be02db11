"""Read the message matrix of a graph: .npz, .mtx, .graphml or .csv.

Entry [i, j] is the weight of the message from node j to node i. The formats of matrices hold it as
it stands:

- ``.npz``: a matrix that `scipy.sparse.save_npz` wrote, or a dense array ``adjacency`` (or under
  any name, if it is the only one); ``names`` may name the nodes, else they are numbered from 0;
- ``.mtx``: Matrix Market, real, integer or pattern; nodes are numbered from 1, as there.

The formats of edges say who sends to whom, so that edge j, i is entry [i, j]; without a weight it
is 1:

- ``.graphml``, undirected edges in both directions, the attribute ``weight``;
- ``.csv``, with a header; a line without a target declares a node that has no edge::

    source,target,weight
    pump,valve,0.5
    valve,pump,0.25
    spare,,
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from rolltheory.errors import ReaderError
from rolltheory.readers.arrays import array_values, by_ending, read_arrays
from rolltheory.readers.tables import csv_rows, number, wrong_header

__all__ = ["Adjacency", "read_adjacency"]

_HEADERS = (["source", "target"], ["source", "target", "weight"])
_MATRIX_MARKET_LINE = re.compile(r"Line (\d+): ")


@dataclass(frozen=True)
class Adjacency:
    """A graph as the matrix of its messages.

    Attributes
    ----------
    matrix : (n, n) finite; [i, j] is the weight of the message from j to i
    names : of the n nodes
    """

    matrix: sparse.csr_array
    names: tuple[str, ...]


def read_adjacency(path: str | PathLike[str], *, undirected: bool = False) -> Adjacency:
    """The message matrix in a file; see the module for the formats.

    Parameters
    ----------
    path : file, whose ending tells the format
    undirected : for ``.csv``: each line is an edge in both directions

    Returns
    -------
    Adjacency

    Raises
    ------
    ReaderError
        with the line where the format has lines, what was found and what is allowed.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "graph.csv")
    ...     _ = path.write_text("source,target,weight\\na,b,0.5\\n")
    ...     read_adjacency(path).matrix.todense()
    array([[0. , 0. ],
           [0.5, 0. ]])
    """
    file = Path(path)
    if undirected and file.suffix.lower() != ".csv":
        allowed = ".csv for undirected edges; the other formats say so themselves"
        raise ReaderError(path, f"the ending {file.suffix!r}", allowed)
    readers = {
        ".npz": _read_npz,
        ".mtx": _read_matrix_market,
        ".graphml": _read_graphml,
        ".csv": lambda named: _read_edges(named, undirected),
    }
    return by_ending(file, readers)


def _read_npz(path: Path) -> Adjacency:
    arrays = read_arrays(path)
    if {"format", "shape", "data"} <= arrays.keys():
        try:
            return _checked(path, _checked_indices(sparse.load_npz(path)))
        # scipy raises the last one for a format name that it does not know
        except (ValueError, TypeError, KeyError, IndexError, NotImplementedError) as error:
            found = f"a damaged sparse matrix ({' '.join(str(error).split())})"
            raise ReaderError(path, found, "one that scipy.sparse.save_npz wrote") from None
    names = arrays.pop("names", None)
    key = next(iter(arrays)) if len(arrays) == 1 else "adjacency"
    if key not in arrays:
        found = f"the arrays {', '.join(arrays) or 'of none'}"
        raise ReaderError(path, found, "an array 'adjacency', or a single one")
    return _checked(path, array_values(path, key, arrays[key]), names)


def _checked_indices(matrix: Any) -> Any:
    """The matrix; indices that point outside of it would be read as memory."""
    if hasattr(matrix, "check_format"):
        matrix.check_format(full_check=True)
    return matrix


def _read_matrix_market(path: Path) -> Adjacency:
    from scipy.io import mmread

    try:
        matrix: Any = mmread(path, spmatrix=False)
    except (ValueError, OverflowError, MemoryError) as error:
        text = " ".join(str(error).split())
        place = _MATRIX_MARKET_LINE.match(text)
        line = int(place[1]) if place else None
        found = f"no Matrix Market file ({text[place.end() :] if place else text})"
        raise ReaderError(path, found, "a real matrix", line=line) from None
    return _checked(path, matrix, range(1, matrix.shape[0] + 1))


def _read_graphml(path: Path) -> Adjacency:
    from xml.etree.ElementTree import ParseError

    import networkx as nx

    try:
        graph: Any = nx.read_graphml(path)
        nodes = list(graph)
        matrix = nx.to_scipy_sparse_array(graph, nodes).T if nodes else None
    except ParseError as error:
        raise ReaderError(
            path, f"broken XML ({error})", "GraphML", line=error.position[0]
        ) from None
    except Exception as error:  # what files make its parser raise is not documented
        found = f"unusable GraphML ({' '.join(str(error).split()) or type(error).__name__})"
        raise ReaderError(path, found, "a graph with numbers as weights") from None
    return _checked(path, np.empty((0, 0)) if matrix is None else matrix, nodes)


def _read_edges(path: Path, undirected: bool) -> Adjacency:
    rows = csv_rows(path)
    line, header = next(rows, (1, []))
    if header not in _HEADERS:
        allowed = "source,target or source,target,weight"
        raise wrong_header(path, line, header, allowed)
    number_of: dict[str, int] = {}
    seen: dict[tuple[int, int], int] = {}
    sources, targets, weights = array("q"), array("q"), array("d")
    for line, source, target, weight in _edges(path, rows, len(header)):
        start = number_of.setdefault(source, len(number_of))
        if not target:
            continue
        end = number_of.setdefault(target, len(number_of))
        for edge in {(start, end), (end, start)} if undirected else {(start, end)}:
            if (first := seen.setdefault(edge, line)) != line:
                found = f"the edge from {source!r} to {target!r} again, as on line {first}"
                raise ReaderError(path, found, "each edge once", line=line)
            sources.append(edge[0])
            targets.append(edge[1])
            weights.append(weight)
    entries = np.frombuffer(weights), (np.frombuffer(targets, "q"), np.frombuffer(sources, "q"))
    return _checked(path, sparse.coo_array(entries, shape=(len(number_of),) * 2), list(number_of))


def _edges(
    path: Path, rows: Iterator[tuple[int, list[str]]], width: int
) -> Iterator[tuple[int, str, str, float]]:
    for line, row in rows:
        if len(row) != width:
            raise ReaderError(path, f"{len(row)} cells", f"{width}, as in the header", line=line)
        source, target, *rest = row
        if not source or (not target and any(rest)):
            allowed = "a source, and a target of the weight"
            raise ReaderError(path, "an empty cell", allowed, line=line)
        weight = number(path, line, rest[0], "weight") if rest and target else 1.0
        yield line, source, target, weight


def _checked(path: Path, matrix: Any, names: Any = None) -> Adjacency:
    """A square matrix of finite real numbers, with a name for each node."""
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not matrix.shape[0]:
        found = f"a matrix of shape {matrix.shape}"
        raise ReaderError(path, found, "a square matrix with at least one node")
    if matrix.dtype.kind not in "biuf":
        raise ReaderError(path, f"entries of {matrix.dtype}", "real numbers")
    size = matrix.shape[0]
    labels = tuple(str(name) for name in (range(size) if names is None else names))
    if len(labels) != size:
        raise ReaderError(path, f"{len(labels)} names", f"{size}, one per node")
    entries = sparse.csr_array(matrix, dtype=np.float64)
    entries.sum_duplicates()
    if not np.isfinite(entries.data).all():
        at = np.flatnonzero(~np.isfinite(entries.data))[0]
        row = int(np.searchsorted(entries.indptr, at, side="right")) - 1
        source = labels[int(entries.indices[at])]
        found = f"{entries.data[at]} from node {source} to node {labels[row]}"
        raise ReaderError(path, found, "finite entries")
    return Adjacency(entries, labels)
