"""Where a gradient estimate exists only on the edge of its range."""

import pytest

from rolltheory.errors import DomainError
from rolltheory.reachability.gradients import (
    pass_at_k_gradient_weights,
    pass_at_k_gradient_weights_exact,
)

ROUTES = [pass_at_k_gradient_weights, pass_at_k_gradient_weights_exact]


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("group_size", [2, 5])
def test_best_minus_second_needs_the_whole_group(route, group_size):
    weights = [
        tuple(map(float, route(group_size, c, group_size, variant="best_minus_second")))
        for c in range(group_size + 1)
    ]
    assert weights == [(float(c == 1), 0.0) for c in range(group_size + 1)]
    with pytest.raises(DomainError, match=f"k = {group_size - 1}"):
        route(group_size, 1, group_size - 1, variant="best_minus_second")


@pytest.mark.parametrize("route", ROUTES)
def test_the_other_variants_take_one_try_less(route):
    for variant in ("score", "low_variance", "pass_at_1"):
        assert route(5, 1, 4, variant=variant)[0] > 0
