"""Lipschitz constants with the pair that attains them, and the envelopes."""

import numpy as np
import pytest

from rolltheory.action_gap import (
    amle,
    distances,
    graph_from_array,
    lipschitz_constant,
    mcshane_whitney_envelopes,
)
from rolltheory.errors import AssumptionError, DomainError

GRID = graph_from_array(np.random.default_rng(5).random((9, 9)) < 0.9)
COUNT = GRID.vertex_count


def random_labels(seed):
    rng = np.random.default_rng(seed)
    return rng.choice(COUNT, 15, replace=False), rng.integers(-5, 6, 15).astype(float)


@pytest.fixture(scope="module")
def far():
    return np.array([distances(GRID, vertex) for vertex in range(COUNT)])


@pytest.mark.parametrize("seed", range(10))
def test_constant_and_envelopes_against_all_pairs(seed, far):
    vertices, values = random_labels(seed)
    apart = far[np.ix_(vertices, vertices)]
    np.fill_diagonal(apart, np.inf)
    slopes = (values[:, None] - values[None, :]) / apart
    found = lipschitz_constant(GRID, (vertices, values))
    assert found.constant == slopes.max()
    high, low = (np.flatnonzero(vertices == vertex)[0] for vertex in found.pair)
    assert slopes[high, low] == slopes.max()
    envelopes = mcshane_whitney_envelopes(GRID, (vertices, values))
    steepest = found.constant
    np.testing.assert_allclose(
        envelopes.lower, (values - steepest * far[:, vertices]).max(axis=1), atol=1e-13
    )
    np.testing.assert_allclose(
        envelopes.upper, (values + steepest * far[:, vertices]).min(axis=1), atol=1e-13
    )
    extension = amle(GRID, (vertices, values)).values
    assert (envelopes.lower <= extension + 1e-12).all()
    assert (extension <= envelopes.upper + 1e-12).all()


def test_the_upper_envelope_of_exact_labels_is_the_distance():
    distance = distances(GRID, 3)
    labels = {3: 0.0, 40: distance[40], 60: distance[60]}
    envelopes = mcshane_whitney_envelopes(GRID, labels, lipschitz=1.0)
    assert envelopes.upper.tolist() == distance.tolist()
    assert (envelopes.lower <= distance).all()


def test_a_steeper_pair_is_named():
    path = [("g", "a"), ("a", "b"), ("b", "c")]
    labels = {"g": 0.0, "b": 2.0, "c": 3.5}
    assert lipschitz_constant(path, labels) == (1.5, ("c", "b"))
    with pytest.raises(AssumptionError, match=r"at most 1; found 1.5, between 'c' and 'b'"):
        mcshane_whitney_envelopes(path, labels, lipschitz=1.0)


def test_lengths_count():
    path, labels = [(0, 1), (1, 2)], {0: 0.0, 1: 1.0, 2: 5.0}
    assert lipschitz_constant(path, labels, lengths=[0.25, 2.0]) == (4.0, (1, 0))
    upper = mcshane_whitney_envelopes(path, {0: 1.0}, lipschitz=2.0, lengths=[0.25, 2.0]).upper
    assert upper.tolist() == [1.0, 1.5, 5.5]


def test_one_label_has_no_slope():
    assert lipschitz_constant([(0, 1)], {0: 3.0}) == (0.0, None)
    envelopes = mcshane_whitney_envelopes([(0, 1)], {0: 3.0})
    assert envelopes.lower.tolist() == envelopes.upper.tolist() == [3.0, 3.0]


def test_a_negative_constant_is_refused():
    with pytest.raises(DomainError, match="lipschitz = -1"):
        mcshane_whitney_envelopes([(0, 1)], {0: 3.0}, lipschitz=-1)
