"""Claims about what labels alone certify, before any values are known."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from rolltheory.action_gap.certificates import excess_certificate, fill_distance_certificate
from rolltheory.action_gap.claims.certificates import (
    UNIT_COST,
    Certifier,
    second_least_minus_least,
    starts,
)
from rolltheory.action_gap.claims.planned import Planned, Starts
from rolltheory.claims import Counterexample, Relation, Sides, Source, claim

__all__ = ["excess_below_the_loss_is_optimal", "fill_distance_is_vacuous"]

PAGE = "docs/theory/action_gap.md"

LIPSCHITZ = "neighbours differ by at most the length of the edge between them"
EXACT = "labels are exact and the goal is labelled"


def _has_exact_labels(case: Planned) -> bool:
    distance = case.distance()
    return case.goal in case.labels and all(case.values[b] == distance[b] for b in case.labels)


def _is_lipschitz(case: Planned) -> bool:
    u: tuple[Any, ...] = case.values
    return all(abs(u[y] - u[x]) <= d for x, ways in enumerate(case.ways()) for y, d in ways.items())


def _excess(case: Planned) -> Starts:
    distance = case.scaled(case.distance())
    labels = (np.array(case.labels), distance[list(case.labels)])
    return starts(excess_certificate(case.graph(), labels, distance).holds)


def _by_excess(case: Planned, bound: Callable[[int, int, int], Any], strict: bool) -> Starts:
    """Where a bound on the under-estimate is low, from distance, way to the label and label."""
    distance, ways, optimal = case.distance(), case.ways(), case.optimal()
    to = {b: case.distance(b) for b in case.labels}
    error = [min(bound(distance[x], to[b][x], distance[b]) for b in to) for x in case.vertices]

    def holds(x: int) -> bool:
        spare = (
            length + distance[y] - distance[x] - error[y]
            for y, length in ways[x].items()
            if y not in optimal[x]
        )
        return all(s > 0 or (s == 0 and not strict) for s in spare)

    return frozenset(x for x in case.vertices if x == case.goal or holds(x))


@claim(
    "action_gap.certificate.excess",
    statement=r"w(y) < \ell_{xy} + d(y) - d(x) \ \forall y \in N(x) \setminus A^*(x)"
    r" \implies \text{every greedy step from } x \text{ is optimal}, \quad"
    r" w = \min_b d + \operatorname{dist}(\cdot, b) - d(b)",
    relation=Relation.IMPLIES,
    source=Source.derived(f"{PAGE}#detour-excess"),
    assumes={LIPSCHITZ: _is_lipschitz, EXACT: _has_exact_labels},
    teeth={
        "not strict": lambda case: _by_excess(case, lambda d, to, b: d + to - b, False),
        "half the excess": lambda case: _by_excess(
            case, lambda d, to, b: Fraction(d + to - b, 2), True
        ),
        "distance to the nearest label": lambda case: _by_excess(case, lambda _, to, __: to, True),
    },
    breaks={
        LIPSCHITZ: Counterexample(
            Planned(((0, 1), (1, 2), (2, 3), (3, 4)), (0, 1, 2, -9, 4), labels=(0, 1, 2, 4)),
            "an unlabelled value far too low",
        ),
        EXACT: Counterexample(
            Planned(((0, 1), (1, 2), (2, 3)), (0, 1, 1, 0), labels=(0, 1, 2, 3)),
            "a label that is three too low",
        ),
    },
)
def excess_below_the_loss_is_optimal(case: Planned, holds: Certifier = _excess) -> Sides:
    """Where no neighbour can be under-estimated by its loss, every extension takes optimal steps.

    Before any values are known: the case brings one 1-Lipschitz extension of exact labels.
    """
    tied, optimal = case.tied(), case.optimal()
    right = {x for x in case.vertices if x == case.goal or optimal[x].issuperset(tied[x])}
    held = holds(case)
    return Sides(len(held) > 1, held <= right)


def _by_fill_distance(case: Planned) -> Starts:
    distance = case.scaled(case.distance())
    labels = (np.array(case.labels), distance[list(case.labels)])
    return starts(fill_distance_certificate(case.graph(), labels, distance).holds)


def _within(case: Planned, enough: Callable[[int, Any], bool]) -> Starts:
    to = [case.distance(b) for b in case.labels]
    away = [min(d[x] for d in to) for x in case.vertices]
    return frozenset(
        x
        for x in case.vertices
        if x == case.goal or enough(max(away[y] for y in case.ways()[x]), case.gap(x))
    )


@claim(
    "action_gap.certificate.fill_distance_vacuous",
    statement=r"2 \max_{N(x)} \operatorname{dist}(\cdot, \Gamma) < \tfrac12 \Delta(x) \iff"
    r" N(x) \subseteq \Gamma \text{ or } A^*(x) = N(x), \quad \text{at unit cost}",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#fill-distance"),
    assumes={UNIT_COST: lambda case: not case.lengths},
    teeth={
        "distance up to half the gap": lambda case: _within(case, lambda h, gap: 2 * h <= gap),
        "second least minus least": lambda case: frozenset(
            x
            for x in _within(case, lambda h, gap: 4 * h < gap)
            if x == case.goal or second_least_minus_least(case, x) > 0
        ),
        "never": lambda case: frozenset({case.goal}),
    },
    breaks={
        UNIT_COST: Counterexample(
            Planned(((0, 1), (1, 2), (2, 3)), (0, 9, 18, 19), lengths=(9, 9, 1), labels=(0, 1, 3)),
            "a gap of 18 lets a label be one away",
        )
    },
)
def fill_distance_is_vacuous(case: Planned, holds: Certifier = _by_fill_distance) -> Sides:
    """At unit cost the fill-distance certificate asks that every neighbour is labelled.

    Or that no move at all is wrong. On weighted graphs it can hold where gaps exceed four times the
    distance to a label.
    """
    ways, optimal = case.ways(), case.optimal()
    return Sides(
        holds(case),
        frozenset(
            x
            for x in case.vertices
            if x == case.goal or set(ways[x]) <= set(case.labels) or set(ways[x]) == optimal[x]
        ),
    )
