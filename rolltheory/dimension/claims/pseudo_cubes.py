"""Claims about pseudo-cubes: what they are closed under, and the largest one in a class."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from rolltheory.claims import Counterexample, Relation, Sides, Source, Verdict, claim
from rolltheory.dimension.claims._small_classes import (
    HEXAGON,
    Row,
    Rows,
    binary,
    dimension_of,
    distinct,
    is_even,
    lines,
    pseudo_cubes_within,
)
from rolltheory.dimension.claims.elementary import PAGE, TWO_LABELS
from rolltheory.dimension.peeling import pseudo_cube_core
from rolltheory.dimension.witnesses import Pattern, is_pseudo_cube

__all__ = [
    "Dropped",
    "Factors",
    "Two",
    "binary_pseudo_cubes",
    "core_is_the_union",
    "cores_multiply",
    "dimensions_add",
    "even_core",
    "even_difference",
    "even_union",
    "finite_paths",
    "members_of_a_pseudo_cube",
    "projection",
    "slices",
    "union",
]

Patterns = frozenset[Pattern]


@dataclass(frozen=True)
class Dropped:
    """A pseudo-cube, and a point to drop."""

    rows: Rows
    column: int


@dataclass(frozen=True)
class Two:
    """Two sets of patterns at the same points."""

    first: frozenset[Row]
    second: frozenset[Row]


@dataclass(frozen=True)
class Factors:
    """Two classes on different points."""

    first: Rows
    second: Rows

    @property
    def product(self) -> Rows:
        """All pairs of hypotheses, one of each."""
        return tuple(a + b for a, b in product(self.first, self.second))


def without(row: Pattern, column: int) -> Pattern:
    """The pattern at the other points."""
    return row[:column] + row[column + 1 :]


def projected(case: Dropped) -> set[Pattern]:
    """The patterns at the other points."""
    return {without(row, case.column) for row in case.rows}


def projected_from_one(case: Dropped) -> set[Pattern]:
    """Those that come from a single member."""
    shorter = [without(row, case.column) for row in case.rows]
    return {row for row in shorter if shorter.count(row) == 1}


def sliced(case: Dropped) -> list[set[Pattern]]:
    """For each label at the point, the patterns at the others that go with it."""
    labels = {row[case.column] for row in case.rows}
    return [
        {without(row, case.column) for row in case.rows if row[case.column] == label}
        for label in labels
    ]


def sliced_at_full_length(case: Dropped) -> list[set[Pattern]]:
    """For each label at the point, the members that have it."""
    labels = {row[case.column] for row in case.rows}
    return [{row for row in case.rows if row[case.column] == label} for label in labels]


@claim(
    "dimension.pseudo_cubes.projection",
    statement=r"B \text{ a pseudo-cube} \implies B|_{S \setminus x} \text{ a pseudo-cube}",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#monotone"),
    assumes={},
    teeth={"only what comes from one member": projected_from_one},
)
def projection(case: Dropped, shorter: Callable[[Dropped], set[Pattern]] = projected) -> Sides:
    """A pseudo-cube without one of its points is a pseudo-cube.

    So all parts of a shattered set are shattered, and a search may drop what has one that is not.
    """
    return Sides(is_pseudo_cube(shorter(case)), True)


@claim(
    "dimension.pseudo_cubes.slices",
    statement=r"B \text{ a pseudo-cube} \implies \{b_{-x} : b \in B, b_x = y\}"
    r" \text{ a pseudo-cube}, \quad \text{for at least two labels } y",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#monotone"),
    assumes={},
    teeth={
        "the point kept": sliced_at_full_length,
        "the members without a label": lambda case: [projected_from_one(case)],
    },
)
def slices(case: Dropped, cut: Callable[[Dropped], list[set[Pattern]]] = sliced) -> Sides:
    """The members with one label at a point are a pseudo-cube at the others; two labels occur."""
    found = cut(case)
    return Sides((all(map(is_pseudo_cube, found)), len(found) > 1), (True, True))


@claim(
    "dimension.pseudo_cubes.size",
    statement=r"B \subseteq Y^d \text{ a pseudo-cube} \implies |B| \ge 2^d",
    relation=Relation.IMPLIES,
    source=Source.derived(f"{PAGE}#size"),
    assumes={},
    teeth={
        "one more": lambda points: 2**points + 1,
        "a vertex for each label": lambda points: 3 * points,
    },
)
def members_of_a_pseudo_cube(
    case: Rows, least: Callable[[int], int] = lambda points: 2**points
) -> Sides:
    """A pseudo-cube has at least as many members as the cube."""
    return Sides(is_pseudo_cube(case), len(case) >= least(len(case[0])))


@claim(
    "dimension.pseudo_cubes.binary",
    statement=r"B \subseteq \{0, 1\}^d \text{ is a pseudo-cube} \iff |B| = 2^d",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#binary-labels"),
    assumes={TWO_LABELS: binary},
    teeth={
        "four members": lambda rows: len(rows) >= 4,
        "an even number on each line": lambda rows: len(rows) % 2 == 0,
    },
    breaks={TWO_LABELS: Counterexample(HEXAGON, "six members at two points")},
)
def binary_pseudo_cubes(
    case: Rows, rule: Callable[[Rows], bool] = lambda rows: len(rows) == 2 ** len(rows[0])
) -> Sides:
    """With two labels the full cube is the only pseudo-cube."""
    return Sides(is_pseudo_cube(case), rule(case))


@claim(
    "dimension.pseudo_cubes.union",
    statement=r"B, B' \text{ pseudo-cubes} \implies B \cup B' \text{ a pseudo-cube}",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#core"),
    assumes={},
    teeth={
        "intersection": lambda a, b: a & b,
        "symmetric difference": lambda a, b: a ^ b,
    },
)
def union(
    case: Two, joined: Callable[[Patterns, Patterns], Patterns] = lambda a, b: a | b
) -> Sides:
    """Unions of pseudo-cubes are pseudo-cubes, so each class has a largest one."""
    return Sides(is_pseudo_cube(joined(case.first, case.second)), True)


@claim(
    "dimension.pseudo_cubes.even_union",
    statement=r"B, B' \text{ even} \implies B \cup B' \text{ even}",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#core"),
    assumes={},
    repairs={"symmetric difference": lambda a, b: a ^ b},
    declared=Verdict.REFUTED,
    repaired_by="dimension.pseudo_cubes.even_difference",
)
def even_union(
    case: Two, joined: Callable[[Patterns, Patterns], Patterns] = lambda a, b: a | b
) -> Sides:
    """Unions of even pseudo-cubes are even, as unions of pseudo-cubes are pseudo-cubes.

    False: two squares that share a row of three by three (T7). Symmetric differences are even.
    """
    found = joined(case.first, case.second)
    return Sides(all(len(line) % 2 == 0 for line in lines(found)), True)


@claim(
    "dimension.pseudo_cubes.even_difference",
    statement=r"B, B' \text{ even} \implies B \mathbin{\triangle} B' \text{ even or empty}",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#core"),
    assumes={},
    teeth={"union": lambda a, b: a | b, "intersection": lambda a, b: a & b},
)
def even_difference(
    case: Two, joined: Callable[[Patterns, Patterns], Patterns] = lambda a, b: a ^ b
) -> Sides:
    """Even pseudo-cubes and the empty set are a vector space over two elements."""
    found = joined(case.first, case.second)
    return Sides(not found or is_even(found), True)


@lru_cache(maxsize=4_000)
def core_patterns(rows: Rows) -> Patterns:
    """What the library finds, without its points; empty if there is none."""
    core = pseudo_cube_core(rows)
    return core.patterns if core else frozenset()


def swept_once(rows: Rows) -> Patterns:
    """The rows that are alone on no line, without another look at what is left."""
    alone = {row for line in lines(rows) if len(line) == 1 for row in line}
    return frozenset(rows) - alone


def alone_everywhere_only(rows: Rows) -> Patterns:
    """What is left if a row goes only when it is alone on all of its lines."""
    with_others = {row for line in lines(rows) if len(line) > 1 for row in line}
    return frozenset(with_others)


def smallest_pseudo_cube(rows: Rows) -> Patterns:
    """A pseudo-cube of the fewest members."""
    return min(pseudo_cubes_within(rows), key=len, default=frozenset())


@claim(
    "dimension.pseudo_cubes.core",
    statement=r"\mathrm{core}(V) = \bigcup \{ B \subseteq V : B \text{ a pseudo-cube} \}",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#core"),
    assumes={},
    teeth={
        "one sweep": swept_once,
        "alone on all of its lines": alone_everywhere_only,
        "the smallest": smallest_pseudo_cube,
    },
)
def core_is_the_union(case: Rows, peeled: Callable[[Rows], Patterns] = core_patterns) -> Sides:
    """Taking away rows that are alone on a line leaves the union of all pseudo-cubes.

    The right side tries all subsets.
    """
    return Sides(peeled(case), frozenset[Pattern]().union(*pseudo_cubes_within(case)))


@claim(
    "dimension.pseudo_cubes.even_core",
    statement=r"V \text{ holds an even pseudo-cube} \implies \mathrm{core}(V) \text{ is even}",
    relation=Relation.IMPLIES,
    source=Source.derived(f"{PAGE}#core"),
    assumes={},
    repairs={"no line with one": lambda size: size != 1},
    declared=Verdict.REFUTED,
    repaired_by="dimension.pseudo_cubes.core",
)
def even_core(case: Rows, on_a_line: Callable[[int], bool] = lambda size: size % 2 == 0) -> Sides:
    """The largest pseudo-cube is even wherever there is an even one.

    False: three by three labels are their own core, with lines of three, and hold squares (T7). An
    even pseudo-cube is to be sought in the kernel, not read off the core.
    """
    sizes = map(len, lines(core_patterns(case)))
    return Sides(any(map(is_even, pseudo_cubes_within(case))), all(map(on_a_line, sizes)))


def all_pairs(first: Iterable[Pattern], second: Iterable[Pattern]) -> Patterns:
    """A member of each, joined."""
    return frozenset(a + b for a, b in product(first, second))


@claim(
    "dimension.pseudo_cubes.product_core",
    statement=r"\mathrm{core}(V_1 \times V_2) = \mathrm{core}(V_1) \times \mathrm{core}(V_2)",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#products"),
    assumes={},
    teeth={
        "only one factor peeled": lambda case: all_pairs(case.first, core_patterns(case.second)),
        "the product of what one sweep leaves": lambda case: all_pairs(
            swept_once(case.first), swept_once(case.second)
        ),
    },
)
def cores_multiply(
    case: Factors,
    of_factors: Callable[[Factors], Patterns] = lambda case: all_pairs(
        core_patterns(case.first), core_patterns(case.second)
    ),
) -> Sides:
    """The core of a product on separate points is the product of the cores."""
    return Sides(core_patterns(case.product), of_factors(case))


@claim(
    "dimension.pseudo_cubes.products_add",
    statement=r"\mathrm{DS}(V_1 \times V_2) = \mathrm{DS}(V_1) + \mathrm{DS}(V_2)",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#products"),
    assumes={},
    teeth={
        "the larger": max,
        "times": lambda first, second: first * second,
        "one less": lambda first, second: max(first + second - 1, 0),
    },
)
def dimensions_add(
    case: Factors, total: Callable[[int, int], int] = lambda first, second: first + second
) -> Sides:
    """The dimensions of two classes on separate points add up, if hypotheses combine freely."""
    first, second = dimension_of(case.first, "ds"), dimension_of(case.second, "ds")
    return Sides(dimension_of(case.product, "ds"), total(first, second))


def path(length: int) -> Rows:
    """The pairs (i, i) and (i, i + 1)."""
    return distinct((i, i + step) for i in range(length) for step in (0, 1))


def closed_path(length: int) -> Rows:
    """The same, the last one joined to the first."""
    return distinct((i, (i + step) % length) for i in range(length) for step in (0, 1))


@claim(
    "dimension.pseudo_cubes.finite_path",
    statement=r"\mathrm{DS}\big( \{(i, i), (i, i + 1) : 0 \le i < N\} \big) = 1",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#core"),
    assumes={},
    teeth={"joined at its ends": closed_path},
)
def finite_paths(case: int, rows: Callable[[int], Rows] = path) -> Sides:
    """A finite piece of a path shatters no two points, however long.

    Over all integers no line would hold exactly one member: pseudo-cubes are finite by definition
    (T9).
    """
    return Sides(dimension_of(rows(case), "ds"), 1)
