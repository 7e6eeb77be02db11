"""What clipping does not do: false claims about the clipped map."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from rolltheory.claims import Relation, Sides, Source, Unbroken, Verdict, claim
from rolltheory.staleness.claims.bias import BOUNDS, clipped_bound
from rolltheory.staleness.claims.exact_numbers import length
from rolltheory.staleness.claims.prompts import Prompt, gradient

__all__ = [
    "Anchored",
    "clipped_map_is_lipschitz",
    "one_sided_clipping_bounds_the_second_moment",
]


@dataclass(frozen=True)
class Anchored:
    """A clipped prompt, and a second behaviour policy close to its own."""

    prompt: Prompt
    other: tuple[Any, ...]


def _anchored_at_the_learner(case: Anchored) -> tuple[Any, ...]:
    return case.prompt.policy


@claim(
    "staleness.clipped_map_is_lipschitz",
    statement=r"|H_{\mathrm{clip}}(\theta, \phi) - H_{\mathrm{clip}}(\theta, \phi')|"
    r" \le \sqrt 2\, \sqrt{n-1}\, (n - 1 + K_\epsilon)\, |\pi_\phi - \pi_{\phi'}|_1",
    relation=Relation.AT_MOST,
    source=Source.derived(BOUNDS),
    assumes={},
    repairs={"the second behaviour policy is the learner": _anchored_at_the_learner},
    declared=Verdict.REFUTED,
    repaired_by="staleness.bias.clipped",
)
def clipped_map_is_lipschitz(
    case: Anchored, anchor: Callable[[Anchored], tuple[Any, ...]] = lambda case: case.other
) -> Sides:
    """The clipped map is smooth in the behaviour policy.

    False with finitely many actions: it jumps where a ratio crosses the band. What holds is the
    bound anchored at fresh data. With p_theta = 1/2, n = 2 and a band of 20 %, the gradient is
    (0.25, -0.25) for p_phi just above 0.41667 and (0.10415, -0.10415) just below.
    """
    second = anchor(case)
    pairs = zip(
        gradient(case.prompt), gradient(replace(case.prompt, behaviour=second)), strict=True
    )
    distance = replace(case.prompt, policy=second)
    return Sides(length([first - other for first, other in pairs]), clipped_bound(distance))


NEGATIVE = "advantages are negative"


@claim(
    "staleness.clip_bounds_second_moment",
    statement=r"A < 0 \implies \mathbb{E}_\phi\, (r\, m)^2 \le (1 + \epsilon_h)^2,"
    r" \quad m \text{ the one-sided mask}",
    relation=Relation.AT_MOST,
    source=Source.derived(BOUNDS),
    assumes={NEGATIVE: lambda case: max(case.rewards) <= 0},
    repairs={"two-sided mask": "two_sided"},
    breaks={NEGATIVE: Unbroken("positive advantages lose the ratios above the band")},
    declared=Verdict.REFUTED,
    repaired_by="staleness.bias.clipped",
)
def one_sided_clipping_bounds_the_second_moment(case: Prompt, rule: str = "one_sided") -> Sides:
    """Clipping bounds the weights of samples, and with them the variance.

    False for negative advantages, whose large ratios PPO keeps: an action with probability 1e-4
    under the behaviour policy and 1/2 under the learner has ratio 5000 and second moment 2500. The
    bias stays within its bound all the same; a bound on the bias says nothing about the variance.
    """
    low, high = case.clip or (Fraction(1), Fraction(1))
    moment = Fraction(0)
    for p, q in zip(case.policy, case.behaviour, strict=True):
        outside = p / q < 1 - low or (rule == "two_sided" and p / q > 1 + high)
        moment += 0 if outside else p * p / q
    return Sides(moment, (1 + high) ** 2)
