"""Planning regret: the horizon factor exactly, the attained instance, the popular wrong sum."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from rolltheory.errors import AssumptionError, DomainError
from rolltheory.graph_world.joint import joint_envelope
from rolltheory.graph_world.regret import (
    horizon_factor,
    horizon_factor_exact,
    horizon_factor_limit,
    regret_bound,
    regret_from_errors,
    tight_regret_instance,
)
from rolltheory.graph_world.rollout import geometric_sum


def factor(horizon, discount, radius) -> Fraction:
    return horizon_factor_exact(
        horizon, discount=Fraction(discount), spectral_radius=Fraction(radius)
    )


def test_worked_factors() -> None:
    assert factor(4, "1/2", 2) == Fraction(17, 8)
    assert factor(10, 1, 1) == 45
    assert factor(5, 1, 2) == 26
    assert factor(8, "9/10", "3/2") == Fraction(29399914071, 640000000)
    assert float(factor(32, "19/20", "9/10")) == pytest.approx(92.75090586, abs=5e-9)
    assert float(factor(32, "19/20", "11/10")) == pytest.approx(525.40474931, abs=5e-9)


def test_the_closed_form_of_the_paper() -> None:
    for discount, radius, horizon in [("1/2", 3, 6), ("9/10", "3/2", 8), ("1/3", "1/4", 5)]:
        gamma, rho = Fraction(discount), Fraction(radius)
        growth = sum((gamma * rho) ** t for t in range(horizon))
        plain = sum(gamma**t for t in range(horizon))
        assert factor(horizon, gamma, rho) == (growth - plain) / (rho - 1)


def test_the_float_route_rounds_up_and_stays_near() -> None:
    for gamma in (0.0, 0.3, 0.95, 1.0):
        for rho in (0.0, 0.7, 1.0, 1.0 + 2**-40, 1.3):
            values = horizon_factor(np.arange(40), discount=gamma, spectral_radius=rho)
            for horizon, value in enumerate(values):
                exact = factor(horizon, gamma, rho)
                assert Fraction(value) >= exact
                assert value == pytest.approx(float(exact), rel=1e-12)


def test_limits() -> None:
    assert horizon_factor_limit(discount=0.95, spectral_radius=0.9) == pytest.approx(
        131.03448276, abs=5e-9
    )
    long = horizon_factor(2000, discount=0.95, spectral_radius=0.9)
    assert long == pytest.approx(horizon_factor_limit(discount=0.95, spectral_radius=0.9))
    assert horizon_factor_limit(discount=0.5, spectral_radius=2.0) == np.inf
    assert horizon_factor_limit(discount=1.0, spectral_radius=0.0) == np.inf
    assert horizon_factor_limit(discount=0.0, spectral_radius=5.0) == 0


def test_the_revised_sum_is_another_number() -> None:
    assert geometric_sum(1.0, 10) == 10 != factor(10, 1, 1)
    assert geometric_sum(0.95 * 0.9, 32) == pytest.approx(6.9, abs=0.05)
    # it dominates for all horizons only from growth 2 on
    assert geometric_sum(1.5, 3) >= float(factor(3, 1, "3/2"))
    assert geometric_sum(1.5, 4) < float(factor(4, 1, "3/2"))
    assert geometric_sum(1.99, 10) >= float(factor(10, 1, "199/100"))
    assert geometric_sum(1.99, 11) < float(factor(11, 1, "199/100"))
    assert all(geometric_sum(2.0, h) >= float(factor(h, 1, 2)) for h in range(1, 40))


def test_a_constant_error_already_gives_sixteen() -> None:
    assert geometric_sum(0.95, 32) == pytest.approx(16.13, abs=5e-3)
    linear = sum(0.95**t * (t + 1) for t in range(32))
    assert linear == pytest.approx(198.5, abs=0.05)


def test_the_instance_loses_exactly_what_the_bound_allows() -> None:
    instance = tight_regret_instance(0.01, 32, discount=0.95, spectral_radius=1.1)
    bound = regret_bound(0.01, 32, discount=0.95, spectral_radius=1.1)
    assert bound == pytest.approx(10.50809, abs=5e-6)

    def value(per_step: float) -> float:
        state, total = 0.0, 0.0
        for t in range(instance.horizon):
            total += instance.discount**t * state
            state = instance.growth * state + per_step
        return total

    first, second = value(0.0), value(0.0) + instance.bonus
    model_first = value(instance.one_step_error)
    model_second = value(-instance.one_step_error) + instance.bonus
    assert model_first == pytest.approx(model_second)  # the model ties
    assert second - first == pytest.approx(float(bound))


def test_other_terms_of_the_bound() -> None:
    base = regret_bound(0.0, 8, discount=0.5, spectral_radius=1.0)
    assert base == 0
    assert regret_bound(
        0.0, 8, discount=0.5, spectral_radius=1.0, reward_error=1, planner_gap=3
    ) == pytest.approx(2 * 255 / 128 + 3)
    assert regret_bound(
        1.0, 3, discount=1, spectral_radius=1, transient=5, reward_lipschitz=2
    ) == pytest.approx(2 * 2 * 5 * 3)


def test_the_joint_envelope_is_tighter_than_a_change_of_norm() -> None:
    matrix = [[0.5, 100], [1 / 2500, 0.5]]
    errors = joint_envelope(matrix, [1e-3, 0], [0, 0], 9)[:10, 0]
    joint = regret_from_errors(errors, discount=0.9)
    norm = regret_bound(1e-3, 10, discount=0.9, spectral_radius=0.7, transient=500)
    assert joint < norm / 100
    assert regret_from_errors([0, 1, 2], discount=0.5, reward_error=1, planner_gap=1) == (
        pytest.approx(2 * (0.5 + 0.5 + 1 + 0.5 + 0.25) + 1)
    )


def test_no_error_no_instance() -> None:
    with pytest.raises(AssumptionError, match="within the horizon"):
        tight_regret_instance(0.01, 1, discount=0.9, spectral_radius=1)
    with pytest.raises(DomainError, match="transient"):
        regret_bound(1, 1, discount=1, spectral_radius=1, transient=0.5)
    with pytest.raises(DomainError, match="discount"):
        horizon_factor(1, discount=1.5, spectral_radius=1)
    with pytest.raises(DomainError, match="one bound per step"):
        regret_from_errors([[1]], discount=1)
