"""Property tests of the claims about distillation and tilting."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from rolltheory.claims import Budget, Kind, Sides, check
from rolltheory.staleness.claims.distillation import (
    Bits,
    CachedSignal,
    TopK,
    cached_signal_bias_is_bounded,
    cached_signal_is_biased,
    exact_ratios_are_called_enough,
    lumped_top_k_is_a_lower_bound,
    sampled_signal_has_this_variance,
    top_k_forgets_the_tail,
    top_k_is_called_a_lower_bound,
)
from rolltheory.staleness.claims.tilting import (
    Tied,
    Tilted,
    tilted_value_is_the_maximum,
    tilting_weights_reach_the_optimum,
    weighted_sft_is_called_regularised_rl,
    weighted_sft_reaches_the_optimum,
)
from rolltheory.staleness.distillation import (
    cached_reverse_kl_bias,
    cached_reverse_kl_gradient,
    reverse_kl_gradient,
    sampled_reverse_kl_variance,
    top_k_reverse_kl,
    top_k_reverse_kl_bias,
)
from rolltheory.staleness.divergences import kl_divergence
from validation.staleness.strategies import digits, policies

__all__ = [
    "any_bound_of_caches",
    "any_cache",
    "any_cached_sample",
    "any_called_cache",
    "any_called_tie",
    "any_called_top_k",
    "any_forgotten_tail",
    "any_realisable_tie",
    "any_tilt",
    "any_tilted_value",
    "any_top_k",
]


def caches(_: Budget) -> Any:
    """Two actions, any displacement and teacher; even odds now and then."""
    from hypothesis import strategies as st

    def cache(learner: Any, row: tuple[int, ...]) -> CachedSignal:
        step = tuple(Fraction(d - 10, 5) for d in row[:2])
        return CachedSignal(learner, step, tuple(Fraction(d - 10, 7) for d in row[2:4]))

    even = st.just((Fraction(1, 2), Fraction(1, 2)))
    return st.builds(cache, st.one_of(policies(2), even), digits(21, 4))


def bias_in_floats(
    case: CachedSignal, bias: Any = lambda p, d: cached_reverse_kl_bias(np.log(p), np.log(p) - d)
) -> Sides:
    """Largest difference of the library's gradients' difference and its formula."""
    p, step, gap = (
        np.array(row, float) for row in (case.learner, case.displacement, case.teacher_gap)
    )
    theta = np.log(p)
    found = cached_reverse_kl_gradient(theta, theta - step, theta - gap)
    found = found - reverse_kl_gradient(theta, theta - gap)
    return Sides(float(np.abs(found - bias(p, step)).max()), 0)


def fisher_step(p: Any, step: Any) -> Any:
    """-F(theta)(theta - phi), in floats."""
    return -p * (step - p @ step)


@check(
    cached_signal_is_biased,
    kind=Kind.PROPERTY_TESTED,
    domain="two actions, the float route with real logarithms",
    route=bias_in_floats,
    teeth={
        "sign swapped": lambda p, step: -fisher_step(p, step),
        "the diagonal of the Fisher information alone": lambda p, step: -p * step,
        "half of it": lambda p, step: fisher_step(p, step) / 2,
    },
    within=1e-12,
)
def any_cache(budget: Budget) -> Any:
    """Any cache."""
    return caches(budget)


@check(cached_signal_bias_is_bounded, kind=Kind.PROPERTY_TESTED, domain="two actions, rationals")
def any_bound_of_caches(budget: Budget) -> Any:
    """Any cache."""
    return caches(budget)


@check(exact_ratios_are_called_enough, kind=Kind.PROPERTY_TESTED, domain="two actions, rationals")
def any_called_cache(budget: Budget) -> Any:
    """Any cache."""
    return caches(budget)


def top_ks(_: Budget) -> Any:
    """Four actions, the learner's likeliest first."""
    from hypothesis import strategies as st

    def case(learner: Any, teacher: Any, k: int) -> TopK:
        return TopK(tuple(sorted(learner, reverse=True)), teacher, k)

    return st.builds(case, policies(4), policies(4), st.integers(1, 3))


@check(
    lumped_top_k_is_a_lower_bound,
    kind=Kind.PROPERTY_TESTED,
    domain="four actions, the float route",
    within=1e-14,
)
def any_top_k(budget: Budget) -> Any:
    """Any two policies."""
    return top_ks(budget)


@check(
    top_k_is_called_a_lower_bound,
    kind=Kind.PROPERTY_TESTED,
    domain="four actions, the float route",
    within=1e-14,
)
def any_called_top_k(budget: Budget) -> Any:
    """Any two policies."""
    return top_ks(budget)


def tail_in_floats(case: TopK, bias: Any = top_k_reverse_kl_bias) -> Sides:
    """The library's top-k value less its divergence, against its bias."""
    learner, teacher = case.log_policies
    found = top_k_reverse_kl(learner, teacher, case.k) - kl_divergence(learner, teacher)
    return Sides(float(found), float(bias(learner, teacher, case.k)))


@check(
    top_k_forgets_the_tail,
    kind=Kind.PROPERTY_TESTED,
    domain="four actions, the float route",
    route=tail_in_floats,
    teeth={
        "the tail with its sign swapped": lambda p, q, k: -top_k_reverse_kl_bias(p, q, k),
        "no bias": lambda *_: 0.0,
    },
    within=1e-13,
)
def any_forgotten_tail(budget: Budget) -> Any:
    """Any two policies."""
    return top_ks(budget)


def variance_in_floats(case: Bits, variance: Any = sampled_reverse_kl_variance) -> Sides:
    """Variance over every outcome, in nats squared, against the library's."""
    learner, teacher = (-math.log(2) * np.array(row, float) for row in (case.learner, case.teacher))
    _, found = case.of_means()
    return Sides(float(found) * math.log(2) ** 2, float(variance(learner, teacher, case.count)))


@check(
    sampled_signal_has_this_variance,
    kind=Kind.PROPERTY_TESTED,
    domain="three actions, dyadic probabilities, up to 3 samples, the float route",
    route=variance_in_floats,
    teeth={
        "no reduction": lambda p, q, _: sampled_reverse_kl_variance(p, q, 1),
        "m squared": lambda p, q, m: sampled_reverse_kl_variance(p, q, m**2),
    },
    tolerance=1e-13,
)
def any_cached_sample(_: Budget) -> Any:
    """Any two dyadic policies of three actions."""
    from itertools import permutations

    from hypothesis import strategies as st

    rows = sorted(set(permutations((1, 2, 2))))
    return st.builds(Bits, st.sampled_from(rows), st.sampled_from(rows), st.integers(1, 3))


def tilted(_: Budget) -> Any:
    """A reference and tilts; the policy is any, or near the optimum."""
    from hypothesis import strategies as st

    def case(reference: Any, policy: Any, row: tuple[int, ...], near: bool) -> Tilted:
        tilts = tuple(Fraction(d + 1) for d in row)
        parts = [p * t for p, t in zip(reference, tilts, strict=True)]
        best = tuple(part / sum(parts) for part in parts)
        mixed = tuple((q + 9 * b) / 10 for q, b in zip(policy, best, strict=True))
        return Tilted(reference, tilts, mixed if near else policy)

    return st.builds(case, policies(3), policies(3), digits(9, 3), st.booleans())


@check(
    tilted_value_is_the_maximum,
    kind=Kind.PROPERTY_TESTED,
    domain="three actions, the float route",
    within=1e-13,
)
def any_tilted_value(budget: Budget) -> Any:
    """Any policy, and those near the optimum."""
    return tilted(budget)


@check(tilting_weights_reach_the_optimum, kind=Kind.PROPERTY_TESTED, domain="three actions")
def any_tilt(budget: Budget) -> Any:
    """Any reference and tilts."""
    return tilted(budget)


def tied(realisable: bool) -> Any:
    """Two pairs of tied actions."""
    from hypothesis import strategies as st

    def case(masses: Any, row: tuple[int, ...]) -> Tied:
        a, b, c, d = (digit + 1 for digit in row)
        return Tied(masses, ((a, a), (c, c)) if realisable else ((a, b), (c, d)))

    return st.builds(case, policies(2), digits(12, 4))


@check(weighted_sft_reaches_the_optimum, kind=Kind.PROPERTY_TESTED, domain="two pairs, rationals")
def any_realisable_tie(_: Budget) -> Any:
    """One reward in each pair."""
    return tied(realisable=True)


@check(
    weighted_sft_is_called_regularised_rl, kind=Kind.PROPERTY_TESTED, domain="two pairs, rationals"
)
def any_called_tie(_: Budget) -> Any:
    """Any rewards."""
    return tied(realisable=False)
