"""Harmonic extensions and first-hit laws: worked rationals, brute force, bounds that are honest."""

from fractions import Fraction

import networkx
import numpy as np
import pytest

from rolltheory.action_gap import _local_means
from rolltheory.action_gap._p_laplacian_kernels import attachments
from rolltheory.action_gap.graph import graph_from_edges, graph_from_networkx
from rolltheory.action_gap.harmonic import (
    first_hit_law,
    first_hit_law_exact,
    harmonic_extension,
    harmonic_extension_exact,
)
from rolltheory.errors import AssumptionError, DomainError, UnsupportedError

MISRANKING = [(0, 1), (0, 4), (1, 2), (2, 3), (2, 5), (4, 5), (5, 6)]
BUNDLE = [(0, 1), (1, 2), (2, 3), *[(1, k) for k in range(5, 10)], *[(k, 4) for k in range(5, 10)]]
PLATEAU = [(0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (3, 6), (4, 5)]


def random_problem(rng, *, vertices, extra, with_lengths=False):
    """A connected graph with a few labels and lengths, all of them short binary fractions."""
    tree = [(int(rng.integers(0, v)), v) for v in range(1, vertices)]
    pairs = {tuple(sorted(rng.choice(vertices, 2, replace=False).tolist())) for _ in range(extra)}
    edges = sorted(pairs | set(tree))
    lengths = rng.integers(1, 9, len(edges)) / 4 if with_lengths else None
    places = rng.choice(vertices, 3, replace=False)
    labels = dict(zip(places.tolist(), (rng.integers(-40, 40, 3) / 8).tolist(), strict=True))
    return edges, labels, lengths


def test_worked_misranking():
    labels = {1: 0, 3: 2, 6: 3}
    exact = harmonic_extension_exact(MISRANKING, labels)
    assert [18 * value for value in exact] == [11, 0, 23, 36, 22, 33, 54]
    laws = first_hit_law_exact(MISRANKING, [1, 3, 6])
    assert [18 * share for share in laws[2]] == [8, 7, 3]
    assert [18 * share for share in laws[4]] == [10, 2, 6]
    assert exact[2] - exact[4] == Fraction(1, 18)


def test_worked_rollout_failure_and_its_tie():
    labels = {0: 0, 2: 2, 4: 3}
    exact = harmonic_extension_exact(BUNDLE, labels)
    assert exact[1] == Fraction(19, 9)
    assert exact[3] == 2
    assert set(exact[5:]) == {Fraction(23, 9)}
    four = [edge for edge in BUNDLE if 9 not in edge]
    assert harmonic_extension_exact(four, labels)[1] == 2


def test_worked_tie_that_harmonic_resolves():
    exact = harmonic_extension_exact(PLATEAU, {0: 2, 2: 3, 5: 0})
    assert [13 * value for value in exact] == [26, 28, 39, 27, 18, 0, 27]


@pytest.mark.parametrize("with_lengths", [False, True])
def test_the_float_route_is_within_its_bound_of_the_exact_one(with_lengths):
    rng = np.random.default_rng(3)
    for _ in range(25):
        edges, labels, lengths = random_problem(
            rng, vertices=14, extra=10, with_lengths=with_lengths
        )
        found = harmonic_extension(edges, labels, lengths=lengths)
        exact = harmonic_extension_exact(edges, labels, lengths=lengths)
        worst = max(abs(Fraction(a) - b) for a, b in zip(found.values.tolist(), exact, strict=True))
        assert worst <= Fraction(found.error_bound)
        assert found.error_bound < 1e-11
        assert all(found.values[place] == value for place, value in labels.items())


def test_the_exact_extension_satisfies_the_equation_with_lengths():
    edges, lengths = [(0, 1), (1, 2), (1, 3)], [1.0, 0.5, 2.0]
    u = harmonic_extension_exact(edges, {0: 0, 2: 1, 3: 5}, lengths=lengths)
    assert u[1] == (0 * 1 + 1 * 4 + Fraction(5, 4)) / (1 + 4 + Fraction(1, 4))


def test_lengths_are_not_conductances():
    """On a path, twice the length takes four times the drop; as a conductance, a quarter."""
    path, labels = [(0, 1), (1, 2)], {0: 0.0, 2: 5.0}
    assert harmonic_extension_exact(path, labels, lengths=[1.0, 2.0])[1] == 1
    assert harmonic_extension_exact(path, labels, lengths=[2.0, 1.0])[1] == 4


def test_laws_are_the_extension_and_sum_to_one():
    rng = np.random.default_rng(4)
    for _ in range(10):
        edges, labels, lengths = random_problem(rng, vertices=12, extra=9, with_lengths=True)
        targets = list(labels)
        exact = first_hit_law_exact(edges, targets, lengths=lengths)
        assert {sum(row) for row in exact} == {1}
        law = first_hit_law(edges, targets, lengths=lengths)
        assert np.abs(law - np.array(exact, dtype=float)).max() < 1e-13
        u = harmonic_extension(edges, labels, lengths=lengths).values
        assert law @ np.array(list(labels.values())) == pytest.approx(u, abs=1e-12)


def test_a_law_that_rounding_hides_is_refused():
    lengths = [1.0, 1e6, 1e6]
    with pytest.raises(UnsupportedError, match="first_hit_law_exact answers"):
        first_hit_law([(0, 1), (1, 2), (0, 3)], [2, 3], lengths=lengths)
    assert first_hit_law_exact([(0, 1), (1, 2), (0, 3)], [2, 3], lengths=lengths)[0] > (0, 0)


def test_what_hangs_on_one_vertex_has_exactly_its_value():
    edges = [(0, 1), (1, 2), (1, 3), (3, 4), (4, 5), (5, 3), (2, 6)]
    found = harmonic_extension(edges, {0: 0.1, 2: 0.7})
    assert set(found.values[[3, 4, 5]].tolist()) == {found.values[1]}
    assert found.values[6] == 0.7
    assert found.flat.tolist() == [False, False, False, True, True, True, True]


def test_a_region_whose_labels_agree_is_constant():
    grid = graph_from_networkx(networkx.grid_2d_graph(4, 4))
    found = harmonic_extension(grid, {(0, 0): 0.3, (3, 3): 0.3, (0, 3): 0.3})
    assert set(found.values.tolist()) == {0.3}
    assert found.error_bound == 0
    assert found.residual == 0


def test_attachments_are_the_cuts_nearest_to_the_labels():
    rng = np.random.default_rng(5)
    for _ in range(60):
        edges, labels, _ = random_problem(rng, vertices=11, extra=int(rng.integers(0, 6)))
        graph = graph_from_edges(edges)
        labelled = np.isin(np.arange(11), list(labels))
        found = attachments(graph.offsets, graph.neighbours, labelled)
        for vertex in range(11):
            assert found[vertex] == nearest_cut(networkx.Graph(edges), vertex, set(labels))


def nearest_cut(graph, vertex, labels):
    """By removal: the vertex that cuts this one off, and is not cut off itself."""

    def cuts(which):
        found = []
        for cut in set(graph) - {which}:
            rest = graph.copy()
            rest.remove_node(cut)
            if which not in labels and not networkx.node_connected_component(rest, which) & labels:
                found.append(cut)
        return found

    own = cuts(vertex)
    last = [cut for cut in own if not cuts(cut)]
    assert len(last) <= 1
    return last[0] if own else vertex


def test_conjugate_gradients_agree_with_the_factorisation(monkeypatch):
    grid = graph_from_networkx(networkx.grid_2d_graph(30, 30))
    rng = np.random.default_rng(6)
    labels = {grid.name(v): float(rng.normal()) for v in rng.choice(900, 30, replace=False)}
    direct = harmonic_extension(grid, labels)
    monkeypatch.setattr(_local_means, "_ITERATED_FROM", 0)
    iterated = harmonic_extension(grid, labels)
    assert iterated.values == pytest.approx(direct.values, abs=1e-10)
    assert iterated.error_bound < 1e-10


def test_a_single_vertex_and_labels_everywhere():
    assert harmonic_extension([(0, 1)], {0: 1.0, 1: 2.0}).values.tolist() == [1.0, 2.0]
    alone = graph_from_edges(np.empty((0, 2), dtype=int), vertex_count=1)
    assert harmonic_extension(alone, {0: 4.0}).values.tolist() == [4.0]


def test_bad_input_is_named():
    two = [(0, 1), (2, 3)]
    with pytest.raises(AssumptionError, match="holds a label"):
        harmonic_extension(two, {0: 5.0})
    with pytest.raises(AssumptionError, match="holds a label"):
        harmonic_extension_exact(two, {0: 5})
    with pytest.raises(AssumptionError, match="holds a label"):
        first_hit_law(two, [0])
    with pytest.raises(DomainError, match="vertices that differ"):
        first_hit_law_exact([(0, 1)], [0, 0])
