"""Claims about the harmonic extension: what it averages, and where it misleads a planner."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from rolltheory.action_gap.claims._small_graphs import (
    Rooted,
    bundle,
    cut,
    every_harmonic_extension,
    harmonic,
)
from rolltheory.action_gap.claims.labelled import Labelled, Values, extension
from rolltheory.action_gap.harmonic import (
    first_hit_law_exact,
    harmonic_extension,
    harmonic_extension_exact,
)
from rolltheory.action_gap.operators import degree_counts
from rolltheory.claims import Relation, Sides, Source, Tight, Tooth, Verdict, claim

__all__ = [
    "MISRANKING",
    "TWO_LABELS",
    "Refined",
    "fails_from_five_parallel_ways_on",
    "failure_needs_eight_vertices",
    "harmonic_iff_balanced",
    "labels_bound_the_extension",
    "margin_survives_refinement",
    "misranking_needs_seven_vertices",
    "never_overestimates",
    "solution_is_certified",
    "weighs_labels_by_first_hits",
]

PAGE = "docs/theory/action_gap.md"
Flags: TypeAlias = npt.NDArray[np.bool_]

MISRANKING = Rooted(((0, 1), (0, 4), (1, 2), (2, 3), (2, 5), (4, 5), (5, 6)), 1)
"""The smallest graph on which some labels make a harmonic planner prefer a wrong move."""

TWO_LABELS = Rooted(((0, 1), (0, 4), (1, 2), (2, 3), (2, 5), (3, 6), (4, 5), (5, 6)), 1)
"""A graph with one edge more, on which two labels are enough."""


def weighed_by_law(case: Labelled) -> Values:
    """The labels weighed by the probabilities of hitting them first."""
    laws = first_hit_law_exact(case.edges, [place for place, _ in case.labels])
    return tuple(
        sum((p * f for p, (_, f) in zip(law, case.labels, strict=True)), Fraction(0))
        for law in laws
    )


def weighed_by_closeness(case: Labelled) -> Values:
    """The labels weighed by the inverse of their distance."""
    values = []
    given = case.known
    for x in range(len(case.links)):
        d = Rooted(case.edges, x).cost_to_go()
        weights = {place: Fraction(1, d[place]) for place in given if d[place]}
        total = sum((weights[place] * given[place] for place in weights), Fraction(0))
        values.append(given[x] if x in given else total / sum(weights.values()))
    return tuple(values)


def weighed_alike(case: Labelled) -> Values:
    """The mean of all labels at every vertex without one."""
    mean = sum(case.known.values(), Fraction(0)) / len(case.known)
    return tuple(case.known.get(x, mean) for x in range(len(case.links)))


@claim(
    "action_gap.harmonic.first_hit_law",
    statement=r"u(x) = \sum_b \mathbf{P}_x(\text{the walk first hits a label at } b)\, f(b)",
    relation=Relation.EQUAL,
    source=Source.paper("2605.19185", "Lemmas 3.8 and 3.9, as boundary-label-weighted hitting"),
    assumes={},
    teeth={
        "by inverse distance": weighed_by_closeness,
        "all labels alike": weighed_alike,
        "the lex-minimiser": extension,
    },
)
def weighs_labels_by_first_hits(
    case: Labelled, solver: Callable[[Labelled], Values] = weighed_by_law
) -> Sides:
    """The harmonic extension weighs each label by the probability of hitting it first.

    So a planner that compares two neighbours compares their first-hit laws, weighed with the
    labels. The left side follows the walk, the right side eliminates in the equations.
    """
    return Sides(solver(case), harmonic(case))


class Counts(NamedTuple):
    """Neighbours of a vertex that lie lower, level and higher."""

    lower: int
    level: int
    higher: int


@claim(
    "action_gap.harmonic.compatibility",
    statement=r"\sum_{y \sim x} (d(y) - d(x)) = 0 \iff n_+(x) = n_-(x) \qquad (x \ne g)",
    relation=Relation.EQUAL,
    source=Source.paper("2605.19185", "Proposition 3.10 and Corollary 3.11"),
    assumes={},
    teeth={
        "a geodesic extends beyond": lambda counts: counts.higher >= 1,
        "no level neighbour": lambda counts: counts.level == 0,
        "as many level as higher": lambda counts: counts.level == counts.higher,
    },
)
def harmonic_iff_balanced(
    case: Rooted, rule: Callable[[Counts], bool] = lambda counts: counts.higher == counts.lower
) -> Sides:
    """The cost-to-go is harmonic exactly where as many neighbours lie higher as lower.

    The left side are the vertices at which the mean of the neighbours is the value.
    """
    d, rows = case.cost_to_go(), case.neighbours
    others = [x for x in range(len(d)) if x != case.goal]
    mean = {x for x in others if sum(d[y] for y in rows[x]) == len(rows[x]) * d[x]}
    counts = [
        Counts(*(int(n) for n in each)) for each in zip(*degree_counts(case.edges, d), strict=True)
    ]
    return Sides(mean, {x for x in others if rule(counts[x])})


def fewest_misranking_labels(case: Rooted) -> int:
    """Labels of the smallest set with a vertex where only the harmonic planner is wrong, or 0."""
    labelled, scaled = every_harmonic_extension(case)
    d, rows = case.cost_to_go(), case.neighbours
    found = []
    for x, around in enumerate(rows):
        best = [y for y in around if d[y] < d[x]]
        rest = [y for y in around if d[y] >= d[x]]
        if not (best and rest):
            continue
        wrong = scaled[:, best].min(axis=1) > scaled[:, rest].min(axis=1)
        for places in labelled[wrong & ~labelled[:, x]]:
            u = extension(case.labelled(np.flatnonzero(places).tolist()))
            if min(u[y] for y in best) < min(u[y] for y in rest):
                found.append(int(places.sum()))
    return min(found, default=0)


class Size(NamedTuple):
    """Numbers of vertices, edges and labels, compared in this order."""

    vertices: int
    edges: int
    labels: int


@claim(
    "action_gap.harmonic.smallest_misranking",
    statement=r"\text{some exact labels: harmonic strictly wrong, AMLE strictly right, at one } x"
    r" \notin \Gamma \implies (n, m, |\Gamma|) \ge (7, 7, 3) \text{ in lexicographic order}",
    relation=Relation.IMPLIES,
    source=Source.derived(f"{PAGE}#smallest-misranking"),
    assumes={},
    teeth={
        "eight vertices": lambda size: size.vertices >= 8,
        "eight edges": lambda size: size >= Size(7, 8, 0),
        "four labels": lambda size: size >= Size(7, 7, 4),
        "three labels in any graph": lambda size: size >= Size(7, 7, 3) and size.labels >= 3,
    },
)
def misranking_needs_seven_vertices(
    case: Rooted, large_enough: Callable[[Size], bool] = lambda size: size >= Size(7, 7, 3)
) -> Sides:
    """A mis-ranking that AMLE repairs needs seven vertices, then seven edges, then three labels.

    One is attained: see ``MISRANKING`` with labels at 1, 3 and 6, where the harmonic planner
    prefers 4 to 2 at vertex 5 by 1/18. With an eighth edge, as in ``TWO_LABELS``, two labels do.
    The left side searches all label sets with the goal, and takes the smallest.
    """
    labels = fewest_misranking_labels(case)
    size = Size(len(case.neighbours), len(case.edges), labels)
    return Sides(labels > 0, large_enough(size))


def some_rollout_fails(case: Rooted, *, at_worst: bool = False) -> bool:
    """Whether exact labels exist with a start from which no tie-breaking reaches the goal.

    At worst: from which some tie-breaking does not.
    """
    _, scaled = every_harmonic_extension(case)
    rows = case.neighbours
    reached = np.zeros(scaled.shape, dtype=bool)
    reached[:, case.goal] = True
    for _ in rows:
        for x, around in enumerate(rows):
            chosen = scaled[:, around] == scaled[:, around].min(axis=1, keepdims=True)
            good = reached[:, around]
            all_good, one_good = (~chosen | good).all(axis=1), (chosen & good).any(axis=1)
            reached[:, x] |= all_good if at_worst else one_good
    return not bool(reached.all())


@dataclass(frozen=True)
class Failure:
    """What counts as a failure, and how many vertices it is said to need."""

    fails: Callable[[Rooted], bool]
    vertices: int


OUTRIGHT = Failure(some_rollout_fails, 8)


@claim(
    "action_gap.harmonic.smallest_failure",
    statement=r"\text{some exact labels and some start: no tie-breaking of the harmonic planner"
    r" reaches } g \implies n \ge 8",
    relation=Relation.IMPLIES,
    source=Source.derived(f"{PAGE}#smallest-misranking"),
    assumes={},
    teeth={
        "eleven vertices": Failure(some_rollout_fails, 11),
        "a bad tie-break is a failure": Failure(partial(some_rollout_fails, at_worst=True), 8),
    },
)
def failure_needs_eight_vertices(case: Rooted, failure: Failure = OUTRIGHT) -> Sides:
    """No harmonic rollout fails outright on a connected graph of up to seven vertices.

    The smallest failure known has ten vertices; eight and nine are not decided here. Toy graphs
    therefore hide what sparse labels do on a maze. A bad tie-break is no failure: four suffice.
    """
    return Sides(failure.fails(case), len(case.neighbours) >= failure.vertices)


@claim(
    "action_gap.harmonic.parallel_ways",
    statement=r"u(1) = \frac{3k + 4}{k + 4}, \qquad \text{the rollout from the label 2 fails}"
    r" \iff k \ge 5",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#smallest-misranking"),
    assumes={},
    teeth={
        "from four on, where there is a tie": lambda k: (Fraction(3 * k + 4, k + 4), k >= 4),
        "from six on": lambda k: (Fraction(3 * k + 4, k + 4), k >= 6),
        "one way less": lambda k: (Fraction(3 * k + 1, k + 3), k >= 5),
    },
)
def fails_from_five_parallel_ways_on(
    case: int,
    formula: Callable[[int], tuple[Fraction, bool]] = lambda k: (
        Fraction(3 * k + 4, k + 4),
        k >= 5,
    ),
) -> Sides:
    """Parallel ways to a far label lift the value beside the goal above that of a near label.

    The graph is ``bundle(k)`` with labels at 0, 2 and 4. With k = 5 the label 2 is a sink of ten
    vertices and thirteen edges; with k = 4 its neighbour ties with it.
    """
    rooted = bundle(case)
    u = harmonic_extension_exact(rooted.edges, rooted.labelled((0, 2, 4)).known)
    return Sides((u[1], u[3] < u[1] and u[2] < u[1]), formula(case))


@dataclass(frozen=True)
class Refined:
    """Each edge cut into ``pieces``, labels multiplied by as much."""

    pieces: int

    def graph(self, scale: int) -> Labelled:
        """The refined `MISRANKING` with labels at 1, 3 and 6, times the scale."""
        labels = MISRANKING.labelled((1, 3, 6)).relabelled(lambda f: f * scale).labels
        return Labelled(cut(MISRANKING.edges, [self.pieces] * len(MISRANKING.edges)), labels)


@claim(
    "action_gap.harmonic.refinement_stable",
    statement=r"\tfrac1k \big( u_k(2) - u_k(4) \big) = \tfrac1{18} \quad"
    r" \text{(a positive margin for the wrong move)}",
    relation=Relation.EQUAL,
    source=Source.paper("2605.19185", "the refinement-stable seven-vertex construction"),
    assumes={},
    teeth={
        "labels not refined": lambda refined: (1, refined.pieces),
        "margin not rescaled": lambda refined: (refined.pieces, 1),
    },
)
def margin_survives_refinement(
    case: Refined,
    scales: Callable[[Refined], tuple[int, int]] = lambda refined: (refined.pieces, refined.pieces),
) -> Sides:
    """Cutting every edge of the smallest mis-ranking into k leaves its relative margin at 1/18."""
    labels, margin = scales(case)
    graph = case.graph(labels)
    u = harmonic_extension_exact(graph.edges, graph.known)
    return Sides((u[2] - u[4]) / margin, Fraction(1, 18))


@claim(
    "action_gap.harmonic.maximum_principle",
    statement=r"u(x) \le \max_\Gamma f",
    relation=Relation.AT_MOST,
    source=Source.known("maximum principle"),
    assumes={},
    teeth={
        "the median label": lambda case: sorted(f for _, f in case.labels)[
            len(case.labels) // 2 - 1
        ],
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    tight=Tight(Labelled(((0, 1), (1, 2)), ((0, Fraction(1)),))),
)
def labels_bound_the_extension(
    case: Labelled,
    bound: Callable[[Labelled], Fraction] = lambda case: max(f for _, f in case.labels),
) -> Sides:
    """A harmonic extension is nowhere above its largest label.

    The left side is the largest value at a vertex without a label.
    """
    u = harmonic_extension_exact(case.edges, case.known)
    free = (value for x, value in enumerate(u) if x not in case.known)
    return Sides(max(free), bound(case))


@claim(
    "action_gap.harmonic.never_overestimates",
    statement=r"f = d \text{ on } \Gamma \implies u(x) \le d(x)",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#over-estimates"),
    assumes={},
    repairs={"the lex-minimiser": extension},
    declared=Verdict.REFUTED,
    repaired_by="action_gap.amle.one_sided",
)
def never_overestimates(
    case: Labelled, solver: Callable[[Labelled], Values] = weighed_by_law
) -> Sides:
    """With exact labels the harmonic extension never exceeds the cost-to-go.

    False: it averages over labels that lie farther away. On the smallest mis-ranking u(2) = 23/18
    at distance 1. The lex-minimiser never exceeds.
    """
    goal = next(place for place, f in case.labels if f == 0)
    d = Rooted(case.edges, goal).cost_to_go()
    u = solver(case)
    return Sides(max(value - cost for value, cost in zip(u, d, strict=True)), Fraction(0))


@claim(
    "action_gap.harmonic.certified",
    statement=r"\max_x |\hat u(x) - u(x)| \le \text{error bound}",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#sandwich"),
    assumes={},
    teeth={
        "no rounding": lambda _: Fraction(0),
        "a ten-thousandth": lambda bound: bound / 10_000,
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    tight=Tight(MISRANKING.labelled((1, 3, 6)), at_least=Fraction(1, 1000)),
)
def solution_is_certified(
    case: Labelled, width: Callable[[Fraction], Fraction] = lambda bound: bound
) -> Sides:
    """The float extension is within its stated bound of the exact one.

    The bound is the distance to values that all local means exceed, and to values that all fall
    short of, each proven beyond rounding.
    """
    found = harmonic_extension(case.edges, case.floats()[0])
    errors = [
        abs(Fraction(a) - b) for a, b in zip(found.values.tolist(), harmonic(case), strict=True)
    ]
    return Sides(max(errors), width(Fraction(found.error_bound or 0)))
