"""The core of a class: three routes to it, against the union of all pseudo-cubes."""

from itertools import combinations, product

import numpy as np
import pytest

from rolltheory.dimension import peeling
from rolltheory.dimension.classes import class_from_rows
from rolltheory.dimension.peeling import (
    core,
    cores_on_columns,
    distinct_rows,
    pseudo_cube_core,
    row_keys,
)
from rolltheory.dimension.witnesses import holds, is_pseudo_cube


@pytest.fixture
def generator():
    return np.random.default_rng(20260601)


def random_rows(generator, rows, points, labels):
    return generator.integers(0, labels, (rows, points))


def as_set(codes):
    return set(map(tuple, np.asarray(codes).tolist()))


def union_of_pseudo_cubes(rows):
    rows = sorted(rows)
    subsets = (c for size in range(len(rows) + 1) for c in combinations(rows, size))
    return {row for subset in subsets if is_pseudo_cube(subset) for row in subset}


ROUTES = {
    "dictionaries": peeling._core_by_dictionaries,
    "sweeps": lambda codes: peeling._swept_cores(codes)(tuple(range(codes.shape[1]))),
    "sorting": peeling._core_by_sorting,
}


def routed(route, codes):
    found = ROUTES[route](codes)
    return set() if found is None else as_set(found)


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize(("points", "labels"), [(1, 3), (2, 4), (3, 3), (4, 2)])
def test_a_core_is_the_union_of_all_pseudo_cubes(route, points, labels, generator):
    for _ in range(25):
        codes = random_rows(generator, 9, points, labels)
        assert routed(route, codes) == union_of_pseudo_cubes(as_set(codes))


@pytest.mark.parametrize(("rows", "points", "labels"), [(400, 3, 9), (3_000, 5, 4), (600, 4, 7)])
def test_the_routes_agree_on_larger_classes(rows, points, labels, generator):
    for _ in range(5):
        codes = random_rows(generator, rows, points, labels)
        expected = routed("dictionaries", codes)
        assert routed("sweeps", codes) == routed("sorting", codes) == expected


def test_some_of_those_cores_are_neither_empty_nor_everything():
    codes = random_rows(np.random.default_rng(1), 3_000, 5, 4)
    assert 0 < len(core(codes)) < len(distinct_rows(codes))


@pytest.mark.parametrize("length", [2, 40, 63, 2_500])
def test_a_long_cascade_takes_everything(length):
    """A path goes one row at a time from both ends; closed, it stays whole."""
    steps = np.arange(length)
    rows = np.concatenate([np.stack([steps, steps + 1 - i], axis=1) for i in (0, 1)])
    for route in ROUTES:
        assert routed(route, rows) == set()
        assert routed(route, rows % length) == as_set(rows % length)


@pytest.mark.parametrize("route", ROUTES)
def test_equal_rows_are_one(route):
    """T18: two equal rows would stand on each of their lines together."""
    codes = np.array([[0, 0], [0, 0], [1, 1], [1, 1]])
    assert routed(route, codes) == set()


@pytest.mark.parametrize("route", ROUTES)
def test_equal_and_constant_columns_are_not_shattered(route):
    square = np.array(list(product(range(3), repeat=2)))
    assert routed(route, square) == as_set(square)
    assert routed(route, square[:, [0, 1, 1]]) == set()
    assert routed(route, np.hstack([square, np.zeros((9, 1), int)])) == set()


def test_cores_on_columns_are_the_cores_of_the_restrictions(generator):
    codes = random_rows(generator, 1_500, 6, 3)
    on = cores_on_columns(codes)
    for size in range(1, 7):
        for columns in combinations(range(6), size):
            found = on(columns)
            expected = routed("dictionaries", codes[:, columns])
            assert (set() if found is None else as_set(found)) == expected


def test_wide_classes_are_peeled_without_a_table(generator):
    """2,000 labels at each of 8 points: 2000^8 patterns are more than 64 bits can number."""
    codes = np.tile(np.arange(2_000)[:, None], (1, 8))
    cube = np.array(list(product((0, 1_999), repeat=8)))
    rows = np.concatenate([codes, cube, random_rows(generator, 500, 8, 2_000)])
    assert as_set(core(rows)) == as_set(cube)


def test_row_keys_tell_rows_apart_beyond_64_bits(generator):
    codes = generator.integers(0, 2**20, (300, 12))
    codes[150:] = codes[:150]
    codes[150:200, 0] ^= 1
    keys = row_keys(codes)
    _, numbers = np.unique(codes, axis=0, return_inverse=True)
    assert len(set(keys.tolist())) == len(set(numbers.tolist())) == 200
    assert len(set(zip(keys.tolist(), numbers.tolist(), strict=True))) == 200


def test_distinct_rows_keep_their_order():
    codes = np.array([[2, 0], [0, 1], [2, 0], [1, 1]])
    assert distinct_rows(codes).tolist() == [[2, 0], [0, 1], [1, 1]]


def test_the_core_is_in_the_callers_labels():
    rows = [["a", 1.5], ["a", None], ["b", 1.5], ["b", None], ["c", None]]
    whole = class_from_rows(rows, points=["x", "y"])
    found = pseudo_cube_core(whole)
    assert found.points == ("x", "y")
    assert found.patterns == {(a, b) for a in "ab" for b in (1.5, None)}
    assert holds(found, whole)


def test_a_class_of_one_has_no_core():
    assert pseudo_cube_core(["000"]) is None
