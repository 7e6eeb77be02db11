"""Harmonic extensions of labels, and the first-hit laws that they average the labels over."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csc_array, csr_array, eye_array
from scipy.sparse.linalg import splu

from rolltheory.action_gap._local_means import LocalMean, extension
from rolltheory.action_gap.extension import Extension
from rolltheory.action_gap.graph import Graph, as_graph
from rolltheory.action_gap.labels import as_labels
from rolltheory.errors import DomainError, UnsupportedError

__all__ = [
    "first_hit_law",
    "first_hit_law_exact",
    "harmonic_extension",
    "harmonic_extension_exact",
]

Law = dict[int, Fraction]

_TOLERANCE = 1e-9
_UNIT = 2.0**-52


def harmonic_extension(graph: Any, labels: Any, *, lengths: Any = None) -> Extension:
    r"""The extension that is the weighted mean of its neighbours at every unlabelled vertex.

    .. math:: \sum_y \ell_{xy}^{-2} (u(y) - u(x)) = 0, \qquad
              u(x) = \sum_b \mathbf{P}_x(\text{the walk first hits a label at } b)\, f(b)

    It minimises :math:`\sum (|u(y) - u(x)| / \ell_{xy})^2`, so it is `p_harmonic_extension` with
    p = 2, in both flavours. A planner that follows it compares first-hit laws (`first_hit_law`).

    A sparse factorisation, or conjugate gradients on large graphs. Its ``error_bound`` is the
    distance to a proven sub-solution and a proven super-solution, rounding included.

    Parameters
    ----------
    graph : Graph, networkx graph, sparse matrix of lengths or edge list
    labels : mapping from vertex to value, or a pair (vertices, values)
    lengths : see `as_graph`
        Where conductances c stand in the sum, the lengths are :math:`c^{-1/2}`.

    Returns
    -------
    Extension

    Notes
    -----
    Source: known; ranking by first-hit laws, arXiv 2605.19185, Lemmas 3.8 and 3.9.

    Examples
    --------
    >>> seven = [(0, 1), (0, 4), (1, 2), (2, 3), (2, 5), (4, 5), (5, 6)]
    >>> found = harmonic_extension(seven, {1: 0.0, 3: 2.0, 6: 3.0})
    >>> [round(18 * value, 9) for value in found.values.tolist()]
    [11.0, 0.0, 23.0, 36.0, 22.0, 33.0, 54.0]
    >>> found.error_bound < 1e-12
    True
    """
    return extension(graph, labels, LocalMean(2, game=False), lengths=lengths)


def harmonic_extension_exact(
    graph: Any, labels: Any, *, lengths: Any = None
) -> tuple[Fraction, ...]:
    """The harmonic extension in rationals; labels and lengths count as the rationals they are.

    Examples
    --------
    >>> harmonic_extension_exact([(0, 1), (1, 2)], {0: 0, 2: Fraction(1, 3)})
    (Fraction(0, 1), Fraction(1, 6), Fraction(1, 3))
    """
    network = as_graph(graph, lengths=lengths)
    pairs = list(labels.items() if isinstance(labels, Mapping) else zip(*labels, strict=True))
    as_labels(network, ([name for name, _ in pairs], [float(value) for _, value in pairs]))
    places = network.numbers([name for name, _ in pairs]).tolist()
    given = {place: Fraction(value) for place, (_, value) in zip(places, pairs, strict=True)}
    return tuple(
        sum((share * given[label] for label, share in law.items()), Fraction(0))
        for law in _laws(network, set(given))
    )


def first_hit_law(
    graph: Any, targets: Iterable[Hashable], *, lengths: Any = None
) -> npt.NDArray[np.float64]:
    r"""Where a random walk from each vertex first hits the targets.

    .. math:: H(x, b) = \mathbf{P}_x(\text{the walk first hits the targets at } b), \qquad
              \text{steps } x \to y \text{ with probability} \propto \ell_{xy}^{-2}

    The harmonic extension of f is H f, so u(y) - u(y') is the difference of two laws, weighed with
    the labels.

    Parameters
    ----------
    graph : Graph, networkx graph, sparse matrix of lengths or edge list
    targets : k different vertices
    lengths : see `as_graph`

    Returns
    -------
    float64, shape (n, k)
        Within 1e-9 of the exact probabilities.

    Raises
    ------
    DomainError
        if a target comes twice.
    AssumptionError
        if a component of the graph holds no target.
    UnsupportedError
        if rounding does not let the error be bounded so.

    Notes
    -----
    Source: known (absorbing walks).

    Examples
    --------
    >>> first_hit_law([(0, 1), (1, 2), (2, 3)], [0, 3]).round(9)
    array([[1.        , 0.        ],
           [0.66666667, 0.33333333],
           [0.33333333, 0.66666667],
           [0.        , 1.        ]])
    """
    network = as_graph(graph, lengths=lengths)
    columns = _target_numbers(network, targets)
    law = np.zeros((network.vertex_count, columns.size))
    law[columns, np.arange(columns.size)] = 1.0
    inside = np.ones(network.vertex_count, dtype=bool)
    inside[columns] = False
    if inside.any():
        law[inside] = _absorbed(_transitions(network), inside, law[~inside])
    return law


def first_hit_law_exact(
    graph: Any, targets: Iterable[Hashable], *, lengths: Any = None
) -> tuple[tuple[Fraction, ...], ...]:
    """The first-hit law in rationals, one row for each vertex.

    Examples
    --------
    >>> first_hit_law_exact([(0, 1), (1, 2), (2, 3)], [0, 3])[1]
    (Fraction(2, 3), Fraction(1, 3))
    """
    network = as_graph(graph, lengths=lengths)
    columns = _target_numbers(network, targets).tolist()
    laws = _laws(network, set(columns))
    return tuple(tuple(law.get(target, Fraction(0)) for target in columns) for law in laws)


def _target_numbers(network: Graph, targets: Iterable[Hashable]) -> npt.NDArray[np.int64]:
    names = list(targets)
    numbers = network.numbers(names)
    if np.unique(numbers).size != numbers.size:
        raise DomainError("targets", names, "vertices that differ")
    as_labels(network, (names, np.zeros(numbers.size)))
    return numbers


def _transitions(network: Graph) -> csr_array[np.float64]:
    """The walk's transition probabilities, shape (n, n)."""
    starts = network.offsets[:-1][np.diff(network.offsets) > 0]
    weights = np.empty_like(network.lengths)
    if starts.size:
        degrees = np.diff(np.append(starts, network.lengths.size))
        shortest = np.repeat(np.minimum.reduceat(network.lengths, starts), degrees)
        weights = (shortest / network.lengths) ** 2  # the heaviest is one: nothing overflows
        weights /= np.repeat(np.add.reduceat(weights, starts), degrees)
    shape = (network.vertex_count, network.vertex_count)
    return csr_array((weights, network.neighbours, network.offsets), shape=shape)


def _absorbed(
    walk: csr_array[np.float64], inside: npt.NDArray[np.bool_], ends: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """Rows of the law inside from those at its ends, certified.

    The defect over one step, times the expected number of steps, bounds the error.
    """
    here = walk[inside]
    system = csc_array(eye_array(here.shape[0]) - here[:, inside])
    try:
        factors = splu(system, diag_pivot_thresh=0.0, permc_spec="MMD_AT_PLUS_A")
    except RuntimeError as error:
        raise UnsupportedError("a first-hit law with these lengths", str(error)) from None
    arriving = np.asarray(here[:, ~inside] @ ends)
    law, steps = factors.solve(arriving), factors.solve(np.ones(system.shape[0]))
    rounding = (np.diff(here.indptr).max() + 8) * _UNIT
    defect = np.abs(arriving - system @ law).max() + 4 * rounding
    kept = (system @ steps - 2 * rounding * np.abs(steps).max()).min()
    if not (kept > 0 and defect / kept * steps.max() <= _TOLERANCE):
        raise UnsupportedError(
            f"a first-hit law within {_TOLERANCE:g}",
            f"walks of {steps.max():.3g} steps amplify rounding; first_hit_law_exact answers",
        )
    return np.clip(law, 0.0, 1.0)


def _laws(network: Graph, targets: set[int]) -> list[Law]:
    """The exact first-hit law of each vertex, by eliminating the other vertices one by one."""
    ends = network.offsets.tolist()
    rows: dict[int, Law] = {}
    for x in set(range(network.vertex_count)) - targets:
        edges = range(ends[x], ends[x + 1])
        weights = {
            int(network.neighbours[e]): 1 / Fraction(float(network.lengths[e])) ** 2 for e in edges
        }
        total = sum(weights.values())
        rows[x] = {y: weight / total for y, weight in weights.items()}
    laws: list[Law] = [{x: Fraction(1)} if x in targets else {} for x in range(len(ends) - 1)]
    order = []
    waiting = set(rows)
    while waiting:
        x = min(waiting, key=lambda vertex: len(rows[vertex]))
        waiting.remove(x)
        order.append(x)
        for z in waiting & rows[x].keys():
            _pass_through(rows[z], x, rows[x], z)
    for x in reversed(order):
        for y, share in rows[x].items():
            for target, part in laws[y].items():
                laws[x][target] = laws[x].get(target, Fraction(0)) + share * part
    return laws


def _pass_through(row: Law, x: int, onward: Law, z: int) -> None:
    """Replace the step from z to x by the steps that follow it, returns to z left out."""
    share = row.pop(x)
    for y, part in onward.items():
        row[y] = row.get(y, Fraction(0)) + share * part
    moving = 1 - row.pop(z)
    for y in row:
        row[y] /= moving
