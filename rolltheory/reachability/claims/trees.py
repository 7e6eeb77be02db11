"""Cases of the claims about credit: trajectories of decisions, and single steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from rolltheory.claims import ConfidenceInterval
from rolltheory.stats.concentration import hoeffding_interval

__all__ = ["BinaryTree", "Continuations", "Credit", "ObservedTree", "Step", "Trajectory", "Walk"]

Credit = Callable[[list[Any], Any, int], list[Any]]


@dataclass(frozen=True)
class Trajectory:
    """The values of the prefixes that a trajectory passes, its outcome, k, and a step of it."""

    values: tuple[Any, ...]
    outcome: Any
    k: int
    step: int = 0


@dataclass(frozen=True)
class Step:
    """The values of a prefix and of the one that follows, and k."""

    value: Any
    after: Any
    k: int


@dataclass(frozen=True)
class Continuations:
    """The law of the value after the next step: a chance for each value, within known limits.

    The prefix itself is worth ``prefix``, or the mean over its continuations if that is None.
    """

    chances: tuple[Fraction, ...]
    values: tuple[Fraction, ...]
    k: int
    lowest: Fraction = Fraction(0)
    highest: Fraction = Fraction(1)
    prefix: Fraction | None = None

    @property
    def mean(self) -> Fraction:
        """The mean value of the continuations."""
        return self._mean_of(lambda value: value)

    @property
    def value(self) -> Fraction:
        """The value of the prefix."""
        return self.mean if self.prefix is None else self.prefix

    @property
    def variance(self) -> Fraction:
        """The variance of the value of the continuations."""
        return self._mean_of(lambda value: (value - self.mean) ** 2)

    def loss(self) -> Fraction:
        """By how much Pass@k falls on average in the next step."""
        after = self._mean_of(lambda value: 1 - (1 - value) ** self.k)
        return 1 - (1 - self.value) ** self.k - after

    def _mean_of(self, function: Callable[[Fraction], Fraction]) -> Fraction:
        pairs = zip(self.chances, self.values, strict=True)
        return sum((chance * function(value) for chance, value in pairs), Fraction())


@dataclass(frozen=True)
class BinaryTree:
    """Decisions between two steps, then an outcome: a complete tree, numbered breadth first.

    ``first`` holds the probability of the first step at every decision, ``leaves`` the success
    probability behind every last step. Numbers are rationals, or symbols that stand for all of
    them. Gradients are those in the log-odds of one ``decision``. The critic tells the values of
    the decisions, the true ones if it is None; if it ``peeks`` it has seen the step that the
    credit is for. Trajectories are drawn by the policy itself, or by ``sampled_from``.
    """

    first: tuple[Any, ...]
    leaves: tuple[Any, ...]
    k: int
    decision: int = 0
    critic: tuple[Any, ...] | None = None
    peeks: bool = False
    sampled_from: tuple[Any, ...] | None = None

    @cached_property
    def values(self) -> tuple[Any, ...]:
        """The success probability from every node on, decisions first."""
        inner = len(self.first)
        value: list[Any] = [None] * inner + list(self.leaves)
        for node in reversed(range(inner)):
            one, two = value[2 * node + 1], value[2 * node + 2]
            value[node] = self.first[node] * one + (1 - self.first[node]) * two
        return tuple(value)

    def gradient(self) -> Any:
        """The gradient of the root's value, which is affine in the probability of a step."""
        chance = self.first[self.decision]
        return (self._root_value(1) - self._root_value(0)) * chance * (1 - chance)

    def expected(self, credit: Credit) -> Any:
        """The expected policy gradient of a credit: the mean of score times credit."""
        return sum(
            chance * self.term(credit, nodes, outcome)
            for chance, nodes, outcome in self.trajectories()
        )

    def trajectories(self) -> Iterator[tuple[Any, tuple[int, ...], int]]:
        """Every trajectory: its probability, the nodes that it passes, and its outcome."""
        for leaf, success in enumerate(self.leaves, start=len(self.first)):
            nodes = _path(leaf)
            chance: Any = 1
            for node, after in pairwise(nodes):
                first = (self.sampled_from or self.first)[node]
                chance *= first if after == 2 * node + 1 else 1 - first
            yield chance * success, nodes, 1
            yield chance * (1 - success), nodes, 0

    def term(self, credit: Credit, nodes: tuple[int, ...], outcome: int) -> Any:
        """What a trajectory adds to the gradient estimate: score times credit at the decision."""
        if self.decision not in nodes:
            return 0
        told = self.values
        if self.critic is not None:
            told = self.critic + told[len(self.critic) :]
        seen = nodes[1:] if self.peeks else nodes[:-1]
        steps = credit([told[node] for node in seen], Fraction(outcome), self.k)
        when = nodes.index(self.decision)
        went_first = nodes[when + 1] == 2 * self.decision + 1
        return (int(went_first) - self.first[self.decision]) * steps[when]

    def rescaled(self, scale: Callable[[Any, Any, int], Any]) -> Any:
        """The gradient times the scale of the decision, which is 1 before an outcome."""
        inner, next_nodes = len(self.first), (2 * self.decision + 1, 2 * self.decision + 2)
        if next_nodes[0] >= inner:
            return self.gradient()
        one, two = (self.values[node] for node in next_nodes)
        return scale(one, two, self.k) * self.gradient()

    def _root_value(self, chance: int) -> Any:
        first = (*self.first[: self.decision], chance, *self.first[self.decision + 1 :])
        return replace(self, first=first).values[0]


@dataclass(frozen=True)
class ObservedTree:
    """Simulated trajectories of a tree: ``drawn`` (runs,) tells which of ``tree.trajectories()``.

    Everything else is known of the tree.
    """

    tree: BinaryTree
    error_level: float
    drawn: npt.NDArray[np.int64] = field(repr=False)
    critic: ClassVar[None] = None
    peeks: ClassVar[bool] = False
    sampled_from: ClassVar[None] = None

    def gradient(self) -> float:
        """The gradient of the root's value."""
        return float(self.tree.gradient())

    def rescaled(self, scale: Callable[[Any, Any, int], Any]) -> float:
        """The gradient times the scale of the decision."""
        return float(self.tree.rescaled(scale))

    def expected(self, credit: Credit) -> ConfidenceInterval:
        """An interval for the expected policy gradient of a credit."""
        trajectories = self.tree.trajectories()
        terms = [self.tree.term(credit, nodes, outcome) for _, nodes, outcome in trajectories]
        table = np.array(terms, dtype=float)
        low, high = hoeffding_interval(
            table[self.drawn], low=table.min(), high=table.max(), error_level=self.error_level
        )
        return ConfidenceInterval(low, high, self.error_level)


@dataclass(frozen=True)
class Walk:
    """One of the trajectories of a tree, by its number."""

    tree: BinaryTree
    number: int

    @property
    def sampled_from(self) -> tuple[Any, ...] | None:
        """The policy that drew it, if it is not the tree's own."""
        return self.tree.sampled_from

    def reach(self) -> tuple[bool, list[bool], int]:
        """Whether it can happen, where success can be reached on its way, and its outcome."""
        chance, nodes, outcome = list(self.tree.trajectories())[self.number]
        values = self.tree.values
        return chance > 0, [values[node] > 0 for node in nodes[:-1]], outcome


def _path(leaf: int) -> tuple[int, ...]:
    nodes = [leaf]
    while nodes[0]:
        nodes.insert(0, (nodes[0] - 1) // 2)
    return tuple(nodes)
