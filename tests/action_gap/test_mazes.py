"""Maze layouts: counts, marks, and the text maps that a user may hand in."""

import numpy as np
import pytest
from scipy.sparse.csgraph import connected_components

from rolltheory.action_gap.graph import graph_from_array
from rolltheory.action_gap.labels import as_labels
from rolltheory.action_gap.mazes import MAZES, map_from_text, maze_cells, maze_map
from rolltheory.errors import AssumptionError, DomainError

COUNTS = {
    ("umaze", 1): (7, 6),
    ("medium", 1): (26, 28),
    ("large", 1): (46, 48),
    ("medium_eval", 1): (26, 30),
    ("large_eval", 1): (47, 50),
    ("giant", 1): (86, 88),
    ("teleport", 1): (45, 47),
    ("medium", 4): (416, 736),
    ("medium", 8): (1664, 3136),
    ("medium", 12): (3744, 7200),
    ("large", 4): (736, 1296),
    ("large", 8): (2944, 5536),
    ("large", 12): (6624, 12720),
    ("giant", 4): (1376, 2416),
    ("giant", 8): (5504, 10336),
    ("giant", 12): (12384, 23760),
}


@pytest.mark.parametrize(("layout", "refinement"), COUNTS)
def test_vertices_and_edges_are_as_many_as_published(layout, refinement):
    graph = graph_from_array(maze_map(layout, refinement=refinement))
    assert (graph.vertex_count, graph.edge_count) == COUNTS[layout, refinement]
    assert graph.is_unit_cost


def test_shapes_and_free_cells_of_the_layouts():
    shapes = {name: (*maze_map(name).shape, int(maze_map(name).sum())) for name in MAZES}
    assert shapes == {
        "umaze": (5, 5, 7),
        "medium": (8, 8, 26),
        "large": (9, 12, 46),
        "medium_eval": (8, 8, 26),
        "large_eval": (9, 12, 47),
        "giant": (12, 16, 86),
        "teleport": (9, 12, 45),
        "open": (5, 7, 15),
        "small": (5, 6, 10),
    }


def test_teleport_has_an_isolated_cell_that_needs_a_label_of_its_own():
    """Trap 14."""
    free = maze_map("teleport")
    graph = graph_from_array(free)
    count, component = connected_components(graph.matrix, directed=False)
    assert count == 2
    alone = np.flatnonzero(component == component[maze_cells(free, (1, 7))])
    assert alone.tolist() == [maze_cells(free, (1, 7))]
    with pytest.raises(AssumptionError, match="none among 1 vertices"):
        as_labels(graph, {0: 0.0})
    others = [n for n in MAZES if n != "teleport"]
    for name in others:
        assert connected_components(graph_from_array(maze_map(name)).matrix)[0] == 1


@pytest.mark.parametrize("refinement", [1, 4, 5])
@pytest.mark.parametrize("name", [name for name in MAZES if MAZES[name].tasks])
def test_marks_are_free_cells_in_the_middle_of_their_blocks(name, refinement):
    maze, free = MAZES[name], maze_map(name, refinement=refinement)
    marks = [cell for task in maze.tasks for cell in task] + list(maze.training_goals)
    marks += [cell for cell in (maze.reset, maze.test_goal) if cell]
    vertices = maze_cells(free, marks, refinement=refinement)
    places = np.argwhere(free)[vertices]
    middle = np.array(marks) * refinement + (refinement - 1) // 2
    assert (places == middle).all()
    assert len(maze.tasks) == 5


def test_a_cell_outside_or_in_a_wall_is_refused():
    free = maze_map("umaze", refinement=2)
    for cell in ((0, 0), (2, 1), (5, 1), (1, 99)):
        with pytest.raises(DomainError, match=r"cell = .* is not allowed: need a free cell"):
            maze_cells(free, [(1, 1), cell], refinement=2)


def test_text_maps_are_read_and_faults_are_placed():
    drawn = map_from_text("\n####\n#. #\n####\n\n")
    assert np.argwhere(drawn).tolist() == [[1, 1], [1, 2]]
    assert (map_from_text("X_", wall="X", free="_") == [[False, True]]).all()
    with pytest.raises(DomainError, match="line 2, column 3 = 'x' is not allowed: need wall '1#'"):
        map_from_text("111\n10x")
    with pytest.raises(DomainError, match="line 2 = '10' is not allowed: need 3 characters"):
        map_from_text("111\n10")
    with pytest.raises(DomainError, match="name = 'huge' is not allowed: need one of umaze, me"):
        maze_map("huge")
    with pytest.raises(DomainError, match="refinement = 0"):
        maze_map("umaze", refinement=0)


def test_published_marks():
    medium, large = MAZES["medium"], MAZES["large"]
    assert (medium.reset, medium.test_goal) == ((1, 1), (6, 6))
    assert medium.training_goals == ((2, 6), (5, 1), (6, 5))
    assert (large.reset, large.test_goal) == ((1, 1), (7, 9))
    goals = ((1, 6), (3, 5), (3, 10), (5, 2), (7, 4), (7, 6), (7, 9))
    assert large.training_goals == goals
    assert MAZES["giant"].tasks[3] == ((8, 3), (5, 12))
    assert MAZES["teleport"].tasks[0] == ((1, 10), (7, 1))
