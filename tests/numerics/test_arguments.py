from fractions import Fraction

import pytest

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import exact_probability


def test_an_exact_probability_is_the_rational_that_was_given():
    assert exact_probability("p", Fraction(1, 3)) == Fraction(1, 3)
    assert exact_probability("p", 0.1) == Fraction(0.1) != Fraction(1, 10)
    assert [exact_probability("p", end) for end in (0, 1)] == [0, 1]


@pytest.mark.parametrize("value", [Fraction(4, 3), -1, float("nan"), float("inf"), "one", None])
def test_what_is_no_probability_is_refused_by_name(value):
    with pytest.raises(DomainError, match=r"^p = "):
        exact_probability("p", value)
