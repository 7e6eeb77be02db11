"""The surrogate-gradient map in exact rationals, by enumeration of every group.

Policies are given by their probabilities, since rational logits have no rational probabilities.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Literal, TypeAlias, get_args

from rolltheory.errors import AssumptionError, DomainError, UnsupportedError
from rolltheory.numerics.arguments import integer_array
from rolltheory.staleness.clipping import ClipRule

__all__ = [
    "ExactClip",
    "ExactRatio",
    "ExactTable",
    "surrogate_gradient_exact",
    "token_surrogate_gradient_exact",
]

ExactClip: TypeAlias = tuple[Fraction, Fraction]
ExactTable: TypeAlias = Sequence[Sequence[Fraction]]
"""Rows of rationals, one row per prompt or prefix."""
ExactRatio = Literal["sequence", "none", "token", "prefix_product"]
"""The weights of tries or tokens that have an exact twin."""
_MEAN_PARTS: TypeAlias = tuple[Fraction, Fraction]


def surrogate_gradient_exact(
    policy: Sequence[Fraction],
    behaviour: Sequence[Fraction],
    rewards: Sequence[Fraction],
    group_size: int,
    *,
    ratio: Literal["sequence", "none"] = "sequence",
    std: Literal["population"] | None = None,
    clip: ExactClip | None = None,
    clip_rule: ClipRule = "one_sided",
) -> tuple[Fraction, ...]:
    """Exact twin of :func:`~rolltheory.staleness.surrogate.surrogate_gradient`.

    Parameters
    ----------
    policy, behaviour : positive probabilities of the actions, which sum to 1
    rewards : one rational per action
    group_size, ratio, clip, clip_rule : as in the float twin
    std : None, or "population" for groups of 2, whose advantages are -1, 0 and 1

    Raises
    ------
    DomainError, AssumptionError
        if a policy is no distribution or shapes do not agree.
    UnsupportedError
        if the answer is irrational.

    Examples
    --------
    >>> half = Fraction(1, 2)
    >>> surrogate_gradient_exact((half, half), (half, half), (1, 0), 2, std="population")
    (Fraction(1, 4), Fraction(-1, 4))
    """
    (gradient,) = token_surrogate_gradient_exact(
        [policy],
        [behaviour],
        rewards,
        group_size,
        ratio=ratio,
        std=std,
        clip=clip,
        clip_rule=clip_rule,
    )
    return gradient


def token_surrogate_gradient_exact(
    policy: ExactTable,
    behaviour: ExactTable,
    rewards: Sequence[Fraction],
    group_size: int,
    *,
    ratio: ExactRatio = "token",
    std: Literal["population"] | None = None,
    clip: ExactClip | None = None,
    clip_rule: ClipRule = "one_sided",
) -> tuple[tuple[Fraction, ...], ...]:
    """Exact twin of :func:`~rolltheory.staleness.token_surrogate.token_surrogate_gradient`.

    Tables hold the probabilities of the next token, one row per prefix, breadth first. The other
    parameters and the errors are as in :func:`surrogate_gradient_exact`.

    >>> half, third = Fraction(1, 2), Fraction(1, 3)
    >>> uniform, stale = [(half, half)] * 3, [(third, 1 - third)] * 3
    >>> token_surrogate_gradient_exact(uniform, stale, (1, 0, 0, 1), 2, ratio="sequence")[0]
    (Fraction(0, 1), Fraction(0, 1))
    """
    if ratio not in get_args(ExactRatio):
        raise UnsupportedError(f"the ratio {ratio!r} in rationals", "it is irrational or unknown")
    n = int(integer_array("group_size", group_size, at_least=2))
    if std is not None and (std, n) != ("population", 2):
        raise UnsupportedError(
            f"std={std!r} with groups of {n} in rationals",
            "use std=None, or std='population' with groups of 2",
        )
    length = _checked_length(policy, behaviour, rewards)
    tokens = len(policy[0])
    sequences = list(product(range(tokens), repeat=length))
    chances = [prod(_along(behaviour, sequence), start=Fraction(1)) for sequence in sequences]
    gradient = [[Fraction(0)] * tokens for _ in policy]
    for index, sequence in enumerate(sequences):
        pairs = zip(_along(policy, sequence), _along(behaviour, sequence), strict=True)
        ratios = [p / q for p, q in pairs]
        parts = _mean_parts(index, chances, rewards, n, centred_only=std is None)
        for depth, row in enumerate(_rows(sequence, tokens)):
            weight = prod(_factors(ratios, depth, ratio), start=Fraction(1))
            kept = _kept(parts, weight, clip, clip_rule)
            coefficient = chances[index] * weight * kept / length
            for token in range(tokens):
                gradient[row][token] += coefficient * (
                    (token == sequence[depth]) - policy[row][token]
                )
    return tuple(tuple(row) for row in gradient)


def _mean_parts(
    index: int,
    chances: Sequence[Fraction],
    rewards: Sequence[Fraction],
    n: int,
    *,
    centred_only: bool,
) -> _MEAN_PARTS:
    """Mean positive and negative part of a response's advantage over the rest of its group."""
    positive = negative = Fraction(0)
    for rest in product(range(len(chances)), repeat=n - 1):
        mean = Fraction(rewards[index] + sum(rewards[i] for i in rest)) / n
        advantage = rewards[index] - mean
        if not centred_only:
            advantage = Fraction((advantage > 0) - (advantage < 0))
        chance = prod((chances[i] for i in rest), start=Fraction(1))
        positive += chance * max(advantage, Fraction(0))
        negative += chance * max(-advantage, Fraction(0))
    return positive, negative


def _kept(
    parts: _MEAN_PARTS, weight: Fraction, clip: ExactClip | None, clip_rule: ClipRule
) -> Fraction:
    """The mean advantage that clipping leaves."""
    positive, negative = parts
    if clip is None:
        return positive - negative
    below, above = weight < 1 - clip[0], weight > 1 + clip[1]
    if clip_rule == "two_sided":
        below = above = below or above
    return positive * (not above) - negative * (not below)


def _factors(ratios: list[Fraction], depth: int, ratio: ExactRatio) -> list[Fraction]:
    return {
        "none": [],
        "token": ratios[depth : depth + 1],
        "prefix_product": ratios[: depth + 1],
        "sequence": ratios,
    }[ratio]


def _rows(sequence: Sequence[int], tokens: int) -> Iterator[int]:
    """The table row of each prefix of a sequence."""
    row, first, code = 0, 0, 0
    for depth, token in enumerate(sequence):
        row = first + code
        yield row
        first, code = first + tokens**depth, code * tokens + token


def _along(table: ExactTable, sequence: Sequence[int]) -> list[Fraction]:
    rows = _rows(sequence, len(table[0]))
    return [table[row][token] for row, token in zip(rows, sequence, strict=True)]


def _checked_length(policy: ExactTable, behaviour: ExactTable, rewards: Sequence[Fraction]) -> int:
    for name, table in (("policy", policy), ("behaviour", behaviour)):
        for row in table:
            if len(row) != len(policy[0]) or sum(row) != 1 or min(row) <= 0:
                raise AssumptionError(f"{name} rows are positive and sum to 1", str(tuple(row)))
    tokens, length, rows = len(policy[0]), 0, 0
    while rows < len(policy) and tokens > 1:
        rows, length = rows + tokens**length, length + 1
    if not rows == len(policy) == len(behaviour) or len(rewards) != tokens**length:
        raise DomainError(
            "rewards", rewards, "V**L rewards for (V**L - 1)/(V - 1) rows of V > 1 probabilities"
        )
    return length
