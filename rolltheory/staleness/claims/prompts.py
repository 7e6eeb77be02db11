"""What claims about stale gradients are about: one prompt, evaluated without rounding.

Probabilities are rationals or symbols. Advantages divided by a standard deviation are square roots,
so the map is a rational where they are rational, a symbolic expression where probabilities are
symbols, and otherwise a ball of python-flint that contains it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from math import comb
from typing import Any

from rolltheory.staleness.claims.exact_numbers import length, number, precision, root

__all__ = [
    "Prompt",
    "behaviour_gradient",
    "bias",
    "displacement",
    "gradient",
    "jacobian",
    "l1_distance",
    "slope_of_success",
]


@dataclass(frozen=True)
class Prompt:
    """One prompt: learner and behaviour policy by their probabilities, rewards and the surrogate.

    ``std`` is "population" or "sample", None for mean-only advantages, and "raw" for the rewards
    themselves in place of advantages; ``ratio`` is "sequence" or "none".
    """

    policy: tuple[Any, ...]
    behaviour: tuple[Any, ...]
    rewards: tuple[Any, ...]
    group_size: int
    std: str | None = "population"
    ratio: str = "sequence"
    clip: tuple[Fraction, Fraction] | None = None
    clip_rule: str = "one_sided"

    @property
    def fresh(self) -> Prompt:
        """The same prompt, sampled by the learner itself."""
        return replace(self, behaviour=self.policy, clip=None)

    def success(self, policy: Sequence[Any]) -> Any:
        """Probability that a policy gives the largest reward."""
        best = max(self.rewards)
        return sum(p for p, reward in zip(policy, self.rewards, strict=True) if reward == best)

    @property
    def kind(self) -> str:
        """The numbers that hold the map: "symbol", "rational" or "ball"."""
        if any(hasattr(p, "free_symbols") for p in (*self.policy, *self.behaviour)):
            return "symbol"
        by_sign = (self.std, self.group_size) == ("population", 2)
        return "rational" if self.std in (None, "raw") or by_sign else "ball"

    def field(self, policy: Sequence[Any]) -> list[Any]:
        """Probabilities as numbers that hold the map."""
        return [number(p, self.kind) for p in policy]

    def rests(self, policy: Sequence[Any]) -> list[tuple[Any, tuple[int, ...], tuple[Any, ...]]]:
        """Every rest of the group: its chance under a policy, its counts, the advantages.

        The advantage of each action beside that rest is a sign and a size.
        """
        table = _advantages(self.rewards, self.group_size, self.std, self.kind)
        return [(ways * _product(policy, counts), counts, row) for ways, counts, row in table]


def gradient(case: Prompt) -> tuple[Any, ...]:
    """The surrogate gradient in the logits, one number per action.

    >>> half = (Fraction(1, 2), Fraction(1, 2))
    >>> gradient(Prompt(half, half, (1, 0), 2))
    (Fraction(1, 4), Fraction(-1, 4))
    """
    with precision(case.kind):
        policy, behaviour = case.field(case.policy), case.field(case.behaviour)
        sources = policy if case.ratio == "sequence" else behaviour
        rests = case.rests(behaviour)
        coefficients = [source * _kept(case, y, rests) for y, source in enumerate(sources)]
        total = sum(coefficients[1:], coefficients[0])
        return tuple(c - total * p for c, p in zip(coefficients, policy, strict=True))


def bias(case: Prompt) -> tuple[Any, ...]:
    """H(theta, phi) - H(theta, theta), one number per action.

    >>> third = Fraction(1, 3)
    >>> bias(Prompt((third, 1 - third), (1 - third, third), (1, 0), 2))
    (Fraction(0, 1), Fraction(0, 1))
    """
    with precision(case.kind):
        pairs = zip(gradient(case), gradient(case.fresh), strict=True)
        return tuple(stale - fresh for stale, fresh in pairs)


def l1_distance(case: Prompt) -> Any:
    """Sum of the absolute differences of the probabilities.

    >>> third = Fraction(1, 3)
    >>> l1_distance(Prompt((third, 1 - third), (1 - third, third), (1, 0), 2))
    Fraction(2, 3)
    """
    pairs = zip(case.policy, case.behaviour, strict=True)
    return sum((abs(p - q) for p, q in pairs), Fraction(0))


def displacement(case: Prompt) -> Any:
    """Least distance of logits with these probabilities, enclosed.

    >>> third = Fraction(1, 3)
    >>> float(displacement(Prompt((third, 1 - third), (1 - third, third), (1, 0), 2)).low)
    0.9802581434685472
    """
    pairs = zip(case.policy, case.behaviour, strict=True)
    with precision("ball"):
        logs = [number(p / q, "ball").log() for p, q in pairs]
        mean = sum(logs[1:], logs[0]) / len(logs)
        return length([log - mean for log in logs])


def slope_of_success(case: Prompt) -> tuple[Any, ...]:
    """Gradient in the learner's logits of the probability of the largest reward.

    >>> half = (Fraction(1, 2), Fraction(1, 2))
    >>> slope_of_success(Prompt(half, half, (1, 0), 2))
    (Fraction(1, 4), Fraction(-1, 4))
    """
    success, best = case.success(case.policy), max(case.rewards)
    pairs = zip(case.policy, case.rewards, strict=True)
    return tuple(p * (int(reward == best) - success) for p, reward in pairs)


def behaviour_gradient(case: Prompt, *, own_share: int = 0) -> tuple[Any, ...]:
    """Gradient of the surrogate in the behaviour policy's logits; exact ratio, no clipping.

    The mean of a response's advantage times the scores of the others in its group, and of its own
    score ``own_share`` times.

    >>> half = (Fraction(1, 2), Fraction(1, 2))
    >>> behaviour_gradient(Prompt(half, half, (1, 0), 2))
    (Fraction(-1, 4), Fraction(1, 4))
    """
    with precision(case.kind):
        policy, behaviour = case.field(case.policy), case.field(case.behaviour)
        total = [0 * p for p in policy]
        for chance, counts, row in case.rests(behaviour):
            for y, (sign, size) in enumerate(row):
                weight = chance * policy[y] * size * sign
                for z, (count, q) in enumerate(zip(counts, behaviour, strict=True)):
                    drawn = count + own_share * (y == z)
                    expected = (case.group_size - 1 + own_share) * q
                    total[z] = total[z] + weight * (drawn - expected)
        return tuple(total)


def jacobian(case: Prompt) -> tuple[tuple[Any, ...], ...]:
    """Derivatives in the logits (inner index) of the on-policy gradient (outer index).

    The mean of a response's advantage times the scores of its whole group; the terms in which the
    score itself is differentiated cancel, since advantages sum to 0.

    >>> half = (Fraction(1, 2), Fraction(1, 2))
    >>> jacobian(Prompt(half, half, (1, 0), 2))[0][0]
    Fraction(0, 1)
    """
    with precision(case.kind):
        policy, n = case.field(case.policy), case.group_size
        rests = case.rests(policy)
        rows = []
        for y, p in enumerate(policy):
            row = [0 * p for p in policy]
            for chance, counts, advantages in rests:
                sign, size = advantages[y]
                for z, q in enumerate(policy):
                    row[z] = row[z] + p * chance * size * sign * (counts[z] + (y == z) - n * q)
            rows.append(tuple(row))
        return tuple(rows)


def _kept(case: Prompt, y: int, rests: list[tuple[Any, tuple[int, ...], tuple[Any, ...]]]) -> Any:
    """Mean over the rest of the group of what clipping leaves of an action's advantage."""
    below = above = False
    if case.clip is not None:
        ratio = case.policy[y] / case.behaviour[y] if case.ratio == "sequence" else 1
        below, above = ratio < 1 - case.clip[0], ratio > 1 + case.clip[1]
        if case.clip_rule == "two_sided":
            below = above = below or above
    total = rests[0][0] * 0
    for chance, _, row in rests:
        sign, size = row[y]
        if sign and not (above if sign > 0 else below):
            total = total + chance * size * sign
    return total


@cache
def _advantages(
    rewards: tuple[Any, ...], n: int, std: str | None, kind: str
) -> list[tuple[int, tuple[int, ...], tuple[Any, ...]]]:
    """For each rest of the group: its number of orders, its counts, each action's advantage.

    An advantage is a sign and a size.
    """
    table = []
    for counts in _compositions(n - 1, len(rewards)):
        ways, placed = 1, 0
        for count in counts:
            placed += count
            ways *= comb(placed, count)
        row = tuple(_advantage(rewards, counts, y, n, std, kind) for y in range(len(rewards)))
        table.append((ways, counts, row))
    return table


def _advantage(
    rewards: tuple[Any, ...], counts: tuple[int, ...], y: int, n: int, std: str | None, kind: str
) -> tuple[int, Any]:
    total = sum(c * r for c, r in zip(counts, rewards, strict=True)) + rewards[y]
    squares = sum(c * r * r for c, r in zip(counts, rewards, strict=True)) + rewards[y] ** 2
    centred = Fraction(n * rewards[y] - total)  # n times the distance from the mean
    sign = (centred > 0) - (centred < 0)
    if std == "raw":
        return (rewards[y] > 0) - (rewards[y] < 0), number(Fraction(abs(rewards[y])), kind)
    if std is None:
        return sign, number(abs(centred) / n, kind)
    spread = Fraction(n * squares - total**2)  # n^2 times the variance
    if spread == 0:
        return 0, number(Fraction(0), kind)
    divisor = Fraction(n - 1, n) if std == "sample" else Fraction(1)
    return sign, root(divisor * centred**2 / spread, kind)


def _compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        yield from ((first, *rest) for rest in _compositions(total - first, parts - 1))


def _product(values: Sequence[Any], powers: Sequence[int]) -> Any:
    result: Any = 1
    for value, power in zip(values, powers, strict=True):
        if power:
            result = result * value**power
    return result
