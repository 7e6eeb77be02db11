"""The probability of ever reaching a success, with a certificate, and exactly."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.linalg import LinearOperator, bicgstab, splu

from rolltheory.errors import UnsupportedError
from rolltheory.reachability._graph_kernels import (
    component_system,
    components_sinks_first,
    error_per_move,
    for_size,
    forward_sweep,
    relax,
    solve_small_components,
)
from rolltheory.reachability.reach import reach_classes
from rolltheory.reachability.state_graph import StateGraph

__all__ = [
    "SuccessEnclosure",
    "success_probability",
    "success_probability_enclosure",
    "success_probability_exact",
]

Reals = npt.NDArray[np.float64]

_ITERATED_FROM = 200  # states; even without a zero, factors of fewer are cheaper than iterating
_KRYLOV_STEPS = 20  # between restarts; an expander needs ten, a lattice hundreds: factorise that
_COARSE = 0.1  # the moves certify whenever each step brings the end nearer
_FINE = 2.0**-51


class SuccessEnclosure(NamedTuple):
    """Numbers with certified bounds: ``lower <= truth <= upper`` in every entry."""

    value: Reals
    lower: Reals
    upper: Reals


def success_probability(graph: StateGraph, *, tolerance: float = 1e-9) -> Reals:
    r"""The probability of ever reaching a success from each state.

    .. math:: V = \text{least } x \ge 0 \text{ with } x_s = 1 \text{ on success}, \quad
              x_s = \sum_t P(s, t)\, x_t \text{ elsewhere}

    On all states the equations have many solutions: a closed loop that never succeeds satisfies
    them with any constant. They are solved only on the states that can reach a success but do not
    surely reach it, where the solution is unique; elsewhere the answer is exactly 0 or 1.

    Parameters
    ----------
    graph : StateGraph
    tolerance : float
        The largest error allowed in any entry.

    Returns
    -------
    float64, shape (states,)
        Certified to be within the tolerance of the chain's success probability. Pass@k from each
        state is ``1 - (1 - V) ** k``.

    Raises
    ------
    UnsupportedError
        if rounding does not let the error be certified, as when a loop is left once in 1e12 moves;
        `success_probability_enclosure` says what is known, `success_probability_exact` answers.

    Notes
    -----
    Source: known (absorbing Markov chains); restriction and certificate derived here.

    Examples
    --------
    >>> loop = [("try", "try", 0.5), ("try", "solved", 0.2), ("try", "stuck", 0.3)]
    >>> graph = StateGraph.from_edges(loop, success=["solved"], absorbing=["stuck"])
    >>> success_probability(graph)
    array([0.4, 1. , 0. ])
    """
    value, lower, upper = success_probability_enclosure(graph)
    error = float(np.maximum(upper - value, value - lower).max())
    if not error <= tolerance:
        raise UnsupportedError(
            f"a success probability within {tolerance:g} of the truth",
            f"here rounding leaves an error of up to {error:.3g}; take the enclosure or the exact "
            "function",
        )
    return value


def success_probability_enclosure(graph: StateGraph) -> SuccessEnclosure:
    r"""The success probability of each state between certified bounds.

    .. math:: |V_s - x_s| \le \max_u \frac{|r_u|}{d_u}\; m_s, \qquad
              r = P x - x, \quad d = m - P m > 0

    where x is the computed solution, r its defect, and m any positive vector that the chain drops
    on every undecided state: the matrix :math:`I - P` of those states then has a non-negative
    inverse, so :math:`|V - x| = |(I - P)^{-1} r| \le \max(|r| / d)\, (I - P)^{-1} d`. The function
    takes for m the computed number of moves until the run is decided; r is rounded up and d down.

    Components are solved from the ends backwards: small ones by elimination without subtraction,
    large ones by sweeps, or else by a preconditioned Krylov iteration, or else, if that is slow
    too, by a sparse factorisation.

    Parameters
    ----------
    graph : StateGraph

    Returns
    -------
    SuccessEnclosure of float64, shape (states,)
        Of the chain as stored: probabilities given as rationals were rounded first. Trivial bounds,
        0 and 1, where nothing could be certified.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> edges = [(0, 0, 0.5), (0, 1, 0.125), (0, 2, 0.375), (2, 2, 1.0)]
    >>> value, lower, upper = success_probability_enclosure(
    ...     StateGraph.from_edges(edges, success=[1])
    ... )
    >>> bool(lower[0] <= 0.25 <= upper[0]), float(upper[0] - lower[0]) < 1e-14
    (True, True)
    """
    reachable, sure = reach_classes(graph)
    edges = (graph.row_start, graph.targets, graph.probabilities)
    size = graph.targets.size
    order, start = for_size(components_sinks_first, size)(*edges[:2], reachable & ~sure)
    value, moves = sure.astype(np.float64), np.zeros(sure.size)
    _solve_components(edges, order, start, value, moves)
    rate = for_size(error_per_move, size)(*edges, order, value, moves)
    np.clip(value, 0.0, 1.0, out=value)
    lower, upper = value.copy(), value.copy()
    error = rate * moves[order] if rate < np.inf else 1.0
    lower[order] = np.maximum(np.nextafter(value[order] - error, -np.inf), 0.0)
    upper[order] = np.minimum(np.nextafter(value[order] + error, np.inf), 1.0)
    return SuccessEnclosure(value, lower, upper)


def success_probability_exact(graph: StateGraph) -> tuple[Fraction, ...]:
    r"""The success probability of each state as a rational number.

    .. math:: P(i, j) \leftarrow P(i, j) + P(i, s)\,\frac{P(s, j)}{1 - P(s, s)} \quad (j \ne s)

    Eliminates one undecided state s at a time from the chain, then substitutes back. Meant for
    small graphs: time grows as the cube of the states in a component, and digits grow too.

    Parameters
    ----------
    graph : StateGraph
        Probabilities given as rationals are used as given, floats at their binary value; either way
        the chain is the stored weights over their sum.

    Returns
    -------
    tuple of Fraction, length states

    Notes
    -----
    Source: known (state elimination).

    Examples
    --------
    >>> loop = [(0, 0, Fraction(1, 2)), (0, 1, Fraction(1, 5)), (0, 2, Fraction(3, 10)), (2, 2, 1)]
    >>> success_probability_exact(StateGraph.from_edges(loop, success=[1]))
    (Fraction(2, 5), Fraction(1, 1), Fraction(0, 1))
    """
    reachable, sure = reach_classes(graph)
    edges = (graph.row_start, graph.targets)
    order = components_sinks_first(*edges, reachable & ~sure)[0].tolist()
    value = [Fraction(int(one)) for one in sure]
    rows = _eliminated(graph, order)
    for state in order:
        value[state] = sum((share * value[to] for to, share in rows[state].items()), Fraction(0))
    return tuple(value)


def _eliminated(graph: StateGraph, order: list[int]) -> dict[int, dict[int, Fraction]]:
    """For each ordered state, where the chain next is among the states before it or outside."""
    rows = {state: _exact_row(graph, state) for state in order}
    sources: dict[int, set[int]] = {state: set() for state in order}
    for state, row in rows.items():
        for target in row.keys() & rows.keys():
            sources[target].add(state)
    for state in reversed(order):
        row, moving = rows[state], sum(rows[state].values())
        for target in row:
            row[target] /= moving
            if target in sources:
                sources[target] = (sources[target] | sources[state]) - {state, target}
        for source in sources[state]:
            weight = rows[source].pop(state)
            for target in row.keys() - {source}:
                rows[source][target] = rows[source].get(target, 0) + weight * row[target]
    return rows


def _exact_row(graph: StateGraph, state: int) -> dict[int, Fraction]:
    row = range(graph.row_start[state], graph.row_start[state + 1])
    weights = graph.probabilities if graph.rationals is None else graph.rationals
    exact = {int(graph.targets[edge]): Fraction(weights[edge]) for edge in row}
    exact.pop(state, None)
    return exact


def _solve_components(
    edges: tuple[npt.NDArray[np.int64], npt.NDArray[np.int32], Reals],
    order: npt.NDArray[np.int32],
    start: npt.NDArray[np.int32],
    value: Reals,
    moves: Reals,
) -> None:
    """Fill in value and moves of the ordered states, component by component."""
    size = edges[1].size
    place = np.full(value.size, -1, dtype=np.int32)
    place[order] = np.arange(order.size, dtype=np.int32)
    solve_small = for_size(solve_small_components, size)
    component = solve_small(*edges, order, start, place, 0, value, moves)
    while component < start.size - 1:
        members = order[start[component] : start[component + 1]]
        system = for_size(component_system, size)(*edges, members, place, value, moves)
        row_start, columns, coefficients, right = system
        solution = np.zeros_like(right)
        if not for_size(relax, size)(*system, solution):
            matrix = csr_array((coefficients, columns, row_start), shape=(members.size,) * 2)
            solution[:] = _solved(matrix, right, for_size(forward_sweep, size))
        value[members], moves[members] = solution
        component = solve_small(*edges, order, start, place, component + 1, value, moves)


def _solved(
    matrix: csr_array[np.float64],
    right: Reals,
    sweep: Callable[[npt.NDArray[np.int32], npt.NDArray[np.int32], Reals, Reals], Reals],
) -> tuple[Reals, Reals]:
    """The solution for both right-hand sides: digits for the first, a coarse one for the second."""
    swept = LinearOperator(
        matrix.shape,
        matvec=lambda vector: sweep(matrix.indptr, matrix.indices, matrix.data, vector),
        dtype=np.float64,
    )

    def iterated(defect: Reals, enough: float) -> Reals:
        return bicgstab(matrix, defect, rtol=1e-8, atol=enough, maxiter=_KRYLOV_STEPS, M=swept)[0]

    if matrix.shape[0] > _ITERATED_FROM:
        moves, defect = _refined(matrix, right[1], _COARSE, iterated)
        if defect <= _COARSE:
            value, defect = _refined(matrix, right[0], _FINE, iterated)
            if defect <= 64 * _FINE:
                return value, moves
    factorised = _factorised(matrix)
    moves, _ = _refined(matrix, right[1], _COARSE, factorised)
    return _refined(matrix, right[0], _FINE, factorised)[0], moves


def _factorised(matrix: csr_array[np.float64]) -> Callable[[Reals, float], Reals]:
    """Sparse LU without pivoting, which a diagonally dominant matrix does not need."""
    try:
        factors = splu(
            matrix.tocsc(),
            permc_spec="MMD_AT_PLUS_A",
            diag_pivot_thresh=0.0,
            options={"SymmetricMode": True},
        )
    except MemoryError:
        raise UnsupportedError(
            f"a component of {matrix.shape[0]} states that mixes slowly and has no sparse factors",
            "memory ran out",
        ) from None
    return lambda defect, _: factors.solve(defect)


def _refined(
    matrix: csr_array[np.float64],
    right: Reals,
    enough: float,
    correction: Callable[[Reals, float], Reals],
) -> tuple[Reals, float]:
    """Add corrections while each makes the defect ten times smaller; also return the last one."""
    solution, defect = np.zeros_like(right), right
    largest, previous = float(right.max()), np.inf
    while enough < largest < previous / 10:
        candidate = solution + correction(defect, enough)
        defect = right - matrix @ candidate
        previous, reached = largest, float(np.abs(defect).max())
        if reached < largest:
            solution, largest = candidate, reached
    return solution, largest
