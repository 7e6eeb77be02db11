"""Property tests of the claims about the infinity-harmonic extension itself."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rolltheory.action_gap.claims.amle import (
    Change,
    Guess,
    Pair,
    Split,
    comparison_principle,
    is_equivariant,
    is_invariant_under_subdivision,
    is_monotone,
    is_stable,
    lex_minimiser_is_infinity_harmonic,
)
from rolltheory.action_gap.claims.labelled import Labelled, labels_at
from rolltheory.claims import Budget, Kind, check
from validation.action_gap.labelled import labellings, networks

__all__ = [
    "any_change",
    "any_guess",
    "any_labelling",
    "any_pair",
    "any_raised_pair",
    "any_split",
]

DOMAIN = "connected graphs on up to 8 vertices, any label set, labels in quarters from -3 to 3"
LENGTHS = f"{DOMAIN}, unit cost or lengths in {{1/3, 1, 2, 5}}"


@check(lex_minimiser_is_infinity_harmonic, kind=Kind.PROPERTY_TESTED, domain=LENGTHS)
def any_labelling(_: Budget) -> Any:
    """Larger graphs than can be enumerated."""
    return labellings()


@check(
    comparison_principle,
    kind=Kind.PROPERTY_TESTED,
    domain="connected graphs on up to 6 vertices, values 0, 1 and 2, any label set",
)
def any_guess(_: Budget) -> Any:
    """Values of which many are subsolutions."""
    from hypothesis import strategies as st

    @st.composite
    def guess(draw: Any) -> Guess:
        edges = draw(networks(6))
        count = 1 + max(max(edge) for edge in edges)
        values = tuple(Fraction(draw(st.integers(0, 2))) for _ in range(count))
        places = draw(st.sets(st.integers(0, count - 1), min_size=1))
        return Guess(Labelled(edges, labels_at(dict(enumerate(values)), places)), values)

    return guess()


def _pairs(low: int) -> Any:
    from hypothesis import strategies as st

    def changed(first: Labelled) -> Any:
        steps = st.tuples(*[st.integers(low, 4) for _ in first.labels])
        return steps.map(
            lambda drawn: Pair(
                first,
                Labelled(
                    first.edges,
                    tuple(
                        (b, f + Fraction(step, 4))
                        for (b, f), step in zip(first.labels, drawn, strict=True)
                    ),
                    first.lengths,
                ),
            )
        )

    return labellings().flatmap(changed)


@check(is_stable, kind=Kind.PROPERTY_TESTED, domain=LENGTHS)
def any_pair(_: Budget) -> Any:
    """Labels that go up and down."""
    return _pairs(-4)


@check(is_monotone, kind=Kind.PROPERTY_TESTED, domain=LENGTHS)
def any_raised_pair(_: Budget) -> Any:
    """Labels that only go up."""
    return _pairs(0)


@check(is_equivariant, kind=Kind.PROPERTY_TESTED, domain=LENGTHS)
def any_change(_: Budget) -> Any:
    """Factors of both signs."""
    from hypothesis import strategies as st

    part = st.integers(-9, 9).map(lambda number: Fraction(number, 3))
    return st.builds(Change, labellings(), part, part)


@check(is_invariant_under_subdivision, kind=Kind.PROPERTY_TESTED, domain=DOMAIN)
def any_split(_: Budget) -> Any:
    """Up to four parts, unit cost."""
    from hypothesis import strategies as st

    plain = labellings(6).map(lambda problem: Labelled(problem.edges, problem.labels))
    return st.builds(Split, plain, st.integers(2, 4))
