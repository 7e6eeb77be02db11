"""Planners on small graphs that were worked out by hand, and the study beside the published one."""

import csv
import io
from dataclasses import replace

import numpy as np
import pytest

from rolltheory.action_gap import amle, graph_from_edges, maze_problem, study_rows
from rolltheory.action_gap.study import PUBLISHED
from rolltheory.errors import AssumptionError, DomainError
from rolltheory.numerics.generators import seeded_generator
from rolltheory.report.action_gap import (
    certify,
    drawn_labels,
    labelled_graph,
    study_report,
    study_table,
)
from rolltheory.report.action_gap import suggestion as suggestions

FIVE = [f"via{number}" for number in range(5)]
FAN = [("goal", "y"), ("y", "b"), ("b", "leaf")]
FAN += [(mid, end) for mid in FIVE for end in ("y", "t")]
LABELS = {"goal": 0.0, "b": 2.0, "t": 3.0}
PATH = graph_from_edges([("goal", "b"), ("b", "x"), ("x", "y")])


def fan(**labels):
    return labelled_graph(graph_from_edges(FAN), LABELS | labels, "goal")


def reasons(found):
    return {
        name: reason
        for name, reason in zip(found.starts.names, found.starts.reasons, strict=True)
        if reason is not None
    }


def test_the_smallest_harmonic_failure():
    found = certify(fan(), extension="harmonic")
    assert reasons(found) == {"b": "label sink", "leaf": "label sink"}
    assert found.certified == pytest.approx(7 / 9)
    assert found.success == pytest.approx(dict.fromkeys(found.success, 7 / 9))
    assert set(found.success) == {"all", "some", "random", "lowest_index"}
    assert found.noise.tolerance is None
    by_name = dict(zip(found.starts.names, found.starts.values, strict=True))
    assert by_name["y"] == pytest.approx(19 / 9)
    assert found.suggestion.vertices == ("y",)
    assert found.suggestion.values == (1.0,)
    assert found.suggestion.irreducible


def test_the_amle_of_the_same_labels_reaches():
    found = certify(fan())
    assert reasons(found) == {}
    assert found.success["all"] == found.certified == 1.0
    assert found.noise.error == 0.0
    assert found.noise.harmless == 0.5
    assert found.noise.tolerance == pytest.approx(0.5)
    assert found.suggestion.vertices == ()
    verdicts = {verdict.name: verdict for verdict in found.certificates}
    assert set(verdicts) == {
        *("half gap", "oscillation", "exact", "excess", "fill distance", "descent", "sink-free")
    }
    assert all(verdict.refused is None for verdict in verdicts.values())
    assert verdicts["sink-free"].needs == "labels only"
    assert verdicts["sink-free"].implies == "reaching"
    assert verdicts["fill distance"].starts <= verdicts["excess"].starts


def test_a_power_between_repairs_it_too():
    found = certify(fan(), extension="p-harmonic", p=4)
    assert found.success["all"] == 1.0
    assert found.extension == "variational p = 4"
    assert dict(zip(found.starts.names, found.starts.values, strict=True))["y"] == pytest.approx(
        1.4027, abs=5e-5
    )


def test_a_plateau_fails_by_ties_alone():
    problem = labelled_graph(PATH, {"goal": 0.0, "b": 1.0}, "goal")
    found = certify(problem, ties="highest_index")
    assert reasons(found) == {"x": "plateau", "y": "plateau"}
    assert found.success == pytest.approx(
        {"all": 1 / 3, "some": 1.0, "highest_index": 1 / 3, "random": 1.0}
    )
    assert found.flat == 2
    assert (found.suggestion.vertices, found.suggestion.values) == (("y",), (3.0,))
    assert found.recovery_labels == 2


def test_label_noise_is_told_from_the_labels_places():
    graph = graph_from_edges([("goal", "x"), ("x", "a"), ("a", "c"), ("c", "end")])
    labels = {"goal": 0.0, "a": 2.6, "c": 2.5}
    found = certify(labelled_graph(graph, labels, "goal", noise=0.3))
    assert reasons(found) == {"c": "label sink", "end": "label sink"}
    assert found.starts.by_noise.tolist() == [False, False, False, True, True]
    assert found.noise.error == pytest.approx(0.6)
    assert found.suggestion.vertices == ()  # exact values in place of these would do
    refused = {verdict.name for verdict in found.certificates if verdict.refused is not None}
    assert refused == {"excess", "fill distance"}


def test_lengths_need_the_planner_of_steepest_slope():
    ring = graph_from_edges([(0, 1), (1, 2), (2, 3), (3, 0)], lengths=[1, 4, 1, 4])
    problem = labelled_graph(ring, {0: 0.0, 1: 1.0}, 0)
    steep, short = certify(problem, planner="steepest_slope"), certify(problem)
    assert steep.success["all"] == steep.certified == 1.0
    assert short.success["some"] == pytest.approx(1 / 3)
    assert set(reasons(short)) == {2, 3}
    by_planner = {verdict.name: verdict.planner for verdict in steep.certificates}
    assert by_planner["half gap"] == "argmin_q"
    assert by_planner["exact"] == by_planner["sink-free"] == "steepest_slope"


@pytest.mark.parametrize("extension", ["amle", "harmonic"])
def test_what_is_certified_reaches_the_goal(extension):
    problem = maze_problem("medium", refinement=4, fraction=0.05, seed=1)
    graph, (vertices, values) = problem.graph, problem.labels
    labels = dict(zip(vertices.tolist(), values.tolist(), strict=True))
    found = certify(labelled_graph(graph, labels, problem.goal), extension=extension, seconds=0)
    assert found.suggestion is None
    unproved = [reason for reason in found.starts.reasons if reason and "no certificate" in reason]
    missed = len(reasons(found)) - len(unproved)
    assert found.success["all"] == pytest.approx(1 - missed / (graph.vertex_count - 1))
    assert found.certified == pytest.approx(1 - len(reasons(found)) / (graph.vertex_count - 1))


def test_a_search_out_of_time_says_what_it_knows(monkeypatch):
    hours = iter(range(100))
    monkeypatch.setattr(suggestions, "monotonic", lambda: 1.0 * next(hours))
    assert certify(fan(), extension="harmonic", seconds=1.0).suggestion is None
    found = certify(fan(), extension="harmonic", seconds=3.0).suggestion
    assert found.vertices == ("y",)
    assert not found.irreducible


@pytest.mark.parametrize(
    ("labels", "goal", "found"),
    [
        ({"b": 1.0}, "goal", "the goal is labelled; found no label at 'goal'"),
        (
            {"goal": 1.0, "b": 1.0},
            "goal",
            "the goal has the lowest label; found 1 at 'b', 1 at the goal",
        ),
        ({"goal": 0.0, "y": 3.5}, "goal", "found 3.5 at 'y' and 0 at 'goal', 3 apart"),
        ({"goal": 0.0, "b": 0.5, "y": 3.0}, "goal", "found 3 at 'y' and 0.5 at 'b', 2 apart"),
    ],
)
def test_labels_that_cannot_be_distances_are_refused(labels, goal, found):
    with pytest.raises(AssumptionError) as error:
        labelled_graph(PATH, labels, goal)
    assert found in str(error.value)


def test_noise_lets_labels_differ_by_twice_as_much():
    labels = {"goal": 0.0, "y": 3.5}
    assert labelled_graph(PATH, labels, "goal", noise=0.25).label_error == pytest.approx(0.5)
    with pytest.raises(AssumptionError, match=r"twice the noise \(0.2\)"):
        labelled_graph(PATH, labels, "goal", noise=0.2)


def test_parts_apart_are_refused():
    graph = graph_from_edges([("goal", "a"), ("c", "d")])
    with pytest.raises(AssumptionError, match="can reach the goal; found no way from 'c'"):
        labelled_graph(graph, {"goal": 0.0}, "goal")
    with pytest.raises(AssumptionError, match="can reach the goal; found no way from 'c'"):
        labelled_graph(graph, {"goal": 0.0, "c": 1.0}, "goal")
    with pytest.raises(AssumptionError, match="no way from 'c'"):
        drawn_labels(graph, "goal", fraction=0.5, generator=seeded_generator(0))


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ({"p": 4.0}, "p = 4.0"),
        ({"extension": "p-harmonic"}, "p = None"),
        ({"extension": "p-harmonic", "p": 1.0}, "a number from 2"),
        ({"extension": "linear"}, "one of ('amle', 'harmonic', 'p-harmonic')"),
        ({"ties": "all"}, "ties = 'all'"),
        ({"tie_tolerance": -1.0}, "twice the error bound"),
        ({"seconds": -1.0}, "seconds"),
    ],
)
def test_options_outside_their_ranges_are_refused(options, found):
    with pytest.raises(DomainError) as error:
        certify(fan(), **options)
    assert found in str(error.value)


def test_a_wider_tie_tolerance_turns_narrow_leads_into_ties():
    strict, wide = (certify(fan(), tie_tolerance=size) for size in (0.1, 1.5))
    assert strict.success["all"] == 1.0
    assert wide.success["all"] < 1.0
    assert wide.success["some"] == 1.0


def test_drawn_labels_are_exact_and_hold_the_goal():
    labels = drawn_labels(PATH, "x", fraction=0.5, generator=seeded_generator(3))
    true = {"goal": 2.0, "b": 1.0, "x": 0.0, "y": 1.0}
    assert labels["x"] == 0.0
    assert labels.items() <= true.items()
    assert 2 <= len(labels) <= 3
    with pytest.raises(DomainError, match="label_fraction"):
        drawn_labels(PATH, "x", fraction=1.5, generator=seeded_generator(3))


@pytest.fixture(scope="module")
def rows():
    problems = [maze_problem("umaze", refinement=4, fraction=0.1, seed=seed) for seed in (0, 1)]
    return list(study_rows(problems, methods=["harmonic", "amle", "midrange 300"]))


def test_a_small_study_is_not_set_against_the_published(rows):
    found = study_report(rows)
    assert found.problems == 2
    assert not found.comparable
    assert [result.method for result in found.methods] == ["harmonic", "amle", "midrange 300"]
    assert [result.published for result in found.methods] == [0.584, 0.970, None]
    assert {result.agrees for result in found.methods} == {None}
    assert found.methods[1].success == np.mean([r.success for r in rows if r.method == "amle"])
    assert "not compared" in found.statement


def the_published_design(rows, success):
    """Rows of all 120 configurations whose successes have a standard error of about 0.009."""
    template, spread = rows[0], (0.1, -0.1)
    return [
        replace(
            template,
            layout=layout,
            refinement=size,
            fraction=fraction,
            seed=seed,
            method=method,
            success=mean + spread[number % 2],
        )
        for method, mean in success.items()
        for number, (layout, size, fraction, seed) in enumerate(
            (layout, size, fraction, seed)
            for seed in range(5)
            for layout in ("medium", "large")
            for size in (4, 8, 12)
            for fraction in (0.01, 0.02, 0.05, 0.1)
        )
    ]


def test_the_published_design_is_compared_method_by_method(rows):
    success = {"harmonic": PUBLISHED["harmonic"] + 0.02, "amle": 0.9999, "midrange 1000": 0.96}
    found = study_report(the_published_design(rows, success))
    assert found.comparable
    assert [result.agrees for result in found.methods] == [True, False, None]
    assert "Within three standard errors of the published: harmonic." in found.statement
    assert "Apart from it: amle (0.9999 against 0.970)." in found.statement
    assert "That it was one is a guess" in found.statement


def test_another_design_of_the_same_size_is_not_compared(rows):
    design = the_published_design(rows, {"amle": 0.97})
    moved = [replace(row, fraction=0.2) if row.fraction == 0.1 else row for row in design]
    assert not study_report(moved).comparable


def test_the_table_holds_every_row(rows):
    table = list(csv.DictReader(io.StringIO(study_table(rows))))
    assert len(table) == len(rows)
    assert [float(line["success"]) for line in table] == [row.success for row in rows]
    assert [line["method"] for line in table] == [row.method for row in rows]


def test_no_rows_no_report():
    with pytest.raises(DomainError, match="at least one maze problem"):
        study_report([])


def test_the_certified_values_are_those_of_the_solver():
    found = certify(fan())
    exact = amle(graph_from_edges(FAN), LABELS)
    np.testing.assert_array_equal(found.starts.values, exact.values)
    assert (found.error_bound, found.residual) == (exact.error_bound, exact.residual)
    assert found.tie_tolerance == 2 * exact.error_bound
