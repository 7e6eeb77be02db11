"""Ranks and kernels modulo 2, and parity dimensions, beside what one would use instead.

A dense random matrix of 1,024 rows, the parity test at the full set of points, and whole parity
dimensions. Compilation is outside of all timings. galois, ldpc and gudhi take part where they are
installed.
"""

from importlib.util import find_spec

import numpy as np
import pytest

from rolltheory.dimension.classes import class_from_rows
from rolltheory.dimension.parity import parity_dimension, parity_kernel
from rolltheory.numerics.modular import rank

RANK = "rank of a dense 1,024 x 1,024 matrix modulo 2"
KERNEL = "parity test, 5,530 of 20,736 patterns at 4 points"


@pytest.fixture(scope="module")
def matrix():
    return np.random.default_rng(0).integers(0, 2, (1024, 1024), dtype=np.int64)


@pytest.fixture(scope="module")
def hypotheses():
    """A window with a pseudo-cube and without an even one: nothing but elimination tells."""
    generator = np.random.default_rng(0)
    cells = generator.choice(12**4, 5530, replace=False)
    return class_from_rows(np.stack(np.unravel_index(cells, (12,) * 4), axis=1))


@pytest.mark.benchmark(group=RANK)
def test_rank(benchmark, matrix):
    found = benchmark.pedantic(
        rank, (matrix,), {"field": 2}, rounds=10, iterations=3, warmup_rounds=1
    )
    assert found == 1024


@pytest.mark.benchmark(group=RANK)
def test_rank_of_truth_values(benchmark, matrix):
    truth = matrix.astype(bool)
    benchmark.pedantic(rank, (truth,), {"field": 2}, rounds=10, iterations=3, warmup_rounds=1)


@pytest.mark.benchmark(group=KERNEL)
@pytest.mark.parametrize("field", [2, 3])
def test_parity_kernel(benchmark, hypotheses, field):
    benchmark.pedantic(parity_kernel, (hypotheses,), {"field": field}, rounds=2, warmup_rounds=1)


@pytest.mark.benchmark(group="parity dimension, 2,000 hypotheses x 10 points, 4 labels")
@pytest.mark.parametrize("field", [2, 3])
def test_parity_dimension(benchmark, field):
    rows = np.random.default_rng(0).integers(0, 4, (2000, 10))
    whole = class_from_rows(rows, merge=True)
    found = benchmark.pedantic(
        parity_dimension, (whole,), {"field": field}, rounds=3, warmup_rounds=1
    )
    benchmark.extra_info["dimension"] = found.value
    benchmark.extra_info["sets tested"] = found.tests


if find_spec("galois"):
    import galois

    @pytest.mark.benchmark(group=RANK)
    def test_galois(benchmark, matrix):
        """The matrix is already one of its field."""
        peer = galois.GF(2)(matrix)
        found = benchmark.pedantic(np.linalg.matrix_rank, (peer,), rounds=3, warmup_rounds=1)
        assert found == 1024


if find_spec("ldpc"):
    import ldpc.mod2

    @pytest.mark.benchmark(group=RANK)
    def test_ldpc(benchmark, matrix):
        """In the bytes that it asks for."""
        peer = matrix.astype(np.uint8)
        found = benchmark.pedantic(ldpc.mod2.rank, (peer,), rounds=5, warmup_rounds=1)
        assert found == 1024


if find_spec("gudhi"):
    import gudhi

    @pytest.mark.benchmark(group=KERNEL)
    @pytest.mark.parametrize("field", [2, 3])
    def test_gudhi(benchmark, hypotheses, field):
        """The top Betti number, of the complex already built."""
        vertices = hypotheses.codes + 12 * np.arange(4)

        def built():
            simplices = gudhi.SimplexTree()
            for row in vertices.tolist():
                simplices.insert(row)
            return (simplices,), {}

        def top_betti_number(simplices):
            simplices.compute_persistence(homology_coeff_field=field, persistence_dim_max=True)
            return simplices.betti_numbers()[3]

        found = benchmark.pedantic(top_betti_number, setup=built, rounds=2)
        assert (found > 0) == (parity_kernel(hypotheses, field=field) is not None)
