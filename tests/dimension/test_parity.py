"""Parity dimensions: worked values, witnesses, and homology as an independent oracle."""

from itertools import combinations, product

import gudhi
import numpy as np
import pytest

from rolltheory.dimension import ds_dimension, natarajan_dimension, pseudo_cube_core
from rolltheory.dimension.classes import class_from_rows, restrict
from rolltheory.dimension.families import (
    all_field_gap,
    ball,
    field_two_gap,
    grid,
    hexagon,
    path,
    projective_plane,
    regularity_trap,
    reveal,
    star,
)
from rolltheory.dimension.parity import parity_dimension, parity_kernel
from rolltheory.dimension.witnesses import ZeroSumFunction, holds
from rolltheory.errors import DomainError


def top_betti_number(rows, field):
    """The rank of the reduced top homology of the complex whose facets are the rows."""
    complex_ = gudhi.SimplexTree()
    vertices = {}
    for row in rows:
        complex_.insert([vertices.setdefault(pair, len(vertices)) for pair in enumerate(row)])
    complex_.compute_persistence(homology_coeff_field=field, persistence_dim_max=True)
    top = len(rows[0]) - 1
    return [*complex_.betti_numbers(), *[0] * top][top] - (top == 0)


def random_classes(count, label_counts, seed):
    generator = np.random.default_rng(seed)
    cells = list(product(*map(range, label_counts)))
    for _ in range(count):
        chosen = generator.choice(len(cells), generator.integers(1, len(cells) + 1), replace=False)
        yield [cells[i] for i in sorted(chosen)]


@pytest.mark.parametrize(
    ("hypotheses", "by_field"),
    [
        (grid(3, 3), {2: 3, 3: 3}),
        (ball(5, 3, 2), {2: 2, 3: 2, 5: 2}),
        (hexagon(), {2: 2, 3: 2}),
        (regularity_trap(), {2: 2, 3: 2}),
        (star(5), {2: 1, 3: 1}),
        (reveal(4), {2: 1, 3: 1}),
        (path(6), {2: 1, 3: 1}),
        (projective_plane(), {2: 3, 3: 2, 5: 2}),
        (field_two_gap(), {2: 2, 3: 3, 5: 2}),
        (all_field_gap(), {2: 2, 3: 2, 5: 2, 2**31 - 1: 2}),
        (class_from_rows(["0"]), {2: 0, 3: 0}),
        (class_from_rows(["0", "1"]), {2: 1, 3: 1}),
    ],
)
def test_worked_values(hypotheses, by_field):
    for field, expected in by_field.items():
        found = parity_dimension(hypotheses, field=field)
        assert found.value == expected
        if expected == 0:
            assert found.witness is None
        else:
            assert found.witness.field == field
            assert len(found.witness.points) == expected
            assert holds(found.witness, hypotheses)


def test_witnesses_of_two_fields():
    plane = parity_kernel(projective_plane())
    assert set(plane.values.values()) == {1}
    assert plane.values.keys() == set(projective_plane().rows)
    assert parity_kernel(projective_plane(), field=3) is None
    moore = parity_kernel(field_two_gap(), field=3)
    assert set(moore.values.values()) == {1, 2}
    assert moore.values.keys() == set(field_two_gap().rows)
    assert parity_kernel(field_two_gap()) is None
    assert not holds(ZeroSumFunction(moore.points, moore.values, 2), field_two_gap())


@pytest.mark.parametrize("field", [2, 3])
@pytest.mark.parametrize(
    "label_counts", [(3, 3), (2, 2, 2), (3, 3, 3), (2, 3, 4), (2, 2, 2, 2), (4,)]
)
def test_kernels_are_top_homology(label_counts, field):
    for rows in random_classes(20, label_counts, seed=field):
        kernel = parity_kernel(rows, field=field)
        assert (kernel is not None) == (top_betti_number(rows, field) > 0)
        assert kernel is None or holds(kernel, rows)


@pytest.mark.parametrize(
    "named", [projective_plane, field_two_gap, all_field_gap], ids=lambda named: named.__name__
)
def test_named_classes_have_the_homology_that_they_are_named_for(named):
    rows = named().rows
    for field in (2, 3, 5):
        betti = top_betti_number(rows, field)
        assert betti == (parity_kernel(rows, field=field) is not None)


@pytest.mark.parametrize("field", [2, 3])
def test_the_dimension_is_the_largest_homology_of_a_restriction(field):
    for rows in random_classes(30, (3, 3, 3), seed=10 + field):
        whole = class_from_rows(rows)
        expected = max(
            (
                size
                for size in range(1, 4)
                for points in combinations(whole.points, size)
                if top_betti_number(restrict(whole, points).rows, field) > 0
            ),
            default=0,
        )
        assert parity_dimension(whole, field=field).value == expected


def test_between_natarajan_and_ds():
    for rows in random_classes(20, (3, 3, 4), seed=0):
        low, high = natarajan_dimension(rows).value, ds_dimension(rows).value
        for field in (2, 3, 5):
            found = parity_dimension(rows, field=field).value
            assert low <= found <= high <= max(2 * found - 1, 0)


def test_the_gap_between_ds_and_parity():
    assert ds_dimension(all_field_gap()).value == 3
    assert ds_dimension(field_two_gap()).value == 3


def test_the_witness_speaks_of_the_callers_points_and_labels():
    rows = [["a", "x", 7], ["a", "y", 7], ["b", "x", 7], ["b", "y", 7]]
    named = class_from_rows(rows, points=["first", "second", "third"])
    found = parity_dimension(named)
    assert found.witness.points == ("first", "second")
    assert found.witness.values == {(a, b): 1 for a in "ab" for b in "xy"}
    signed = parity_dimension(named, field=5).witness
    assert signed.values == {("a", "x"): 1, ("a", "y"): 4, ("b", "x"): 4, ("b", "y"): 1}


def test_more_rows_than_few_coordinates_span_need_no_elimination_of_them_all():
    """Of 729 rows as many are looked at as are sure to have a kernel, and one is found there."""
    kernel = parity_kernel(grid(6, 3), field=3)
    assert len(kernel.values) <= 3**6 - 2**6 + 1
    assert holds(kernel, grid(6, 3))


def test_a_budget_leaves_an_interval():
    found = parity_dimension(grid(3, 2), budget=4)
    assert (found.lower, found.upper, found.tests) == (2, 3, 4)
    assert holds(found.witness, grid(3, 2))
    with pytest.raises(DomainError, match="budget = 0 is not allowed"):
        parity_dimension(grid(2, 2), budget=0)


@pytest.mark.parametrize("function", [parity_kernel, parity_dimension])
def test_fields_are_primes(function):
    with pytest.raises(DomainError, match="field = 4 is not allowed: need a prime below"):
        function(hexagon(), field=4)


@pytest.mark.parametrize(("density", "shattered", "even"), [(3.0, 0, 0), (3.2, 3, 0), (3.6, 3, 3)])
def test_windows_between_two_thresholds_hold_a_pseudo_cube_but_no_even_one(
    density, shattered, even
):
    """Each of 12 ** 4 patterns is kept with probability density / 12; three seeds."""
    cores = kernels = 0
    for seed in range(3):
        kept = np.random.default_rng(seed).random((12,) * 4) < density / 12
        window = class_from_rows(np.argwhere(kept))
        cores += pseudo_cube_core(window) is not None
        kernels += parity_kernel(window) is not None
    assert (cores, kernels) == (shattered, even)


@pytest.mark.parametrize("field", [2, 3])
def test_many_rows_give_a_small_witness(field):
    rows = list(product(range(4), repeat=4))[1:]
    found = parity_dimension(rows, field=field)
    assert found.value == 4
    assert len(found.witness.values) == 16
    assert holds(found.witness, rows)
