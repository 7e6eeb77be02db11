"""The graphs that world models are rolled out on, and the matrices that carry their messages."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import integer_array, probability_array

__all__ = ["TOPOLOGIES", "Normalisation", "Topology", "calling_tree", "message_matrix", "topology"]

FloatArray = npt.NDArray[np.float64]
Topology = Literal["chain", "tree", "grid", "small_world", "scale_free", "star", "complete"]
Normalisation = Literal["none", "symmetric", "random_walk"]

TOPOLOGIES: tuple[Topology, ...] = get_args(Topology)


def topology(name: Topology, vertices: int, *, seed: int = 0, directed: bool = False) -> FloatArray:
    """The 0-1 adjacency of one of seven graphs, connected if undirected.

    Parameters
    ----------
    name : chain, binary tree in breadth-first order, the squarest grid, small world (four
        neighbours, a tenth rewired), scale-free (two edges a vertex), star (hub 0) or complete
    vertices : n, at least 5
    seed : of the two random graphs
    directed : keep only messages from the lower to the higher vertex: a graph without cycles

    Returns
    -------
    (n, n) adjacency; entry (i, j) is a message from j to i.

    Raises
    ------
    DomainError
        for a name or a number of vertices not allowed.

    Examples
    --------
    >>> topology("star", 5)[0]
    array([0., 1., 1., 1., 1.])
    >>> topology("chain", 5, directed=True).sum(), topology("chain", 5).sum()
    (np.float64(4.0), np.float64(8.0))
    """
    import networkx as nx

    count = int(integer_array("vertices", vertices, at_least=5))
    rows = max(d for d in range(1, int(count**0.5) + 1) if count % d == 0)
    builders = {
        "chain": lambda: nx.path_graph(count),
        "tree": lambda: nx.Graph([((child - 1) // 2, child) for child in range(1, count)]),
        "grid": lambda: nx.convert_node_labels_to_integers(nx.grid_2d_graph(rows, count // rows)),
        "small_world": lambda: nx.connected_watts_strogatz_graph(count, 4, 0.1, seed=seed),
        "scale_free": lambda: nx.barabasi_albert_graph(count, 2, seed=seed),
        "star": lambda: nx.star_graph(count - 1),
        "complete": lambda: nx.complete_graph(count),
    }
    if name not in builders:
        raise DomainError("name", name, f"one of {', '.join(TOPOLOGIES)}")
    adjacency = nx.to_numpy_array(builders[name](), nodelist=range(count))
    return np.tril(adjacency) if directed else np.asarray(adjacency)


def message_matrix(adjacency: FloatArray, normalisation: Normalisation) -> FloatArray:
    """The matrix that carries messages: with self-loops, normalised by degrees; or the adjacency.

    Parameters
    ----------
    adjacency : (n, n)
    normalisation : "none" A; "symmetric" D^-1/2 (A + I) D^-1/2; "random_walk" D^-1 (A + I)

    Raises
    ------
    DomainError
        for another normalisation.

    Examples
    --------
    >>> message_matrix(np.ones((2, 2)) - np.eye(2), "random_walk")
    array([[0.5, 0.5],
           [0.5, 0.5]])
    """
    if normalisation == "none":
        return adjacency
    looped = adjacency + np.eye(adjacency.shape[0])
    degree = looped.sum(axis=1)
    if normalisation == "random_walk":
        return np.asarray(looped / degree[:, None])
    if normalisation != "symmetric":
        raise DomainError("normalisation", normalisation, "none, symmetric or random_walk")
    return np.asarray(looped / np.sqrt(degree[:, None] * degree))


def calling_tree(
    vertices: int, *, cross_calls: float, generator: np.random.Generator
) -> FloatArray:
    """A tree of calls from parents to children, with extra calls that never close a cycle.

    Parameters
    ----------
    vertices : n, at least 2
    cross_calls : probability of each further call from an earlier to a later vertex
    generator : of the parents and of the extra calls

    Returns
    -------
    (n, n) adjacency, strictly lower triangular: acyclic by construction.

    Raises
    ------
    DomainError
        outside these ranges.

    Examples
    --------
    >>> tree = calling_tree(6, cross_calls=0.0, generator=np.random.default_rng(0))
    >>> int(tree.sum()), bool(np.triu(tree).any())
    (5, False)
    """
    count = int(integer_array("vertices", vertices, at_least=2))
    chance = float(probability_array("cross_calls", cross_calls))
    calls = generator.random((count, count)) < chance
    children = np.arange(1, count)
    calls[children, generator.integers(0, children)] = True
    return np.asarray(np.tril(calls, -1), dtype=np.float64)
