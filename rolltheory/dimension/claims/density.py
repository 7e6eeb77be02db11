"""Claims about what bounds the density of the one-inclusion hypergraph."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

from rolltheory.claims import Relation, Sides, Source, Tight, Tooth, Verdict, claim
from rolltheory.dimension.claims._small_classes import Rows, dimension_of
from rolltheory.dimension.claims.elementary import PAGE
from rolltheory.dimension.classes import HypothesisClass, restrict
from rolltheory.dimension.density import excess, max_density, mean_degree
from rolltheory.dimension.families import ball, grid, star
from rolltheory.dimension.hilbert import hilbert_function, regularity
from rolltheory.dimension.parity import parity_dimension

__all__ = [
    "Ball",
    "Modulo",
    "ball_has_its_mean_radius",
    "coded",
    "density_is_below_ds",
    "density_is_below_parity",
    "density_is_below_regularity",
    "excess_is_spanned",
    "largest_density",
    "mean_degree_is_below_ds",
    "mean_degree_is_below_twice_the_density",
    "points_increase_the_density",
]


@dataclass(frozen=True)
class Modulo:
    """A class, and the prime modulo which functions on it are counted."""

    rows: Rows
    field: int = 2


def coded(hypotheses: HypothesisClass) -> Rows:
    """The class with its codes for labels."""
    return tuple(map(tuple, hypotheses.codes.tolist()))


def rank_deficits(case: Modulo) -> list[int]:
    """How many functions on the class the functions of k points do not reach, from k = 0 on."""
    ranks = hilbert_function(case.rows, field=case.field)
    return [len(case.rows) - rank for rank in ranks]


def sum_of_deficits(case: Modulo) -> int:
    """All of them."""
    return sum(rank_deficits(case))


@claim(
    "dimension.density.spanning",
    statement=r"\sum_e (|e| - 1) \le \sum_{k \ge 0} (|V| - r_k)",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#density"),
    assumes={},
    teeth={
        "from k = 1 on": lambda case: sum(rank_deficits(case)[1:]),
        "nine tenths": lambda case: Fraction(9, 10) * sum_of_deficits(case),
        "the first only": lambda case: rank_deficits(case)[0],
        "the other direction": Tooth(relation=Relation.AT_LEAST),
    },
    tight=Tight(Modulo(coded(grid(2, 3)))),
)
def excess_is_spanned(
    case: Modulo, bound: Callable[[Modulo], int | Fraction] = sum_of_deficits
) -> Sides:
    """The excess of a class is at most what functions of few points leave unspanned, summed.

    Attained by grids and Hamming balls.
    """
    return Sides(excess(case.rows), bound(case))


def regularity_of(case: Modulo) -> int:
    """The least degree that spans all functions on the class."""
    return regularity(case.rows, field=case.field)


@claim(
    "dimension.density.regularity",
    statement=r"\mathrm{dens}(V) \le \Bigl(1 - \frac{1}{|V|}\Bigr)\, \mathrm{reg}_F(V)",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#density"),
    assumes={},
    teeth={
        "nine tenths": lambda case: Fraction(9, 10) * regularity_of(case),
        "one less": lambda case: regularity_of(case) - 1,
        "half of the points": lambda case: Fraction(len(case.rows[0]), 2),
    },
    tight=Tight(Modulo(coded(star(5)))),
)
def density_is_below_regularity(
    case: Modulo, degree: Callable[[Modulo], int | Fraction] = regularity_of
) -> Sides:
    """The density is below the degree of the functions that span all others; strictly, if not 0."""
    bound = (1 - Fraction(1, len(case.rows))) * degree(case)
    return Sides(max_density(case.rows).value, bound)


def point_sets(rows: Rows) -> Iterator[tuple[int, ...]]:
    """All sets of points but the empty one."""
    for size in range(1, len(rows[0]) + 1):
        yield from combinations(range(len(rows[0])), size)


@cache
def largest_density(rows: Rows) -> Fraction:
    """The density over all sets of points."""
    return max(max_density(restrict(rows, points)).value for points in point_sets(rows))


def parity_of(case: Modulo) -> int:
    """The parity dimension."""
    return parity_dimension(case.rows, field=case.field).value


@claim(
    "dimension.density.parity",
    statement=r"\max_S \mathrm{dens}(H|_S) \le \Bigl(1 - \frac{1}{|H|}\Bigr)\, \mathrm{pdim}_F(H)",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#density"),
    assumes={},
    teeth={
        "regularity of the class": regularity_of,
        "Natarajan dimension": lambda case: dimension_of(case.rows, "natarajan"),
        "nine tenths": lambda case: Fraction(9, 10) * parity_of(case),
    },
    tight=Tight(Modulo(coded(star(5)))),
)
def density_is_below_parity(
    case: Modulo, dimension: Callable[[Modulo], int | Fraction] = parity_of
) -> Sides:
    """The density at any points is below the parity dimension over every field.

    Neither the regularity of the class, which an identifying point makes 1, nor the Natarajan
    dimension, 1 for the hexagon, can replace it.
    """
    bound = (1 - Fraction(1, len(case.rows))) * dimension(case)
    return Sides(largest_density(case.rows), bound)


def ds_of(rows: Rows) -> int:
    """The DS dimension."""
    return dimension_of(rows, "ds")


@claim(
    "dimension.density.ds",
    statement=r"\max_S \mathrm{dens}(H|_S) \le \mathrm{DS}(H)",
    relation=Relation.AT_MOST,
    source=Source.paper("2604.24749", "abstract"),
    assumes={},
    teeth={
        "half": lambda rows: Fraction(ds_of(rows), 2),
        "one less": lambda rows: ds_of(rows) - 1,
        "logarithm of the hypotheses, halved": lambda rows: Fraction(len(rows).bit_length() - 1, 2),
    },
    tight=Tight(coded(ball(6, 4, 1)), at_least=Fraction(18, 19)),
)
def density_is_below_ds(rows: Rows, dimension: Callable[[Rows], int | Fraction] = ds_of) -> Sides:
    """The density at any points is at most the DS dimension."""
    return Sides(largest_density(rows), dimension(rows))


@claim(
    "dimension.density.mean_degree",
    statement=r"\frac{1}{|V|} \sum_e |e| \le 2\, \mathrm{dens}(V)",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#density"),
    assumes={},
    teeth={
        "without the factor": lambda rows: max_density(rows).value,
        "nineteen tenths": lambda rows: Fraction(19, 10) * max_density(rows).value,
    },
    tight=Tight(coded(grid(2, 2))),
)
def mean_degree_is_below_twice_the_density(
    rows: Rows,
    bound: Callable[[Rows], Fraction] = lambda rows: 2 * max_density(rows).value,
) -> Sides:
    """The mean degree, members of lines per hypothesis, is at most twice the density."""
    return Sides(mean_degree(rows), bound(rows))


@claim(
    "dimension.density.mean_degree_below_ds",
    statement=r"\frac{1}{|V|} \sum_e |e| \le \mathrm{DS}(V)",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#not-true"),
    assumes={},
    repairs={
        "half of it": lambda rows: mean_degree(rows) / 2,
        "members less one": lambda rows: Fraction(excess(rows), len(rows)),
    },
    declared=Verdict.REFUTED,
    repaired_by="dimension.density.ds",
)
def mean_degree_is_below_ds(
    rows: Rows, degree: Callable[[Rows], Fraction] = lambda rows: mean_degree(rows)
) -> Sides:
    """The mean degree of the hypergraph is at most the DS dimension.

    False: a star with two leaves has DS dimension 1 and mean degree 4/3. Two conventions of
    density are in use; the bound is one of members less one.
    """
    return Sides(degree(rows), ds_of(rows))


@claim(
    "dimension.density.more_points",
    statement=r"\mathrm{dens}(V|_S) \le \mathrm{dens}(V)",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#not-true"),
    assumes={},
    repairs={"over all sets of points": largest_density},
    declared=Verdict.REFUTED,
    repaired_by="dimension.density.parity",
)
def points_increase_the_density(
    rows: Rows,
    bound: Callable[[Rows], Fraction] = lambda rows: max_density(rows).value,
) -> Sides:
    """More points make a class denser, as more points make every dimension larger.

    False: a point that names the hypothesis leaves no line with two members. The left side is the
    density without the last point. The density of a class is a largest one over sets of points.
    """
    fewer = restrict(rows, range(max(1, len(rows[0]) - 1)))
    return Sides(max_density(fewer).value, bound(rows))


@dataclass(frozen=True)
class Ball:
    """Functions from n points to k labels with at most r that are not 0."""

    points: int
    labels: int
    radius: int


def mean_radius(case: Ball) -> Fraction:
    """The mean number of labels that are not 0."""
    n, k, r = case.points, case.labels, case.radius
    shells = [comb(n, i) * (k - 1) ** i for i in range(r + 1)]
    return Fraction(sum(i * shell for i, shell in enumerate(shells)), sum(shells))


@claim(
    "dimension.density.balls",
    statement=r"\mathrm{dens}(B_r) = \frac{\sum_{i \le r} i \binom{n}{i} (k - 1)^i}"
    r"{\sum_{i \le r} \binom{n}{i} (k - 1)^i}",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#density"),
    assumes={},
    teeth={
        "the radius": lambda case: Fraction(case.radius),
        "without the labels": lambda case: mean_radius(Ball(case.points, 2, case.radius)),
        "the outermost shell": lambda case: Fraction(
            case.radius * comb(case.points, case.radius) * (case.labels - 1) ** case.radius,
            len(ball(case.points, case.labels, case.radius)) + 1,
        ),
    },
)
def ball_has_its_mean_radius(
    case: Ball, density: Callable[[Ball], Fraction] = mean_radius
) -> Sides:
    """The density of a Hamming ball is its mean radius; of a grid, d (k - 1) / k."""
    hypotheses = ball(case.points, case.labels, case.radius)
    return Sides(max_density(hypotheses).value, density(case))
