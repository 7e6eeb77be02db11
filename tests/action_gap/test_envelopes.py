"""Lipschitz constants with the pair that attains them, and the envelopes."""

from fractions import Fraction

import networkx
import numpy as np
import pytest

from rolltheory.action_gap import (
    amle,
    distances,
    graph_from_array,
    lipschitz_constant,
    mcshane_whitney_envelopes,
)
from rolltheory.action_gap._cone_kernels import product_towards, sum_towards
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


def adversarial(seed):
    """A tree and some edges more, whose lengths and labels run over many orders of magnitude."""
    generator = np.random.default_rng(seed)
    tree = [(int(generator.integers(x)), x) for x in range(1, 14)]
    more = generator.integers(14, size=(6, 2)).tolist()
    edges = sorted({(min(pair), max(pair)) for pair in [*tree, *more] if pair[0] != pair[1]})
    lengths = 10 ** generator.uniform(-9, 9, len(edges))
    vertices = generator.choice(14, 5, replace=False).tolist()
    sizes = 10.0 ** generator.integers([-300, -300, -9, -9, 0], [-299, 1, 9, 17, 17])
    signs = generator.choice([-1, 1], 5)
    return edges, lengths, dict(zip(vertices, (sizes * signs / 3).tolist(), strict=True))


def in_rationals(edges, lengths, labels):
    """The Lipschitz constant, and both envelopes of any constant."""
    network = networkx.Graph()
    for (a, b), length in zip(edges, lengths.tolist(), strict=True):
        network.add_edge(a, b, weight=Fraction(length))
    far = dict(networkx.all_pairs_dijkstra_path_length(network))
    f = {b: Fraction(label) for b, label in labels.items()}
    constant = max((f[b] - f[c]) / far[b][c] for b in f for c in f if b != c)

    def envelopes(slope):
        lower = [max(f[b] - slope * far[b][x] for b in f) for x in range(14)]
        return lower, [min(f[b] + slope * far[b][x] for b in f) for x in range(14)]

    return constant, envelopes


@pytest.mark.parametrize("seed", range(40))
def test_constant_and_envelopes_are_rounded_outwards(seed):
    edges, lengths, labels = adversarial(seed)
    exact, envelopes = in_rationals(edges, lengths, labels)
    constant = Fraction(lipschitz_constant(edges, labels, lengths=lengths).constant)
    assert exact <= constant <= exact * (1 + Fraction(1, 2**47))
    for slope in (None, 1.5 * float(exact)):
        found = mcshane_whitney_envelopes(edges, labels, lipschitz=slope, lengths=lengths)
        lower, upper = envelopes(exact if slope is None else Fraction(slope))
        for low, high, below, above in zip(found.lower, found.upper, lower, upper, strict=True):
            assert Fraction(low) <= below
            assert above <= Fraction(high)


def test_envelopes_are_no_wider_than_their_rounding():
    """Thirds, of which no sum is exact: one unit in the last place a step."""
    path = [(x, x + 1) for x in range(30)]
    lengths = np.full(30, 1 / 3)
    found = mcshane_whitney_envelopes(path, {0: 1 / 3}, lipschitz=1 / 3, lengths=lengths)
    exact = [Fraction(1 / 3) * (1 + x * Fraction(1 / 3)) for x in range(31)]
    for high, true in zip(found.upper.tolist(), exact, strict=True):
        assert true <= Fraction(high) <= true * (1 + Fraction(32, 2**52))


@pytest.mark.parametrize("exponents", [(-162, -160), (-130, 130), (-5, 5), (0, 150)])
def test_sums_and_products_are_rounded_once_and_to_the_right_side(exponents):
    generator = np.random.default_rng(6)
    for _ in range(300):
        a, b = (10.0 ** generator.uniform(*exponents, 2) * generator.integers(1, 9, 2)).tolist()
        for rounded, exact in (
            (product_towards, Fraction(a) * Fraction(b)),
            (sum_towards, Fraction(a) + Fraction(b)),
        ):
            down, up = rounded(-1.0, a, b), rounded(1.0, a, b)
            assert Fraction(down) <= exact <= Fraction(up)
            assert up <= np.nextafter(np.nextafter(down, np.inf), np.inf)
    assert sum_towards(1.0, 0.5, 0.25) == sum_towards(-1.0, 0.5, 0.25) == 0.75
    assert product_towards(1.0, 0.5, 3.0) == product_towards(-1.0, 0.5, 3.0) == 1.5


@pytest.mark.parametrize("unit", [1.0, 1e-20])
@pytest.mark.parametrize(("low", "high"), [(0.0, 5e-324), (1e-320, 3e-320), (0.0, 1e-290)])
def test_differences_at_the_end_of_the_floats_have_a_slope(low, high, unit):
    """Labels of one component; those of the other are of ordinary size."""
    edges, lengths = [(0, 1), (1, 2), (3, 4)], [0.1 * unit, 3.3 * unit, 1.0]
    labels = {0: low, 2: high, 3: 1.0, 4: 1.0}
    constant = Fraction(lipschitz_constant(edges, labels, lengths=lengths).constant)
    rise = Fraction(high) - Fraction(low)
    assert rise <= constant * sum(map(Fraction, lengths[:2])) <= 4 * rise


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
