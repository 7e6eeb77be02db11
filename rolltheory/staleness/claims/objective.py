"""Claims about what the surrogate-gradient map ascends, if anything."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rolltheory.claims import Counterexample, Relation, Sides, Source, Verdict, claim
from rolltheory.staleness.claims.exact_numbers import deviation, precision
from rolltheory.staleness.claims.prompt_weight import PAGE
from rolltheory.staleness.claims.prompts import Prompt, behaviour_gradient, gradient, jacobian
from rolltheory.staleness.claims.surrogate import (
    CENTRED,
    NO_RATIO,
    NORMALISED,
    SKEWED,
    Vector,
    is_normalised,
)

__all__ = [
    "group_normalised_map_has_a_potential",
    "learner_ascends_the_total_derivative",
    "signed_product",
    "three_levels_have_curl",
    "total_derivative_is_zero",
]

FRESH = "the learner sampled the data itself"


def _sum(first: Vector, second: Vector, sign: int = 1) -> Vector:
    return tuple(a + sign * b for a, b in zip(first, second, strict=True))


@claim(
    "staleness.total_derivative",
    statement=r"F(\theta) = J(\theta; \theta) \implies \nabla F = H(\theta, \theta)"
    r" + \nabla_2 J(\theta; \theta) = 0",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#total-derivative"),
    assumes={
        CENTRED: lambda case: case.std != "raw",
        FRESH: lambda case: case.behaviour == case.policy,
    },
    teeth={
        "resampling ignored": lambda case: tuple(0 * part for part in behaviour_gradient(case)),
        "sign turned": lambda case: tuple(-part for part in behaviour_gradient(case)),
        "own score counted": lambda case: behaviour_gradient(case, own_share=1),
    },
    breaks={
        CENTRED: Counterexample(
            replace(SKEWED, behaviour=SKEWED.policy, std="raw", group_size=2),
            "With the rewards themselves, F is the success probability.",
        ),
        FRESH: Counterexample(replace(SKEWED, std=None), "Off policy the two do not cancel."),
    },
)
def total_derivative_is_zero(
    case: Prompt, second: Callable[[Prompt], Vector] = behaviour_gradient
) -> Sides:
    """The objective that a centred surrogate seems to define is constant.

    On fresh data the surrogate is the mean of advantages that sum to 0, whatever the policy. So the
    gradient through the resampling of the data is minus the gradient that the learner uses, and a
    finite difference that resamples measures 0.
    """
    with precision(case.kind):
        return Sides(deviation(_sum(gradient(case), second(case))), 0)


def _total(case: Prompt) -> Vector:
    with precision(case.kind):
        return _sum(gradient(case), behaviour_gradient(case))


def _first_derivative(case: Prompt) -> Vector:
    """From the value: J is the mean under the learner of an advantage that it does not move."""
    with precision(case.kind):
        policy = case.field(case.policy)
        means = [0 * p for p in policy]
        for chance, _, row in case.rests(case.field(case.behaviour)):
            means = [m + chance * size * sign for m, (sign, size) in zip(means, row, strict=True)]
        value = sum(p * m for p, m in zip(policy, means, strict=True))
        return tuple(p * (m - value) for p, m in zip(policy, means, strict=True))


@claim(
    "staleness.learner_ascends_total_derivative",
    statement=r"H(\theta, \theta) = \nabla_\theta\, J(\theta; \theta)",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#total-derivative"),
    assumes={FRESH: lambda case: case.behaviour == case.policy},
    repairs={"the gradient in the first argument": _first_derivative},
    breaks={FRESH: NO_RATIO},
    declared=Verdict.REFUTED,
    repaired_by="staleness.total_derivative",
)
def learner_ascends_the_total_derivative(
    case: Prompt, derivative: Callable[[Prompt], Vector] = _total
) -> Sides:
    """The learner follows the gradient of the objective on its own data.

    False: that gradient is 0. The learner follows the gradient in the first argument only.
    """
    with precision(case.kind):
        return Sides(deviation(_sum(gradient(case), derivative(case), -1)), 0)


def _curl(case: Prompt) -> Vector:
    with precision(case.kind):
        rows = jacobian(case)
        pairs = [(i, j) for i in range(len(rows)) for j in range(i + 1, len(rows))]
        return tuple(rows[i][j] - rows[j][i] for i, j in pairs)


def signed_product(case: Prompt) -> Any:
    """Twice the product of the three probabilities, with the sign of the order of the rewards.

    >>> third = (Fraction(1, 3),) * 3
    >>> signed_product(Prompt(third, third, (0, 1, 2), 2))
    Fraction(-2, 27)
    """
    a, b, c = case.rewards
    order = (b - a) * (c - a) * (c - b)
    product = case.policy[0] * case.policy[1] * case.policy[2]
    return 2 * product * (-1 if order > 0 else 1)


THREE_DISTINCT = "three actions have three distinct rewards"


@claim(
    "staleness.three_level_curl",
    statement=r"\frac{\partial H_1}{\partial \theta_2} - \frac{\partial H_2}{\partial \theta_1}"
    r" = \pm 2 a b c, \quad n = 2, \quad \pi = (a, b, c)",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#potential"),
    assumes={
        "n = 2": lambda case: case.group_size == 2,
        THREE_DISTINCT: lambda case: len(set(case.rewards)) == 3,
        NORMALISED: is_normalised,
    },
    teeth={
        "half of it": lambda case: signed_product(case) / 2,
        "no curl": lambda case: 0 * signed_product(case),
        "sign turned": lambda case: -signed_product(case),
    },
    breaks={
        "n = 2": Counterexample(replace(SKEWED, rewards=(0, 1, 2), group_size=3)),
        THREE_DISTINCT: Counterexample(replace(SKEWED, rewards=(0, 1, 1), group_size=2)),
        NORMALISED: Counterexample(replace(SKEWED, rewards=(0, 1, 2), group_size=2, std=None)),
    },
)
def three_levels_have_curl(
    case: Prompt, formula: Callable[[Prompt], Any] = signed_product
) -> Sides:
    """With three reward levels the normalised map turns: it is the gradient of nothing."""
    return Sides(_curl(case)[0], formula(case))


@claim(
    "staleness.gradient_field",
    statement=r"\exists\, \Phi:\ H(\theta, \theta) = \nabla \Phi(\theta)"
    r" \text{ for std-normalised advantages and any rewards}",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#potential"),
    assumes={},
    repairs={
        "mean-only advantages": lambda case: replace(case, std=None),
        "two reward levels": lambda case: replace(
            case, rewards=tuple(int(reward > 0) for reward in case.rewards)
        ),
    },
    declared=Verdict.REFUTED,
    repaired_by="staleness.prompt_weight.potential",
)
def group_normalised_map_has_a_potential(
    case: Prompt, restricted: Callable[[Prompt], Prompt] = lambda case: case
) -> Sides:
    """GRPO ascends some objective.

    False for three or more reward levels, even on policy: a gradient field has a symmetric
    Jacobian. True for mean-only advantages and for two reward levels.
    """
    return Sides(deviation(_curl(restricted(case))), 0)
