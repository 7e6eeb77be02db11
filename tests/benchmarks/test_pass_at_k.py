"""Pass@k of a million problems beside the per-problem loop that human-eval made standard.

Run with ``make bench``. The ratio of throughputs is printed and kept in ``extra_info``.
"""

from fractions import Fraction
from math import comb
from time import perf_counter

import numpy as np
import pytest

from rolltheory.reachability.estimators import pass_at_k

PROBLEMS = 10**6
LOOPED = 20_000  # the time per problem of the loop does not depend on their number
K = 10
KINDS = {"200": (200, 200), "100 to 200": (100, 200), "1 000 to 20 000": (1_000, 20_000)}


def published_loop(samples: np.ndarray, successes: np.ndarray, k: int) -> np.ndarray:
    """The estimator as published, called per problem as its users call it."""

    def estimator(n: int, c: int, k: int) -> float:
        if n - c < k:
            return 1.0
        return 1.0 - np.prod(1.0 - k / np.arange(n - c + 1, n + 1))

    return np.array([estimator(int(n), int(c), k) for n, c in zip(samples, successes, strict=True)])


def problems(kind: str) -> tuple[np.ndarray, np.ndarray]:
    draws = np.random.default_rng(0)
    fewest, most = KINDS[kind]
    samples = draws.integers(fewest, most + 1, size=PROBLEMS)
    return samples, draws.binomial(samples, draws.beta(0.3, 1.2, size=PROBLEMS))


@pytest.mark.parametrize("kind", KINDS)
def test_throughput(benchmark, kind):
    samples, successes = problems(kind)
    start = perf_counter()
    expected = published_loop(samples[:LOOPED], successes[:LOOPED], K)
    loop = (perf_counter() - start) / LOOPED
    values = benchmark.pedantic(pass_at_k, (samples, successes, K), rounds=5, warmup_rounds=1)
    assert values[:LOOPED] == pytest.approx(expected, rel=1e-9)
    if benchmark.stats:  # none with --benchmark-disable
        ratio = loop * PROBLEMS / benchmark.stats.stats.median
        benchmark.extra_info.update(loop_seconds_per_problem=loop, throughput_ratio=ratio)
        print(f"\n{kind} tries: {ratio:.0f} times the throughput of the loop")  # noqa: T201


@pytest.mark.parametrize("kind", KINDS)
def test_never_less_accurate_than_the_loop(kind):
    samples, successes = (v[:300] for v in problems(kind))
    truth = [
        1 - Fraction(comb(n - c, K), comb(n, K))
        for n, c in zip(samples.tolist(), successes.tolist(), strict=True)
    ]

    def worst(values: np.ndarray) -> float:
        pairs = zip(values, truth, strict=True)
        return max(float(abs(Fraction(float(v)) - t) / t) for v, t in pairs if t)

    loop = worst(published_loop(samples, successes, K))
    assert worst(pass_at_k(samples, successes, K)) <= max(loop, 1e-15)
