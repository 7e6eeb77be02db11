"""Property tests of the claims about the error of computed values."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rolltheory.action_gap.claims.amle import middle_of_envelopes, swept
from rolltheory.action_gap.claims.amle_errors import (
    Approximation,
    Run,
    approximated,
    bent_path,
    error_is_certified,
    forked_path,
    iterates_are_certified,
    overshot_path,
    residual_bounds_the_error,
    smooth_path,
)
from rolltheory.action_gap.claims.labelled import Labelled, extension
from rolltheory.claims import Budget, Kind, check
from validation.action_gap.labelled import labellings

__all__ = ["any_approximation", "any_residual", "any_run"]

DOMAIN = (
    "connected graphs on up to 8 vertices, unit cost or with lengths: the exact values rounded,"
    " moved by up to 1/64, halfway between the envelopes or after four sweeps; paths"
)


def _approximations() -> Any:
    from hypothesis import strategies as st

    def moved(problem: Labelled, solver: Any, steps: list[int]) -> Approximation:
        values = solver(problem)
        shifts = [Fraction(steps[x % len(steps)], 64) for x in range(len(values))]
        return approximated(problem, tuple(u + s for u, s in zip(values, shifts, strict=True)))

    solver = st.sampled_from([extension, extension, middle_of_envelopes, swept])
    steps = st.one_of(st.just([0]), st.lists(st.integers(-1, 1), min_size=8, max_size=8))
    paths = st.integers(3, 60)
    shaped = st.sampled_from([bent_path, smooth_path, forked_path, overshot_path])
    return st.one_of(
        st.builds(moved, labellings(), solver, steps),
        st.builds(lambda shape, count: shape(count), shaped, paths),
    )


@check(error_is_certified, kind=Kind.PROPERTY_TESTED, domain=DOMAIN)
def any_approximation(_: Budget) -> Any:
    """Values near the solution, and values far from it."""
    return _approximations()


@check(residual_bounds_the_error, kind=Kind.PROPERTY_TESTED, domain=DOMAIN)
def any_residual(_: Budget) -> Any:
    """Values near the solution, and values far from it."""
    return _approximations()


@check(
    iterates_are_certified,
    kind=Kind.PROPERTY_TESTED,
    domain="connected graphs on up to 8 vertices, unit cost, up to 60 sweeps of each method",
)
def any_run(_: Budget) -> Any:
    """Iterations that are stopped early."""
    from hypothesis import strategies as st

    plain = labellings().map(lambda problem: Labelled(problem.edges, problem.labels))
    methods = st.sampled_from(["gauss-seidel", "work-list", "over-relaxed"])
    return st.builds(Run, plain, methods, st.integers(1, 60))
