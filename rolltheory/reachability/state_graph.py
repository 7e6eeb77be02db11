"""A finite Markov chain with success states: what a reachability question is asked about."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import InitVar, dataclass
from fractions import Fraction
from numbers import Rational
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_array, csr_array

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import integer_array, real_array

if TYPE_CHECKING:
    import networkx

__all__ = ["ROW_SUM_TOLERANCE", "StateError", "StateGraph"]

ROW_SUM_TOLERANCE = 1e-5
"""How far the probabilities out of a state may sum from one: room for five written digits."""

_LARGEST_COUNT = 2**31 - 1  # states are numbered with 32 bits


class StateError(DomainError):
    """One state of a graph is not what a Markov chain allows; ``state`` is its label."""

    def __init__(self, state: Hashable, field: str, value: Any, allowed: str) -> None:
        self.state = state
        super().__init__(f"{field} of state {state!r}", value, allowed)


@dataclass(frozen=True, eq=False, repr=False)
class StateGraph:
    r"""A Markov chain on finitely many states, some of which are a success.

    .. math:: P(s, t) = w(s, t) \Big/ \sum_u w(s, u), \qquad \Big|\sum_u w(s, u) - 1\Big| \le \tau

    where :math:`w(s, t) > 0` is the stored probability of the edge from s to t and :math:`\tau` the
    tolerance. The chain is exactly stochastic, so rounding in a file neither adds nor loses mass.

    The contract, the same for every constructor:

    - parallel edges are summed (an edge repeated by mistake shows in the row sum);
    - edges of probability zero are left out;
    - a state without a way out must be a success or be declared absorbing, which gives it a
      self-loop of weight one; a self-loop of weight one may also be written as an edge;
    - a success ends the run: edges out of a success state are checked and kept, never followed;
    - at least one success state is given, each is a state of the graph, and none is declared
      absorbing as well.

    Build one with `from_edges`, `from_networkx`, `from_scipy`, or from a file with
    `rolltheory.readers.state_graph.read_state_graph`.

    Parameters
    ----------
    row_start : int64, shape (states + 1,)
        The edges out of state s are ``row_start[s]`` up to ``row_start[s + 1]``.
    targets : int32, shape (edges,)
    probabilities : float64, shape (edges,)
        All positive.
    success : bool, shape (states,)
    states : sequence of hashable, length states
        The label of each state.
    rationals : tuple of Fraction, length edges, or None
        The probabilities as given, if all of them were rational numbers.

    Raises
    ------
    DomainError, StateError

    Notes
    -----
    Source: known (absorbing Markov chains).

    Examples
    --------
    >>> graph = StateGraph.from_edges(
    ...     [("start", "solved", 0.5), ("start", "stuck", 0.5)],
    ...     success=["solved"],
    ...     absorbing=["stuck"],
    ... )
    >>> graph
    StateGraph(3 states, 3 edges, 1 success)
    >>> graph.states
    ('start', 'solved', 'stuck')
    """

    row_start: npt.NDArray[np.int64]
    targets: npt.NDArray[np.int32]
    probabilities: npt.NDArray[np.float64]
    success: npt.NDArray[np.bool_]
    states: Sequence[Hashable]
    rationals: tuple[Fraction, ...] | None = None
    row_sum_tolerance: InitVar[float] = ROW_SUM_TOLERANCE

    def __post_init__(self, row_sum_tolerance: float) -> None:
        self._check_shapes()
        self._check_rows(row_sum_tolerance)
        for array in (self.row_start, self.targets, self.probabilities, self.success):
            array.setflags(write=False)

    def __repr__(self) -> str:
        return (
            f"StateGraph({self.success.size} states, {self.targets.size} edges, "
            f"{int(self.success.sum())} success)"
        )

    @classmethod
    def from_edges(
        cls,
        edges: Iterable[tuple[Hashable, Hashable, float | Fraction]],
        *,
        success: Iterable[Hashable],
        absorbing: Iterable[Hashable] = (),
        states: Sequence[Hashable] | None = None,
        row_sum_tolerance: float = ROW_SUM_TOLERANCE,
    ) -> Self:
        """The graph with the given (source, target, probability) triples.

        Without ``states``, the states are those that the edges and ``absorbing`` name: in
        increasing order if all are integers, else in order of first appearance. With ``states``, a
        label outside of it is refused. Probabilities that are all ``Fraction`` or ``int`` are kept
        as they are for the exact functions.

        >>> third = Fraction(1, 3)
        >>> StateGraph.from_edges([(0, 0, third), (0, 1, 2 * third)], success=[1]).rationals
        (Fraction(1, 3), Fraction(2, 3))
        """
        rows = [_edge(number, edge) for number, edge in enumerate(edges)]
        absorbing = list(absorbing)
        if states is None:
            states = _states_named(rows, absorbing)
        position = {state: number for number, state in enumerate(states)}
        if len(position) != len(states):
            raise DomainError("states", states, "labels that differ")
        source = _positions("edges", [row[0] for row in rows], position)
        target = _positions("edges", [row[1] for row in rows], position)
        exact = any(isinstance(row[2], Fraction) for row in rows) and all(
            isinstance(row[2], Rational) for row in rows
        )
        return cls._assembled(
            source,
            target,
            np.array([row[2] for row in rows], dtype=object if exact else np.float64),
            success=_positions("success", success, position),
            absorbing=_positions("absorbing", absorbing, position),
            states=states,
            row_sum_tolerance=row_sum_tolerance,
        )

    @classmethod
    def from_networkx(
        cls,
        graph: networkx.DiGraph[Any],
        *,
        success: Iterable[Hashable],
        absorbing: Iterable[Hashable] = (),
        probability: str = "probability",
        row_sum_tolerance: float = ROW_SUM_TOLERANCE,
    ) -> Self:
        """The graph of a networkx DiGraph or MultiDiGraph; states in the order of its nodes.

        ``probability`` names the edge attribute that holds the probability.
        """
        if not graph.is_directed():
            raise DomainError("graph", graph, "a directed graph")
        return cls.from_edges(
            graph.edges(data=probability),
            success=success,
            absorbing=absorbing,
            states=tuple(graph.nodes),
            row_sum_tolerance=row_sum_tolerance,
        )

    @classmethod
    def from_scipy(
        cls,
        matrix: Any,
        *,
        success: npt.ArrayLike,
        absorbing: npt.ArrayLike = (),
        states: Sequence[Hashable] | None = None,
        row_sum_tolerance: float = ROW_SUM_TOLERANCE,
    ) -> Self:
        """The graph of a sparse matrix, shape (states, states), probabilities from row to column.

        ``success`` and ``absorbing`` hold state numbers; ``states`` only labels them. A
        ``coo_array`` of three plain arrays is the fast way to build a large graph.

        >>> StateGraph.from_scipy(csr_array([[0.9, 0.1], [0.0, 0.0]]), success=[1])
        StateGraph(2 states, 2 edges, 1 success)
        """
        count = matrix.shape[0]
        if matrix.shape != (count, count):
            raise DomainError("matrix.shape", matrix.shape, "a square matrix")
        _check_count(count)
        real_array("matrix", matrix.data, at_least=0.0)  # before sums can hide a negative entry
        chosen = _numbers("success", success, count)
        ends = _numbers("absorbing", absorbing, count)
        table = csr_array(matrix, dtype=np.float64, copy=True)
        table.sum_duplicates()
        table.eliminate_zeros()
        if ends.size:
            _check_ends(np.diff(table.indptr), ends, chosen, states or range(count))
            loops = coo_array((np.ones(ends.size), (ends, ends)), shape=table.shape)
            table = csr_array(table + loops)
        return cls(
            table.indptr.astype(np.int64),
            table.indices.astype(np.int32, copy=False),
            table.data,
            _mask(chosen, count),
            range(count) if states is None else states,
            row_sum_tolerance=row_sum_tolerance,
        )

    def transition_matrix(self) -> csr_array[np.float64]:
        """The stored probabilities as a sparse matrix, shape (states, states), sharing memory.

        >>> StateGraph.from_edges([(0, 1, 1.0)], success=[1]).transition_matrix().toarray()
        array([[0., 1.],
               [0., 0.]])
        """
        shape = (self.success.size, self.success.size)
        return csr_array((self.probabilities, self.targets, self.row_start), shape=shape)

    @classmethod
    def _assembled(
        cls,
        source: npt.NDArray[np.int32],
        target: npt.NDArray[np.int32],
        probability: npt.NDArray[Any],
        *,
        success: npt.NDArray[np.int32],
        absorbing: npt.NDArray[np.int32],
        states: Sequence[Hashable],
        row_sum_tolerance: float,
    ) -> Self:
        """Sorted, summed rows from edges between state numbers with non-negative probabilities."""
        count = len(states)
        _check_count(count)
        kept = probability > 0
        if not kept.all():
            source, target, probability = source[kept], target[kept], probability[kept]
        if absorbing.size:
            absorbing = np.unique(absorbing)
            _check_ends(np.bincount(source, minlength=count), absorbing, success, states)
            source = np.concatenate([source, absorbing])
            target = np.concatenate([target, absorbing])
            probability = np.concatenate([probability, np.ones(absorbing.size, dtype=np.int64)])
        order = np.lexsort((target, source))
        source, target, probability = source[order], target[order], probability[order]
        del order
        first = np.flatnonzero(
            np.r_[source.size > 0, (source[1:] != source[:-1]) | (target[1:] != target[:-1])]
        )
        if first.size < source.size:
            probability = np.add.reduceat(probability, first) if first.size else probability
            source, target = source[first], target[first]
        row_start = np.zeros(count + 1, dtype=np.int64)
        np.cumsum(np.bincount(source, minlength=count), out=row_start[1:])
        rational = tuple(map(Fraction, probability)) if probability.dtype == object else None
        return cls(
            row_start,
            target,
            probability.astype(np.float64),
            _mask(success, count),
            states,
            rational,
            row_sum_tolerance=row_sum_tolerance,
        )

    def _check_shapes(self) -> None:
        count, edges = self.success.size, self.targets.size
        if self.row_start.shape != (count + 1,) or len(self.states) != count:
            raise DomainError("states", self.states, f"{count} labels, one for each state")
        if self.probabilities.shape != (edges,) or self.row_start[-1] != edges:
            raise DomainError("probabilities", self.probabilities, "one probability for each edge")
        if self.row_start[0] != 0 or (np.diff(self.row_start) < 0).any():
            raise DomainError("row_start", self.row_start, "row starts that increase from 0")
        if edges and not 0 <= self.targets.min() <= self.targets.max() < count:
            raise DomainError("targets", self.targets, f"state numbers from 0 to {count - 1}")
        if not self.success.any():
            raise DomainError("success", [], "at least one success state")
        if edges and not (np.isfinite(self.probabilities) & (self.probabilities > 0)).all():
            raise DomainError("probabilities", self.probabilities, "positive finite probabilities")

    def _check_rows(self, tolerance: float) -> None:
        """Every state sums to one within the tolerance, or is a success without a way out."""
        filled = np.flatnonzero(np.diff(self.row_start))
        ended = self.success.copy()
        ended[filled] = True
        if not ended.all():
            raise StateError(
                self.states[int(np.argmin(ended))],
                "number of ways out",
                0,
                "at least one (a self-loop of weight one will do), or the state declared as a "
                "success or as absorbing",
            )
        if not filled.size:
            return
        sums = np.add.reduceat(self.probabilities, self.row_start[filled])
        wrong = np.flatnonzero(~(np.abs(sums - 1.0) <= tolerance))
        if wrong.size:
            raise StateError(
                self.states[int(filled[wrong[0]])],
                "sum of the probabilities out",
                float(sums[wrong[0]]),
                f"1 within {tolerance:g}",
            )


def _edge(number: int, edge: Any) -> tuple[Hashable, Hashable, Any]:
    probability: Any
    try:
        source, target, probability = edge
    except (TypeError, ValueError):
        raise DomainError(f"edges[{number}]", edge, "(source, target, probability)") from None
    if not (
        isinstance(probability, (int, float, np.number, Fraction))
        and not isinstance(probability, bool)
        and 0 <= probability < float("inf")
        and (float(probability) > 0) == (probability > 0)  # a tiny rational would round to zero
    ):
        raise DomainError(
            f"edges[{number}], probability from {source!r} to {target!r}",
            probability,
            "a finite number, zero or at least 5e-324",
        )
    return source, target, probability


def _states_named(rows: list[tuple[Any, Any, Any]], absorbing: list[Any]) -> Sequence[Hashable]:
    labels = dict.fromkeys(label for row in rows for label in row[:2])
    labels.update(dict.fromkeys(absorbing))
    if all(isinstance(label, (int, np.integer)) for label in labels):
        return tuple(sorted(labels))
    return tuple(labels)


def _positions(
    field: str, labels: Iterable[Hashable], position: dict[Hashable, int]
) -> npt.NDArray[np.int32]:
    labels = list(labels)
    try:
        return np.array([position[label] for label in labels], dtype=np.int32)
    except KeyError as error:
        raise DomainError(field, error.args[0], "states of the graph") from None


def _numbers(field: str, value: npt.ArrayLike, count: int) -> npt.NDArray[np.int64]:
    array = np.atleast_1d(np.asarray(value))
    if not array.size:
        return np.empty(0, dtype=np.int64)
    return np.unique(integer_array(field, array, at_least=0, at_most=count - 1))


def _mask(numbers: npt.NDArray[Any], count: int) -> npt.NDArray[np.bool_]:
    mask = np.zeros(count, dtype=bool)
    mask[numbers] = True
    return mask


def _check_ends(
    ways_out: npt.NDArray[Any],
    absorbing: npt.NDArray[Any],
    success: npt.NDArray[Any],
    states: Sequence[Hashable],
) -> None:
    both = np.intersect1d(absorbing, success)
    if both.size:
        raise StateError(
            states[int(both[0])],
            "declaration",
            "success and absorbing",
            "one of the two (a run ends at a success in any case)",
        )
    busy = absorbing[ways_out[absorbing] > 0]
    if busy.size:
        state = int(busy[0])
        raise StateError(
            states[state],
            "number of ways out",
            int(ways_out[state]),
            "none, because it was declared absorbing",
        )


def _check_count(count: int) -> None:
    if not 0 < count <= _LARGEST_COUNT:
        raise DomainError("states", count, f"from 1 to {_LARGEST_COUNT} states")
