"""The estimates of Pass@k against exact rationals and brute force over every outcome."""

from fractions import Fraction
from itertools import combinations, product
from math import comb

import numpy as np
import pytest

from rolltheory.errors import DomainError
from rolltheory.reachability.estimators import (
    all_of_k,
    max_at_k,
    pass_at_k,
    pass_at_k_variance_estimate,
    plug_in_pass_at_k,
)
from rolltheory.reachability.exact import (
    all_of_k_exact,
    max_at_k_exact,
    pass_at_k_exact,
    pass_at_k_probability_exact,
    pass_at_k_variance_estimate_exact,
    plug_in_pass_at_k_exact,
)

SMALL = [(n, c, k) for n in range(1, 13) for c in range(n + 1) for k in range(1, n + 1)]


def short_product(n: int, c: int, k: int) -> Fraction:
    """The estimate by its shorter product, feasible where the binomials are astronomically long."""
    few, many = min(c, k), max(c, k)
    if c + k > n:
        return Fraction(1)
    top = bottom = 1
    for i in range(few):
        top *= n - many - i
        bottom *= n - i
    return 1 - Fraction(top, bottom)


def relative_error(value: float, truth: Fraction) -> float:
    return float(abs(Fraction(float(value)) / truth - 1)) if truth else abs(float(value))


@pytest.mark.parametrize(
    ("samples", "successes", "k", "value"),
    [
        (200, 3, 100, 0.8768844221105527),
        (10**6, 1, 1000, 0.001),
        (10**9, 3, 10, 2.999999973e-8),
        (10**12, 2, 5, 9.99999999998e-12),
        (164, 50, 10, 0.9767863361645763),
    ],
)
def test_worked_values(samples, successes, k, value):
    assert pass_at_k(samples, successes, k) == pytest.approx(value, rel=1e-14)
    assert relative_error(value, short_product(samples, successes, k)) < 1e-9


def test_exact_twin_is_the_share_of_subsets_with_a_success():
    for n, c, k in SMALL:
        if n <= 7:
            outcomes = [1] * c + [0] * (n - c)
            hits = [any(chosen) for chosen in combinations(outcomes, k)]
            alls = [all(chosen) for chosen in combinations(outcomes, k)]
            assert pass_at_k_exact(n, c, k) == Fraction(sum(hits), len(hits))
            assert all_of_k_exact(n, c, k) == Fraction(sum(alls), len(alls))


def test_float_routes_follow_the_exact_ones_on_every_small_case():
    n, c, k = np.array(SMALL).T
    estimates, together, plugged = pass_at_k(n, c, k), all_of_k(n, c, k), plug_in_pass_at_k(n, c, k)
    for index, case in enumerate(SMALL):
        assert relative_error(estimates[index], pass_at_k_exact(*case)) < 2e-15
        assert relative_error(together[index], all_of_k_exact(*case)) < 1e-14
        assert relative_error(plugged[index], plug_in_pass_at_k_exact(*case)) < 4e-15


def test_relative_accuracy_up_to_a_million_million_tries():
    generator = np.random.default_rng(7)
    worst = 0.0
    for _ in range(1500):
        n = int(10 ** generator.uniform(0, 12))
        c, k = (max(1, min(n, int(10 ** generator.uniform(0, np.log10(n + 1))))) for _ in range(2))
        if min(c, k) <= 2000:
            worst = max(worst, relative_error(pass_at_k(n, c, k), short_product(n, c, k)))
    assert worst < 1e-14


def test_edges_are_fixed_by_contract():
    assert pass_at_k(7, 0, 7) == 0
    assert not np.signbit(pass_at_k(7, 0, 7))
    assert pass_at_k(7, 3, 5) == 1
    assert pass_at_k(7, 7, 1) == 1
    assert pass_at_k(7, 1, 7) == 1
    assert all_of_k(7, 7, 7) == 1
    assert all_of_k(7, 6, 7) == 0
    assert isinstance(pass_at_k(7, 3, 2), float)


@pytest.mark.parametrize(("samples", "k"), [(2, 5), (99, 100)])
def test_refuses_more_draws_than_tries_where_the_common_helper_says_one(samples, k):
    with pytest.raises(DomainError, match=f"k = {k} is not allowed: need k <= samples = {samples}"):
        pass_at_k(samples, 0, k)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((5, 6, 1), "successes = 6 is not allowed: need successes <= samples = 5"),
        ((5, [1, -1], 1), "successes = -1"),
        ((5, 2, 0), "k = 0"),
        ((0, 0, 1), "samples = 0"),
        ((5, float("nan"), 1), "successes = nan"),
        ((5, 2.5, 1), r"successes = 2\.5"),
        (("5", 2, 1), "samples = '5'"),
        (([5, 3], 2, [[4], [2]]), "k = 4 is not allowed: need k <= samples = 3"),
    ],
)
def test_refuses_bad_counts_with_the_first_offender(arguments, message):
    for function in (pass_at_k, all_of_k):
        with pytest.raises(DomainError, match=message):
            function(*arguments)


def test_broadcasting_agrees_with_single_calls():
    n, c, k = np.array([9, 20]), np.array([[0], [3], [9]]), np.array([1, 4]).reshape(2, 1, 1)
    table = pass_at_k(n, c, k)
    assert table.shape == (2, 3, 2)
    for i, j, m in np.ndindex(table.shape):
        assert table[i, j, m] == pass_at_k(int(n[m]), int(c[j, 0]), int(k[i, 0, 0]))


@pytest.mark.parametrize("samples", [40, np.arange(35, 41).repeat(350)])
def test_repeated_counts_give_the_same_as_direct_evaluation(samples):
    generator = np.random.default_rng(3)
    n = np.broadcast_to(samples, (2100,))
    c = generator.binomial(n, generator.uniform(size=n.size))
    direct = np.concatenate([pass_at_k(n[i : i + 7], c[i : i + 7], 9) for i in range(0, 2100, 7)])
    assert np.array_equal(pass_at_k(samples, c, 9), direct)
    assert pass_at_k(samples, c, [[9]]).shape == (1, 2100)


def test_unbiased_for_every_success_probability_and_the_plug_in_is_not():
    for n, k, p in [(5, 3, Fraction(1, 10)), (8, 8, Fraction(1, 3)), (12, 5, Fraction(9, 10))]:
        weights = [comb(n, c) * p**c * (1 - p) ** (n - c) for c in range(n + 1)]
        truth = pass_at_k_probability_exact(p, k)
        assert sum(w * pass_at_k_exact(n, c, k) for c, w in enumerate(weights)) == truth
        assert sum(w * plug_in_pass_at_k_exact(n, c, k) for c, w in enumerate(weights)) < truth


def test_all_of_k_is_unbiased():
    n, k, p = 7, 3, Fraction(2, 5)
    mean = sum(
        comb(n, c) * p**c * (1 - p) ** (n - c) * all_of_k_exact(n, c, k) for c in range(n + 1)
    )
    assert mean == p**k


def test_plug_in_is_the_mean_best_of_draws_with_replacement():
    n, k = 4, 3
    for c in range(n + 1):
        outcomes = [1] * c + [0] * (n - c)
        best = [max(chosen) for chosen in product(outcomes, repeat=k)]
        assert plug_in_pass_at_k_exact(n, c, k) == Fraction(sum(best), len(best))
    assert plug_in_pass_at_k([4, 8, 16], 1, [4, 8, 16]) == pytest.approx(
        [0.68359375, 0.65639, 0.64393], abs=5e-6
    )


@pytest.mark.parametrize(
    ("samples", "k", "p", "unbiased", "plug_in"),
    [
        (16, 8, 0.05, 0.10099, 0.07680),
        (16, 8, 0.2, 0.04242, 0.05127),
        (16, 16, 0.05, 0.24642, 0.16292),
    ],
)
def test_the_plug_in_can_have_the_smaller_mean_squared_error(samples, k, p, unbiased, plug_in):
    c = np.arange(samples + 1)
    weights = np.array([comb(samples, i) for i in c]) * p**c * (1 - p) ** (samples - c)
    truth = 1 - (1 - p) ** k
    errors = [weights @ (f(samples, c, k) - truth) ** 2 for f in (pass_at_k, plug_in_pass_at_k)]
    assert errors == pytest.approx([unbiased, plug_in], abs=5e-6)


def test_variance_estimate_is_exact_and_never_negative():
    for n, c, k in SMALL:
        if 2 * k <= n:
            truth = pass_at_k_variance_estimate_exact(n, c, k)
            assert pass_at_k_variance_estimate(n, c, k) == pytest.approx(float(truth), rel=1e-13)
            assert truth >= 0
    assert (pass_at_k_variance_estimate(10**9, np.arange(0, 10**9, 10**7), 3) >= 0).all()


def test_variance_estimate_refuses_fewer_than_two_times_k_tries():
    for function in (pass_at_k_variance_estimate, pass_at_k_variance_estimate_exact):
        with pytest.raises(DomainError, match=r"k = 4 is not allowed: need 2 k <= samples = 7"):
            function(7, 1, 4)


def test_max_at_k_is_the_mean_best_over_subsets():
    scores = [3, -1, 4, 4, 0, 2]
    for k in range(1, 7):
        best = [max(chosen) for chosen in combinations(scores, k)]
        truth = Fraction(sum(best), len(best))
        assert max_at_k_exact(scores, k) == truth
        assert max_at_k(scores, k) == pytest.approx(float(truth), rel=1e-14)
    assert max_at_k([[3.0, 1.0], [0.0, 5.0]], 1) == pytest.approx([2.0, 2.5])


def test_max_at_k_of_binary_scores_is_pass_at_k():
    assert max_at_k([1, 0, 0, 1, 0], 3) == pytest.approx(pass_at_k(5, 2, 3), rel=1e-14)
    with pytest.raises(DomainError, match="k = 6"):
        max_at_k([1, 0, 0, 1, 0], 6)
    with pytest.raises(DomainError, match="scores = inf"):
        max_at_k([1, float("inf")], 1)


@pytest.mark.parametrize(
    ("samples", "successes"),
    [(13602544943568582, 10062453532890584), (16870503872490110, 525155769990143)],
)
def test_a_variance_is_not_negative_where_rounding_says_so(samples, successes):
    assert pass_at_k_variance_estimate(samples, successes, 1) >= 0
