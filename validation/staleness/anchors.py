"""Property tests of the claims about anchors, masks and KL estimators."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from rolltheory.claims import Budget, Kind, Sides, check
from rolltheory.staleness.anchors import (
    ewma_anchor,
    ewma_anchor_lag,
    interpolated_anchor,
    interpolated_clip_range,
)
from rolltheory.staleness.claims.anchors import (
    Anchored,
    Averaged,
    Interpolated,
    Tokens,
    decoupled_weight_is_the_total_ratio,
    ewma_lag_at_finite_length,
    ewma_lag_has_a_limit,
    interpolation_reparametrises_the_clip,
    quiet_reading_is_called_fresh,
    recomputed_anchor_is_inert,
)
from rolltheory.staleness.claims.divergences import (
    Batch,
    k1_is_called_non_negative,
    k3_is_unbiased,
)
from rolltheory.staleness.claims.masks import (
    MaskedPolicies,
    Squares,
    Token,
    Update,
    clamp_meets_the_budget,
    clip_fraction_is_called_drift,
    mask_meets_the_budget,
    masked_mass_is_bounded,
    two_sided_mask_ignores_sign,
)
from rolltheory.staleness.claims.policies import Policies
from rolltheory.staleness.masks import one_sided_mask
from validation.staleness.strategies import chances, digits, policies, signs

__all__ = [
    "any_anchor",
    "any_average",
    "any_average_with_its_limit",
    "any_batch",
    "any_capped_batch",
    "any_interpolation",
    "any_masked_batch",
    "any_masked_pair",
    "any_policies",
    "any_quiet_batch",
    "any_recomputed_batch",
    "any_token",
    "any_update",
]


@check(decoupled_weight_is_the_total_ratio, kind=Kind.PROPERTY_TESTED, domain="rationals")
def any_anchor(_: Budget) -> Any:
    """Any three probabilities of a token."""
    return chances(3).map(lambda row: Anchored(*row, Fraction(-2)))


def tokens(_: Budget) -> Any:
    """Two tokens, the learner's own probabilities as anchor; sometimes fresh."""
    from hypothesis import strategies as st

    def batch(now: Any, then: Any, fresh: bool) -> Tokens:
        return Tokens(now, now if fresh else then, (1, -1), recomputed=now)

    return st.builds(batch, chances(2), chances(2), st.booleans())


@check(recomputed_anchor_is_inert, kind=Kind.PROPERTY_TESTED, domain="two tokens, rationals")
def any_recomputed_batch(budget: Budget) -> Any:
    """Any learner and sampler."""
    return tokens(budget)


@check(quiet_reading_is_called_fresh, kind=Kind.PROPERTY_TESTED, domain="two tokens, rationals")
def any_quiet_batch(budget: Budget) -> Any:
    """Any learner and sampler, or equal ones."""
    return tokens(budget)


def average_in_floats(
    case: Averaged, lag: Any = lambda b, n: ewma_anchor_lag(b, updates=n)
) -> Sides:
    """The library's average against the library's lag."""
    path = np.arange(float(case.updates))
    found = path[-1] - ewma_anchor(path, decay=float(case.decay))[-1]
    return Sides(float(found), float(lag(float(case.decay), case.updates)))


def averages(_: Budget) -> Any:
    """Any decay up to 0.98 and up to 295 updates."""
    return digits(99, 2).map(lambda row: Averaged(Fraction(row[0], 100), 1 + 3 * row[1]))


@check(
    ewma_lag_at_finite_length,
    kind=Kind.PROPERTY_TESTED,
    domain="decays up to 0.98, up to 295 updates, the float routes",
    route=average_in_floats,
    teeth={name: tooth.subject for name, tooth in ewma_lag_at_finite_length.teeth.items()},
    tolerance=1e-10,
)
def any_average(budget: Budget) -> Any:
    """Any decay and length."""
    return averages(budget)


@check(
    ewma_lag_has_a_limit,
    kind=Kind.PROPERTY_TESTED,
    domain="decays up to 0.98, up to 295 updates, the float routes",
    route=lambda case, limit=ewma_anchor_lag: average_in_floats(case, lambda b, _: limit(b)),
    teeth={
        name: tooth.subject
        for name, tooth in ewma_lag_has_a_limit.teeth.items()
        if tooth.replaces_subject
    },
    tolerance=1e-10,
)
def any_average_with_its_limit(budget: Budget) -> Any:
    """Any decay and length."""
    return averages(budget)


def interpolation_in_floats(case: Interpolated, band: Any = interpolated_clip_range) -> Sides:
    """The library's anchor and clip, on log-probabilities."""
    sampler = np.log([0.5 / max(1.0, float(case.step) ** case.lag)])
    learner = sampler + case.lag * np.log(float(case.step))
    widths = {"clip_low": float(case.clip_low), "clip_high": float(case.clip_high)}
    anchor = interpolated_anchor(learner, sampler, case.lag)
    keep = one_sided_mask(learner - anchor, case.advantage, **widths)[0]
    low, high = band(case.lag, **widths)
    total = np.exp(learner - sampler)[0]
    outside = total > high if case.advantage > 0 else total < low
    return Sides(not keep, bool(outside))


@check(
    interpolation_reparametrises_the_clip,
    kind=Kind.PROPERTY_TESTED,
    domain="step ratios in 101ths up to 2, lags up to 16, both signs, the float routes",
    route=interpolation_in_floats,
    teeth={
        name: tooth.subject for name, tooth in interpolation_reparametrises_the_clip.teeth.items()
    },
)
def any_interpolation(_: Budget) -> Any:
    """Any token off the edges, where rounding would decide."""
    from hypothesis import strategies as st

    def token(row: tuple[int, ...], sign: int) -> Interpolated:
        return Interpolated(Fraction(50 + row[0], 101), 1 + row[1] % 16, sign)

    return st.builds(token, digits(152, 2), signs())


@check(masked_mass_is_bounded, kind=Kind.PROPERTY_TESTED, domain="three actions, rationals")
def any_masked_pair(_: Budget) -> Any:
    """Any sampler, a learner near it or near the edges of the band."""
    from hypothesis import strategies as st

    def near(sampler: tuple[Fraction, ...], row: tuple[int, ...]) -> MaskedPolicies:
        up, down, low, high = row
        factors = (Fraction(100 + up, 100), Fraction(100 - down, 100), Fraction(1))
        parts = [q * factor for q, factor in zip(sampler, factors, strict=True)]
        learner = tuple(part / sum(parts) for part in parts)
        return MaskedPolicies(learner, sampler, Fraction(low + 5, 100), Fraction(high + 5, 100))

    return st.builds(near, policies(3), digits(60, 4))


@check(two_sided_mask_ignores_sign, kind=Kind.PROPERTY_TESTED, domain="ratios up to 10")
def any_token(_: Budget) -> Any:
    """Any ratio and sign."""
    from hypothesis import strategies as st

    ratio = st.integers(1, 1000).map(lambda n: Fraction(n, 100))
    return st.builds(Token, ratio, signs())


@check(clip_fraction_is_called_drift, kind=Kind.PROPERTY_TESTED, domain="two tokens")
def any_update(_: Budget) -> Any:
    """Any two tokens."""
    from hypothesis import strategies as st

    def update(row: tuple[int, ...], first: int, second: int) -> Update:
        ratios = [Fraction(d + 50, 100) for d in row]
        return Update((Token(ratios[0], first), Token(ratios[1], second)))

    return st.builds(update, digits(101, 2), signs(), signs())


def squares(_: Budget) -> Any:
    """Five harmful tokens, a budget."""

    def batch(row: tuple[int, ...]) -> Squares:
        return Squares(tuple(Fraction(d * d, 400) for d in row[1:]), Fraction(row[0] + 1, 400))

    return digits(30, 6).map(batch)


@check(mask_meets_the_budget, kind=Kind.PROPERTY_TESTED, domain="5 tokens, rationals")
def any_masked_batch(budget: Budget) -> Any:
    """Any small batch."""
    return squares(budget)


@check(clamp_meets_the_budget, kind=Kind.PROPERTY_TESTED, domain="5 tokens, rationals")
def any_capped_batch(budget: Budget) -> Any:
    """Any small batch."""
    return squares(budget)


@check(
    k3_is_unbiased,
    kind=Kind.PROPERTY_TESTED,
    domain="three actions, the float route",
    tolerance=1e-13,
)
def any_policies(_: Budget) -> Any:
    """Any two policies of three actions."""
    from hypothesis import strategies as st

    return st.builds(Policies, policies(3), policies(3))


@check(k1_is_called_non_negative, kind=Kind.PROPERTY_TESTED, domain="3 tokens")
def any_batch(_: Budget) -> Any:
    """Any small batch."""
    return digits(300, 3).map(lambda row: Batch(tuple(Fraction(2 * d - 299, 200) for d in row)))
