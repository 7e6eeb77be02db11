"""What shows that points are shattered, in each sense, and the checks that it does.

Each check reads the definition and nothing else: it shares no code with the searches that find
witnesses. Points and labels are the caller's own; a pattern is a tuple of labels.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Generic, TypeAlias, TypeVar

from rolltheory.dimension.classes import ClassLike, as_class, restrict
from rolltheory.errors import AssumptionError
from rolltheory.numerics.modular import prime_field

__all__ = [
    "AgreementCube",
    "Dimension",
    "MistakeTree",
    "NatarajanCube",
    "Pattern",
    "PseudoCube",
    "Witness",
    "ZeroSumFunction",
    "holds",
    "is_pseudo_cube",
    "is_zero_sum",
]

Pattern: TypeAlias = tuple[Hashable, ...]


@dataclass(frozen=True)
class PseudoCube:
    """Patterns at the points, of which no line holds exactly one; each is some hypothesis'."""

    points: tuple[Hashable, ...]
    patterns: frozenset[Pattern]


@dataclass(frozen=True)
class ZeroSumFunction:
    """Values modulo a prime, not 0, of patterns at the points; they sum to 0 on every line.

    Modulo 2 the patterns are an even pseudo-cube.
    """

    points: tuple[Hashable, ...]
    values: Mapping[Pattern, int]
    field: int


@dataclass(frozen=True)
class NatarajanCube:
    """Two patterns that differ at each point, all of whose mixtures are hypotheses'."""

    points: tuple[Hashable, ...]
    first: Pattern
    second: Pattern


@dataclass(frozen=True)
class AgreementCube:
    """A pattern, for each part of the points some hypothesis agrees with it there exactly."""

    points: tuple[Hashable, ...]
    pattern: Pattern


@dataclass(frozen=True)
class MistakeTree:
    """A point, and two of its labels, each with the tree below it; None for a leaf.

    All branches have the same length, and each is followed by some hypothesis.
    """

    point: Hashable
    branches: tuple[tuple[Hashable, MistakeTree | None], tuple[Hashable, MistakeTree | None]]


Witness: TypeAlias = PseudoCube | ZeroSumFunction | NatarajanCube | AgreementCube | MistakeTree
W = TypeVar("W", bound=Witness)


@dataclass(frozen=True)
class Dimension(Generic[W]):
    """A dimension of a class, or the interval that a search with a budget has left.

    Parameters
    ----------
    lower : int
        Attained by the witness.
    upper : int
        Not exceeded, for the reason given.
    witness : Witness or None
        None if `lower` is 0, which needs nothing but a hypothesis.
    reason : str
        Why it is not larger than `upper`.
    tests : int
        Sets of points that were tested.
    """

    lower: int
    upper: int
    witness: W | None
    reason: str
    tests: int

    @property
    def value(self) -> int:
        """The dimension.

        Raises
        ------
        AssumptionError
            if the search ended before it was known.
        """
        if self.lower < self.upper:
            raise AssumptionError(
                "the search has come to an end",
                f"a dimension between {self.lower} and {self.upper}: {self.reason}",
            )
        return self.lower


def is_pseudo_cube(patterns: Iterable[Pattern]) -> bool:
    """Whether no line holds exactly one of finitely many patterns, of which there is one.

    >>> is_pseudo_cube({(0, 0), (0, 1), (1, 1), (1, 2), (2, 2), (2, 0)})
    True
    >>> is_pseudo_cube({(0, 0), (0, 1), (1, 1)})
    False
    """
    members = set(patterns)
    return bool(members) and 1 not in Counter(_lines(members)).values()


def is_zero_sum(values: Mapping[Pattern, int], field: int) -> bool:
    """Whether whole values modulo a prime are not all 0, and sum to 0 on every line.

    Raises
    ------
    DomainError
        if the field is no prime.

    Examples
    --------
    >>> is_zero_sum({(0, 0): 1, (0, 1): 2, (1, 0): 2, (1, 1): 1}, 3)
    True
    """
    order = prime_field(field)
    if any(value != int(value) for value in values.values()):
        return False
    sums: Counter[object] = Counter()
    for pattern, value in values.items():
        for line in _lines([pattern]):
            sums[line] += value
    return any(v % order for v in values.values()) and not any(s % order for s in sums.values())


def holds(witness: Witness, hypotheses: ClassLike) -> bool:
    """Whether the witness shows that the class shatters its points, or follows its tree.

    Raises
    ------
    DomainError
        if a point is not one of the class, or stands twice, or a field is no prime.

    Examples
    --------
    >>> holds(NatarajanCube((0, 1), ("0", "0"), ("1", "1")), ["00", "01", "10", "11"])
    True
    >>> holds(NatarajanCube((0, 1), ("0", "0"), ("1", "1")), ["00", "01", "10"])
    False
    """
    if isinstance(witness, MistakeTree):
        whole = as_class(hypotheses)
        whole.columns(_asked(witness))
        functions: list[dict[Hashable, Hashable]] = [
            dict(zip(whole.points, row, strict=True)) for row in whole.rows
        ]
        return _followed_depth(witness, functions) is not None
    rows = set(restrict(hypotheses, witness.points).rows)
    if isinstance(witness, PseudoCube):
        return witness.patterns <= rows and is_pseudo_cube(witness.patterns)
    if isinstance(witness, ZeroSumFunction):
        return witness.values.keys() <= rows and is_zero_sum(witness.values, witness.field)
    if isinstance(witness, NatarajanCube):
        pairs = list(zip(witness.first, witness.second, strict=False))
        differ = all(a != b for a, b in pairs)
        return len(witness.first) == len(witness.second) and differ and set(product(*pairs)) <= rows
    if len(witness.pattern) != len(witness.points):
        return False
    agreements = {tuple(a == b for a, b in zip(row, witness.pattern, strict=True)) for row in rows}
    return len(agreements) == 1 << len(witness.points)


def _lines(patterns: Iterable[Pattern]) -> Iterable[tuple[int, Pattern]]:
    """The lines through the patterns: a direction, and the pattern without that label."""
    return ((i, p[:i] + p[i + 1 :]) for p in patterns for i in range(len(p)))


def _asked(tree: MistakeTree) -> Iterable[Hashable]:
    yield tree.point
    for _, below in tree.branches:
        if below is not None:
            yield from _asked(below)


def _followed_depth(
    tree: MistakeTree | None, functions: list[dict[Hashable, Hashable]]
) -> int | None:
    """The depth of the tree if it is complete and each branch is followed, else None."""
    if not functions:
        return None
    if tree is None:
        return 0
    depths = [
        _followed_depth(below, [f for f in functions if f[tree.point] == label])
        for label, below in tree.branches
    ]
    (left, _), (right, _) = tree.branches
    if left == right or depths[0] is None or depths[0] != depths[1]:
        return None
    return depths[0] + 1
