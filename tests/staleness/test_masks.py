"""One-sided clipping, two-sided masks and their mass, second-moment caps."""

from __future__ import annotations

from fractions import Fraction
from math import log

import numpy as np
import pytest
from scipy.special import log_softmax

from rolltheory.errors import DomainError
from rolltheory.staleness.divergences import total_variation_exact
from rolltheory.staleness.masks import (
    masked_mass,
    masked_mass_bound,
    masked_mass_bound_exact,
    masked_mass_exact,
    one_sided_gradient_weight,
    one_sided_gradient_weight_exact,
    one_sided_mask,
    total_variation_allowance,
    two_sided_gradient_weight,
    two_sided_gradient_weight_exact,
    two_sided_mask,
)
from rolltheory.staleness.second_moment import (
    harmful_tokens,
    second_moment_cap,
    second_moment_cap_exact,
    second_moment_clamp,
    second_moment_mask,
    second_moment_mask_exact,
)
from rolltheory.staleness.softmax import softmax_distances

CLIP = {"clip_low": 0.2, "clip_high": 0.2}
WIDE = {"clip_low": 0.3, "clip_high": 5.0}


def test_two_sided_rule_is_zero_outside_for_both_signs_and_ppo_is_not():
    ratio = np.log([0.69, 6.01, 0.69, 6.01, 1.0])
    advantage = np.array([1, 1, -1, -1, -1])
    np.testing.assert_allclose(
        two_sided_gradient_weight(ratio, advantage, **WIDE), [0, 0, 0, 0, -1]
    )
    np.testing.assert_allclose(
        one_sided_gradient_weight(ratio, advantage, **WIDE), [0.69, 0, 0, -6.01, -1]
    )


@pytest.mark.parametrize(
    ("weight", "exact"),
    [
        (one_sided_gradient_weight, one_sided_gradient_weight_exact),
        (two_sided_gradient_weight, two_sided_gradient_weight_exact),
    ],
)
def test_gradient_weights_match_their_exact_twins(weight, exact):
    clip = {"clip_low": Fraction(3, 10), "clip_high": Fraction(5)}
    for ratio in (Fraction(69, 100), Fraction(71, 100), Fraction(599, 100), Fraction(601, 100)):
        for advantage in (-2, 0, 1):
            found = weight([log(ratio)], advantage, **WIDE)[0]
            assert found == pytest.approx(float(exact(ratio, advantage, **clip)))


def test_clipping_by_sign_keeps_a_drifted_gradient_whole():
    # the sampler (0.5, -0.3, 0.1), rewards (1, 0, 0): only A > 0 on the first action
    ratio = log_softmax([0.2, -0.1, 0.4]) - log_softmax([0.5, -0.3, 0.1])
    advantage = np.array([1, -1, -1])
    assert one_sided_mask(ratio, advantage, **CLIP).all()
    assert two_sided_mask(ratio, **CLIP).sum() == 1


def test_clipping_by_sign_can_silence_everything():
    ratio = log_softmax([0.5, -0.3, 0.1]) - log_softmax([-0.2, 0.2, 0.3])
    assert not one_sided_mask(ratio, [1, -1, -1], **CLIP).any()


def test_a_ratio_of_five_thousand_passes_ppo():
    assert one_sided_gradient_weight([log(5000)], -1.0, **CLIP)[0] == pytest.approx(-5000)


def test_weights_do_not_overflow_where_they_are_masked():
    assert two_sided_gradient_weight([900.0, 0.0], 1.0, **CLIP).tolist() == [0.0, 1.0]


def test_mass_constant_of_the_published_settings():
    assert float(masked_mass_bound(0.1, **WIDE)) == pytest.approx(0.35333333, abs=1e-8)
    exact = masked_mass_bound_exact(Fraction(1, 10), clip_low=Fraction(3, 10), clip_high=5)
    assert exact == Fraction(53, 150)
    assert masked_mass_bound_exact(Fraction(1), clip_low=Fraction(3, 10), clip_high=5) == 1


def test_masked_mass_stays_within_its_bound_and_comes_near_it():
    rng = np.random.default_rng(0)
    sampler = rng.normal(size=(20_000, 4))
    learner = sampler + rng.normal(size=(20_000, 4)) * rng.random((20_000, 1)) * 2
    for clip in (CLIP, WIDE):
        mass = masked_mass(learner, sampler, **clip)
        bound = masked_mass_bound(softmax_distances(learner, sampler).total_variation, **clip)
        assert (mass <= bound).all()
        assert (mass / bound).max() > 0.8


def test_masked_mass_matches_its_exact_twin():
    clip = {"clip_low": Fraction(3, 20), "clip_high": Fraction(17, 100)}  # no ratio is on an edge
    for a in range(1, 9):
        for b in range(1, 9):
            p = [Fraction(a, 16), Fraction(a + 1, 16), Fraction(15 - 2 * a, 16)]
            q = [Fraction(b, 16), Fraction(b + 1, 16), Fraction(15 - 2 * b, 16)]
            if min(*p, *q) <= 0:
                continue
            exact = masked_mass_exact(p, q, **clip)
            found = masked_mass(
                [log(x) for x in p], [log(x) for x in q], clip_low=0.15, clip_high=0.17
            )
            assert float(found) == pytest.approx(float(exact), abs=1e-15)
            assert exact <= masked_mass_bound_exact(total_variation_exact(p, q), **clip)


def test_float_bound_is_rounded_up_and_its_inverse_down():
    rng = np.random.default_rng(1)
    for distance, low, high in rng.random((300, 3)):
        exact = masked_mass_bound_exact(
            Fraction(distance), clip_low=Fraction(low), clip_high=Fraction(high)
        )
        found = float(masked_mass_bound(distance, clip_low=low, clip_high=high))
        assert exact <= Fraction(found) <= exact * (1 + Fraction(1, 10**13))
        allowed = float(total_variation_allowance(distance, clip_low=low, clip_high=high))
        back = masked_mass_bound_exact(
            Fraction(allowed), clip_low=Fraction(low), clip_high=Fraction(high)
        )
        assert back <= Fraction(distance)
        assert allowed == 1 or back > Fraction(distance) * (1 - Fraction(1, 10**13))


def test_harmless_tokens_are_untouched_and_the_budget_is_kept():
    rng = np.random.default_rng(2)
    for scale in (0.05, 0.3, 2.0):
        ratio = scale * rng.normal(size=(6, 40))
        advantage = rng.normal(size=(6, 1))
        mask = rng.random((6, 40)) < 0.9
        harmful = harmful_tokens(ratio, advantage, mask=mask)
        keep = second_moment_mask(ratio, advantage, budget=0.04, mask=mask)
        clamped = second_moment_clamp(ratio, advantage, budget=0.04, mask=mask)
        np.testing.assert_array_equal(keep[~harmful], mask[~harmful])
        np.testing.assert_array_equal(clamped[~harmful & mask], ratio[~harmful & mask])
        assert (ratio[keep & harmful] ** 2).mean() <= 0.04
        assert (clamped[harmful] ** 2).mean() <= 0.04
        untouched = (ratio[harmful] ** 2).mean() <= 0.04
        assert untouched == (scale == 0.05)
        assert keep[harmful].all() == untouched
        if not untouched:
            assert (clamped[harmful] ** 2).mean() == pytest.approx(0.04)


def test_second_moments_match_their_exact_twins():
    rng = np.random.default_rng(3)
    for _ in range(200):
        logs = [Fraction(int(x), 16) for x in rng.integers(1, 12, rng.integers(1, 7))]
        squares = [x * x for x in logs]
        budget = Fraction(int(rng.integers(1, 40)), 256) + Fraction(1, 10**6)
        floats, limit = [float(x) for x in logs], float(budget)
        kept = second_moment_mask(floats, 1.0, budget=limit).tolist()
        assert sorted(kept) == sorted(second_moment_mask_exact(squares, budget=budget))
        exact = second_moment_cap_exact(squares, budget=budget)
        cap = second_moment_cap(floats, 1.0, budget=limit)
        if exact is None:
            assert cap == np.inf
        else:
            assert cap**2 == pytest.approx(float(exact), rel=1e-12)
            assert sum(min(s, exact) for s in squares) == budget * len(squares)


def test_the_cap_exactly_at_the_budget_is_no_catastrophe():
    cap = second_moment_cap([0.2, 0.2, 0.2], 1.0, budget=0.2**2)
    assert cap == np.inf or cap == pytest.approx(0.2)


def test_no_harmful_token_needs_no_cap():
    assert second_moment_cap([3.0], -1.0) == np.inf
    assert second_moment_mask([3.0], -1.0).all()
    assert second_moment_clamp([3.0, 1.0], 0.0).tolist() == [3.0, 1.0]


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: one_sided_mask([0.1], 1, clip_low=0.0, clip_high=0.2), "clip_low = 0.0"),
        (lambda: two_sided_mask([0.1], clip_low=0.2, clip_high=-0.2), "clip_high = -0.2"),
        (lambda: one_sided_mask([0.1, 0.1], [1, 1, 1], **CLIP), "advantage"),
        (lambda: masked_mass_bound(1.1, **CLIP), "total_variation = 1.1"),
        (lambda: total_variation_allowance(-0.1, **CLIP), "mass = -0.1"),
        (lambda: second_moment_mask([0.1], 1, budget=0.0), "budget = 0.0"),
        (lambda: harmful_tokens([np.nan], 1), "log_ratio = nan"),
    ],
)
def test_refusals(call, complaint):
    with pytest.raises(DomainError, match=complaint):
        call()
