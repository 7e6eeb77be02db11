"""The maze study: its problems, its measures, and the shape of its results on a seeded part."""

import numpy as np
import pytest

from rolltheory.action_gap.amle import amle
from rolltheory.action_gap.distances import distances
from rolltheory.action_gap.graph import as_graph
from rolltheory.action_gap.study import (
    EXTENSIONS,
    StudyRow,
    maze_problem,
    maze_problems,
    study_rows,
    study_summary,
    truncated_midrange,
)
from rolltheory.errors import DomainError
from simulators.action_gap import greedy_runs, network_of_cells


@pytest.fixture(scope="module")
def rows():
    problems = maze_problems(layouts=["medium"], refinements=[4, 8], fractions=[0.02])
    return list(study_rows(problems, methods=("harmonic", "p = 4", "amle", "midrange 300")))


def test_problems_are_drawn_from_their_seed():
    first = maze_problem("medium", refinement=4, fraction=0.05, seed=3)
    again = maze_problem("medium", refinement=4, fraction=0.05, seed=3)
    other = maze_problem("medium", refinement=4, fraction=0.05, seed=4)
    assert first.goal == again.goal
    assert (first.labels[0] == again.labels[0]).all()
    assert first.labels[0].tolist() != other.labels[0].tolist()
    vertices, values = first.labels
    assert first.goal in vertices
    assert vertices.size in (21, 22)
    assert (values == distances(first.graph, first.goal)[vertices]).all()


def test_the_defaults_are_120_configurations():
    counted = {
        (p.layout, p.refinement, p.fraction, p.seed) for p in maze_problems(refinements=(1, 2, 3))
    }
    assert len(counted) == 120


def test_success_is_that_of_walked_rollouts():
    problem = maze_problem("medium", refinement=4, fraction=0.02, seed=1)
    graph = problem.graph
    count = graph.vertex_count
    (row,) = study_rows([problem], methods=["harmonic"])
    values = EXTENSIONS["harmonic"](graph, problem.labels).values
    pairs = np.column_stack([graph.sources, graph.neighbours])
    network = network_of_cells(np.ones((1, 1)))
    edges = pairs[pairs[:, 0] < pairs[:, 1]]
    network = type(network)(count, edges, np.ones(len(edges)))
    runs = greedy_runs(
        network,
        values,
        range(count),
        problem.goal,
        step_cap=count,
        ties="lowest_index",
        tie_tolerance=1e-9,
        generator=np.random.default_rng(0),
    )
    share = (runs.reached.sum() - 1) / (count - 1)
    assert row.success == pytest.approx(share, abs=1e-12)
    assert 0 < row.success < 1


def test_the_study_has_its_shape_on_a_seeded_part(rows):
    success = {name: found.mean for name, found in study_summary(rows, "success").items()}
    assert success["harmonic"] < success["p = 4"] < success["amle"]
    assert success["amle"] >= 0.999
    assert success["midrange 300"] < success["amle"]
    harmonic = [row for row in rows if row.method == "harmonic"]
    coarse = np.mean([row.success for row in harmonic if row.refinement == 4])
    fine = np.mean([row.success for row in harmonic if row.refinement == 8])
    assert fine < coarse


def test_rows_are_consistent(rows):
    assert len(rows) == 40
    for row in rows:
        assert row.success_all <= row.success <= row.success_some
        assert row.half_gap <= row.oscillation <= row.exact <= row.success_all
        assert row.excess <= row.exact
        assert row.stretch >= 1
        assert row.method == "amle" or row.excess == 0
    amle_rows = [row for row in rows if row.method == "amle"]
    assert max(row.label_sinks for row in amle_rows) == 0
    assert all(row.success_some == 1 for row in amle_rows)


def test_stopping_early_is_not_the_limit():
    """Trap 4: what 100 sweeps lose, the exact solution does not."""
    problem = maze_problem("medium", refinement=8, fraction=0.01, seed=0)
    exact = amle(problem.graph, problem.labels).values
    errors = [
        np.abs(truncated_midrange(problem.graph, problem.labels, sweeps=sweeps) - exact).max()
        for sweeps in (100, 1000, 10_000)
    ]
    assert errors[0] > errors[1] > errors[2]
    assert errors[0] > 10
    assert truncated_midrange([(0, 1)], {0: 0.0}, sweeps=0).tolist() == [0.0, 0.0]


def test_a_summary_is_mean_and_standard_error():
    zeros = dict.fromkeys(StudyRow.__annotations__, 0.0)
    made = [StudyRow(**{**zeros, "method": "one", "success": s}) for s in (0.2, 0.4, 0.6)]
    found = study_summary(made, "success")["one"]
    assert found.mean == pytest.approx(0.4)
    assert found.standard_error == pytest.approx(0.2 / np.sqrt(3))
    assert found.problems == 3
    assert study_summary(made[:1], "success")["one"].standard_error == np.inf


def test_what_the_study_cannot_do_is_refused():
    with pytest.raises(DomainError, match="layout = 'teleport' is not allowed: need a layout who"):
        maze_problem("teleport", refinement=1, fraction=0.1, seed=0)
    with pytest.raises(DomainError, match=r"fraction = 1\.5"):
        maze_problem("medium", refinement=1, fraction=1.5, seed=0)
    with pytest.raises(DomainError, match="seed = -1"):
        maze_problem("medium", refinement=1, fraction=0.5, seed=-1)
    with pytest.raises(DomainError, match="methods = 'best' is not allowed: need names among har"):
        study_rows([], methods=["best"])
    with pytest.raises(DomainError, match="measure = 'layout' is not allowed"):
        study_summary([], "layout")
    with pytest.raises(DomainError, match="need a graph of unit cost"):
        truncated_midrange(as_graph([(0, 1)], lengths=[2.0]), {0: 0.0}, sweeps=1)
