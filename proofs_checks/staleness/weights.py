"""Exact checks of the claims about importance weights and their truncation."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import isqrt
from typing import Any

from proofs_checks.staleness.balls import ball, enclosure
from proofs_checks.staleness.grids import distributions
from rolltheory.claims import Budget, Kind, Sides, check
from rolltheory.staleness.claims.lognormal import (
    Lengths,
    Lognormal,
    deflation_is_called_drift,
    truncated_mean_falls,
    truncated_mean_is_known,
)
from rolltheory.staleness.claims.weights import (
    Clamped,
    Monitored,
    Sampled,
    Threshold,
    TokenLaw,
    Truncated,
    alarm_needs_a_clamp,
    clamped_alarm_is_called_live,
    effective_sample_fraction_has_a_floor,
    high_effective_sample_fraction_is_called_safe,
    rare,
    sequence_fraction_is_a_power,
    truncated_excess_is_bounded,
    truncation_bias_is_bounded,
)

__all__ = [
    "every_clamped_batch",
    "every_excess",
    "every_law_of_tokens",
    "every_length",
    "every_lognormal",
    "every_monitored_batch",
    "every_run",
    "every_threshold",
    "every_truncation",
    "lengths_in_balls",
]


@check(
    effective_sample_fraction_has_a_floor,
    kind=Kind.ENUMERATED,
    domain="up to 6 weights in {1/c, 1, c}, c in {2, 3/2}",
)
def every_clamped_batch(_: Budget) -> Iterator[Clamped]:
    """Every batch of weights at the ends and the middle of the range."""
    for clamp, count in product((Fraction(2), Fraction(3, 2)), range(1, 7)):
        values = [1 / clamp, Fraction(1), clamp]
        for weights in combinations_with_replacement(values, count):
            yield Clamped(weights, 1 / clamp, clamp)


def root(square: Fraction) -> Fraction:
    """Square root of the square of a rational."""
    return Fraction(isqrt(square.numerator), isqrt(square.denominator))


def exact_clamp(tau: Fraction) -> Fraction:
    """The formula, where both roots are rational."""
    return (1 + root(1 - tau)) / root(tau)


def clamp_in_rationals(case: Threshold, clamp: Any = exact_clamp) -> Sides:
    """Both sides as rationals."""
    return Sides(case.floor(clamp(case.tau)), case.tau)


@check(
    alarm_needs_a_clamp,
    kind=Kind.ENUMERATED,
    domain="tau = (2x/(1 + x^2))^2 for x in fortieths, so that both roots are rational",
    route=clamp_in_rationals,
    teeth={
        "as if the floor were 1/c squared": lambda tau: 1 / root(tau),
        "3.352 for 0.3": lambda tau: exact_clamp(tau) * Fraction(99963, 100000),
        "the reciprocal root left out": lambda tau: 1 + root(1 - tau),
    },
)
def every_threshold(_: Budget) -> Iterator[Threshold]:
    """Thresholds from near 0 to near 1."""
    for fortieths in range(1, 40):
        x = Fraction(fortieths, 40)
        yield Threshold((2 * x / (1 + x**2)) ** 2)


@check(
    clamped_alarm_is_called_live,
    kind=Kind.ENUMERATED,
    domain="up to 5 weights in {1/10, 1, 2, 10, 50}",
)
def every_monitored_batch(_: Budget) -> Iterator[Monitored]:
    """Every small batch of raw weights."""
    values = [Fraction(1, 10), Fraction(1), Fraction(2), Fraction(10), Fraction(50)]
    for count in range(1, 6):
        yield from map(Monitored, combinations_with_replacement(values, count))


@check(
    sequence_fraction_is_a_power,
    kind=Kind.ENUMERATED,
    domain="three laws of a token's ratio with mean 1, up to 5 tokens",
)
def every_law_of_tokens(_: Budget) -> Iterator[TokenLaw]:
    """Every path of a few laws."""
    laws = [(1, 3), (1, 1, 4), (2, 3, 4)]
    for law, length in product(laws, range(1, 6)):
        yield TokenLaw(tuple(Fraction(len(law) * part, sum(law)) for part in law), length)


@check(
    high_effective_sample_fraction_is_called_safe,
    kind=Kind.ENUMERATED,
    domain="token fractions 0.5, 0.989, 0.9999 and 1, lengths 1 to 1000",
)
def every_run(_: Budget) -> Iterator[Sampled]:
    """From one token to a thousand."""
    for length in (1, 10, 100, 1000):
        yield from (Sampled(Fraction(n, 10_000), length) for n in (5000, 9890, 9999, 10_000))


@check(
    truncation_bias_is_bounded,
    kind=Kind.ENUMERATED,
    domain="three actions, probabilities in sixths, values in {-1, 0, 1}, caps 1 and 3/2",
)
def every_truncation(_: Budget) -> Iterator[Truncated]:
    """Every pair of policies and every function."""
    policies = list(distributions(3, 6))
    values = [(1, 1, 1), (1, 0, -1), (-1, 1, 0), (0, 0, 1)]
    for learner, sampler, row, cap in product(policies, policies, values, (2, 3)):
        yield Truncated(learner, sampler, tuple(map(Fraction, row)), Fraction(1), Fraction(cap, 2))


@check(
    truncated_excess_is_bounded,
    kind=Kind.ENUMERATED,
    domain="three actions, probabilities in eighths, caps 3/2 and 2; rare actions at 2C - 1",
)
def every_excess(_: Budget) -> Iterator[Truncated]:
    """Every pair of policies, then those that nearly attain the bound."""
    policies = list(distributions(3, 8))
    for learner, sampler, cap in product(policies, policies, (Fraction(3, 2), Fraction(2))):
        yield Truncated(learner, sampler, cap=cap)
    yield from map(rare, (10, 1000, 100_000))


def normal(x: Any) -> Any:
    """The normal distribution function of a ball."""
    return (-x / ball(2).sqrt()).erfc() / 2


def standardised(log_variance: Fraction, cap: Fraction) -> tuple[Any, Any]:
    """d and the standard deviation, as balls."""
    deviation = ball(log_variance).sqrt()
    return ball(cap).log() / deviation + deviation / 2, deviation


def truncated_mean(log_variance: Fraction, cap: Fraction) -> Any:
    """The formula under test."""
    d, deviation = standardised(log_variance, cap)
    return normal(d - deviation) + ball(cap) * normal(-d)


def masked_mean(log_variance: Fraction, cap: Fraction) -> Any:
    """The mask's formula."""
    d, deviation = standardised(log_variance, cap)
    return normal(d - deviation)


def uncentred_mean(log_variance: Fraction, cap: Fraction) -> Any:
    """A log with mean 0."""
    d, deviation = standardised(log_variance, cap)
    d = d - deviation / 2
    return (ball(log_variance) / 2).exp() * normal(d - deviation) + ball(cap) * normal(-d)


def unshifted_mean(log_variance: Fraction, cap: Fraction) -> Any:
    """N(d) not shifted."""
    d, _ = standardised(log_variance, cap)
    return normal(d) + ball(cap) * normal(-d)


def integral(case: Lognormal) -> Any:
    """The mean of the truncated weight by rigorous quadrature, both tails enclosed."""
    from flint import acb, arb

    d, deviation = standardised(case.log_variance, case.cap)
    density = (ball(2) * arb.pi()).sqrt()

    def weighted(z: Any, _: bool) -> Any:
        return (deviation * z - deviation**2 / 2 - z * z / 2).exp() / density

    def capped(z: Any, _: bool) -> Any:
        return ball(case.cap) * (-z * z / 2).exp() / density

    tails = (normal(ball(-38)) * (1 + case.cap.numerator)).union(ball(0))
    return acb.integral(weighted, -40, d).real + acb.integral(capped, d, 40).real + tails


def truncated_mean_in_balls(case: Lognormal, mean: Any = truncated_mean) -> Sides:
    """Quadrature against the formula, in ball arithmetic."""
    return Sides(enclosure(integral(case)), enclosure(mean(case.log_variance, case.cap)))


@check(
    truncated_mean_is_known,
    kind=Kind.CERTIFIED,
    domain="v in {1/4, 1, 337/100, 4}, C in {1/2, 2, 3}, ball arithmetic",
    route=truncated_mean_in_balls,
    teeth={
        "the mask's formula": masked_mean,
        "a log with mean 0": uncentred_mean,
        "N(d) not shifted": unshifted_mean,
    },
    within=Fraction(1, 10**12),
)
def every_lognormal(_: Budget) -> Iterator[Lognormal]:
    """The worked variances and caps, and one cap below 1."""
    variances = [Fraction(1, 4), Fraction(1), Fraction(337, 100), Fraction(4)]
    for variance, cap in product(variances, (Fraction(1, 2), Fraction(2), Fraction(3))):
        yield Lognormal(variance, cap)


def lengths() -> Iterator[Lengths]:
    """Sequences of growing lengths."""
    steps = [(1, 2), (5, 10), (20, 100)]
    for variance, (shorter, longer) in product((Fraction(1, 20), Fraction(1)), steps):
        yield Lengths(variance, shorter, longer)


def deflation_in_balls(case: Lengths, mean: Any = truncated_mean) -> Sides:
    """Both truncated means, in ball arithmetic."""
    sums = (case.token_variance * case.longer, case.token_variance * case.shorter)
    left, right = (enclosure(mean(total, case.cap)) for total in sums)
    return Sides(left, right)


@check(
    truncated_mean_falls,
    kind=Kind.CERTIFIED,
    domain="v per token in {1/20, 1}, lengths up to 100, C = 3, ball arithmetic",
    route=deflation_in_balls,
    teeth={"a log with mean 0": uncentred_mean},
)
def lengths_in_balls(_: Budget) -> Iterator[Lengths]:
    """Longer against shorter."""
    return lengths()


def statistic_in_balls(
    case: Lengths, statistic: Any = lambda v, length, cap: truncated_mean(v * length, cap)
) -> Sides:
    """A statistic at two lengths, in ball arithmetic."""
    left, right = (
        enclosure(statistic(case.token_variance, length, case.cap))
        for length in (case.shorter, case.longer)
    )
    return Sides(left, right)


@check(
    deflation_is_called_drift,
    kind=Kind.CERTIFIED,
    domain="v per token in {1/20, 1}, lengths up to 100, C = 3, ball arithmetic",
    route=statistic_in_balls,
    teeth={"mean log-ratio per token": lambda v, *_: ball(-v / 2)},
    within=Fraction(1, 10**12),
)
def every_length(_: Budget) -> Iterator[Lengths]:
    """The same tokens in responses of different length."""
    return lengths()
