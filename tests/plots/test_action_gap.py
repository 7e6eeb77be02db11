"""The plotted numbers are those of the library, and what is drawn is what was computed."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.quiver import Quiver

from rolltheory.action_gap.distances import distances
from rolltheory.action_gap.harmonic import harmonic_extension
from rolltheory.action_gap.mazes import map_from_text
from rolltheory.action_gap.reaching import Obstacle
from rolltheory.action_gap.study import StudyRow, maze_problem, study_rows
from rolltheory.errors import AssumptionError, DomainError
from rolltheory.plots.action_gap import (
    error_and_half_gap_data,
    maze_data,
    plot_error_and_half_gap,
    plot_maze,
)
from rolltheory.plots.action_gap_study import (
    amle_convergence_data,
    plot_amle_convergence,
    plot_success_by_p,
    success_by_p_data,
)

CORRIDOR = map_from_text("#####\n#...#\n#.###\n#####")
"""Vertices 0, 1, 2 in a row, and 3 below 0."""


def labels(ax: Axes) -> list[str]:
    legend = ax.get_legend()
    assert legend is not None
    return [text.get_text() for text in legend.get_texts()]


def drawn(ax: Axes, label: str) -> list[list[float]]:
    (line,) = (line for line in ax.lines if line.get_label() == label)
    return np.asarray(line.get_xydata()).tolist()


def test_the_moves_of_a_maze_are_those_of_the_planner() -> None:
    data = maze_data(CORRIDOR, [0, 1, 1, 0.5], {0: 0.0, 1: 1.0}, 0)
    assert data.cell.tolist() == [[1, 1], [2, 1], [3, 1], [1, 2]]
    assert data.moves.tolist() == [[1, 0], [2, 1], [3, 0]]
    assert data.labels.tolist() == [0, 1]
    assert data.reason.tolist() == [Obstacle.NONE] * 4
    assert data.sinks.size == 0
    assert not data.lost.any()


def test_a_sink_loses_what_flows_into_it() -> None:
    row = map_from_text("....")
    data = maze_data(row, [0.0, 3.0, 1.0, 2.0], {0: 0.0, 1: 3.0, 2: 1.0, 3: 2.0}, 0)
    assert data.sinks.tolist() == [2]
    assert data.lost.tolist() == [False, False, True, True]
    assert data.reason.tolist() == [0, 0, Obstacle.LABEL_SINK, Obstacle.LABEL_SINK]
    ax = plot_maze(data)
    assert ax.get_xlabel() == "certain to reach the goal: 33.3% of the starts; lost: 66.7%"
    assert drawn(ax, "label that is a sink") == [[2, 0]]
    assert drawn(ax, "goal") == [[0, 0]]
    assert drawn(ax, "label") == [[1, 0], [3, 0]]
    assert labels(ax) == ["label", "label that is a sink", "goal", "lost start"]
    lost, doubtful = ax.collections[:2]
    assert len(lost.get_paths()) == 2
    assert len(doubtful.get_paths()) == 0


def test_a_plateau_is_doubtful_and_not_lost() -> None:
    row = map_from_text("....")
    data = maze_data(row, [0.0, 1.0, 1.0, 1.0], {0: 0.0, 1: 1.0}, 0)
    assert data.reason.tolist() == [0, 0, Obstacle.PLATEAU, Obstacle.PLATEAU]
    assert not data.lost.any()
    assert [2, 1] in data.moves.tolist()
    assert [2, 3] in data.moves.tolist()
    ax = plot_maze(data)
    assert [len(patches.get_paths()) for patches in ax.collections[:2]] == [0, 2]
    assert "33.3% of the starts; lost: 0.0%" in ax.get_xlabel()
    assert labels(ax) == ["label", "goal", "start at the mercy of ties"]


def test_an_arrow_stays_in_its_cell() -> None:
    ax = plot_maze(maze_data(CORRIDOR, [0, 1, 1, 0.5], {0: 0.0, 1: 1.0}, 0))
    (arrows,) = (part for part in ax.collections if isinstance(part, Quiver))
    assert 1 / arrows.scale < 0.5
    assert arrows.headlength * arrows.width < 1 / arrows.scale


def test_walls_have_no_value_and_the_style_is_that_of_the_colours() -> None:
    data = maze_data(CORRIDOR, [0, 1, 1, 0.5], {0: 0.0, 1: 1.0}, 0)
    ax = plot_maze(data, cmap="cividis", vmax=2.0)
    (image,) = ax.images
    shade = np.ma.filled(image.get_array(), np.nan)
    assert np.isnan(shade).tolist() == (~CORRIDOR).tolist()
    assert shade[CORRIDOR].tolist() == [0, 1, 1, 0.5]
    assert image.get_cmap().name == "cividis"
    assert image.get_clim() == (0.0, 2.0)


def test_a_maze_of_other_values_is_refused() -> None:
    with pytest.raises(AssumptionError, match="values are the labels"):
        maze_data(CORRIDOR, [0, 1, 1, 0.5], {0: 0.0, 1: 2.0}, 0)


def test_errors_over_gaps_of_a_path_by_hand() -> None:
    path = [(0, 1), (1, 2), (2, 3)]
    data = error_and_half_gap_data(path, [0.0, 2.0, 2.5, 2.0], [0, 1, 2, 3])
    assert data.vertex.tolist() == [1, 2]  # the gap of the goal and of the leaf is infinite
    assert data.error.tolist() == [0.5, 1.0]
    assert data.oscillation.tolist() == [0.25, 1.0]
    assert data.optimal.tolist() == [True, False]


def test_no_wrong_step_is_certified() -> None:
    problem = maze_problem("medium", refinement=4, fraction=0.02, seed=0)
    distance = distances(problem.graph, problem.goal)
    values = harmonic_extension(problem.graph, problem.labels).values
    data = error_and_half_gap_data(problem.graph, values, distance)
    wrong = ~data.optimal
    assert wrong.sum() > 5
    assert data.oscillation[wrong].min() >= 1
    assert (data.oscillation <= data.error * (1 + 1e-12)).all()
    ax = plot_error_and_half_gap(data, markersize=3.0)
    share = f"{wrong.mean():.1%}"
    assert f"not optimal: {share}" in labels(ax)
    points = np.array(drawn(ax, f"not optimal: {share}"))
    assert points[:, 1].tolist() == data.oscillation[wrong].tolist()


ROW = StudyRow("umaze", 4, 0.1, 0, "amle", 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0)


def test_success_is_averaged_by_power_and_by_refinement() -> None:
    rows = [
        replace(ROW, method="harmonic", success=0.2),
        replace(ROW, method="harmonic", success=0.4, refinement=8),
        replace(ROW, success=0.9),
        replace(ROW, refinement=8),
        replace(ROW, method="midrange 1000", success=0.5),
        replace(ROW, method="midrange 300", success=0.25),
        replace(ROW, method="midrange 300", success=0.75, refinement=8),
        replace(ROW, method="midrange 1000", success=0.5, refinement=8),
    ]
    data = success_by_p_data(rows)
    assert data.power.tolist() == [2.0, inf]
    assert data.mean.round(12).tolist() == [0.3, 0.95]
    assert data.standard_error.round(12).tolist() == [0.1, 0.05]
    assert data.refinement.tolist() == [4, 8]
    assert data.by_refinement.tolist() == [[0.2, 0.9], [0.4, 1.0]]
    assert data.published.tolist() == [0.584, 0.970]
    assert data.sweeps.tolist() == [300, 1000]
    assert data.stopped.tolist() == [[0.5, 0.25], [0.5, 0.0]]
    ax = plot_success_by_p(data, color="black")
    assert labels(ax)[:3] == ["refinement 4", "refinement 8", "mean, two standard errors"]
    assert drawn(ax, "mean, two standard errors") == list(map(list, enumerate(data.mean)))
    assert drawn(ax, "midrange iteration, stopped") == [[2, 0.5], [3, 0.5]]
    ticks = [tick.get_text() for tick in ax.get_xticklabels()]
    assert ticks == ["2", r"$\infty$", "300\nsweeps", "1000\nsweeps"]


def test_success_of_one_real_problem() -> None:
    problem = maze_problem("umaze", refinement=4, fraction=0.1, seed=0)
    data = success_by_p_data(study_rows([problem], methods=["amle"]))
    assert data.mean.tolist() == [1.0]
    assert data.sweeps.size == 0
    assert "one problem" in labels(plot_success_by_p(data))
    assert "mean, two standard errors" not in labels(plot_success_by_p(data))
    ax = plot_success_by_p(replace(data, standard_error=np.zeros(1)))
    assert "midrange iteration, stopped" not in labels(ax)


def test_rows_without_a_power_are_refused() -> None:
    with pytest.raises(DomainError, match="midrange 300"):
        success_by_p_data([replace(ROW, method="midrange 300")])


def test_the_error_stays_below_the_sandwich_and_above_the_residual() -> None:
    path = [(x, x + 1) for x in range(40)]
    data = amle_convergence_data(path, {0: 0.0, 40: 40.0}, sweeps=[1, 10, 100, 1000])
    assert (data.error <= data.error_bound).all()
    assert (data.residual < data.error / [3, 30, 100, 100]).all()
    assert data.error[0] > 10
    assert data.error[-1] < 1e-2
    ax = plot_amle_convergence(data, color="red")
    assert labels(ax) == ["certified by the sandwich", "error", "residual"]
    assert [y for _, y in drawn(ax, "error")] == data.error.tolist()
    assert [y for _, y in drawn(ax, "certified by the sandwich")] == data.error_bound.tolist()
    points = next(line for line in ax.lines if line.get_label() == "error")
    assert to_rgba(points.get_color()) == to_rgba("red")


def test_no_sweeps_are_refused() -> None:
    with pytest.raises(DomainError, match="sweeps = 0"):
        amle_convergence_data([(0, 1)], {0: 0.0}, sweeps=[0])
