"""Value extensions on graphs, and certificates that a greedy planner reaches its goal."""

from rolltheory.action_gap.distances import distances
from rolltheory.action_gap.extension import Extension
from rolltheory.action_gap.graph import (
    Graph,
    as_graph,
    graph_from_array,
    graph_from_edges,
    graph_from_networkx,
    graph_from_sparse,
)
from rolltheory.action_gap.labels import as_labels

__all__ = [
    "Extension",
    "Graph",
    "as_graph",
    "as_labels",
    "distances",
    "graph_from_array",
    "graph_from_edges",
    "graph_from_networkx",
    "graph_from_sparse",
]
