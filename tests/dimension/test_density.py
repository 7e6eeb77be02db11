"""Excess, density and orientations, held to every subset and every choice of heads."""

from fractions import Fraction
from itertools import chain, combinations, product
from math import ceil, comb

import numpy as np
import pytest

from rolltheory.dimension.classes import class_from_rows
from rolltheory.dimension.density import (
    Density,
    Orientation,
    attains,
    excess,
    fractional_orientation,
    is_orientation,
    max_density,
    mean_degree,
    orientation,
)
from rolltheory.dimension.families import (
    all_field_gap,
    ball,
    field_two_gap,
    grid,
    hexagon,
    projective_plane,
    regularity_trap,
    reveal,
    star,
)
from rolltheory.dimension.hypergraph import densest_part, hypergraph, shares_within
from rolltheory.dimension.local_families import (
    binary_gap,
    four_token_gap,
    markov_tables,
    needle,
    three_token_gap,
    window_thresholds,
)
from rolltheory.dimension.rollout import rollout_class
from rolltheory.errors import DomainError, UnsupportedError

SQUARE = ["00", "01", "10", "11"]


def lines(rows):
    found = {}
    for row in rows:
        for i in range(len(row)):
            found.setdefault((i, row[:i] + row[i + 1 :]), []).append(row)
    return [line for line in found.values() if len(line) > 1]


def densities(rows):
    parts = chain.from_iterable(combinations(rows, size) for size in range(1, len(rows) + 1))
    return (Fraction(sum(len(line) - 1 for line in lines(part)), len(part)) for part in parts)


def least_out_degree(rows):
    every = lines(rows)
    return min(
        max(sum(v in e and v != head for e, head in zip(every, heads, strict=True)) for v in rows)
        for heads in product(*every)
    )


def small_classes(seed, grid_sizes, count, most):
    return list(_small_classes(seed, grid_sizes, count, most))


def _small_classes(seed, grid_sizes, count, most):
    rng = np.random.default_rng(seed)
    for sizes in grid_sizes:
        points = list(product(*map(range, sizes)))
        for _ in range(count):
            size = int(rng.integers(1, min(most, len(points)) + 1))
            yield [points[i] for i in rng.choice(len(points), size, replace=False)]


@pytest.mark.parametrize(
    ("hypotheses", "density"),
    [
        (grid(3, 3), Fraction(2)),
        (grid(4, 2), Fraction(2)),
        (ball(8, 3, 2), Fraction(80, 43)),
        (ball(10, 3, 3), Fraction(3260, 1161)),
        (hexagon(), 1),
        (regularity_trap(), Fraction(2, 3)),
        (star(5), Fraction(5, 6)),
        (reveal(4), Fraction(4, 5)),
        (projective_plane(), Fraction(3, 2)),
        (field_two_gap(), Fraction(13, 8)),
        (all_field_gap(), Fraction(19, 12)),
        (["0"], 0),
    ],
)
def test_density_of_known_classes(hypotheses, density):
    found = max_density(hypotheses)
    assert found.value == density
    assert attains(found, hypotheses)
    assert is_orientation(fractional_orientation(hypotheses, density), hypotheses)


@pytest.mark.parametrize(
    ("family", "prompts", "steps", "density"),
    [
        (four_token_gap(), ("0", "1", "3"), 2, Fraction(19, 12)),
        (four_token_gap(), ("0", "1", "3", "32"), 2, Fraction(23, 17)),
        (three_token_gap(), ("0", "1", "2"), 2, Fraction(45, 28)),
        (binary_gap(), ("00", "01", "10"), 3, Fraction(11, 7)),
        (needle(3), "abc", 7, Fraction(3, 4)),
        (needle(5), "abcde", 31, Fraction(5, 6)),
        (markov_tables(2), None, 1, 2),
        (markov_tables(2), None, 3, 1),
        (markov_tables(3), None, 2, Fraction(5, 3)),
        (window_thresholds(3), None, 1, Fraction(32, 13)),
        (window_thresholds(3), None, 2, Fraction(15, 11)),
    ],
)
def test_density_of_traces(family, prompts, steps, density):
    traces = rollout_class(family.local, prompts or family.prompts, steps=steps)
    assert max_density(traces).value == density


def test_excess_and_mean_degree():
    assert (excess(field_two_gap()), excess(all_field_gap())) == (39, 38)
    assert mean_degree(all_field_gap()) == 3
    assert mean_degree(star(5)) == Fraction(5, 3)
    assert (excess(["0"]), mean_degree(["0"])) == (0, 0)


@pytest.mark.parametrize("rows", small_classes(0, [(3, 3), (2, 2, 2), (2, 3, 3), (4, 4)], 8, 9))
def test_density_is_that_of_the_best_subset(rows):
    found = max_density(rows)
    assert found.value == max(densities(rows))
    assert attains(found, rows)


@pytest.mark.parametrize("rows", small_classes(1, [(3, 3), (2, 2, 2), (2, 3, 3)], 10, 7))
def test_least_out_degree_is_the_density_rounded_up(rows):
    least = least_out_degree(rows)
    assert least == ceil(max_density(rows).value)
    assert is_orientation(orientation(rows, least), rows)
    assert least == 0 or orientation(rows, least - 1) is None


@pytest.mark.parametrize("rows", small_classes(2, [(3, 3, 3), (2, 2, 2, 2)], 6, 20))
def test_shared_heads_attain_the_density_and_nothing_less(rows):
    density = max_density(rows).value
    assert is_orientation(fractional_orientation(rows, density), rows)
    if density:
        assert fractional_orientation(rows, density - Fraction(1, 1000)) is None


def test_density_is_monotone_in_hypotheses_and_not_in_points():
    assert max_density(["0011", "0021"]).value < max_density(["0011", "0021", "0031"]).value
    named = [row + name for row, name in zip(SQUARE, "abcd", strict=True)]
    assert (max_density(SQUARE).value, max_density(named).value) == (1, 0)


def test_a_part_of_something_else_does_not_attain():
    found = max_density(SQUARE)
    assert not attains(Density(found.value, frozenset()), SQUARE)
    assert not attains(Density(found.value + 1, found.patterns), SQUARE)
    assert not attains(found, SQUARE[:3])


def test_what_is_no_orientation():
    found = orientation(SQUARE, 1)
    assert found is not None
    (line, head), *_ = found.heads.items()
    other = "1" if head == "0" else "0"
    one, half = Fraction(1), Fraction(1, 2)
    for shares in (
        {k: v for k, v in found.shares.items() if k != line},
        {**found.shares, line: {"2": one}},
        {**found.shares, line: {other: half}},
        {**found.shares, line: {head: 2 * one, other: -one}},
        {**found.shares, (0, ("7",)): {"0": one}},
    ):
        assert not is_orientation(Orientation(shares, Fraction(1)), SQUARE)
    assert not is_orientation(Orientation(found.shares, Fraction(0)), SQUARE)
    assert not is_orientation(Orientation({**found.shares, line: {other: one}}, one), SQUARE)


def test_labels_and_points_are_the_callers():
    pair = class_from_rows([[None, "x"], [("t",), "x"]], points=["p", "q"])
    found = orientation(pair, 1)
    assert found.heads == {("p", ("x",)): None}


def test_shared_heads_are_not_whole():
    shared = fractional_orientation(["0", "1"], Fraction(1, 2))
    with pytest.raises(UnsupportedError, match="this orientation shares heads"):
        shared.heads  # noqa: B018


@pytest.mark.parametrize("solve", [orientation, fractional_orientation])
def test_a_negative_out_degree_is_refused(solve):
    with pytest.raises(DomainError, match="out_degree = -1 is not allowed"):
        solve(SQUARE, -1)


def test_capacities_beyond_32_bits_are_refused():
    graph = hypergraph(np.array([[0], [1]]))
    with pytest.raises(UnsupportedError, match="hypotheses times points must stay below"):
        shares_within(graph, Fraction(1, 2**32))


def test_a_large_class_has_the_density_of_its_part():
    n, k, r = 9, 3, 3
    value, chosen = densest_part(hypergraph(ball(n, k, r).codes))
    sizes = [comb(n, i) * (k - 1) ** i for i in range(r + 1)]
    assert value == Fraction(sum(i * size for i, size in enumerate(sizes)), sum(sizes))
    assert chosen.size == sum(sizes)


def test_rows_in_another_order_have_the_same_density():
    rows = all_field_gap().rows
    assert max_density(rows[::-1]) == max_density(rows)
