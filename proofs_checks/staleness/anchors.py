"""Exact checks of the claims about anchors, masks and KL estimators."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

from proofs_checks.staleness.balls import ball, enclosure
from proofs_checks.staleness.grids import distributions
from rolltheory.claims import Budget, Kind, Sides, check
from rolltheory.staleness.claims.anchors import (
    Anchored,
    Averaged,
    Interpolated,
    Tokens,
    decoupled_weight_is_the_total_ratio,
    ewma_lag_at_finite_length,
    ewma_lag_has_a_limit,
    interpolation_reparametrises_the_clip,
    quiet_reading_is_called_fresh,
    recomputed_anchor_is_inert,
)
from rolltheory.staleness.claims.divergences import (
    Batch,
    k1_is_called_non_negative,
    k3_is_unbiased,
    mean_of,
)
from rolltheory.staleness.claims.masks import (
    MaskedPolicies,
    Squares,
    Token,
    Update,
    clamp_meets_the_budget,
    clip_fraction_is_called_drift,
    mask_meets_the_budget,
    masked_mass_is_bounded,
    two_sided_mask_ignores_sign,
)
from rolltheory.staleness.claims.policies import Policies

__all__ = [
    "every_anchor",
    "every_average",
    "every_average_with_its_limit",
    "every_batch_of_logs",
    "every_capped_batch",
    "every_decay_at_once",
    "every_interpolation",
    "every_masked_batch",
    "every_masked_pair",
    "every_policy_at_once",
    "every_quiet_batch",
    "every_recomputed_batch",
    "every_token",
    "every_update",
]

TENTHS = [Fraction(j, 10) for j in (1, 3, 5, 9)]


@check(
    decoupled_weight_is_the_total_ratio,
    kind=Kind.ENUMERATED,
    domain="probabilities in {1/10, 3/10, 5/10, 9/10}, advantages -1 and 2",
)
def every_anchor(_: Budget) -> Iterator[Anchored]:
    """Every learner, anchor and sampler."""
    for row in product(TENTHS, repeat=3):
        yield from (Anchored(*row, Fraction(gain)) for gain in (-1, 2))


def batches() -> Iterator[Tokens]:
    """Two tokens, at any lag; the learner's own probabilities as anchor."""
    rows = list(product(TENTHS, repeat=2))
    for learner, sampler, gap in product(rows, rows, (1, 64)):
        yield Tokens(learner, sampler, (1, -1), recomputed=learner, gap=gap)


@check(
    recomputed_anchor_is_inert,
    kind=Kind.ENUMERATED,
    domain="two tokens, probabilities in {1/10, 3/10, 5/10, 9/10}, lags 1 and 64",
)
def every_recomputed_batch(_: Budget) -> Iterator[Tokens]:
    """Learner and sampler arbitrarily far apart."""
    return batches()


@check(
    quiet_reading_is_called_fresh,
    kind=Kind.ENUMERATED,
    domain="two tokens, probabilities in {1/10, 3/10, 5/10, 9/10}, lags 1 and 64",
)
def every_quiet_batch(_: Budget) -> Iterator[Tokens]:
    """Learner and sampler arbitrarily far apart, or equal."""
    return batches()


@check(
    ewma_lag_at_finite_length, kind=Kind.ENUMERATED, domain="decays in tenths, at most 12 updates"
)
def every_average(_: Budget) -> Iterator[Averaged]:
    """Every decay in tenths."""
    for updates in range(1, 13):
        yield from (Averaged(Fraction(j, 10), updates) for j in range(10))


@check(
    ewma_lag_at_finite_length,
    kind=Kind.PROVED,
    domain={"gate": "every decay, at most 5 updates", "deep": "every decay, at most 10 updates"},
)
def every_decay_at_once(budget: Budget) -> Iterator[Averaged]:
    """Both sides as rational functions of the decay."""
    import sympy

    decay = sympy.Symbol("b", positive=True)
    return (Averaged(decay, updates) for updates in range(1, 11 if budget.deep else 6))


@check(ewma_lag_has_a_limit, kind=Kind.ENUMERATED, domain="decays in tenths, 1, 4 and 40 updates")
def every_average_with_its_limit(_: Budget) -> Iterator[Averaged]:
    """From one update to many."""
    for updates in (1, 4, 40):
        yield from (Averaged(Fraction(j, 10), updates) for j in range(10))


@check(
    interpolation_reparametrises_the_clip,
    kind=Kind.ENUMERATED,
    domain="step ratios in 40ths up to 2, lags 1 to 16, widths 0.2/0.2 and 0.2/0.28, both signs",
)
def every_interpolation(_: Budget) -> Iterator[Interpolated]:
    """Ratios on, inside and outside the edges."""
    widths = [(Fraction(1, 5), Fraction(1, 5)), (Fraction(1, 5), Fraction(7, 25))]
    for lag, j, sign, (low, high) in product((1, 2, 3, 8, 16), range(20, 81), (1, -1), widths):
        yield Interpolated(Fraction(j, 40), lag, sign, low, high)


@check(
    masked_mass_is_bounded,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "three actions, probabilities in tenths, two pairs of widths; pairs near the edge",
        "deep": "three actions, probabilities in 16ths, two pairs of widths; pairs near the edge",
    },
)
def every_masked_pair(budget: Budget) -> Iterator[MaskedPolicies]:
    """Every pair of policies, then ratios just outside the band."""
    policies = list(distributions(3, 16 if budget.deep else 10))
    widths = [(Fraction(1, 5), Fraction(1, 5)), (Fraction(3, 10), Fraction(5))]
    for learner, sampler, (low, high) in product(policies, policies, widths):
        yield MaskedPolicies(learner, sampler, low, high)
    for k in (1, 10, 100):
        part, quarter = Fraction(1, 1000 * k), Fraction(1, 4)
        learner = (quarter * 6 / 5 + part, quarter * 4 / 5 - part, Fraction(1, 2))
        yield MaskedPolicies(learner, (quarter, quarter, Fraction(1, 2)))


@check(
    two_sided_mask_ignores_sign,
    kind=Kind.ENUMERATED,
    domain="ratios 0.69, 0.7, 1, 6 and 6.01, every sign",
)
def every_token(_: Budget) -> Iterator[Token]:
    """Both edges of the published band, from both sides."""
    ratios = [Fraction(r, 100) for r in (69, 70, 100, 600, 601)]
    return (Token(ratio, sign) for ratio, sign in product(ratios, (1, -1)))


@check(
    clip_fraction_is_called_drift,
    kind=Kind.ENUMERATED,
    domain="up to two tokens, ratios in {1/2, 1, 6/5, 3/2}, both signs",
)
def every_update(_: Budget) -> Iterator[Update]:
    """Every update of one or two tokens."""
    ratios = [Fraction(1), Fraction(6, 5), Fraction(1, 2), Fraction(3, 2)]
    tokens = [Token(ratio, sign) for ratio, sign in product(ratios, (1, -1))]
    for count in (1, 2):
        yield from map(Update, combinations_with_replacement(tokens, count))


def squares() -> Iterator[Squares]:
    """Every batch of at most four harmful tokens."""
    values = [Fraction(n, 100) for n in (1, 4, 9, 25, 100)]
    for count in range(5):
        for harmful in combinations_with_replacement(values, count):
            yield from (Squares(harmful, Fraction(n, 100)) for n in (4, 5))


@check(
    mask_meets_the_budget,
    kind=Kind.ENUMERATED,
    domain="at most 4 tokens, squares in {1, 4, 9, 25, 100}/100, budgets 0.04 and 0.05",
)
def every_masked_batch(_: Budget) -> Iterator[Squares]:
    """Every small batch."""
    return squares()


@check(
    clamp_meets_the_budget,
    kind=Kind.ENUMERATED,
    domain="at most 4 tokens, squares in {1, 4, 9, 25, 100}/100, budgets 0.04 and 0.05",
)
def every_capped_batch(_: Budget) -> Iterator[Squares]:
    """Every small batch."""
    return squares()


def k3_in_symbols(case: Policies, estimate: Any = lambda r, log_r: r - 1 - log_r) -> Sides:
    """Means over the sampler, the logarithms of the ratios being free symbols."""
    import sympy

    pairs = list(zip(case.ratios, sympy.symbols(f"l:{len(case.ratios)}"), strict=True))
    return Sides(
        sympy.expand(mean_of(lambda pair: estimate(*pair), case, pairs)),
        sympy.expand(mean_of(lambda pair: -pair[1], case, pairs)),
    )


@check(
    k3_is_unbiased,
    kind=Kind.PROVED,
    domain="every pair of policies of 2 and of 3 actions, whatever the logs of their ratios",
    route=k3_in_symbols,
    teeth={
        "k2": lambda _, log_r: log_r**2 / 2,
        "k3 of the inverse ratio": lambda r, log_r: 1 / r - 1 + log_r,
    },
)
def every_policy_at_once(_: Budget) -> Iterator[Policies]:
    """Probabilities as symbols, the last one the rest."""
    import sympy

    for actions in (2, 3):
        p = sympy.symbols(f"p:{actions - 1}", positive=True)
        q = sympy.symbols(f"q:{actions - 1}", positive=True)
        yield Policies((*p, 1 - sum(p)), (*q, 1 - sum(q)))


def batch_in_balls(case: Batch, estimate: Any = lambda x: -x) -> Sides:
    """The mean of an estimator, in ball arithmetic."""
    total = sum((estimate(ball(x)) for x in case.log_ratios), ball(0))
    return Sides(enclosure(total / len(case.log_ratios)), 0)


@check(
    k1_is_called_non_negative,
    kind=Kind.CERTIFIED,
    domain="up to two tokens, log-ratios in {-2, -1/3, 1/100, 1}, ball arithmetic",
    route=batch_in_balls,
    teeth={"k2": lambda x: x * x / 2, "k3": lambda x: x.exp() - 1 - x},
)
def every_batch_of_logs(_: Budget) -> Iterator[Batch]:
    """Every batch of one or two tokens."""
    values = [Fraction(-2), Fraction(-1, 3), Fraction(1, 100), Fraction(1)]
    for count in (1, 2):
        yield from map(Batch, combinations_with_replacement(values, count))
