"""Property tests of the claims about exact risks: other sizes."""

from __future__ import annotations

from typing import Any

from rolltheory.claims import Budget, Kind, check
from rolltheory.dimension.claims.exact_risks import (
    FreeBits,
    Needle,
    SumRule,
    erm_pays_for_the_graph_dimension,
    free_bits_cost_the_same_at_any_length,
    one_learner_has_no_tail,
)

__all__ = ["any_free_bit", "any_needle", "any_sum_rule"]


@check(
    free_bits_cost_the_same_at_any_length,
    kind=Kind.PROPERTY_TESTED,
    domain="1 or 2 bits, traces of up to 20 tokens, up to 4 samples",
)
def any_free_bit(_: Budget) -> Any:
    """Longer traces."""
    from hypothesis import strategies as st

    return st.builds(FreeBits, st.integers(1, 2), st.integers(1, 20), st.integers(0, 4))


@check(
    erm_pays_for_the_graph_dimension,
    kind=Kind.PROPERTY_TESTED,
    domain="2 to 5 prompts, up to 12 samples",
)
def any_needle(_: Budget) -> Any:
    """More samples."""
    from hypothesis import strategies as st

    return st.builds(Needle, st.integers(2, 5), st.integers(0, 12))


@check(
    one_learner_has_no_tail,
    kind=Kind.PROPERTY_TESTED,
    domain="an even number of samples from 10 to 1000, twice to three times as many prompts",
)
def any_sum_rule(_: Budget) -> Any:
    """Any size that is large enough."""
    from hypothesis import strategies as st

    def of(half: int) -> Any:
        return st.builds(SumRule, st.integers(4 * half, 6 * half), st.just(2 * half))

    return st.integers(5, 500).flatmap(of)
