"""Property tests of the claims about the samples that no learner does without."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rolltheory.claims import Budget, Kind, check
from rolltheory.dimension.claims._small_classes import (
    CUBE_3,
    HEXAGON,
    SQUARE_3,
    pseudo_cubes_within,
)
from rolltheory.dimension.claims.sample_complexity import Levels
from rolltheory.dimension.claims.samples_needed import (
    LineMates,
    Shattered,
    line_mates_need_samples,
    needed_samples_are_the_larger_number,
    pseudo_cube_fails_any_learner,
    pseudo_cube_needs_expected_error,
)

__all__ = ["any_expectation", "any_failure", "any_needed_number", "any_pair_of_line_mates"]


def pseudo_cubes() -> Any:
    """One on two points with three labels, or a cube of three bits."""
    from hypothesis import strategies as st

    squares = [tuple(sorted(members)) for members in pseudo_cubes_within(SQUARE_3)]
    return st.sampled_from([HEXAGON, CUBE_3, *squares])


@check(
    pseudo_cube_needs_expected_error,
    kind=Kind.PROPERTY_TESTED,
    domain="pseudo-cubes on the grid 3 x 3 and the cube, 1 to 6 samples",
)
def any_expectation(_: Budget) -> Any:
    """More samples."""
    from hypothesis import strategies as st

    return st.builds(Shattered, pseudo_cubes(), st.integers(1, 6))


@check(
    pseudo_cube_fails_any_learner,
    kind=Kind.PROPERTY_TESTED,
    domain="the same, epsilon = 1/8 to 1/32",
)
def any_failure(_: Budget) -> Any:
    """Levels between the round ones."""
    from hypothesis import strategies as st

    errors = st.integers(8, 32).map(lambda n: Fraction(1, n))
    return st.builds(Shattered, pseudo_cubes(), st.just(0), errors)


@check(
    line_mates_need_samples,
    kind=Kind.PROPERTY_TESTED,
    domain="epsilon in fiftieths, up to 8 samples",
)
def any_pair_of_line_mates(_: Budget) -> Any:
    """Other levels."""
    from hypothesis import strategies as st

    error = st.integers(1, 49).map(lambda n: Fraction(n, 50))
    return st.builds(LineMates, error, st.integers(0, 8))


@check(
    needed_samples_are_the_larger_number,
    kind=Kind.PROPERTY_TESTED,
    domain="d up to 200, epsilon of floats from 1/20 to 1/2, delta of floats from 10^-6 to 3/4",
)
def any_needed_number(_: Budget) -> Any:
    """Against a search in rationals."""
    from hypothesis import strategies as st

    errors, failures = st.floats(0.05, 0.5), st.floats(1e-6, 0.75)
    return st.builds(
        Levels,
        st.integers(2, 200).map(Fraction),
        st.just(2),
        errors.map(Fraction),
        failures.map(Fraction),
    )
