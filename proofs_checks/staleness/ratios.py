"""Exact checks of the claims about importance ratios of sequences."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from proofs_checks.staleness.balls import ball, enclosure
from rolltheory.claims import Budget, Enclosure, Kind, Sides, check
from rolltheory.staleness.claims.ratios import (
    ORDERED,
    Padded,
    ScaledExample,
    Steps,
    TwoTokens,
    Versions,
    bias_falls_with_the_ratio,
    full_sequence_ratio_is_unbiased,
    log_ratio_factorises,
    prefix_mean_ends_at_sequence_mean,
    prefix_mean_variance_falls,
    prefix_product_is_called_unbiased,
    prefix_product_variance_grows,
    steps_of_bias,
)

__all__ = [
    "every_biased_pair",
    "every_pair_of_policies",
    "every_path",
    "every_path_of_products",
    "every_response",
    "every_version",
    "scales_in_balls",
]


@check(
    log_ratio_factorises,
    kind=Kind.ENUMERATED,
    domain="two tokens, log-probabilities in {-1/3, -2, -7/2}, exact rationals",
)
def every_version(_: Budget) -> Iterator[Versions]:
    """Every combination of three versions."""
    values = [Fraction(-1, 3), Fraction(-2), Fraction(-7, 2)]
    for now, then, sampler in product(product(values, repeat=2), repeat=3):
        yield Versions(now, then, sampler, then)


def steps(budget: Budget) -> Iterator[Steps]:
    """Every small number of tokens, two step sizes."""
    for tokens in range(1, 11 if budget.deep else 7):
        yield from (Steps(size, tokens) for size in (Fraction(1), Fraction(1, 10)))


@check(
    prefix_mean_variance_falls,
    kind=Kind.ENUMERATED,
    domain={"gate": "every path of at most 6 tokens", "deep": "every path of at most 10 tokens"},
)
def every_path(budget: Budget) -> Iterator[Steps]:
    """All paths of independent two-point tokens."""
    return steps(budget)


@check(
    prefix_product_variance_grows,
    kind=Kind.ENUMERATED,
    domain={"gate": "every path of at most 6 tokens", "deep": "every path of at most 10 tokens"},
)
def every_path_of_products(budget: Budget) -> Iterator[Steps]:
    """All paths of independent two-point tokens."""
    return steps(budget)


@check(
    prefix_mean_ends_at_sequence_mean,
    kind=Kind.ENUMERATED,
    domain="log-ratios in {-1, 0, 2/3}, at most 5 tokens",
)
def every_response(_: Budget) -> Iterator[Padded]:
    """Every response of up to five tokens."""
    values = [Fraction(-1), Fraction(0), Fraction(2, 3)]
    for length in range(1, 6):
        yield from (Padded(logs) for logs in product(values, repeat=length))


def pairs(budget: Budget) -> Iterator[TwoTokens]:
    """Policies of two tokens over a grid, a few rewards."""
    grid = [Fraction(j, 4) for j in (1, 2, 3)]
    learners = [(Fraction(1, 2),) * 3, (Fraction(1, 4), Fraction(2, 3), Fraction(1, 2))]
    rewards = [(1, 0, 0, 1), (1, 0, 0, 0), (3, 1, -2, 0)] if budget.deep else [(1, 0, 0, 1)]
    for learner, sampler, reward in product(learners, product(grid, repeat=3), rewards):
        yield TwoTokens(learner, sampler, reward)


@check(
    full_sequence_ratio_is_unbiased,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "2 learners, samplers in quarters, the rewards of the worked example",
        "deep": "2 learners, samplers in quarters, 3 reward tables",
    },
)
def every_pair_of_policies(budget: Budget) -> Iterator[TwoTokens]:
    """Every response of every pair of policies."""
    return pairs(budget)


@check(
    prefix_product_is_called_unbiased,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "2 learners, samplers in quarters, the rewards of the worked example",
        "deep": "2 learners, samplers in quarters, 3 reward tables",
    },
)
def every_biased_pair(budget: Budget) -> Iterator[TwoTokens]:
    """Every response of every pair of policies."""
    return pairs(budget)


def in_balls(case: ScaledExample, ordered: Any = ORDERED) -> Sides:
    """The largest ratio of one squared bias to the next, in ball arithmetic."""
    example = case.policies(ball, lambda x: x.exp())
    steps_up = [enclosure(step) for step in steps_of_bias(example, ordered)]
    return Sides(Enclosure(max(e.low for e in steps_up), max(e.high for e in steps_up)), 1)


@check(
    bias_falls_with_the_ratio,
    kind=Kind.CERTIFIED,
    domain="the worked example at scales 1/100, 1/10, 1/2, 1 and 6/5, ball arithmetic",
    route=in_balls,
    teeth={name: tooth.subject for name, tooth in bias_falls_with_the_ratio.teeth.items()},
)
def scales_in_balls(_: Budget) -> Iterator[ScaledExample]:
    """From nearly fresh to the edge of the claim."""
    scales = [Fraction(1, 100), Fraction(1, 10), Fraction(1, 2), Fraction(1), Fraction(6, 5)]
    return map(ScaledExample, scales)
