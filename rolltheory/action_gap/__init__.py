"""Value extensions on graphs, and certificates that a greedy planner reaches its goal."""

from rolltheory.action_gap.amle import amle
from rolltheory.action_gap.distances import distances
from rolltheory.action_gap.envelopes import (
    Envelopes,
    LipschitzConstant,
    lipschitz_constant,
    mcshane_whitney_envelopes,
)
from rolltheory.action_gap.exact import amle_exact
from rolltheory.action_gap.extension import Extension
from rolltheory.action_gap.graph import (
    Graph,
    as_graph,
    graph_from_array,
    graph_from_edges,
    graph_from_networkx,
    graph_from_sparse,
)
from rolltheory.action_gap.iterative import IterativeMethod, iterative_amle
from rolltheory.action_gap.labels import as_labels
from rolltheory.action_gap.ladder import amle_error_bound

__all__ = [
    "Envelopes",
    "Extension",
    "Graph",
    "IterativeMethod",
    "LipschitzConstant",
    "amle",
    "amle_error_bound",
    "amle_exact",
    "as_graph",
    "as_labels",
    "distances",
    "graph_from_array",
    "graph_from_edges",
    "graph_from_networkx",
    "graph_from_sparse",
    "iterative_amle",
    "lipschitz_constant",
    "mcshane_whitney_envelopes",
]
