"""Exact checks of the claims about the vote of prefixes."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from rolltheory.claims import Budget, Kind, check
from rolltheory.dimension.claims._small_classes import CUBE_3, HEXAGON, Rows
from rolltheory.dimension.claims.density import coded
from rolltheory.dimension.claims.one_inclusion import whole_heads
from rolltheory.dimension.claims.vote import (
    Drawn,
    Errors,
    Parts,
    Power,
    exponentials_are_below_their_chords,
    harmonic_half_is_below_ln_two,
    vote_constants_follow,
    vote_errs_where_half_do,
    vote_has_a_tail,
)
from rolltheory.dimension.families import grid, star
from rolltheory.dimension.learners import PrefixVote

__all__ = [
    "every_exponential",
    "every_half",
    "every_part",
    "every_sample",
    "every_symbol",
    "every_vote",
]

SQUARE: Rows = coded(grid(2, 2))


@check(
    vote_errs_where_half_do,
    kind=Kind.ENUMERATED,
    domain="a square, star and hexagon: every sequence of 2 and 4 prompts, every target; a cube:"
    " every sequence of 2",
)
def every_vote(_: Budget) -> Iterator[Drawn]:
    """Every order of every sample."""
    for rows, sizes in (
        (SQUARE, (2, 4)),
        (HEXAGON, (2, 4)),
        (coded(star(3)), (2, 4)),
        (CUBE_3, (2,)),
    ):
        for size in sizes:
            for prompts in product(range(len(rows[0])), repeat=size):
                yield from (Drawn(rows, prompts, target) for target in rows)


@check(vote_constants_follow, kind=Kind.PROVED, domain="symbols p, L and n")
def every_symbol(_: Budget) -> Iterator[Parts]:
    """As an identity."""
    import sympy

    yield Parts(*sympy.symbols("p L n", positive=True))


@check(
    vote_constants_follow,
    kind=Kind.ENUMERATED,
    domain="p = 0, 1, 7; L = 1/2, 3; n = 2, 40",
)
def every_part(_: Budget) -> Iterator[Parts]:
    """Numbers for the symbols."""
    from sympy import Rational

    for p, nats, n in product((0, 1, 7), (Rational(1, 2), 3), (2, 40)):
        yield Parts(p, nats, n)


@check(
    harmonic_half_is_below_ln_two,
    kind=Kind.CERTIFIED,
    domain={"gate": "every even n up to 300", "deep": "every even n up to 2000"},
)
def every_half(budget: Budget) -> Iterator[int]:
    """They increase to the limit."""
    return iter(range(2, 2001 if budget.deep else 301, 2))


@check(
    exponentials_are_below_their_chords,
    kind=Kind.CERTIFIED,
    domain="z in hundredths within (0, 1), both signs",
)
def every_exponential(_: Budget) -> Iterator[Power]:
    """Near both ends, where the chord meets the curve."""
    return (Power(Fraction(n, 100), sign) for n in range(1, 100) for sign in (1, -1))


def distribution(rows: Rows, target: tuple[int, ...], samples: int, delta: Fraction) -> Errors:
    """The vote's error on every sequence of uniform prompts."""
    vote, d = PrefixVote(whole_heads(rows)), len(rows[0])
    draws = [
        Drawn(rows, prompts, target).errors(vote, range(samples, samples + 1))[0]
        for prompts in product(range(d), repeat=samples)
    ]
    return Errors(1, samples, delta, tuple(draws), (Fraction(1, len(draws)),) * len(draws))


@check(
    vote_has_a_tail,
    kind=Kind.ENUMERATED,
    domain="a square and a star of two points: 2 and 4 uniform samples, every target; delta 1/20,"
    " 1/9 and 1/3",
)
def every_sample(_: Budget) -> Iterator[Errors]:
    """Where the bound says nothing yet, and errors are largest."""
    for rows, samples in product((SQUARE, coded(star(2))), (2, 4)):
        for target, delta in product(rows, (Fraction(1, 20), Fraction(1, 9), Fraction(1, 3))):
            yield distribution(rows, target, samples, delta)
