"""Exact checks of the claims about exact risks."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from rolltheory.claims import Budget, Kind, check
from rolltheory.dimension.claims.exact_risks import (
    FreeBits,
    Needle,
    SumRule,
    erm_pays_for_the_graph_dimension,
    free_bits_cost_the_same_at_any_length,
    one_learner_has_no_tail,
)

__all__ = ["every_free_bit", "every_needle", "every_sum_rule"]


@check(
    free_bits_cost_the_same_at_any_length,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "1 to 3 bits, traces of 1, 2 and 8 tokens, up to 3 samples",
        "deep": "1 to 4 bits, traces of 1, 2, 8 and 64 tokens, up to 5 samples",
    },
)
def every_free_bit(budget: Budget) -> Iterator[FreeBits]:
    """All targets, all samples."""
    bits, samples = (4, 5) if budget.deep else (3, 3)
    lengths = (1, 2, 8, 64) if budget.deep else (1, 2, 8)
    for d, steps, m in product(range(1, bits + 1), lengths, range(samples + 1)):
        yield FreeBits(d, steps, m)


@check(
    erm_pays_for_the_graph_dimension,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "2 to 4 prompts, 0 to 8 samples",
        "deep": "2 to 6 prompts, 0 to 10 samples",
    },
)
def every_needle(budget: Budget) -> Iterator[Needle]:
    """All samples, all hypotheses that agree with them."""
    prompts, samples = (6, 10) if budget.deep else (4, 8)
    for n, m in product(range(2, prompts + 1), range(samples + 1)):
        yield Needle(n, m)


@check(
    one_learner_has_no_tail,
    kind=Kind.ENUMERATED,
    domain="twice as many prompts as samples, a power of two of these from 2 to 512; up to 4 by all"
    " samples",
)
def every_sum_rule(_: Budget) -> Iterator[SumRule]:
    """An exponential is beaten once there are enough."""
    return (SumRule(2 ** (k + 1), 2**k) for k in range(1, 10))
