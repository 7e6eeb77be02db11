"""What functions of few points span, and how many rows a dimension allows."""

from itertools import combinations
from math import comb, prod

import pytest

from rolltheory.dimension.families import (
    all_field_gap,
    ball,
    field_two_gap,
    grid,
    hexagon,
    projective_plane,
    regularity_trap,
)
from rolltheory.dimension.hilbert import hilbert_function, regularity, sauer_bound
from rolltheory.dimension.parity import parity_dimension
from rolltheory.errors import DomainError


@pytest.mark.parametrize(
    ("hypotheses", "field", "expected"),
    [
        (regularity_trap(), 2, (1, 4)),
        (hexagon(), 2, (1, 5, 6)),
        (projective_plane(), 2, (1, 7, 15, 16)),
        (projective_plane(), 3, (1, 7, 16)),
        (field_two_gap(), 2, (1, 8, 24)),
        (field_two_gap(), 3, (1, 8, 23, 24)),
        (all_field_gap(), 2, (1, 9, 24)),
        (all_field_gap(), 3, (1, 9, 24)),
        (["0"], 2, (1,)),
        (["00", "11"], 5, (1, 2)),
    ],
)
def test_worked_values(hypotheses, field, expected):
    assert hilbert_function(hypotheses, field=field) == expected
    assert regularity(hypotheses, field=field) == len(expected) - 1


@pytest.mark.parametrize("field", [2, 3, 5])
@pytest.mark.parametrize(("points", "labels"), [(2, 4), (3, 3), (4, 2)])
def test_grids_and_balls_attain_the_count(points, labels, field):
    counts = [labels] * points
    allowed = [
        sum(comb(points, i) * (labels - 1) ** i for i in range(k + 1)) for k in range(points + 1)
    ]
    assert [sauer_bound(k, counts) for k in range(points + 1)] == allowed
    assert list(hilbert_function(grid(points, labels), field=field)) == allowed
    for radius in range(points):
        inside = ball(points, labels, radius)
        assert list(hilbert_function(inside, field=field)) == allowed[: radius + 1]


def test_the_regularity_is_no_dimension():
    assert regularity(regularity_trap()) == 1
    assert parity_dimension(regularity_trap()).value == 2


@pytest.mark.parametrize("counts", [(1, 4, 2, 3), (5,), (2, 2, 7), ()])
def test_the_bound_sums_over_sets_of_points(counts):
    for dimension in range(len(counts) + 2):
        expected = sum(
            prod(counts[i] - 1 for i in chosen)
            for size in range(dimension + 1)
            for chosen in combinations(range(len(counts)), size)
        )
        assert sauer_bound(dimension, counts) == expected


def test_the_bound_is_exact_beyond_machine_words():
    assert sauer_bound(40, [11] * 40) == 11**40


def test_what_is_refused():
    with pytest.raises(DomainError, match="dimension = -1 is not allowed"):
        sauer_bound(-1, [2, 2])
    with pytest.raises(DomainError, match="label_counts = 0 is not allowed"):
        sauer_bound(1, [2, 0])
    with pytest.raises(DomainError, match="one number for each point"):
        sauer_bound(1, [[2, 2], [2, 2]])
    with pytest.raises(DomainError, match="field = 6 is not allowed"):
        hilbert_function(hexagon(), field=6)


def test_a_dimension_above_the_number_of_points_counts_all_rows():
    assert sauer_bound(2**40, [2, 3]) == sauer_bound(2, [2, 3]) == 6


def test_the_field_is_two_if_none_is_given():
    assert hilbert_function(projective_plane()) == (1, 7, 15, 16)
    assert regularity(projective_plane()) == 3
