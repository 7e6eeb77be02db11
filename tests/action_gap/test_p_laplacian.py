"""p-harmonic extensions: closed forms, invariances, limits, and bounds that are honest."""

import networkx
import numpy as np
import pytest

from rolltheory.action_gap import _local_means
from rolltheory.action_gap.amle import amle
from rolltheory.action_gap.distances import distances
from rolltheory.action_gap.graph import graph_from_array, graph_from_edges
from rolltheory.action_gap.harmonic import harmonic_extension
from rolltheory.action_gap.p_laplacian import p_harmonic_extension
from rolltheory.errors import DomainError, UnsupportedError

MISRANKING = [(0, 1), (0, 4), (1, 2), (2, 3), (2, 5), (4, 5), (5, 6)]
MISRANKING_LABELS = {1: 0.0, 3: 2.0, 6: 3.0}
BUNDLE = [(0, 1), (1, 2), (2, 3), *[(1, k) for k in range(5, 10)], *[(k, 4) for k in range(5, 10)]]
STAR = [(0, 1), (0, 2), (0, 3)]
STAR_LABELS = {1: 0.0, 2: 0.0, 3: 1.0}
MAZE = ["1111111", "1001001", "1000101", "1010001", "1000111", "1110001", "1111111"]


def maze(refinement=4):
    cells = np.array([[mark == "0" for mark in row] for row in MAZE])
    return graph_from_array(np.kron(cells, np.ones((refinement, refinement), dtype=bool)))


def maze_labels(graph, share, seed):
    rng = np.random.default_rng(seed)
    chosen = rng.choice(graph.vertex_count, round(share * graph.vertex_count), replace=False)
    return chosen, distances(graph, int(chosen[0]))[chosen]


def scale_free_residual(graph, u, p, labelled):
    """Written out from the Euler equation, with nothing of the solver."""
    worst = 0.0
    for x in set(range(graph.vertex_count)) - set(labelled):
        rows = slice(graph.offsets[x], graph.offsets[x + 1])
        change = (u[graph.neighbours[rows]] - u[x]) / graph.lengths[rows]
        change = change / np.abs(change).max()
        terms = np.abs(change) ** (p - 1) * np.sign(change) / graph.lengths[rows]
        worst = max(worst, abs(terms.sum()) / np.abs(terms).sum())
    return worst


@pytest.mark.parametrize("p", [2, 3, 4, 8, 16, 64])
def test_star_in_closed_form(p):
    variational = p_harmonic_extension(STAR, STAR_LABELS, p=p)
    truth = 1 / (1 + 2 ** (1 / (p - 1)))
    assert abs(variational.values[0] - truth) <= variational.error_bound + 1e-16
    game = p_harmonic_extension(STAR, STAR_LABELS, p=p, flavour="game")
    truth = (1 / 3 + (p - 2) / 2) / (p - 1)
    assert abs(game.values[0] - truth) <= game.error_bound + 1e-16
    assert max(variational.error_bound, game.error_bound) < 1e-12


def test_two_p_laplacians_and_a_third_formula():
    """The digits of all three on the star at p = 4; 1/p and 1 - 2/p weigh the third."""
    found = [
        float(p_harmonic_extension(STAR, STAR_LABELS, p=4, flavour=flavour).values[0])
        for flavour in ("variational", "game")
    ]
    assert found == [pytest.approx(0.442493, abs=5e-7), pytest.approx(0.444444, abs=5e-7)]
    third = (1 / 4 * 1 / 3 + (1 - 2 / 4) * 1 / 2 * 2) / (1 / 4 + (1 - 2 / 4) * 2)
    assert third == pytest.approx(0.466667, abs=5e-7)
    assert min(abs(third - value) for value in found) > 0.02


def test_worked_misranking_is_repaired_at_four():
    u = p_harmonic_extension(MISRANKING, MISRANKING_LABELS, p=4).values
    assert u[2] == pytest.approx(1.1156, abs=5e-5)
    assert u[4] == pytest.approx(1.3347, abs=5e-5)


def test_a_larger_p_is_not_pointwise_monotone():
    found = [
        float(p_harmonic_extension(MISRANKING, MISRANKING_LABELS, p=p).values[4])
        for p in (2, 4, 8, np.inf)
    ]
    assert found == pytest.approx([1.2222, 1.3347, 1.3483, 4 / 3], abs=5e-5)
    assert found[2] > found[3]


@pytest.mark.parametrize(("p", "value"), [(4, 1.4027), (8, 1.1685)])
def test_worked_rollout_failure_is_repaired(p, value):
    u = p_harmonic_extension(BUNDLE, {0: 0.0, 2: 2.0, 4: 3.0}, p=p).values
    assert u[1] == pytest.approx(value, abs=5e-5)
    assert u[1] < 2


@pytest.mark.parametrize("p", [2, 4, 16])
def test_path_with_lengths_in_closed_form(p):
    """The drops on a path are in proportion to the lengths to the power p / (p - 1)."""
    lengths = np.array([1.0, 3.0, 0.5, 2.0])
    drops = lengths ** (p / (p - 1))
    truth = 7 * np.concatenate([[0], np.cumsum(drops)]) / drops.sum()
    path = [(0, 1), (1, 2), (2, 3), (3, 4)]
    found = p_harmonic_extension(path, {0: 0.0, 4: 7.0}, p=p, lengths=lengths)
    assert np.abs(found.values - truth).max() <= found.error_bound + 1e-14


def test_game_with_lengths_satisfies_its_equation():
    edges, lengths = [(0, 1), (0, 2), (0, 3)], [1.0, 3.0, 0.5]
    u = p_harmonic_extension(edges, {1: 0.0, 2: 8.0, 3: 2.0}, p=3, flavour="game", lengths=lengths)
    weights = 1 / np.array(lengths) ** 2
    mean = weights @ np.array([0.0, 8.0, 2.0]) / weights.sum()
    halfway = 0 + 1 * (8 / 4)  # up the long edge, down the first: slope 2; the third lies below
    assert u.values[0] == pytest.approx((mean + halfway) / 2, abs=1e-13)


@pytest.mark.parametrize("flavour", ["variational", "game"])
def test_the_ends_of_the_family(flavour):
    graph = maze(2)
    labels = maze_labels(graph, 0.1, 0)
    two = p_harmonic_extension(graph, labels, p=2, flavour=flavour).values
    assert two == pytest.approx(harmonic_extension(graph, labels).values, abs=1e-11)
    limit = amle(graph, labels).values
    infinite = p_harmonic_extension(graph, labels, p=np.inf, flavour=flavour).values
    assert (infinite == limit).all()
    far = [
        np.abs(p_harmonic_extension(graph, labels, p=p, flavour=flavour).values - limit).max()
        for p in (4, 16, 64)
    ]
    assert far[0] > 2 * far[1] > 4 * far[2] > 0


@pytest.mark.parametrize("p", [2, 4, 16])
def test_residual_and_bound_on_a_maze(p):
    graph = maze()
    labels = maze_labels(graph, 0.05, 1)
    found = p_harmonic_extension(graph, labels, p=p)
    assert found.residual <= 1e-9
    assert found.error_bound < 1e-9
    assert scale_free_residual(graph, found.values, p, labels[0].tolist()) < 1e-8


def test_two_numberings_agree_within_their_bounds():
    graph = maze(3)
    places, given = maze_labels(graph, 0.05, 2)
    order = np.random.default_rng(3).permutation(graph.vertex_count)
    edges = np.column_stack([order[graph.sources], order[graph.neighbours]])
    for flavour in ("variational", "game"):
        one = p_harmonic_extension(graph, (places, given), p=6, flavour=flavour)
        other = p_harmonic_extension(edges, (order[places], given), p=6, flavour=flavour)
        difference = np.abs(one.values - other.values[order]).max()
        assert 0 < difference <= one.error_bound + other.error_bound


def test_the_bound_holds_against_a_worse_solution():
    """Values spoilt by 1e-7 get a bound that covers it."""
    graph = maze(2)
    problem = _local_means.Problem.of(graph, *labelled_arrays(graph, maze_labels(graph, 0.1, 4)))
    mean = _local_means.LocalMean(8, game=False)
    u, _, error = _local_means._solved(problem, mean)
    spoilt = u.copy()
    spoilt[problem.unknown[0]] += 1e-7
    bound = _local_means._error_bound(problem, spoilt, mean)
    assert 1e-7 - error <= bound <= 2e-7


def labelled_arrays(graph, labels):
    values = np.full(graph.vertex_count, np.nan)
    values[labels[0]] = labels[1]
    return ~np.isnan(values), values


@pytest.mark.parametrize("p", [2, 4, 8, np.inf])
@pytest.mark.parametrize("pieces", [1, 2, 3, 5])
def test_subdivision_changes_nothing(pieces, p):
    whole = p_harmonic_extension(MISRANKING, MISRANKING_LABELS, p=p).values
    edges, count = [], 7
    for a, b in MISRANKING:
        inner = list(range(count, count + pieces - 1))
        count += pieces - 1
        edges += networkx.utils.pairwise([a, *inner, b])
    labels = {place: pieces * value for place, value in MISRANKING_LABELS.items()}
    finer = p_harmonic_extension(edges, labels, p=p).values[:7] / pieces
    assert finer == pytest.approx(whole, abs=1e-10)


def test_regions_of_small_slopes_are_solved_too():
    """A residual over the steepest slope of the graph cannot see that the small star is wrong."""
    edges = [(0, 1), (0, 2), (0, 3), (3, 4), (4, 5)]
    p, labels = 16, {1: 0.0, 2: 0.0, 3: 1e-3, 5: 100.0}
    u = p_harmonic_extension(edges, labels, p=p).values
    truth = 1e-3 / (1 + 2 ** (1 / 15))
    assert u[0] == pytest.approx(truth, rel=1e-9)
    wrong = u.copy()
    wrong[0] = 1e-4
    graph = graph_from_edges(edges)
    slopes = wrong[[1, 2, 3]] - wrong[0]
    plain = abs((np.abs(slopes) ** (p - 2) * slopes).sum()) / 50 ** (p - 1)
    assert plain < 1e-60
    assert scale_free_residual(graph, wrong, p, labels) > 0.9


def test_a_long_dead_end_of_two_lanes():
    """Its slopes fall below all rounding; the residual ignores what the values cannot hold."""
    lanes = networkx.grid_2d_graph(40, 2)
    labels = {(0, 0): 0.0, (0, 1): 1.0}
    for flavour in ("variational", "game"):
        found = p_harmonic_extension(lanes, labels, p=4, flavour=flavour)
        assert found.error_bound < 1e-9
        assert found.values[-1] == pytest.approx(0.5, abs=1e-9)
        assert found.flat[-1]
        assert not found.flat[:8].any()


def test_what_could_not_be_solved_is_an_error(monkeypatch):
    monkeypatch.setattr(_local_means, "_LAST_STEPS", 1)
    graph = maze(3)
    with pytest.raises(UnsupportedError, match="scale-free residual is still"):
        p_harmonic_extension(graph, maze_labels(graph, 0.05, 0), p=16)


def test_without_a_proof_there_is_no_bound(monkeypatch):
    monkeypatch.setattr(_local_means, "_MARGINS", (0.0,))
    found = p_harmonic_extension(MISRANKING, MISRANKING_LABELS, p=4)
    assert found.error_bound is None
    assert found.residual <= 1e-9


@pytest.mark.parametrize("p", [1.5, float("nan"), True, "4"])
def test_an_exponent_below_two_is_refused(p):
    with pytest.raises(DomainError, match="a number from 2 to infinity"):
        p_harmonic_extension(STAR, STAR_LABELS, p=p)


def test_an_unknown_flavour_is_refused():
    with pytest.raises(DomainError, match='"variational" or "game"'):
        p_harmonic_extension(STAR, STAR_LABELS, p=4, flavour="normalised")


def test_what_floats_cannot_hold_is_refused():
    for size in (1e300, 1e-300):
        with pytest.raises(DomainError, match="from 1e-200 to 1e200"):
            p_harmonic_extension(STAR, {1: size, 2: 0.0}, p=4)
    edges, labels = [*STAR, (3, 4)], {1: 0.0, 2: 5e-324, 4: 1.0}
    assert (
        p_harmonic_extension(edges, labels, p=4, lengths=[9.0, 9.0, 1.0, 1.0]).error_bound < 1e-13
    )
    with pytest.raises(DomainError, match="1e100 times the shortest"):
        p_harmonic_extension(STAR, STAR_LABELS, p=4, lengths=[1e-60, 1.0, 1e60])


@pytest.mark.parametrize("unit", [1e-150, 1e150])
def test_the_unit_of_lengths_does_not_matter(unit):
    lengths = np.array([1.0, 2.0, 0.5])
    one, other = (
        p_harmonic_extension(STAR, STAR_LABELS, p=5, lengths=scale * lengths).values
        for scale in (1.0, unit)
    )
    assert other == pytest.approx(one, abs=1e-14)
