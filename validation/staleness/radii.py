"""Property tests of the claims about clipping radii."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rolltheory.claims import Budget, Kind, check
from rolltheory.staleness.claims.radii import (
    Policies,
    batch_radius_holds,
    clip_radius_holds,
    ess_radius_holds,
    softmax_batch_radius_holds,
    two_answers,
)

__all__ = ["any_batch", "any_clip", "any_ess", "any_softmax_batch"]

DOMAIN = "up to 5 answers, odds within [1/4, 4], any clip range within [1/100, 9/10] and [1/100, 5]"
TOLERANCE = 1e-12  # of distances in floats


def any_policies() -> Any:
    """A strategy for pairs of policies: of any answers, or of two, one of them barely clipped."""
    from hypothesis import strategies as st

    low = st.integers(1, 90).map(lambda j: Fraction(j, 100))
    high = st.integers(1, 500).map(lambda j: Fraction(j, 100))
    answers = st.lists(
        st.tuples(st.integers(1, 1000), st.integers(250, 4000)), min_size=2, max_size=5
    )
    return st.builds(spread, answers, low, high, st.integers(1, 50)) | st.builds(
        barely_clipped, st.integers(1, 900), low, high
    )


def spread(answers: list[tuple[int, int]], low: Fraction, high: Fraction, length: int) -> Policies:
    """Policies from the weight, and the odds in thousandths, of each answer."""
    total = sum(weight for weight, _ in answers)
    return Policies(
        tuple(Fraction(weight, total) for weight, _ in answers),
        tuple(Fraction(odds, 1000) for _, odds in answers),
        low,
        high,
        length,
    )


def barely_clipped(part: int, low: Fraction, high: Fraction) -> Policies:
    """Two answers, the first of them with a ratio just above the range."""
    share = Fraction(part, 1000) / (1 + high)
    odds = (1 - share) * (1 + high) / (1 - share * (1 + high)) + Fraction(1, 10**9)
    return two_answers(share, odds, clip_low=low, clip_high=high)


@check(clip_radius_holds, kind=Kind.PROPERTY_TESTED, domain=DOMAIN, tolerance=TOLERANCE)
def any_clip(_: Budget) -> Any:
    """Pairs of which a sample is clipped."""
    return any_policies()


@check(batch_radius_holds, kind=Kind.PROPERTY_TESTED, domain=DOMAIN)
def any_batch(_: Budget) -> Any:
    """All pairs, in rationals."""
    return any_policies()


@check(softmax_batch_radius_holds, kind=Kind.PROPERTY_TESTED, domain=DOMAIN, tolerance=TOLERANCE)
def any_softmax_batch(_: Budget) -> Any:
    """Pairs of which a sample is clipped."""
    return any_policies()


@check(ess_radius_holds, kind=Kind.PROPERTY_TESTED, domain=DOMAIN, tolerance=TOLERANCE)
def any_ess(_: Budget) -> Any:
    """All pairs, as sequences of up to 50 tokens."""
    return any_policies()
