"""Claims that densities and orientations are what trying everything finds."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction
from functools import cache
from itertools import product
from math import ceil, floor
from typing import TypeAlias

from rolltheory.claims import Relation, Sides, Source, claim
from rolltheory.dimension.claims._small_classes import Rows, lines
from rolltheory.dimension.claims.elementary import PAGE
from rolltheory.dimension.density import (
    Line,
    Orientation,
    attains,
    excess,
    fractional_orientation,
    is_orientation,
    max_density,
    mean_degree,
    orientation,
)

__all__ = [
    "density_is_that_of_the_best_part",
    "heads_attain_the_density_rounded_up",
    "shared_heads_attain_the_density",
]


def shared_lines(rows: Rows) -> list[list[int]]:
    """The numbers of the rows on each line with two or more."""
    held = (sorted(rows.index(row) for row in line) for line in lines(rows))
    return [line for line in held if len(line) > 1]


@cache
def best_part(rows: Rows) -> Fraction:
    """The density by its definition: the largest excess per hypothesis of all parts."""
    every = [sum(1 << v for v in line) for line in shared_lines(rows)]
    return max(
        Fraction(sum(max((line & part).bit_count() - 1, 0) for line in every), part.bit_count())
        for part in range(1, 1 << len(rows))
    )


def found_density(rows: Rows) -> Fraction:
    """What the library's flows find, if the part that they name attains it."""
    found = max_density(rows)
    return found.value if attains(found, rows) else Fraction(-1)


@claim(
    "dimension.density.best_part",
    statement=r"\mathrm{dens}(V) = \max_{\emptyset \ne U \subseteq V}"
    r" \frac{1}{|U|} \sum_e (|e \cap U| - 1)_+",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#density"),
    assumes={},
    teeth={
        "of the whole class only": lambda rows: Fraction(excess(rows), len(rows)),
        "lines, not members": lambda rows: Fraction(len(shared_lines(rows)), len(rows)),
        "mean degree": lambda rows: mean_degree(rows),
    },
)
def density_is_that_of_the_best_part(
    rows: Rows, density: Callable[[Rows], Fraction] = found_density
) -> Sides:
    """The density found by minimum cuts is that of the best of all parts, tried one by one."""
    return Sides(density(rows), best_part(rows))


@cache
def least_of_all_heads(rows: Rows) -> int:
    """The least largest out-degree, over every choice of a head for each line."""
    members = shared_lines(rows)

    def largest(heads: tuple[int, ...]) -> int:
        missed = [0] * len(rows)
        for line, head in zip(members, heads, strict=True):
            for v in line:
                missed[v] += v != head
        return max(missed)

    return min(map(largest, product(*members)))


def least_oriented(rows: Rows) -> int:
    """The least out-degree at which the library finds heads, if these are what they should be."""
    degree = 0
    while (found := orientation(rows, degree)) is None:
        degree += 1
    return degree if is_orientation(found, rows) else -1


@claim(
    "dimension.orientation.out_degree",
    statement=r"\min_{\text{heads}} \max_v \#\{e \ni v : v \ne \mathrm{head}(e)\}"
    r" = \lceil \mathrm{dens}(V) \rceil",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#orientation"),
    assumes={},
    teeth={
        "rounded down": floor,
        "one more": lambda density: floor(density) + 1,
        "twice, rounded down": lambda density: floor(2 * density),
    },
)
def heads_attain_the_density_rounded_up(
    rows: Rows, rounded: Callable[[Fraction], int] = ceil
) -> Sides:
    """Heads for all lines miss no hypothesis more often than the density, rounded up.

    The left side tries every choice of heads, and asks the library for the least out-degree.
    """
    wanted = rounded(best_part(rows))
    return Sides((least_of_all_heads(rows), least_oriented(rows)), (wanted, wanted))


Heads: TypeAlias = Callable[[Rows], "Orientation | None"]


def shared_heads(rows: Rows) -> Orientation | None:
    """The library's, at the density."""
    return fractional_orientation(rows, max_density(rows).value)


def whole_heads(rows: Rows) -> Orientation | None:
    """Heads that are not shared."""
    return orientation(rows, ceil(max_density(rows).value))


def equal_shares(rows: Rows) -> Orientation | None:
    """Every member of a line the same share."""
    labels: dict[Line, list[Hashable]] = {}
    for row in rows:
        for i in range(len(row)):
            labels.setdefault((i, row[:i] + row[i + 1 :]), []).append(row[i])
    shares: dict[Line, dict[Hashable, Fraction]] = {
        line: dict.fromkeys(members, Fraction(1, len(members)))
        for line, members in labels.items()
        if len(members) > 1
    }
    return Orientation(shares, Fraction(len(rows[0])))


def most_missed(rows: Rows, found: Orientation | None) -> Fraction:
    """The most that a hypothesis misses, if these are heads."""
    if found is None or not is_orientation(found, rows):
        return Fraction(-1)
    missed = []
    for row in rows:
        through = [found.shares.get((i, row[:i] + row[i + 1 :])) for i in range(len(row))]
        shares = [
            labels.get(label, Fraction(0))
            for labels, label in zip(through, row, strict=True)
            if labels is not None
        ]
        missed.append(len(shares) - sum(shares, Fraction(0)))
    return max(missed)


@claim(
    "dimension.orientation.shared",
    statement=r"\min_{\text{shares}} \max_v \sum_{e \ni v} (1 - \mathrm{share}_e(v))"
    r" = \mathrm{dens}(V)",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#orientation"),
    assumes={},
    teeth={
        "whole heads": whole_heads,
        "equal shares": equal_shares,
        "an out-degree below the density": lambda rows: fractional_orientation(
            rows, max_density(rows).value * Fraction(9, 10)
        ),
    },
)
def shared_heads_attain_the_density(rows: Rows, heads: Heads = shared_heads) -> Sides:
    """Shared heads miss no hypothesis by more than the density, and none can miss less.

    The right side is the best of all parts: its lines miss that much on average, however shared.
    """
    return Sides(most_missed(rows, heads(rows)), best_part(rows))
