"""Simulations of the claims about the surrogate-gradient map."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from rolltheory.claims import Budget, ConfidenceInterval, Kind, Sides, check
from rolltheory.staleness.advantages import group_advantages
from rolltheory.staleness.claims.prompts import Prompt, slope_of_success
from rolltheory.staleness.claims.surrogate import (
    staleness_only_reweights,
    weight_under_behaviour,
)
from rolltheory.stats.concentration import hoeffding_interval
from simulators.staleness.policies import sampled_groups

__all__ = ["SampledPrompt", "simulated_gradient"]

GROUPS = 200_000
ERROR_LEVEL = 1e-6


@dataclass(frozen=True)
class SampledPrompt(Prompt):
    """A prompt of two actions, and groups that its behaviour policy has drawn."""

    actions: Any = field(default=None, repr=False)

    def gradient_of_the_first_action(self) -> ConfidenceInterval:
        """The mean over the groups of what the learner sums up in each."""
        learner, behaviour = (
            np.array([float(p) for p in policy]) for policy in (self.policy, self.behaviour)
        )
        rewards = np.array(self.rewards, dtype=float)[self.actions]
        ratios = (learner / behaviour)[self.actions]
        scores = (self.actions == 0) - learner[0]
        means = (group_advantages(rewards) * ratios * scores).mean(axis=-1)
        # With two actions each term is positive, and the mean absolute advantage is at most 1.
        largest = float((learner[::-1] * learner / behaviour).max())
        low, high = hoeffding_interval(
            np.clip(means, 0.0, largest), low=0.0, high=largest, error_level=ERROR_LEVEL
        )
        return ConfidenceInterval(low, high, ERROR_LEVEL)


def _by_simulation(
    case: SampledPrompt, weight: Callable[[Prompt], Any] = weight_under_behaviour
) -> Sides:
    return Sides(case.gradient_of_the_first_action(), weight(case) * slope_of_success(case)[0])


@check(
    staleness_only_reweights,
    kind=Kind.SIMULATED,
    domain=f"{GROUPS} groups of 8, p_theta = 3/10, p_phi = 1/10",
    route=_by_simulation,
    teeth={name: tooth.subject for name, tooth in staleness_only_reweights.teeth.items()},
    error_level=ERROR_LEVEL,
)
def simulated_gradient(budget: Budget) -> Iterator[SampledPrompt]:
    """Groups drawn from the behaviour policy, weighted as a learner does."""
    rare = Fraction(1, 10)
    actions = sampled_groups(np.log([0.1, 0.9]), 8, GROUPS, generator=budget.generator())
    yield SampledPrompt((3 * rare, 1 - 3 * rare), (rare, 1 - rare), (1, 0), 8, actions=actions)
