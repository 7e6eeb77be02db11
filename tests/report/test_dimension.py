"""Intervals that a search has left are closed by the other dimensions of the chain."""

from itertools import product

import pytest

from rolltheory.dimension.families import all_field_gap, hexagon, star
from rolltheory.report.dimension import describe_class


@pytest.mark.parametrize("budget", range(1, 12))
@pytest.mark.parametrize("make", [hexagon, all_field_gap, lambda: list(product("012", repeat=3))])
def test_every_interval_holds_the_dimension(make, budget):
    whole = describe_class(make()).dimensions
    for name, found in describe_class(make(), budget=budget).dimensions.items():
        assert found.lower <= whole[name].value <= found.upper


def test_a_larger_dimension_that_is_known_bounds_the_smaller_ones():
    """No budget for the pairs of 20 points, but the Littlestone dimension of a star is found."""
    found = describe_class(star(20), budget=25).dimensions
    assert found["Littlestone"].value == found["DS"].value == found["Natarajan"].value == 1
    assert found["DS"].reason.endswith("no dimension above it in the chain exceeds 1")
    assert (found["graph"].lower, found["graph"].upper) == (1, 4)


def test_a_time_of_nothing_leaves_intervals_only():
    found = describe_class(hexagon(), seconds=0).dimensions
    assert {(f.lower, f.upper) for f in found.values()} == {(0, 2)}
