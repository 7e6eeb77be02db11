"""Claims about the named classes of labels: their dimensions and densities."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb
from typing import Any, NamedTuple

from rolltheory.claims import Relation, Sides, Source, claim
from rolltheory.dimension.claims._rolled import dimension_of
from rolltheory.dimension.claims.elementary import PAGE
from rolltheory.dimension.classes import HypothesisClass, restrict
from rolltheory.dimension.density import max_density
from rolltheory.dimension.families import (
    all_field_gap,
    ball,
    field_two_gap,
    grid,
    hexagon,
    path,
    projective_plane,
    regularity_trap,
    reveal,
    star,
)

__all__ = [
    "ANCHOR",
    "CLASSES",
    "Entry",
    "Numbers",
    "Shown",
    "all_alike",
    "classes_have_their_densities",
    "classes_have_their_dimensions",
    "instead",
    "with_rest",
]

ANCHOR = f"{PAGE}#worked-examples"

Numbers = Mapping[str, int]


def all_alike(dimension: int) -> Numbers:
    """One number for every notion but the graph and Littlestone dimensions."""
    return dict.fromkeys(("natarajan", "parity 2", "parity 3", "ds"), dimension)


def with_rest(numbers: Numbers, graph: int, littlestone: int) -> Numbers:
    """Graph and Littlestone dimensions besides."""
    return {**numbers, "graph": graph, "littlestone": littlestone}


def ball_density(points: int, labels: int, radius: int) -> Fraction:
    """The mean number of labels that are not 0."""
    sizes = [comb(points, i) * (labels - 1) ** i for i in range(radius + 1)]
    return Fraction(sum(i * size for i, size in enumerate(sizes)), sum(sizes))


class Shown(NamedTuple):
    """How a class is made from its sizes, and what is said of its dimensions and density."""

    build: Callable[..., HypothesisClass]
    dimensions: Callable[..., Numbers]
    density: Callable[..., Fraction]


def _fixed(build: Callable[[], HypothesisClass], numbers: Numbers, density: Fraction) -> Shown:
    return Shown(build, lambda: numbers, lambda: density)


CLASSES: Mapping[str, Shown] = {
    "grid": Shown(
        grid,
        lambda d, _k: with_rest(all_alike(d), d, d),
        lambda d, k: Fraction(d * (k - 1), k),
    ),
    "ball": Shown(ball, lambda _n, _k, r: {**all_alike(r), "graph": r}, ball_density),
    "star": Shown(star, lambda _n: with_rest(all_alike(1), 1, 1), lambda n: Fraction(n, n + 1)),
    "path": Shown(path, lambda _n: all_alike(1), lambda n: Fraction(2 * n - 1, 2 * n)),
    "reveal": Shown(reveal, lambda n: with_rest(all_alike(1), n, 1), lambda n: Fraction(n, n + 1)),
    "hexagon": _fixed(hexagon, with_rest({**all_alike(2), "natarajan": 1}, 2, 2), Fraction(1)),
    "regularity trap": _fixed(regularity_trap, {**all_alike(2), "graph": 2}, Fraction(2, 3)),
    "projective plane": _fixed(
        projective_plane,
        with_rest({"natarajan": 2, "parity 2": 3, "parity 3": 2, "ds": 3}, 3, 3),
        Fraction(3, 2),
    ),
    "field-two gap": _fixed(
        field_two_gap,
        with_rest({"natarajan": 2, "parity 2": 2, "parity 3": 3, "parity 5": 2, "ds": 3}, 3, 3),
        Fraction(13, 8),
    ),
    "all-field gap": _fixed(
        all_field_gap,
        with_rest({**all_alike(2), "parity 5": 2, "ds": 3}, 3, 3),
        Fraction(19, 12),
    ),
}
"""The named classes of labels."""


@dataclass(frozen=True)
class Entry:
    """A named class of those sizes, with its points turned round so many places."""

    name: str
    sizes: tuple[int, ...] = ()
    turned: int = 0

    def hypotheses(self) -> HypothesisClass:
        """The class."""
        whole = CLASSES[self.name].build(*self.sizes)
        turn = self.turned % len(whole.points)
        return restrict(whole, whole.points[turn:] + whole.points[:turn])


@cache
def _hypotheses(case: Entry) -> HypothesisClass:
    return case.hypotheses()


@cache
def _found(case: Entry, notion: str) -> int:
    return dimension_of(_hypotheses(case), notion)


def said_of_classes(name: str, sizes: tuple[int, ...]) -> Numbers:
    """What is said of the dimensions."""
    return CLASSES[name].dimensions(*sizes)


def instead(said: Callable[..., Numbers], **swapped: str) -> Callable[..., Numbers]:
    """What is said, with some notions' numbers taken for those of others."""

    def other(*case: Any) -> Numbers:
        numbers = said(*case)
        taken = {key.replace("_", " "): numbers[of] for key, of in swapped.items() if of in numbers}
        return {**numbers, **taken}

    return other


@claim(
    "dimension.families.classes",
    statement=r"(\mathrm{Nat}, \mathrm{pdim}_2, \mathrm{pdim}_3, \mathrm{DS}, \mathrm{G}, L)"
    r" \text{ of grids, balls, stars, paths, reveal, the hexagon, the regularity trap, RP2, U24"
    r" and B24 is as in the table}",
    relation=Relation.EQUAL,
    source=Source.derived(ANCHOR),
    assumes={},
    teeth={
        "Natarajan is parity": instead(said_of_classes, natarajan="parity 2"),
        "one field is all fields": instead(said_of_classes, parity_3="parity 2"),
        "parity is DS": instead(said_of_classes, parity_2="ds"),
        "graph is DS": instead(said_of_classes, graph="ds"),
    },
)
def classes_have_their_dimensions(
    case: Entry, said: Callable[..., Numbers] = said_of_classes
) -> Sides:
    """The named classes tell the dimensions apart, and every number in the table is right.

    The hexagon parts Natarajan from parity, RP2 and U24 one field from another, U24 and B24 parity
    from DS, and reveal the graph dimension from all (traps T4 and T14).
    """
    numbers = said(case.name, case.sizes)
    return Sides({notion: _found(case, notion) for notion in numbers}, numbers)


@claim(
    "dimension.families.densities",
    statement=r"\mathrm{dens} = \tfrac{d (k - 1)}{k} \text{ for grids, } \tfrac{n}{n + 1}"
    r" \text{ for stars and reveal, } \tfrac{2n - 1}{2n} \text{ for paths; } 1, \tfrac23, \tfrac32,"
    r" \tfrac{13}8, \tfrac{19}{12} \text{ for the hexagon, the regularity trap, RP2, U24, B24}",
    relation=Relation.EQUAL,
    source=Source.derived(ANCHOR),
    assumes={},
    teeth={
        "the dimension": lambda name, sizes: said_of_classes(name, sizes)["parity 2"],
        "10 % smaller": lambda name, sizes: Fraction(9, 10) * CLASSES[name].density(*sizes),
    },
)
def classes_have_their_densities(
    case: Entry,
    said: Callable[..., Fraction] = lambda name, sizes: CLASSES[name].density(*sizes),
) -> Sides:
    """The densities in the table are those of the flow.

    A ball has the mean number of labels that are not 0.
    """
    return Sides(max_density(_hypotheses(case)).value, said(case.name, case.sizes))
