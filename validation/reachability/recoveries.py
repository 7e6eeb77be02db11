"""Property tests of the claims about recovery maps."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rolltheory.claims import Budget, Kind, check
from rolltheory.reachability.claims.recoveries import (
    Curves,
    Laws,
    OneProblem,
    TwoTables,
    counts_recover,
    curves_recover,
    fits_recover,
    one_ratio_recovers,
)

__all__ = ["any_pair_of_curves", "any_pair_of_laws", "any_pair_of_tables", "any_ratio"]


@check(
    curves_recover,
    kind=Kind.PROPERTY_TESTED,
    domain="up to 5 points of the trained model and 8 of its base, values in 64ths",
)
def any_pair_of_curves(_: Budget) -> Any:
    """Longer curves than can be enumerated."""
    from hypothesis import strategies as st

    def curve(least: int, most: int) -> Any:
        values = st.lists(st.integers(least, 64), min_size=1, max_size=most)
        return values.map(lambda parts: tuple(Fraction(part, 64) for part in sorted(parts)))

    return st.builds(Curves, curve(1, 5), curve(0, 8))


@check(
    counts_recover,
    kind=Kind.PROPERTY_TESTED,
    domain="one problem of the trained model with up to 3 tries, one or two of the base with 6",
)
def any_pair_of_tables(_: Budget) -> Any:
    """More tries than are enumerated."""
    from hypothesis import strategies as st

    base = st.lists(st.integers(0, 6), min_size=1, max_size=2).map(lambda found: sorted(found))
    return st.builds(
        lambda n, c, counts: TwoTables(n, (1 + c % n,), 6, tuple(counts)),
        st.integers(1, 3),
        st.integers(0, 2),
        base,
    )


@check(
    fits_recover,
    kind=Kind.PROPERTY_TESTED,
    domain="a and b in thirds up to 1, base a 1 to 3, base b 1/4 and 7/4, hopeless 0 and 3/10",
)
def any_pair_of_laws(_: Budget) -> Any:
    """Other shapes than are enumerated."""
    from hypothesis import strategies as st

    third = st.integers(1, 3).map(lambda part: Fraction(part, 3))
    base_b = st.sampled_from((Fraction(1, 4), Fraction(7, 4)))
    hopeless = st.sampled_from((Fraction(0), Fraction(3, 10)))
    return st.builds(Laws, third, third, st.integers(1, 3), base_b, hopeless)


@check(
    one_ratio_recovers,
    kind=Kind.PROPERTY_TESTED,
    domain="failure rates in hundredths, powers up to 6, k <= 12",
)
def any_ratio(_: Budget) -> Any:
    """Other probabilities than are enumerated."""
    from hypothesis import strategies as st

    rate = st.integers(20, 99).map(lambda part: Fraction(part, 100))
    power = st.integers(1, 6)
    return st.builds(OneProblem, rate, power, power, st.integers(1, 12))
