"""Finite classes of functions from points to labels, from whatever form a caller holds them in."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from rolltheory.errors import DomainError

__all__ = [
    "ClassLike",
    "Codes",
    "HypothesisClass",
    "as_class",
    "class_from_functions",
    "class_from_rows",
    "restrict",
]

Codes: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False, repr=False)
class HypothesisClass:
    """A finite set of functions, one distinct row each, on finitely many points.

    Parameters
    ----------
    codes : int64, shape (hypotheses, points)
        Distinct rows. Column j holds numbers in ``[0, len(labels[j]))``, each of which occurs.
    points : tuple of hashables
        What the caller calls the columns, all different.
    labels : tuple of tuples of hashables, one for each point
        ``labels[j][c]`` is the label that code c stands for at point j.

    Examples
    --------
    >>> class_from_rows(["00", "01", "11", "12", "22", "20"])
    HypothesisClass(6 hypotheses, 2 points, labels 3 x 3)
    """

    codes: Codes
    points: tuple[Hashable, ...]
    labels: tuple[tuple[Hashable, ...], ...]

    def __len__(self) -> int:
        """Number of hypotheses."""
        return int(self.codes.shape[0])

    @property
    def label_counts(self) -> tuple[int, ...]:
        """Number of labels that occur at each point."""
        return tuple(map(len, self.labels))

    @property
    def rows(self) -> list[tuple[Hashable, ...]]:
        """The hypotheses as tuples of the caller's labels."""
        return [
            tuple(names[code] for names, code in zip(self.labels, row, strict=True))
            for row in self.codes.tolist()
        ]

    def columns(self, points: Iterable[Hashable]) -> tuple[int, ...]:
        """The numbers of the columns of these points.

        Raises
        ------
        DomainError
            if a point is not one of the class.
        """
        place = {point: column for column, point in enumerate(self.points)}
        wanted = tuple(points)
        for point in wanted:
            if not isinstance(point, Hashable) or point not in place:
                raise DomainError("point", point, f"one of the {len(place)} points of the class")
        return tuple(place[point] for point in wanted)

    def __repr__(self) -> str:
        counts = " x ".join(map(str, self.label_counts))
        return (
            f"HypothesisClass({len(self)} hypotheses, {len(self.points)} points, labels {counts})"
        )


ClassLike: TypeAlias = HypothesisClass | Sequence[Sequence[Hashable]] | npt.NDArray[Any]


def as_class(hypotheses: ClassLike) -> HypothesisClass:
    """The class itself, or the class of these rows.

    >>> as_class(["01", "10"]).points
    (0, 1)
    """
    if isinstance(hypotheses, HypothesisClass):
        return hypotheses
    return class_from_rows(hypotheses)


def class_from_rows(
    rows: Sequence[Sequence[Hashable]] | npt.NDArray[Any],
    *,
    points: Sequence[Hashable] | None = None,
    merge: bool = False,
) -> HypothesisClass:
    """The class whose hypotheses are these rows, one label for each point.

    Parameters
    ----------
    rows : shape (hypotheses, points)
        Labels of any hashable kind; a string is a row of one-character labels.
    points : shape (points,), optional
        Names of the points; 0, 1, … if not given.
    merge : bool
        Whether equal rows stand for one function, as a class is a set. If not, they are refused.

    Raises
    ------
    DomainError
        if there is no row or no point, a row has another length, a point is named twice, two rows
        are equal and not to be merged, or a label cannot be hashed or is not equal to itself.

    Examples
    --------
    >>> class_from_rows([["a", 1], ["a", 2], ["b", 2]], points=["x", "y"]).label_counts
    (2, 2)
    >>> class_from_rows(["01", "10", "01"])
    Traceback (most recent call last):
    ...
    rolltheory.errors.DomainError: row 2 = '01' is not allowed: need rows that differ, or to be \
merged: row 0 is the same
    """
    if not isinstance(rows, np.ndarray):
        rows = _listed(rows)
    array = _label_array(rows)
    names = tuple(range(array.shape[1])) if points is None else _point_names(points, array.shape[1])
    columns = [_encoded(array[:, j], name) for j, name in enumerate(names)]
    codes = np.stack([codes for codes, _ in columns], axis=1)
    _, first = np.unique(codes, axis=0, return_index=True)
    if first.size < len(codes) and not merge:
        again, before = _first_repetition(codes)
        allowed = f"rows that differ, or to be merged: row {before} is the same"
        raise DomainError(f"row {again}", rows[again], allowed)
    codes = np.ascontiguousarray(codes[np.sort(first)])
    codes.setflags(write=False)
    return HypothesisClass(codes, names, tuple(labels for _, labels in columns))


def class_from_functions(
    functions: Iterable[Callable[[Any], Hashable] | Mapping[Any, Hashable]],
    points: Sequence[Hashable],
    *,
    merge: bool = False,
) -> HypothesisClass:
    """The class of these functions, or of these mappings from points to labels, on the points.

    Raises
    ------
    DomainError
        as `class_from_rows`, and if a mapping has no label for a point.

    Examples
    --------
    >>> thresholds = [lambda x, t=t: x >= t for t in range(3)]
    >>> class_from_functions(thresholds, [0, 1]).rows
    [(True, True), (False, True), (False, False)]
    """
    rows = [[_value(function, point) for point in points] for function in functions]
    return class_from_rows(rows, points=points, merge=merge)


def restrict(hypotheses: ClassLike, points: Iterable[Hashable]) -> HypothesisClass:
    """The distinct rows of the class on these points, in this order.

    A point that is asked for twice is refused: equal columns are never shattered, and a class
    names each of its points once.

    Raises
    ------
    DomainError
        if there is no point, a point is not one of the class, or is asked for twice.

    Examples
    --------
    >>> restrict(["000", "001", "110"], [0, 1]).rows
    [('0', '0'), ('1', '1')]
    """
    whole = as_class(hypotheses)
    names = tuple(points)
    columns = list(whole.columns(_point_names(names, len(names))))
    codes = whole.codes[:, columns]
    _, first = np.unique(codes, axis=0, return_index=True)
    kept = np.ascontiguousarray(codes[np.sort(first)])
    kept.setflags(write=False)
    return replace(whole, codes=kept, points=names, labels=tuple(whole.labels[j] for j in columns))


def _label_array(rows: Sequence[Sequence[Hashable]] | npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The labels as a two-dimensional array: of numbers if they came as one, else of objects."""
    if isinstance(rows, np.ndarray) and rows.ndim == 2 and rows.dtype != object:
        width, listed = rows.shape[1], rows
    else:
        lists = list(map(_listed, _listed(rows)))
        width = len(lists[0]) if lists else 0
        for number, row in enumerate(lists):
            if len(row) != width:
                raise DomainError(f"row {number}", rows[number], f"{width} labels, as row 0 has")
        listed = np.empty((len(lists), width), dtype=object)
        for number, row in enumerate(lists):
            listed[number, :] = row
    if not len(listed):
        raise DomainError("rows", rows, "at least one hypothesis")
    if not width:
        raise DomainError("rows", rows, "at least one point")
    return listed


def _listed(row: Any) -> list[Any]:
    try:
        return list(row)
    except TypeError:
        raise DomainError("rows", row, "a sequence of rows, each a sequence of labels") from None


def _point_names(points: Sequence[Hashable], count: int) -> tuple[Hashable, ...]:
    names = tuple(points)
    if not names or len(names) != count:
        raise DomainError("points", names, f"{max(count, 1)} names, one for each column")
    seen: set[Hashable] = set()
    for name in names:
        try:
            repeated = name in seen
        except TypeError:
            raise DomainError("points", name, "hashable points") from None
        if repeated:
            raise DomainError("points", name, "points that differ")
        seen.add(name)
    return names


def _encoded(column: npt.NDArray[Any], point: Hashable) -> tuple[Codes, tuple[Hashable, ...]]:
    """Numbers for the labels of a column, in order of first appearance, and the labels."""
    if column.dtype != object:
        if column.dtype.kind in "fcmM" and np.isnan(column).any():
            raise DomainError(f"label at point {point!r}", float("nan"), "labels equal to itself")
        values, first, codes = np.unique(column, return_index=True, return_inverse=True)
        order = np.argsort(first)
        rank = np.empty_like(order)
        rank[order] = np.arange(order.size)
        return rank[codes].astype(np.int64), tuple(values[order].tolist())
    numbers: dict[Hashable, int] = {}
    codes = np.empty(column.size, dtype=np.int64)
    for row, label in enumerate(column):
        try:
            codes[row] = numbers.setdefault(label, len(numbers))
        except TypeError:
            raise DomainError(f"label at point {point!r}", label, "hashable labels") from None
        if label != label:
            raise DomainError(f"label at point {point!r}", label, "labels equal to itself")
    return codes, tuple(numbers)


def _first_repetition(codes: Codes) -> tuple[int, int]:
    """The first row that stood before, and where it stood first."""
    seen: dict[bytes, int] = {}
    for number, row in enumerate(codes):
        before = seen.setdefault(row.tobytes(), number)
        if before != number:
            return number, before
    raise AssertionError("all rows differ")  # the caller has seen two equal ones


def _value(function: Callable[[Any], Hashable] | Mapping[Any, Hashable], point: Any) -> Hashable:
    if not isinstance(function, Mapping):
        return function(point)
    if point not in function:
        raise DomainError("point", point, "a point for which each mapping has a label")
    return function[point]
