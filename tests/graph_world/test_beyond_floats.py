"""Bounds neither vanish, nor turn to NaN, where products and powers leave the floats."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse

from rolltheory.errors import AssumptionError, DomainError
from rolltheory.graph_world import (
    classical_simulation_lemma,
    closed_loop_lipschitz,
    critical_weights,
    edge_head_lipschitz,
    energy_drift_bound,
    error_exposure,
    error_norm,
    fixed_edge_bound,
    gaussian_pinsker_bound,
    greedy_repair,
    horizon_factor,
    horizon_factor_exact,
    horizon_factor_limit,
    joint_envelope,
    joint_operator,
    kreiss_constant,
    layer_lipschitz,
    lipschitz_value_bound,
    lipschitz_value_bound_exact,
    mixture_shift_bound,
    mixture_shift_bound_exact,
    model_return_gap,
    power_norm_bound,
    regret_bound,
    regret_from_errors,
    simulation_lemma,
    spectral_bound,
    topk_margin_horizon,
    validity_horizon,
    walk_count,
    walk_relief,
)
from rolltheory.graph_world.rollout import geometric_sum_exact
from rolltheory.numerics.perron import perron_certificate
from rolltheory.numerics.rounding import power_above, product_above

TINY, HUGE = 1e-200, 1e200


@pytest.mark.parametrize("factors", [(TINY, TINY), (TINY, TINY, 3e300), (0.1, 0.3, 7.7), (HUGE, 2)])
def test_products_are_not_below_the_exact_ones(factors) -> None:
    exact = Fraction(1)
    for factor in factors:
        exact *= Fraction(factor)
    found = Fraction(float(product_above(*factors)))
    assert exact <= found
    assert found <= exact * (1 + Fraction(1, 10**14)) or found < Fraction(1e-320)


def test_products_and_powers_keep_zeros_and_lose_no_others() -> None:
    assert product_above([0.0, 1.0], [np.inf, np.inf]).tolist() == [0.0, np.inf]
    assert product_above(HUGE, HUGE) == np.inf
    assert power_above(0.5, [0, 1, 2000]).tolist()[:2] >= [1.0, 0.5]
    assert power_above(0.5, 2000) > 0
    assert power_above(0.0, [0, 3])[1] == 0.0


SMALL = {
    "fixed edges": lambda: fixed_edge_bound(TINY, TINY, [0])[-1],
    "spectral": lambda: spectral_bound(
        power_norm_bound([[TINY]]), 1.0, [0], weight_product=1.0, layers=2
    )[-1],
    "closed loop": lambda: closed_loop_lipschitz(0, TINY, TINY),
    "edge head": lambda: edge_head_lipschitz([[TINY]], [[TINY]], state_norm=1),
    "envelope": lambda: joint_envelope([[TINY]], [0], [TINY], 1)[-1, 0],
    "joint operator": lambda: joint_operator(
        order="new_state", node_to_node=TINY, edge_to_node=0, node_to_edge=TINY
    ).matrix[1, 0],
    "joint forcing": lambda: joint_operator(
        order="new_state", node_to_node=0, edge_to_node=0, node_to_edge=TINY, node_error=TINY
    ).forcing[1],
    "regret": lambda: regret_bound(TINY, 3, discount=0.9, spectral_radius=1, reward_lipschitz=TINY),
    "regret of rewards": lambda: regret_bound(
        0, 3, discount=0.9, spectral_radius=1, reward_error=5e-324
    ),
    "simulation lemma": lambda: simulation_lemma(TINY, reward_error=0, transition_error=TINY),
    "classical": lambda: classical_simulation_lemma(TINY, reward_error=0, transition_error=TINY),
    "lipschitz value": lambda: lipschitz_value_bound(
        TINY, transition_lipschitz=0, reward_lipschitz=TINY, model_error=1
    ),
    "return gap": lambda: model_return_gap(TINY, model_error=TINY, policy_shift=0),
    "drift": lambda: energy_drift_bound(TINY, gradient_bound=TINY, residual=1),
    "mixture": lambda: mixture_shift_bound(TINY, [1], [0], mixture_error=TINY, largest_error=1),
    "mixture shift": lambda: mixture_shift_bound(
        0.5, [TINY, 1], [TINY, 0], mixture_error=0, largest_error=1
    ),
    "pinsker": lambda: gaussian_pinsker_bound([0.0], [TINY], std=[1], other_std=[1]),
    "error norm": lambda: error_norm(
        [[TINY], [0]], power_norm_bound([[0, 4], [1, 0]]), "quadratic"
    ),
}


@pytest.mark.parametrize("name", SMALL)
def test_an_upper_bound_on_what_is_not_zero_is_not_zero(name) -> None:
    assert 0 < SMALL[name]() < 1e-150


def test_late_errors_count_although_their_discount_is_too_small_for_floats() -> None:
    exact = 2 * Fraction(TINY) ** 2 * Fraction(1e300)
    assert Fraction(regret_from_errors([0, 0, 1e300], discount=TINY)) >= exact


@pytest.mark.parametrize(
    ("discount", "growth", "horizon"), [(0.1, 5.0, 1000), (1e-200, 1e250, 3), (0.5, 1.5, 2000)]
)
def test_horizon_factors_of_growth_that_overflows(discount, growth, horizon) -> None:
    exact = horizon_factor_exact(horizon, discount=discount, spectral_radius=growth)
    found = Fraction(float(horizon_factor(horizon, discount=discount, spectral_radius=growth)))
    assert exact <= found <= exact * (1 + Fraction(1, 10**11))


def test_nothing_times_what_overflows_is_nothing() -> None:
    assert horizon_factor(2000, discount=0, spectral_radius=2) == 0
    assert horizon_factor(2000, discount=0.5, spectral_radius=10) == np.inf
    assert regret_bound(0.0, 2000, discount=1, spectral_radius=10) == 0
    assert regret_bound(1.0, 2000, discount=1, spectral_radius=10) == np.inf
    assert energy_drift_bound(HUGE, gradient_bound=HUGE, residual=0) == 0
    assert edge_head_lipschitz([[0.0]], [[HUGE]], state_norm=1) == 0
    largest = np.finfo(float).max
    assert fixed_edge_bound(0, largest, [largest, 0, 0]).tolist()[2:] == [0, 0]
    assert layer_lipschitz([[1]], np.full((2, 2), largest)) == np.inf
    assert layer_lipschitz([[0]], np.full((2, 2), largest)) == 0


def test_scores_that_move_too_little_for_floats_still_move() -> None:
    # 2 (3e-162)^2 = 1.8e-323 rounds to a gap of 2e-323 only upwards
    assert topk_margin_horizon([5e-324], [3e-162], score_lipschitz=3e-162) == 0


@pytest.mark.parametrize("lipschitz", [0.0, 0.5, 0.9, 1 - 2.0**-40, 1.0, 1 + 2.0**-40, 1.5, 1e300])
def test_the_horizon_is_the_last_one_within_the_tolerance(lipschitz) -> None:
    for tolerance in (0.5, 1.0, 1.75, 2 - 2.0**-52, 9.999999999999998, 400.5):
        steps = validity_horizon(lipschitz, 1.0, tolerance)
        limit = Fraction(tolerance)
        if steps is None:
            assert lipschitz < 1
            assert limit * (1 - Fraction(lipschitz)) >= 1
        else:
            assert geometric_sum_exact(lipschitz, steps) <= limit
            assert geometric_sum_exact(lipschitz, steps + 1) > limit


def test_horizons_where_tolerance_over_error_is_no_float() -> None:
    assert validity_horizon(2.0, 1e-308, 1e308) in range(1000, 2047)
    assert validity_horizon(1.0, 0.5, 1e15) == 2 * 10**15


def test_powers_whose_roundings_could_hide_growth_get_no_kreiss_constant() -> None:
    growing = [
        (c, s)
        for c, s in ((np.cos(angle), np.sin(angle)) for angle in np.arange(1, 400) * 0.0077)
        if Fraction(c) ** 2 + Fraction(s) ** 2 > 1
    ]
    assert len(growing) > 50
    for c, s in growing:  # of radius above 1, by less than a rounding
        with pytest.raises(AssumptionError, match="below 1"):
            kreiss_constant([[c, -s], [s, c]], largest_power=8)


def test_a_kreiss_constant_of_a_stiff_matrix_is_enclosed() -> None:
    constant = kreiss_constant([[0.5, 1e14], [0, 0.5]])
    # at z = 3/2 the resolvent is [[1, 1e14], [0, 1]]: half of 1e14 and a little
    assert 0.2e14 <= constant.lower <= 0.5e14 + 1
    assert constant.upper >= 1e14
    with pytest.raises(AssumptionError, match="below 1"):
        kreiss_constant([[1e200]])


def test_duplicates_of_short_integers_are_summed_as_floats() -> None:
    place = ([0, 0], [0, 0])
    hundred = sparse.coo_array((np.array([100, 100], dtype=np.int8), place), shape=(1, 1))
    assert perron_certificate(hundred).upper >= 200
    assert layer_lipschitz(hundred, [[1]]) >= 200
    two = sparse.coo_array((np.array([True, True]), place), shape=(1, 1))
    assert perron_certificate(two).upper >= 2


def test_a_radius_that_no_float_can_hold_has_a_finite_lower_bound() -> None:
    largest = np.finfo(float).max
    certificate = perron_certificate(np.full((3, 3), largest))
    assert certificate.lower <= largest
    assert certificate.upper == np.inf


def test_small_weights_do_not_vanish_from_the_choice() -> None:
    star = np.zeros((5, 5))
    star[3], star[:, 3] = 1, 1
    star[3, 3] = 0
    assert greedy_repair(1e-50 * star, 1).region == (3,)


@pytest.mark.parametrize(
    "count",
    [
        lambda matrix: walk_count(matrix, length=8),
        lambda matrix: walk_relief(matrix, [0], length=8),
        lambda matrix: greedy_repair(matrix, 1),
    ],
)
def test_walks_too_heavy_for_floats_are_refused(count) -> None:
    with pytest.raises(DomainError, match="a float can hold"):
        count(np.full((3, 3), 1e50))


def test_no_limit_of_weights_between_radius_one_and_two() -> None:
    for weights in (critical_weights, error_exposure):
        with pytest.raises(AssumptionError, match="below 1"):
            weights([[1.5]])


def test_discounts_of_replay_end_at_one() -> None:
    for discount in (1.0, 1.5):
        with pytest.raises(DomainError, match="discount"):
            mixture_shift_bound(discount, [1], [0], mixture_error=0, largest_error=1)
        with pytest.raises(DomainError, match="discount"):
            mixture_shift_bound_exact(discount, [1], [0], mixture_error=0, largest_error=1)


def test_limits_near_the_edge_of_convergence_are_not_below_the_exact_ones() -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        gamma = rng.uniform(0.5, 1)
        growth = float(np.nextafter(1 / gamma, 0)) * (1 - rng.choice([0, 1e-15, 1e-9, 1e-2]))
        shrunk = Fraction(gamma) * Fraction(growth)
        if shrunk >= 1:
            continue
        exact = Fraction(gamma) / ((1 - Fraction(gamma)) * (1 - shrunk))
        limit = horizon_factor_limit(discount=gamma, spectral_radius=growth)
        assert exact <= Fraction(limit) <= exact * (1 + Fraction(1, 10**14))
        try:
            bound = lipschitz_value_bound(
                gamma, transition_lipschitz=growth, reward_lipschitz=2, model_error=0.1
            )
        except AssumptionError:  # too near to tell
            assert shrunk > 1 - Fraction(1, 10**15)
            continue
        exact = lipschitz_value_bound_exact(
            Fraction(gamma),
            transition_lipschitz=Fraction(growth),
            reward_lipschitz=2,
            model_error=Fraction(0.1),
        )
        assert Fraction(float(bound)) >= exact


def test_objectives_choose_differently() -> None:
    # walks of two steps prefer the hub of a tree; the radius is that of the cycle beside it
    hub = np.zeros((12, 12))
    hub[0, 1:9] = 1
    hub[9, 10] = hub[10, 11] = hub[11, 9] = 1
    hub[1:9, 0] = 0
    assert greedy_repair(hub, 1, objective="walks", length=1).region == (0,)
    assert greedy_repair(hub, 1, objective="radius", length=1).region == (9,)


def test_rates_just_above_the_radius_need_the_resolvent_itself() -> None:
    # the series for a resolvent this near would take millions of terms
    for radius in (0.5, 1.0, 3.0):
        rate = radius * (1 + 1e-6)
        bound = power_norm_bound([[radius, radius], [0, radius / 2]], rate=rate)
        assert radius <= bound.rate <= rate * (1 + 1e-9)
        assert np.isfinite(bound.transient_constant)
