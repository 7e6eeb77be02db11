"""Property tests of the claims about a Beta law fitted to counts."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rolltheory.claims import Budget, Kind, check
from rolltheory.reachability.claims.fits import (
    Posterior,
    Shape,
    Table,
    Wins,
    extrapolation_follows_two_moments,
    fitted_law_is_most_likely,
    hopeless_share_is_tested,
    is_fittable,
    most_likely,
    posterior_mean_is_exact,
    tail_coefficient_is_the_limit,
)

__all__ = [
    "any_coefficient",
    "any_comparison",
    "any_pair_of_tries",
    "any_posterior",
    "any_rival",
]


def _tables(samples: int, most: int, *, zero_mass: bool = False) -> Any:
    from hypothesis import strategies as st

    counts = st.lists(st.integers(0, samples), min_size=2, max_size=most)
    return st.builds(
        Table,
        st.just(samples),
        counts.map(lambda found: tuple(sorted(found))),
        st.integers(1, 100),
        st.just(value=zero_mass),
    )


@check(
    extrapolation_follows_two_moments,
    kind=Kind.PROPERTY_TESTED,
    domain="up to 20 problems with two tries each, k <= 100",
)
def any_pair_of_tries(_: Budget) -> Any:
    """More problems than can be enumerated."""
    return _tables(2, 20)


@check(
    fitted_law_is_most_likely,
    kind=Kind.PROPERTY_TESTED,
    domain="up to 5 problems with five tries each, laws within a tenth of the fitted one",
)
def any_rival(_: Budget) -> Any:
    """Rivals beside the fitted law, with a mass at zero and without."""
    from hypothesis import strategies as st

    table = st.one_of(_tables(5, 5), _tables(5, 5, zero_mass=True))
    steps = st.integers(-4, 4)
    return st.builds(_beside, table, st.tuples(steps, steps, steps))


def _beside(table: Table, steps: tuple[int, int, int]) -> Wins:
    """The fitted law in thousandths, moved by 40ths."""
    if not is_fittable(table):
        return Wins(table, (Fraction(1, 2), Fraction(1, 2), Fraction(0)))
    moved = (
        Fraction(round(1000 * part), 1000) + Fraction(step, 40)
        for part, step in zip(most_likely(table), steps, strict=True)
    )
    mean, correlation, zero_mass = (min(max(part, Fraction(0)), Fraction(1)) for part in moved)
    return Wins(table, (mean, correlation, zero_mass if table.zero_mass else Fraction(0)))


@check(
    hopeless_share_is_tested,
    kind=Kind.PROPERTY_TESTED,
    domain="up to 5 problems with five tries each",
)
def any_comparison(_: Budget) -> Any:
    """More problems than can be enumerated."""
    return _tables(5, 5, zero_mass=True)


@check(
    tail_coefficient_is_the_limit,
    kind=Kind.PROPERTY_TESTED,
    domain="a up to 12, b in 64ths up to 8, k <= 60",
)
def any_coefficient(_: Budget) -> Any:
    """Other shapes than are enumerated."""
    from hypothesis import strategies as st

    shape = st.integers(1, 512).map(lambda part: Fraction(part, 64))
    return st.builds(Shape, st.integers(1, 12), shape, st.integers(0, 60))


@check(
    posterior_mean_is_exact,
    kind=Kind.PROPERTY_TESTED,
    domain="n <= 60, every count, k <= 200, whole priors up to 5",
)
def any_posterior(_: Budget) -> Any:
    """More tries than can be enumerated."""
    from hypothesis import strategies as st

    part = st.integers(1, 5)
    return st.builds(
        lambda n, c, k, prior: Posterior(n, c % (n + 1), k, prior),
        st.integers(1, 60),
        st.integers(0, 60),
        st.integers(1, 200),
        st.tuples(part, part),
    )
