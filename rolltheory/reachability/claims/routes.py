"""Claims about float routes: each stays as near its exact twin as it says."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np

from rolltheory.claims import Call, Computed, Relation, Route, Routes, Sides, Source, Tight, claim
from rolltheory.reachability.claims.estimators import PAGE
from rolltheory.reachability.credit import one_step_credit_gap, one_step_credit_gap_exact
from rolltheory.reachability.drift import expected_credit, expected_credit_exact
from rolltheory.reachability.estimators import (
    all_of_k,
    max_at_k,
    pass_at_k_variance_estimate,
    plug_in_pass_at_k,
)
from rolltheory.reachability.exact import (
    all_of_k_exact,
    max_at_k_exact,
    pass_at_k_variance_estimate_exact,
    pass_at_k_variance_exact,
    plug_in_bias_exact,
    plug_in_pass_at_k_exact,
)
from rolltheory.reachability.moments import pass_at_k_variance, plug_in_bias

__all__ = [
    "float_credit_is_accurate",
    "float_estimates_are_accurate",
    "float_moments_are_accurate",
]

NORMAL = Fraction(1, 2**1022)  # below it floats lose digits


def _in_floats(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, given rational arguments as floats."""
    return lambda *arguments: function(*map(_floated, arguments))


def _floated(argument: Any) -> Any:
    if isinstance(argument, list):
        return [_floated(part) for part in argument]
    return float(argument) if isinstance(argument, Fraction) else argument


def _but(routes: Routes, function: str, variant: Callable[..., Any]) -> Computed:
    return routes.but(function, _in_floats(variant))


def _near_estimate(call: Call, exact: Fraction) -> Fraction:
    scores = call.arguments[0] if call.function == "max_at_k" else [0]
    size: Fraction = max(abs(exact), *map(abs, scores))
    return size * Fraction(call.arguments[-1], 10**13) + NORMAL


def _near_moment(_: Call, exact: Fraction) -> Fraction:
    return abs(exact) * Fraction(1, 10**13) + NORMAL


def _near_credit(call: Call, exact: Fraction) -> Fraction:
    return _size(call, exact) * Fraction(call.arguments[-1], 10**14) + NORMAL


def _size(call: Call, exact: Fraction) -> Fraction:
    if call.function == "one_step_credit_gap":
        return abs(exact)
    chances, values, k = call.arguments
    steps = list(zip(chances, values, strict=True))
    mean = sum((chance * value for chance, value in steps), Fraction())
    gaps = (chance * abs(one_step_credit_gap_exact(value, mean, k)) for chance, value in steps)
    return sum(gaps, Fraction())


ESTIMATES = Routes(
    _near_estimate,
    all_of_k=Route(all_of_k, all_of_k_exact),
    plug_in_pass_at_k=Route(plug_in_pass_at_k, plug_in_pass_at_k_exact),
    pass_at_k_variance_estimate=Route(
        pass_at_k_variance_estimate, pass_at_k_variance_estimate_exact
    ),
    max_at_k=Route(max_at_k, max_at_k_exact),
)
MOMENTS = Routes(
    _near_moment,
    pass_at_k_variance=Route(_in_floats(pass_at_k_variance), pass_at_k_variance_exact),
    plug_in_bias=Route(_in_floats(plug_in_bias), plug_in_bias_exact),
)
CREDIT = Routes(
    _near_credit,
    one_step_credit_gap=Route(_in_floats(one_step_credit_gap), one_step_credit_gap_exact),
    expected_credit=Route(_in_floats(expected_credit), expected_credit_exact),
)


def all_of_k_as_a_power(samples: int, successes: int, k: int) -> float:
    """The share of successes to the power k."""
    return (successes / samples) ** k


def plug_in_by_subtraction(samples: int, successes: int, k: int) -> float:
    """As it is written, which loses the digits of small values."""
    return float(1.0 - (1.0 - successes / samples) ** k)


def variance_without_pairs(samples: int, successes: int, k: int) -> float:
    """The variance of k fresh tries, at the estimate."""
    missed = 1.0 - float(plug_in_pass_at_k(samples, successes, k))
    return missed * (1.0 - missed) * k / samples


def mean_of_the_largest(scores: list[float], k: int) -> float:
    """The mean of the k best scores."""
    return float(np.mean(np.sort(scores)[-k:]))


@claim(
    "reachability.estimates.float_accuracy",
    statement=r"|\hat x - x| \le 10^{-13}\, k \max(|x|, m) + 2^{-1022},"
    r" \quad \hat x \text{ in floats,} \quad m = \max_i |x_i| \text{ of max@k's scores, else } 0",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#estimating-passk"),
    assumes={},
    teeth={
        "all of k as a power": _but(ESTIMATES, "all_of_k", all_of_k_as_a_power),
        "plug-in by subtraction": _but(ESTIMATES, "plug_in_pass_at_k", plug_in_by_subtraction),
        "variance without pairs": _but(
            ESTIMATES, "pass_at_k_variance_estimate", variance_without_pairs
        ),
        "mean of the k best scores": _but(ESTIMATES, "max_at_k", mean_of_the_largest),
    },
    tight=Tight(Call("plug_in_pass_at_k", (3, 1, 2)), at_least=1e-4),
)
def float_estimates_are_accurate(case: Call, computed: Computed = ESTIMATES.computed) -> Sides:
    """The float routes of all-of-k, max@k, the plug-in and the variance estimate are accurate."""
    return ESTIMATES.judged(case, computed)


def variance_by_moments(samples: int, k: int, p: float) -> float:
    """The mean square less the squared mean, which cancel."""
    counts = range(samples + 1)
    law = np.array([_binomial(samples, c, p) for c in counts])
    miss = np.array([float(all_of_k_exact(samples, samples - c, k)) for c in counts])
    return float(law @ miss**2 - (1.0 - p) ** (2 * k))


def _binomial(samples: int, successes: int, p: float) -> float:
    return float(comb(samples, successes) * p**successes * (1.0 - p) ** (samples - successes))


def variance_to_first_order(samples: int, k: int, p: float) -> float:
    """The delta method."""
    return float(k * k * p * (1.0 - p) ** (2 * k - 1) / samples)


def bias_to_first_order(samples: int, k: int, p: float) -> float:
    """The leading term in 1 / n."""
    return float(-k * (k - 1) / 2 / samples * p * (1.0 - p) ** (k - 1))


def bias_by_moments(samples: int, k: int, p: float) -> float:
    """The mean of the plug-in estimate less the truth, which cancel."""
    counts = range(samples + 1)
    mean = sum(_binomial(samples, c, p) * float(plug_in_pass_at_k(samples, c, k)) for c in counts)
    return float(mean + (1.0 - p) ** k - 1.0)


@claim(
    "reachability.moments.float_accuracy",
    statement=r"|\hat x - x| \le 10^{-13}\, |x| + 2^{-1022}, \quad \hat x \text{ in floats,}"
    r" \quad x = \mathrm{Var}\,U \text{ or } E\,W - f_k(p)",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#variance"),
    assumes={},
    teeth={
        "variance by moments": _but(MOMENTS, "pass_at_k_variance", variance_by_moments),
        "variance to first order": _but(MOMENTS, "pass_at_k_variance", variance_to_first_order),
        "bias by moments": _but(MOMENTS, "plug_in_bias", bias_by_moments),
        "bias to first order": _but(MOMENTS, "plug_in_bias", bias_to_first_order),
    },
    tight=Tight(Call("plug_in_bias", (5, 3, Fraction(3, 64))), at_least=1e-4),
)
def float_moments_are_accurate(case: Call, computed: Computed = MOMENTS.computed) -> Sides:
    """The float routes of the estimator's variance and of the plug-in bias lose no digits.

    Both are differences of nearly equal numbers; the routes sum terms of one sign instead.
    """
    return MOMENTS.judged(case, computed)


def gap_by_subtraction(value: float, other: float, k: int) -> float:
    """As it is written, which loses the digits of close values."""
    return float((1.0 - other) ** k - (1.0 - value) ** k)


def drift_of_the_slope(chances: list[float], values: list[float], k: int) -> float:
    """The second-order formula."""
    mean = float(np.dot(chances, values))
    spread = float(np.dot(chances, np.subtract(values, mean) ** 2))
    return float(-k * (k - 1) / 2 * (1.0 - mean) ** max(k - 2, 0) * spread)


@claim(
    "reachability.credit.float_accuracy",
    statement=r"|\hat x - x| \le 10^{-14}\, k\, m + 2^{-1022}, \quad \hat x \text{ in floats,}"
    r" \quad x = m = f_k(V) - f_k(V') \text{, or } x = E\,\Delta_t,\ m = E\,|\Delta_t|",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#credit"),
    assumes={},
    teeth={
        "gap by subtraction": _but(CREDIT, "one_step_credit_gap", gap_by_subtraction),
        "gap of one try fewer": _but(
            CREDIT, "one_step_credit_gap", lambda v, w, k: one_step_credit_gap(v, w, max(k - 1, 1))
        ),
        "drift to second order": _but(CREDIT, "expected_credit", drift_of_the_slope),
        "drift 10 % smaller": _but(
            CREDIT, "expected_credit", lambda p, v, k: 0.9 * expected_credit(p, v, k)
        ),
    },
    tight=Tight(
        Call("one_step_credit_gap", (Fraction(3, 16), Fraction(5, 16), 7)),
        at_least=Fraction(1, 1000),
    ),
)
def float_credit_is_accurate(case: Call, computed: Computed = CREDIT.computed) -> Sides:
    """The float routes of a difference of Pass@k and of the mean one-step credit are accurate.

    A difference keeps its digits however close the values are; the mean credit is accurate
    relative to the mean size of the credit, since gains and losses cancel in it.
    """
    return CREDIT.judged(case, computed)
