"""Certificates: where they hold, what they imply, and what they refuse."""

from fractions import Fraction

import numpy as np
import pytest

from rolltheory.action_gap.certificates import (
    exact_certificate,
    excess_certificate,
    fill_distance_certificate,
    half_gap_certificate,
    oscillation_certificate,
)
from rolltheory.action_gap.distances import distances
from rolltheory.action_gap.gaps import action_gaps
from rolltheory.action_gap.graph import graph_from_array, graph_from_edges
from rolltheory.action_gap.mazes import maze_map
from rolltheory.action_gap.moves import greedy_moves
from rolltheory.action_gap.noise import label_errors, label_noise_bound, label_noise_tolerance
from rolltheory.action_gap.reaching import (
    Obstacle,
    descent_certificate,
    failure_reasons,
    label_sinks,
    obstacles,
    plateaus,
    sink_free_certificate,
)
from rolltheory.action_gap.rollouts import path_quality
from rolltheory.action_gap.success import reaches_goal
from rolltheory.errors import AssumptionError
from simulators.action_gap import cost_to_go, random_labels, random_network

PATH = [(0, 1), (1, 2), (2, 3)]
OF_VALUES = (half_gap_certificate, oscillation_certificate, exact_certificate)
SPOKES = [(0, 1), (1, 2), (2, 3), *[(1, v) for v in range(5, 10)], *[(v, 4) for v in range(5, 10)]]
HARMONIC = np.array([0, 19, 18, 18, 27, 23, 23, 23, 23, 23]) / 9
INFINITY_HARMONIC = [0.0, 1, 2, 2, 3, 2, 2, 2, 2, 2]
SPOKE_LABELS = {0: 0.0, 2: 2.0, 4: 3.0}


@pytest.fixture
def generator():
    return np.random.default_rng(20260520)


def problems(generator, count, *, longest=1.0, error=1.0):
    for _ in range(count):
        network = random_network(10, extra_edges=6, longest=longest, generator=generator)
        lengths = np.round(network.lengths * 4) / 4
        network = type(network)(10, network.edges, lengths)
        graph = graph_from_edges(network.edges, lengths=lengths)
        goal = int(generator.integers(10))
        distance = cost_to_go(network, goal)
        noise = np.round(generator.uniform(-error, error, 10) * 8) / 8
        yield network, graph, goal, distance, distance + noise


def reachable(graph, chosen, start, goal):
    seen, waiting = {start}, [start]
    while waiting:
        vertex = waiting.pop()
        for edge in range(graph.offsets[vertex], graph.offsets[vertex + 1]):
            if vertex != goal and chosen[edge] and int(graph.neighbours[edge]) not in seen:
                seen.add(int(graph.neighbours[edge]))
                waiting.append(int(graph.neighbours[edge]))
    return seen


@pytest.mark.parametrize("longest", [1.0, 4.0])
def test_conditions_are_those_of_the_definitions(longest, generator):
    for _, graph, goal, distance, values in problems(generator, 40, longest=longest):
        error, gaps = values - distance, action_gaps(graph, distance)
        half = half_gap_certificate(graph, values, distance).holds
        oscillation = oscillation_certificate(graph, values, distance).holds
        exact = exact_certificate(graph, values, distance).holds
        for x in set(range(10)) - {goal}:
            row = slice(graph.offsets[x], graph.offsets[x + 1])
            near, lengths = graph.neighbours[row], graph.lengths[row]
            assert half[x] == (np.abs(error[near]).max() < gaps[x] / 2)
            assert oscillation[x] == (np.ptp(error[near]) < gaps[x])
            q, best = lengths + values[near], lengths + distance[near] == distance[x]
            rest = q[~best].min() if (~best).any() else np.inf
            assert exact[x] == (q[best].min() < rest)
        assert all(condition[goal] for condition in (half, oscillation, exact))


def test_certified_means_that_it_holds_wherever_a_rollout_can_be(generator):
    counted = 0
    for _, graph, goal, distance, values in problems(generator, 20):
        chosen = greedy_moves(graph, values)
        for certificate in OF_VALUES:
            found = certificate(graph, values, distance)
            for start in range(10):
                met = reachable(graph, chosen, start, goal)
                assert found.certified[start] == all(found.holds[x] for x in met)
            counted += (found.holds & ~found.certified).sum()
    assert counted > 10


@pytest.mark.parametrize("tolerance", [0.0, 0.5])
@pytest.mark.parametrize("longest", [1.0, 4.0])
def test_a_certified_start_has_an_optimal_path_under_every_tie_rule(longest, tolerance, generator):
    strict = 0
    for _, graph, goal, distance, values in problems(generator, 60, longest=longest):
        kept = {"tie_tolerance": tolerance}
        half, oscillation, exact = (c(graph, values, distance, **kept) for c in OF_VALUES)
        assert not (half.holds & ~oscillation.holds).any()
        assert not (oscillation.holds & ~exact.holds).any()
        strict += (exact.holds & ~half.holds).sum()
        assert (reaches_goal(graph, values, goal, ties="all", **kept) | ~exact.certified).all()
        for ties in ("lowest_index", "highest_index"):
            quality = path_quality(graph, values, distance, ties=ties, **kept)
            assert (quality.optimal | ~exact.certified).all()
    assert strict > 20


def test_the_half_gap_is_strict():
    """Example 2.9: with errors of exactly half the gap the far neighbour ties."""
    distance, values = [0, 1, 2, 3], [0.0, 2.0, 2.0, 2.0]
    assert action_gaps(PATH, distance)[2] == 2
    assert half_gap_certificate(PATH, values, distance).holds.tolist() == [True, True, False, True]
    assert oscillation_certificate(PATH, values, distance).holds[2] == np.False_
    lost = reaches_goal(PATH, values, 0, ties="highest_index")
    assert lost.tolist() == [True, True, False, False]
    nearly = [0.0, 1.875, 2.0, 2.125]
    assert half_gap_certificate(PATH, nearly, distance).certified.all()


def test_oscillation_is_blind_to_a_constant():
    distance = np.array([0, 1, 2, 3])
    assert oscillation_certificate(PATH, distance + 40.0, distance).certified.all()
    assert not half_gap_certificate(PATH, distance + 40.0, distance).holds[1:3].any()


def test_a_tie_tolerance_is_taken_from_the_gap():
    """Trap 13: a planner that takes near ties needs that much more."""
    distance = np.array([0, 1, 2, 3])
    values = distance + 0.5 * np.array([0, 1, 0, -1])
    for tolerance, holds in ((0.5, True), (1.0, False)):
        for certificate in OF_VALUES:
            found = certificate(PATH, values, distance, tie_tolerance=tolerance)
            assert found.holds[2] == holds


def one_lipschitz(generator, graph, network, labelled, distance):
    """A random mixture of the two envelopes, which is 1-Lipschitz and holds the labels."""
    table = np.array([cost_to_go(network, int(label)) for label in labelled])
    low = (distance[labelled][:, None] - table).max(0)
    cut = generator.uniform(low.min(), distance.max())
    return np.clip(cut, low, distance)


@pytest.mark.parametrize("longest", [1.0, 8.0])
def test_what_labels_certify_holds_for_every_lipschitz_extension(longest, generator):
    certified = np.zeros(2, dtype=int)
    for network, graph, goal, distance, _ in problems(generator, 40, longest=longest):
        labelled = random_labels(network, goal, 0.5, generator=generator)
        labels = (labelled, distance[labelled])
        excess = excess_certificate(graph, labels, distance)
        fill = fill_distance_certificate(graph, labels, distance)
        assert not (fill.holds & ~excess.holds).any()
        values = one_lipschitz(generator, graph, network, labelled, distance)
        np.testing.assert_array_equal(values[labelled], distance[labelled])
        exact = exact_certificate(graph, values, distance)
        assert not (excess.holds & ~exact.holds).any()
        assert not (excess.certified & ~exact.certified).any()
        certified += [excess.holds.sum(), fill.holds.sum()]
    assert certified[0] > certified[1] > 0


def test_fill_distance_says_nothing_at_unit_cost():
    """Trap 2: it holds only where all neighbours are labelled or all moves are optimal."""
    graph = graph_from_array(maze_map("medium", refinement=4))
    generator = np.random.default_rng(1)
    goal = int(generator.integers(416))
    distance = distances(graph, goal)
    labelled = np.union1d(generator.choice(416, 42, replace=False), [goal])
    labels = (labelled, distance[labelled])
    fill = fill_distance_certificate(graph, labels, distance)
    excess = excess_certificate(graph, labels, distance)
    marked = np.isin(np.arange(416), labelled)
    all_labelled = np.bincount(graph.sources[~marked[graph.neighbours]], minlength=416) == 0
    assert (fill.holds == (all_labelled | np.isinf(action_gaps(graph, distance)))).all()
    assert fill.certified.mean() < 0.02
    assert fill.holds.mean() < 0.3 < 0.6 < excess.holds.mean()


def test_known_values_certify_more_starts_than_labels_alone(generator):
    more = 0
    for network, graph, goal, distance, _ in problems(generator, 200):
        labelled = random_labels(network, goal, 0.4, generator=generator)
        labels = (labelled, distance[labelled])
        alone = excess_certificate(graph, labels, distance)
        known = excess_certificate(graph, labels, distance, values=distance - 0.0)
        assert (known.holds == alone.holds).all()
        assert not (alone.certified & ~known.certified).any()
        values = one_lipschitz(generator, graph, network, labelled, distance)
        known = excess_certificate(graph, labels, distance, values=values)
        assert not (alone.certified & ~known.certified).any()
        assert (exact_certificate(graph, values, distance).certified | ~known.certified).all()
        more += (known.certified & ~alone.certified).sum()
    assert more > 0


def test_what_is_no_lipschitz_extension_has_no_excess_certificate():
    labels, distance = {0: 0.0, 3: 3.0}, [0, 1, 2, 3]
    for certificate in (excess_certificate, fill_distance_certificate):
        with pytest.raises(AssumptionError, match=r"found 2\.5 at 3, not from 3 to 3"):
            certificate(PATH, labels, distance, values=[0.0, 1.0, 2.0, 2.5])
        with pytest.raises(AssumptionError, match=r"found 1\.5 at 1, not from 1 to 1"):
            certificate(PATH, labels, distance, values=[0.0, 1.5, 2.0, 3.0])
    with pytest.raises(AssumptionError, match=r"found -3 at 3, not from -1 to 3"):
        excess_certificate(PATH, {0: 0.0, 1: 1.0}, distance, values=[0.0, 1.0, 1.0, -3.0])


def test_steep_edges_that_add_up_have_no_certificate():
    """A ring on which 41 edges, each too steep by less than 2^-40 of the size, mislead vertex 1."""
    steps, size, unit = 40, 164.0, 2.0**-40
    rest = size - 4 + 4 * unit * size
    edges = [*((x, x + 1) for x in range(steps + 2)), (steps + 2, 0)]
    graph = graph_from_edges(edges, lengths=[2.0, 2.0, *[4.0] * steps, rest])
    distance = distances(graph, 0)
    values = np.zeros(steps + 3)
    values[2:] = rest - (4 + 0.9 * unit * size) * np.arange(steps, -1, -1)
    values[1] = values[2] + 2
    labels = {0: 0.0, steps + 2: rest}
    steep = np.abs(values[graph.neighbours] - values[graph.sources]) - graph.lengths
    assert 0 < steep.max() < unit * distance.max()
    assert not exact_certificate(graph, values, distance).holds[1]
    with pytest.raises(AssumptionError, match="between the envelopes of the labels"):
        excess_certificate(graph, labels, distance, values=values)


def test_what_solved_values_may_be_off_is_kept_free_on_both_sides():
    """Vertex 1 is too high and vertex 3 too low by less than the unit, and 2 goes the wrong way."""
    unit = 2.0**-40 * 4
    ring, rest = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], 3 + 1.5 * unit
    graph = graph_from_edges(ring, lengths=[2.0, 1.0, 1.0, 1.0, rest])
    distance, labels = distances(graph, 0), {0: 0.0, 4: rest}
    assert distance.tolist() == [0, 2, 3, 4, rest]
    values = np.array([0, 2 + 0.9 * unit, 3, 2 + 0.6 * unit, rest])
    assert not exact_certificate(graph, values, distance).holds[2]
    assert not excess_certificate(graph, labels, distance, values=values).holds[2]


def near_ties(generator):
    """Values that are half a gap off on both sides of vertex 2, but for a few roundings."""
    for _ in range(2000):
        graph = graph_from_edges([(0, 1), (1, 2), (2, 3), (3, 4)], lengths=generator.random(4) + 1)
        distance = distances(graph, 0)
        values = distance + action_gaps(graph, distance)[2] / 2 * np.array([0, 1, 0, -1, 0])
        yield graph, distance, values + generator.integers(-2, 3, 5) * np.spacing(values)


@pytest.mark.parametrize("certificate", [half_gap_certificate, oscillation_certificate])
def test_no_certificate_holds_where_rounding_may_tie(certificate, generator):
    tied = 0
    for graph, distance, values in near_ties(generator):
        exact = exact_certificate(graph, values, distance).holds
        assert not (certificate(graph, values, distance).holds & ~exact).any()
        tied += not exact[2]
    assert tied > 500


def test_certified_descent_reaches_under_every_tie_rule(generator):
    certified, missed = 0, 0
    for _, graph, goal, _, values in problems(generator, 60, longest=3.0, error=2.0):
        for tolerance in (0.0, 0.25):
            found = descent_certificate(graph, values, goal, tie_tolerance=tolerance)
            kept = {"planner": "steepest_slope", "tie_tolerance": tolerance}
            reached = reaches_goal(graph, values, goal, ties="all", **kept)
            assert (reached | ~found.certified).all()
            certified, missed = certified + found.certified.sum(), missed + (~reached).sum()
    assert min(certified, missed) > 100


def test_descent_at_every_vertex_is_a_lower_neighbour(generator):
    for _, graph, goal, _, values in problems(generator, 20):
        holds = descent_certificate(graph, values, goal).holds
        for x in set(range(10)) - {goal}:
            row = graph.neighbours[graph.offsets[x] : graph.offsets[x + 1]]
            assert holds[x] == (values[row].min() < values[x])


def test_sink_free_sees_label_sinks_and_plateaus():
    """Example 2.4 with its labels, and 2.5 with its plateau (trap 12)."""
    harmonic = sink_free_certificate(SPOKES, HARMONIC, SPOKE_LABELS, 0)
    assert np.flatnonzero(~harmonic.certified).tolist() == [2, 3]
    assert sink_free_certificate(SPOKES, INFINITY_HARMONIC, SPOKE_LABELS, 0).certified.all()
    assert np.flatnonzero(label_sinks(SPOKES, HARMONIC, SPOKE_LABELS, 0)).tolist() == [2]
    assert plateaus(SPOKES, HARMONIC).tolist() == [-1, -1, 0, 0, *[-1] * 6]
    dead_end = sink_free_certificate(PATH, [0.0, 1.0, 1.0, 1.0], {0: 0.0, 1: 1.0}, 0)
    assert dead_end.holds.tolist() == [True, True, False, False]


def test_a_flat_vertex_between_falls_is_left_for_good():
    """The leaf behind the label of example 2.4 is flat, and has nowhere to go but down."""
    holds = sink_free_certificate(SPOKES, INFINITY_HARMONIC, SPOKE_LABELS, 0).holds
    assert holds[3]
    assert not descent_certificate(SPOKES, INFINITY_HARMONIC, 0).holds[3]
    star = [(0, 1), (1, 2), (1, 3)]
    solved = [0.0, 1.0, 1.0, 1.0 - 1e-12]
    kept = {"labels": {0: 0.0, 1: 1.0}, "goal": 0}
    with pytest.raises(AssumptionError, match="no interior sink"):
        sink_free_certificate(star, solved, **kept)
    for tolerance, holds in ((1e-11, True), (0.4, True), (0.6, False)):
        found = sink_free_certificate(star, solved, **kept, tie_tolerance=tolerance)
        assert found.certified[2] == found.certified[3] == holds
        if holds:
            options = {"planner": "steepest_slope", "tie_tolerance": tolerance}
            assert reaches_goal(star, solved, 0, ties="all", **options).all()


def test_reasons_name_the_gravest_obstacle_ahead():
    reasons = failure_reasons(SPOKES, HARMONIC, SPOKE_LABELS, 0)
    assert reasons.tolist() == [0, 0, Obstacle.LABEL_SINK, Obstacle.LABEL_SINK, *[0] * 6]
    dead_end = failure_reasons(PATH, [0.0, 1.0, 1.0, 1.0], {0: 0.0, 1: 1.0}, 0)
    assert dead_end.tolist() == [0, 0, Obstacle.PLATEAU, Obstacle.PLATEAU]
    dip = failure_reasons(PATH, [0.0, 2.0, 1.0, 1.5], {0: 0.0}, 0)
    assert dip.tolist() == [0, 0, Obstacle.INTERIOR_SINK, Obstacle.INTERIOR_SINK]
    ring = graph_from_edges([(0, 1), (1, 2), (2, 3), (3, 0)], lengths=[1.0, 4.0, 1.0, 4.0])
    cycling = failure_reasons(ring, [0, 1, 5 / 9, 4 / 9], {0: 0.0, 1: 1.0}, 0)
    assert cycling.tolist() == [0, 0, Obstacle.UPHILL, Obstacle.UPHILL]


def test_a_dip_beside_its_equal_is_no_plateau_and_a_vertex_alone_an_obstacle():
    dip = obstacles(PATH, [0.0, 2.0, 1.0, 1.0], {0: 0.0}, 0)
    assert dip.tolist() == [0, 0, Obstacle.INTERIOR_SINK, Obstacle.PLATEAU]
    apart = graph_from_edges([(0, 1)], vertex_count=3)
    values, labels = [0.0, 1.0, 5.0], {0: 0.0, 2: 5.0}
    assert obstacles(apart, values, labels, 0).tolist() == [0, 0, Obstacle.LABEL_SINK]
    assert failure_reasons(apart, values, labels, 0).tolist() == [0, 0, Obstacle.LABEL_SINK]


def test_slopes_that_rounding_reorders_tie():
    """In rationals the steepest slope leads from 3 to the sink 2; in floats 1 seems steeper."""
    lengths = [1.031545478122436, 3.1349446835849664, 1.0]
    graph = graph_from_edges([(3, 1), (3, 2), (1, 0)], lengths=lengths)
    values = [-1.0, 0.7829273799294533, -1.2342451504118477, 1.7721857179864933]
    near, far = (
        (values[y] - values[3]) / length for y, length in zip((1, 2), lengths[:2], strict=True)
    )
    assert near < far
    near, far = (
        (Fraction(values[y]) - Fraction(values[3])) / Fraction(length)
        for y, length in zip((1, 2), lengths[:2], strict=True)
    )
    assert far < near
    assert descent_certificate(graph, values, 0).certified.tolist() == [True, True, False, False]
    reached = reaches_goal(graph, values, 0, ties="all", planner="steepest_slope")
    assert reached.tolist() == [True, True, False, False]


@pytest.mark.parametrize("planner", ["argmin_q", "steepest_slope"])
def test_every_start_that_can_fail_has_a_reason_and_no_other_has(planner, generator):
    for _, graph, goal, _, values in problems(generator, 60, longest=3.0, error=2.0):
        labels = {goal: float(values[goal]), (goal + 1) % 10: float(values[(goal + 1) % 10])}
        reasons = failure_reasons(graph, values, labels, goal, planner=planner)
        reached = reaches_goal(graph, values, goal, ties="all", planner=planner)
        assert ((reasons == Obstacle.NONE) == reached).all()
        clear = obstacles(graph, values, labels, goal, planner=planner) == Obstacle.NONE
        assert clear[goal]
        if clear.all():
            assert reached.all()


def test_plateaus_are_regions_around_flat_vertices():
    ladder = graph_from_array(np.ones((2, 5), dtype=bool))
    values = [0.0, 1.0, 2.0, 2.0, 2.0, 0.0, 1.0, 2.0, 2.0, 2.0]
    assert plateaus(ladder, values).tolist() == [-1, -1, 0, 0, 0] * 2
    assert (plateaus(ladder, np.arange(10.0)) == -1).all()
    assert plateaus(ladder, np.array(values) + 1e-12 * np.arange(10)).max() == -1
    wide = plateaus(ladder, np.array(values) + 1e-12 * np.arange(10), tolerance=1e-11)
    assert wide.tolist() == [-1, -1, 0, 0, 0] * 2


@pytest.mark.parametrize(
    ("values", "labels", "message"),
    [
        ([0, 1, 2, 3], {3: 3.0}, "the goal is labelled; found no label at 0"),
        ([0, 1, 2, 3], {0: 0.0, 2: 2.5}, "found 2 at 2, which is labelled 2.5"),
        ([0, 1, 0, 3], {0: 0.0, 2: 0.0}, "the goal has the lowest label; found 0 at 2, 0 at"),
        ([0, 2, 1, 2], {0: 0.0, 3: 2.0}, "no interior sink.*found a vertex below all its.*2"),
    ],
)
def test_sink_free_refuses_what_it_does_not_cover(values, labels, message):
    """Trap 10: the goal is labelled, and its label is the lowest."""
    with pytest.raises(AssumptionError, match=message):
        sink_free_certificate(PATH, np.array(values, dtype=float), labels, 0)


def test_without_the_goals_label_the_rollout_is_lost():
    """Trap 10: a path labelled at its far end alone is constant."""
    assert reaches_goal(PATH, np.full(4, 3.0), 0, ties="highest_index").tolist() == [
        True,
        False,
        False,
        False,
    ]


def test_label_noise_just_above_one_half_traps():
    """Example 2.8 and trap 11."""
    leaf = [(0, 1), (1, 2)]
    assert label_noise_bound(leaf) == 0.5
    trapped, free = [0.55, 0.45, 0.45], [0.45, 0.55, 0.55]
    assert not reaches_goal(leaf, trapped, 0, ties="some")[1:].any()
    assert reaches_goal(leaf, free, 0, ties="some").all()
    assert label_errors(leaf, {0: 0.55, 1: 0.45}, [0, 1, 2]) == pytest.approx(0.55)
    assert label_noise_tolerance(leaf, free, {0: 0.45, 1: 0.55}, 0) == pytest.approx(0.05)
    with pytest.raises(AssumptionError, match="no label but the goal is a sink; found no lower"):
        label_noise_tolerance(leaf, trapped, {0: 0.55, 1: 0.45}, 0)


def test_noise_tolerance_is_half_the_smallest_drop_at_a_label():
    tolerance = label_noise_tolerance(SPOKES, INFINITY_HARMONIC, SPOKE_LABELS, 0)
    assert 0.5 - 1e-12 < tolerance <= 0.5
    assert label_noise_tolerance(PATH, [0.0, 0.0, 0.0, 0.0], {0: 0.0}, 0) == np.inf
    ring = graph_from_edges([(0, 1), (1, 2), (2, 3), (3, 0)], lengths=[1.0, 4.0, 1.0, 4.0])
    assert label_noise_bound(ring) == 0.5
