"""Operator residuals: the table of the cost-to-go, and definitions written out."""

from fractions import Fraction

import networkx
import numpy as np
import pytest

from rolltheory.action_gap.distances import distances
from rolltheory.action_gap.operators import (
    degree_counts,
    operator_residuals,
    operator_residuals_exact,
)
from rolltheory.errors import DomainError, UnsupportedError

OPERATORS = [("midrange", None), ("laplacian", None), ("variational", 5), ("game", 5)]


def connected_graphs(count):
    """Connected random graphs, each with its vertices called 0, 1, ..."""
    for seed in range(count):
        graph = networkx.gnp_random_graph(9, 0.3, seed=seed)
        if networkx.is_connected(graph):
            yield graph


def test_the_table_of_the_cost_to_go_holds_exactly():
    for graph in connected_graphs(60):
        d = [int(x) for x in distances(graph, 0)]
        lower, level, higher = (counts.tolist() for counts in degree_counts(graph, d))
        found = {
            (operator, p): operator_residuals_exact(graph, d, operator=operator, p=p)
            for operator, exponents in (
                ("midrange", (None,)),
                ("laplacian", (None,)),
                ("variational", (2, 3, 16)),
                ("game", (2, 4, 16)),
            )
            for p in exponents
        }
        for x in range(1, 9):
            middle = Fraction(0) if higher[x] else Fraction(-1, 2) if level[x] else Fraction(-1)
            balance = higher[x] - lower[x]
            assert found["midrange", None][x] == middle
            assert found["laplacian", None][x] == balance
            for p in (2, 3, 16):
                assert found["variational", p][x] == balance
            for p in (2, 4, 16):
                alpha = Fraction(1, p - 1)
                mean = Fraction(balance, lower[x] + level[x] + higher[x])
                assert found["game", p][x] == alpha * mean + (1 - alpha) * middle


def test_the_float_route_follows_the_exact_one_on_any_values():
    rng = np.random.default_rng(1)
    for graph in connected_graphs(20):
        u = (rng.integers(-30, 30, 9) / 4).tolist()
        for operator, p in (
            ("midrange", None),
            ("laplacian", None),
            ("variational", 5),
            ("game", 5),
        ):
            exact = operator_residuals_exact(graph, u, operator=operator, p=p)
            found = operator_residuals(graph, u, operator=operator, p=p)
            assert found == pytest.approx([float(value) for value in exact], rel=1e-13, abs=1e-12)


def test_counts_of_a_worked_graph():
    counts = degree_counts([(0, 1), (0, 2), (1, 2), (2, 3)], [0, 1, 1, 2])
    assert counts.lower.tolist() == [0, 1, 1, 1]
    assert counts.level.tolist() == [0, 1, 1, 0]
    assert counts.higher.tolist() == [2, 0, 1, 0]


@pytest.mark.parametrize(
    ("operator", "p", "words"),
    [
        ("median", None, "midrange, laplacian, variational, game"),
        ("variational", None, "a number from 2"),
        ("game", 1.5, "a number from 2"),
        ("midrange", 4, "None for midrange"),
    ],
)
def test_an_unknown_operator_or_exponent_is_refused(operator, p, words):
    with pytest.raises(DomainError, match=words):
        operator_residuals([(0, 1)], [0, 1], operator=operator, p=p)


def test_graphs_and_values_that_do_not_fit_are_refused():
    with pytest.raises(UnsupportedError, match="unit cost"):
        operator_residuals([(0, 1)], [0, 1], operator="midrange", lengths=[2.0])
    with pytest.raises(DomainError, match=r"values\.shape"):
        operator_residuals([(0, 1)], [0, 1, 2], operator="midrange")
    lonely = networkx.Graph([(0, 1)])
    lonely.add_node(2)
    with pytest.raises(DomainError, match="an edge at every vertex"):
        operator_residuals(lonely, [0, 1, 2], operator="midrange")
