"""The enumeration of all classes on a grid, held to the library and to definitions."""

from math import prod

import numpy as np
import pytest

from proofs_checks.dimension.enumeration import Measured, class_of, joint_counts, measured
from proofs_checks.dimension.satisfiability import gaps_within, least_gap
from rolltheory.dimension import (
    ds_dimension,
    graph_dimension,
    littlestone_dimension,
    natarajan_dimension,
    parity_dimension,
    regularity,
)
from rolltheory.dimension.families import field_two_gap
from rolltheory.dimension.parity import parity_kernel
from rolltheory.dimension.witnesses import is_pseudo_cube


def by_library(rows, field):
    return Measured(
        natarajan_dimension(rows).value,
        parity_dimension(rows, field=field).value,
        ds_dimension(rows).value,
        graph_dimension(rows).value,
        littlestone_dimension(rows).value,
        regularity(rows, field=field),
    )


@pytest.mark.parametrize("field", [2, 3])
@pytest.mark.parametrize("grid", [(2, 3, 3), (2, 2, 4), (2, 2, 2, 2), (4, 4), (5, 3)])
def test_samples_have_the_numbers_that_the_library_finds(grid, field):
    table = measured(grid, field=field)
    assert len(table) == 2 ** prod(grid)
    generator = np.random.default_rng(0)
    for mask in generator.integers(1, len(table), 25).tolist():
        assert table[mask] == by_library(class_of(mask, grid), field)


def test_cells_are_numbered_with_the_last_label_first():
    assert class_of(0b100011, (2, 3)) == ((0, 0), (0, 1), (1, 2))


def test_counts_are_those_of_the_table():
    counts = joint_counts((2, 2, 2))
    assert sum(counts.values()) == 255
    assert counts[Measured(3, 3, 3, 3, 3, 3)] == 1
    assert sum(n for m, n in counts.items() if m.regularity < m.parity) == 24


@pytest.mark.parametrize(
    ("grid", "field", "smaller"),
    [((2, 3, 3), 2, 11064), ((2, 2, 4), 2, 4408), ((4, 4), 2, 0), ((2, 2, 4), 3, 4708)],
)
def test_the_regularity_is_at_most_the_parity_dimension_and_can_be_less(grid, field, smaller):
    counts = joint_counts(grid, field=field)
    assert sum(n for m, n in counts.items() if m.regularity < m.parity) == smaller
    assert all(m.regularity <= m.parity for m in counts)


def test_binary_dimensions_by_size():
    """All four dimensions are one on two labels; so many classes of four points have each."""
    counts = joint_counts((2, 2, 2, 2))
    by_dimension = [sum(n for m, n in counts.items() if m.ds == d) for d in range(5)]
    assert by_dimension == [16, 1928, 47596, 15994, 1]
    assert all(m[0] == m[1] == m[2] == m[3] for m in counts)


def test_the_solver_finds_gaps_and_no_others():
    assert least_gap((3, 3)) == 10
    assert least_gap((3, 3, 3)) == 28
    found = next(gaps_within((3, 3, 4), 24))
    assert len(found) == len(field_two_gap()) == 24
    assert is_pseudo_cube(found)
    assert parity_kernel(found) is None
