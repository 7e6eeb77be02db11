"""The maze layouts of the AntMaze and point-maze benchmarks, as maps and as grid graphs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import integer_array

__all__ = ["MAZES", "Cell", "Maze", "map_from_text", "maze_cells", "maze_map"]

Flags = npt.NDArray[np.bool_]
Cell: TypeAlias = tuple[int, int]


@dataclass(frozen=True)
class Maze:
    """A layout: rows of "1" (wall) and "0" (free), and the cells that its benchmarks mark.

    Attributes
    ----------
    rows : the map
    reset, test_goal, training_goals : the cells that D4RL marks, if it has the layout
    tasks : the pairs (start, goal) of OGBench, if it has the layout
    """

    rows: tuple[str, ...]
    reset: Cell | None = None
    test_goal: Cell | None = None
    training_goals: tuple[Cell, ...] = ()
    tasks: tuple[tuple[Cell, Cell], ...] = ()


def _maze(rows: str, **marks: Any) -> Maze:
    return Maze(tuple(rows.split()), **marks)


MAZES: dict[str, Maze] = {
    "umaze": _maze("11111 10001 11101 10001 11111"),
    "medium": _maze(
        "11111111 10011001 10010001 11000111 10010001 10100101 10001001 11111111",
        reset=(1, 1),
        test_goal=(6, 6),
        training_goals=((2, 6), (5, 1), (6, 5)),
        tasks=(
            ((1, 1), (6, 6)),
            ((6, 1), (1, 6)),
            ((5, 3), (4, 2)),
            ((6, 5), (6, 1)),
            ((2, 6), (1, 1)),
        ),
    ),
    "large": _maze(
        """
        111111111111 100001000001 101101010101 100000010001 101111011101
        100101000001 110101010111 100100010001 111111111111
        """,
        reset=(1, 1),
        test_goal=(7, 9),
        training_goals=((1, 6), (3, 5), (3, 10), (5, 2), (7, 4), (7, 6), (7, 9)),
        tasks=(
            ((1, 1), (7, 10)),
            ((5, 4), (7, 1)),
            ((7, 4), (1, 10)),
            ((3, 8), (5, 4)),
            ((1, 1), (5, 4)),
        ),
    ),
    "medium_eval": _maze("11111111 10000001 10101101 10000101 11100111 10000001 10011001 11111111"),
    "large_eval": _maze(
        """
        111111111111 100100010001 110111010101 100101000001 101101001101
        100000010001 101101010111 100001000001 111111111111
        """
    ),
    "giant": _maze(
        """
        1111111111111111 1010000001100001 1010110101001101 1000100100010001
        1011101111110101 1000100010000101 1110101001010111 1000100100010001
        1010101111110101 1011100010001101 1000001000100001 1111111111111111
        """,
        tasks=(
            ((1, 1), (10, 14)),
            ((1, 14), (10, 1)),
            ((8, 14), (1, 1)),
            ((8, 3), (5, 12)),
            ((5, 9), (3, 8)),
        ),
    ),
    "teleport": _maze(
        """
        111111111111 100000101001 110100010011 110111000001 100001010101
        101101010101 101101010101 100001000101 111111111111
        """,
        tasks=(
            ((1, 10), (7, 1)),
            ((1, 1), (7, 10)),
            ((5, 6), (7, 10)),
            ((7, 1), (7, 10)),
            ((5, 6), (7, 1)),
        ),
    ),
    "open": _maze("1111111 1000001 1000001 1000001 1111111"),
    "small": _maze("111111 100001 101101 100001 111111"),
}
"""By name: those of D4RL and Gymnasium-Robotics, and giant and teleport of OGBench.

The free cells of teleport are not connected: cell (1, 7) can be reached only by teleporting, so
every label set of its grid must hold a label there.
"""


def map_from_text(text: str, *, wall: str = "1#", free: str = "0. ") -> Flags:
    """The free cells of a map that is drawn in text, one line for each row.

    Parameters
    ----------
    text : str
        Lines of equal length; blank lines before and after the map do not count.
    wall, free : str
        The characters that stand for each.

    Returns
    -------
    bool, shape (rows, columns)
        True where a cell is free: what `graph_from_array` takes.

    Raises
    ------
    DomainError
        for another character, named with its place, and for lines of different lengths.

    Notes
    -----
    Source: known.

    Examples
    --------
    >>> map_from_text("###\\n#.#")
    array([[False, False, False],
           [False,  True, False]])
    """
    lines = text.strip("\r\n").splitlines()
    for number, line in enumerate(lines, 1):
        if len(line) != len(lines[0]):
            allowed = f"{len(lines[0])} characters, as in line 1"
            raise DomainError(f"line {number}", line, allowed)
        for column, mark in enumerate(line, 1):
            if mark not in wall + free:
                allowed = f"wall {wall!r} or free {free!r}"
                raise DomainError(f"line {number}, column {column}", mark, allowed)
    return np.array([[mark in free for mark in line] for line in lines], dtype=bool)


def maze_map(name: str, *, refinement: int = 1) -> Flags:
    """The free cells of a layout, each cell refined into a square block.

    Parameters
    ----------
    name : a key of `MAZES`
    refinement : int
        Side of the blocks; a maze cell is 4 units wide, a refined cell 4 / refinement.

    Returns
    -------
    bool, shape (refinement * rows, refinement * columns)
        True where a cell is free: what `graph_from_array` takes.

    Raises
    ------
    DomainError

    Notes
    -----
    Source: the layouts of D4RL, Gymnasium-Robotics and OGBench.

    Examples
    --------
    >>> maze_map("umaze").astype(int)
    array([[0, 0, 0, 0, 0],
           [0, 1, 1, 1, 0],
           [0, 0, 0, 1, 0],
           [0, 1, 1, 1, 0],
           [0, 0, 0, 0, 0]])
    """
    if name not in MAZES:
        raise DomainError("name", name, f"one of {', '.join(MAZES)}")
    side = int(integer_array("refinement", refinement, at_least=1))
    free = map_from_text("\n".join(MAZES[name].rows))
    return np.repeat(np.repeat(free, side, axis=0), side, axis=1)


def maze_cells(free: Any, cells: Any, *, refinement: int = 1) -> npt.NDArray[np.int64]:
    """The vertices in the middle of maze cells, as `graph_from_array` numbers the free cells.

    Parameters
    ----------
    free : bool, shape (rows, columns)
        The refined map.
    cells : array, shape (..., 2)
        Row and column of cells of the layout before it was refined.
    refinement : int

    Returns
    -------
    int64, shape (...)
        Of an even block, the vertex just above and left of its middle.

    Raises
    ------
    DomainError
        for a cell outside the map, or a wall.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> maze_cells(maze_map("umaze", refinement=3), [(1, 1), (3, 3)], refinement=3)
    array([10, 52])
    """
    mask = np.asarray(free, dtype=bool)
    side = int(integer_array("refinement", refinement, at_least=1))
    place = integer_array("cells", cells, at_least=0) * side + (side - 1) // 2
    row, column = np.minimum(place[..., 0], mask.shape[0] - 1), place[..., 1]
    inside = (place[..., 0] < mask.shape[0]) & (column < mask.shape[1])
    column = np.minimum(column, mask.shape[1] - 1)
    wrong = ~(inside & mask[row, column])
    if wrong.any():
        cell = tuple(np.asarray(cells).reshape(-1, 2)[np.argmax(wrong)].tolist())
        raise DomainError("cell", cell, "a free cell of the map")
    return np.asarray((np.cumsum(mask) - 1).reshape(mask.shape)[row, column])
