"""Iterative infinity-harmonic extensions: their sandwich, and agreement with the exact one."""

from fractions import Fraction

import numpy as np
import pytest

from rolltheory.action_gap import amle, amle_exact, graph_from_array, iterative_amle
from rolltheory.errors import DomainError

METHODS = ["gauss-seidel", "over-relaxed", "work-list"]
GRID = graph_from_array(np.ones((12, 12), dtype=bool))


def noisy_labels(seed):
    rng = np.random.default_rng(seed)
    return rng.choice(144, 30, replace=False), rng.normal(size=30)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", range(4))
def test_both_solvers_agree(method, seed):
    labels = noisy_labels(seed)
    exact = amle(GRID, labels)
    found = iterative_amle(GRID, labels, method=method, tolerance=1e-12)
    assert np.abs(found.values - exact.values).max() <= 1e-10
    assert found.error_bound <= 1e-8


@pytest.mark.parametrize("method", METHODS)
def test_lengths_count(method):
    edges = [(0, 1), (1, 2), (2, 3), (3, 0), (1, 3)]
    lengths, labels = [1.0, 4.0, 0.5, 2.0, 3.0], {0: 0.0, 2: 1.0}
    exact = amle_exact(edges, labels, lengths=lengths)
    found = iterative_amle(edges, labels, method=method, lengths=lengths, tolerance=1e-13)
    np.testing.assert_allclose(found.values, np.array(exact, dtype=float), atol=1e-11)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("sweeps", [1, 2, 10, 100])
def test_a_run_that_is_cut_short_says_how_far_off_it_may_be(method, sweeps):
    path = [(x, x + 1) for x in range(60)]
    labels = {0: 0.0, 60: 60.0}
    exact = amle_exact(path, labels)
    found = iterative_amle(path, labels, method=method, max_sweeps=sweeps)
    error = max(abs(Fraction(v) - u) for v, u in zip(found.values.tolist(), exact, strict=True))
    assert 0 < error <= found.error_bound
    assert found.error_bound > 1e-8


@pytest.mark.parametrize("method", ["gauss-seidel", "work-list"])
def test_the_tolerance_is_an_error_not_a_residual(method):
    path = [(x, x + 1) for x in range(100)]
    labels = {0: 0.0, 100: 100.0}
    found = iterative_amle(path, labels, method=method, tolerance=1e-3, max_sweeps=100_000)
    assert np.abs(found.values - np.arange(101)).max() <= found.error_bound <= 1e-3


def test_stopping_when_a_sweep_changes_little_is_far_off():
    """The same path by the usual rule, from zero, with a change below 1e-3 as its end."""
    values = np.zeros(101)
    values[100] = 100.0
    change = 1.0
    while change >= 1e-3:
        before = values.copy()
        for x in range(1, 100):
            values[x] = (values[x - 1] + values[x + 1]) / 2
        change = np.abs(values - before).max()
    assert np.abs(values - np.arange(101)).max() > 0.4


def test_start_values_do_not_matter_to_the_sandwich():
    labels = noisy_labels(9)
    loose = iterative_amle(GRID, labels, method="gauss-seidel", tolerance=1e-2)
    tight = iterative_amle(GRID, labels, method="gauss-seidel", tolerance=1e-9)
    assert np.abs(loose.values - tight.values).max() <= loose.error_bound + tight.error_bound


def test_equal_labels_need_no_sweep():
    found = iterative_amle([(0, 1), (1, 2)], {0: 2.0, 2: 2.0}, max_sweeps=1)
    assert found.values.tolist() == [2.0, 2.0, 2.0]
    assert found.error_bound == 0.0
    assert found.flat.tolist() == [False, True, False]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"method": "jacobi"}, "method = 'jacobi'"),
        ({"tolerance": 0.0}, "tolerance = 0.0"),
        ({"max_sweeps": 0}, "max_sweeps = 0"),
    ],
)
def test_bad_arguments(arguments, message):
    with pytest.raises(DomainError, match=message):
        iterative_amle([(0, 1)], {0: 0.0}, **arguments)
