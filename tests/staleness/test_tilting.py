"""Exponential tilting, weighted SFT, and what ties between actions cost."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import log

import numpy as np
import pytest

from rolltheory.errors import DomainError
from rolltheory.staleness.divergences import kl_divergence
from rolltheory.staleness.tilting import (
    group_weights,
    realisability_gap,
    regularised_value,
    tilted_policy,
    tilted_policy_exact,
    tilted_value,
    tilting_log_weights,
    weighted_sft_policy,
    weighted_sft_policy_exact,
)

REFERENCE, REWARDS, BLOCKS = np.log([0.4, 0.1, 0.25, 0.25]), [1, 0, 0, 0.5], [0, 0, 1, 2]
SETTING = {"temperature": 0.2}


def value(policy):
    return float(regularised_value(policy, REFERENCE, REWARDS, **SETTING))


def test_tied_actions_separate_weighted_sft_from_regularised_rl():
    best = tilted_policy(REFERENCE, REWARDS, **SETTING, blocks=BLOCKS)
    fitted = weighted_sft_policy(REFERENCE, REWARDS, **SETTING, blocks=BLOCKS)
    np.testing.assert_allclose(np.exp(best), [0.71382, 0.17846, 0.00817, 0.09955], atol=5e-6)
    np.testing.assert_allclose(np.exp(fitted), [0.75799, 0.18950, 0.00398, 0.04853], atol=5e-6)
    assert value(best) == pytest.approx(0.684165, abs=5e-7)
    assert value(fitted) == pytest.approx(0.680335, abs=5e-7)
    gap = realisability_gap(REFERENCE, REWARDS, **SETTING, blocks=BLOCKS)
    assert float(gap) == pytest.approx(0.684165 - 0.680335, abs=1e-6)


def test_free_actions_reach_the_optimum_both_ways():
    best = tilted_policy(REFERENCE, REWARDS, **SETTING)
    np.testing.assert_allclose(weighted_sft_policy(REFERENCE, REWARDS, **SETTING), best, atol=1e-14)
    assert value(best) == pytest.approx(0.827866, abs=5e-7)
    assert float(tilted_value(REFERENCE, REWARDS, **SETTING)) == pytest.approx(value(best))


def test_value_falls_short_of_the_optimum_by_a_divergence():
    best = tilted_policy(REFERENCE, REWARDS, **SETTING)
    for policy in np.random.default_rng(0).normal(size=(50, 4)):
        short = float(tilted_value(REFERENCE, REWARDS, **SETTING)) - value(policy)
        assert short == pytest.approx(0.2 * float(kl_divergence(policy, best)), abs=1e-14)


@pytest.mark.parametrize("fitted", [False, True])
def test_block_policies_are_optimal_among_their_class(fitted):
    optimum = (weighted_sft_policy if fitted else tilted_policy)(
        REFERENCE, REWARDS, **SETTING, blocks=BLOCKS
    )
    target = tilted_policy(REFERENCE, REWARDS, **SETTING)

    def loss(policy):
        return float(kl_divergence(target, policy)) if fitted else -value(policy)

    for shift in product([-0.02, 0.0, 0.02], repeat=3):
        assert loss(optimum) <= loss(optimum + np.array(shift)[BLOCKS]) + 1e-15


def test_weights_turn_the_reference_into_the_optimum():
    weights = tilting_log_weights(REFERENCE, REWARDS, **SETTING)
    np.testing.assert_allclose(
        REFERENCE + weights, tilted_policy(REFERENCE, REWARDS, **SETTING), atol=1e-14
    )


def test_group_weights_have_mean_one_and_do_not_overflow():
    weights = group_weights([[1.0, 0.0, 0.5], [900.0, 0.0, 0.0]], temperature=0.2)
    np.testing.assert_allclose(weights.mean(axis=-1), 1.0)
    np.testing.assert_allclose(weights[1], [3, 0, 0], atol=1e-12)


def test_exact_twins():
    reference = [Fraction(2, 5), Fraction(1, 10), Fraction(1, 4), Fraction(1, 4)]
    tilts = [Fraction(9), Fraction(1), Fraction(1), Fraction(3)]
    logs, rewards = np.log([float(p) for p in reference]), [log(t) for t in tilts]
    for blocks in (None, BLOCKS, [7, 7, 7, 7]):
        exact = (
            tilted_policy_exact(reference, tilts)
            if blocks is None
            else weighted_sft_policy_exact(reference, tilts, blocks=blocks)
        )
        assert sum(exact) == 1
        found = np.exp(weighted_sft_policy(logs, rewards, temperature=1.0, blocks=blocks))
        np.testing.assert_allclose(found, [float(p) for p in exact], rtol=1e-13)


def test_batches_of_states():
    rewards = np.array([REWARDS, [0, 0, 1, 1]])
    both = tilted_policy(REFERENCE, rewards, **SETTING, blocks=BLOCKS)
    np.testing.assert_allclose(both[0], tilted_policy(REFERENCE, REWARDS, **SETTING, blocks=BLOCKS))
    assert (realisability_gap(REFERENCE, rewards, **SETTING, blocks=BLOCKS)[1]) == pytest.approx(0)


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: tilted_policy(REFERENCE, REWARDS, temperature=0.0), "temperature = 0.0"),
        (lambda: tilted_policy(REFERENCE, REWARDS, **SETTING, blocks=[0, 1]), "one block for each"),
        (lambda: group_weights(1.0, temperature=0.2), "last axis over the group"),
        (lambda: tilted_value([0.0, np.inf], [0, 0], temperature=1.0), "reference_logits = inf"),
        (
            lambda: weighted_sft_policy_exact([Fraction(1)], [Fraction(0)], blocks=[0]),
            "positive rationals",
        ),
    ],
)
def test_refusals(call, complaint):
    with pytest.raises(DomainError, match=complaint):
        call()
