from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from rolltheory.errors import DomainError
from rolltheory.reachability.drift import (
    expected_credit,
    expected_credit_bounds,
    expected_credit_bounds_exact,
    expected_credit_exact,
)


def two_point_credit(mean, variance, atom, k):
    """Mean credit of the law on the atom and one more point, in rationals."""
    other = mean + variance / (mean - atom)
    weight = variance / (variance + (mean - atom) ** 2)
    return expected_credit_exact([weight, 1 - weight], [atom, other], k)


def test_expected_credit_by_hand_and_against_the_exact_route():
    assert expected_credit([0.5, 0.5], [0.0, 0.2], 16) == pytest.approx(
        0.485926 - 0.814698, abs=1e-6
    )
    chances = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]
    values = [Fraction(1, 10), Fraction(1), Fraction(0)]
    for k in (1, 2, 9, 64):
        exact = expected_credit_exact(chances, values, k)
        fast = expected_credit([float(c) for c in chances], [float(v) for v in values], k)
        assert fast == pytest.approx(float(exact), abs=1e-15)
        assert (exact < 0) == (k > 1)
    assert expected_credit([0.3, 0.7], [0.4, 0.4], 5) == pytest.approx(0, abs=1e-16)


def test_expected_credit_takes_its_last_axis_as_the_continuations():
    chances = np.array([[0.5, 0.5, 0.0], [0.2, 0.3, 0.5], [0.1, 0.1, 0.8]])
    values = np.array([[0.1, 0.9, 0.5], [0.0, 1.0, 0.3], [0.4, 0.5, 0.6]])
    together = expected_credit(chances, values, [2, 5, 9])
    alone = [expected_credit(*case) for case in zip(chances, values, (2, 5, 9), strict=True)]
    np.testing.assert_allclose(together, alone, rtol=1e-13)
    assert expected_credit(chances[0], values, [[2], [5]]).shape == (2, 3)


def test_expected_credit_bounds_enclose_every_law_on_a_grid():
    points = [Fraction(j, 4) for j in range(5)]
    for parts in product(range(4), repeat=5):
        if sum(parts) != 3:
            continue
        chances = [Fraction(part, 3) for part in parts]
        mean = sum(c * v for c, v in zip(chances, points, strict=True))
        variance = sum(c * (v - mean) ** 2 for c, v in zip(chances, points, strict=True))
        for k in (1, 2, 3, 8, 50):
            credit = expected_credit_exact(chances, points, k)
            low, high = expected_credit_bounds(float(mean), float(variance), k)
            assert Fraction(float(low)) <= credit + Fraction(1, 10**14)
            assert credit - Fraction(1, 10**14) <= Fraction(float(high))


def test_expected_credit_bounds_are_attained_and_rounded_outwards():
    laws = [
        (0.25, 0.03125),
        (0.5, 0.125),
        (0.9375, 0.03125),
        (2.0**-10, 2.0**-11),
        (0.75, 2.0**-40),
    ]
    for (mean, variance), k in product(laws, (2, 3, 16, 1000)):
        low, high = (float(b) for b in expected_credit_bounds(mean, variance, k))
        exact = (Fraction(mean), Fraction(variance))
        lowest = two_point_credit(*exact, Fraction(0), k)
        highest = two_point_credit(*exact, Fraction(1), k)
        assert Fraction(low) <= lowest <= highest <= Fraction(high)
        assert float(lowest) - low < 1e-14 + 1e-15 * k
        assert high - float(highest) < 1e-14 + 1e-15 * k


def test_expected_credit_bounds_follow_the_exact_route():
    law = Fraction(1, 4), Fraction(1, 32), 5
    limits = {"lowest": Fraction(1, 16), "highest": Fraction(3, 4)}
    exact = expected_credit_bounds_exact(*law, **limits)
    assert exact[0] < exact[1] < 0
    ends = {name: float(limit) for name, limit in limits.items()}
    low, high = expected_credit_bounds(0.25, 1 / 32, 5, **ends)
    np.testing.assert_allclose([low, high], [float(bound) for bound in exact], atol=1e-14)
    assert expected_credit_bounds_exact(Fraction(0), Fraction(0), 3) == (0, 0)
    whole = expected_credit_bounds_exact(*law)
    assert whole == tuple(two_point_credit(*law[:2], Fraction(atom), 5) for atom in (0, 1))


def test_expected_credit_bounds_at_the_edges():
    low, high = expected_credit_bounds([0.0, 1.0, 0.3, 0.3], [0.0, 0.0, 0.0, 0.21], 5)
    np.testing.assert_allclose(low[:3], 0, atol=1e-14)
    np.testing.assert_allclose(high[:3], 0, atol=1e-14)
    np.testing.assert_allclose([low[3], high[3]], 0.3 - (1 - 0.7**5), atol=1e-14)
    assert [float(b) for b in expected_credit_bounds(0.3, 0.1, 1)] == [0.0, 0.0]
    low, high = expected_credit_bounds(0.4, 0.05, 2)
    np.testing.assert_allclose([low, high], -0.05, atol=1e-14)


def test_a_small_variance_alone_does_not_give_the_second_order_drift():
    second_order = -28 * 0.7**6 * 1e-8
    low, high = expected_credit_bounds(0.3, 1e-8, 8)
    assert low < 2 * second_order
    assert high > second_order / 2
    narrow = expected_credit_bounds(0.3, 1e-8, 8, lowest=0.2999, highest=0.3001)
    np.testing.assert_allclose(narrow, second_order, rtol=1e-3)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: expected_credit([0.5, 0.4], [0, 1], 1), "sum of next_probability = 0.9 "),
        (lambda: expected_credit(1.0, 0.5, 1), "last axis is the continuations"),
        (lambda: expected_credit([1.0], [1.5], 1), "next_value = 1.5 "),
        (lambda: expected_credit_exact([Fraction(1, 2)], [Fraction(1)], 1), "need 1"),
        (lambda: expected_credit_bounds(0.5, 0.3, 2), "variance = 0.3 "),
        (lambda: expected_credit_bounds(0.5, 0.1, 2, lowest=0.4), "variance = 0.1 "),
        (lambda: expected_credit_bounds(0.5, 0.1, 2, highest=0.4), "value = 0.5 "),
        (lambda: expected_credit_bounds(0.5, 0.1, 0), "k = 0 "),
        (lambda: expected_credit_bounds_exact(Fraction(1, 2), Fraction(1), 2), "variance = "),
        (
            lambda: expected_credit_bounds_exact(
                Fraction(1, 2), Fraction(0), 2, lowest=Fraction(2, 3)
            ),
            "value = ",
        ),
    ],
)
def test_bad_input_is_refused(call, message):
    with pytest.raises(DomainError, match=message):
        call()


def test_rounding_of_sums_and_variances_is_let_pass_and_no_more():
    assert expected_credit([0.5, 0.5 + 9e-10], [0.2, 0.2], 2) == pytest.approx(0, abs=1e-9)
    with pytest.raises(DomainError, match="sum of next_probability"):
        expected_credit([0.5, 0.5 + 2e-9], [0.2, 0.2], 2)
    bounds = expected_credit_bounds(0.5, 0.25 * (1 + 9e-13), 2)
    assert bounds == pytest.approx((-0.25, -0.25), abs=1e-12)
    with pytest.raises(DomainError, match="variance"):
        expected_credit_bounds(0.5, 0.25 * (1 + 2e-12), 2)


def test_values_one_rounding_above_the_unit_interval_are_brought_back():
    chances, values = [0.5, 0.5 + 9e-10], [1.0, 1.0]
    assert expected_credit(chances, values, 3) == 0
    low, high = expected_credit_bounds(0.3, 0.21 * (1 + 9e-13), 5)
    np.testing.assert_allclose([low, high], 0.3 - (1 - 0.7**5), atol=1e-11)


@pytest.mark.parametrize("k", [10**6, 10**12, 10**15])
def test_bounds_stay_sharp_for_many_tries(k):
    low, high = (float(bound) for bound in expected_credit_bounds(0.5, 0.01, k))
    assert 0 <= -1 / 26 - low < 1e-14
    assert -1e-14 < high <= 0


def test_the_upper_bound_holds_where_the_other_point_is_a_difference():
    mean, k = 0.5, 10**8
    for tries_of_the_other in (0.1, 1.0, 3.0):
        variance = 0.25 - 0.5 * tries_of_the_other / k
        other = Fraction(mean) - Fraction(variance) / Fraction(1 - mean)
        weight = Fraction(variance) / (Fraction(variance) + Fraction(1, 4))
        reached = -np.expm1(k * np.log1p(-float(other)))
        exact = float(weight) + (1 - float(weight)) * reached - 1
        low, high = expected_credit_bounds(mean, variance, k)
        assert low <= exact <= high < exact + 1e-6
