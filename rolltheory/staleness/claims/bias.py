"""Claims that bound the bias of stale gradients."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from rolltheory.claims import (
    Counterexample,
    Relation,
    Sides,
    Source,
    Tight,
    Tooth,
    Unbroken,
    Verdict,
    claim,
)
from rolltheory.staleness.bias import bias_bound, binary_bias_bound
from rolltheory.staleness.claims.exact_numbers import length, number, precision, rational, scaled
from rolltheory.staleness.claims.prompt_weight import PAGE
from rolltheory.staleness.claims.prompt_weight import Weight as _Weight
from rolltheory.staleness.claims.prompts import (
    Prompt,
    bias,
    displacement,
    l1_distance,
    slope_of_success,
)
from rolltheory.staleness.claims.surrogate import (
    BINARY_REWARDS,
    EXACT_RATIO,
    NORMALISED,
    UNCLIPPED,
    is_binary,
    is_exact,
    is_normalised,
    is_unclipped,
)
from rolltheory.staleness.prompt_weight import prompt_weight_slope_bound

__all__ = [
    "between_rewards",
    "bias_is_its_bound",
    "bias_is_within_the_binary_bound",
    "bias_is_within_the_clipped_bound",
    "bias_is_within_the_exact_ratio_bound",
    "bias_is_within_the_no_ratio_bound",
    "bias_is_within_the_success_bound",
    "far_outlier",
    "just_outside_the_band",
    "rare_best_or_worst",
]

_WHOLE = Fraction(1)
BOUNDS = f"{PAGE}#bias-bounds"
Bound = Callable[[Prompt], Any]
_CONSTANT_IS_LOOSE = Unbroken("no case is known: the constant is loose by more than this costs")
_ADVANTAGES = Unbroken(
    "other advantages need their own largest value; mean-only ones have no bias without clipping"
)


def exact_ratio_bound(case: Prompt, share: Fraction = _WHOLE) -> Fraction:
    """What the library answers for the exact ratio without clipping, times a share.

    >>> half = (Fraction(1, 2), Fraction(1, 2))
    >>> exact_ratio_bound(Prompt(half, half, (1, 0), 2))
    Fraction(0, 1)
    """
    distance = float(l1_distance(case))
    return share * rational(bias_bound(distance, case.group_size, variant="exact_ratio"))


def clipped_bound(case: Prompt, share: Fraction = _WHOLE) -> Fraction:
    """What the library answers for a clipped ratio, times a share.

    >>> clipped_bound(just_outside_the_band(Fraction(1, 10))) < 2
    True
    """
    low, high = (float(part) for part in case.clip or ())
    distance, n = float(l1_distance(case)), case.group_size
    return share * rational(bias_bound(distance, n, variant="clipped", clip=(low, high)))


def no_ratio_bound(case: Prompt, share: Fraction = _WHOLE) -> Fraction:
    """What the library answers without a ratio, times a share.

    >>> half = (Fraction(1, 2), Fraction(1, 2))
    >>> no_ratio_bound(Prompt(half, half, (1, 0), 2))
    Fraction(0, 1)
    """
    distance = float(l1_distance(case))
    return share * rational(bias_bound(distance, case.group_size, variant="no_ratio"))


def binary_bound(case: Prompt, group_size: int | None = None) -> Any:
    """What the library answers for binary rewards at the least displacement of the logits.

    >>> third = Fraction(1, 3)
    >>> binary_bound(Prompt((third, 1 - third), (1 - third, third), (1, 0), 3))
    Enclosure(low=Fraction(0, 1), high=Fraction(0, 1))
    """
    constant = rational(binary_bias_bound(1.0, group_size or case.group_size))
    return scaled(displacement(case), constant)


def between_rewards(moved: Fraction, group_size: int = 2) -> Prompt:
    """Two likely actions, and a rare one whose reward moves from between theirs to above them.

    >>> l1_distance(between_rewards(Fraction(1, 10)))
    Fraction(99, 500)
    """
    rest, trace = (1 - moved) / 2, moved / 100
    likely = (rest - trace / 2, rest - trace / 2)
    return Prompt((*likely, moved, trace), (*likely, trace, moved), (0, 2, 1, 3), group_size)


def far_outlier(moved: Fraction, group_size: int) -> Prompt:
    """Two likely actions of nearly equal reward, and a rare huge one that the behaviour draws.

    >>> far_outlier(Fraction(1, 10), 4).rewards
    (0, 1, 1000)
    """
    trace = moved / 100
    learner, behaviour = (((1 - rare) / 2, (1 - rare) / 2, rare) for rare in (trace, moved))
    return Prompt(learner, behaviour, (0, 1, 1000), group_size)


@claim(
    "staleness.bias.exact_ratio",
    statement=r"|H(\theta, \phi) - H(\theta, \theta)| \le \sqrt 2\, \sqrt{n-1}\, (n - 1)\, d_1,"
    r" \quad d_1 = |\pi_\theta - \pi_\phi|_1 \le |\theta - \phi| / \sqrt 2",
    relation=Relation.AT_MOST,
    source=Source.derived(BOUNDS),
    assumes={EXACT_RATIO: is_exact, UNCLIPPED: is_unclipped, NORMALISED: is_normalised},
    teeth={
        "a fifth of the constant": lambda case: exact_ratio_bound(case, Fraction(1, 5)),
        "the bound for binary rewards": binary_bound,
        "growth with the group ignored": lambda case: (
            exact_ratio_bound(case) / (case.group_size - 1)
        ),
    },
    breaks={
        EXACT_RATIO: _CONSTANT_IS_LOOSE,
        UNCLIPPED: Counterexample(
            Prompt(
                (Fraction(1, 2), Fraction(1, 2)),
                (Fraction(12, 25), Fraction(13, 25)),
                (1, 0),
                2,
                clip=(Fraction(1, 40), Fraction(1, 40)),
            ),
            "A narrow band removes the whole gradient at a small distance.",
        ),
        NORMALISED: _ADVANTAGES,
    },
    tight=Tight(between_rewards(Fraction(1, 10**4)), at_least=Fraction(249, 1000)),
)
def bias_is_within_the_exact_ratio_bound(case: Prompt, bound: Bound = exact_ratio_bound) -> Sides:
    """With the exact ratio, each other response of the group contributes one policy distance."""
    return Sides(length(bias(case)), bound(case))


def just_outside_the_band(half_width: Fraction) -> Prompt:
    """Two actions whose ratios are both clipped, at the least possible distance.

    >>> case = just_outside_the_band(Fraction(1, 10))
    >>> case.policy[0] / case.behaviour[0] > 1 + case.clip[1]
    True
    """
    half = Fraction(1, 2)
    q = half - half_width / 2 - Fraction(6, 10) * half_width**2
    return Prompt((half, half), (q, 1 - q), (1, 0), 2, clip=(half_width, half_width))


@claim(
    "staleness.bias.clipped",
    statement=r"|H_{\mathrm{clip}}(\theta, \phi) - H(\theta, \theta)|"
    r" \le \sqrt 2\, \sqrt{n-1}\, (n - 1 + K_\epsilon)\, d_1",
    relation=Relation.AT_MOST,
    source=Source.derived(BOUNDS),
    assumes={
        EXACT_RATIO: is_exact,
        "ratios are clipped, one-sided or two-sided": lambda case: case.clip is not None,
        NORMALISED: is_normalised,
    },
    teeth={
        "a fifth of the constant": lambda case: clipped_bound(case, Fraction(1, 5)),
        "clipping ignored": exact_ratio_bound,
    },
    breaks={
        EXACT_RATIO: _CONSTANT_IS_LOOSE,
        "ratios are clipped, one-sided or two-sided": Unbroken(
            "without clipping the smaller bound staleness.bias.exact_ratio holds"
        ),
        NORMALISED: _ADVANTAGES,
    },
    tight=Tight(just_outside_the_band(Fraction(1, 1000)), at_least=Fraction(249, 1000)),
)
def bias_is_within_the_clipped_bound(case: Prompt, bound: Bound = clipped_bound) -> Sides:
    """Clipping adds at most the mass that the learner gives to clipped samples.

    It bounds the distance to the gradient on fresh data, not between two behaviour policies: see
    staleness.clipped_map_is_lipschitz.
    """
    return Sides(length(bias(case)), bound(case))


def rare_best_or_worst(rare: Fraction) -> Prompt:
    """A rare action: the best one for the learner, the worst one for the behaviour policy.

    >>> rare_best_or_worst(Fraction(1, 100)).rewards
    (0, 1, 2)
    """
    trace = rare / 1000
    middle = 1 - rare - trace
    return Prompt((trace, middle, rare), (rare, middle, trace), (0, 1, 2), 2, ratio="none")


@claim(
    "staleness.bias.no_ratio",
    statement=r"\rho := 1 \implies |H(\theta, \phi) - H(\theta, \theta)|"
    r" \le \sqrt 2\, \sqrt{n-1}\, n\, d_1",
    relation=Relation.AT_MOST,
    source=Source.derived(BOUNDS),
    assumes={
        "no ratio is used": lambda case: case.ratio == "none",
        NORMALISED: is_normalised,
    },
    teeth={
        "two fifths of the constant": lambda case: no_ratio_bound(case, Fraction(2, 5)),
        "one total variation": lambda case: no_ratio_bound(case) / (2 * case.group_size),
        "the bound for binary rewards": binary_bound,
    },
    breaks={
        "no ratio is used": Unbroken("the bound with the exact ratio is smaller"),
        NORMALISED: _ADVANTAGES,
    },
    tight=Tight(rare_best_or_worst(Fraction(1, 1000)), at_least=Fraction(43, 100)),
)
def bias_is_within_the_no_ratio_bound(case: Prompt, bound: Bound = no_ratio_bound) -> Sides:
    """Stale data taken for fresh: every response of the group contributes one policy distance.

    The best ratio known is sqrt(3) / (2 n).
    """
    return Sides(length(bias(case)), bound(case))


def success_bound(case: Prompt, slope: Callable[[int], Any] = prompt_weight_slope_bound) -> Any:
    """The bound from the success probabilities, with a bound on the slope of the weight.

    >>> third = Fraction(1, 3)
    >>> float(success_bound(Prompt((third, 1 - third), (1 - third, third), (1, 0), 3)).high)
    0.0
    """
    moved = abs(case.success(case.behaviour) - case.success(case.policy))
    return scaled(length(slope_of_success(case)), moved * rational(slope(case.group_size)))


_BINARY = {
    BINARY_REWARDS: is_binary,
    EXACT_RATIO: is_exact,
    UNCLIPPED: is_unclipped,
    NORMALISED: is_normalised,
}
_TWO = Prompt(
    (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)),
    (Fraction(1, 5), Fraction(3, 5), Fraction(1, 5)),
    (1, 0, 0),
    2,
)
_BINARY_BREAKS: dict[str, Counterexample | Unbroken] = {
    BINARY_REWARDS: Counterexample(replace(_TWO, rewards=(2, 1, 0)), "The bound is 0 for n = 2."),
    EXACT_RATIO: Counterexample(replace(_TWO, ratio="none"), "The bound is 0 for n = 2."),
    UNCLIPPED: Counterexample(
        replace(_TWO, clip=(Fraction(1, 5), Fraction(1, 5))), "The bound is 0 for n = 2."
    ),
    NORMALISED: Unbroken("mean-only advantages have no bias"),
}


@claim(
    "staleness.bias.binary_success",
    statement=r"|H(\theta, \phi) - H(\theta, \theta)|"
    r" \le L_w(n)\, |p_\phi - p_\theta|\, |\nabla p_\theta|, \quad R \in \{0, 1\}",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#binary-rewards"),
    assumes=_BINARY,
    teeth={
        "a tenth smaller": lambda case: success_bound(
            case, lambda n: 0.9 * prompt_weight_slope_bound(n)
        ),
        "n - 1 for n": lambda case: success_bound(case, lambda n: prompt_weight_slope_bound(n - 1)),
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    breaks=_BINARY_BREAKS,
    tight=Tight(
        Prompt(
            (Fraction(1, 10**6), 1 - Fraction(1, 10**6)),
            (Fraction(2, 10**6), 1 - Fraction(2, 10**6)),
            (1, 0),
            4,
        ),
        at_least=Fraction(999, 1000),
    ),
)
def bias_is_within_the_success_bound(case: Prompt, bound: Bound = success_bound) -> Sides:
    """With binary rewards, the bias is at most the slope of the weight times two small factors."""
    return Sides(length(bias(case)), bound(case))


@claim(
    "staleness.bias.binary",
    statement=r"|H(\theta, \phi) - H(\theta, \theta)| \le \frac{L_w(n)}{8}\, |\theta - \phi|"
    r" \le \frac{L_w(n)}{8}\, S \eta G, \quad R \in \{0, 1\}",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#binary-rewards"),
    assumes=_BINARY,
    teeth={
        "three tenths of the constant": lambda case: scaled(binary_bound(case), Fraction(3, 10)),
        "n - 1 for n": lambda case: binary_bound(case, case.group_size - 1),
    },
    breaks=_BINARY_BREAKS,
    tight=Tight(
        Prompt(
            (Fraction(372, 1000), Fraction(628, 1000)),
            (Fraction(144, 1000), Fraction(856, 1000)),
            (1, 0),
            4,
        ),
        at_least=Fraction(327, 1000),
    ),
)
def bias_is_within_the_binary_bound(case: Prompt, bound: Bound = binary_bound) -> Sides:
    """With binary rewards, the bias is at most proportional to the displacement of the logits."""
    return Sides(length(bias(case)), bound(case))


def closed_form_size(case: Prompt) -> Any:
    """The size of the bias that the prompt weight predicts.

    >>> third = Fraction(1, 3)
    >>> size = closed_form_size(Prompt((third, 1 - third), (1 - third, third), (1, 0), 2))
    >>> float(size.high) < 1e-20
    True
    """
    with precision("ball"):
        stale, fresh = (
            _Weight(case.success(policy), case.group_size).bernstein()
            for policy in (case.behaviour, case.policy)
        )
        slope = slope_of_success(case)
        return length([(stale - fresh) * number(part, "ball") for part in slope])


@claim(
    "staleness.bias.is_its_bound",
    statement=r"|H(\theta, \phi) - H(\theta, \theta)| = C\, |\theta - \phi|",
    relation=Relation.EQUAL,
    source=Source.derived(BOUNDS),
    assumes=_BINARY,
    repairs={"the difference of the exact weights": closed_form_size},
    breaks=dict.fromkeys(_BINARY, Unbroken("the statement is false within its assumptions")),
    declared=Verdict.REFUTED,
    repaired_by="staleness.binary_closed_form",
)
def bias_is_its_bound(case: Prompt, size: Bound = binary_bound) -> Sides:
    """The bound on the bias predicts the bias.

    False by a large factor: constants are worst cases. They certify; the exact map predicts.
    """
    return Sides(length(bias(case)), size(case))
