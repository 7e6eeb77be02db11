"""Claims about the surrogate-gradient map: what staleness changes, and what it leaves alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from rolltheory.claims import Counterexample, Relation, Sides, Source, claim
from rolltheory.staleness.claims.exact_numbers import deviation, enclosed, precision, rounded
from rolltheory.staleness.claims.prompt_weight import BINARY, PAGE, Weight, library_weight
from rolltheory.staleness.claims.prompts import (
    Prompt,
    bias,
    gradient,
    slope_of_success,
)

__all__ = [
    "direction_is_kept",
    "groups_of_two_and_three_have_no_bias",
    "mean_only_advantages_have_no_bias",
    "staleness_only_reweights",
    "without_ratio_ascent_is_delayed",
]

Vector = tuple[Any, ...]

CENTRED = "the advantages of a group sum to 0"
BINARY_REWARDS = "there are two distinct rewards"
NORMALISED = "advantages are divided by the group's standard deviation"
EXACT_RATIO = "samples are weighted with the exact ratio of the policies"
UNCLIPPED = "no ratio is clipped"


def is_exact(case: Prompt) -> bool:
    """Whether the ratio is the exact one.

    >>> is_exact(SKEWED)
    True
    """
    return case.ratio == "sequence"


def is_unclipped(case: Prompt) -> bool:
    """Whether there is no clipping.

    >>> is_unclipped(SKEWED)
    True
    """
    return case.clip is None


def is_binary(case: Prompt) -> bool:
    """Whether there are two distinct rewards.

    >>> is_binary(SKEWED)
    True
    """
    return len(set(case.rewards)) == 2


def is_normalised(case: Prompt) -> bool:
    """Whether advantages are divided by a standard deviation.

    >>> is_normalised(SKEWED)
    True
    """
    return case.std in ("population", "sample")


SKEWED = Prompt(
    (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)),
    (Fraction(1, 5), Fraction(3, 5), Fraction(1, 5)),
    (1, 0, 0),
    4,
)
NO_RATIO = Counterexample(replace(SKEWED, ratio="none"), "Weight 1 in place of the ratio.")
CLIPPED = Counterexample(
    replace(SKEWED, clip=(Fraction(1, 5), Fraction(1, 5))), "Ratios of 5/2 and 5/9 are clipped."
)
THREE_LEVELS = Counterexample(replace(SKEWED, rewards=(2, 1, 0)), "A third reward level.")


def _difference(first: Vector, second: Vector) -> Vector:
    return tuple(a - b for a, b in zip(first, second, strict=True))


def weight_under_behaviour(case: Prompt) -> Any:
    """The library's prompt weight at the behaviour policy's success probability.

    >>> round(float(weight_under_behaviour(SKEWED)), 6)
    1.657795
    """
    return _weight(case, case.success(case.behaviour))


def _weight(case: Prompt, success: Any, group_size: int | None = None) -> Any:
    std = case.std or "population"
    return library_weight(Weight(success, group_size or case.group_size, std))


@claim(
    "staleness.binary_closed_form",
    statement=r"H(\theta, \phi) = w_n(p_\phi)\, \nabla p_\theta, \quad R \in \{0, 1\}",
    relation=Relation.EQUAL,
    source=Source.derived(BINARY),
    assumes={
        BINARY_REWARDS: is_binary,
        NORMALISED: is_normalised,
        EXACT_RATIO: is_exact,
        UNCLIPPED: is_unclipped,
    },
    teeth={
        "n - 1 for n": lambda case: _weight(
            case, case.success(case.behaviour), case.group_size - 1
        ),
        "the learner's success probability": lambda case: _weight(case, case.success(case.policy)),
        "sample for population": lambda case: weight_under_behaviour(replace(case, std="sample")),
    },
    breaks={
        BINARY_REWARDS: THREE_LEVELS,
        NORMALISED: Counterexample(replace(SKEWED, std=None), "Mean-only advantages."),
        EXACT_RATIO: NO_RATIO,
        UNCLIPPED: CLIPPED,
    },
)
def staleness_only_reweights(
    case: Prompt, weight: Callable[[Prompt], Any] = weight_under_behaviour
) -> Sides:
    """With binary rewards, a stale behaviour policy only changes the weights of prompts.

    The sides are the entries of the first action.
    """
    with precision(case.kind):
        slope = weight(case) * slope_of_success(case)[0]
        return Sides(enclosed(gradient(case)[0]), rounded(slope))


@claim(
    "staleness.direction",
    statement=r"H(\theta, \phi) \parallel H(\theta, \theta) \quad\text{for one prompt}",
    relation=Relation.EQUAL,
    source=Source.derived(BINARY),
    assumes={BINARY_REWARDS: is_binary, EXACT_RATIO: is_exact, UNCLIPPED: is_unclipped},
    teeth={
        "no ratio": lambda case: gradient(replace(case, ratio="none")),
        "the best reward doubled for one action": lambda case: gradient(
            replace(case, rewards=(*case.rewards[:-1], 2))
        ),
    },
    breaks={BINARY_REWARDS: THREE_LEVELS, EXACT_RATIO: NO_RATIO, UNCLIPPED: CLIPPED},
)
def direction_is_kept(case: Prompt, stale: Callable[[Prompt], Vector] = gradient) -> Sides:
    """With binary rewards, staleness changes the length of a prompt's gradient, not its direction.

    The left side collects the 2 x 2 determinants of the two vectors.
    """
    with precision(case.kind):
        first, second = stale(case), gradient(case.fresh)
        size = len(first)
        return Sides(
            deviation(
                first[i] * second[j] - first[j] * second[i]
                for i in range(size)
                for j in range(i + 1, size)
            ),
            0,
        )


@claim(
    "staleness.mean_only_unbiased",
    statement=r"A_i = R_i - \bar R \implies H(\theta, \phi) = H(\theta, \theta)",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#mean-only"),
    assumes={
        "advantages are not divided": lambda case: case.std is None,
        EXACT_RATIO: is_exact,
        UNCLIPPED: is_unclipped,
    },
    teeth={
        "no ratio": lambda case: bias(replace(case, ratio="none")),
        "divided by the standard deviation": lambda case: bias(replace(case, std="population")),
        "rewards without a mean": lambda case: bias(replace(case, std="raw", ratio="none")),
    },
    breaks={
        "advantages are not divided": Counterexample(replace(SKEWED, std="population")),
        EXACT_RATIO: Counterexample(replace(SKEWED, std=None, ratio="none")),
        UNCLIPPED: Counterexample(replace(CLIPPED.case, std=None)),
    },
)
def mean_only_advantages_have_no_bias(
    case: Prompt, found: Callable[[Prompt], Vector] = bias
) -> Sides:
    """Mean-only advantages with the exact ratio have no staleness bias, whatever the rewards.

    The rest of the group shifts the advantage by the same amount for every action, and scores have
    mean 0. The bound O(S eta) is then 0; what staleness costs is variance.
    """
    return Sides(deviation(found(case)), 0)


@claim(
    "staleness.groups_of_three_unbiased",
    statement=r"n \in \{2, 3\},\ R \in \{0, 1\} \implies H(\theta, \phi) = H(\theta, \theta)",
    relation=Relation.EQUAL,
    source=Source.derived(BINARY),
    assumes={
        "n <= 3": lambda case: case.group_size <= 3,
        BINARY_REWARDS: is_binary,
        EXACT_RATIO: is_exact,
        UNCLIPPED: is_unclipped,
    },
    teeth={
        "n + 2 responses": lambda case: bias(replace(case, group_size=case.group_size + 2)),
        "no ratio": lambda case: bias(replace(case, ratio="none")),
        "a third reward": lambda case: bias(replace(case, rewards=(*case.rewards[:-1], 2))),
    },
    breaks={
        "n <= 3": Counterexample(SKEWED),
        BINARY_REWARDS: Counterexample(replace(THREE_LEVELS.case, group_size=2)),
        EXACT_RATIO: Counterexample(replace(NO_RATIO.case, group_size=2)),
        UNCLIPPED: Counterexample(replace(CLIPPED.case, group_size=2)),
    },
)
def groups_of_two_and_three_have_no_bias(
    case: Prompt, found: Callable[[Prompt], Vector] = bias
) -> Sides:
    """With binary rewards, groups of two and of three have no staleness bias.

    All their groups with any signal have the same standard deviation.
    """
    return Sides(deviation(found(case)), 0)


@claim(
    "staleness.no_ratio_is_delayed",
    statement=r"\rho := 1 \implies H(\theta, \phi) = H(\phi, \phi)",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#no-ratio"),
    assumes={
        CENTRED: lambda case: case.std != "raw",
        "no ratio is used": lambda case: case.ratio == "none",
    },
    teeth={
        "the learner's own gradient": lambda case: gradient(case.fresh),
        "the exact ratio": lambda case: gradient(replace(case, ratio="sequence")),
    },
    breaks={
        CENTRED: Counterexample(replace(NO_RATIO.case, std="raw", group_size=2)),
        "no ratio is used": Counterexample(SKEWED),
    },
)
def without_ratio_ascent_is_delayed(
    case: Prompt,
    delayed: Callable[[Prompt], Vector] = lambda case: gradient(
        replace(case, policy=case.behaviour)
    ),
) -> Sides:
    """Stale ascent without ratios is exactly delayed ascent, for logits linear in the parameters.

    Centred advantages cancel the learner's part of the scores.
    """
    with precision(case.kind):
        return Sides(deviation(_difference(gradient(case), delayed(case))), 0)
