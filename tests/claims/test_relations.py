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


def test_a_tolerance_is_relative_above_one_and_absolute_below():
    assert judge(Relation.EQUAL, Sides(1e6, 1e6 + 0.5), 1e-6).holds is True
    assert judge(Relation.EQUAL, Sides(1e6, 1e6 + 2), 1e-6).holds is False
    assert judge(Relation.EQUAL, Sides(1e-9, 0), 1e-6).holds is True


@pytest.mark.parametrize("infinite", [float("inf"), float("-inf")])
def test_no_tolerance_bridges_infinity(infinite):
    assert judge(Relation.EQUAL, Sides(infinite, 1), 1e-6).holds is False
    assert judge(Relation.EQUAL, Sides(1, infinite), 1e-6).holds is False
    assert judge(Relation.EQUAL, Sides(Enclosure(0, float("inf")), 1), 1e-6).holds is None


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
    assert judge(Relation.AT_MOST, Sides(5.0, float("-inf")), 1e-9).holds is False
    assert judge(Relation.AT_MOST, Sides(float("inf"), 5.0), 1e-9).holds is False
    assert judge(Relation.AT_LEAST, Sides(float("inf"), 5.0), 1e-9).holds is True


@pytest.mark.parametrize("right", [float("nan"), Enclosure(0, 0), 1, "yes", lambda: False])
def test_an_implication_is_of_truth_values(right):
    with pytest.raises(UnsupportedError, match="implication"):
        judge(Relation.IMPLIES, Sides(True, right))
