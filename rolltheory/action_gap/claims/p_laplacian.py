"""Claims about the graph p-Laplacians: what they do to the cost-to-go, and where they differ."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import TypeAlias

from rolltheory.action_gap.claims._small_graphs import Rooted, cut, harmonic
from rolltheory.action_gap.claims.harmonic import MISRANKING, Counts
from rolltheory.action_gap.claims.labelled import Labelled, Values, extension
from rolltheory.action_gap.harmonic import harmonic_extension_exact
from rolltheory.action_gap.operators import degree_counts, operator_residuals_exact
from rolltheory.action_gap.p_laplacian import p_harmonic_extension
from rolltheory.claims import Enclosure, Relation, Sides, Source, Verdict, claim
from rolltheory.errors import UnsupportedError

__all__ = [
    "MISRANKED",
    "Subdivided",
    "TableEntry",
    "Value",
    "cost_to_go_leaves_the_table",
    "subdivision_scales_the_values",
    "value_lies_between_the_limits",
    "value_never_overestimates",
]

PAGE = "docs/theory/action_gap.md"
Table: TypeAlias = Callable[[Counts, str, int], Fraction]

MISRANKED = MISRANKING.labelled((1, 3, 6))
"""The smallest mis-ranking with its labels."""


@dataclass(frozen=True)
class TableEntry:
    """A rooted graph, an operator and its exponent (2 where it has none)."""

    rooted: Rooted
    operator: str
    p: int


def table(counts: Counts, operator: str, p: int) -> Fraction:
    """What an operator leaves of the cost-to-go at a vertex with those neighbours."""
    balance = Fraction(counts.higher - counts.lower)
    middle = Fraction(0) if counts.higher else Fraction(-1, 2) if counts.level else Fraction(-1)
    if operator == "midrange":
        return middle
    if operator == "game":
        return (balance / sum(counts) + (p - 2) * middle) / (p - 1)
    return balance


def one_over_p(counts: Counts, operator: str, p: int) -> Fraction:
    """The game weights that are often quoted: 1 / p for the mean."""
    if operator != "game":
        return table(counts, operator, p)
    mean = Fraction(counts.higher - counts.lower, sum(counts))
    return (mean + (p - 1) * table(counts, "midrange", p)) / p


def repaired_by_p(counts: Counts, operator: str, p: int) -> Fraction:
    """The belief that a larger p makes the cost-to-go more nearly p-harmonic."""
    entry = table(counts, operator, p)
    return entry / (p - 1) if operator == "variational" else entry


def no_level_case(counts: Counts, operator: str, p: int) -> Fraction:
    """The table of a bipartite graph, used on every graph."""
    return table(Counts(counts.lower, 0, counts.higher), operator, p)


@claim(
    "action_gap.p_laplacian.residuals_of_the_cost_to_go",
    statement=r"\text{midrange: } 0, -\tfrac12 \text{ or } -1; \quad \text{Laplacian and"
    r" variational, every finite } p:\ n_+ - n_-; \quad \text{game: }"
    r" \alpha \tfrac{n_+ - n_-}{\deg} + (1 - \alpha)\,\text{midrange}, \ \alpha = \tfrac1{p-1}",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#operator-compatibility"),
    assumes={},
    teeth={
        "1/p weighs the mean": one_over_p,
        "a larger p repairs": repaired_by_p,
        "no neighbour is level": no_level_case,
    },
)
def cost_to_go_leaves_the_table(case: TableEntry, entries: Table = table) -> Sides:
    """What each operator leaves of the cost-to-go depends on the neighbour counts only.

    No finite variational p repairs the incompatibility: differences are -1, 0 or 1, and a power
    does nothing to them.
    """
    d, rooted = case.rooted.cost_to_go(), case.rooted
    p = case.p if case.operator in ("variational", "game") else None
    found = operator_residuals_exact(rooted.edges, d, operator=case.operator, p=p)
    columns = zip(*(each.tolist() for each in degree_counts(rooted.edges, d)), strict=True)
    said = [entries(Counts(*counts), case.operator, case.p) for counts in columns]
    others = [x for x in range(len(d)) if x != rooted.goal]
    return Sides(tuple(found[x] for x in others), tuple(said[x] for x in others))


@dataclass(frozen=True)
class Subdivided:
    """A labelled graph whose edges are cut into ``pieces``; p is 2, infinity, or between."""

    graph: Labelled
    pieces: int
    p: float = 2

    def finer(self) -> Labelled:
        """Every edge cut, every label multiplied."""
        scaled = self.graph.relabelled(lambda f: f * self.pieces).labels
        return Labelled(cut(self.graph.edges, [self.pieces] * len(self.graph.edges)), scaled)


def solved(graph: Labelled, p: float) -> Values:
    """The p-harmonic extension, exact where it is rational."""
    if p == 2:
        return harmonic_extension_exact(graph.edges, graph.known)
    if p == inf:
        return extension(graph)
    found = p_harmonic_extension(graph.edges, graph.floats()[0], p=p)
    return tuple(map(Fraction, found.values.tolist()))


def first_edge_only(case: Subdivided) -> Labelled:
    """One edge cut, the others left."""
    rest = [1] * (len(case.graph.edges) - 1)
    return Labelled(cut(case.graph.edges, [case.pieces, *rest]), case.finer().labels)


@claim(
    "action_gap.p_laplacian.subdivision",
    statement=r"\tfrac1k u_k(x) = u(x) \quad \text{at the old vertices, for every }"
    r" p \in [2, \infty]",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#smallest-misranking"),
    assumes={},
    teeth={
        "one edge only": first_edge_only,
        "labels as they were": lambda case: Labelled(case.finer().edges, case.graph.labels),
    },
)
def subdivision_scales_the_values(
    case: Subdivided, finer: Callable[[Subdivided], Labelled] = Subdivided.finer
) -> Sides:
    """Cutting every edge into k and multiplying labels by k multiplies the extension by k.

    A vertex of degree two interpolates, whatever p. So every example on a small graph, a harmonic
    mis-ranking too, survives refinement. The left side is the largest change at an old vertex.
    """
    old, new = solved(case.graph, case.p), solved(finer(case), case.p)
    changes = (abs(a / case.pieces - b) for a, b in zip(new, old, strict=False))
    return Sides(max(changes), Fraction(0))


def largest_limit(case: Labelled, x: int) -> Fraction:
    """The larger of the harmonic value and the lex-minimiser's."""
    return max(harmonic(case)[x], extension(case)[x])


@dataclass(frozen=True)
class Value:
    """The value of one vertex at one exponent."""

    graph: Labelled
    x: int
    p: int

    def enclosed(self) -> Enclosure:
        """The variational p-harmonic value, within the solver's bound."""
        found = p_harmonic_extension(self.graph.edges, self.graph.floats()[0], p=self.p)
        if found.error_bound is None:
            raise UnsupportedError(f"an enclosure at p = {self.p}", "no bound was proven")
        value, error = Fraction(float(found.values[self.x])), Fraction(found.error_bound)
        return Enclosure(value - error, value + error)


@claim(
    "action_gap.p_laplacian.between_the_limits",
    statement=r"u_p(x) \le \max\{u_2(x), u_\infty(x)\} \qquad (2 \le p \le \infty)",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#p-laplacians"),
    assumes={},
    repairs={"the largest label": lambda case, _: max(case.known.values())},
    declared=Verdict.REFUTED,
    repaired_by="action_gap.harmonic.maximum_principle",
)
def value_lies_between_the_limits(
    case: Value, bound: Callable[[Labelled, int], Fraction] = largest_limit
) -> Sides:
    """A p-harmonic value lies between the harmonic one and the lex-minimiser's.

    False: u(4) of the smallest mis-ranking goes 1.2222, 1.3347, 1.3483, 4/3 at p = 2, 4, 8 and
    infinity. So a larger p is not pointwise nearer, and values are not monotone in p.
    """
    return Sides(case.enclosed(), bound(case.graph, case.x))


def cost_to_go(case: Labelled, x: int) -> Fraction:
    """The distance to the vertex whose label is zero."""
    goal = next(place for place, f in case.labels if f == 0)
    return Fraction(Rooted(case.edges, goal).cost_to_go()[x])


@claim(
    "action_gap.p_laplacian.never_overestimates",
    statement=r"f = d \text{ on } \Gamma \implies u_p(x) \le d(x) \qquad (2 < p < \infty)",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#over-estimates"),
    assumes={},
    repairs={"the largest label": lambda case, _: max(case.known.values())},
    declared=Verdict.REFUTED,
    repaired_by="action_gap.harmonic.maximum_principle",
)
def value_never_overestimates(
    case: Value, bound: Callable[[Labelled, int], Fraction] = cost_to_go
) -> Sides:
    """With exact labels a large finite p does not exceed the cost-to-go.

    False: u(2) of the smallest mis-ranking, at distance 1, is 1.1156 for p = 4 and still above 1
    for p = 16. Only the limit, the lex-minimiser, never exceeds.
    """
    return Sides(case.enclosed(), bound(case.graph, case.x))
