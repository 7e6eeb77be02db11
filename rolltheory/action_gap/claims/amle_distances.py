"""Claims about the infinity-harmonic extension of exact distances to a goal."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeAlias

from rolltheory.action_gap.claims.amle import lower_envelope, swept, upper_envelope
from rolltheory.action_gap.claims.labelled import (
    Goal,
    Labelled,
    Values,
    extension,
    search,
)
from rolltheory.claims import Counterexample, Relation, Sides, Source, Tight, Tooth, claim

__all__ = [
    "cycle",
    "detour",
    "detour_bounds_the_deficit",
    "exact_where_no_detour",
    "fill_distance_bounds_the_deficit",
    "never_above_the_distance",
    "next_to_a_label_of_a_cycle",
    "no_interior_sink",
    "recovered_from_dead_ends",
    "residual_of_the_distance",
]

PAGE = "docs/theory/action_gap.md"
SOURCE = Source.derived(f"{PAGE}#exact-labels")
Solver: TypeAlias = Callable[[Labelled], Values]
GOAL = "the goal is labelled"
UNLABELLED = Goal(((0, 1), (1, 2)), 0, (2,))


def cycle(distance: int) -> Goal:
    """The cycle of 2p + 2 vertices with the goal and the vertex at distance p labelled."""
    count = 2 * distance + 2
    edges = tuple((x, (x + 1) % count) for x in range(count))
    return Goal(edges, 0, (0, distance))


def nearer_equal_farther(case: Goal, vertex: int) -> tuple[int, int, int]:
    """How many neighbours are nearer to the goal, as near, and farther."""
    steps = [case.distance[y] - case.distance[vertex] for y, _ in case.links[vertex]]
    return sum(s < 0 for s in steps), steps.count(0), sum(s > 0 for s in steps)


def residual_table(case: Goal, vertex: int) -> Fraction:
    """The stated residual of the distance."""
    _, equal, farther = nearer_equal_farther(case, vertex)
    if farther:
        return Fraction(0)
    return Fraction(-1, 2) if equal else Fraction(-1)


@claim(
    "action_gap.distance.midrange_residual",
    statement=r"\tfrac12 (\max_{y \sim x} d(y) + \min_{y \sim x} d(y)) - d(x) = 0 \text{ if } n_+"
    r" \ge 1, \; -\tfrac12 \text{ if } n_+ = 0 < n_0, \; -1 \text{ if } n_+ = n_0 = 0",
    relation=Relation.EQUAL,
    source=SOURCE,
    assumes={},
    teeth={
        "zero everywhere": lambda _case, _vertex: Fraction(0),
        "-1 wherever no neighbour is farther": lambda case, vertex: Fraction(
            -int(nearer_equal_farther(case, vertex)[2] == 0)
        ),
        "as many farther as nearer": lambda case, vertex: Fraction(
            nearer_equal_farther(case, vertex)[2] - nearer_equal_farther(case, vertex)[0]
        ),
    },
)
def residual_of_the_distance(
    case: Goal, table: Callable[[Goal, int], Fraction] = residual_table
) -> Sides:
    """The distance to the goal is infinity-harmonic except where no neighbour is farther.

    On a unit-cost graph, at all vertices but the goal; n counts neighbours that are nearer (-), as
    near (0) and farther (+). The harmonic residual is another one, n_+ - n_-.
    """
    found, stated = [], []
    for x in range(len(case.links)):
        if x != case.goal:
            near = [Fraction(case.distance[y]) for y, _ in case.links[x]]
            found.append((max(near) + min(near)) / 2 - case.distance[x])
            stated.append(table(case, x))
    return Sides(tuple(found), tuple(stated))


def detour(case: Goal) -> Values:
    """The least detour over a label: w(x) = min over labels b of d(x) + dist(x, b) - d(b)."""
    far = {b: search(case.links, [b]) for b in case.labelled}
    d = case.distance
    return tuple(
        Fraction(min(d[x] + far[b][x] - d[b] for b in case.labelled))
        for x in range(len(case.links))
    )


def fill_distance(case: Goal) -> Values:
    """The distance to the nearest label."""
    far = search(case.links, case.labelled)
    return tuple(Fraction(far[x]) for x in range(len(case.links)))


def deficits(case: Goal) -> Values:
    """How far the extension is below the distance."""
    return tuple(case.distance[x] - u for x, u in enumerate(extension(case.problem)))


@claim(
    "action_gap.amle.exact_where_no_detour",
    statement=r"u(x) = d(x) \iff \min_{b \in \Gamma} d(x) + \mathrm{dist}(x, b) - d(b) = 0",
    relation=Relation.EQUAL,
    source=SOURCE,
    assumes={GOAL: Goal.is_labelled},
    teeth={
        "at labels only": fill_distance,
        "a detour of one allowed": lambda case: tuple(
            max(w - 1, Fraction(0)) for w in detour(case)
        ),
        "where a neighbour is farther": lambda case: tuple(
            Fraction(int(nearer_equal_farther(case, x)[2] == 0)) for x in range(len(case.links))
        ),
    },
    breaks={
        GOAL: Counterexample(
            Goal(((0, 1), (1, 2), (2, 3)), 1, (0, 2)), "all values are 1, and vertex 3 is at 2"
        )
    },
)
def exact_where_no_detour(case: Goal, excess: Callable[[Goal], Values] = detour) -> Sides:
    """The extension is exact just where a shortest path from a label to the goal passes."""
    exact = {x for x, gap in enumerate(deficits(case)) if gap == 0}
    return Sides(exact, {x for x, w in enumerate(excess(case)) if w == 0})


def dead_ends(case: Goal) -> tuple[int, ...]:
    """The vertices from which no shortest path to the goal extends."""
    vertices = range(len(case.links))
    return tuple(x for x in vertices if nearer_equal_farther(case, x)[2] == 0)


@claim(
    "action_gap.amle.recovers",
    statement=r"\Gamma = \{g\} \cup \{x : n_+(x) = 0\} \implies u = d",
    relation=Relation.EQUAL,
    source=SOURCE,
    assumes={},
    teeth={
        "leaves only": lambda case: tuple(x for x in dead_ends(case) if len(case.links[x]) == 1),
        "strict maxima of the distance": lambda case: tuple(
            x for x in dead_ends(case) if nearer_equal_farther(case, x)[1] == 0
        ),
        "the farthest vertices": lambda case: tuple(
            x for x, d in case.distance.items() if d == max(case.distance.values())
        ),
    },
)
def recovered_from_dead_ends(
    case: Goal, vertices: Callable[[Goal], tuple[int, ...]] = dead_ends
) -> Sides:
    """Labels at the goal and where no geodesic extends give the distance everywhere."""
    labelled = tuple(sorted({case.goal, *vertices(case)}))
    values = extension(Goal(case.edges, case.goal, labelled).problem)
    return Sides(values, tuple(case.distance[x] for x in range(len(case.links))))


def worst(left: Values, right: Any) -> Sides:
    """Both sides where the left exceeds the right the most, or else comes nearest to it."""
    pairs = list(zip(left, right, strict=True))
    above = max(pairs, key=lambda pair: pair[0] - pair[1])
    if above[0] <= above[1]:
        positive = [pair for pair in pairs if pair[1] > 0] or pairs
        above = max(positive, key=lambda pair: pair[0] / pair[1] if pair[1] else pair[0])
    return Sides(*above)


@claim(
    "action_gap.amle.one_sided",
    statement=r"u(x) \le d(x)",
    relation=Relation.AT_MOST,
    source=SOURCE,
    assumes={GOAL: Goal.is_labelled},
    teeth={
        "shifted by a hundredth": lambda case: tuple(u + Fraction(1, 100) for u in extension(case)),
        "mirrored": lambda case: tuple(2 * u for u in extension(case)),
        "stopped early": swept,
    },
    breaks={GOAL: Counterexample(UNLABELLED, "the only label is 2, and so is the goal's value")},
    tight=Tight(Goal(((0, 1), (1, 2)), 0, (0, 2))),
)
def never_above_the_distance(case: Goal, solver: Solver = extension) -> Sides:
    """With exact labels, the goal's among them, no value exceeds the distance to the goal.

    So does every extension whose Lipschitz constant is at most one.
    """
    distance = tuple(Fraction(case.distance[x]) for x in range(len(case.links)))
    return worst(solver(case.problem), distance)


@claim(
    "action_gap.amle.detour",
    statement=r"d(x) - u(x) \le w(x) = \min_{b \in \Gamma} d(x) + \mathrm{dist}(x, b) - d(b)",
    relation=Relation.AT_MOST,
    source=SOURCE,
    assumes={},
    teeth={
        "nine tenths": lambda case: tuple(w * Fraction(9, 10) for w in detour(case)),
        "the distance to the labels": fill_distance,
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    tight=Tight(cycle(32), at_least=Fraction(33, 34)),
)
def detour_bounds_the_deficit(case: Goal, bound: Callable[[Goal], Values] = detour) -> Sides:
    """The extension is below the distance by at most the detour over the best label.

    That is, it is above the greatest lower cone, d(b) - dist(x, b), of the labels.
    """
    return worst(deficits(case), bound(case))


@claim(
    "action_gap.amle.fill_distance",
    statement=r"d(x) - u(x) \le 2\, \mathrm{dist}(x, \Gamma)",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#fill-distance"),
    assumes={},
    teeth={
        "19/10": lambda case: tuple(h * Fraction(19, 10) for h in fill_distance(case)),
        "the distance to the labels": fill_distance,
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    tight=Tight(cycle(32), at_least=Fraction(33, 34)),
)
def fill_distance_bounds_the_deficit(
    case: Goal,
    bound: Callable[[Goal], Values] = lambda case: tuple(2 * h for h in fill_distance(case)),
) -> Sides:
    """The extension is below the distance by at most twice the distance to the labels.

    Twice is best: next to the label of long cycles the ratio tends to it. On unit-cost graphs, with
    action gaps of at most 2, the bound certifies a step only if all neighbours are labelled.
    """
    return worst(deficits(case), bound(case))


@claim(
    "action_gap.amle.cycle",
    statement=r"C_{2p + 2},\ \Gamma = \{0, p\}: \quad d(p + 1) - u(p + 1) = 1 + \frac{p}{p + 2}",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#fill-distance"),
    assumes={},
    teeth={
        "two": lambda _p: Fraction(2),
        "1 + p / (p + 1)": lambda p: 1 + Fraction(p, p + 1),
    },
)
def next_to_a_label_of_a_cycle(
    case: int, formula: Callable[[int], Fraction] = lambda p: 1 + Fraction(p, p + 2)
) -> Sides:
    """On a cycle the deficit next to the far label tends to twice its distance from that label."""
    return Sides(deficits(cycle(case))[case + 1], formula(case))


@claim(
    "action_gap.amle.no_interior_sink",
    statement=r"\min_{y \sim x} u(y) \ge u(x) \iff u \text{ is constant on } \{x\} \cup N(x)"
    r" \quad (x \notin \Gamma)",
    relation=Relation.EQUAL,
    source=Source.paper("2605.19185", "Lemma 3.6"),
    assumes={},
    teeth={
        "the lower envelope": lower_envelope,
        "iteration stopped early": swept,
        "upside down, upper envelope": lambda case: tuple(-u for u in upper_envelope(case)),
    },
)
def no_interior_sink(case: Labelled, solver: Solver = extension) -> Sides:
    """No vertex without a label is a sink, unless the values around it are all its own."""
    values = solver(case)
    around = {x: [values[y] for y, _ in case.links[x]] for x in case.inner}
    sinks = {x for x, near in around.items() if min(near) >= values[x]}
    return Sides(sinks, {x for x, near in around.items() if set(near) == {values[x]}})
