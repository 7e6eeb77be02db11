"""Greedy moves, and success under every kind of tie-breaking against brute force."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

from rolltheory.action_gap.distances import distances
from rolltheory.action_gap.graph import graph_from_edges
from rolltheory.action_gap.moves import greedy_moves, greedy_successors, move_scores
from rolltheory.action_gap.rollouts import path_quality, rollout
from rolltheory.action_gap.success import reaches_goal, success_probability
from rolltheory.errors import AssumptionError, DomainError
from simulators.action_gap import greedy_runs, random_network

PATH = [(0, 1), (1, 2), (2, 3)]
DEAD_END = [0.0, 1.0, 1.0, 1.0]
RING = graph_from_edges([(0, 1), (1, 2), (2, 3), (3, 0)], lengths=[1.0, 4.0, 1.0, 4.0])
RING_VALUES = [0.0, 1.0, 5 / 9, 4 / 9]


@pytest.fixture
def generator():
    return np.random.default_rng(20260519)


def ties_of(graph, chosen):
    return [
        graph.neighbours[graph.offsets[x] : graph.offsets[x + 1]][
            chosen[graph.offsets[x] : graph.offsets[x + 1]]
        ].tolist()
        for x in range(graph.vertex_count)
    ]


def follow(successors, start, goal):
    vertex = start
    for _ in range(len(successors)):
        if vertex == goal:
            return True
        vertex = successors[vertex]
    return vertex == goal


def small_problems(generator, count):
    """Random graphs of six vertices with values of few levels, so that ties abound."""
    for _ in range(count):
        network = random_network(6, extra_edges=4, generator=generator)
        graph = graph_from_edges(network.edges)
        yield network, graph, generator.integers(0, 3, 6).astype(float), int(generator.integers(6))


def test_all_and_some_are_every_and_any_stationary_tie_rule(generator):
    """All ways to break ties: what can fail or succeed at all does so with a stationary rule."""
    unequal = 0
    for _, graph, values, goal in small_problems(generator, 60):
        tied = ties_of(graph, greedy_moves(graph, values))
        outcomes = np.array(
            [[follow(rule, x, goal) for x in range(6)] for rule in itertools.product(*tied)]
        )
        assert (reaches_goal(graph, values, goal, ties="all") == outcomes.all(0)).all()
        assert (reaches_goal(graph, values, goal, ties="some") == outcomes.any(0)).all()
        for ties, place in (("lowest_index", 0), ("highest_index", -1)):
            rule = [row[place] for row in tied]
            expected = [follow(rule, x, goal) for x in range(6)]
            assert reaches_goal(graph, values, goal, ties=ties).tolist() == expected
            assert greedy_successors(graph, values, ties=ties).tolist() == rule
        unequal += (outcomes.all(0) != outcomes.any(0)).sum()
    assert unequal > 20


def exact_probability(tied, goal):
    """By elimination in rationals of the least solution: iterate its support first."""
    count = len(tied)
    possible = {goal}
    for _ in range(count):
        possible |= {x for x in range(count) if possible & set(tied[x])}
    open_ones = sorted(possible - {goal})
    rows = []
    for x in open_ones:
        share = Fraction(1, len(tied[x]))
        row = [Fraction(int(x == y)) - share * tied[x].count(y) for y in open_ones]
        rows.append([*row, share * tied[x].count(goal)])
    for i in range(len(rows)):
        pivot = next(r for r in range(i, len(rows)) if rows[r][i])
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [entry / rows[i][i] for entry in rows[i]]
        for r in range(len(rows)):
            if r != i and rows[r][i]:
                rows[r] = [a - rows[r][i] * b for a, b in zip(rows[r], rows[i], strict=True)]
    value = {x: row[-1] for x, row in zip(open_ones, rows, strict=True)} | {goal: Fraction(1)}
    return [value.get(x, Fraction(0)) for x in range(count)]


def test_random_ties_reach_with_the_probability_of_the_chain(generator):
    between = 0
    for _, graph, values, goal in small_problems(generator, 80):
        tied = ties_of(graph, greedy_moves(graph, values))
        exact = exact_probability(tied, goal)
        found = success_probability(graph, values, goal)
        np.testing.assert_allclose(found, [float(p) for p in exact], atol=1e-14)
        sure = reaches_goal(graph, values, goal, ties="random")
        assert sure.tolist() == [p == 1 for p in exact]
        assert (found[sure] == 1).all()
        between += sum(0 < p < 1 for p in exact)
    assert between > 20


def test_simulated_random_ties_agree_with_the_probability(generator):
    network = random_network(6, extra_edges=4, generator=np.random.default_rng(5))
    graph = graph_from_edges(network.edges)
    values = np.array([1.0, 2.0, 0.0, 2.0, 1.0, 1.0])
    truth = success_probability(graph, values, 0)
    starts = np.tile(np.arange(6), 500)
    runs = greedy_runs(network, values, starts, 0, step_cap=200, generator=generator)
    share = runs.reached.reshape(500, 6).mean(0)
    assert (np.abs(share - truth) <= 5 * np.sqrt(truth * (1 - truth) / 500)).all()


def test_the_tie_rules_imply_each_other(generator):
    open_ones = 0
    for _, graph, values, goal in small_problems(generator, 80):
        rules = ("all", "random", "farthest_visited", "some")
        outcome = [reaches_goal(graph, values, goal, ties=ties) for ties in rules]
        for stronger, weaker in itertools.pairwise(outcome):
            assert not (stronger & ~weaker).any()
        for start in range(6):
            walked = rollout(graph, values, start, goal, step_cap=500, ties="farthest_visited")
            assert walked.reached == outcome[2][start]
        open_ones += (outcome[1] != outcome[3]).sum()
    assert open_ones > 10


def test_a_dead_end_behind_a_label_is_lost_by_ties_alone():
    """Example 2.5 and trap 12: whoever prefers the far end of a plateau stays there."""
    reached = {
        ties: reaches_goal(PATH, DEAD_END, 0, ties=ties).tolist()
        for ties in ("lowest_index", "highest_index", "farthest_visited", "random", "all", "some")
    }
    lost = [True, True, False, False]
    assert reached.pop("highest_index") == reached.pop("all") == lost
    assert all(all(starts) for starts in reached.values())
    assert success_probability(PATH, DEAD_END, 0).tolist() == [1, 1, 1, 1]
    walked = rollout(PATH, DEAD_END, 3, 0, step_cap=9, ties="farthest_visited")
    assert walked.vertices.tolist() == [3, 2, 1, 0]


def test_harmonic_resolves_a_tie_that_the_infinity_harmonic_extension_has():
    """The second part of example 2.5."""
    graph = graph_from_edges([(0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (3, 6), (4, 5)])
    harmonic = np.array([26, 28, 39, 27, 18, 0, 27]) / 13
    flat = np.array([2.0, 2, 3, 2, 1, 0, 2])
    kept = {"ties": "highest_index", "goal": 5}
    assert reaches_goal(graph, harmonic, **kept).all()
    lost = np.flatnonzero(~reaches_goal(graph, flat, **kept))
    assert lost.tolist() == [3, 6]
    assert rollout(graph, flat, 3, 5, step_cap=3, ties="highest_index").vertices.tolist() == [
        3,
        6,
        3,
        6,
    ]


def test_argmin_q_cycles_on_lengths_where_the_steepest_slope_descends():
    """Example 2.10 and trap 9."""
    scores = dict(zip(zip(RING.sources, RING.neighbours, strict=True),
                      move_scores(RING, RING_VALUES), strict=True))  # fmt: skip
    assert scores[2, 3] == pytest.approx(13 / 9)
    assert scores[2, 1] == pytest.approx(5)
    assert scores[3, 2] == pytest.approx(14 / 9)
    assert scores[3, 0] == pytest.approx(4)
    assert reaches_goal(RING, RING_VALUES, 0, ties="some").tolist() == [True, True, False, False]
    assert reaches_goal(RING, RING_VALUES, 0, ties="all", planner="steepest_slope").all()
    assert rollout(RING, RING_VALUES, 2, 0, step_cap=3).vertices.tolist() == [2, 3, 2, 3]


def test_both_planners_make_the_same_moves_at_unit_cost(generator):
    for _, graph, values, _ in small_problems(generator, 20):
        by_q = greedy_moves(graph, values)
        assert (by_q == greedy_moves(graph, values, planner="steepest_slope")).all()


def test_rounding_breaks_a_tie_unless_the_tolerance_covers_it():
    """Trap 13: an error of 1e-11 decides where the exact values leave a choice."""
    solved = np.array(DEAD_END) + 1e-11 * np.array([0, 1, 0, 0])
    assert not reaches_goal(PATH, solved, 0, ties="some")[2:].any()
    tolerant = {"tie_tolerance": 2e-11}
    assert reaches_goal(PATH, solved, 0, ties="some", **tolerant).all()
    assert reaches_goal(PATH, solved, 0, ties="lowest_index", **tolerant).all()
    assert not reaches_goal(PATH, solved, 0, ties="all", **tolerant)[2:].any()


def test_a_step_cap_tells_slow_from_lost():
    """Trap 17: the capped rollout fails where the uncapped one only takes long."""
    values = [0.0, 1.0, 2.0, 3.0]
    assert reaches_goal(PATH, values, 0).all()
    assert not rollout(PATH, values, 3, 0, step_cap=2).reached
    assert rollout(PATH, values, 3, 0, step_cap=3).reached


def test_path_quality_is_that_of_the_walked_rollouts(generator):
    for longest in (1.0, 3.0):
        network = random_network(30, extra_edges=20, longest=longest, generator=generator)
        graph = graph_from_edges(network.edges, lengths=network.lengths)
        distance = distances(graph, 7)
        values = distance + generator.uniform(-3, 3, 30)
        quality = path_quality(graph, values, distance)
        runs = greedy_runs(
            network, values, range(30), 7, step_cap=30, ties="lowest_index", generator=generator
        )
        assert (quality.reached == runs.reached).all()
        assert (quality.reached == reaches_goal(graph, values, 7)).all()
        assert 1 < quality.reached.sum() < 30
        there = quality.reached
        assert (quality.steps[there] == runs.steps[there]).all()
        np.testing.assert_allclose(quality.cost[there], runs.cost[there], rtol=1e-13)
        away = there & (distance > 0)
        np.testing.assert_allclose(quality.stretch[away], runs.cost[away] / distance[away])
        assert quality.stretch[7] == 1
        assert (quality.steps[~there] == -1).all()
        assert np.isinf(quality.cost[~there]).all()
        assert (quality.optimal == (there & (quality.stretch <= 1 + 1e-9))).all()
        assert quality.mean_stretch == pytest.approx((runs.cost[away] / distance[away]).mean())


def test_a_five_ring_takes_the_long_way():
    """Example 2.6: the rollout reaches, one step longer than it need be."""
    ring = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)]
    values = [0.0, 1.0, 0.75, 0.5, 0.25]
    quality = path_quality(ring, values, [0, 1, 2, 2, 1])
    assert quality.steps.tolist() == [0, 1, 3, 2, 1]
    assert quality.optimal.tolist() == [True, True, False, True, True]
    assert quality.optimal_fraction == 0.75
    with pytest.raises(DomainError, match="successes = 0"):
        _ = path_quality(
            PATH, [9.0, 3.0, 1.0, 1.0], [0, 1, 2, 3], ties="highest_index"
        ).mean_stretch


def test_the_smallest_harmonic_failure_starts_at_a_label():
    """Example 2.4 and trap 18: the labelled vertex 2 is lost, with the leaf behind it."""
    spokes = [(1, v) for v in range(5, 10)] + [(v, 4) for v in range(5, 10)]
    graph = graph_from_edges([(0, 1), (1, 2), (2, 3), *spokes])
    harmonic = np.array([0, 19, 18, 18, 27, 23, 23, 23, 23, 23]) / 9
    for ties in ("all", "some"):
        reached = reaches_goal(graph, harmonic, 0, ties=ties)
        assert np.flatnonzero(~reached).tolist() == [2, 3]
    infinity_harmonic = [0.0, 1, 2, 2, 3, 2, 2, 2, 2, 2]
    assert reaches_goal(graph, infinity_harmonic, 0, ties="all").all()


def test_a_vertex_alone_goes_nowhere():
    graph = graph_from_edges([(0, 1)], vertex_count=3)
    assert greedy_successors(graph, [0.0, 1.0, 2.0]).tolist() == [1, 0, 2]
    for ties in ("all", "some", "random", "farthest_visited", "lowest_index"):
        assert reaches_goal(graph, [0.0, 1.0, 2.0], 0, ties=ties).tolist() == [True, True, False]
        assert reaches_goal(graph, [0.0, 1.0, 2.0], 2, ties=ties).tolist() == [False, False, True]
    with pytest.raises(DomainError, match="start = 2 is not allowed: need a vertex that has neig"):
        rollout(graph, [0.0, 1.0, 2.0], 2, 0, step_cap=3)


def test_random_rollouts_need_a_generator_and_no_other_takes_one(generator):
    walked = rollout(PATH, DEAD_END, 3, 0, step_cap=10_000, ties="random", generator=generator)
    assert walked.reached
    assert walked.vertices[-1] == 0
    with pytest.raises(DomainError, match="generator = None is not allowed"):
        rollout(PATH, DEAD_END, 3, 0, step_cap=9, ties="random")
    with pytest.raises(DomainError, match="generator = Generator"):
        rollout(PATH, DEAD_END, 3, 0, step_cap=9, generator=generator)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"ties": "first"}, "ties = 'first' is not allowed: need one of"),
        ({"planner": "greedy"}, "planner = 'greedy' is not allowed: need one of"),
        ({"tie_tolerance": -1.0}, r"tie_tolerance = -1\.0 is not allowed"),
        ({"tie_tolerance": np.nan}, "tie_tolerance = nan is not allowed"),
    ],
)
def test_wrong_options_are_refused(options, message):
    with pytest.raises(DomainError, match=message):
        reaches_goal(PATH, DEAD_END, 0, **options)


def test_wrong_values_are_refused():
    with pytest.raises(DomainError, match=r"values\.shape = \(3,\)"):
        greedy_moves(PATH, [0.0, 1.0, 2.0])
    with pytest.raises(DomainError, match="values = nan"):
        greedy_moves(PATH, [0.0, 1.0, np.nan, 2.0])
    with pytest.raises(DomainError, match="vertex = 9 "):
        reaches_goal(PATH, DEAD_END, 9)
    with pytest.raises(DomainError, match="ties = 'all' is not allowed"):
        greedy_successors(PATH, DEAD_END, ties="all")
    with pytest.raises(DomainError, match="ties = 'all' is not allowed"):
        rollout(PATH, DEAD_END, 0, 1, step_cap=1, ties="all")
    with pytest.raises(AssumptionError, match="cost_to_go is the distance"):
        path_quality(PATH, DEAD_END, [0, 1, 2, 2])
