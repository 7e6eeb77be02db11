"""Claims about what functions of few points span, and how many hypotheses that allows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from rolltheory.claims import Counterexample, Relation, Sides, Source, Tight, Tooth, Verdict, claim
from rolltheory.dimension.claims._small_classes import CUBE_3, SQUARE_3, Rows, restricted
from rolltheory.dimension.claims._zero_sums import PAGE, Over, annihilators, parity
from rolltheory.dimension.families import ball
from rolltheory.dimension.hilbert import hilbert_function, regularity, sauer_bound

__all__ = [
    "Radius",
    "balls_attain_the_count",
    "hilbert_by_counting",
    "hypotheses_allowed",
    "parity_is_regularity",
    "regularity_at_most_parity",
    "restrictions_attain_parity",
]


@dataclass(frozen=True)
class Radius:
    """A Hamming ball, and the prime modulo which functions on it are counted."""

    points: int
    labels: int
    radius: int
    field: int


@cache
def regular(rows: Rows, field: int) -> int:
    """The regularity that the library finds."""
    return regularity(rows, field=field)


def largest_regularity(rows: Rows, field: int) -> int:
    """That of the most irregular restriction."""
    points = range(len(rows[0]))
    return max(
        regular(restricted(rows, columns), field)
        for size in range(1, len(points) + 1)
        for columns in combinations(points, size)
    )


def regularity_of_pairs(rows: Rows, field: int) -> int:
    """That of the most irregular restriction to at most two points."""
    pairs = combinations(range(len(rows[0])), min(2, len(rows[0])))
    return max(regular(restricted(rows, columns), field) for columns in pairs)


@claim(
    "dimension.spanning.regularity",
    statement=r"\mathrm{reg}_F(V) \le \mathrm{pdim}_F(V)",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#spanning"),
    assumes={},
    teeth={
        "one more": lambda rows, field: regular(rows, field) + 1,
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    tight=Tight(Over(SQUARE_3, 2)),
)
def regularity_at_most_parity(case: Over, degree: Callable[[Rows, int], int] = regular) -> Sides:
    """Functions of as many points as the parity dimension span all functions on a class.

    A function that is orthogonal to them all has a least set of points with a marginal that is not
    0, and that marginal sums to 0 on each line.
    """
    return Sides(degree(case.rows, case.field), parity(case.rows, case.field))


@claim(
    "dimension.spanning.restrictions",
    statement=r"\mathrm{pdim}_F(V) = \max_S \mathrm{reg}_F(V|_S)",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#spanning"),
    assumes={},
    teeth={"the class alone": regular, "pairs of points": regularity_of_pairs},
)
def restrictions_attain_parity(
    case: Over, degree: Callable[[Rows, int], int] = largest_regularity
) -> Sides:
    """The parity dimension is the largest regularity of a restriction."""
    return Sides(parity(case.rows, case.field), degree(case.rows, case.field))


@claim(
    "dimension.spanning.class_alone",
    statement=r"\mathrm{pdim}_F(V) = \mathrm{reg}_F(V)",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#spanning"),
    assumes={},
    repairs={"the largest of a restriction": largest_regularity},
    declared=Verdict.REFUTED,
    repaired_by="dimension.spanning.restrictions",
)
def parity_is_regularity(case: Over, degree: Callable[[Rows, int], int] = regular) -> Sides:
    """The parity dimension is the least number of points whose functions span all.

    False: on the rows 001, 010, 011 and 100 functions of one point span all, and yet two points
    carry an even pseudo-cube (T3).
    """
    return Sides(parity(case.rows, case.field), degree(case.rows, case.field))


def patterns_that_occur(rows: Rows, _: int) -> tuple[int, ...]:
    """How many patterns occur at a set of so many points, at most."""
    points = range(len(rows[0]))
    sizes = [
        max(len(restricted(rows, columns)) for columns in combinations(points, size))
        for size in range(1, len(points) + 1)
    ]
    return (1, *sizes)


@cache
def hilbert(rows: Rows, field: int) -> tuple[int, ...]:
    """What the library finds."""
    return hilbert_function(rows, field=field)


@claim(
    "dimension.spanning.hilbert",
    statement=r"|F|^{|V| - r_k} = \#\{ \varphi: V \to F : \varphi \text{ sums to } 0"
    r" \text{ over each pattern at } k \text{ points} \}",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#spanning"),
    assumes={},
    teeth={
        "patterns at one set of points": patterns_that_occur,
        "one point fewer": lambda rows, field: (1, *hilbert(rows, field)),
    },
)
def hilbert_by_counting(
    case: Over, ranks: Callable[[Rows, int], tuple[int, ...]] = hilbert
) -> Sides:
    """The Hilbert function counts functions that are orthogonal to those of few points.

    The right side tries all functions on the class.
    """
    found = ranks(case.rows, case.field)[: len(case.rows[0]) + 1]
    return Sides(
        [case.field ** (len(case.rows) - rank) for rank in found],
        [annihilators(case.rows, size, case.field) for size in range(len(found))],
    )


def label_counts(rows: Rows) -> list[int]:
    """How many labels occur at each point."""
    return [len(set(column)) for column in zip(*rows, strict=True)]


def of_two_labels(dimension: int, counts: Sequence[int]) -> int:
    """The binary bound, whatever the labels."""
    return sauer_bound(dimension, [2] * len(counts))


def of_one_less(dimension: int, counts: Sequence[int]) -> int:
    """The bound for a dimension less by one."""
    return sauer_bound(max(dimension - 1, 0), counts)


@claim(
    "dimension.spanning.sauer",
    statement=r"|V| \le \sum_{|S| \le p} \prod_{i \in S} (k_i - 1),"
    r" \quad p = \mathrm{pdim}_F(V)",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#counting"),
    assumes={},
    teeth={
        "two labels": of_two_labels,
        "one less": of_one_less,
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    tight=Tight(Over(CUBE_3, 3)),
)
def hypotheses_allowed(
    case: Over, allowed: Callable[[int, Sequence[int]], int] = sauer_bound
) -> Sides:
    """A class has no more hypotheses than functions of so few points span."""
    dimension = parity(case.rows, case.field)
    return Sides(len(case.rows), allowed(dimension, label_counts(case.rows)))


INSIDE = "the radius is less than the number of points"


@claim(
    "dimension.spanning.balls",
    statement=r"V = \{v \in [k]^n : v \text{ has at most } r \text{ labels other than } 0\},"
    r" \; r < n \implies \mathrm{pdim}_F(V) = r, \; |V| = \sum_{i \le r} \tbinom{n}{i} (k - 1)^i",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#counting"),
    assumes={INSIDE: lambda case: case.radius < case.points},
    teeth={"two labels": of_two_labels, "one less": of_one_less},
    breaks={INSIDE: Counterexample(Radius(1, 2, 2, 2), "the dimension is that of the cube, 1")},
)
def balls_attain_the_count(
    case: Radius, allowed: Callable[[int, Sequence[int]], int] = sauer_bound
) -> Sides:
    """Hamming balls have as many hypotheses as their parity dimension allows."""
    whole = ball(case.points, case.labels, case.radius)
    rows = tuple(tuple(row) for row in whole.codes.tolist())
    return Sides(
        (parity(rows, case.field), len(rows)),
        (case.radius, allowed(case.radius, [case.labels] * case.points)),
    )
