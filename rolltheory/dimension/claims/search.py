"""Claims about the searches: they find what the definitions say, and show it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from rolltheory.claims import Counterexample, Relation, Sides, Source, Tight, claim
from rolltheory.dimension.claims._small_classes import (
    BY_DEFINITION,
    CUBE_3,
    HEXAGON,
    NOTIONS,
    Row,
    Rows,
    binary,
    brute_force,
    dimension_of,
    restricted,
    searched,
)
from rolltheory.dimension.claims.elementary import PAGE, TWO_LABELS, Measured, at_all_points_only
from rolltheory.dimension.witnesses import (
    AgreementCube,
    Dimension,
    MistakeTree,
    NatarajanCube,
    PseudoCube,
    holds,
)

__all__ = [
    "Budgeted",
    "ds_by_definition",
    "graph_by_definition",
    "interval_above",
    "interval_below",
    "natarajan_by_definition",
    "vc_by_definition",
    "witness_holds",
]

Found = Dimension[Any]


@dataclass(frozen=True)
class Budgeted:
    """A class, a notion, and how many sets of points may be tested."""

    rows: Rows
    notion: str
    budget: int

    @property
    def found(self) -> Found:
        """What the library finds within the budget."""
        return NOTIONS[self.notion](self.rows, budget=self.budget)


def with_repeated_rows(rows: Rows) -> int:
    """The DS dimension if rows that coincide at the points were told apart (trap T18)."""

    def survives(columns: tuple[int, ...]) -> bool:
        left = [tuple(row[j] for j in columns) for row in rows]
        while True:
            beside = [_counted_lines(row, left) for row in left]
            kept = [row for row, counts in zip(left, beside, strict=True) if min(counts) > 1]
            if len(kept) == len(left):
                return bool(left)
            left = kept

    points = range(len(rows[0]))
    sets = (c for size in range(1, len(points) + 1) for c in combinations(points, size))
    return max((len(columns) for columns in sets if survives(columns)), default=0)


def _counted_lines(row: Row, rows: list[Row]) -> list[int]:
    """How many rows are on each line through this one."""
    points = range(len(row))
    return [
        sum(all(other[j] == row[j] for j in points if j != i) for other in rows) for i in points
    ]


def one_set_extended(rows: Rows, notion: str) -> int:
    """What is found if points are added one by one to a single shattered set."""
    chosen: tuple[int, ...] = ()
    for j in range(len(rows[0])):
        if BY_DEFINITION[notion](restricted(rows, (*chosen, j))):
            chosen = (*chosen, j)
    return len(chosen)


@claim(
    "dimension.search.ds",
    statement=r"\texttt{ds\_dimension}(H) = \max \{ |S| : H|_S \text{ holds a pseudo-cube} \}",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#search"),
    assumes={},
    teeth={
        "equal rows told apart": with_repeated_rows,
        "all points or none": lambda rows: at_all_points_only(rows, "ds"),
        "one set extended": lambda rows: one_set_extended(rows, "ds"),
        "the Natarajan dimension": lambda rows: dimension_of(rows, "natarajan"),
    },
)
def ds_by_definition(
    case: Rows, search: Callable[[Rows], int] = lambda rows: dimension_of(rows, "ds")
) -> Sides:
    """The search finds the DS dimension; the right side tries all sets and all of their subsets."""
    return Sides(search(case), brute_force(case, "ds"))


@claim(
    "dimension.search.natarajan",
    statement=r"\texttt{natarajan\_dimension}(H) = \max \{ |S| : \textstyle\prod_{x \in S}"
    r" \{f(x), g(x)\} \subseteq H|_S, \; f \ne g \text{ on } S \}",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#search"),
    assumes={},
    teeth={
        "one set extended": lambda rows: one_set_extended(rows, "natarajan"),
        "the DS dimension": lambda rows: dimension_of(rows, "ds"),
    },
)
def natarajan_by_definition(
    case: Rows, search: Callable[[Rows], int] = lambda rows: dimension_of(rows, "natarajan")
) -> Sides:
    """The search finds the Natarajan dimension; the right side tries all pairs of patterns."""
    return Sides(search(case), brute_force(case, "natarajan"))


@claim(
    "dimension.search.graph",
    statement=r"\texttt{graph\_dimension}(H) = \max \{ |S| : \exists f \, \forall A \subseteq S \,"
    r" \exists h : \; h(x) = f(x) \iff x \in A \}",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#search"),
    assumes={},
    teeth={
        "one set extended": lambda rows: one_set_extended(rows, "graph"),
        "the DS dimension": lambda rows: dimension_of(rows, "ds"),
        "the Littlestone dimension": lambda rows: dimension_of(rows, "littlestone"),
    },
)
def graph_by_definition(
    case: Rows, search: Callable[[Rows], int] = lambda rows: dimension_of(rows, "graph")
) -> Sides:
    """The search counts agreements and inverts; the right side lists them, for all patterns."""
    return Sides(search(case), brute_force(case, "graph"))


def _three_labels(case: Rows, _: Callable[[Rows], int]) -> Sides:
    return Sides(dimension_of(case, "graph"), brute_force(case, "vc"))


@claim(
    "dimension.search.vc",
    statement=r"\texttt{vc\_dimension}(H) = \max \{ |S| : |H|_S| = 2^{|S|} \}",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#search"),
    assumes={TWO_LABELS: binary},
    teeth={
        "one set extended": lambda rows: one_set_extended(rows, "vc"),
        "the logarithm of the size": lambda rows: len(rows).bit_length() - 1,
        "the Littlestone dimension": lambda rows: dimension_of(rows, "littlestone"),
    },
    breaks={
        TWO_LABELS: Counterexample(
            HEXAGON, "no point has two labels, but the graph dimension is 2", _three_labels
        )
    },
)
def vc_by_definition(
    case: Rows, search: Callable[[Rows], int] = lambda rows: dimension_of(rows, "vc")
) -> Sides:
    """The search finds the VC dimension; the right side counts the patterns at all sets."""
    return Sides(search(case), brute_force(case, "vc"))


def one_member_less(witness: Any) -> Any:
    """A pseudo-cube without its first member; another witness as it is."""
    if not isinstance(witness, PseudoCube):
        return witness
    return replace(witness, patterns=witness.patterns - {min(witness.patterns)})


def one_label_shared(witness: Any) -> Any:
    """Two patterns that agree at the last point; another witness as it is."""
    if not isinstance(witness, NatarajanCube):
        return witness
    return replace(witness, second=(*witness.second[:-1], witness.first[-1]))


def one_label_foreign(witness: Any) -> Any:
    """A pattern with a label at the last point that no hypothesis has; another as it is."""
    if not isinstance(witness, AgreementCube):
        return witness
    return replace(witness, pattern=(*witness.pattern[:-1], "foreign"))


def one_branch_twice(witness: Any) -> Any:
    """A tree whose first label leads to both branches; another witness as it is."""
    if not isinstance(witness, MistakeTree):
        return witness
    first, (_, below) = witness.branches
    return replace(witness, branches=(first, (first[0], below)))


def size_of(witness: Any) -> int:
    """How many points a witness shatters, or how deep its tree is."""
    if witness is None:
        return 0
    if isinstance(witness, MistakeTree):
        return 1 + size_of(witness.branches[0][1])
    return len(witness.points)


@claim(
    "dimension.search.witness_holds",
    statement=r"\text{the witness of each dimension } d \text{ shatters } d \text{ points of the"
    r" class, by the definition}",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#search"),
    assumes={},
    teeth={
        "a pseudo-cube without a member": one_member_less,
        "two patterns that share a label": one_label_shared,
        "agreement with a foreign label": one_label_foreign,
        "a tree with one label twice": one_branch_twice,
    },
)
def witness_holds(case: Measured, shown: Callable[[Any], Any] = lambda witness: witness) -> Sides:
    """Each dimension comes with a witness that a separate check accepts; a corrupt one fails.

    Dimension 0 needs none.
    """
    found = searched(case.rows, case.notion)
    witness = shown(found.witness)
    valid = witness is None or holds(witness, case.rows)
    return Sides((valid, size_of(witness)), (True, found.value))


@claim(
    "dimension.search.interval_below",
    statement=r"\text{lower} \le \dim(H) \quad \text{for every budget}",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#search"),
    assumes={},
    teeth={"the size under test": lambda found: found.lower + (found.lower < found.upper)},
    tight=Tight(Budgeted(CUBE_3, "ds", 7)),
)
def interval_below(
    case: Budgeted, end: Callable[[Found], int] = lambda found: found.lower
) -> Sides:
    """A search that runs out of budget claims no more than its witness shows."""
    return Sides(end(case.found), dimension_of(case.rows, case.notion))


@claim(
    "dimension.search.interval_above",
    statement=r"\text{upper} \ge \dim(H) \quad \text{for every budget}",
    relation=Relation.AT_LEAST,
    source=Source.derived(f"{PAGE}#search"),
    assumes={},
    teeth={
        "the largest found": lambda found: found.lower,
        "the size under test": lambda found: min(found.lower + 1, found.upper),
    },
    tight=Tight(Budgeted(CUBE_3, "ds", 7)),
)
def interval_above(
    case: Budgeted, end: Callable[[Found], int] = lambda found: found.upper
) -> Sides:
    """A search that runs out of budget rules out only what it may.

    So many sets of s points may still be shattered, and t points would need ``comb(t, s)`` of them.
    """
    return Sides(end(case.found), dimension_of(case.rows, case.notion))
