"""Claims about float routes: each agrees with its exact twin to twelve digits, on its safe side."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from rolltheory.claims import (
    DOWN,
    UP,
    Call,
    Computed,
    Relation,
    Route,
    Routes,
    Sides,
    Source,
    Tight,
    claim,
    relative,
)
from rolltheory.staleness.ascent import error_floor, error_floor_exact
from rolltheory.staleness.cosines import fresh_gradient_cosine, fresh_gradient_cosine_exact
from rolltheory.staleness.decoupled import (
    decoupled_gradient_weight,
    decoupled_gradient_weight_exact,
)
from rolltheory.staleness.displacement import (
    expected_squared_displacement,
    expected_squared_displacement_exact,
)
from rolltheory.staleness.divergences import (
    chi_squared_exact,
    total_variation_exact,
)
from rolltheory.staleness.masks import (
    masked_mass,
    masked_mass_bound,
    masked_mass_bound_exact,
    masked_mass_exact,
    one_sided_gradient_weight,
    one_sided_gradient_weight_exact,
    two_sided_gradient_weight,
    two_sided_gradient_weight_exact,
)
from rolltheory.staleness.ratios import (
    factorise_log_ratio,
    factorise_log_ratio_exact,
    minimum_prefix_log_ratio,
    minimum_prefix_log_ratio_exact,
)
from rolltheory.staleness.selection import (
    accepted_mean,
    accepted_mean_exact,
    lower_tail_agreement,
    lower_tail_agreement_exact,
    lower_tail_range,
    lower_tail_range_exact,
    selection_bias,
    selection_bias_exact,
)
from rolltheory.staleness.shaping import shaping_gradient_factor, shaping_gradient_factor_exact
from rolltheory.staleness.softmax import softmax_distances
from rolltheory.staleness.stability import sync_multiplier, sync_multiplier_exact
from rolltheory.staleness.tilting import (
    tilted_policy,
    tilted_policy_exact,
    weighted_sft_policy,
    weighted_sft_policy_exact,
)
from rolltheory.staleness.variance import (
    gradient_variance,
    gradient_variance_exact,
    policy_baseline,
    policy_baseline_exact,
)
from rolltheory.staleness.weights import (
    effective_sample_floor,
    effective_sample_floor_exact,
    effective_sample_fraction,
    effective_sample_fraction_exact,
    sequence_effective_sample_fraction,
    sequence_effective_sample_fraction_exact,
    truncated_excess_bound,
    truncated_excess_bound_exact,
    truncation_bias,
    truncation_bias_exact,
)

__all__ = [
    "POLICIES",
    "SCALARS",
    "TOKENS",
    "float_policies_are_accurate",
    "float_scalars_are_accurate",
    "float_tokens_are_accurate",
]

# no ratio of small whole numbers is near these
CLIP = {"clip_low": Fraction(29, 64), "clip_high": Fraction(151, 64)}
CAP = Fraction(2)
NEAR = relative(Fraction(1, 10**12))


def logs(row: Sequence[Fraction]) -> list[float]:
    """Logarithms of positive rationals."""
    return [math.log(x) for x in row]


def floats(row: Sequence[Fraction]) -> list[float]:
    """Rationals as floats."""
    return [float(x) for x in row]


# of a learner's policy, a sampler's, and one value per action
POLICIES = Routes(
    NEAR,
    total_variation=Route(
        lambda p, q, _: softmax_distances(logs(p), logs(q)).l1 / 2,
        lambda p, q, _: total_variation_exact(p, q),
    ),
    chi_squared=Route(
        lambda p, q, _: softmax_distances(logs(p), logs(q)).chi_squared,
        lambda p, q, _: chi_squared_exact(p, q),
    ),
    truncation_bias=Route(
        lambda p, q, f: truncation_bias(logs(p), logs(q), floats(f), cap=float(CAP)),
        lambda p, q, f: truncation_bias_exact(p, q, f, cap=CAP),
    ),
    masked_mass=Route(
        lambda p, q, _: masked_mass(logs(p), logs(q), **_floated(CLIP)),
        lambda p, q, _: masked_mass_exact(p, q, **CLIP),
    ),
    effective_sample_fraction=Route(
        lambda p, *_: effective_sample_fraction(logs(p)),
        lambda p, *_: effective_sample_fraction_exact(p),
    ),
    gradient_variance=Route(
        lambda p, q, f: gradient_variance(logs(p), logs(q), floats(f), 0.5),
        lambda p, q, f: gradient_variance_exact(p, q, f, Fraction(1, 2)),
    ),
    policy_baseline=Route(
        lambda p, q, f: policy_baseline(logs(p), logs(q), floats(f)),
        lambda p, q, f: policy_baseline_exact(p, q, f),
    ),
    tilted_policy=Route(
        lambda p, q, _: np.exp(tilted_policy(logs(p), 2.0 * np.array(logs(q)), temperature=2.0)),
        lambda p, q, _: tilted_policy_exact(p, q),
    ),
    weighted_sft_policy=Route(
        lambda p, q, _: np.exp(
            weighted_sft_policy(logs(p), logs(q), temperature=1.0, blocks=[0] * (len(p) - 1) + [1])
        ),
        lambda p, q, _: weighted_sft_policy_exact(p, q, blocks=[0] * (len(p) - 1) + [1]),
    ),
    accepted_mean=Route(
        lambda p, q, f: accepted_mean(floats(p), floats(q), floats(f)),
        accepted_mean_exact,
    ),
    selection_bias=Route(
        lambda p, q, f: selection_bias(floats(p), floats(q), floats(f)),
        selection_bias_exact,
    ),
)
# of two numbers within (0, 1] and a whole number
SCALARS = Routes(
    NEAR,
    effective_sample_floor=Route(
        lambda x, y, _: effective_sample_floor(float(x), float(x + y)),
        lambda x, y, _: effective_sample_floor_exact(x, x + y),
        DOWN,
    ),
    sequence_effective_sample_fraction=Route(
        lambda x, _, n: sequence_effective_sample_fraction(float(x), n),
        lambda x, _, n: sequence_effective_sample_fraction_exact(x, n),
    ),
    truncated_excess_bound=Route(
        lambda x, y, _: truncated_excess_bound(float(x), cap=float(1 + y)),
        lambda x, y, _: truncated_excess_bound_exact(x, cap=Fraction(float(1 + y))),
        UP,
    ),
    masked_mass_bound=Route(
        lambda x, y, n: masked_mass_bound(float(x), clip_low=float(y / 2), clip_high=n),
        lambda x, y, n: masked_mass_bound_exact(x, clip_low=y / 2, clip_high=Fraction(n)),
        UP,
    ),
    shaping_gradient_factor=Route(
        lambda x, y, _: shaping_gradient_factor(float(x), gamma=float(y)),
        lambda x, y, _: shaping_gradient_factor_exact(x, gamma=y),
    ),
    fresh_gradient_cosine=Route(
        lambda x, _, n: fresh_gradient_cosine(float(n * x)),
        lambda x, _, n: fresh_gradient_cosine_exact(n * x),
    ),
    error_floor=Route(
        lambda x, y, n: error_floor(float(x), float(y), n, float(x), 1.0),
        lambda x, y, n: error_floor_exact(x, y, n, x),
        UP,
    ),
    sync_multiplier=Route(
        lambda x, y, n: sync_multiplier(float(x), n, behaviour_share=float(y)),
        lambda x, y, n: sync_multiplier_exact(x, n, y),
    ),
    expected_squared_displacement=Route(
        lambda x, y, n: expected_squared_displacement(n, float(x), float(y)),
        lambda x, y, n: expected_squared_displacement_exact(n, x, y),
    ),
    lower_tail_range=Route(
        lambda x, *_: lower_tail_range(float(x), quantile=0.25),
        lambda x, *_: lower_tail_range_exact(x, quantile=Fraction(1, 4)),
        (DOWN, UP),
    ),
)
# of ratios of a few tokens, all positive, and a sign
TOKENS = Routes(
    NEAR,
    one_sided_gradient_weight=Route(
        lambda r, sign: one_sided_gradient_weight(logs(r), float(sign), **_floated(CLIP)),
        lambda r, sign: [one_sided_gradient_weight_exact(x, sign, **CLIP) for x in r],
    ),
    two_sided_gradient_weight=Route(
        lambda r, sign: two_sided_gradient_weight(logs(r), float(sign), **_floated(CLIP)),
        lambda r, sign: [two_sided_gradient_weight_exact(x, sign, **CLIP) for x in r],
    ),
    decoupled_gradient_weight=Route(
        lambda r, sign: decoupled_gradient_weight(
            _small(r, 0), _small(r, 1), _small(r, 2), float(sign), **_floated(CLIP)
        ),
        lambda r, sign: [
            decoupled_gradient_weight_exact(x, y, z, sign, **CLIP)
            for x, y, z in zip(r, r[1:] + r[:1], r[2:] + r[:2], strict=True)
        ],
    ),
    minimum_prefix_log_ratio=Route(
        lambda r, _: minimum_prefix_log_ratio(floats(r)),
        lambda r, _: minimum_prefix_log_ratio_exact(r),
    ),
    factorise_log_ratio=Route(
        lambda r, _: factorise_log_ratio(
            *([-x for x in floats(r)[i:] + floats(r)[:i]] for i in (0, 1, 2))
        ),
        lambda r, _: factorise_log_ratio_exact(*([-x for x in r[i:] + r[:i]] for i in (0, 1, 2))),
    ),
    lower_tail_agreement=Route(
        lambda r, _: lower_tail_agreement([float(x / 64) for x in r], quantile=0.5),
        lambda r, _: lower_tail_agreement_exact([x / 64 for x in r], quantile=Fraction(1, 2)),
    ),
)


def _floated(limits: Mapping[str, Fraction]) -> dict[str, Any]:
    return {name: float(value) for name, value in limits.items()}


def _small(ratios: Sequence[Fraction], shift: int) -> list[float]:
    """Logarithms of the ratios from a place on, as if they were probabilities."""
    return [math.log(x / 64) for x in (*ratios[shift:], *ratios[:shift])]


STATEMENT = (
    r"|\hat x - x| \le 10^{-12} \max(1, |x|), \quad \hat x \text{ in floats}, \quad"
    r" \hat x \ge x \text{ for upper bounds}, \ \hat x \le x \text{ for lower bounds}"
)
THIRD = Fraction(1, 3)


@claim(
    "staleness.routes.policies",
    statement=STATEMENT,
    relation=Relation.AT_MOST,
    source=Source.known("floating-point arithmetic"),
    assumes={},
    teeth=POLICIES.off_by_a_tenth() | POLICIES.rounded_the_wrong_way(),
    tight=Tight(Call("chi_squared", ((THIRD, 1 - THIRD), (1 - THIRD, THIRD), (1, 0))), 1e-6),
)
def float_policies_are_accurate(case: Call, computed: Computed = POLICIES.computed) -> Sides:
    """The float routes of what two policies and values per action give agree with the exact ones.

    Divergences, truncation, masks, variances, tilted policies and selection; each has a tooth.
    """
    return POLICIES.judged(case, computed)


@claim(
    "staleness.routes.scalars",
    statement=STATEMENT,
    relation=Relation.AT_MOST,
    source=Source.known("floating-point arithmetic"),
    assumes={},
    teeth=SCALARS.off_by_a_tenth() | SCALARS.rounded_the_wrong_way(),
    tight=Tight(Call("effective_sample_floor", (THIRD, THIRD, 1)), 1e-6),
)
def float_scalars_are_accurate(case: Call, computed: Computed = SCALARS.computed) -> Sides:
    """The float routes of bounds and rates of a few numbers agree with the exact ones."""
    return SCALARS.judged(case, computed)


@claim(
    "staleness.routes.tokens",
    statement=STATEMENT,
    relation=Relation.AT_MOST,
    source=Source.known("floating-point arithmetic"),
    assumes={},
    teeth=TOKENS.off_by_a_tenth() | TOKENS.rounded_the_wrong_way(),
    tight=Tight(Call("one_sided_gradient_weight", ((Fraction(7, 3),) * 3, 1)), 1e-6),
)
def float_tokens_are_accurate(case: Call, computed: Computed = TOKENS.computed) -> Sides:
    """The float routes of what the ratios of a response's tokens give agree with the exact ones."""
    return TOKENS.judged(case, computed)
