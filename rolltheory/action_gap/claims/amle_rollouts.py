"""Claims about greedy rollouts on infinity-harmonic values with noisy labels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import TypeAlias

from rolltheory.action_gap.claims.amle import lower_envelope, swept
from rolltheory.action_gap.claims.labelled import Goal, Labelled, Values, extension
from rolltheory.claims import Counterexample, Relation, Sides, Source, Tight, Tooth, Verdict, claim

__all__ = [
    "fails_only_where_flat",
    "labels_step_down",
    "noise_of_half_an_edge_is_harmless",
    "reaches_by_some_ties",
    "reaches_with_lengths",
]

PAGE = "docs/theory/action_gap.md"
SOURCE = Source.derived(f"{PAGE}#theorem-r")
Solver: TypeAlias = Callable[[Labelled], Values]
Noise: TypeAlias = Callable[[Goal], Goal]
Planner: TypeAlias = Callable[[Goal, Values, int], set[int]]
HALF = Fraction(1, 2)

SMALL_NOISE = "labels are off by less than half a shortest edge"
GOAL = "the goal is labelled"


def is_quiet(case: Goal) -> bool:
    """Whether every label is off by less than half a shortest edge."""
    return case.error < HALF * min(case.lengths, default=1)


# The goal 0, a label beside it and a leaf behind; the errors put the label below the goal.
TRAPPED = Goal(((0, 1), (1, 2)), 0, (0, 1), errors=(Fraction(11, 20), Fraction(-11, 20)))
# The label 1 beside the goal 0 has a leaf behind it, and the goal's value lies above both.
NO_GOAL = Goal(((0, 1), (1, 4), (0, 2), (2, 3)), 0, (1, 3))
ASSUMED = {SMALL_NOISE: is_quiet, GOAL: Goal.is_labelled}
BROKEN = {
    SMALL_NOISE: Counterexample(TRAPPED, "the rollout goes between the label and the leaf"),
    GOAL: Counterexample(NO_GOAL, "the rollout goes between the label 1 and its leaf"),
}


def by_slope(case: Goal, values: Values, vertex: int) -> set[int]:
    """The neighbours of steepest descent; on a unit-cost graph those of the least value."""
    slope = {y: (values[y] - values[vertex]) / Fraction(size) for y, size in case.links[vertex]}
    return {y for y, s in slope.items() if s == min(slope.values())}


def by_cost(case: Goal, values: Values, vertex: int) -> set[int]:
    """The neighbours of the least cost of the step plus value."""
    cost = {y: size + values[y] for y, size in case.links[vertex]}
    return {y for y, c in cost.items() if c == min(cost.values())}


def _moves(case: Goal, values: Values, planner: Planner) -> dict[int, set[int]]:
    vertices = range(len(case.links))
    return {x: set() if x == case.goal else planner(case, values, x) for x in vertices}


def _leads_to(moves: dict[int, set[int]], ends: set[int]) -> set[int]:
    found, size = set(ends), -1
    while size != len(found):
        size = len(found)
        found |= {x for x, targets in moves.items() if targets & found}
    return found


def _flat(case: Goal, values: Values) -> set[int]:
    return {
        x
        for x in range(len(case.links))
        if x not in case.labelled and all(values[y] == values[x] for y, _ in case.links[x])
    }


def stuck(case: Goal, solver: Solver, planner: Planner = by_slope) -> set[int]:
    """The starts from which no tie-breaking reaches the goal."""
    moves = _moves(case, solver(case.problem), planner)
    return set(moves) - _leads_to(moves, {case.goal})


def cycling(case: Goal, solver: Solver, planner: Planner = by_slope) -> set[int]:
    """The vertices that are not flat and to which some tie-breaking returns."""
    values = solver(case.problem)
    moves = _moves(case, values, planner)
    return {x for x in set(moves) - _flat(case, values) if moves[x] & _leads_to(moves, {x})}


def as_given(case: Goal) -> Goal:
    """The labels as they are."""
    return case


def louder(case: Goal) -> Goal:
    """Errors raised to 11/20 of an edge, signs kept: 0 counts as +."""
    errors = case.errors or (Fraction(0),) * len(case.labelled)
    return replace(case, errors=tuple(Fraction(11, 20) * (1 if e >= 0 else -1) for e in errors))


def without_goal(case: Goal) -> Goal:
    """The same labels but the goal's."""
    kept = [place for place, b in enumerate(case.labelled) if b != case.goal]
    if not kept:
        return case
    errors = tuple(case.errors[place] for place in kept) if case.errors else ()
    return replace(case, labelled=tuple(case.labelled[place] for place in kept), errors=errors)


NOISES = {"errors of 11/20": louder, "goal not labelled": without_goal}


@claim(
    "action_gap.amle.labels_step_down",
    statement=r"|f - d| \le \varepsilon \implies"
    r" f(b) - \min_{y \sim b} u(y) \ge 1 - 2 \varepsilon \quad (g \ne b \in \Gamma)",
    relation=Relation.AT_LEAST,
    source=SOURCE,
    assumes={GOAL: Goal.is_labelled},
    teeth={
        "error counted once": lambda error: 1 - error,
        "a full step": lambda _error: Fraction(1),
        "direction swapped": Tooth(relation=Relation.AT_MOST),
    },
    breaks={GOAL: BROKEN[GOAL]},
    tight=Tight(
        replace(TRAPPED, errors=(Fraction(9, 20), Fraction(-9, 20))),
    ),
)
def labels_step_down(
    case: Goal, step: Callable[[Fraction], Fraction] = lambda error: 1 - 2 * error
) -> Sides:
    """From every label but the goal's a greedy step falls by at least one minus twice the error.

    On a unit-cost graph; so no label is a sink if the error is below one half.
    """
    values, known = extension(case.problem), case.problem.known
    lowest = {b: min(values[y] for y, _ in case.links[b]) for b in known if b != case.goal}
    falls = [known[b] - value for b, value in lowest.items()]
    return Sides(min(falls, default=Fraction(1)), step(case.error))


@claim(
    "action_gap.amle.reaches_by_some_ties",
    statement=r"|f - d| \le \varepsilon < \tfrac12,\ g \in \Gamma \implies"
    r" \text{from every start some tie-breaking of } \arg\min_{y \sim x} u(y) \text{ reaches } g",
    relation=Relation.EQUAL,
    source=SOURCE,
    assumes=ASSUMED,
    teeth=NOISES,
    breaks=BROKEN,
)
def reaches_by_some_ties(case: Goal, noise: Noise = as_given) -> Sides:
    """Greedy rollouts on infinity-harmonic values reach the goal from everywhere, ties permitting.

    On a unit-cost graph. The left side holds the starts from which no tie-breaking does.
    """
    return Sides(stuck(noise(case), extension), set())


@claim(
    "action_gap.amle.fails_only_where_flat",
    statement=r"|f - d| \le \varepsilon < \tfrac12,\ g \in \Gamma \implies"
    r" \text{a greedy rollout returns to } x \text{ only if } u \text{ is constant on } \{x\}"
    r" \cup N(x),\ x \notin \Gamma",
    relation=Relation.EQUAL,
    source=SOURCE,
    assumes=ASSUMED,
    teeth={
        "the lower envelope": lower_envelope,
        "iteration stopped early": swept,
        "all labels alike": lambda problem: extension(
            problem.relabelled(lambda f: min(f, Fraction(1)))
        ),
    },
    breaks=BROKEN,
)
def fails_only_where_flat(case: Goal, solver: Solver = extension) -> Sides:
    """A greedy rollout can cycle only inside a plateau, and without one every tie-breaking reaches.

    On a unit-cost graph. The left side holds the vertices of cycles that are not flat.
    """
    return Sides(cycling(case, solver), set())


@claim(
    "action_gap.amle.reaches_with_lengths",
    statement=r"|f - d| \le \varepsilon < \tfrac12 \min \ell,\ g \in \Gamma \implies"
    r" \arg\min_{y \sim x} (u(y) - u(x)) / \ell_{xy} \text{ returns to flat vertices only}",
    relation=Relation.EQUAL,
    source=SOURCE,
    assumes=ASSUMED,
    teeth={
        "least cost of the step plus value": by_cost,
        "the shortest edge": lambda case, _values, x: {
            y for y, size in case.links[x] if size == min(length for _, length in case.links[x])
        },
    },
    breaks=BROKEN,
)
def reaches_with_lengths(case: Goal, planner: Planner = by_slope) -> Sides:
    """With lengths the planner of steepest descent cycles in plateaus only.

    The planner of least cost plus value does cycle, on four vertices, with exact labels.
    """
    bad = cycling(case, extension, planner) | stuck(case, extension, planner)
    return Sides(bad, set())


def nine_twentieths(case: Goal) -> Goal:
    """Errors of 9/20 of an edge, with the given signs."""
    return replace(case, errors=tuple(e * Fraction(9, 11) for e in louder(case).errors))


@claim(
    "action_gap.amle.noise_of_half_an_edge",
    statement=r"|f - d| \le \tfrac{11}{20},\ g \in \Gamma \implies"
    r" \text{some tie-breaking of } \arg\min_{y \sim x} u(y) \text{ reaches } g",
    relation=Relation.EQUAL,
    source=SOURCE,
    assumes={},
    repairs={"errors of 9/20": nine_twentieths},
    declared=Verdict.REFUTED,
    repaired_by="action_gap.amle.reaches_by_some_ties",
)
def noise_of_half_an_edge_is_harmless(case: Goal, noise: Noise = louder) -> Sides:
    """Labels may be off by a little more than half an edge.

    False on three vertices: the goal at 0.55, the label beside it at 0.45, and the leaf behind the
    label takes the label's value. So the half of the theorem is the best constant.
    """
    return Sides(stuck(noise(case), extension), set())
