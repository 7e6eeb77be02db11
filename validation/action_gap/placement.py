"""Property tests of the claims about labels."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rolltheory.action_gap.claims.placement import (
    Noisy,
    exact_labels_never_trap,
    geodesic_ends_recover_the_distance,
    leaf_behind_a_wrong_label,
    noise_below_the_tolerance_makes_no_sink,
    plateaus_are_left_by_chance,
)
from rolltheory.action_gap.claims.planned import Planned
from rolltheory.claims import Budget, Kind, check
from validation.action_gap.strategies import exactly_labelled

__all__ = [
    "any_exactly_labelled_graph",
    "any_leaf",
    "any_noise",
    "any_plateau",
    "any_recovery",
]

EXACT = "connected graphs on up to 7 vertices, any exact labels with the goal's"


@check(plateaus_are_left_by_chance, kind=Kind.PROPERTY_TESTED, domain=EXACT)
def any_plateau(_: Budget) -> Any:
    """Larger graphs than can be enumerated."""
    return exactly_labelled(most=7)


@check(exact_labels_never_trap, kind=Kind.PROPERTY_TESTED, domain=EXACT)
def any_exactly_labelled_graph(_: Budget) -> Any:
    """Larger graphs than can be enumerated."""
    return exactly_labelled(most=7)


@check(
    leaf_behind_a_wrong_label,
    kind=Kind.PROPERTY_TESTED,
    domain="errors up to one edge in 1000ths or around half of it, edges of length up to 5",
)
def any_leaf(_: Budget) -> Any:
    """Errors near the threshold too."""
    from hypothesis import strategies as st

    def path(length: int, share: Fraction) -> Noisy:
        lengths = () if length == 1 else (length, length)
        graph = Planned(((0, 1), (1, 2)), (0, length, 2 * length), 0, lengths, (0, 1))
        return Noisy(graph, (share * length, -share * length))

    near = st.integers(-10, 10).map(lambda part: Fraction(1, 2) + Fraction(part, 1000))
    wide = st.integers(1, 1000).map(lambda part: Fraction(part, 1000))
    return st.builds(path, st.integers(1, 5), st.one_of(st.just(Fraction(1, 2)), near, wide))


@check(
    noise_below_the_tolerance_makes_no_sink,
    kind=Kind.PROPERTY_TESTED,
    domain="connected graphs on up to 6 vertices, lengths up to 2, any exact labels with the"
    " goal's, all off by one of 1/4, 2/5, 3/5 and 3/4",
)
def any_noise(_: Budget) -> Any:
    """Either sign at each label."""
    from hypothesis import strategies as st

    size = st.sampled_from((Fraction(1, 4), Fraction(2, 5), Fraction(3, 5), Fraction(3, 4)))

    def noisy(case: Planned) -> Any:
        signs = st.tuples(*[st.sampled_from((-1, 1))] * len(case.labels))
        return st.builds(lambda s, some: Noisy(case, tuple(s * one for one in some)), size, signs)

    labelled = exactly_labelled(most=6, longest=2).filter(lambda case: len(case.labels) > 1)
    return labelled.flatmap(noisy)


@check(
    geodesic_ends_recover_the_distance,
    kind=Kind.PROPERTY_TESTED,
    domain="connected graphs on up to 7 vertices, lengths up to 3, any exact labels with the"
    " goal's",
)
def any_recovery(_: Budget) -> Any:
    """Larger graphs than can be enumerated."""
    return exactly_labelled(most=7, longest=3)
