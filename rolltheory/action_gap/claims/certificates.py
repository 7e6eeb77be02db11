"""Claims about certificates: what each one implies, and what makes it fail."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import inf
from typing import Any, TypeAlias

import numpy as np

from rolltheory.action_gap.certificates import (
    Certificate,
    exact_certificate,
    half_gap_certificate,
    oscillation_certificate,
)
from rolltheory.action_gap.claims.planned import Planned, Starts, bipartite
from rolltheory.action_gap.gaps import action_gaps
from rolltheory.claims import Counterexample, Relation, Sides, Source, claim

__all__ = [
    "UNIT_COST",
    "Certifier",
    "error_below_half_the_gap_is_optimal",
    "every_optimal_rollout_is_certified",
    "gap_is_the_least_loss",
    "gap_without_optimal_moves",
    "implies",
    "oscillation_below_the_gap_is_optimal",
    "second_least_minus_least",
    "starts",
    "uniform_error_is_optimal",
]

PAGE = "docs/theory/action_gap.md"
PAPER = "2605.19185"
UNIT_COST = "every edge has length one"
Certifier: TypeAlias = Callable[[Planned], Starts]


def starts(mask: Any) -> Starts:
    """The vertices that a mask marks."""
    return frozenset(int(x) for x in np.flatnonzero(mask))


def _by_distances(certificate: Callable[..., Certificate]) -> Certifier:
    """The starts that a certificate of the library certifies."""

    def certified(case: Planned) -> Starts:
        distance = case.scaled(case.distance())
        return starts(certificate(*case.library(), distance).certified)

    return certified


HALF_GAP = _by_distances(half_gap_certificate)
OSCILLATION = _by_distances(oscillation_certificate)
EVERY_STEP = _by_distances(exact_certificate)


def implies(certified: Starts, safe: Starts) -> Sides:
    """Some start is certified, and all that are certified are safe."""
    return Sides(len(certified) > 1, certified <= safe)


def second_least_minus_least(case: Planned, vertex: int) -> Any:
    """The popular gap: zero where two moves are optimal."""
    distance = case.distance()
    scores = sorted(length + distance[y] for y, length in case.ways()[vertex].items())
    return scores[1] - scores[0] if len(scores) > 1 else inf


def _gaps(case: Planned) -> tuple[Any, ...]:
    unit = Fraction(case.scale)
    distance = case.scaled(case.distance())
    return tuple(
        inf if np.isinf(gap) else Fraction(gap) / unit
        for gap in action_gaps(case.graph(), distance).tolist()
    )


@claim(
    "action_gap.gap.non_optimal",
    statement=r"\Delta(x) = \min_{y \in N(x) \setminus A^*(x)} \ell_{xy} + d(y) - d(x)"
    r" = \text{least extra cost of a first move that is not optimal}",
    relation=Relation.EQUAL,
    source=Source.paper(PAPER, "action gap; the minimum over non-optimal moves derived here"),
    assumes={},
    teeth={
        "second least minus least": lambda case: tuple(
            second_least_minus_least(case, x) for x in case.vertices
        ),
        "over all moves": lambda case: tuple(
            inf if x == case.goal else min(case.gap(x), 0) for x in case.vertices
        ),
    },
)
def gap_is_the_least_loss(case: Planned, gaps: Callable[[Planned], Any] = _gaps) -> Sides:
    """The action gap is the least loss of a move that is not optimal, infinite if all are optimal.

    The right side compares, for each first move, the shortest walk that starts with it.
    """
    right = tuple(case.gap(x) for x in case.vertices)
    return Sides(_finite(gaps(case)), _finite(right))


def _finite(gaps: Any) -> tuple[Any, ...]:
    """None where every move is optimal: an infinity is a float."""
    return tuple(None if gap == inf else gap for gap in gaps)


@claim(
    "action_gap.gap.values_at_unit_cost",
    statement=r"\Delta(x) \in \{1, 2, \infty\}, \quad"
    r" \text{and in } \{2, \infty\} \text{ if the graph is bipartite}",
    relation=Relation.IMPLIES,
    source=Source.derived(f"{PAGE}#action-gaps"),
    assumes={UNIT_COST: lambda case: not case.lengths},
    teeth={
        "two or infinite on every graph": lambda _: {2, inf},
        "one or two": lambda _: {1, 2},
    },
    breaks={
        UNIT_COST: Counterexample(
            Planned(((0, 1), (1, 2)), (0, 1, 4), lengths=(1, 3)), "a gap of two lengths, six"
        )
    },
)
def gap_without_optimal_moves(
    case: Planned,
    allowed: Callable[[bool], set[Any]] = lambda even: {2, inf} if even else {1, 2, inf},
) -> Sides:
    """At unit cost every action gap is 1, 2 or infinite; on a bipartite graph 2 or infinite."""
    even = bipartite(case.edges, len(case.values))
    return Sides(True, set(_gaps(case)) <= allowed(even))


def _along_half_gap(case: Planned, enough: Callable[[Any, Any], Any]) -> Starts:
    error, ways = case.errors(), case.ways()
    return case.along(lambda x: enough(max(abs(error[y]) for y in ways[x]), case.gap(x)))


def _error_at_the_vertex(case: Planned) -> Starts:
    error = case.errors()
    return case.along(lambda x: 2 * abs(error[x]) < case.gap(x))


def _half_gap_at_the_start(case: Planned) -> Starts:
    error, ways = case.errors(), case.ways()
    return frozenset(
        x for x in case.vertices if all(2 * abs(error[y]) < case.gap(x) for y in ways[x])
    )


@claim(
    "action_gap.certificate.half_gap",
    statement=r"\max_{y \in N(x_t)} |u(y) - d(y)| < \tfrac12 \Delta(x_t) \ \forall t"
    r" \implies \text{every rollout is a shortest path to } g",
    relation=Relation.IMPLIES,
    source=Source.paper(PAPER, "Theorem 3.3; the exact form derived here"),
    assumes={},
    teeth={
        "not strict": lambda case: _along_half_gap(case, lambda e, gap: 2 * e <= gap),
        "the whole gap": lambda case: _along_half_gap(case, lambda e, gap: e < gap),
        "error at the vertex only": _error_at_the_vertex,
        "at the start only": _half_gap_at_the_start,
    },
)
def error_below_half_the_gap_is_optimal(case: Planned, certified: Certifier = HALF_GAP) -> Sides:
    """Errors below half the gap at every neighbour of every visited vertex keep a rollout optimal.

    However ties are broken. The right side is every way to break them, in rational arithmetic.
    """
    return implies(certified(case), case.safe(optimally=True))


def _along_oscillation(case: Planned, enough: Callable[[Any, Any], Any]) -> Starts:
    error, ways = case.errors(), case.ways()

    def holds(x: int) -> bool:
        around = [error[y] for y in ways[x]]
        return bool(enough(max(around) - min(around), case.gap(x)))

    return case.along(holds)


def _oscillation_of_sizes(case: Planned) -> Starts:
    error, ways = case.errors(), case.ways()

    def holds(x: int) -> bool:
        sizes = [abs(error[y]) for y in ways[x]]
        return bool(max(sizes) - min(sizes) < case.gap(x))

    return case.along(holds)


@claim(
    "action_gap.certificate.oscillation",
    statement=r"\max_{N(x_t)} (u - d) - \min_{N(x_t)} (u - d) < \Delta(x_t) \ \forall t"
    r" \implies \text{every rollout is a shortest path to } g",
    relation=Relation.IMPLIES,
    source=Source.derived(f"{PAGE}#oscillation"),
    assumes={},
    teeth={
        "not strict": lambda case: _along_oscillation(case, lambda o, gap: o <= gap),
        "half the oscillation": lambda case: _along_oscillation(case, lambda o, gap: o < 2 * gap),
        "sizes of the errors": _oscillation_of_sizes,
    },
)
def oscillation_below_the_gap_is_optimal(
    case: Planned, certified: Certifier = OSCILLATION
) -> Sides:
    """Errors that differ by less than the gap among the neighbours keep a rollout optimal."""
    return implies(certified(case), case.safe(optimally=True))


def _some_tie_is_optimal(case: Planned) -> Starts:
    tied, optimal = case.tied(), case.optimal()
    return case.along(lambda x: bool(optimal[x].intersection(tied[x])))


@claim(
    "action_gap.certificate.exact",
    statement=r"\min_{y \in A^*} Q_u(x_t, y) < \min_{y \notin A^*} Q_u(x_t, y) \ \forall t"
    r" \iff \text{every rollout is a shortest path to } g",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#exact-certificate"),
    assumes={},
    teeth={
        "some tied move is optimal": _some_tie_is_optimal,
        "half gap": HALF_GAP,
        "oscillation": OSCILLATION,
    },
)
def every_optimal_rollout_is_certified(case: Planned, certified: Certifier = EVERY_STEP) -> Sides:
    """The exact certificate certifies just the starts whose every rollout is a shortest path.

    Its teeth are the weaker certificates: they are sufficient, and not necessary.
    """
    return Sides(certified(case), case.safe(optimally=True))


@claim(
    "action_gap.certificate.uniform_error",
    statement=r"\sup |u - d| < \tfrac12 \ (\text{on a bipartite graph: } < 1) \implies"
    r" \text{every rollout from everywhere is a shortest path to } g",
    relation=Relation.IMPLIES,
    source=Source.derived(f"{PAGE}#half-gap"),
    assumes={UNIT_COST: lambda case: not case.lengths},
    teeth={
        "one half allowed": lambda error, even: error < 1 if even else 2 * error <= 1,
        "one on every graph": lambda error, _: error < 1,
        "one allowed on a bipartite graph": lambda error, even: error <= 1 if even else False,
    },
    breaks={
        UNIT_COST: Counterexample(
            Planned(
                ((0, 1), (0, 2), (1, 3), (2, 3)),
                (Fraction(-3, 5), Fraction(8, 5), Fraction(2, 5), Fraction(7, 5)),
                lengths=(1, 1, 1, 2),
            ),
            "a ring of four with one long edge has a gap of one",
        )
    },
)
def uniform_error_is_optimal(
    case: Planned,
    small: Callable[[Any, bool], bool] = lambda error, even: error < 1 if even else 2 * error < 1,
) -> Sides:
    """Values within one half of the distance make every rollout optimal.

    On bipartite graphs, such as 4-connected grids, values within one.
    """
    error = max(abs(e) for e in case.errors())
    even = bipartite(case.edges, len(case.values))
    return Sides(small(error, even), case.safe(optimally=True) == set(case.vertices))
