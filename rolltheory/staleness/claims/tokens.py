"""Claims about the surrogate-gradient map when responses are sequences of tokens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rolltheory.claims import Relation, Sides, Source, Tight, Unbroken, claim
from rolltheory.staleness.bias import bias_bound
from rolltheory.staleness.claims.bias import BOUNDS
from rolltheory.staleness.claims.exact_numbers import length, rational
from rolltheory.staleness.surrogate_exact import (
    ExactClip,
    ExactRatio,
    ExactTable,
    token_surrogate_gradient_exact,
)

__all__ = [
    "Sequences",
    "diverging_prefixes",
    "token_bias",
    "token_bias_is_within_its_bound",
    "token_bound",
]


@dataclass(frozen=True)
class Sequences:
    """Responses of two tokens; groups of two; policies by the probabilities of the next token.

    ``std`` is None for mean-only advantages, or "population".
    """

    policy: ExactTable
    behaviour: ExactTable
    rewards: tuple[int, ...]
    std: Any = None
    clip: ExactClip | None = None
    ratio: ExactRatio = "token"

    @property
    def distance(self) -> Fraction:
        """The largest L1 distance of the next token over the prefixes."""
        rows = zip(self.policy, self.behaviour, strict=True)
        return max(
            sum((abs(p - q) for p, q in zip(row, other, strict=True)), Fraction(0))
            for row, other in rows
        )

    @property
    def largest_advantage(self) -> float:
        """What bounds the advantages in a group of two."""
        return 1.0 if self.std else (max(self.rewards) - min(self.rewards)) / 2


def token_bias(case: Sequences) -> list[Fraction]:
    """H(theta, phi) - H(theta, theta), row after row."""

    def at(behaviour: ExactTable, clip: ExactClip | None) -> list[Fraction]:
        rows = token_surrogate_gradient_exact(
            case.policy,
            behaviour,
            [Fraction(reward) for reward in case.rewards],
            2,
            ratio=case.ratio,
            std=case.std,
            clip=clip,
        )
        return [entry for row in rows for entry in row]

    pairs = zip(at(case.behaviour, case.clip), at(case.policy, None), strict=True)
    return [stale - fresh for stale, fresh in pairs]


def token_bound(case: Sequences, share: Fraction = Fraction(1)) -> Fraction:
    """What the library answers, times a share."""
    clip = None if case.clip is None else (float(case.clip[0]), float(case.clip[1]))
    bound = bias_bound(
        float(case.distance),
        2,
        variant="token",
        clip=clip,
        length=2,
        largest_advantage=case.largest_advantage,
    )
    return share * rational(bound)


def diverging_prefixes(moved: Fraction) -> Sequences:
    """The first token is even; the second one is all but certain, and the behaviour less so."""
    half, trace = Fraction(1, 2), moved / 100
    rare = moved + trace
    return Sequences(
        ((half, half), (trace, 1 - trace), (1 - trace, trace)),
        ((half + moved, half - moved), (rare, 1 - rare), (1 - rare, rare)),
        (3, 1, 2, 0),
        std="population",
    )


@claim(
    "staleness.bias.token",
    statement=r"\text{token ratios, mean over tokens: } |H(\theta, \phi) - H(\theta, \theta)|"
    r" \le \sqrt 2\, A_{\max} (n L - 1 + K_\epsilon)\, d_1,"
    r" \quad K_\epsilon = 0 \text{ without clipping}",
    relation=Relation.AT_MOST,
    source=Source.derived(BOUNDS),
    assumes={
        "every token is weighted with its own ratio": lambda case: case.ratio == "token",
    },
    teeth={
        "a fifteenth of the constant": lambda case: token_bound(case, Fraction(1, 15)),
        "no bias, as for sequence ratios": lambda case: 0 * case.distance,
    },
    breaks={
        "every token is weighted with its own ratio": Unbroken(
            "the full sequence ratio has less bias; no weight is known to have more"
        ),
    },
    tight=Tight(diverging_prefixes(Fraction(1, 1000)), at_least=Fraction(8, 100)),
)
def token_bias_is_within_its_bound(
    case: Sequences, bound: Callable[[Sequences], Fraction] = token_bound
) -> Sides:
    """With token ratios, each other token of the group contributes one policy distance."""
    return Sides(length(token_bias(case)), bound(case))
