"""Classes with known dimensions: what the statements of this theory are tried on.

Rows are strings of one label per point, as in ``as_class``. The numbers in each docstring are
derived here and held by the tests.
"""

from __future__ import annotations

from itertools import combinations, product

from rolltheory.dimension.classes import HypothesisClass, class_from_rows
from rolltheory.numerics.arguments import integer_array

__all__ = [
    "all_field_gap",
    "ball",
    "field_two_gap",
    "grid",
    "hexagon",
    "path",
    "projective_plane",
    "regularity_trap",
    "reveal",
    "star",
]

_PROJECTIVE_PLANE = """
    000 002 011 012 020 021 101 102 110 112 120 121 200 201 210 211"""
_FIELD_TWO_GAP = """
    001 002 003 010 011 013 020 022 100 102 103 110 111 112 121 123
    200 201 212 213 220 221 222 223"""
_ALL_FIELD_GAP = """
    001 003 010 011 020 022 023 031 032 100 101 110 111 121 122 123 132 133
    200 203 220 221 231 233"""


def grid(points: int, labels: int) -> HypothesisClass:
    """All functions from the points to the labels.

    Every dimension is the number of points d, for k >= 2 labels; the density is d (k - 1) / k, and
    the Hilbert function at j the sum of C(d, i) (k - 1)**i over i <= j.

    >>> grid(2, 3)
    HypothesisClass(9 hypotheses, 2 points, labels 3 x 3)
    """
    d, k = _at_least_one(points=points, labels=labels)
    return class_from_rows(list(product(range(k), repeat=d)))


def ball(points: int, labels: int, radius: int) -> HypothesisClass:
    """All functions with at most ``radius`` labels that are not 0.

    Natarajan, parity, DS and graph dimension are the radius, where it is less than the number of
    points; the count attains the Sauer bound, and the density is the mean number of labels that
    are not 0: 80/43 for 8 points, 3 labels and radius 2.

    >>> ball(3, 2, 1).rows
    [(0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0)]
    """
    n, k = _at_least_one(points=points, labels=labels)
    (r,) = _at_least_zero(radius=radius)
    rows = [row for row in product(range(k), repeat=n) if sum(map(bool, row)) <= r]
    return class_from_rows(rows)


def star(points: int) -> HypothesisClass:
    """The zero function, and those that are 1 at one point.

    Every dimension is 1 and the density n / (n + 1), while the mean degree is 2n / (n + 1).

    >>> len(star(5))
    6
    """
    return ball(points, 2, 1)


def hexagon() -> HypothesisClass:
    """Six functions on two points: a cycle, so that DS exceeds the Natarajan dimension, which is 1.

    Parity = DS = graph = Littlestone = 2, and the density is 1.

    >>> hexagon()
    HypothesisClass(6 hypotheses, 2 points, labels 3 x 3)
    """
    return class_from_rows(["00", "01", "11", "12", "22", "20"])


def path(length: int) -> HypothesisClass:
    """The functions (i, i) and (i, i + 1) for i below the length.

    Natarajan = parity = DS = 1. Over all integers i no line holds a single member, and yet
    every finite part has DS dimension 1: a pseudo-cube is finite.

    >>> path(2).rows
    [(0, 0), (0, 1), (1, 1), (1, 2)]
    """
    (n,) = _at_least_one(length=length)
    return class_from_rows([(i, j) for i in range(n) for j in (i, i + 1)])


def regularity_trap() -> HypothesisClass:
    """Functions of one coordinate span all functions on it, and yet its parity dimension is 2.

    Natarajan = DS = graph = 2 as well; Hilbert function 1, 4; density 2/3.

    >>> len(regularity_trap())
    4
    """
    return class_from_rows(["001", "010", "011", "100"])


def reveal(points: int) -> HypothesisClass:
    """For each set A of points: at x the name of A if x is in A, else 0.

    Natarajan = parity = DS = Littlestone = 1, but the graph dimension is the number of points n;
    the density is n / (n + 1).

    >>> reveal(2).rows
    [(0, 0), (1, 0), (0, 2), (3, 3)]
    """
    (n,) = _at_least_one(points=points)
    sets = [set(part) for size in range(n + 1) for part in combinations(range(n), size)]
    return class_from_rows(
        [[name if x in part else 0 for x in range(n)] for name, part in enumerate(sets)]
    )


def projective_plane() -> HypothesisClass:
    """RP2, a balanced real projective plane: parity dimension 3 modulo 2, but 2 modulo 3.

    Natarajan 2; DS = graph = Littlestone = 3; density 3/2; Hilbert function 1, 7, 15, 16 modulo 2,
    and 1, 7, 16 modulo 3.

    >>> len(projective_plane())
    16
    """
    return class_from_rows(_PROJECTIVE_PLANE.split())


def field_two_gap() -> HypothesisClass:
    """U24: the smallest class whose DS dimension, 3, exceeds its parity dimension modulo 2.

    Modulo 3 the parity dimension is 3, modulo 5 it is 2. Natarajan 2, graph = Littlestone = 3;
    excess 39, density 13/8; Hilbert function 1, 8, 24 modulo 2, and 1, 8, 23, 24 modulo 3.
    Unique up to relabelling for labels 3 x 3 x 4.

    >>> field_two_gap()
    HypothesisClass(24 hypotheses, 3 points, labels 3 x 3 x 4)
    """
    return class_from_rows(_FIELD_TWO_GAP.split())


def all_field_gap() -> HypothesisClass:
    """B24: DS dimension 3, and parity dimension 2 modulo every prime.

    Natarajan 2, graph = Littlestone = 3; excess 38, density 19/12, mean degree 3; Hilbert function
    1, 9, 24.

    >>> all_field_gap()
    HypothesisClass(24 hypotheses, 3 points, labels 3 x 4 x 4)
    """
    return class_from_rows(_ALL_FIELD_GAP.split())


def _at_least_one(**values: int) -> list[int]:
    return [int(integer_array(name, value, at_least=1)) for name, value in values.items()]


def _at_least_zero(**values: int) -> list[int]:
    return [int(integer_array(name, value, at_least=0)) for name, value in values.items()]
