"""Dimensions of classes of rollouts, and how many exact traces it takes to learn them."""

from rolltheory.dimension.hilbert import hilbert_function, regularity, sauer_bound
from rolltheory.dimension.littlestone import littlestone_dimension
from rolltheory.dimension.parity import parity_dimension, parity_kernel
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
    "hilbert_function",
    "littlestone_dimension",
    "natarajan_dimension",
    "parity_dimension",
    "parity_kernel",
    "pseudo_cube_core",
    "regularity",
    "sauer_bound",
    "vc_dimension",
]
