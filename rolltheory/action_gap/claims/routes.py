"""The claim that the float routes of this theory agree with plain rational ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from rolltheory.action_gap.amle import amle
from rolltheory.action_gap.claims.planned import Planned
from rolltheory.action_gap.distances import distances
from rolltheory.action_gap.envelopes import lipschitz_constant, mcshane_whitney_envelopes
from rolltheory.action_gap.exact import amle_exact
from rolltheory.action_gap.excess import detour_excess, label_distances
from rolltheory.action_gap.gaps import optimal_moves, true_cost_to_go
from rolltheory.action_gap.graph import Graph
from rolltheory.action_gap.harmonic import first_hit_law, first_hit_law_exact
from rolltheory.action_gap.moves import greedy_successors, move_scores
from rolltheory.action_gap.noise import label_errors
from rolltheory.action_gap.operators import operator_residuals, operator_residuals_exact
from rolltheory.action_gap.placement import sufficient_labels
from rolltheory.action_gap.reaching import Obstacle, failure_reasons, obstacles, plateaus
from rolltheory.action_gap.rollouts import path_quality
from rolltheory.action_gap.study import truncated_midrange
from rolltheory.claims import Call, Computed, Relation, Route, Routes, Sides, Source, Tight, claim

__all__ = ["ROUTES", "extended", "routes_agree"]

NEAR = Fraction(1, 10**9)
SWEEPS = 3


def extended(case: Planned) -> Planned:
    """The case with the infinity-harmonic extension of its labels as values."""
    return case.extended(amle_exact, case.exactly_labelled(case.labels))


def _plain(case: Planned) -> Graph:
    return replace(case, values=(0,) * len(case.values)).graph()


def _floats(case: Planned) -> list[float]:
    return [float(u) for u in case.values]


def _labels(case: Planned) -> dict[int, float]:
    return {b: float(case.values[b]) for b in case.labels}


def _to_labels(case: Planned) -> dict[int, tuple[int, ...]]:
    return {b: case.distance(b) for b in case.labels}


def _rolled(case: Planned) -> Any:
    return path_quality(*case.library(), case.scaled(case.distance())).steps


def _steepest(case: Planned) -> Fraction:
    u, to = case.values, _to_labels(case)
    slopes = (Fraction(u[b] - u[c]) / to[b][c] for b in to for c in to if b != c)
    return max(slopes, default=Fraction(0))


def _envelopes(case: Planned) -> list[Any]:
    steepest, to = _steepest(case), _to_labels(case)
    cones = [[(case.values[b], steepest * to[b][x]) for b in to] for x in case.vertices]
    return [max(f - c for f, c in cone) for cone in cones] + [
        min(f + c for f, c in cone) for cone in cones
    ]


def _swept(case: Planned) -> list[Fraction]:
    known = {b: Fraction(case.values[b]) for b in case.labels}
    mean = sum(known.values(), Fraction(0)) / len(known)
    u = [known.get(x, mean) for x in case.vertices]
    for _ in range(SWEEPS):
        around = [[u[y] for y in near] for near in case.ways()]
        u = [known.get(x, (max(near) + min(near)) / 2) for x, near in enumerate(around)]
    return u


def _edges(case: Planned) -> list[tuple[int, int]]:
    """The moves in the order in which a `Graph` holds them."""
    return [(x, y) for x, near in enumerate(case.ways()) for y in sorted(near)]


def _steps(case: Planned) -> list[int]:
    """The lengths of rollouts whose ties go to the lowest index."""
    after = [tied[0] for tied in case.tied()]
    found = []
    for start in case.vertices:
        x, steps = start, 0
        while x != case.goal and steps <= len(after):
            x, steps = after[x], steps + 1
        found.append(steps if x == case.goal else -1)
    return found


def _on_plateaus(case: Planned) -> list[bool]:
    u, ways = case.values, case.ways()
    reached = {x for x in case.vertices if all(u[y] == u[x] for y in ways[x])}
    for _ in case.vertices:
        reached |= {y for x in reached for y in ways[x] if u[y] == u[x]}
    return [x in reached for x in case.vertices]


def _is_clear(case: Planned) -> list[bool]:
    """Where all that the planner may do is to go down."""
    u, tied = case.values, case.tied()
    return [x == case.goal or all(u[y] < u[x] for y in tied[x]) for x in case.vertices]


def _mended(case: Planned) -> list[bool]:
    """Whether all starts are safe once the labels that the library suggests are added."""

    def extend(graph: Graph, labels: Any) -> Any:
        return amle(graph, dict(zip(*labels, strict=True))).values

    found = sufficient_labels(_plain(case), case.goal, extend, labelled=case.labels)
    mended = extended(replace(case, labels=tuple(found.tolist())))
    return [x in mended.safe() for x in case.vertices]


def _off(case: Planned) -> dict[int, float]:
    """Labels that are off by a quarter of their vertex number."""
    return {b: float(case.distance()[b]) + b / 4 for b in case.labels}


def _obstacles(case: Planned, find: Callable[..., Any]) -> Any:
    graph, u = case.library()
    return find(graph, u, case.label_pairs(), case.goal) == Obstacle.NONE


# of a case whose values are the infinity-harmonic extension of its exact labels
ROUTES = Routes(
    lambda *_: NEAR,
    amle=Route(lambda case: amle(_plain(case), _labels(case)).values, lambda case: case.values),
    distances=Route(lambda case: distances(_plain(case), case.goal), lambda case: case.distance()),
    true_cost_to_go=Route(
        lambda case: np.append(*true_cost_to_go(_plain(case), case.distance())),
        lambda case: (*case.distance(), case.goal),
    ),
    optimal_moves=Route(
        lambda case: optimal_moves(_plain(case), case.distance()),
        lambda case: [y in case.optimal()[x] for x, y in _edges(case)],
    ),
    label_distances=Route(
        lambda case: label_distances(_plain(case), _labels(case)),
        lambda case: [min(to) for to in zip(*_to_labels(case).values(), strict=True)],
    ),
    detour_excess=Route(
        lambda case: detour_excess(_plain(case), _labels(case), case.distance()),
        lambda case: [
            d + min(to[x] - case.distance()[b] for b, to in _to_labels(case).items())
            for x, d in enumerate(case.distance())
        ],
    ),
    lipschitz_constant=Route(
        lambda case: lipschitz_constant(_plain(case), _labels(case)).constant,
        lambda case: [_steepest(case)],
    ),
    mcshane_whitney_envelopes=Route(
        lambda case: mcshane_whitney_envelopes(_plain(case), _labels(case))[:2], _envelopes
    ),
    label_errors=Route(
        lambda case: label_errors(_plain(case), _off(case), case.distance()),
        lambda case: [Fraction(max(case.labels), 4)],
    ),
    first_hit_law=Route(
        lambda case: first_hit_law(_plain(case), case.labels),
        lambda case: sum(first_hit_law_exact(_plain(case), case.labels), ()),
    ),
    operator_residuals=Route(
        lambda case: operator_residuals(case.edges, _floats(case), operator="game", p=4),
        lambda case: operator_residuals_exact(case.edges, case.values, operator="game", p=4),
    ),
    truncated_midrange=Route(
        lambda case: truncated_midrange(case.edges, _labels(case), sweeps=SWEEPS), _swept
    ),
    move_scores=Route(
        lambda case: move_scores(_plain(case), _floats(case)),
        lambda case: [case.ways()[x][y] + case.values[y] for x, y in _edges(case)],
    ),
    greedy_successors=Route(
        lambda case: greedy_successors(*case.library()),
        lambda case: [tied[0] for tied in case.tied()],
    ),
    path_quality=Route(_rolled, _steps),
    plateaus=Route(lambda case: plateaus(*case.library()) >= 0, _on_plateaus),
    obstacles=Route(lambda case: _obstacles(case, obstacles), _is_clear),
    failure_reasons=Route(
        lambda case: _obstacles(case, failure_reasons),
        lambda case: [x in case.safe() for x in case.vertices],
    ),
    sufficient_labels=Route(_mended, lambda case: [True for _ in case.vertices]),
)


PATH = extended(Planned(((0, 1), (1, 2)), (0,) * 3, lengths=(1, 3), labels=(0, 2)))


@claim(
    "action_gap.routes.graphs",
    statement=r"|\mathrm{float} - \mathrm{exact}| \le 10^{-9}",
    relation=Relation.AT_MOST,
    source=Source.known("floating-point arithmetic"),
    assumes={},
    teeth=ROUTES.off_by_a_tenth(),
    tight=Tight(Call("first_hit_law", (PATH,)), at_least=1e-9),
)
def routes_agree(case: Call, computed: Computed = ROUTES.computed) -> Sides:
    """Float routes agree with plain rational ones: distances, extensions, moves and rollouts.

    Each function has a tooth.
    """
    return ROUTES.judged(case, computed)
