"""Claims about what the dimensions have in common, and how they are ordered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from rolltheory.claims import Counterexample, Relation, Sides, Source, Tight, Tooth, Verdict, claim
from rolltheory.dimension.claims._small_classes import (
    CUBE_3,
    HEXAGON,
    SQUARE_3,
    Rows,
    binary,
    dimension_of,
    is_even,
    restricted,
    shattered_sets,
)
from rolltheory.dimension.peeling import pseudo_cube_core

__all__ = [
    "PAGE",
    "Measured",
    "Part",
    "binary_dimensions_coincide",
    "ds_at_most_graph",
    "ds_at_most_littlestone",
    "hypotheses_for_a_dimension",
    "more_hypotheses",
    "more_points",
    "natarajan_at_most_ds",
    "natarajan_is_ds",
    "renaming_changes_nothing",
    "two_points_need_a_cycle",
]

PAGE = "docs/theory/dimension.md"
Numbered = Callable[[Rows, str], int]


@dataclass(frozen=True)
class Measured:
    """A class, and which of its dimensions is meant."""

    rows: Rows
    notion: str


@dataclass(frozen=True)
class Part:
    """A class, some of its rows or columns, and which dimension is meant."""

    rows: Rows
    kept: tuple[int, ...]
    notion: str


def ds(rows: Rows) -> int:
    """The dimension of Daniely and Shalev-Shwartz."""
    return dimension_of(rows, "ds")


def even_core_only(rows: Rows, _: str) -> int:
    """The most points at which the largest pseudo-cube is even (trap T7)."""
    return max(map(len, shattered_sets(rows, _has_even_core)), default=0)


@cache
def _has_even_core(rows: Rows) -> bool:
    core = pseudo_cube_core(rows)
    return core is not None and is_even(core.patterns)


def at_all_points_only(rows: Rows, notion: str) -> int:
    """All points if they are shattered, and otherwise none."""
    found = dimension_of(rows, notion)
    return found if found == len(rows[0]) else 0


@claim(
    "dimension.elementary.more_hypotheses",
    statement=r"H' \subseteq H \implies \dim(H') \le \dim(H) \quad"
    r" \text{for the DS, Natarajan, graph and Littlestone dimensions}",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#monotone"),
    assumes={},
    teeth={
        "only even cores count": even_core_only,
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    tight=Tight(Part(SQUARE_3, (0, 1, 3, 4), "ds")),
)
def more_hypotheses(case: Part, dimension: Numbered = dimension_of) -> Sides:
    """No dimension falls when hypotheses are added."""
    fewer = tuple(case.rows[i] for i in case.kept)
    return Sides(dimension(fewer, case.notion), dimension(case.rows, case.notion))


@claim(
    "dimension.elementary.more_points",
    statement=r"\dim(H|_S) \le \dim(H) \quad"
    r" \text{for the DS, Natarajan, graph and Littlestone dimensions}",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#monotone"),
    assumes={},
    teeth={
        "all points or none": at_all_points_only,
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    tight=Tight(Part(CUBE_3, (0, 1, 2), "ds")),
)
def more_points(case: Part, dimension: Numbered = dimension_of) -> Sides:
    """No dimension falls when points are added."""
    fewer = restricted(case.rows, case.kept)
    return Sides(dimension(fewer, case.notion), dimension(case.rows, case.notion))


def with_columns_turned(rows: Rows) -> Rows:
    """The points in reversed order, and the label y at each called ``7 - 2 y``."""
    return tuple(tuple(7 - 2 * label for label in reversed(row)) for row in rows)


def with_labels_merged(rows: Rows) -> Rows:
    """The labels from 1 on called alike (trap T10)."""
    return tuple(sorted({tuple(min(label, 1) for label in row) for row in rows}))


def with_column_twice(rows: Rows) -> Rows:
    """The last point twice, and one at which all hypotheses agree (trap T18)."""
    return tuple((*row, row[-1], 5) for row in rows)


@claim(
    "dimension.elementary.renaming",
    statement=r"\dim \text{ is the same for renamed points and labels, a repeated point, and a"
    r" constant one}",
    relation=Relation.EQUAL,
    source=Source.known("the definitions name no point and no label"),
    assumes={},
    teeth={
        "labels merged": (with_labels_merged,),
        "a new point": (lambda rows: tuple((*row, i % 2) for i, row in enumerate(rows)),),
    },
)
def renaming_changes_nothing(
    case: Measured,
    rewritings: tuple[Callable[[Rows], Rows], ...] = (with_columns_turned, with_column_twice),
) -> Sides:
    """A dimension does not depend on names, and equal columns are shattered as one.

    Merging labels is no renaming: it can raise every dimension. A restriction with a point twice
    holds on both columns what it holds on one.
    """
    found = dimension_of(case.rows, case.notion)
    return Sides(
        [dimension_of(rewritten(case.rows), case.notion) for rewritten in rewritings],
        [found] * len(rewritings),
    )


@claim(
    "dimension.elementary.size",
    statement=r"2^{\dim(H)} \le |H| \quad"
    r" \text{for the DS, Natarajan, graph and Littlestone dimensions}",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#size"),
    assumes={},
    teeth={
        "one more": lambda dimension: 2**dimension + 1,
        "three labels each": lambda dimension: 3**dimension,
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    tight=Tight(Measured(CUBE_3, "ds")),
)
def hypotheses_for_a_dimension(
    case: Measured, needed: Callable[[int], int] = lambda dimension: 2**dimension
) -> Sides:
    """A class of dimension d has at least 2^d hypotheses: two slices of half as many, and so on."""
    return Sides(needed(dimension_of(case.rows, case.notion)), len(case.rows))


@claim(
    "dimension.elementary.natarajan_at_most_ds",
    statement=r"\mathrm{Nat}(H) \le \mathrm{DS}(H)",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#chain"),
    assumes={},
    teeth={
        "the graph dimension": "graph",
        "the Littlestone dimension": "littlestone",
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    tight=Tight(CUBE_3),
)
def natarajan_at_most_ds(case: Rows, notion: str = "natarajan") -> Sides:
    """All mixtures of two patterns that differ everywhere are a pseudo-cube."""
    return Sides(dimension_of(case, notion), ds(case))


@claim(
    "dimension.elementary.ds_at_most_graph",
    statement=r"\mathrm{DS}(H) \le \mathrm{G}(H)",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#chain"),
    assumes={},
    teeth={
        "the Littlestone dimension": "littlestone",
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    tight=Tight(HEXAGON),
)
def ds_at_most_graph(case: Rows, notion: str = "ds") -> Sides:
    """Any member of a pseudo-cube is agreed with in every way: move to line-mates, one by one."""
    return Sides(dimension_of(case, notion), dimension_of(case, "graph"))


@claim(
    "dimension.elementary.ds_at_most_littlestone",
    statement=r"\mathrm{DS}(H) \le L(H)",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#chain"),
    assumes={},
    teeth={
        "the graph dimension": "graph",
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    tight=Tight(HEXAGON),
)
def ds_at_most_littlestone(case: Rows, notion: str = "ds") -> Sides:
    """Two slices of a pseudo-cube are pseudo-cubes: a learner errs at each of its points."""
    return Sides(dimension_of(case, notion), dimension_of(case, "littlestone"))


@claim(
    "dimension.elementary.natarajan_is_ds",
    statement=r"\mathrm{Nat}(H) = \mathrm{DS}(H)",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#natarajan-and-ds"),
    assumes={},
    repairs={"at most": Tooth(relation=Relation.AT_MOST)},
    declared=Verdict.REFUTED,
    repaired_by="dimension.elementary.natarajan_at_most_ds",
)
def natarajan_is_ds(case: Rows, notion: str = "natarajan") -> Sides:
    """The Natarajan dimension is the DS dimension.

    False: on the hexagon, six rows of three labels at two points, it is 1 and the other 2 (T14).
    """
    return Sides(dimension_of(case, notion), ds(case))


TWO_LABELS = "at most two labels at each point"


def _without_vc(case: Rows, notions: tuple[str, ...]) -> Sides:
    found = [dimension_of(case, notion) for notion in notions]
    return Sides(found, [ds(case)] * len(notions))


@claim(
    "dimension.elementary.binary",
    statement=r"|Y_x| \le 2 \; \forall x \implies \mathrm{Nat}(H) = \mathrm{DS}(H) ="
    r" \mathrm{G}(H) = \mathrm{VC}(H)",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#binary-labels"),
    assumes={TWO_LABELS: binary},
    teeth={
        "Littlestone as well": ("natarajan", "ds", "graph", "littlestone"),
    },
    breaks={
        TWO_LABELS: Counterexample(
            HEXAGON,
            "the Natarajan dimension is 1, DS and graph are 2; VC has no meaning",
            _without_vc,
        )
    },
)
def binary_dimensions_coincide(
    case: Rows, notions: tuple[str, ...] = ("natarajan", "ds", "graph")
) -> Sides:
    """With two labels all of the dimensions but Littlestone's agree.

    A pseudo-cube is then the full cube.
    """
    vc = dimension_of(case, "vc")
    return Sides([dimension_of(case, notion) for notion in notions], [vc] * len(notions))


def independent_cycles(rows: Rows) -> int:
    """Edges less what a spanning forest has, in the graph that joins the two labels of each row."""
    leader: dict[tuple[int, int], tuple[int, int]] = {}

    def find(vertex: tuple[int, int]) -> tuple[int, int]:
        while leader.setdefault(vertex, vertex) != vertex:
            vertex = leader[vertex]
        return vertex

    cycles = 0
    for a, b in rows:
        first, second = find((0, a)), find((1, b))
        cycles += first == second
        leader[first] = second
    return cycles


def more_rows_than_labels(rows: Rows) -> bool:
    """Whether the rows outnumber the labels, less one."""
    return len(rows) > sum(len(set(column)) for column in zip(*rows, strict=True)) - 1


def some_rectangle(rows: Rows) -> bool:
    """Whether two labels of one point go with the same two of the other."""
    return dimension_of(rows, "natarajan") == 2


@claim(
    "dimension.elementary.two_points",
    statement=r"V \subseteq Y_1 \times Y_2 \text{ holds a pseudo-cube} \iff"
    r" \text{the bipartite graph of its rows has a cycle}",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#two-points"),
    assumes={},
    teeth={
        "a cycle of four": some_rectangle,
        "more rows than a tree on all labels": more_rows_than_labels,
    },
)
def two_points_need_a_cycle(
    case: Rows,
    has_cycle: Callable[[Rows], bool] = lambda rows: independent_cycles(rows) > 0,
) -> Sides:
    """At two points a pseudo-cube is a subgraph without leaves, and every cycle is one."""
    return Sides(pseudo_cube_core(case) is not None, has_cycle(case))
