"""Claims about state graphs: who can reach a success, who surely does, and how probably."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np

from rolltheory.claims import (
    Relation,
    Sides,
    Source,
    Tight,
    Tooth,
    Verdict,
    claim,
)
from rolltheory.reachability.reach import can_reach, surely_reaches
from rolltheory.reachability.state_graph import StateGraph
from rolltheory.reachability.success import (
    success_probability_enclosure,
    success_probability_exact,
)

__all__ = [
    "Chain",
    "Loop",
    "change_bounds_the_error",
    "every_solution_is_the_probability",
    "least_solution_is_the_probability",
    "positive_iff_reachable",
    "success_probability_is_certified",
    "surely_iff_no_way_to_a_dead_end",
]

PAGE = "docs/theory/reachability.md"
Values: TypeAlias = tuple[Fraction, ...]
TRAP: Values = (Fraction(0), Fraction(1), Fraction(0))


@dataclass(frozen=True)
class Chain:
    """A chain on states 0, 1, ...; row s holds the probabilities of the moves out of state s.

    A success ends the run; the row of a success is never followed.
    """

    rows: tuple[Values, ...]
    success: tuple[int, ...]

    def graph(self) -> StateGraph:
        """The chain as the library's graph."""
        edges = [
            (s, t, probability)
            for s, row in enumerate(self.rows)
            for t, probability in enumerate(row)
            if probability
        ]
        return StateGraph.from_edges(edges, success=self.success, states=range(len(self.rows)))

    def stored(self) -> Chain:
        """The chain that the float route sees: probabilities rounded, then scaled to sum to one."""
        rounded = [[Fraction(float(weight)) for weight in row] for row in self.rows]
        rows = (tuple(weight / (sum(row) or 1) for weight in row) for row in rounded)
        return Chain(tuple(rows), self.success)

    def solution(self, trapped: Fraction = Fraction(0)) -> Values:
        """The solution of x = P x, x = 1 on successes, that is ``trapped`` on inescapable loops.

        Eliminates all states one by one; nothing is searched. The least non-negative solution, with
        0, is the probability of success; 1 gives the greatest that is at most one.
        """
        rows = {s: list(row) for s, row in enumerate(self.rows) if s not in self.success}
        order, inescapable = list(rows), set()
        for place in reversed(range(len(order))):
            s = order[place]
            loop, rows[s][s] = rows[s][s], Fraction(0)
            if loop == 1:
                inescapable.add(s)
            else:
                rows[s] = [weight / (1 - loop) for weight in rows[s]]
            for earlier in order[:place]:
                share, rows[earlier][s] = rows[earlier][s], Fraction(0)
                if s in inescapable:
                    rows[earlier][s] = share
                else:
                    rows[earlier] = [
                        w + share * v for w, v in zip(rows[earlier], rows[s], strict=True)
                    ]
        value = [Fraction(int(s in self.success)) for s in range(len(self.rows))]
        for s in inescapable:
            value[s] = trapped
        for s in order:
            if s not in inescapable:
                value[s] = sum((w * v for w, v in zip(rows[s], value, strict=True)), Fraction(0))
        return tuple(value)


def _states(mask: Any) -> tuple[int, ...]:
    return tuple(int(s) for s in np.flatnonzero(mask))


def reach_in_two_steps(graph: StateGraph) -> Any:
    """A search that gives up after two steps."""
    moves = graph.transition_matrix()
    reached = graph.success
    for _ in range(2):
        reached = reached | ((moves @ reached.astype(float)) > 0)
    return reached


def reach_along_edges(graph: StateGraph) -> Any:
    """A search from the successes over the edges as they are, not reversed."""
    moves = graph.transition_matrix().T
    reached = graph.success
    for _ in range(graph.success.size):
        reached = reached | ((moves @ reached.astype(float)) > 0)
    return reached


def reach_through_success(graph: StateGraph) -> Any:
    """No dead end can be reached, not even from a success that has ended the run."""
    doomed = ~can_reach(graph)
    moves = graph.transition_matrix()
    for _ in range(graph.success.size):
        doomed = doomed | ((moves @ doomed.astype(float)) > 0)
    return ~doomed | graph.success


@claim(
    "reachability.graph.can_reach",
    statement=r"V(s) > 0 \iff \text{a path of positive edges leads from } s \text{ to a success}",
    relation=Relation.EQUAL,
    source=Source.paper("2606.25451", "linear-time reachability of a success"),
    assumes={},
    teeth={
        "two steps only": reach_in_two_steps,
        "edges not reversed": reach_along_edges,
        "surely reaches": surely_reaches,
    },
)
def positive_iff_reachable(case: Chain, search: Callable[[StateGraph], Any] = can_reach) -> Sides:
    """A state can succeed if and only if a backward search from the successes finds it.

    Linear in states and edges, whatever the cycles. The left side is what the search finds, the
    right side the states whose exact success probability, found without any search, is positive.
    """
    positive = tuple(s for s, v in enumerate(case.solution()) if v > 0)
    return Sides(_states(search(case.graph())), positive)


@claim(
    "reachability.graph.surely_reaches",
    statement=r"V(s) = 1 \iff \text{no path that avoids the successes leads from } s"
    r" \text{ to a state that cannot reach a success}",
    relation=Relation.EQUAL,
    source=Source.known("finite Markov chains leave their transient states"),
    assumes={},
    teeth={
        "can reach": can_reach,
        "paths may pass a success": reach_through_success,
    },
)
def surely_iff_no_way_to_a_dead_end(
    case: Chain, search: Callable[[StateGraph], Any] = surely_reaches
) -> Sides:
    """A state surely succeeds if and only if no dead end can be reached before a success.

    Without "before a success" it is false: a success that leads on to a trap has ended the run.
    """
    certain = tuple(s for s, v in enumerate(case.solution()) if v == 1)
    return Sides(_states(search(case.graph())), certain)


def by_the_library(chain: Chain) -> Values:
    """What the library answers."""
    return success_probability_exact(chain.graph())


def greatest_solution(chain: Chain) -> Values:
    """What iteration from 1 finds: never failing counts as success."""
    return chain.solution(trapped=Fraction(1))


@claim(
    "reachability.graph.success_probability",
    statement=r"V = \text{least } x \ge 0:\quad x_s = 1 \text{ on success}, \quad"
    r" x_s = \sum_t P(s, t)\, x_t \text{ elsewhere}",
    relation=Relation.EQUAL,
    source=Source.known("absorbing Markov chains", f"{PAGE}#success-probability"),
    assumes={},
    teeth={
        "greatest solution": greatest_solution,
        "trapped runs count half": lambda chain: chain.solution(trapped=Fraction(1, 2)),
        "possible is certain": lambda chain: tuple(
            Fraction(int(able)) for able in can_reach(chain.graph())
        ),
    },
)
def least_solution_is_the_probability(
    case: Chain, solver: Callable[[Chain], Values] = by_the_library
) -> Sides:
    """The success probability is the least non-negative solution of the linear equations.

    The library first sets apart the states that cannot fail or cannot succeed and solves for the
    rest, where the solution is unique. The right side eliminates all states without any search.
    """
    return Sides(solver(case), case.solution())


@claim(
    "reachability.graph.any_solution",
    statement=r"0 \le x \le 1,\ x_s = 1 \text{ on success},\ x_s = \sum_t P(s, t)\, x_t"
    r" \text{ elsewhere} \implies x = V",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#success-probability"),
    assumes={},
    repairs={"the least solution": by_the_library},
    declared=Verdict.REFUTED,
    repaired_by="reachability.graph.success_probability",
)
def every_solution_is_the_probability(
    case: Chain, solution: Callable[[Chain], Values] = greatest_solution
) -> Sides:
    """Every solution of the linear equations on all states is the success probability.

    False as soon as a closed loop never succeeds: any constant on the loop solves the equations, so
    the matrix is singular, and value iteration started from 1 stays at 1.
    """
    return Sides(solution(case), case.solution())


@dataclass(frozen=True)
class Loop:
    """One state that stays with probability ``stay`` and succeeds with ``succeed``, else fails."""

    stay: Fraction
    succeed: Fraction
    tolerance: Fraction


@claim(
    "reachability.graph.stopping_rule",
    statement=r"\max_s |x_{t+1}(s) - x_t(s)| < \varepsilon \implies"
    r" \max_s |x_t(s) - V(s)| \le \varepsilon",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#success-probability"),
    assumes={},
    repairs={"change below (1 - stay) tolerance": lambda loop: loop.tolerance * (1 - loop.stay)},
    declared=Verdict.REFUTED,
    repaired_by="reachability.graph.certified",
)
def change_bounds_the_error(
    case: Loop, allowed_change: Callable[[Loop], Fraction] = lambda loop: loop.tolerance
) -> Sides:
    """Value iteration that has nearly stopped moving is near the success probability.

    False: a state that stays with probability 1 - 1e-4 moves by less than 1e-6 in a step while
    still 1e-2 away. The error is bounded by the change times the expected number of moves.
    """
    error = case.succeed / (1 - case.stay)
    change = case.succeed
    while change >= allowed_change(case):
        error, change = error * case.stay, change * case.stay
    return Sides(error, case.tolerance)


Certificate: TypeAlias = Callable[[Any], Any]


@claim(
    "reachability.graph.certified",
    statement=r"|x_s - V_s| \le \max_u \frac{|r_u|}{d_u}\, m_s, \quad r = P x - x, \quad"
    r" d = m - P m > 0",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#success-probability"),
    assumes={},
    teeth={
        "rounding does not matter": lambda _: Fraction(0),
        "a thirtieth of the error": lambda width: width / 30,
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    tight=Tight(
        Chain(((Fraction(0), Fraction(1, 3), Fraction(2, 3)), TRAP, (Fraction(0),) * 3), (2,)),
        at_least=Fraction(1, 21),
    ),
)
def success_probability_is_certified(
    case: Chain, width: Callable[[Fraction], Fraction] = lambda width: width
) -> Sides:
    """The float route's error is at most the error that it certifies.

    The left side is the largest error of any state against the exact solution of the chain as
    stored, the right side the certified one.
    """
    found = success_probability_enclosure(case.graph())
    exact = case.stored().solution()
    errors = [abs(Fraction(x) - v) for x, v in zip(found.value.tolist(), exact, strict=True)]
    reach = [
        max(Fraction(x) - Fraction(low), Fraction(high) - Fraction(x))
        for x, low, high in zip(*(array.tolist() for array in found), strict=True)
    ]
    return Sides(max(errors), width(max(reach)))
