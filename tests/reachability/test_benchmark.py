"""Benchmark scores, their two errors, and paired comparison, on two runs of AIME 2024."""

from dataclasses import FrozenInstanceError
from fractions import Fraction
from math import comb

import numpy as np
import pytest

from rolltheory.errors import DomainError
from rolltheory.reachability.benchmark import benchmark_pass_at_k, compare_pass_at_k
from rolltheory.reachability.estimators import pass_at_k
from rolltheory.reachability.exact import pass_at_k_exact, plug_in_pass_at_k_exact


def generator() -> np.random.Generator:
    return np.random.default_rng(20260101)


@pytest.mark.parametrize(
    ("k", "before", "after"),
    [
        (1, 0.0240, 0.0267),
        (8, 0.1163, 0.1357),
        (16, 0.1742, 0.1847),
        (32, 0.2501, 0.2191),
        (50, 0.3000, 0.2333),
    ],
)
def test_real_curves(step_400, step_800, k, before, after):
    result = compare_pass_at_k(50, step_400, 50, step_800, k, generator=generator(), resamples=50)
    assert (result.first, result.second) == pytest.approx((before, after), abs=5e-5)
    assert result.difference == pytest.approx(result.second - result.first, abs=1e-15)


def test_the_drop_at_50_tries_is_not_significant(step_400, step_800):
    result = compare_pass_at_k(50, step_400, 50, step_800, 50, generator=generator())
    assert result.difference == pytest.approx(-2 / 30)
    assert tuple(result.interval) == pytest.approx((-7 / 30, 3 / 30))
    assert result.p_value == pytest.approx(44 / 64, abs=0.02)  # 4 losses, 2 gains
    assert not result.significant
    assert result.problems == 30


def test_a_clear_difference_is_significant_and_its_reverse_too():
    low, high = np.full(40, 2), np.full(40, 30)
    low[0] = 40
    result = compare_pass_at_k(50, low, 50, high, 4, generator=generator())
    assert result.significant
    assert result.interval.lower > 0
    back = compare_pass_at_k(50, high, 50, low, 4, generator=generator())
    assert back.significant
    assert back.interval.upper < 0


def test_three_problems_are_never_significant():
    result = compare_pass_at_k(4, [0, 0, 0], 4, [4, 4, 4], 1, generator=generator())
    assert result.interval == (1.0, 1.0)
    assert result.p_value == pytest.approx(0.25, abs=0.02)
    assert not result.significant


def test_pairing_by_identifier_ignores_the_order(step_400, step_800):
    names = [f"task {i}" for i in range(30)]
    order = np.random.default_rng(5).permutation(30)
    plain = compare_pass_at_k(50, step_400, 50, step_800, 8, generator=generator())
    shuffled = compare_pass_at_k(
        50,
        step_400,
        np.full(30, 50),
        step_800[order],
        8,
        generator=generator(),
        problems=names,
        other_problems=[names[i] for i in order],
    )
    assert shuffled == plain


@pytest.mark.parametrize(
    ("problems", "other", "message"),
    [
        (["a", "b"], ["a", "c"], "problems = 'b' is not allowed: need the same problems"),
        (["a", "a"], ["a", "b"], "each used once"),
        (["a", "b"], ["b"], "one identifier per problem"),
        (["a", "b"], None, "the same problems in both sets; 4 are in one only"),
    ],
)
def test_refuses_different_sets_of_problems(problems, other, message):
    with pytest.raises(DomainError, match=message):
        compare_pass_at_k(
            4, [1, 2], 4, [1, 2], 1, generator=generator(), problems=problems, other_problems=other
        )


def test_refuses_sets_of_different_size():
    with pytest.raises(DomainError, match="the same problems in both sets; 1 are in one only"):
        compare_pass_at_k(4, [1, 2], 4, [1, 2, 3], 1, generator=generator())


def test_both_errors_and_when_the_first_does_not_exist(step_400):
    result = benchmark_pass_at_k(50, step_400, 8, generator=generator())
    values = pass_at_k(50, step_400, 8)
    assert result.estimate == pytest.approx(values.mean())
    assert result.sampled_problems_error == pytest.approx(values.std(ddof=1) / 30**0.5)
    assert result.fixed_problems_error == pytest.approx(0.016405521, abs=1e-8)
    assert result.interval.lower < result.estimate < result.interval.upper
    assert (result.problems, result.unsolved_problems) == (30, 21)
    assert result.plug_in < result.estimate
    assert benchmark_pass_at_k(50, step_400, 26, generator=generator()).fixed_problems_error is None
    assert benchmark_pass_at_k(4, 2, 1, generator=generator()).sampled_problems_error is None


def test_unequal_numbers_of_tries_are_reported_and_the_smallest_one_limits_k():
    result = benchmark_pass_at_k([4, 8], [1, 1], 4, generator=generator())
    assert (result.fewest_samples, result.most_samples) == (4, 8)
    assert result.estimate == pytest.approx(0.75)
    with pytest.raises(DomainError, match="k = 5 is not allowed: need k <= samples = 4"):
        benchmark_pass_at_k([4, 8], [1, 1], 5, generator=generator())


def test_interval_covers_the_population_mean():
    draws = np.random.default_rng(8)
    truth = 1 - np.exp(_log_miss(0.3, 1.2, 4))
    hits = 0
    for _ in range(200):
        successes = draws.binomial(16, draws.beta(0.3, 1.2, size=60))
        result = benchmark_pass_at_k(16, successes, 4, generator=draws, resamples=400)
        hits += bool(result.interval.lower <= truth <= result.interval.upper)
    assert 0.88 <= hits / 200 <= 0.99


def _log_miss(a: float, b: float, k: int) -> float:
    i = np.arange(k)
    return float(np.log1p(-a / (a + b + i)).sum())


def test_resampling_tries_inside_a_problem_is_centred_on_the_plug_in():
    n, c, k = 6, 2, 4
    share = Fraction(c, n)
    centre = sum(
        comb(n, again) * share**again * (1 - share) ** (n - again) * pass_at_k_exact(n, again, k)
        for again in range(n + 1)
    )
    assert centre == plug_in_pass_at_k_exact(n, c, k) < pass_at_k_exact(n, c, k)


def test_refuses_an_empty_benchmark_and_tables():
    with pytest.raises(DomainError, match="one count per problem"):
        benchmark_pass_at_k(4, [], 1, generator=generator())
    with pytest.raises(DomainError, match="one count per problem"):
        benchmark_pass_at_k(4, [[1, 2], [0, 1]], 1, generator=generator())
    with pytest.raises(DomainError, match="k = 0"):
        benchmark_pass_at_k(4, [1, 2], 0, generator=generator())


def test_the_error_for_these_problems_exists_up_to_half_of_the_tries(step_400):
    result = benchmark_pass_at_k(50, step_400, 25, generator=generator(), resamples=10)
    assert result.fixed_problems_error > 0
    mixed = benchmark_pass_at_k([50, 49], [3, 3], 25, generator=generator(), resamples=10)
    assert mixed.fixed_problems_error is None


def test_a_p_value_at_the_level_is_significant():
    result = compare_pass_at_k(
        4, [0] * 60, 4, [4] * 60, 1, generator=generator(), confidence=0.75, resamples=3
    )
    assert result.p_value == 1 / 4
    assert result.significant
    with pytest.raises(FrozenInstanceError):
        result.significant = False
    with pytest.raises(FrozenInstanceError):
        benchmark_pass_at_k(4, [1, 2], 1, generator=generator(), resamples=1).k = 2
