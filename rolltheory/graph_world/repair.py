"""Which nodes to repair: what that does to the spectral radius, and greedy choices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb, exp
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from scipy import sparse

from rolltheory.errors import DomainError, UnsupportedError
from rolltheory.graph_world.walks import walk_count
from rolltheory.numerics.arguments import integer_array, positive_array
from rolltheory.numerics.perron import nonnegative_matrix, perron_certificate
from rolltheory.numerics.rounding import binary_scale

__all__ = [
    "Objective",
    "Relief",
    "Repair",
    "greedy_repair",
    "optimal_repair",
    "residual_relief",
    "walk_relief",
]

FloatArray = npt.NDArray[np.float64]
Objective = Literal["radius", "walks"]

_MOST_REGIONS = 200_000
_BLOCK = 256  # candidates


@dataclass(frozen=True)
class Relief:
    """Enclosure of rho(M) - rho(M without the region), and of what remains.

    Attributes
    ----------
    lower, upper : bounds on the relief, at least 0
    residual_lower, residual_upper : bounds on the spectral radius that remains
    """

    lower: float
    upper: float
    residual_lower: float
    residual_upper: float


@dataclass(frozen=True)
class Repair:
    """A region, in the order in which its nodes were chosen.

    Attributes
    ----------
    region : nodes
    reliefs : after each node, the relief of the region so far
    walk_reliefs : after each node, the walks of `length` that the region so far destroys
    length : of these walks
    guarantee : the share of the best possible `walk_reliefs` that is certain; None if nothing is
    """

    region: tuple[int, ...]
    reliefs: tuple[Relief, ...]
    walk_reliefs: tuple[float, ...]
    length: int
    guarantee: float | None


def residual_relief(matrix: Any, region: Iterable[int]) -> Relief:
    r"""By how much the spectral radius falls if the nodes of a region are repaired.

    .. math:: F(R) = \rho(M) - \rho(M_{V \setminus R}) \ge 0

    F is monotone, and neither submodular nor supermodular: greedy choice by F has no guarantee.

    Parameters
    ----------
    matrix : (n, n) M, nonnegative; dense or scipy sparse
    region : nodes whose errors are removed and stay removed

    Raises
    ------
    AssumptionError
        for a negative entry.
    DomainError
        for a node that does not exist.

    Notes
    -----
    Source: derived here, docs/theory/graph_world.md.

    Examples
    --------
    >>> relief = residual_relief([[0, 2], [2, 0]], [0])
    >>> round(relief.lower, 6), relief.residual_upper
    (2.0, 0.0)
    """
    weights = nonnegative_matrix("matrix", matrix)
    chosen = _checked_region(region, weights.shape[0])
    return _relief(_enclosure(weights), _enclosure(_without(weights, chosen)))


def walk_relief(matrix: Any, region: Iterable[int], *, length: int) -> float:
    r"""How much walk weight of length k passes through a region.

    .. math:: S_k(R) = 1^T M^k 1 - 1^T M_{V \setminus R}^k 1

    A weighted coverage function: monotone and submodular, so that greedy choice without further
    constraints attains at least 1 - 1/e of the best region of the same size.

    Parameters
    ----------
    matrix : (n, n) M, nonnegative; dense or scipy sparse
    region : nodes
    length : k, at least 1

    Raises
    ------
    AssumptionError
        for a negative entry.
    DomainError
        for a node that does not exist.

    Notes
    -----
    Source: derived here, docs/theory/graph_world.md.

    Examples
    --------
    >>> walk_relief([[0, 1, 0], [1, 0, 1], [0, 1, 0]], [1], length=2)
    6.0
    """
    weights = nonnegative_matrix("matrix", matrix)
    count = int(integer_array("length", length, at_least=1))
    chosen = _checked_region(region, weights.shape[0])
    return _walks(weights, count) - _walks(_without(weights, chosen), count)


def greedy_repair(
    matrix: Any,
    budget: int,
    *,
    objective: Objective = "walks",
    length: int = 8,
    connected: bool = False,
    tolerance: float = 1e-9,
) -> Repair:
    """Choose nodes to repair one at a time.

    By "walks", each node destroys the most remaining walk weight: at least 1 - 1/e of the optimum
    of that objective is guaranteed, unless the region must be connected. By "radius", each node
    lowers the spectral radius most; reliefs within the enclosures and the tolerance count as equal,
    and walks decide. It goes on where a node brings nothing, since the relief may come with the
    next one. No guarantee holds for it, connected or not.

    Parameters
    ----------
    matrix : (n, n) M, nonnegative; dense or scipy sparse
    budget : nodes to choose, within [0, n]
    objective : what a choice maximises
    length : k of the walks
    connected : whether every node must touch the region so far, in either direction
    tolerance : reliefs nearer than this are equal, in units of the spectral radius

    Raises
    ------
    AssumptionError
        for a negative entry.
    DomainError
        for a budget out of range, or walks whose weight no float can hold.
    UnsupportedError
        for another objective.

    Notes
    -----
    Source: derived here, docs/theory/graph_world.md; the guarantee is that of Nemhauser, Wolsey and
    Fisher for monotone submodular functions.

    Examples
    --------
    >>> star = np.zeros((5, 5)); star[0, 1:] = star[1:, 0] = 1
    >>> repair = greedy_repair(star, 1)
    >>> repair.region, repair.reliefs[0].residual_upper, round(repair.guarantee, 4)
    ((0,), 0.0, 0.6321)
    """
    weights = nonnegative_matrix("matrix", matrix)
    count = int(integer_array("length", length, at_least=1))
    size = int(integer_array("budget", budget, at_least=0, at_most=weights.shape[0]))
    slack = float(positive_array("tolerance", tolerance))
    if objective not in ("radius", "walks"):
        raise UnsupportedError(f"objective {objective!r}", "known: radius, walks")
    total, before = _walks(weights, count), _enclosure(weights)
    region: list[int] = []
    reliefs, destroyed = [], []
    for _ in range(size):
        candidates = _candidates(weights, region, connected)
        if not candidates:
            break
        region.append(_best(weights, region, candidates, objective, count, slack))
        rest = _without(weights, region)
        reliefs.append(_relief(before, _enclosure(rest)))
        destroyed.append(total - _walks(rest, count))
    guarantee = 1 - exp(-1) if objective == "walks" and not connected else None
    return Repair(tuple(region), tuple(reliefs), tuple(destroyed), count, guarantee)


def optimal_repair(matrix: Any, budget: int, *, length: int = 8, connected: bool = False) -> Repair:
    """The region of a given size with the smallest remaining spectral radius, by trying all.

    Parameters
    ----------
    matrix : (n, n) M, nonnegative; dense or scipy sparse
    budget : nodes to choose, within [0, n]
    length : k of the walks that are reported beside it
    connected : whether the region must be connected, in either direction

    Raises
    ------
    UnsupportedError
        if there are more than 200,000 regions.
    DomainError
        for a budget out of range.
    AssumptionError
        for a negative entry.

    Notes
    -----
    Source: enumeration. Ties within the enclosures go to the first region in lexicographic order.

    Examples
    --------
    >>> import networkx as nx
    >>> triangles = nx.to_numpy_array(nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3)))
    >>> optimal_repair(triangles, 2).region
    (0, 3)
    """
    weights = nonnegative_matrix("matrix", matrix)
    count = int(integer_array("length", length, at_least=1))
    size = int(integer_array("budget", budget, at_least=0, at_most=weights.shape[0]))
    if comb(weights.shape[0], size) > _MOST_REGIONS:
        raise UnsupportedError(
            f"the optimum over {comb(weights.shape[0], size)} regions",
            f"at most {_MOST_REGIONS} are tried; take greedy_repair",
        )
    best: tuple[int, ...] = ()
    after: tuple[float, float] | None = None
    for region in _regions(weights, size, connected):
        residual = _enclosure(_without(weights, region))
        if after is None or residual[1] < after[0]:
            best, after = region, residual
    rest = _without(weights, best)
    relief = _relief(_enclosure(weights), _enclosure(rest))
    destroyed = _walks(weights, count) - _walks(rest, count)
    return Repair(best, (relief,), (destroyed,), count, None)


def _checked_region(region: Iterable[int], size: int) -> list[int]:
    nodes = integer_array("region", list(region) or np.empty(0, dtype=int), at_least=0)
    if nodes.size and nodes.max() >= size:
        raise DomainError("region", int(nodes.max()), f"nodes below {size}")
    return [int(node) for node in nodes]


def _without(weights: sparse.csr_array, region: Iterable[int]) -> sparse.csr_array:
    kept = np.setdiff1d(np.arange(weights.shape[0]), np.fromiter(region, dtype=np.int64))
    return sparse.csr_array(weights[kept][:, kept])


def _enclosure(weights: sparse.csr_array) -> tuple[float, float]:
    if weights.shape[0] == 0:
        return 0.0, 0.0
    certificate = perron_certificate(weights, tolerance=1e-12)
    return certificate.lower, certificate.upper


def _relief(before: tuple[float, float], after: tuple[float, float]) -> Relief:
    lower = max(float(np.nextafter(before[0] - after[1], -np.inf)), 0.0)
    upper = max(float(np.nextafter(before[1] - after[0], np.inf)), 0.0)
    return Relief(lower, upper, after[0], after[1])


def _walks(weights: sparse.csr_array, length: int) -> float:
    return walk_count(weights, length=length) if weights.shape[0] else 0.0


def _candidates(weights: sparse.csr_array, region: list[int], connected: bool) -> list[int]:
    outside = np.setdiff1d(np.arange(weights.shape[0]), region)
    if not connected or not region:
        return [int(node) for node in outside]
    touching = (weights + weights.T)[region].sum(axis=0)
    return [int(node) for node in outside if touching[node] > 0]


def _best(
    weights: sparse.csr_array,
    region: list[int],
    candidates: list[int],
    objective: Objective,
    length: int,
    tolerance: float,
) -> int:
    """The candidate after which least remains; the lowest one among equals."""
    if objective == "radius":
        residuals = [_enclosure(_without(weights, [*region, node])) for node in candidates]
        smallest = min(upper for _, upper in residuals) + tolerance
        near = zip(candidates, residuals, strict=True)
        candidates = [node for node, (lower, _) in near if lower <= smallest]
    remaining = _walks_without_each(weights, region, candidates, length)
    return candidates[int(remaining.argmin())]


def _walks_without_each(
    weights: sparse.csr_array, region: list[int], candidates: list[int], length: int
) -> FloatArray:
    """The walks that avoid the region and one candidate, for each, a block at a time."""
    kept = np.setdiff1d(np.arange(weights.shape[0]), region)
    rest = _without(weights, region)
    # a power of two, which changes no comparison, keeps small weights from vanishing
    rest.data = rest.data / binary_scale(rest.data.max(initial=0.0))
    remaining = []
    for start in range(0, len(candidates), _BLOCK):
        rows = np.searchsorted(kept, candidates[start : start + _BLOCK])
        walks: Any = np.ones((kept.size, rows.size))
        for step in range(length + 1):
            walks = rest @ walks if step else walks
            walks[rows, range(rows.size)] = 0.0
        remaining.append(walks.sum(axis=0))
    return np.concatenate(remaining)


def _regions(weights: sparse.csr_array, size: int, connected: bool) -> Iterator[tuple[int, ...]]:
    from scipy.sparse.csgraph import connected_components

    for region in combinations(range(weights.shape[0]), size):
        if connected and size:
            within = weights[list(region)][:, list(region)]
            if connected_components(within, directed=False)[0] > 1:
                continue
        yield region
