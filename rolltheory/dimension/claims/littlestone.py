"""Claims about the Littlestone dimension."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

from rolltheory.claims import Relation, Sides, Source, Tight, Tooth, claim
from rolltheory.dimension.claims._small_classes import (
    CUBE_3,
    Rows,
    brute_force,
    dimension_of,
)
from rolltheory.dimension.claims.elementary import PAGE

__all__ = [
    "littlestone_at_most_points",
    "littlestone_by_definition",
    "mistakes_are_forced_and_no_more",
    "thresholds",
]


def halved(rows: Rows, part: int) -> int:
    """The recursion with the part of that rank by depth, in place of the second."""
    deepest = 0
    for j in range(len(rows[0])):
        labels = {row[j] for row in rows}
        if len(labels) > 1:
            below = [halved(tuple(r for r in rows if r[j] == y), part) for y in labels]
            deepest = max(deepest, 1 + sorted(below)[part])
    return deepest


@claim(
    "dimension.littlestone.recursion",
    statement=r"L(H) = \max_x \max_{y \ne y'} 1 + \min(L(H_{x \to y}), L(H_{x \to y'})), \quad"
    r" L(\{h\}) = 0",
    relation=Relation.EQUAL,
    source=Source.known("Littlestone dimension for several labels"),
    assumes={},
    teeth={
        "the deeper branch": lambda rows: halved(rows, -1),
        "the shallowest branch": lambda rows: halved(rows, 0),
        "the logarithm of the size": lambda rows: len(rows).bit_length() - 1,
        "the DS dimension": lambda rows: dimension_of(rows, "ds"),
    },
)
def littlestone_by_definition(
    case: Rows, search: Callable[[Rows], int] = lambda rows: dimension_of(rows, "littlestone")
) -> Sides:
    """Asking for one depth after another finds what the recursion says."""
    return Sides(search(case), brute_force(case, "littlestone"))


def parts(rows: Rows, column: int) -> Iterator[tuple[int, Rows]]:
    """For each label at a point, the hypotheses that have it."""
    for label in sorted({row[column] for row in rows}):
        yield label, tuple(row for row in rows if row[column] == label)


@cache
def mistakes_of_the_best_learner(rows: Rows) -> int:
    """The value of the game: a point is shown, a label predicted, and the true one told."""
    return max(
        min(
            max(
                (label != guess) + (mistakes_of_the_best_learner(rest) if rest != rows else 0)
                for label, rest in parts(rows, column)
            )
            for guess, _ in parts(rows, column)
        )
        for column in range(len(rows[0]))
    )


@claim(
    "dimension.littlestone.game",
    statement=r"L(H) = \text{the mistakes of the best learner against the worst function of } H",
    relation=Relation.EQUAL,
    source=Source.known("Littlestone's standard optimal algorithm"),
    assumes={},
    teeth={
        "the logarithm of the size": lambda rows: len(rows).bit_length() - 1,
        "one mistake more": lambda rows: mistakes_of_the_best_learner(rows) + 1,
        "as many mistakes as hypotheses, less one": lambda rows: len(rows) - 1,
    },
)
def mistakes_are_forced_and_no_more(
    case: Rows, game: Callable[[Rows], int] = mistakes_of_the_best_learner
) -> Sides:
    """A learner can be forced into as many mistakes as the dimension, and need make no more."""
    return Sides(dimension_of(case, "littlestone"), game(case))


@claim(
    "dimension.littlestone.points",
    statement=r"L(H) \le |X|",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#chain"),
    assumes={},
    teeth={
        "the graph dimension": lambda rows: dimension_of(rows, "graph"),
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    tight=Tight(CUBE_3),
)
def littlestone_at_most_points(
    case: Rows, bound: Callable[[Rows], int] = lambda rows: len(rows[0])
) -> Sides:
    """No point occurs twice on a branch, since its label is known then."""
    return Sides(dimension_of(case, "littlestone"), bound(case))


@claim(
    "dimension.littlestone.thresholds",
    statement=r"L(\{ 1[x \ge t] : 0 \le t \le n \} \text{ on } n \text{ points}) ="
    r" \lfloor \log_2(n + 1) \rfloor",
    relation=Relation.EQUAL,
    source=Source.known("thresholds are learned by bisection"),
    assumes={},
    teeth={
        "of the points": lambda points: points.bit_length() - 1,
        "rounded up": lambda points: points.bit_length(),
        "the VC dimension": lambda _: 1,
    },
)
def thresholds(
    case: int, formula: Callable[[int], int] = lambda points: (points + 1).bit_length() - 1
) -> Sides:
    """Thresholds have the logarithm of their number as Littlestone dimension, and 1 as VC."""
    rows = tuple(tuple(int(x >= t) for x in range(case)) for t in range(case + 1))
    return Sides(dimension_of(rows, "littlestone"), formula(case))
