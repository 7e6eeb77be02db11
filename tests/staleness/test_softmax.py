from math import sqrt

import mpmath
import numpy as np
import pytest

from rolltheory.errors import DomainError
from rolltheory.staleness.radii import SOFTMAX_SCORE_BOUND
from rolltheory.staleness.softmax import (
    SUCCESS_HESSIAN_BOUND,
    softmax_distance_bounds,
    softmax_distances,
    success_gradient_bound,
)
from rolltheory.staleness.surrogate import success_gradient
from simulators.staleness.policies import displaced_logits

LEARNER, BEHAVIOUR = np.array([0.2, -0.1, 0.4]), np.array([0.5, -0.3, 0.1])


def softmax(logits):
    weights = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def test_worked_values():
    displacement = np.linalg.norm(LEARNER - BEHAVIOUR)
    assert displacement == pytest.approx(0.4690415760, abs=5e-11)
    found = softmax_distances(LEARNER, BEHAVIOUR)
    assert float(found.total_variation) == pytest.approx(0.1341916833, abs=5e-11)
    assert float(found.kl) == pytest.approx(0.0389528087, abs=5e-11)
    assert float(found.chi_squared) == pytest.approx(0.0742136726, abs=5e-11)
    assert 1 / (1 + float(found.chi_squared)) == pytest.approx(0.9309134909, abs=5e-11)
    bounds = softmax_distance_bounds(displacement)
    assert float(bounds.kl) == pytest.approx(0.055)
    ratios = softmax(LEARNER) / softmax(BEHAVIOUR)
    assert ratios == pytest.approx([0.7155607314, 1.1797601983, 1.3038366615], abs=5e-11)
    # The k3 estimator r - 1 - log r has the KL for its mean.
    k3 = (softmax(BEHAVIOUR) * (ratios - 1 - np.log(ratios))).sum()
    assert k3 == pytest.approx(float(found.kl), abs=1e-15)


@pytest.mark.parametrize("displacement", [1e-6, 0.1, 1.0, 5.0])
def test_no_random_pair_exceeds_a_bound(displacement):
    rng = np.random.default_rng(3)
    for actions in (2, 3, 6):
        learner = rng.normal(size=(1000, actions)) * 3
        behaviour = displaced_logits(learner, displacement, generator=rng)
        exact = softmax_distances(learner, behaviour)
        size = np.linalg.norm(learner - behaviour, axis=-1)
        for found, bound in zip(exact, softmax_distance_bounds(size), strict=True):
            # A displacement of 1e-6 is itself only known to nine digits.
            assert (found <= bound * (1 + 1e-8)).all()


def test_two_actions_come_as_close_as_wished():
    h = 1e-3
    exact = softmax_distances([h / 2, -h / 2], [-h / 2, h / 2])
    bounds = softmax_distance_bounds(sqrt(2) * h)
    for name in ("l1", "total_variation", "kl", "chi_squared"):
        assert float(getattr(exact, name) / getattr(bounds, name)) == pytest.approx(1, abs=1e-6)
    rare = softmax_distances([-15.0 + h, -h], [-15.0, 0.0])
    assert float(rare.log_ratio / bounds.log_ratio) == pytest.approx(1, abs=1e-5)


def test_distances_of_far_policies():
    found = softmax_distances([0.0, 2000.0], [2000.0, 0.0])
    assert (float(found.l1), float(found.kl), float(found.chi_squared)) == (2, 2000, np.inf)
    assert float(softmax_distance_bounds(100.0).chi_squared) == np.inf
    same = softmax_distances(LEARNER, LEARNER)
    assert all(float(distance) == 0 for distance in same)


def test_scores_gradients_and_hessians():
    rng = np.random.default_rng(5)
    policy = softmax(rng.normal(size=(2000, 4)) * 3)
    scores = np.eye(4) - policy[:, None, :]
    lengths = np.linalg.norm(scores, axis=-1)
    assert lengths.max() < SOFTMAX_SCORE_BOUND
    mean_square = (policy * lengths**2).sum(axis=-1)
    assert mean_square == pytest.approx(1 - (policy**2).sum(axis=-1))
    correct = np.array([True, False, True, False])
    success = policy[:, correct].sum(axis=-1)
    slopes = np.linalg.norm(success_gradient(np.log(policy), correct), axis=-1)
    assert (slopes <= success_gradient_bound(success) * (1 + 1e-12)).all()
    slopes = np.linalg.norm(success_gradient([0.3, -1.0], [True, False]))
    p = softmax(np.array([0.3, -1.0]))[0]
    assert slopes == pytest.approx(float(success_gradient_bound(p)), rel=1e-13)
    weights = policy * (correct - success[:, None])
    crossed = weights[:, :, None] * policy[:, None, :]
    hessians = np.eye(4) * weights[:, None, :] - crossed - crossed.swapaxes(-1, -2)
    norms = np.abs(np.linalg.eigvalsh(hessians)).max(axis=-1)
    assert 0.15 < norms.max() <= SUCCESS_HESSIAN_BOUND


def test_the_steepest_hessian():
    p = (1 - 1 / sqrt(3)) / 2
    assert 2 * p * (1 - p) * (1 - 2 * p) == pytest.approx(SUCCESS_HESSIAN_BOUND, rel=1e-13)


def test_the_form_of_the_hessian_has_the_stated_eigenvalues():
    # Directions (x, y, b): two correct actions with shares t and 1 - t, one outside; s = 1 - 2p.
    for s in np.linspace(0, 1, 11):
        for t in np.linspace(0, 1, 11):
            first, second, spread = (np.outer(v, v) for v in ((1, 0, -1), (0, 1, -1), (1, -1, 0)))
            form = s * (t * first + (1 - t) * second) + (1 - s) * t * (1 - t) * spread
            tau = t * (1 - t)
            middle = s + (1 - s) * tau
            largest = middle + sqrt(max(middle**2 - 3 * s * tau, 0.0))
            assert np.linalg.eigvalsh(form).max() == pytest.approx(largest, abs=1e-12)
            assert largest <= (2 * s if s >= 0.25 else 0.5) + 1e-12


def test_bounds_are_rounded_up():
    displacement = np.random.default_rng(2).exponential(size=500)
    bounds = softmax_distance_bounds(displacement)
    assert (bounds.l1**2 >= displacement**2 / 2).all()
    assert (bounds.kl >= displacement**2 / 4).all()
    assert (bounds.chi_squared >= np.expm1(displacement**2 / 2)).all()
    assert SOFTMAX_SCORE_BOUND**2 >= 2


@pytest.mark.parametrize("displacement", [1e-9, 1e-3, 0.7, 1.0, 3.3, 12.1, 30.3, 37.5])
def test_the_bound_on_chi_squared_is_above_its_exact_value(displacement):
    for size in np.nextafter(displacement, [0.0, displacement, np.inf]):
        bound = float(softmax_distance_bounds(size).chi_squared)
        with mpmath.workdps(50):
            excess = mpmath.mpf(bound) / mpmath.expm1(mpmath.mpf(float(size)) ** 2 / 2) - 1
        assert 0 <= excess <= 1e-12


def test_refusals():
    with pytest.raises(DomainError, match="displacement = -1"):
        softmax_distance_bounds(-1.0)
    with pytest.raises(DomainError, match="logits"):
        softmax_distances(1.0, [0.0, 1.0])
    with pytest.raises(DomainError, match="behaviour_logits"):
        softmax_distances([0.0, 1.0], [0.0, np.inf])
