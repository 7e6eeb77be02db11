"""Claims about the graph p-Laplacians: what they do to the cost-to-go, and where they differ."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import TypeAlias

from rolltheory.action_gap.claims._small_graphs import Labelled, Rooted, cut
from rolltheory.action_gap.claims.harmonic import MISRANKING, Counts
from rolltheory.action_gap.exact import amle_exact
from rolltheory.action_gap.harmonic import harmonic_extension_exact
from rolltheory.action_gap.operators import degree_counts, operator_residuals_exact
from rolltheory.action_gap.p_laplacian import p_harmonic_extension
from rolltheory.claims import Enclosure, Relation, Sides, Source, Tight, Verdict, claim
from rolltheory.errors import UnsupportedError

__all__ = [
    "MISRANKED",
    "At",
    "Hub",
    "Raised",
    "Subdivided",
    "TableEntry",
    "TwoScales",
    "Value",
    "a_mean_lies_strictly_between",
    "cost_to_go_leaves_the_table",
    "local_residual_bounds_the_displacement",
    "plain_residual_bounds_the_displacement",
    "star_has_a_closed_form",
    "star_values_agree",
    "subdivision_scales_the_values",
    "value_lies_between_the_limits",
]

PAGE = "docs/theory/action_gap.md"
Values: TypeAlias = tuple[Fraction, ...]
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
class Hub:
    """Values of the neighbours of one vertex, and an exponent."""

    values: Values
    p: int


def flow(values: Values, m: Fraction, p: int) -> Fraction:
    """What flows into the value m; zero at the p-mean, and decreasing in m."""
    return sum((abs(v - m) ** (p - 2) * (v - m) for v in values), Fraction(0))


def flow_without_sign(values: Values, m: Fraction, p: int) -> Fraction:
    """Powers without the absolute value, right only for even p."""
    return sum(((v - m) ** (p - 1) for v in values), Fraction(0))


def flow_of_the_median(values: Values, m: Fraction, _: int) -> Fraction:
    """The exponent one, at which a majority decides and the others stay."""
    above, below = sum(v > m for v in values), sum(v < m for v in values)
    return Fraction(((above > below) - (above < below)) * (2 * max(above, below) - len(values)))


def _sign(number: Fraction) -> int:
    return (number > 0) - (number < 0)


@claim(
    "action_gap.p_laplacian.no_interior_sink",
    statement=r"\sum_y |v_y - m|^{p-2} (v_y - m) = 0 \implies \min_y v_y < m < \max_y v_y"
    r" \text{ or all } v_y \text{ are equal}",
    relation=Relation.EQUAL,
    source=Source.paper("2605.19185", "Lemma 3.6"),
    assumes={},
    teeth={
        "no absolute value": flow_without_sign,
        "p = 1, the majority": flow_of_the_median,
        "sizes without a sign": lambda values, m, p: sum(
            (abs(v - m) ** (p - 1) for v in values), Fraction(0)
        ),
    },
)
def a_mean_lies_strictly_between(
    case: Hub, into: Callable[[Values, Fraction, int], Fraction] = flow
) -> Sides:
    """An unlabelled vertex of a p-harmonic extension has a strictly lower neighbour, or is flat.

    The left side are the signs of the flow at the least and at the greatest neighbour: as it
    decreases, it vanishes strictly between them. So only labels and plateaus stop a rollout.
    """
    low, high = min(case.values), max(case.values)
    signs = (_sign(into(case.values, low, case.p)), _sign(into(case.values, high, case.p)))
    return Sides(signs, (1, -1) if low < high else (0, 0))


@dataclass(frozen=True)
class Raised:
    """A star with ``ratio ** (p - 1)`` leaves at 0 for each leaf at 1: its p-mean is rational."""

    ratio: int
    ones: int
    p: int

    @property
    def zeros(self) -> int:
        """The number of leaves at 0."""
        return int(self.ones * self.ratio ** (self.p - 1))

    def inflow(self, m: Fraction) -> Fraction:
        """What flows into the hub at value m."""
        size = self.p - 2
        return self.ones * abs(1 - m) ** size * (1 - m) - self.zeros * abs(m) ** size * m

    def throughflow(self, m: Fraction) -> Fraction:
        """The sum of all flows, in and out."""
        size = self.p - 1
        return self.ones * abs(1 - m) ** size + self.zeros * abs(m) ** size


def closed_form(case: Raised) -> Fraction:
    """1 / (1 + (zeros / ones) ** (1 / (p - 1))), here rational."""
    return Fraction(1, 1 + case.ratio)


def game_mean(case: Raised) -> Fraction:
    """Mean and midrange with weights 1 / (p - 1) and (p - 2) / (p - 1)."""
    mean = Fraction(case.ones, case.ones + case.zeros)
    return (mean + (case.p - 2) * Fraction(1, 2)) / (case.p - 1)


@claim(
    "action_gap.p_laplacian.star",
    statement=r"k \text{ leaves at } 0,\ j \text{ at } 1: \quad"
    r" u = \frac{1}{1 + (k / j)^{1/(p-1)}}",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#p-laplacians"),
    assumes={},
    teeth={
        "the mean": lambda case: Fraction(case.ones, case.ones + case.zeros),
        "the midrange": lambda _: Fraction(1, 2),
        "the game's value": game_mean,
    },
)
def star_has_a_closed_form(
    case: Raised, value: Callable[[Raised], Fraction] = closed_form
) -> Sides:
    """On a star with two values the variational p-mean has a closed form.

    The left side is what flows into the hub at that value.
    """
    return Sides(case.inflow(value(case)), Fraction(0))


@claim(
    "action_gap.p_laplacian.flavours_agree",
    statement=r"\tfrac{1}{p-1} \operatorname{mean} + \tfrac{p-2}{p-1} \operatorname{midrange}"
    r" \text{ solves } \textstyle\sum_y |v_y - m|^{p-2} (v_y - m) = 0",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#p-laplacians"),
    assumes={},
    repairs={"the variational mean": closed_form},
    declared=Verdict.REFUTED,
    repaired_by="action_gap.p_laplacian.star",
)
def star_values_agree(case: Raised, value: Callable[[Raised], Fraction] = game_mean) -> Sides:
    """The game p-Laplacian and the variational one are the same on graphs.

    False between p = 2 and infinity: with leaves 0, 0, 1 and p = 4 they are .444444 and .442493. A
    third formula in use, weights 1/p and 1 - 2/p with the midrange not halved, gives .466667.
    """
    return Sides(case.inflow(value(case)), Fraction(0))


@dataclass(frozen=True)
class At:
    """A star of `Raised` with its hub held at some value instead of its mean."""

    star: Raised
    hub: Fraction


def relative_residual(case: At) -> Fraction:
    """The flow into the hub over the sum of all flows."""
    return abs(case.star.inflow(case.hub)) / case.star.throughflow(case.hub)


@claim(
    "action_gap.p_laplacian.local_residual",
    statement=r"|m - \bar m| \le \rho \max_y |v_y - m|, \qquad"
    r" \rho = \frac{\big|\sum_y \phi_y\big|}{\sum_y |\phi_y|}, \quad"
    r" \phi_y = |v_y - m|^{p-2} (v_y - m)",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#sandwich"),
    assumes={},
    teeth={
        "half of it": lambda case: relative_residual(case) / 2,
        "divided by p - 1": lambda case: relative_residual(case) / (case.star.p - 1),
        "flow per leaf": lambda case: (
            abs(case.star.inflow(case.hub)) / (case.star.ones + case.star.zeros)
        ),
    },
    tight=Tight(At(Raised(2, 1, 2), Fraction(1, 2))),
)
def local_residual_bounds_the_displacement(
    case: At, residual: Callable[[At], Fraction] = relative_residual
) -> Sides:
    r"""The scale-free residual bounds how far a value is from the p-mean of its neighbours.

    With A flowing in and B out, a shift by rho times the largest difference leaves at most
    :math:`A (1 - \rho)^{p-1}` of the one and at least :math:`B (1 + \rho)^{p-1}` of the other,
    and :math:`A / B = (1 + \rho) / (1 - \rho)`.
    """
    reach = max(abs(case.hub), abs(1 - case.hub))
    return Sides(abs(case.hub - closed_form(case.star)), residual(case) * reach)


@dataclass(frozen=True)
class TwoScales:
    """A star with leaves 0 and ``small``, hub off its mean by ``off`` in parts of ``small``.

    Elsewhere in the graph the steepest slope is one.
    """

    star: Raised
    small: Fraction
    off: Fraction

    @property
    def at(self) -> At:
        """The star and its hub, in the unit of its own labels."""
        return At(self.star, closed_form(self.star) + self.off)


SMALL_RESIDUAL = Fraction(1, 10**12)


@claim(
    "action_gap.p_laplacian.plain_residual",
    statement=r"\frac{\big|\sum_y \phi_y\big|}{(\max_e |\nabla_e u|)^{p-1}} \le 10^{-12} \implies"
    r" |m - \bar m| \le \tfrac1{100} \max_y |v_y - m|",
    relation=Relation.IMPLIES,
    source=Source.derived(f"{PAGE}#sandwich"),
    assumes={},
    repairs={"over the flows at the vertex": lambda case: relative_residual(case.at)},
    declared=Verdict.REFUTED,
    repaired_by="action_gap.p_laplacian.local_residual",
)
def plain_residual_bounds_the_displacement(
    case: TwoScales,
    residual: Callable[[TwoScales], Fraction] = lambda case: (
        case.small ** (case.star.p - 1) * abs(case.star.inflow(case.at.hub))
    ),
) -> Sides:
    """A residual over the steepest slope of the graph, once tiny, says that all values are good.

    False in regions of small slopes: their flows are powers of the slopes, so at p = 16 a slope a
    hundredth of the steepest one adds 1e-30, right or wrong. The residual over the flows at the
    vertex itself sees it.
    """
    hub = case.at.hub
    good = abs(case.off) <= Fraction(1, 100) * max(hub, 1 - hub)
    return Sides(residual(case) <= SMALL_RESIDUAL, good)


@dataclass(frozen=True)
class Subdivided:
    """A labelled graph whose edges are cut into ``pieces``; p is 2, infinity, or between."""

    graph: Labelled
    pieces: int
    p: float = 2

    def finer(self) -> Labelled:
        """Every edge cut, every label multiplied."""
        labels = tuple((x, f * self.pieces) for x, f in self.graph.labels)
        return Labelled(cut(self.graph.edges, [self.pieces] * len(self.graph.edges)), labels)


def solved(graph: Labelled, p: float) -> Values:
    """The p-harmonic extension, exact where it is rational."""
    labels = dict(graph.labels)
    if p == 2:
        return harmonic_extension_exact(graph.edges, labels)
    if p == inf:
        return amle_exact(graph.edges, labels)
    floats = {place: float(f) for place, f in labels.items()}
    return tuple(map(Fraction, p_harmonic_extension(graph.edges, floats, p=p).values.tolist()))


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
    return max(case.harmonic()[x], amle_exact(case.edges, dict(case.labels))[x])


@dataclass(frozen=True)
class Value:
    """The value of one vertex at one exponent."""

    graph: Labelled
    x: int
    p: int


@claim(
    "action_gap.p_laplacian.between_the_limits",
    statement=r"u_p(x) \le \max\{u_2(x), u_\infty(x)\} \qquad (2 \le p \le \infty)",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#p-laplacians"),
    assumes={},
    repairs={"the largest label": lambda case, _: max(f for _, f in case.labels)},
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
    given = {place: float(f) for place, f in case.graph.labels}
    found = p_harmonic_extension(case.graph.edges, given, p=case.p)
    if found.error_bound is None:
        raise UnsupportedError(f"an enclosure at p = {case.p}", "no bound was proven")
    value, error = Fraction(float(found.values[case.x])), Fraction(found.error_bound)
    return Sides(Enclosure(value - error, value + error), bound(case.graph, case.x))
