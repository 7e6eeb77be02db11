"""Cases of the claims about gradients: one group of tries, and what a rule makes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from rolltheory.claims import ConfidenceInterval
from rolltheory.reachability.claims.tries import binomial
from rolltheory.stats.concentration import hoeffding_interval

__all__ = ["CountedGroup", "ObservedGroups", "SoftmaxGroup", "Weights"]

Weights = Callable[..., tuple[Any, Any]]


@dataclass(frozen=True)
class CountedGroup:
    """A group of tries of one problem, known by its number of successes.

    Gradients are taken in the log-odds of the success probability p, so grad p = p (1 - p), a
    success has the score 1 - p and a failure -p. This covers every policy: scores of successes
    average to grad p / p and scores of failures to -grad p / (1 - p), whatever the parameters.
    ``success_probability`` is a rational, or a symbol that stands for every probability at once.
    The tries are drawn by the policy itself, or with the probability ``sampled_at``; if they are
    ``copied``, one try is repeated all over the group.
    """

    group_size: int
    k: int
    success_probability: Any
    variant: str = "score"
    sampled_at: Any = None
    copied: bool = False

    def estimate(self, weights: Weights) -> Any:
        """The expected gradient estimate of the rule: sum of weight times score over the group."""
        p = self.success_probability
        total = 0
        for successes, chance in self._law():
            success, failure = weights(self.group_size, successes, self.k, variant=self.variant)
            failures = self.group_size - successes
            total += chance * (successes * success * (1 - p) - failures * failure * p)
        return total

    def gradient(self, scale: Any) -> Any:
        """So many times the gradient of the success probability."""
        p = self.success_probability
        return scale * p * (1 - p)

    def _law(self) -> Iterator[tuple[int, Any]]:
        p = self.success_probability if self.sampled_at is None else self.sampled_at
        if self.copied:
            yield from ((0, 1 - p), (self.group_size, p))
            return
        for successes in range(self.group_size + 1):
            yield successes, binomial(self.group_size, successes, p)


@dataclass(frozen=True)
class SoftmaxGroup:
    """A group of independent actions of a softmax policy, some of which succeed.

    Gradients are vectors with one entry per logit; the expectation runs over all sequences of
    actions.
    """

    group_size: int
    k: int
    policy: tuple[Fraction, ...]
    succeeds: tuple[bool, ...]
    variant: str = "score"
    sampled_at: ClassVar[None] = None
    copied: ClassVar[bool] = False

    @property
    def success_probability(self) -> Fraction:
        """The policy's mass on the actions that succeed."""
        return sum(
            (p for p, good in zip(self.policy, self.succeeds, strict=True) if good), Fraction()
        )

    def estimate(self, weights: Weights) -> tuple[Any, ...]:
        """The expected gradient estimate, by enumeration."""
        total = [Fraction()] * len(self.policy)
        for actions in product(range(len(self.policy)), repeat=self.group_size):
            solved = sum(self.succeeds[action] for action in actions)
            pair = weights(self.group_size, solved, self.k, variant=self.variant)
            chance = prod(self.policy[action] for action in actions)
            for action in actions:
                weight = chance * pair[0 if self.succeeds[action] else 1]
                for logit, mass in enumerate(self.policy):
                    total[logit] += weight * ((logit == action) - mass)
        return tuple(total)

    def gradient(self, scale: Any) -> tuple[Any, ...]:
        """So many times the gradient of the success probability."""
        p = self.success_probability
        pairs = zip(self.policy, self.succeeds, strict=True)
        return tuple(scale * mass * (good - p) for mass, good in pairs)


@dataclass(frozen=True)
class ObservedGroups:
    """Simulated groups of actions of a softmax policy whose first actions succeed.

    ``first_chosen`` and ``successes``, of shape (groups,), count how often the first action was
    chosen and how many tries succeeded. Gradients are those in the logit of the first action.
    """

    group_size: int
    k: int
    first_probability: float
    success_probability: float
    variant: str
    error_level: float
    first_chosen: npt.NDArray[np.int64] = field(repr=False)
    successes: npt.NDArray[np.int64] = field(repr=False)
    sampled_at: ClassVar[None] = None
    copied: ClassVar[bool] = False

    def estimate(self, weights: Weights) -> ConfidenceInterval:
        """An interval for the expected gradient estimate."""
        n = self.group_size
        pairs = [weights(n, c, self.k, variant=self.variant) for c in range(n + 1)]
        success, failure = np.array(pairs, dtype=float).T
        solved, chosen = np.arange(n + 1)[:, None], np.arange(n + 1)
        total = success[:, None] * solved + failure[:, None] * (n - solved)
        table = success[:, None] * chosen - self.first_probability * total
        possible = table[chosen <= solved]
        low, high = hoeffding_interval(
            table[self.successes, self.first_chosen],
            low=possible.min(),
            high=possible.max() + 1e-12,  # a rule that never moves has no range
            error_level=self.error_level,
        )
        return ConfidenceInterval(low, high, self.error_level)

    def gradient(self, scale: Any) -> float:
        """So many times the gradient of the success probability."""
        return float(scale) * self.first_probability * (1 - self.success_probability)
