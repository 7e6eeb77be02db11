"""Dimensions of classes of rollouts, and how many exact traces it takes to learn them."""

from rolltheory.dimension.littlestone import littlestone_dimension
from rolltheory.dimension.peeling import pseudo_cube_core
from rolltheory.dimension.search import (
    ds_dimension,
    graph_dimension,
    natarajan_dimension,
    vc_dimension,
)

__all__ = [
    "ds_dimension",
    "graph_dimension",
    "littlestone_dimension",
    "natarajan_dimension",
    "pseudo_cube_core",
    "vc_dimension",
]
