"""Claims about exponential tilting, and about weighted SFT in the place of regularised RL."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt, prod
from typing import Any

import numpy as np

from rolltheory.claims import Counterexample, Relation, Sides, Source, Tight, Verdict, claim
from rolltheory.staleness.tilting import (
    regularised_value,
    tilted_policy_exact,
    tilted_value,
    weighted_sft_policy_exact,
)

__all__ = [
    "Tied",
    "Tilted",
    "tilted_value_is_the_maximum",
    "tilting_weights_reach_the_optimum",
    "weighted_sft_is_called_regularised_rl",
    "weighted_sft_reaches_the_optimum",
]

PAGE = "docs/theory/staleness.md#tilting"
Row = tuple[Fraction, ...]

REALISABLE = "the tilted policy lies in the class: one reward in each block"


@dataclass(frozen=True)
class Tilted:
    """A reference, tilts exp(R/beta) at beta = 1, and a policy; rewards are the tilts' logs."""

    reference: Row
    tilts: Row
    policy: Row

    @property
    def in_floats(self) -> tuple[Any, Any, Any]:
        """Logs of the reference, of the tilts and of the policy."""
        rows = (self.reference, self.tilts, self.policy)
        first, second, third = (np.log(np.array(row, float)) for row in rows)
        return first, second, third


HALVES = (Fraction(1, 2), Fraction(1, 2))


@claim(
    "staleness.tilting.maximum",
    statement=r"E_\pi R - \beta KL(\pi \| \pi_{ref}) \le \beta \log E_{ref}\, e^{R/\beta},"
    r"\ \text{attained by}\ \pi^* = \pi_{ref} e^{R/\beta} / Z",
    relation=Relation.AT_MOST,
    source=Source.known("Gibbs' variational principle"),
    assumes={},
    teeth={
        "10 % smaller": lambda *args, temperature: (
            0.9 * tilted_value(*args, temperature=temperature)
        ),
        "the reference's mean reward": lambda reference, rewards, *, temperature: float(  # noqa: ARG005
            np.exp(reference) @ rewards
        ),
    },
    tight=Tight(
        Tilted(HALVES, (Fraction(3), Fraction(1)), (Fraction(3, 4), Fraction(1, 4))), 1 - 1e-12
    ),
)
def tilted_value_is_the_maximum(case: Tilted, value: Any = tilted_value) -> Sides:
    """No policy has a larger KL-regularised value than the exponentially tilted reference."""
    reference, rewards, policy = case.in_floats
    reached = regularised_value(policy, reference, rewards, temperature=1.0)
    return Sides(float(reached), float(value(reference, rewards, temperature=1.0)))


def normalised_tilt(reference: Row, tilts: Row) -> list[Fraction]:
    """exp(R/beta)/Z."""
    total = sum(p * tilt for p, tilt in zip(reference, tilts, strict=True))
    return [tilt / total for tilt in tilts]


@claim(
    "staleness.tilting.weights",
    statement=r"\pi_{ref}\, w = \pi^*, \quad w = e^{R/\beta} / E_{ref}\, e^{R/\beta}",
    relation=Relation.EQUAL,
    source=Source.paper("2605.31455", "weighted SFT"),
    assumes={},
    teeth={
        "not normalised": lambda _, tilts: list(tilts),
        "normalised over actions, not over the reference": lambda _, tilts: [
            tilt * len(tilts) / sum(tilts) for tilt in tilts
        ],
    },
)
def tilting_weights_reach_the_optimum(case: Tilted, weights: Any = normalised_tilt) -> Sides:
    """Reference samples with exponential weights are samples of the optimum."""
    rows = zip(case.reference, weights(case.reference, case.tilts), strict=True)
    return Sides([p * w for p, w in rows], tilted_policy_exact(case.reference, case.tilts))


@dataclass(frozen=True)
class Tied:
    """Actions tied in pairs, each pair equally likely within itself under the reference.

    ``masses`` are the pairs' probabilities, ``roots`` the square roots of the tilts exp(R/beta) of
    both actions of each pair; the geometric mean of a pair's tilts is then rational.
    """

    masses: Row
    roots: tuple[tuple[int, int], ...]

    @property
    def reference(self) -> list[Fraction]:
        """Probabilities of the actions."""
        return [mass / 2 for mass in self.masses for _ in (0, 1)]

    @property
    def tilts(self) -> list[Fraction]:
        """exp(R/beta) of the actions."""
        return [Fraction(root * root) for pair in self.roots for root in pair]

    @property
    def blocks(self) -> list[int]:
        """The pair of each action."""
        return [place for place in range(len(self.masses)) for _ in (0, 1)]

    def regularised_optimum(self) -> list[Fraction]:
        """Of regularised RL with tied actions: tilt by exp of the pair's mean reward."""
        return tilted_policy_exact(self.reference, geometric_means(self.tilts))


def geometric_means(tilts: Sequence[Fraction]) -> list[Fraction]:
    """Of each pair, for both of its actions; the tilts are squares."""
    pairs = (tilts[i : i + 2] for i in range(0, len(tilts), 2))
    return [Fraction(isqrt(int(prod(pair)))) for pair in pairs for _ in (0, 1)]


def weighted_sft(case: Tied) -> list[Fraction]:
    """The library's fit."""
    return weighted_sft_policy_exact(case.reference, case.tilts, blocks=case.blocks)


def is_realisable(case: Tied) -> bool:
    """Whether each pair has one reward."""
    return all(first == second for first, second in case.roots)


def averaged_sft(case: Tied) -> list[Fraction]:
    """Weighted SFT on rewards that are first averaged over tied actions."""
    return weighted_sft_policy_exact(
        case.reference, geometric_means(case.tilts), blocks=case.blocks
    )


UNEVEN = Tied(HALVES, ((3, 1), (1, 1)))


@claim(
    "staleness.tilting.weighted_sft_realisable",
    statement=r"\arg\min_{\pi \in \Pi} KL(\pi^* \| \pi) = \arg\max_{\pi \in \Pi}"
    r" E_\pi R - \beta KL(\pi \| \pi_{ref}) \quad \text{if}\ \pi^* \in \Pi",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={REALISABLE: is_realisable},
    teeth={
        "SFT without weights": lambda case: case.reference,
        "twice the temperature": lambda case: tilted_policy_exact(
            case.reference, [Fraction(root) for pair in case.roots for root in pair]
        ),
    },
    breaks={
        REALISABLE: Counterexample(
            UNEVEN, "The mean of exp(R/beta) exceeds exp of the mean: Jensen's inequality."
        )
    },
)
def weighted_sft_reaches_the_optimum(
    case: Tied, fit: Callable[[Tied], list[Fraction]] = weighted_sft
) -> Sides:
    """Weighted SFT finds the optimum of KL-regularised RL if the class can represent it.

    The class ties the actions of each pair.
    """
    return Sides(fit(case), case.regularised_optimum())


@claim(
    "staleness.tilting.weighted_sft_is_rl",
    statement=r"\arg\min_{\pi \in \Pi} KL(\pi^* \| \pi) = \arg\max_{\pi \in \Pi}"
    r" E_\pi R - \beta KL(\pi \| \pi_{ref})\ \text{for every class}\ \Pi",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={},
    repairs={"rewards first averaged over tied actions": averaged_sft},
    declared=Verdict.REFUTED,
    repaired_by="staleness.tilting.weighted_sft_realisable",
)
def weighted_sft_is_called_regularised_rl(
    case: Tied, fit: Callable[[Tied], list[Fraction]] = weighted_sft
) -> Sides:
    """Exponentially weighted SFT solves KL-regularised RL.

    False if the tilted policy is out of reach: SFT then favours tied actions of uneven reward.
    """
    return Sides(fit(case), case.regularised_optimum())
