"""Markov chains of rationals and their policies: values, occupancies and distances of laws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Any, TypeAlias

from rolltheory.graph_world.claims.matrices import (
    Matrix,
    Vector,
    applied,
    identity,
    scaled,
    total,
    transposed,
)

__all__ = [
    "Chains",
    "Decisions",
    "Law",
    "Policy",
    "occupancy",
    "solved",
    "total_variation",
    "values",
    "values_over",
    "wasserstein",
]

Policy: TypeAlias = Matrix
"""Rows of action probabilities, one for each state."""
Law: TypeAlias = tuple[Matrix, ...]
"""For each state, the rows of next-state probabilities, one for each action."""


def solved(matrix: Matrix, right: Vector) -> Vector:
    """x with M x = right, for an invertible matrix.

    >>> solved(((Fraction(2), Fraction(1)), (Fraction(0), Fraction(1))), (Fraction(5), Fraction(1)))
    (Fraction(2, 1), Fraction(1, 1))
    """
    rows = [[*row, entry] for row, entry in zip(matrix, right, strict=True)]
    for column in range(len(rows)):
        pivot = next(i for i in range(column, len(rows)) if rows[i][column])
        rows[column], rows[pivot] = rows[pivot], rows[column]
        lead = rows[column][column]
        rows[column] = [entry / lead for entry in rows[column]]
        for i, row in enumerate(rows):
            if i != column and row[column]:
                factor = row[column]
                rows[i] = [a - factor * b for a, b in zip(row, rows[column], strict=True)]
    return tuple(row[-1] for row in rows)


def values(discount: Fraction, chain: Matrix, rewards: Vector) -> Vector:
    """(I - gamma P)^-1 r."""
    return solved(total(identity(len(chain)), scaled(chain, -discount)), rewards)


def values_over(horizon: int, chain: Matrix, rewards: Vector) -> Vector:
    """Undiscounted sums of that many rewards."""
    result: Vector = (Fraction(0),) * len(chain)
    for _ in range(horizon):
        following = applied(chain, result)
        result = tuple(r + v for r, v in zip(rewards, following, strict=True))
    return result


def total_variation(first: Sequence[Any], second: Sequence[Any]) -> Any:
    """Half the sum of the differences."""
    return sum(abs(a - b) for a, b in zip(first, second, strict=True)) / Fraction(2)


def wasserstein(first: Vector, second: Vector) -> Fraction:
    """Wasserstein-1 distance of laws on the points 0, 1, 2, ... of a line."""
    differences = accumulate(a - b for a, b in zip(first, second, strict=True))
    return sum(map(abs, differences), Fraction(0))


@dataclass(frozen=True)
class Chains:
    """A true and a learned chain with their rewards, on the points 0, 1, 2, ... of a line."""

    discount: Fraction
    truth: Matrix
    model: Matrix
    rewards: Vector
    model_rewards: Vector

    @property
    def value_gap(self) -> Fraction:
        """The largest value error."""
        pairs = zip(
            values(self.discount, self.truth, self.rewards),
            values(self.discount, self.model, self.model_rewards),
            strict=True,
        )
        return max(abs(a - b) for a, b in pairs)

    @property
    def reward_error(self) -> Fraction:
        """The largest one."""
        pairs = zip(self.rewards, self.model_rewards, strict=True)
        return max(abs(a - b) for a, b in pairs)

    @property
    def transition_error(self) -> Fraction:
        """The largest total variation."""
        return Fraction(max(map(total_variation, self.truth, self.model)))

    @property
    def transition_distance(self) -> Fraction:
        """The largest Wasserstein distance."""
        return max(map(wasserstein, self.truth, self.model))

    @property
    def transition_lipschitz(self) -> Fraction:
        """Of the true laws; neighbours suffice on a line."""
        return max(map(wasserstein, self.truth, self.truth[1:]))

    @property
    def reward_lipschitz(self) -> Fraction:
        """Of the true rewards."""
        return max(abs(a - b) for a, b in zip(self.rewards, self.rewards[1:], strict=False))


def under(policy: Policy, law: Law) -> Matrix:
    """The chain of states that a policy makes."""
    return tuple(
        applied(transposed(rows), shares) for shares, rows in zip(policy, law, strict=True)
    )


def occupancy(discount: Fraction, policy: Policy, law: Law) -> Matrix:
    """Discounted shares of states and actions, from state 0."""
    chain = under(policy, law)
    start = tuple(row[0] * (1 - discount) for row in identity(len(chain)))
    backwards = total(identity(len(chain)), scaled(transposed(chain), -discount))
    states = solved(backwards, start)
    return tuple(
        tuple(share * chance for chance in row) for share, row in zip(states, policy, strict=True)
    )


@dataclass(frozen=True)
class Decisions:
    """A true and a learned law, a present policy, and past policies with their shares of the data.

    Rewards are known. All runs start in state 0.
    """

    discount: Fraction
    truth: Law
    model: Law
    rewards: Matrix
    present: Policy
    past: tuple[Policy, ...]
    shares: Vector = (Fraction(1),)

    @property
    def return_gap(self) -> Fraction:
        """Of the present policy, between model and truth."""
        paid = tuple(
            sum((p * r for p, r in zip(shares, row, strict=True)), Fraction(0))
            for shares, row in zip(self.present, self.rewards, strict=True)
        )
        true, learned = (
            values(self.discount, under(self.present, law), paid)[0]
            for law in (self.truth, self.model)
        )
        return abs(true - learned)

    @property
    def errors(self) -> Matrix:
        """Total variation of the model at each state and action."""
        return tuple(
            tuple(map(total_variation, *rows)) for rows in zip(self.truth, self.model, strict=True)
        )

    @property
    def largest_error(self) -> Fraction:
        """Over states and actions."""
        return max(map(max, self.errors))

    @property
    def mixture_error(self) -> Fraction:
        """Expected on the replay."""
        return sum(
            (
                share * chance * error
                for share, policy in zip(self.shares, self.past, strict=True)
                for chances, errors in zip(
                    occupancy(self.discount, policy, self.truth), self.errors, strict=True
                )
                for chance, error in zip(chances, errors, strict=True)
            ),
            Fraction(0),
        )

    @property
    def early_error(self) -> Fraction:
        """Expected at any of the first eight steps of the first past policy, the largest.

        At most the largest over all time, so that a bound that holds with it holds with that one.
        """
        policy = self.past[0]
        chain = under(policy, self.truth)
        there = [
            sum((p * e for p, e in zip(*pair, strict=True)), Fraction(0))
            for pair in zip(policy, self.errors, strict=True)
        ]
        expected = [tuple(there)]
        for _ in range(7):
            expected.append(applied(chain, expected[-1]))
        return max(error[0] for error in expected)

    @property
    def policy_shifts(self) -> Vector:
        """Largest total variation between each past policy and the present one."""
        return tuple(
            Fraction(max(map(total_variation, policy, self.present))) for policy in self.past
        )

    @property
    def largest_reward(self) -> Fraction:
        """In absolute value."""
        return max(abs(reward) for row in self.rewards for reward in row)
