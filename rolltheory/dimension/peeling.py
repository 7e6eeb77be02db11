"""The largest pseudo-cube in a class: what is left when no row is alone on a line any more."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from rolltheory.dimension.classes import ClassLike, Codes, HypothesisClass, as_class
from rolltheory.dimension.witnesses import Pattern, PseudoCube

__all__ = [
    "core",
    "cores_on_columns",
    "distinct_rows",
    "labelled_patterns",
    "pseudo_cube_core",
    "row_keys",
]

Keys = npt.NDArray[np.int32]

Direction = tuple[tuple[int, ...], int]

_TABLE_BITS = 22  # of a key; a table has a byte for each key
_SWEEPS = 16
_LARGEST_KEY = 2**62
_WORTH_COMPILING = 2_000  # labels; dictionaries take some 2 ms there, loading numba far more


def pseudo_cube_core(hypotheses: ClassLike) -> PseudoCube | None:
    r"""The largest pseudo-cube in the class, at all of its points.

    .. math:: \mathrm{core}(V) = \bigcup \{ B \subseteq V : |B \cap \ell| \ne 1
        \text{ for every line } \ell \}

    Unions of pseudo-cubes are pseudo-cubes, so one holds all others. The class shatters its points
    in the sense of Daniely and Shalev-Shwartz if and only if there is one.

    Parameters
    ----------
    hypotheses : class or rows

    Returns
    -------
    PseudoCube or None
        None if the class holds no pseudo-cube.

    Notes
    -----
    Source: derived here. Linear in hypotheses times points, but for sorting.

    Examples
    --------
    >>> core = pseudo_cube_core(["00", "01", "10", "11", "12"])
    >>> sorted(core.patterns)
    [('0', '0'), ('0', '1'), ('1', '0'), ('1', '1')]
    >>> pseudo_cube_core(["00", "01", "11"]) is None
    True
    """
    whole = as_class(hypotheses)
    patterns = labelled_patterns(core(whole.codes), whole, range(len(whole.points)))
    return PseudoCube(whole.points, frozenset(patterns)) if patterns else None


def core(codes: Codes) -> Codes:
    """The distinct rows of the largest pseudo-cube among these rows, of which some may be equal.

    >>> core(np.array([[0, 0], [0, 0], [0, 1]])).shape
    (0, 2)
    """
    if codes.size < _WORTH_COMPILING:
        return _core_by_dictionaries(codes)
    left = cores_on_columns(codes)(tuple(range(codes.shape[1])))
    return codes[:0] if left is None else left


def cores_on_columns(codes: Codes) -> Callable[[tuple[int, ...]], Codes | None]:
    """A function from some columns to the rows of the core there, or None if there is none.

    It is fast for a search that asks for all sets with the same beginning one after another.

    >>> on = cores_on_columns(np.array([[0, 0, 0], [0, 1, 0], [1, 0, 1], [1, 1, 1]]))
    >>> len(on((0, 1))), on((0, 2))
    (4, None)
    """
    if codes.size < _WORTH_COMPILING:
        return lambda columns: _none_if_empty(_core_by_dictionaries(codes[:, columns]))
    return _swept_cores(codes)


def row_keys(codes: Codes) -> Codes:
    """A number for each row, the same for two rows if and only if they are equal.

    Labels are joined as digits. Where that would overflow, what is joined so far is numbered anew,
    by no more numbers than there are rows.

    >>> row_keys(np.array([[0, 1], [2, 0], [0, 1]]))
    array([1, 4, 1])
    """
    keys, size = np.zeros(len(codes), dtype=np.int64), 1
    for column in codes.T:
        count = int(column.max(initial=0)) + 1
        if size * count > _LARGEST_KEY:
            distinct, keys = np.unique(keys, return_inverse=True)
            size = distinct.size
        keys = keys * count + column
        size *= count
    return keys


def distinct_rows(codes: Codes) -> Codes:
    """Each row once, in order of its first appearance.

    >>> distinct_rows(np.array([[1, 0], [0, 1], [1, 0]]))
    array([[1, 0],
           [0, 1]])
    """
    _, first = np.unique(row_keys(codes), return_index=True)
    return codes[np.sort(first)]


def labelled_patterns(
    codes: Codes, whole: HypothesisClass, columns: Iterable[int]
) -> list[Pattern]:
    """Rows of codes on these columns of the class, in the caller's labels.

    >>> labelled_patterns(np.array([[1], [0]]), as_class(["xa", "xb"]), [1])
    [('b',), ('a',)]
    """
    labelled = [
        [whole.labels[column][code] for code in chosen]
        for column, chosen in zip(columns, codes.T.tolist(), strict=True)
    ]
    return list(zip(*labelled, strict=True))


def _core_by_dictionaries(codes: Codes) -> Codes:
    alive = set(map(tuple, codes.tolist()))
    lines: defaultdict[tuple[int, tuple[int, ...]], set[tuple[int, ...]]] = defaultdict(set)
    for row in alive:
        for i in range(len(row)):
            lines[i, row[:i] + row[i + 1 :]].add(row)
    alone = [line for line in lines.values() if len(line) == 1]
    while alone:
        line = alone.pop()
        if line:
            (row,) = line
            alive.remove(row)
            for i in range(len(row)):
                other = lines[i, row[:i] + row[i + 1 :]]
                other.remove(row)
                if len(other) == 1:
                    alone.append(other)
    return np.array(sorted(alive), dtype=np.int64).reshape(-1, codes.shape[1])


def _swept_cores(codes: Codes) -> Callable[[tuple[int, ...]], Codes | None]:
    """Cores by sweeps over the grid of all patterns, each a bit of one large number.

    A key holds the label at each point in bits of its own. Sweeps take away all rows at once that
    are alone on a line of one direction. What a few of them leave unsettled, such as a long chain
    that falls row by row, goes to the route that is linear at worst.
    """
    by_column = np.ascontiguousarray(codes.T.astype(np.int32))
    widths = [int(labels.max()).bit_length() for labels in by_column]
    largest = min(_TABLE_BITS, (64 * len(codes)).bit_length() - 1)

    @lru_cache(maxsize=codes.shape[1])
    def keys(columns: tuple[int, ...]) -> Keys:
        labels: Keys = by_column[columns[-1]]
        before = columns[:-1]
        if before:
            labels = keys(before) | labels << sum(widths[j] for j in before)
        return labels

    def core_on(columns: tuple[int, ...]) -> Codes | None:
        own = [widths[j] for j in columns]
        ends = list(accumulate(own))
        if ends[-1] > largest:
            return _none_if_empty(_core_by_sorting(codes[:, columns]))
        directions = [
            _direction(end - width, width, ends[-1]) for width, end in zip(own, ends, strict=True)
        ]
        cells, settled = _as_bits(keys(columns), ends[-1]), False
        for _ in range(_SWEEPS):
            if settled or cells.bit_count() < 1 << len(columns):
                break
            left = _swept(cells, directions)
            cells, settled = left, left == cells
        if cells.bit_count() < 1 << len(columns):
            return None
        shifts = np.array([0, *ends[:-1]])
        rows = _as_keys(cells, ends[-1])[:, None] >> shifts & (1 << np.array(own)) - 1
        return rows if settled else _none_if_empty(_core_by_sorting(rows))

    return core_on


def _swept(cells: int, directions: list[Direction]) -> int:
    """The cells without those that are alone on a line, one direction after another.

    Lines are folded onto their cells of label 0: is there one, and are there two?
    """
    for steps, of_label_0 in directions:
        once, twice = cells, 0
        for step in steps:
            twice |= twice >> step | once & once >> step
            once |= once >> step
        alone = once & of_label_0 & ~twice
        if alone:
            for step in steps:
                alone |= alone << step
            cells &= ~alone
    return cells


@lru_cache(maxsize=1024)
def _direction(shift: int, width: int, bits: int) -> Direction:
    """The steps that fold a line, and the cells with label 0, of a grid with so many bits."""
    of_label_0 = (1 << (1 << shift)) - 1
    for bit in range(shift + width, bits):
        of_label_0 |= of_label_0 << (1 << bit)
    return tuple(1 << bit for bit in range(shift, shift + width)), of_label_0


def _as_bits(keys: Keys, bits: int) -> int:
    table = np.zeros(1 << bits, dtype=np.bool_)
    table[keys] = True
    return int.from_bytes(np.packbits(table, bitorder="little").tobytes(), "little")


def _as_keys(cells: int, bits: int) -> Codes:
    packed = np.frombuffer(cells.to_bytes((1 << bits) + 7 >> 3, "little"), dtype=np.uint8)
    return np.flatnonzero(np.unpackbits(packed, bitorder="little"))


def _core_by_sorting(codes: Codes) -> Codes:
    """The core where there are too many patterns to hold a flag for each."""
    from rolltheory.dimension._peeling_kernels import peel_lines

    rows = distinct_rows(codes)
    lines = np.empty(rows.shape, dtype=np.int64)
    count = 0
    for i in range(rows.shape[1]):
        distinct, line = np.unique(row_keys(np.delete(rows, i, axis=1)), return_inverse=True)
        lines[:, i] = line + count
        count += distinct.size
    return rows[peel_lines(lines, count)]


def _none_if_empty(codes: Codes) -> Codes | None:
    return codes if len(codes) else None
