"""Rank and kernels modulo a prime: worked values, both routes, and what is refused."""

from itertools import product

import numpy as np
import pytest

from rolltheory.errors import DomainError
from rolltheory.numerics import modular
from rolltheory.numerics.modular import kernel_vector, prime_field, rank

CYCLE = [[1, 1, 0], [0, 1, 1], [1, 0, 1]]
LARGEST = 2**31 - 1


def rank_by_counting(matrix, field):
    """The logarithm of the number of different combinations of the rows."""
    rows = np.asarray(matrix)
    combinations = np.array(list(product(range(field), repeat=len(rows)))) @ rows % field
    spanned = len(np.unique(combinations, axis=0))
    return next(k for k in range(len(rows) + 1) if field**k == spanned)


@pytest.fixture(params=["plain", "compiled"])
def route(request, monkeypatch):
    """Either route for matrices of every size."""
    worth = {"plain": 2**62, "compiled": 0}[request.param]
    monkeypatch.setattr(modular, "_WORTH_COMPILING", worth)


def test_the_rank_depends_on_the_field(route):
    assert [rank(CYCLE, field=p) for p in (2, 3, 5, LARGEST)] == [2, 3, 3, 3]


@pytest.mark.parametrize("field", [2, 3, 5])
def test_rank_by_counting_what_the_rows_span(route, field):
    generator = np.random.default_rng(field)
    for _ in range(40):
        shape = generator.integers(1, 6, 2)
        matrix = generator.integers(-4, 5, shape)
        assert rank(matrix, field=field) == rank_by_counting(matrix % field, field)


@pytest.mark.parametrize("field", [2, 3, 10007, LARGEST])
@pytest.mark.parametrize(("rows", "columns", "inner"), [(9, 70, 9), (70, 9, 5), (130, 129, 64)])
def test_rank_of_a_product(route, field, rows, columns, inner):
    """A product of an upper and a lower triangle of ones and noise has the rank of its inside."""
    generator = np.random.default_rng(rows)
    left = np.tril(generator.integers(0, field, (rows, inner)), -1)
    right = np.triu(generator.integers(0, field, (inner, columns)), 1)
    left[np.arange(inner), np.arange(inner)] = 1
    right[np.arange(min(inner, columns)), np.arange(min(inner, columns))] = 1
    matrix = np.zeros((rows, columns), dtype=np.int64)
    for i in range(inner):
        matrix = (matrix + left[:, i : i + 1] * right[i]) % field
    assert rank(matrix, field=field) == inner
    vector = kernel_vector(matrix, field=field)
    assert (vector is None) == (inner == rows)
    if vector is not None:
        assert vector.any()
        assert vector[np.flatnonzero(vector)[0]] == 1
        assert not any(sum(map(int, vector * column % field)) % field for column in matrix.T)


def test_no_entry_overflows(route):
    """Residues near the largest field: products come near 2**62, and differences to -2**62."""
    big = LARGEST - 1
    assert rank([[big, big], [big, 1]], field=LARGEST) == 2
    assert rank([[big, 1], [1, big]], field=LARGEST) == 1
    assert kernel_vector([[big, 1], [1, big]], field=LARGEST).tolist() == [1, 1]


@pytest.mark.parametrize("field", [2, 7])
def test_both_routes_leave_the_same_echelon_form(field):
    from rolltheory.numerics._modular_kernels import eliminate, eliminate_bits

    generator = np.random.default_rng(0)
    for _ in range(10):
        matrix = generator.integers(0, field, (40, 90)) * generator.integers(0, 2, (40, 1))
        matrix[20:] = matrix[:20][::-1]
        plain, compiled = matrix.copy(), matrix.copy()
        found = modular._eliminate(plain, 70, field)
        assert eliminate(compiled, 70, field) == found
        assert eliminate.py_func(matrix.copy(), 70, field) == found
        np.testing.assert_array_equal(plain, compiled)
        if field == 2:
            words, other = modular._packed(matrix), modular._packed(matrix)
            assert modular._eliminate_bits(words, 70) == eliminate_bits(other, 70) == found
            np.testing.assert_array_equal(words, other)
            np.testing.assert_array_equal(modular._unpacked(words, 90), plain)


def test_power_is_that_of_integers():
    from rolltheory.numerics._modular_kernels import power

    assert power(3, LARGEST - 2, LARGEST) == pow(3, -1, LARGEST)
    assert [power.py_func(5, e, 7) for e in range(7)] == [5**e % 7 for e in range(7)]


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0)])
def test_matrices_without_entries(shape):
    empty = np.zeros(shape, dtype=np.int64)
    assert rank(empty, field=2) == rank(empty, field=3) == 0
    vectors = [kernel_vector(empty, field=p) for p in (2, 3)]
    assert all((vector is None) == (shape[0] == 0) for vector in vectors)


def test_what_counts_as_an_integer():
    truth = np.array(CYCLE, dtype=bool)
    for matrix in (truth, truth.astype(np.int8), truth.astype(np.uint64), truth.astype(float)):
        assert [rank(matrix, field=p) for p in (2, 3, LARGEST)] == [2, 3, 3]
    with pytest.raises(DomainError, match=r"matrix = 0\.5 is not allowed: need whole numbers"):
        rank([[0.5, 1.0]], field=2)
    with pytest.raises(DomainError, match="matrix = '1 axes' is not allowed: need two axes"):
        rank([1, 0], field=2)


def test_the_callers_matrix_is_left_alone():
    matrix = np.array(CYCLE)
    rank(matrix, field=5)
    kernel_vector(matrix, field=5)
    assert matrix.tolist() == CYCLE


@pytest.mark.parametrize("field", [-3, 0, 1, 4, 9, 2**31, 46337 * 46339, 2.5, [2, 3]])
def test_other_orders_than_primes_are_refused(field):
    with pytest.raises(DomainError):
        rank(CYCLE, field=field)
    with pytest.raises(DomainError):
        kernel_vector(CYCLE, field=field)


def test_primes_are_taken():
    assert [p for p in range(2, 30) if _taken(p)] == [2, 3, 5, 7, 11, 13, 17, 19, 23, 29]
    assert prime_field(2.0) == 2
    assert prime_field(LARGEST) == LARGEST


def _taken(order):
    try:
        return prime_field(order) == order
    except DomainError:
        return False
