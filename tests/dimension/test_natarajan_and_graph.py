"""What shatters given columns, in codes, against a trial of everything."""

from itertools import combinations, product

import numpy as np
import pytest

from rolltheory.dimension.graph import agreement_pattern, all_binary_patterns
from rolltheory.dimension.natarajan import natarajan_pair


def some_pair(rows):
    return any(
        all(a != b for a, b in zip(f, g, strict=True))
        and set(product(*zip(f, g, strict=True))) <= rows
        for f, g in combinations(rows, 2)
    )


def agreements(rows, f):
    return {tuple(a == b for a, b in zip(row, f, strict=True)) for row in rows}


@pytest.mark.parametrize(("members", "points", "labels"), [(8, 2, 4), (14, 3, 3), (32, 4, 2)])
def test_pairs_and_patterns_are_found_wherever_there_are_any(members, points, labels):
    generator = np.random.default_rng(20260603)
    found = [0, 0]
    for _ in range(60):
        codes = generator.integers(0, labels, (members, points))
        rows = set(map(tuple, codes.tolist()))
        pair, pattern = natarajan_pair(codes), agreement_pattern(codes)
        assert (pair is not None) == some_pair(rows)
        assert (pattern is not None) == any(len(agreements(rows, f)) == 2**points for f in rows)
        if pair is not None:
            assert (pair[0] != pair[1]).all()
            assert set(product(*pair.T.tolist())) <= rows
            found[0] += 1
        if pattern is not None:
            assert len(agreements(rows, pattern.tolist())) == 2**points
            found[1] += 1
    assert all(0 < count < 60 for count in found)


def test_columns_without_enough_rows_are_not_shattered():
    codes = np.array([[0, 0], [0, 1], [1, 0]])
    assert natarajan_pair(codes) is None
    assert agreement_pattern(codes) is None
    assert all_binary_patterns(codes) is None


def test_equal_rows_count_once():
    """T18: six rows, of which three are distinct."""
    codes = np.array([[0, 0], [0, 1], [1, 0]] * 2)
    assert natarajan_pair(codes) is None
    assert agreement_pattern(codes) is None


def test_all_binary_patterns_in_any_order():
    codes = np.array([[1, 0], [0, 0], [1, 1], [1, 0], [0, 1]])
    assert all_binary_patterns(codes).tolist() == [1, 0]
