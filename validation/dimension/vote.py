"""Simulations and property tests of the claims about the vote of prefixes."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np

from rolltheory.claims import Budget, Kind, check
from rolltheory.dimension.claims._small_classes import CUBE_3, HEXAGON, SQUARE_3, Rows
from rolltheory.dimension.claims.density import coded, largest_density
from rolltheory.dimension.claims.one_inclusion import whole_heads
from rolltheory.dimension.claims.vote import (
    Drawn,
    Errors,
    Power,
    exponentials_are_below_their_chords,
    harmonic_half_is_below_ln_two,
    vote_errs_where_half_do,
    vote_has_a_tail,
)
from rolltheory.dimension.families import star
from rolltheory.dimension.learners import PrefixVote
from rolltheory.dimension.local_families import markov_tables
from rolltheory.dimension.rollout import rollout_class

__all__ = ["any_exponential", "any_half", "any_sample", "any_vote"]

ERROR_LEVEL = 1e-3


@check(
    vote_errs_where_half_do,
    kind=Kind.PROPERTY_TESTED,
    domain="stars, a cube, the hexagon and a grid of three labels, samples of 2, 4 and 6",
)
def any_vote(_: Budget) -> Any:
    """Longer samples."""
    from hypothesis import strategies as st

    def of(rows: Rows) -> Any:
        def drawn(size: int) -> Any:
            prompts = st.tuples(*[st.integers(0, len(rows[0]) - 1)] * size)
            return st.builds(Drawn, st.just(rows), prompts, st.sampled_from(rows))

        return st.sampled_from((2, 4, 6)).flatmap(drawn)

    pool = (coded(star(3)), coded(star(4)), CUBE_3, HEXAGON, SQUARE_3)
    return st.sampled_from(pool).flatmap(of)


@check(harmonic_half_is_below_ln_two, kind=Kind.PROPERTY_TESTED, domain="even n up to 1,000")
def any_half(_: Budget) -> Any:
    """Far from the first ones."""
    from hypothesis import strategies as st

    return st.integers(100, 500).map(lambda n: 2 * n)


@check(
    exponentials_are_below_their_chords,
    kind=Kind.PROPERTY_TESTED,
    domain="z in ten-thousandths, both signs",
)
def any_exponential(_: Budget) -> Any:
    """Anywhere."""
    from hypothesis import strategies as st

    z = st.integers(1, 9999).map(lambda n: Fraction(n, 10_000))
    return st.builds(Power, z, st.sampled_from((1, -1)))


def simulated(rows: Rows, samples: int, runs: int, rng: np.random.Generator) -> Errors:
    """Votes on a frequent prompt and three rare ones, for uniform targets."""
    vote, weights = PrefixVote(whole_heads(rows)), [Fraction(47, 50), *[Fraction(1, 50)] * 3]
    errors = []
    for _ in range(runs):
        drawn = rng.choice(4, samples, p=[float(weight) for weight in weights])
        target = vote.hypotheses.codes[rng.integers(len(rows))].tolist()
        sample = tuple((x, target[x]) for x in drawn.tolist())
        right = (w for x, w in enumerate(weights) if target[x] in vote.answer(sample, x))
        errors.append(1 - sum(right, Fraction(0)))
    p = ceil(largest_density(rows))
    return Errors(p, samples, Fraction(1, 10), tuple(errors), error_level=ERROR_LEVEL)


@check(
    vote_has_a_tail,
    kind=Kind.SIMULATED,
    domain="Markov tables of order 2, traces of 1 and 16 tokens, 60 samples of a prompt of weight"
    " 0.94 and three of 0.02, uniform targets; 100 runs each",
    error_level=2 * ERROR_LEVEL,
)
def any_sample(budget: Budget) -> Iterator[Errors]:
    """Where the bound says something."""
    family, rng = markov_tables(2), budget.generator()
    for steps in (1, 16):
        rows = coded(rollout_class(family.local, family.prompts, steps=steps))
        yield simulated(rows, 60, 100, rng)
