"""1,000 runs of delayed ascent: all together, beside a plain loop over the runs."""

import math

import numpy as np
import pytest

from simulators.staleness.ascent import bandit_map, delayed_ascent
from simulators.staleness.asynchronous import sync_lags

RUNS, UPDATES, GROUP_SIZE, ANCHOR = 1000, 200, 8, 0.05
RATES = np.geomspace(0.1, 10.0, RUNS)
INTERVALS = np.arange(RUNS) % 32 + 1
OUTCOMES = [
    (math.comb(GROUP_SIZE, wins), wins, math.sqrt(wins * (GROUP_SIZE - wins)) / GROUP_SIZE)
    for wins in range(1, GROUP_SIZE)
]


def together():
    lags = sync_lags(UPDATES, INTERVALS)
    start = np.ones((RUNS, 1))
    return delayed_ascent(bandit_map(GROUP_SIZE, ANCHOR), start, RATES, lags, keep=UPDATES)[
        -1, :, 0
    ]


def one_by_one():
    ends = []
    for rate, interval in zip(RATES.tolist(), INTERVALS.tolist(), strict=True):
        z = sampler = 1.0
        for update in range(UPDATES):
            if update % interval == 0:
                sampler = z
            success = 1 / (1 + math.exp(-sampler))
            pull = sum(
                ways * success**wins * (1 - success) ** (GROUP_SIZE - wins) * spread
                for ways, wins, spread in OUTCOMES
            )
            z += rate * (pull - ANCHOR * z)
        ends.append(z)
    return np.array(ends)


@pytest.mark.benchmark(group="delayed ascent, 1,000 runs")
def test_together(benchmark):
    ends = benchmark.pedantic(together, rounds=5, warmup_rounds=1)
    np.testing.assert_allclose(ends, one_by_one(), atol=1e-6)


@pytest.mark.benchmark(group="delayed ascent, 1,000 runs")
def test_one_by_one(benchmark):
    assert benchmark.pedantic(one_by_one, rounds=1).shape == (RUNS,)
