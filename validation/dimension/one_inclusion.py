"""Property tests of the claims about one-inclusion learners: larger classes, longer traces."""

from __future__ import annotations

from typing import Any

from rolltheory.claims import Budget, Kind, check
from rolltheory.dimension.claims._small_classes import CUBE_3, HEXAGON, Rows
from rolltheory.dimension.claims.density import coded
from rolltheory.dimension.claims.one_inclusion import (
    FAMILIES,
    Asked,
    Risked,
    Traced,
    expected_error_is_below_the_density,
    family_traces,
    leave_one_out_is_below_the_density,
    shared_heads_need_no_rounding,
    traces_cost_what_their_rules_do,
)
from rolltheory.dimension.families import all_field_gap, ball, grid, projective_plane, star

__all__ = ["any_expected_error", "any_leave_one_out", "any_shared_leave_one_out", "any_trace"]

POOL: tuple[Rows, ...] = (
    ((0,), (1,)),
    CUBE_3,
    HEXAGON,
    coded(star(3)),
    coded(star(5))[::-1],
    coded(grid(4, 2)),
    coded(ball(4, 3, 2)),
    coded(all_field_gap()),
    coded(projective_plane()),
)
ASKED = "a pair, stars, cubes, a ball, the hexagon, the projective plane and the class with a gap"
ASKED += " over every field; up to 6 prompts"


def asked() -> Any:
    """A class, some of its points, any of which may repeat, and a target."""
    from hypothesis import strategies as st

    def of(rows: Rows) -> Any:
        prompts = st.lists(st.integers(0, len(rows[0]) - 1), min_size=1, max_size=6).map(tuple)
        return st.builds(Asked, st.just(rows), prompts, st.sampled_from(rows))

    return st.sampled_from(POOL).flatmap(of)


@check(leave_one_out_is_below_the_density, kind=Kind.PROPERTY_TESTED, domain=ASKED)
def any_leave_one_out(_: Budget) -> Any:
    """Prompts in any order."""
    return asked()


@check(shared_heads_need_no_rounding, kind=Kind.PROPERTY_TESTED, domain=ASKED)
def any_shared_leave_one_out(_: Budget) -> Any:
    """Prompts in any order."""
    return asked()


@check(
    expected_error_is_below_the_density,
    kind=Kind.PROPERTY_TESTED,
    domain="a pair, a cube, the hexagon and a star, up to 3 samples, weights from 1 to 9",
)
def any_expected_error(_: Budget) -> Any:
    """Skewed distributions."""
    from hypothesis import strategies as st

    def of(rows: Rows) -> Any:
        weights = st.tuples(*[st.integers(1, 9)] * len(rows[0]))
        target, samples = st.sampled_from(rows), st.integers(0, 3)
        return st.builds(Risked, st.just(rows), target, samples, weights, st.booleans())

    return st.sampled_from(POOL[:4]).flatmap(of)


@check(
    traces_cost_what_their_rules_do,
    kind=Kind.PROPERTY_TESTED,
    domain="the same families, traces of 1 to 8 tokens, up to 5 prompts",
)
def any_trace(_: Budget) -> Any:
    """Longer traces, more prompts."""
    from hypothesis import strategies as st

    def of(case: tuple[str, int]) -> Any:
        rows = family_traces(*case)
        prompts = st.lists(st.integers(0, len(rows[0]) - 1), min_size=2, max_size=5).map(tuple)
        return st.builds(
            Traced, st.just(case[0]), st.just(case[1]), prompts, st.integers(0, len(rows) - 1)
        )

    return st.tuples(st.sampled_from(sorted(FAMILIES)), st.integers(1, 8)).flatmap(of)
