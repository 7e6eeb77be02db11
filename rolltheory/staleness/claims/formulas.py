"""Claims about float functions of closed form: each agrees with its formula in rationals.

Where a function has a root, a logarithm or an exponential, its arguments are chosen, or its value
is turned, so that the result is rational again.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from rolltheory.claims import Relation, Sides, Source, Tight, claim
from rolltheory.staleness.advantages import (
    conditional_advantages,
    paired_advantages,
    sample_std_factor,
)
from rolltheory.staleness.anchors import clip_for_total_range, ewma_decay_for_lag
from rolltheory.staleness.ascent import best_learning_rate, horizon_for_error
from rolltheory.staleness.bias import bias_constant, largest_lag_for_bias, stale_bias_bound
from rolltheory.staleness.claims.routes import (
    CLIP,
    STATEMENT,
    THIRD,
    Call,
    Route,
    Routes,
    computed_by,
    error,
    floats,
    logs,
    off_by_a_tenth,
)
from rolltheory.staleness.clipping import clip_coefficient, clip_masks
from rolltheory.staleness.cosines import cosine_at_batch_size, snr_from_cosine
from rolltheory.staleness.decoupled import decoupled_objective, trust_region_reading
from rolltheory.staleness.displacement import (
    collapse_time_exponent,
    correlation_from_exponent,
    displacement_exponent,
    expected_squared_displacement_exact,
    rms_collapse_time,
)
from rolltheory.staleness.distillation import (
    cached_reverse_kl_bias_bound,
    fisher_information,
    forward_kl_gradient,
)
from rolltheory.staleness.divergences import k2_estimate
from rolltheory.staleness.drift import adam_update_factor, adam_update_factor_squared_exact
from rolltheory.staleness.lognormal import (
    log_variance_from_masked_mean,
    log_variance_from_truncated_mean,
    masked_lognormal_mean,
    truncated_lognormal_mean,
)
from rolltheory.staleness.masks import total_variation_allowance, two_sided_mask
from rolltheory.staleness.objective import behaviour_gradient, curl, surrogate_value
from rolltheory.staleness.prompt_weight import potential_limit
from rolltheory.staleness.radii import clip_fraction_bound, ess_floor
from rolltheory.staleness.ratios import (
    prefix_log_ratio_variance,
    prefix_mean_log_ratio_variance,
    sequence_log_ratio,
    sequence_mean_log_ratio,
    token_log_ratio,
)
from rolltheory.staleness.rule import max_lag
from rolltheory.staleness.second_moment import (
    harmful_tokens,
    second_moment_cap,
    second_moment_cap_exact,
    second_moment_clamp,
    second_moment_mask,
    second_moment_mask_exact,
)
from rolltheory.staleness.selection import accepted_sequences, selection_bias_bound
from rolltheory.staleness.shaping import shaped_probability
from rolltheory.staleness.softmax import log_policy, softmax_distances
from rolltheory.staleness.stability import max_stable_lag
from rolltheory.staleness.surrogate import (
    binary_surrogate_gradient,
    gradient_bias,
    success_gradient,
    surrogate_gradient,
)
from rolltheory.staleness.surrogate_exact import (
    surrogate_gradient_exact,
    token_surrogate_gradient_exact,
)
from rolltheory.staleness.tilting import group_weights, tilting_log_weights
from rolltheory.staleness.token_surrogate import token_gradient_bias, token_surrogate_gradient
from rolltheory.staleness.variance import minimum_variance_baseline
from rolltheory.staleness.weights import truncation_bias_bound

__all__ = [
    "POLICY_FORMULAS",
    "SCALAR_FORMULAS",
    "TOKEN_FORMULAS",
    "policy_formulas_are_computed",
    "scalar_formulas_are_computed",
    "token_formulas_are_computed",
]

HALF = Fraction(1, 2)
BUDGET = Fraction(61, 32)  # no mean of a few squares in sevenths or thirds
Row = tuple[Fraction, ...]


def dot(first: Any, second: Any) -> Fraction:
    """The sum of products."""
    return sum((Fraction(x) * y for x, y in zip(first, second, strict=True)), Fraction())


def ascending(p: Row) -> Any:
    """2 a b c with the signs of the curl for rewards 0, 1, 2."""
    size = 2 * math.prod(p)
    return [[0, -size, size], [size, 0, -size], [-size, size, 0]]


def of_pairs(q: Row, f: Row, part: Any) -> list[Fraction]:
    """The mean of a part of an action's advantage over the other member of its group of two."""
    return [dot(q, [max(part * (x - y) / 2, Fraction()) for y in f]) for x in f]


def bias_of_two(p: Row, q: Row, f: Row) -> list[Fraction]:
    """The stale less the fresh map without ratios, in rationals."""
    maps = (surrogate_gradient_exact(p, r, f, 2, ratio="none") for r in (q, p))
    return [stale - fresh for stale, fresh in zip(*maps, strict=True)]


def trees(p: Row, q: Row) -> Any:
    """Two policies over two tokens each, whose second token does not depend on the first."""
    return [[p] * (1 + len(p)), [q] * (1 + len(q))]


def token_logits(p: Row, q: Row) -> Any:
    """The logarithms of both trees."""
    return [[logs(row) for row in tree] for tree in trees(p, q)]


def token_rewards(f: Row) -> Row:
    """The reward of the first token, less that of the second."""
    return tuple(x - y / 2 for x in f for y in f)


def token_bias(p: Row, q: Row, f: Row) -> Any:
    """The stale less the fresh map with token ratios, in rationals."""
    learner, sampler = trees(p, q)
    maps = (
        token_surrogate_gradient_exact(learner, r, token_rewards(f), 2) for r in (sampler, learner)
    )
    return [[x - y for x, y in zip(*rows, strict=True)] for rows in zip(*maps, strict=True)]


def pushed(p: Row, q: Row, f: Row) -> list[Fraction]:
    """The gradient of the surrogate of a group of two in the behaviour policy's logits."""
    gains = [dot(p, [(x - y) / 2 for x in f]) for y in f]
    return [z * (gain - dot(q, gains)) for z, gain in zip(q, gains, strict=True)]


# of a learner's policy, a sampler's, and one value per action
POLICY_FORMULAS: Routes = {
    "log_policy": (
        lambda p, *_: np.exp(log_policy("logits", logs([7 * x for x in p]))),
        lambda p, *_: p,
    ),
    "softmax_distances": (
        lambda p, q, _: [
            softmax_distances(logs(p), logs(q)).l1,
            softmax_distances(logs(p), logs(q)).chi_squared,
        ],
        lambda p, q, _: [
            sum(abs(x - y) for x, y in zip(p, q, strict=True)),
            sum(x * x / y for x, y in zip(p, q, strict=True)) - 1,
        ],
    ),
    "fisher_information": (
        lambda p, *_: fisher_information(logs(p)),
        lambda p, *_: [[(i == j) * x - x * y for j, y in enumerate(p)] for i, x in enumerate(p)],
    ),
    "forward_kl_gradient": (
        lambda p, q, _: forward_kl_gradient(logs(p), logs(q)),
        lambda p, q, _: [x - y for x, y in zip(p, q, strict=True)],
    ),
    "success_gradient": (
        lambda p, _, f: success_gradient(logs(p), [x >= HALF for x in f]),
        lambda p, _, f: [
            x * ((y >= HALF) - dot(p, [z >= HALF for z in f])) for x, y in zip(p, f, strict=True)
        ],
    ),
    "binary_surrogate_gradient": (
        lambda p, q, f: binary_surrogate_gradient(logs(p), logs(q), [x >= HALF for x in f], 2),
        lambda p, _, f: [
            x * ((y >= HALF) - dot(p, [z >= HALF for z in f])) for x, y in zip(p, f, strict=True)
        ],
    ),
    "tilting_log_weights": (
        lambda p, q, _: np.exp(tilting_log_weights(logs(p), logs(q), temperature=1.0)),
        lambda p, q, _: [y / dot(p, q) for y in q],
    ),
    "group_weights": (
        lambda p, *_: group_weights(logs(p), temperature=1.0),
        lambda p, *_: [len(p) * x for x in p],
    ),
    "minimum_variance_baseline": (
        lambda p, q, f: minimum_variance_baseline(logs(p), floats(q), floats(f)),
        lambda p, q, f: (
            dot([(x * y) ** 2 for x, y in zip(p, q, strict=True)], f)
            / sum((x * y) ** 2 for x, y in zip(p, q, strict=True))
        ),
    ),
    "conditional_advantages": (
        lambda p, _, f: list(conditional_advantages(floats(p), floats(f), 2, std=None)),
        lambda p, _, f: [of_pairs(p, f, sign) for sign in (1, -1)],
    ),
    "paired_advantages": (
        lambda p, _, f: paired_advantages(floats(p), floats(f), 2, std=None),
        lambda _, __, f: [[(x - y) / 2 for y in f] for x in f],
    ),
    "surrogate_gradient": (
        lambda p, q, f: surrogate_gradient(logs(p), logs(q), floats(f), 3, std=None),
        lambda p, q, f: surrogate_gradient_exact(p, q, f, 3),
    ),
    "gradient_bias": (
        lambda p, q, f: gradient_bias(logs(p), logs(q), floats(f), 2, ratio="none", std=None),
        bias_of_two,
    ),
    "token_surrogate_gradient": (
        lambda p, q, f: token_surrogate_gradient(
            *token_logits(p, q), floats(token_rewards(f)), 2, std=None
        ),
        lambda p, q, f: token_surrogate_gradient_exact(*trees(p, q), token_rewards(f), 2),
    ),
    "token_gradient_bias": (
        lambda p, q, f: token_gradient_bias(
            *token_logits(p, q), floats(token_rewards(f)), 2, std=None
        ),
        token_bias,
    ),
    "surrogate_value": (
        lambda p, q, f: surrogate_value(logs(p), logs(q), floats(f), 2, std=None),
        lambda p, q, f: (dot(p, f) - dot(q, f)) / 2,
    ),
    "behaviour_gradient": (
        lambda p, q, f: behaviour_gradient(logs(p), logs(q), floats(f), 2, std=None),
        pushed,
    ),
    "curl": (
        lambda p, *_: curl(logs(p), [0, 1, 2], 2),
        lambda p, *_: ascending(p),
    ),
}


def _outside(x: Fraction, y: Fraction, n: int) -> Fraction:
    """The bound on the clipped share, where the logits move by log(1 + n x) / sqrt(2)."""
    largest = 1 + n * x
    above = max(largest / (1 + y) - 1, Fraction())
    below = max(largest - 1 / (1 - y / 2), Fraction())
    return min((above + below) / (largest - 1), Fraction(1))


def _synced(x: Fraction, n: int) -> float:
    """The largest lag where the limit is n + 1/2."""
    fall = 1 - float(x) / 4
    share = (1 + fall ** (n + 0.5)) / 2
    return float(max_stable_lag((1 - fall) / (1 - share), schedule="sync", behaviour_share=share))


# of two numbers within (0, 1] and a whole number
SCALAR_FORMULAS: Routes = {
    "snr_from_cosine": (
        lambda x, *_: snr_from_cosine(float(x / 2)),
        lambda x, *_: x / (2 - x),
    ),
    "cosine_at_batch_size": (
        lambda x, _, n: cosine_at_batch_size(float(x / 2), n),
        lambda x, _, n: n * x / (2 + (n - 1) * x),
    ),
    "total_variation_allowance": (
        lambda x, y, n: total_variation_allowance(float(x), clip_low=float(y / 2), clip_high=n),
        lambda x, y, n: min(x / (2 / y + Fraction(1, n)), Fraction(1)),
    ),
    "selection_bias_bound": (
        lambda x, y, n: selection_bias_bound(float(x), float(n * y)),
        lambda x, y, n: n * x * y,
    ),
    "truncation_bias_bound": (
        lambda x, y, n: truncation_bias_bound(float(x), float(n * y)),
        lambda x, y, n: n * x * y,
    ),
    "ewma_decay_for_lag": (
        lambda _, __, n: ewma_decay_for_lag(n),
        lambda _, __, n: Fraction(n, 1 + n),
    ),
    "cached_reverse_kl_bias_bound": (
        lambda x, *_: cached_reverse_kl_bias_bound(float(x)),
        lambda x, *_: x / 2,
    ),
    "shaped_probability": (
        lambda x, y, _: shaped_probability(float(x), gamma=float(y)),
        lambda x, y, _: x / (x + y),
    ),
    "prefix_log_ratio_variance": (
        lambda x, _, n: prefix_log_ratio_variance(float(x), n),
        lambda x, _, n: n * x,
    ),
    "prefix_mean_log_ratio_variance": (
        lambda x, _, n: prefix_mean_log_ratio_variance(float(x), n),
        lambda x, _, n: x / n,
    ),
    "clip_coefficient": (
        lambda _, y, n: clip_coefficient((float(y / 2), float(n))),
        lambda _, y, n: (Fraction(1 + n, n) + (2 - y) / y) / 2,
    ),
    "clip_for_total_range": (
        lambda x, y, n: clip_for_total_range(n, float((1 - x / 2) ** n), float((1 + y) ** n)),
        lambda x, y, _: [x / 2, y],
    ),
    "adam_update_factor": (
        lambda x, y, n: adam_update_factor(float(x / 2), float(y / 2), steps=n) ** 2,
        lambda x, y, n: adam_update_factor_squared_exact(x / 2, y / 2, n),
    ),
    "best_learning_rate": (
        lambda x, y, n: best_learning_rate(float(x**3 * n * y**2), n, float(y), 1.0),
        lambda x, *_: x,
    ),
    "horizon_for_error": (
        lambda x, y, n: horizon_for_error(
            float(x), float((n - HALF) * x * y / 2), float(y), 0.0, 1.0
        ),
        lambda _, __, n: n,
    ),
    "max_lag": (
        lambda x, y, n: max_lag(float(x), float((n + HALF) * x * y), float(y)),
        lambda _, __, n: n,
    ),
    "max_stable_lag": (lambda x, _, n: _synced(x, n), lambda _, __, n: n),
    "bias_constant": (
        lambda _, y, n: bias_constant(n + 1, variant="exact_ratio", largest_advantage=float(y)),
        lambda _, y, n: n * y,
    ),
    "stale_bias_bound": (
        lambda x, y, n: stale_bias_bound(
            n, float(x), float(y), 3, variant="exact_ratio", largest_advantage=1.0
        ),
        lambda x, y, n: 2 * n * x * y,
    ),
    "largest_lag_for_bias": (
        lambda x, y, n: largest_lag_for_bias(
            float((2 * n + 1) * x * y),
            float(x),
            float(y),
            3,
            variant="exact_ratio",
            largest_advantage=1.0,
        ),
        lambda _, __, n: n,
    ),
    "rms_collapse_time": (
        lambda x, _, n: [
            rms_collapse_time(float(x), float(x) * math.sqrt(n - 0.5), 0.0),
            rms_collapse_time(float(x), float(x) * (n - 0.5), 1.0),
        ],
        lambda _, __, n: [n, n],
    ),
    "collapse_time_exponent": (
        lambda x, _, n: 2.0 ** (-2 / collapse_time_exponent(n, float(x))),
        lambda x, _, n: (
            expected_squared_displacement_exact(2 * n, x)
            / expected_squared_displacement_exact(n, x)
        ),
    ),
    "correlation_from_exponent": (
        lambda x, _, n: correlation_from_exponent(displacement_exponent(n, float(x / 2)), n),
        lambda x, *_: x / 2,
    ),
    "ess_floor": (
        lambda x, _, n: -2 * np.log(ess_floor(float(x), n)),
        lambda x, _, n: n * x**2,
    ),
    "clip_fraction_bound": (
        lambda x, y, n: clip_fraction_bound(
            math.log(1 + n * x) / math.sqrt(2), float(y / 2), float(y)
        ),
        _outside,
    ),
    "potential_limit": (
        lambda x, *_: np.sin(potential_limit(float(x)) / 2) ** 2,
        lambda x, *_: x,
    ),
    "sample_std_factor": (
        lambda _, __, n: sample_std_factor(n + 1, "sample") ** 2,
        lambda _, __, n: Fraction(n, n + 1),
    ),
    "log_variance_from_masked_mean": (
        lambda x, _, n: log_variance_from_masked_mean(
            masked_lognormal_mean(float(1 + x), 1.0 + n), 1.0 + n
        ),
        lambda x, *_: 1 + x,
    ),
    "log_variance_from_truncated_mean": (
        lambda x, _, n: log_variance_from_truncated_mean(
            truncated_lognormal_mean(float(1 + x), 1.0 + 1 / n), 1.0 + 1 / n
        ),
        lambda x, *_: 1 + x,
    ),
}


def _clipped(ratio: Fraction) -> Fraction:
    return min(max(ratio, 1 - CLIP["clip_low"]), 1 + CLIP["clip_high"])


def _beside(row: Row, shift: int) -> Row:
    return row[shift:] + row[:shift]


def _inside(ratio: Fraction) -> int:
    return int(_clipped(ratio) == ratio)


def _objective(row: Row, sign: int) -> list[Fraction]:
    rows = zip(row, _beside(row, 1), _beside(row, 2), strict=True)
    return [y / z * min(x / y * sign, _clipped(x / y) * sign) for x, y, z in rows]


def _lost(row: Row, sign: int) -> Fraction:
    ratios = [x / y for x, y in zip(row, _beside(row, 1), strict=True)]
    return Fraction(sum((_clipped(r) - r) * sign < 0 for r in ratios), len(row))


def _limited(row: Row, sign: int) -> list[Fraction]:
    """Squares of the clamped log-ratios, all positive, with the square of the cap in the end."""
    squares = [x**2 for x in row]
    cap = second_moment_cap_exact(squares, budget=BUDGET) if sign > 0 else None
    return [square if cap is None else min(square, cap) for square in squares] + [cap or 0]


def _shifted(row: Row, shift: int) -> list[float]:
    return [math.log(x / 64) for x in _beside(row, shift)]


LIMITS = {name: float(value) for name, value in CLIP.items()}
BAND = (LIMITS["clip_low"], LIMITS["clip_high"])

# of ratios of a few tokens, all positive, and a sign
TOKEN_FORMULAS: Routes = {
    "token_log_ratio": (
        lambda r, _: token_log_ratio(-np.array(floats(r)), -np.array(floats(_beside(r, 1)))),
        lambda r, _: [y - x for x, y in zip(r, _beside(r, 1), strict=True)],
    ),
    "sequence_log_ratio": (
        lambda r, _: sequence_log_ratio(floats(r)),
        lambda r, _: sum(r),
    ),
    "sequence_mean_log_ratio": (
        lambda r, _: sequence_mean_log_ratio(floats(r)),
        lambda r, _: sum(r) / len(r),
    ),
    "k2_estimate": (
        lambda r, _: k2_estimate(floats(r)),
        lambda r, _: [x**2 / 2 for x in r],
    ),
    "decoupled_objective": (
        lambda r, sign: decoupled_objective(
            *(_shifted(r, i) for i in range(3)), float(sign), **LIMITS
        ),
        _objective,
    ),
    "trust_region_reading": (
        lambda r, sign: (
            trust_region_reading(
                _shifted(r, 0), _shifted(r, 1), float(sign), **LIMITS
            ).clip_fraction
        ),
        _lost,
    ),
    "two_sided_mask": (
        lambda r, _: two_sided_mask(logs(r), **LIMITS),
        lambda r, _: [_inside(x) for x in r],
    ),
    "clip_masks": (
        lambda r, _: list(clip_masks(floats(r), BAND)),
        lambda r, _: [
            [int(x <= 1 + CLIP["clip_high"]) for x in r],
            [int(x >= 1 - CLIP["clip_low"]) for x in r],
        ],
    ),
    "accepted_sequences": (
        lambda r, _: accepted_sequences([logs(r), [0.0] * len(r)], threshold=LIMITS["clip_low"]),
        lambda r, _: [int(min(r) >= CLIP["clip_low"]), 1],
    ),
    "harmful_tokens": (
        lambda r, sign: harmful_tokens(logs(r), float(sign)),
        lambda r, sign: [int((x - 1) * sign > 0) for x in r],
    ),
    "second_moment_mask": (
        lambda r, sign: second_moment_mask(floats(r), float(sign), budget=float(BUDGET)),
        lambda r, sign: [
            int(kept) or int(sign < 0)
            for kept in second_moment_mask_exact([x**2 for x in r], budget=BUDGET)
        ],
    ),
    "second_moment_clamp": (
        lambda r, sign: np.append(
            second_moment_clamp(floats(r), float(sign), budget=float(BUDGET)) ** 2, _cap(r, sign)
        ),
        _limited,
    ),
}


def _cap(row: Row, sign: int) -> float:
    cap = second_moment_cap(floats(row), float(sign), budget=float(BUDGET))
    return cap**2 if math.isfinite(cap) else 0.0


policies_in_floats = computed_by(POLICY_FORMULAS)
scalars_in_floats = computed_by(SCALAR_FORMULAS)
tokens_in_floats = computed_by(TOKEN_FORMULAS)


@claim(
    "staleness.formulas.policies",
    statement=STATEMENT,
    relation=Relation.AT_MOST,
    source=Source.known("floating-point arithmetic"),
    assumes={},
    teeth=off_by_a_tenth(POLICY_FORMULAS),
    tight=Tight(
        Call("softmax_distances", ((THIRD, 1 - THIRD), (1 - THIRD, THIRD), (1, 0))), ratio=1e-6
    ),
)
def policy_formulas_are_computed(case: Call, route: Route = policies_in_floats) -> Sides:
    """What two policies and values per action give is what the formulas say.

    Groups have two members, whose advantages are half their difference, or three.
    """
    return error(case, POLICY_FORMULAS, route)


@claim(
    "staleness.formulas.scalars",
    statement=STATEMENT,
    relation=Relation.AT_MOST,
    source=Source.known("floating-point arithmetic"),
    assumes={},
    teeth=off_by_a_tenth(SCALAR_FORMULAS),
    tight=Tight(Call("ess_floor", (THIRD, THIRD, 7)), ratio=1e-6),
)
def scalar_formulas_are_computed(case: Call, route: Route = scalars_in_floats) -> Sides:
    """Bounds, rates and their inverses are what the formulas say, whole numbers exactly."""
    return error(case, SCALAR_FORMULAS, route)


@claim(
    "staleness.formulas.tokens",
    statement=STATEMENT,
    relation=Relation.AT_MOST,
    source=Source.known("floating-point arithmetic"),
    assumes={},
    teeth=off_by_a_tenth(TOKEN_FORMULAS),
    tight=Tight(Call("sequence_mean_log_ratio", ((THIRD, THIRD, 1 - THIRD), 1)), ratio=1e-6),
)
def token_formulas_are_computed(case: Call, route: Route = tokens_in_floats) -> Sides:
    """Masks, limits and log-ratios of a response's tokens are what the formulas say."""
    return error(case, TOKEN_FORMULAS, route)
