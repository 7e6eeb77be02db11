import numpy as np
import pytest

from rolltheory.errors import DomainError
from simulators.staleness.policies import displaced_logits, feature_prompts, sampled_groups


def test_they_have_what_they_promise():
    rng = np.random.default_rng(0)
    prompts = feature_prompts(3, 4, 2, copies=5, generator=rng)
    assert prompts.features.shape == (5, 3, 4, 2)
    assert (prompts.correct.sum(axis=-1) == 1).all()
    moved = displaced_logits(np.zeros((7, 3)), 0.25, generator=rng)
    assert np.linalg.norm(moved, axis=-1) == pytest.approx(np.full(7, 0.25))
    assert moved.sum(axis=-1) == pytest.approx(np.zeros(7), abs=1e-15)
    drawn = sampled_groups(np.log([0.2, 0.3, 0.5]), 10, 20_000, generator=rng)
    shares = np.bincount(drawn.ravel()) / drawn.size
    assert shares == pytest.approx([0.2, 0.3, 0.5], abs=0.005)


def test_refusals():
    rng = np.random.default_rng(0)
    with pytest.raises(DomainError, match="actions"):
        feature_prompts(3, 1, 2, generator=rng)
    with pytest.raises(DomainError, match="displacement"):
        displaced_logits([0.0, 1.0], -1.0, generator=rng)
    with pytest.raises(DomainError, match="at least 2 actions"):
        displaced_logits([0.0], 1.0, generator=rng)
    with pytest.raises(DomainError, match="groups"):
        sampled_groups([0.0, 1.0], 2, 0, generator=rng)


def test_a_seed_fixes_everything():
    first, again = (
        sampled_groups([0.0, 1.0], 4, 5, generator=np.random.default_rng(3)) for _ in range(2)
    )
    assert (first == again).all()
