"""Pass@k of a known success probability, its inverses and its limit."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest

from rolltheory.errors import DomainError
from rolltheory.reachability.counts import whole_tries
from rolltheory.reachability.exact import pass_at_k_probability_exact, tries_needed_exact
from rolltheory.reachability.tries import (
    limit_tries,
    limit_tries_bound,
    pass_at_k_limit_error,
    pass_at_k_probability,
    prefix_pass_at_k,
    success_probability_needed,
    tries_needed,
)


def test_float_route_follows_the_exact_one():
    for p in [0.0, 1e-300, 1e-9, 0.1, 0.5, 0.999, 1.0]:
        for k in [1, 2, 17, 300]:
            truth = float(pass_at_k_probability_exact(Fraction(p), k))
            assert pass_at_k_probability(p, k) == pytest.approx(truth, rel=2e-15)


def test_success_probability_needed_is_the_inverse():
    p = np.array([0.0, 1e-12, 0.03, 0.4, 1.0])
    for k in [1, 7, 100]:
        assert success_probability_needed(pass_at_k_probability(p, 7), 7) == pytest.approx(
            p, rel=1e-13
        )
        target = pass_at_k_probability(success_probability_needed(p, k), k)
        assert target == pytest.approx(p, rel=1e-13)


def test_tries_needed_is_the_smallest_number_that_reaches_the_target():
    p = np.array([1e-9, 0.01, 0.02, 0.1, 0.25, 0.5, 0.9, 1.0])[:, np.newaxis]
    target = np.array([0.0, 0.01, 0.19, 0.5, 0.75, 0.9, 0.99, 1 - 2.0**-30])
    tries = tries_needed(p, target)
    assert (pass_at_k_probability(p, tries) >= target).all()
    before = pass_at_k_probability(p[1:], np.maximum(tries[1:] - 1, 1))
    assert ((before < target) | (tries[1:] == 1)).all()
    for i, j in np.ndindex(before.shape):
        exact = tries_needed_exact(Fraction(float(p[i + 1, 0])), Fraction(float(target[j])))
        assert tries[i + 1, j] == exact


@pytest.mark.parametrize("exponent", [30, 41, 49, 60])
def test_tries_needed_are_not_too_few_however_many(exponent):
    p, target = 2.0**-exponent, 0.6
    with mpmath.workdps(50):
        truth = mpmath.log1p(-mpmath.mpf(target)) / mpmath.log1p(-mpmath.mpf(p))
        assert truth <= int(tries_needed(p, target)) <= truth * (1 + 2.0**-49) + 1


def test_tries_needed_meets_exact_powers():
    assert tries_needed(0.5, 1 - 0.5 ** np.arange(1, 50)).tolist() == list(range(1, 50))
    assert tries_needed_exact(Fraction(1, 3), Fraction(5, 9)) == 2
    assert tries_needed_exact(Fraction(1), Fraction(1)) == 1


@pytest.mark.parametrize(
    ("p", "target", "field"), [(0.0, 0.5, "success_probability"), (0.5, 1.0, "target")]
)
def test_tries_needed_refuses_the_unreachable(p, target, field):
    with pytest.raises(DomainError, match=field):
        tries_needed(p, target)
    with pytest.raises(DomainError, match=field):
        tries_needed_exact(Fraction(p), Fraction(target))


def test_tries_needed_refuses_to_overflow():
    with pytest.raises(DomainError, match="fewer than"):
        tries_needed(1e-300, 0.5)


@pytest.mark.parametrize(
    ("p_min", "error", "tries", "bound"),
    [
        (0.5, 0.01, 7, 10),
        (0.1, 0.01, 44, 47),
        (0.01, 0.01, 459, 461),
        (1 / 128, 0.01, 588, 590),
        (0.001, 0.05, 2995, 2996),
        (1.0, 0.01, 1, 5),
    ],
)
def test_worked_limit_tries(p_min, error, tries, bound):
    assert limit_tries(p_min, error) == tries
    assert limit_tries_bound(p_min, error) == bound
    assert pass_at_k_limit_error(p_min, tries) <= error
    assert tries == 1 or pass_at_k_limit_error(p_min, tries - 1) > error


def test_limit_error_holds_for_every_probability_from_the_smallest_one_on():
    p = np.concatenate(([0.0], np.linspace(0.02, 1, 200)))
    k = limit_tries(0.02, 1e-6)
    assert pass_at_k_limit_error(p, k).max() <= 1e-6
    assert np.abs(pass_at_k_probability(p, 9) - (p > 0)) == pytest.approx(
        pass_at_k_limit_error(p, 9), abs=1e-15
    )
    assert pass_at_k_limit_error(0.0, 3) == 0


def test_prefix_pass_at_k_becomes_the_reachability_indicator():
    values = [0.0, 1e-30, 0.4, 1.0]
    assert prefix_pass_at_k(values, np.inf).tolist() == [0, 1, 1, 1]
    assert np.array_equal(prefix_pass_at_k(values, 8), pass_at_k_probability(values, 8))
    assert prefix_pass_at_k(0.4, [2, np.inf]).tolist() == [pass_at_k_probability(0.4, 2), 1.0]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: pass_at_k_probability(0.5, 0), "k = 0"),
        (lambda: pass_at_k_limit_error(0.5, 0), "k = 0"),
        (lambda: success_probability_needed(0.5, 0), "k = 0"),
        (lambda: pass_at_k_probability(float("nan"), 1), "success_probability = nan"),
        (lambda: prefix_pass_at_k(-0.1, 1), r"prefix_success_probability = -0\.1"),
        (lambda: prefix_pass_at_k(0.1, -np.inf), "k = -inf"),
        (lambda: limit_tries(0.0, 0.1), "smallest_success_probability"),
        (lambda: limit_tries(0.5, 1.0), r"error = 1\.0"),
        (lambda: limit_tries_bound(0.5, [0.1, 0.0]), r"error = 0\.0"),
        (lambda: success_probability_needed(1.2, 3), r"target = 1\.2"),
        (lambda: pass_at_k_probability_exact(Fraction(1, 2), 0), "k = 0"),
    ],
)
def test_refusals_name_the_field_and_the_value(call, message):
    with pytest.raises(DomainError, match=message):
        call()


def test_tries_are_never_too_few_where_floats_see_a_tie():
    p = float(np.nextafter(0.5, 0))
    for k in range(1, 200):
        for found in (limit_tries(p, 0.5**k), limit_tries_bound(p, 0.5**k)):
            assert (1 - Fraction(p)) ** int(found) <= Fraction(1, 2**k)
        assert limit_tries(p, 0.5**k) == k + 1
    assert limit_tries_bound(2.0**-20, np.exp(-3.0)) >= 3 * 2**20


def test_ties_are_decided_by_rationals():
    assert limit_tries(0.5, [0.5, 0.25, 0.5**1074]).tolist() == [1, 2, 1074]
    assert limit_tries([[0.75], [1.0]], [0.0625, 0.25**9]).tolist() == [[2, 9], [1, 1]]
    above, below = np.nextafter(0.25, [1, 0])
    assert limit_tries(0.5, [above, below]).tolist() == [2, 3]
    for k in (1, 2, 5, 40):
        for p in (0.1, 0.3, 1 / 3, 0.875):
            error = float((1 - Fraction(p)) ** k)
            found = int(limit_tries(p, error))
            assert (1 - Fraction(p)) ** found <= Fraction(error)
            assert found == 1 or (1 - Fraction(p)) ** (found - 1) > Fraction(error)


def test_whole_tries_end_before_two_to_the_sixty_second():
    assert limit_tries_bound(2.0**-61, 0.3) == pytest.approx(-np.log(0.3) * 2.0**61)
    assert whole_tries(2.0**62 - 2.0**13, 1.0) < 2**62
    for total in (2.0**62 - 2.0**12, 2.0**62):
        with pytest.raises(DomainError, match=r"fewer than 2\*\*62 tries"):
            whole_tries(total, 1.0)
    for call in (tries_needed, limit_tries, limit_tries_bound):
        with pytest.raises(DomainError, match="tries = inf"):
            call(5e-324, 0.5)
