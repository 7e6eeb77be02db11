"""How two sides are judged."""

from fractions import Fraction

import numpy as np
import pytest
import sympy

from rolltheory.claims import ConfidenceInterval, Enclosure, Relation, Sides, judge
from rolltheory.errors import DomainError, UnsupportedError

THIRD = Fraction(1, 3)
p = sympy.Symbol("p", positive=True)


@pytest.mark.parametrize(
    ("relation", "left", "right", "holds"),
    [
        (Relation.EQUAL, THIRD, Fraction(2, 6), True),
        (Relation.EQUAL, THIRD, 0.3333333333333333, False),
        (Relation.EQUAL, np.float64(0.5), 0.5, True),
        (Relation.EQUAL, np.int64(2), 2, True),
        (Relation.EQUAL, Enclosure(0, 1), 0.5, None),
        (Relation.EQUAL, Enclosure(0, 1), 2, False),
        (Relation.EQUAL, ConfidenceInterval(0, 1, 0.01), 0.5, True),
        (Relation.EQUAL, ConfidenceInterval(0, 1, 0.01), 1.5, False),
        (Relation.EQUAL, frozenset({1}), frozenset({1}), True),
        (Relation.EQUAL, (1, 2), (2, 1), False),
        (Relation.EQUAL, True, False, False),
        (Relation.EQUAL, float("inf"), float("inf"), True),
        (Relation.EQUAL, float("inf"), 1, False),
        (Relation.AT_MOST, 1, 1, True),
        (Relation.AT_MOST, 2, 1, False),
        (Relation.AT_MOST, float("inf"), float("inf"), True),
        (Relation.AT_MOST, ConfidenceInterval(0, 1, 0.01), 0.5, None),
        (Relation.AT_MOST, ConfidenceInterval(0, 1, 0.01), 1, True),
        (Relation.AT_MOST, ConfidenceInterval(2, 3, 0.01), 1, False),
        (Relation.AT_LEAST, Enclosure(2, 3), 2, True),
        (Relation.AT_LEAST, Enclosure(1, 3), 2, None),
        (Relation.GROWS_AS, ConfidenceInterval(0.9, 1.1, 0.01), 1, True),
        (Relation.IMPLIES, True, False, False),
        (Relation.IMPLIES, False, False, True),
        (Relation.EQUAL, (1 - p) ** 2, 1 - 2 * p + p**2, True),
        (Relation.EQUAL, (1 - p) ** 2, 1 - 2 * p, False),
        (Relation.AT_MOST, -p, p, True),
        (Relation.AT_MOST, p, sympy.Symbol("q"), None),
    ],
)
def test_judge(relation, left, right, holds):
    assert judge(relation, Sides(left, right)).holds is holds


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e6])
def test_a_tolerance_is_relative_to_what_is_compared(scale):
    near, far = Sides(scale * (1 + 5e-7), scale), Sides(scale * (1 + 2e-6), scale)
    for relation in (Relation.EQUAL, Relation.AT_MOST):
        assert judge(relation, near, tolerance=1e-6).holds is True
        assert judge(relation, far, tolerance=1e-6).holds is False
    assert judge(Relation.EQUAL, Sides(scale, 0), tolerance=1e-6).holds is False


def test_a_distance_is_in_the_units_of_the_sides():
    for relation in (Relation.EQUAL, Relation.AT_MOST, Relation.GROWS_AS):
        assert judge(relation, Sides(1e-9, 0), within=1e-9).holds is True
        assert judge(relation, Sides(2e-9, 0), within=1e-9).holds is False
        assert judge(relation, Sides(1e6 + 0.5, 1e6), within=1e-9).holds is False


def test_tightness_counts_no_more_than_is_certain():
    assert judge(Relation.AT_MOST, Sides(3, 2), within=1).tightness == 1
    assert judge(Relation.AT_LEAST, Sides(2, 3), within=1).tightness == 1


def test_exact_sides_are_equal_only_if_their_enclosures_meet():
    apart = Sides(Enclosure(0, Fraction(1, 10)), Enclosure(Fraction(2, 10), Fraction(3, 10)))
    meeting = Sides(Enclosure(0, Fraction(1, 10)), Enclosure(Fraction(1, 10), Fraction(3, 10)))
    assert judge(Relation.EQUAL, apart, within=1, exact=True).holds is False
    assert judge(Relation.EQUAL, apart, within=1).holds is True
    assert judge(Relation.EQUAL, meeting, within=1, exact=True).holds is True
    assert judge(Relation.EQUAL, meeting, within=0.2, exact=True).holds is None
    assert judge(Relation.GROWS_AS, apart, within=1, exact=True).holds is True


def test_nan_hides_in_no_container():
    nan = float("nan")
    with pytest.raises(UnsupportedError, match="NaN"):
        judge(Relation.EQUAL, Sides((1, nan), (1, nan)))


@pytest.mark.parametrize("infinite", [float("inf"), float("-inf")])
def test_no_tolerance_bridges_infinity(infinite):
    assert judge(Relation.EQUAL, Sides(infinite, 1), tolerance=1e-6).holds is False
    assert judge(Relation.EQUAL, Sides(1, infinite), tolerance=1e-6).holds is False
    assert judge(Relation.EQUAL, Sides(Enclosure(0, float("inf")), 1), tolerance=1e-6).holds is None


@pytest.mark.parametrize("relation", [Relation.EQUAL, Relation.AT_MOST])
def test_nan_is_never_judged(relation):
    with pytest.raises(UnsupportedError, match="NaN"):
        judge(relation, Sides(float("nan"), 1))


def test_an_inequality_needs_numbers():
    with pytest.raises(UnsupportedError, match="str"):
        judge(Relation.AT_MOST, Sides("a", "b"))


@pytest.mark.parametrize("limits", [(2, 1), (float("nan"), 1), (0, float("nan"))])
def test_limits_are_ordered_numbers(limits):
    with pytest.raises(DomainError):
        Enclosure(*limits)
    with pytest.raises(DomainError):
        ConfidenceInterval(*limits, error_level=0.1)


def test_an_infinite_bound_is_judged_without_slack():
    assert judge(Relation.AT_MOST, Sides(5.0, float("-inf")), tolerance=1e-9).holds is False
    assert judge(Relation.AT_MOST, Sides(float("inf"), 5.0), tolerance=1e-9).holds is False
    assert judge(Relation.AT_LEAST, Sides(float("inf"), 5.0), tolerance=1e-9).holds is True


@pytest.mark.parametrize("right", [float("nan"), Enclosure(0, 0), 1, "yes", lambda: False])
def test_an_implication_is_of_truth_values(right):
    with pytest.raises(UnsupportedError, match="implication"):
        judge(Relation.IMPLIES, Sides(True, right))
