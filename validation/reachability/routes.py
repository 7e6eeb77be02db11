"""Property tests of the claims about float routes."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rolltheory.claims import Budget, Call, Kind, check
from rolltheory.reachability.claims.routes import (
    float_credit_is_accurate,
    float_estimates_are_accurate,
    float_moments_are_accurate,
)

__all__ = ["any_credit_call", "any_estimate_call", "any_moment_call"]


def _dyadic() -> Any:
    """Probabilities that floats hold, the tiny ones as likely as the others."""
    from hypothesis import strategies as st

    return st.builds(
        lambda part, power: Fraction(part, 64 * 2**power),
        st.integers(0, 64),
        st.sampled_from((0, 0, 10, 40)),
    )


@check(
    float_estimates_are_accurate,
    kind=Kind.PROPERTY_TESTED,
    domain="k <= n <= 120 and every count; some successes of 10^9; up to 10 integer scores",
)
def any_estimate_call(_: Budget) -> Any:
    """More tries than can be enumerated."""
    from hypothesis import strategies as st

    def call(function: str, n: int, c: int, k: int) -> Call:
        draws = 1 + k % min(n, 120)
        if function == "pass_at_k_variance_estimate":
            n = max(n % 120, 2 * draws)
        return Call(function, (n, c % (n + 1), draws))

    names = st.sampled_from(("all_of_k", "plug_in_pass_at_k", "pass_at_k_variance_estimate"))
    number, tries = st.integers(0, 1000), st.one_of(st.integers(1, 120), st.just(10**9))
    counts = st.builds(call, names, tries, number, number)
    scores = st.lists(st.integers(-9, 9), min_size=1, max_size=10)
    best = st.builds(
        lambda x, k: Call("max_at_k", (x, 1 + k % len(x))), scores, st.integers(0, 100)
    )
    return st.one_of(counts, best)


@check(
    float_moments_are_accurate,
    kind=Kind.PROPERTY_TESTED,
    domain="k <= n <= 40, p in 64ths, also of 2^-10 and 2^-40",
)
def any_moment_call(_: Budget) -> Any:
    """More tries than can be enumerated."""
    from hypothesis import strategies as st

    return st.builds(
        lambda function, n, k, p: Call(function, (n, 1 + k % n, p)),
        st.sampled_from(("pass_at_k_variance", "plug_in_bias")),
        st.integers(1, 40),
        st.integers(0, 200),
        _dyadic(),
    )


@check(
    float_credit_is_accurate,
    kind=Kind.PROPERTY_TESTED,
    domain="values in 64ths, also of 2^-10 and 2^-40, k <= 200, four continuations",
)
def any_credit_call(_: Budget) -> Any:
    """More continuations than can be enumerated."""
    from hypothesis import strategies as st

    tries = st.integers(1, 200)
    gap = st.builds(lambda v, w, k: Call("one_step_credit_gap", (v, w, k)), *[_dyadic()] * 2, tries)
    chances = [Fraction(1, 8), Fraction(1, 8), Fraction(1, 4), Fraction(1, 2)]
    drift = st.builds(
        lambda values, k: Call("expected_credit", (chances, values, k)),
        st.lists(_dyadic(), min_size=4, max_size=4),
        tries,
    )
    return st.one_of(gap, drift)
