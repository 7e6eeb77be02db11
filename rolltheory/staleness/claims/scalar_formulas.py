"""Claims about float functions of numbers: each agrees with its formula in rationals.

Where a function has a root, a logarithm or an exponential, its arguments are chosen, or its value
is turned, so that the result is rational again.
"""

from __future__ import annotations

import math
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
)
from rolltheory.staleness.advantages import sample_std_factor
from rolltheory.staleness.anchors import clip_for_total_range, ewma_decay_for_lag
from rolltheory.staleness.ascent import best_learning_rate, horizon_for_error
from rolltheory.staleness.bias import bias_constant, largest_lag_for_bias, stale_bias_bound
from rolltheory.staleness.claims.routes import NEAR, STATEMENT, THIRD
from rolltheory.staleness.clipping import clip_coefficient
from rolltheory.staleness.cosines import cosine_at_batch_size, snr_from_cosine
from rolltheory.staleness.displacement import (
    collapse_time_exponent,
    correlation_from_exponent,
    displacement_exponent,
    expected_squared_displacement_exact,
    rms_collapse_time,
)
from rolltheory.staleness.distillation import cached_reverse_kl_bias_bound
from rolltheory.staleness.drift import (
    adam_update_factor,
    adam_update_factor_squared_exact,
    lag_displacement,
    lag_displacement_exact,
)
from rolltheory.staleness.lognormal import (
    log_variance_from_masked_mean,
    log_variance_from_truncated_mean,
    masked_lognormal_mean,
    truncated_lognormal_mean,
)
from rolltheory.staleness.masks import total_variation_allowance
from rolltheory.staleness.prompt_weight import (
    potential_limit,
    prompt_weight,
    prompt_weight_derivative,
    prompt_weight_enclosure,
)
from rolltheory.staleness.radii import clip_fraction_bound, ess_floor
from rolltheory.staleness.ratios import prefix_log_ratio_variance, prefix_mean_log_ratio_variance
from rolltheory.staleness.rule import max_lag, stable_learning_rate, stable_learning_rate_exact
from rolltheory.staleness.selection import selection_bias_bound
from rolltheory.staleness.shaping import shaped_probability
from rolltheory.staleness.stability import max_stable_lag
from rolltheory.staleness.weights import truncation_bias_bound

__all__ = ["SCALAR_FORMULAS", "scalar_formulas_are_computed"]

HALF = Fraction(1, 2)
SCHEDULES = ("fixed_lag", "sync")


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


def _slope(p: Fraction) -> Fraction:
    """The slope of the prompt weight of four responses, which is quadratic, from two values."""
    step = p / 2
    low, high = (prompt_weight_enclosure(x, 4).low for x in (p - step, p + step))
    return Fraction(high - low) / (2 * step)


def _runs(x: Fraction, y: Fraction, n: int) -> list[Fraction]:
    return [stable_learning_rate_exact(n, 9, x, y, HALF, schedule=how) for how in SCHEDULES]


def _runs_in_floats(x: Fraction, y: Fraction, n: int) -> Any:
    limits = n, 9, float(x), float(y), 0.5
    return [stable_learning_rate(*limits, schedule=how).learning_rate for how in SCHEDULES]


# of two numbers within (0, 1] and a whole number
SCALAR_FORMULAS = Routes(
    NEAR,
    snr_from_cosine=Route(
        lambda x, *_: snr_from_cosine(float(x / 2)),
        lambda x, *_: x / (2 - x),
    ),
    cosine_at_batch_size=Route(
        lambda x, _, n: cosine_at_batch_size(float(x / 2), n),
        lambda x, _, n: n * x / (2 + (n - 1) * x),
    ),
    total_variation_allowance=Route(
        lambda x, y, n: total_variation_allowance(float(x), clip_low=float(y / 2), clip_high=n),
        lambda x, y, n: min(x / (2 / y + Fraction(1, n)), Fraction(1)),
        DOWN,
    ),
    selection_bias_bound=Route(
        lambda x, y, n: selection_bias_bound(float(x), float(n * y)),
        lambda x, y, n: n * x * y,
        UP,
    ),
    truncation_bias_bound=Route(
        lambda x, y, n: truncation_bias_bound(float(x), float(n * y)),
        lambda x, y, n: n * x * y,
        UP,
    ),
    ewma_decay_for_lag=Route(
        lambda _, __, n: ewma_decay_for_lag(n),
        lambda _, __, n: Fraction(n, 1 + n),
    ),
    cached_reverse_kl_bias_bound=Route(
        lambda x, *_: cached_reverse_kl_bias_bound(float(x)),
        lambda x, *_: x / 2,
        UP,
    ),
    shaped_probability=Route(
        lambda x, y, _: shaped_probability(float(x), gamma=float(y)),
        lambda x, y, _: x / (x + y),
    ),
    prefix_log_ratio_variance=Route(
        lambda x, _, n: prefix_log_ratio_variance(float(x), n),
        lambda x, _, n: n * x,
    ),
    prefix_mean_log_ratio_variance=Route(
        lambda x, _, n: prefix_mean_log_ratio_variance(float(x), n),
        lambda x, _, n: x / n,
    ),
    clip_coefficient=Route(
        lambda _, y, n: clip_coefficient((float(y / 2), float(n))),
        lambda _, y, n: (Fraction(1 + n, n) + (2 - y) / y) / 2,
        UP,
    ),
    clip_for_total_range=Route(
        lambda x, y, n: clip_for_total_range(n, float((1 - x / 2) ** n), float((1 + y) ** n)),
        lambda x, y, _: [x / 2, y],
    ),
    adam_update_factor=Route(
        lambda x, y, n: adam_update_factor(float(x / 2), float(y / 2), steps=n) ** 2,
        lambda x, y, n: adam_update_factor_squared_exact(x / 2, y / 2, n),
        UP,
    ),
    best_learning_rate=Route(
        lambda x, y, n: best_learning_rate(float(x**3 * n * y**2), n, float(y), 1.0),
        lambda x, *_: x,
    ),
    horizon_for_error=Route(
        lambda x, y, n: horizon_for_error(
            float(x), float((n - HALF) * x * y / 2), float(y), 0.0, 1.0
        ),
        lambda _, __, n: n,
    ),
    max_lag=Route(
        lambda x, y, n: max_lag(float(x), float((n + HALF) * x * y), float(y)),
        lambda _, __, n: n,
    ),
    lag_displacement=Route(
        lambda x, y, n: [
            lag_displacement(n, float(x), float(y), schedule=how) for how in SCHEDULES
        ],
        lambda x, y, n: [lag_displacement_exact(n, x, y, schedule=how) for how in SCHEDULES],
        UP,
    ),
    stable_learning_rate=Route(_runs_in_floats, _runs, DOWN),
    prompt_weight=Route(
        lambda x, _, n: prompt_weight(float(x), n + 1),
        lambda x, _, n: prompt_weight_enclosure(x, n + 1).low,
    ),
    prompt_weight_derivative=Route(
        lambda x, *_: prompt_weight_derivative(float(x / 2), 4),
        lambda x, *_: _slope(x / 2),
    ),
    max_stable_lag=Route(lambda x, _, n: _synced(x, n), lambda _, __, n: n),
    bias_constant=Route(
        lambda _, y, n: bias_constant(n + 1, variant="exact_ratio", largest_advantage=float(y)),
        lambda _, y, n: n * y,
        UP,
    ),
    stale_bias_bound=Route(
        lambda x, y, n: stale_bias_bound(
            n, float(x), float(y), 3, variant="exact_ratio", largest_advantage=1.0
        ),
        lambda x, y, n: 2 * n * x * y,
        UP,
    ),
    largest_lag_for_bias=Route(
        lambda x, y, n: largest_lag_for_bias(
            float((2 * n + 1) * x * y),
            float(x),
            float(y),
            3,
            variant="exact_ratio",
            largest_advantage=1.0,
        ),
        lambda _, __, n: n,
        DOWN,
    ),
    rms_collapse_time=Route(
        lambda x, _, n: [
            rms_collapse_time(float(x), float(x) * math.sqrt(n - 0.5), 0.0),
            rms_collapse_time(float(x), float(x) * (n - 0.5), 1.0),
        ],
        lambda _, __, n: [n, n],
    ),
    collapse_time_exponent=Route(
        lambda x, _, n: 2.0 ** (-2 / collapse_time_exponent(n, float(x))),
        lambda x, _, n: (
            expected_squared_displacement_exact(2 * n, x)
            / expected_squared_displacement_exact(n, x)
        ),
    ),
    correlation_from_exponent=Route(
        lambda x, _, n: correlation_from_exponent(displacement_exponent(n, float(x / 2)), n),
        lambda x, *_: x / 2,
    ),
    ess_floor=Route(
        lambda x, _, n: -2 * np.log(ess_floor(float(x), n)),
        lambda x, _, n: n * x**2,
        UP,
    ),
    clip_fraction_bound=Route(
        lambda x, y, n: clip_fraction_bound(
            math.log1p(n * x) / math.sqrt(2), float(y / 2), float(y)
        ),
        _outside,
        UP,
    ),
    potential_limit=Route(
        lambda x, *_: np.sin(potential_limit(float(x)) / 2) ** 2,
        lambda x, *_: x,
    ),
    sample_std_factor=Route(
        lambda _, __, n: sample_std_factor(n + 1, "sample") ** 2,
        lambda _, __, n: Fraction(n, n + 1),
    ),
    log_variance_from_masked_mean=Route(
        lambda x, _, n: log_variance_from_masked_mean(
            masked_lognormal_mean(float(1 + x), 1.0 + n), 1.0 + n
        ),
        lambda x, *_: 1 + x,
    ),
    log_variance_from_truncated_mean=Route(
        lambda x, _, n: log_variance_from_truncated_mean(
            truncated_lognormal_mean(float(1 + x), 1.0 + 1 / n), 1.0 + 1 / n
        ),
        lambda x, *_: 1 + x,
    ),
)


@claim(
    "staleness.formulas.scalars",
    statement=STATEMENT,
    relation=Relation.AT_MOST,
    source=Source.known("floating-point arithmetic"),
    assumes={},
    teeth=SCALAR_FORMULAS.off_by_a_tenth() | SCALAR_FORMULAS.rounded_the_wrong_way(),
    tight=Tight(Call("ess_floor", (THIRD, THIRD, 7)), at_least=1e-6),
)
def scalar_formulas_are_computed(
    case: Call, computed: Computed = SCALAR_FORMULAS.computed
) -> Sides:
    """Bounds, rates and their inverses are what the formulas say, whole numbers exactly."""
    return SCALAR_FORMULAS.judged(case, computed)
