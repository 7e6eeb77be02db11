"""Dimensions of large classes beside what one would write instead, in one run.

``ROLLTHEORY_BENCHMARK_SCALE=0.01`` shrinks the number of hypotheses. The plain searches sort the
restriction and its lines at every test, as numbers or as rows; they run on a tenth of the
hypotheses, the slower one for its first sets only, beside `ds_dimension` on the same class.
Compilation is outside of all timings; memory is in ``extra_info``, and so are the dimension and
the number of sets that were tested.
"""

import os
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from rolltheory.dimension.classes import class_from_rows
from rolltheory.dimension.littlestone import littlestone_dimension
from rolltheory.dimension.search import ds_dimension, level_wise

HYPOTHESES = int(100_000 * float(os.environ.get("ROLLTHEORY_BENCHMARK_SCALE", "1")))


def random_class(hypotheses, *, points=12, labels=4):
    rows = np.random.default_rng(1).integers(0, labels, (hypotheses, points))
    return class_from_rows(rows, merge=True)


@pytest.fixture(scope="module")
def large():
    return random_class(HYPOTHESES)


@pytest.fixture(scope="module")
def small():
    return random_class(HYPOTHESES // 10)


def numbered_rows(codes):
    """For each direction the number of the line through each distinct row, by sorting rows."""
    rows = np.unique(codes, axis=0)
    shorter = [np.delete(rows, i, axis=1) for i in range(rows.shape[1])]
    return [np.unique(others, axis=0, return_inverse=True)[1].ravel() for others in shorter]


def numbered_keys(codes):
    """The same by sorting one number for each row, which holds all of its codes."""
    counts = codes.max(axis=0) + 1
    weights = np.cumprod(counts) // counts
    rows = np.unique(codes @ weights)
    parts = (rows[:, None] // weights % counts * weights).T
    return [np.unique(rows - part, return_inverse=True)[1] for part in parts]


def search_by_sorting(whole, numbered, budget=None):
    """The same search; the lines of each set are numbered by sorting, and then peeled in sweeps."""

    def peeled(codes):
        lines = numbered(codes)
        while lines[0].size:
            others = np.all([np.bincount(line)[line] > 1 for line in lines], axis=0)
            if others.all():
                return True
            lines = [line[others] for line in lines]
        return None

    return level_wise(whole.codes, peeled, budget=budget)


def record(benchmark, found):
    benchmark.extra_info["tests"] = found.tests
    benchmark.extra_info["upper"] = found.upper


@cache
def compile_first():
    ds_dimension(random_class(1_000, labels=500))


@pytest.mark.benchmark(group="DS dimension, 12 points, 4 labels")
def test_ds_dimension(benchmark, large):
    compile_first()
    found = benchmark.pedantic(ds_dimension, (large,), rounds=1)
    record(benchmark, found)
    assert found.lower == found.upper


@pytest.mark.benchmark(group="DS dimension, 12 points, 4 labels, a tenth of the hypotheses")
def test_ds_dimension_of_a_tenth(benchmark, small):
    compile_first()
    record(benchmark, benchmark.pedantic(ds_dimension, (small,), rounds=3))


@pytest.mark.benchmark(group="DS dimension, 12 points, 4 labels, a tenth of the hypotheses")
def test_sorting_keys_at_every_test(benchmark, small):
    found = benchmark.pedantic(search_by_sorting, (small, numbered_keys), rounds=1)
    record(benchmark, found)
    assert found.upper == ds_dimension(small).value


@pytest.mark.benchmark(group="the first 300 sets, a tenth of the hypotheses")
def test_ds_dimension_of_some_sets(benchmark, small):
    compile_first()
    record(benchmark, benchmark.pedantic(ds_dimension, (small,), {"budget": 300}, rounds=3))


@pytest.mark.benchmark(group="the first 300 sets, a tenth of the hypotheses")
def test_sorting_rows_at_every_test(benchmark, small):
    arguments = (small, numbered_rows, 300)
    record(benchmark, benchmark.pedantic(search_by_sorting, arguments, rounds=1))


@pytest.mark.benchmark(group="Littlestone dimension, 1,024 thresholds")
def test_littlestone_dimension(benchmark):
    whole = class_from_rows(np.tri(1024, 1023, -1, dtype=int))
    found = benchmark.pedantic(littlestone_dimension, (whole,), rounds=3)
    record(benchmark, found)
    assert found.value == 10


@pytest.mark.benchmark(group="Littlestone dimension, 64 thresholds")
def test_littlestone_dimension_of_few(benchmark):
    whole = class_from_rows(np.tri(64, 63, -1, dtype=int))
    assert benchmark.pedantic(littlestone_dimension, (whole,), rounds=3).value == 6


@pytest.mark.benchmark(group="Littlestone dimension, 64 thresholds")
def test_the_recursion_with_a_memory(benchmark):
    """The definition word by word, on sets of hypotheses that are remembered."""
    labels = np.tri(64, 63, -1, dtype=int).T.tolist()

    @cache
    def deepest(members):
        best = 0
        for column in labels:
            below = [frozenset(h for h in members if column[h] == label) for label in (0, 1)]
            if all(below):
                best = max(best, 1 + min(map(deepest, below)))
        return best

    assert benchmark.pedantic(deepest, (frozenset(range(64)),), rounds=1) == 6


@pytest.mark.benchmark(group="memory")
@pytest.mark.parametrize("times", [1, 10])
def test_memory(benchmark, times):
    """Highest resident memory above what the process held before, the class included, in MiB."""
    compile_first()
    status, reset = Path("/proc/self/status"), Path("/proc/self/clear_refs")

    def resident(field):
        lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
        return int(lines[field].split()[0]) / 1024

    before = resident("VmRSS")
    reset.write_text("5")
    whole = random_class(times * HYPOTHESES)
    found = benchmark.pedantic(ds_dimension, (whole,), {"budget": 2_000}, rounds=1)
    record(benchmark, found)
    benchmark.extra_info["MiB"] = round(resident("VmHWM") - before)
