"""The Littlestone dimension of a finite class: the deepest tree of forced mistakes."""

from __future__ import annotations

from collections.abc import Iterable
from operator import itemgetter

import numpy as np

from rolltheory.dimension.classes import ClassLike, HypothesisClass, as_class
from rolltheory.dimension.search import Limit, limit
from rolltheory.dimension.witnesses import Dimension, MistakeTree

__all__ = ["littlestone_dimension"]

Split = tuple[int, int, int]
"""A column, and two of its labels."""

Part = tuple[int, int, int]
"""How many members have a label, the label, and the members."""


def littlestone_dimension(
    hypotheses: ClassLike, *, budget: int | None = None, seconds: float | None = None
) -> Dimension[MistakeTree]:
    r"""The Littlestone dimension, for any number of labels.

    .. math:: L(H) = \max_{x,\, y \ne y'} 1 + \min(L(H_{x \to y}), L(H_{x \to y'})), \qquad
        L(\{h\}) = 0

    A learner that is told the truth after each prediction can be forced into that many mistakes by
    some function of the class, and into no more.

    Parameters
    ----------
    hypotheses : class or rows
    budget : int, optional
        Number of subclasses to examine at most. All that need it are examined if not given.
    seconds : float, optional
        Time after which no further subclass is examined, not limited if not given.

    Returns
    -------
    Dimension
        ``tests`` counts the subclasses.

    Raises
    ------
    DomainError
        if the budget is not positive, or the time negative.

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> found = littlestone_dimension(["000", "001", "011", "111"])
    >>> found.value, found.witness.point
    (2, 1)
    """
    whole = as_class(hypotheses)
    search = _Search(whole, limit(budget, seconds))
    everything = (1 << len(whole)) - 1
    largest = min(len(whole.points), len(whole).bit_length() - 1)
    columns = range(len(whole.points))
    lower = 0
    try:
        while lower < largest and search.reaches(everything, lower + 1, columns):
            lower += 1
    except _SpentError:
        reason = search.limit.words(search.tests, "subclasses")
        return Dimension(lower, largest, search.tree(everything, lower), reason, search.tests)
    if lower < largest:
        reason = f"no tree of depth {lower + 1} has all of its branches followed"
    elif lower == len(whole.points):
        reason = f"there are {lower} points"
    else:
        reason = f"depth {lower + 1} needs {2 ** (lower + 1)} hypotheses"
    return Dimension(lower, lower, search.tree(everything, lower), reason, search.tests)


class _SpentError(Exception):
    """The budget is spent."""


class _Search:
    """What is known about subclasses, each the bits of its hypotheses.

    Recursion is as deep as the tree, at most the logarithm of the number of hypotheses.
    """

    def __init__(self, whole: HypothesisClass, allowed: Limit) -> None:
        self.whole = whole
        self.with_label = [
            [_bits(column == label) for label in range(count)]
            for column, count in zip(whole.codes.T, whole.label_counts, strict=True)
        ]
        self.limit = allowed
        self.tests = 0
        self.reached: dict[int, int] = {}
        self.refuted: dict[int, int] = {}
        self.split: dict[int, Split] = {}

    def reaches(self, members: int, depth: int, columns: Iterable[int]) -> bool:
        """Whether the subclass, constant on all other columns, has a tree of that depth."""
        if members.bit_count() < 1 << depth or self.refuted.get(members, depth + 1) <= depth:
            return False
        if depth <= self.reached.get(members, 0):
            return True
        if self.limit.reached(self.tests):
            raise _SpentError
        self.tests += 1
        varying, splits = self._splits(members, depth, columns)
        for _, column, parts in sorted(splits, key=itemgetter(0), reverse=True):
            deep: list[int] = []
            for _, label, part in sorted(parts, key=itemgetter(0), reverse=True):
                if self.reaches(part, depth - 1, varying):
                    deep.append(label)
                if len(deep) == 2:
                    self.reached[members] = depth
                    self.split[members] = (column, deep[0], deep[1])
                    return True
        self.refuted[members] = depth
        return False

    def tree(self, members: int, depth: int) -> MistakeTree | None:
        """A tree of a depth that was found to be reached; None is a leaf."""
        if not depth:
            return None
        column, first, second = self.split[members]
        below = [
            (
                self.whole.labels[column][label],
                self.tree(members & self.with_label[column][label], depth - 1),
            )
            for label in (first, second)
        ]
        return MistakeTree(self.whole.points[column], (below[0], below[1]))

    def _splits(
        self, members: int, depth: int, columns: Iterable[int]
    ) -> tuple[list[int], list[tuple[int, int, list[Part]]]]:
        """The columns that vary, and how those split that give enough members to two labels."""
        enough = 1 << depth - 1
        varying, splits = [], []
        for column in columns:
            parts = [
                (part.bit_count(), label, part)
                for label, bits in enumerate(self.with_label[column])
                if (part := members & bits)
            ]
            if len(parts) > 1:
                varying.append(column)
                second = sorted(size for size, _, _ in parts)[-2]
                if second >= enough:
                    splits.append((second, column, parts))
        return varying, splits


def _bits(chosen: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> int:
    """The number whose bits are the chosen rows."""
    return int.from_bytes(np.packbits(chosen, bitorder="little").tobytes(), "little")
