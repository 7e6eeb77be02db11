"""Claims about all classes on a grid: how many have which dimensions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product

from rolltheory.claims import Relation, Sides, Source, claim
from rolltheory.dimension.claims._small_classes import Rows, dimension_of
from rolltheory.dimension.claims._zero_sums import PAGE, parity

__all__ = ["KNOWN", "Counted", "Grid", "Numbers", "counts_by_search", "joint_counts", "numbers_of"]

Grid = tuple[int, ...]
Numbers = tuple[int, ...]
"""The Natarajan, parity, DS, graph and Littlestone dimensions."""

_KNOWN = {
    (3, 3): "00000: 9; 11111: 174; 11121: 36; 11122: 108; 12222: 6; 22222: 178",
    (2, 2, 2): "00000: 8; 11111: 92; 11112: 24; 22222: 130; 33333: 1",
    (2, 3, 3): "00000: 18; 11111: 1905; 11112: 864; 11121: 432; 11122: 5688; 12222: 192;"
    " 22222: 158204; 22223: 12708; 22232: 9576; 22233: 64104; 23333: 162; 33333: 8290",
    (
        4,
        4,
    ): "00000: 16; 11111: 2136; 11112: 72; 11121: 1584; 11122: 12336; 12222: 2376; 22222: 47015",
    (
        2,
        2,
        2,
        2,
    ): "00000: 16; 11111: 872; 11112: 1056; 22222: 30084; 22223: 17512; 33333: 15994; 44444: 1",
    (2, 2, 4): "00000: 16; 11111: 1436; 11112: 772; 11122: 2592; 22222: 46078; 22223: 6510;"
    " 22233: 6720; 33333: 1411",
    (5, 3): "00000: 15; 11111: 1688; 11112: 240; 11121: 840; 11122: 7200; 12222: 960; 22222: 21824",
    (3, 3, 3): "00000: 27; 11111: 8568; 11112: 5184; 11121: 6804; 11122: 130356; 12222: 17874;"
    " 22222: 20066250; 22223: 1742688; 22232: 14163624; 22233: 85804200; 23333: 760566;"
    " 33333: 11511586",
}

KNOWN: dict[Grid, dict[Numbers, int]] = {
    grid: {
        tuple(map(int, numbers)): int(count)
        for numbers, count in (entry.split(":") for entry in text.replace(" ", "").split(";"))
    }
    for grid, text in _KNOWN.items()
}
"""How many of the classes on each grid have which dimensions; the same modulo 2 and 3."""


@dataclass(frozen=True)
class Counted:
    """A grid, the prime of the parity dimension, and five dimensions."""

    grid: Grid
    field: int
    numbers: Numbers

    @classmethod
    def on(cls, grid: Grid, field: int) -> Iterator[Counted]:
        """One for each joint value, and one for a value that does not occur."""
        for numbers in (*KNOWN[grid], (1, 1, 2, 2, 2)):
            yield cls(grid, field, numbers)


def numbers_of(rows: Rows, field: int) -> Numbers:
    """The five dimensions that the library finds."""
    return (
        dimension_of(rows, "natarajan"),
        parity(rows, field),
        dimension_of(rows, "ds"),
        dimension_of(rows, "graph"),
        dimension_of(rows, "littlestone"),
    )


@cache
def counts_by_search(grid: Grid, field: int) -> Counter[Numbers]:
    """The library asked about each class on the grid."""
    cells = list(product(*map(range, grid)))
    subsets = range(1, 1 << len(cells))
    return Counter(
        numbers_of(tuple(cell for i, cell in enumerate(cells) if subset >> i & 1), field)
        for subset in subsets
    )


@claim(
    "dimension.counts.joint",
    statement=r"\#\{ V \subseteq [k_1] \times \dots \times [k_d] : (\mathrm{Nat}, \mathrm{pdim}_F,"
    r" \mathrm{DS}, \mathrm{G}, L)(V) = (a, b, c, g, l) \} \text{ is as tabulated}",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#enumerations"),
    assumes={},
    teeth={
        "Natarajan for parity": lambda n: (n[0], n[0], *n[2:]),
        "graph for DS": lambda n: (*n[:2], n[3], *n[3:]),
        "graph for Littlestone": lambda n: (*n[:4], n[3]),
    },
)
def joint_counts(
    case: Counted, read: Callable[[Numbers], Numbers] = lambda numbers: numbers
) -> Sides:
    """So many classes on a grid have these five dimensions, modulo 2 and modulo 3 alike.

    Of the 134,217,727 classes on three labels at three points none has a gap between DS and parity.
    """
    found = counts_by_search(case.grid, case.field)
    held = sum(count for numbers, count in found.items() if read(numbers) == case.numbers)
    return Sides(held, KNOWN[case.grid].get(case.numbers, 0))
