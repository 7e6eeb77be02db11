"""Exact checks of the claims about corrections and selection."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from typing import Any

from proofs_checks.staleness.grids import distributions
from rolltheory.claims import Budget, Kind, Sides, check
from rolltheory.staleness.claims.corrections import (
    Bandit,
    Shaped,
    Turned,
    alignment_reaches_the_threshold,
    alignment_shortens_by_a_known_factor,
    baseline_has_least_variance,
    baseline_keeps_the_mean,
    factor,
    shaping_factor_is_at_most_a_quarter,
    shaping_factor_is_the_slope,
)
from rolltheory.staleness.claims.selection import (
    Agreement,
    Kept,
    Rejected,
    TwoAgreements,
    dropping_is_called_harmless,
    dropping_moves_the_mean,
    dropping_moves_the_mean_by_little,
    mean_leaves_the_tail_open,
    rejection_targets_the_accepted_mean,
    tail_separates_equal_means,
)

__all__ = [
    "any_gradient",
    "any_gradient_shortened",
    "any_shaped_token",
    "every_agreement",
    "every_dropping",
    "every_harmful_dropping",
    "every_pair_of_agreements",
    "every_rejection",
    "every_rival",
    "every_shaped_token",
    "every_shift",
    "every_small_dropping",
]


@check(
    baseline_has_least_variance,
    kind=Kind.ENUMERATED,
    domain="three actions, probabilities in sixths, rivals in tenths, exact rationals",
)
def every_rival(_: Budget) -> Iterator[Bandit]:
    """Every pair of policies and every rival baseline."""
    policies = list(distributions(3, 6))
    for learner, sampler, tenths in product(policies, policies, range(11)):
        yield Bandit(learner, sampler, rival=Fraction(tenths, 10))


@check(
    baseline_keeps_the_mean,
    kind=Kind.ENUMERATED,
    domain="three actions, probabilities in sixths, three baselines, exact rationals",
)
def every_shift(_: Budget) -> Iterator[Bandit]:
    """Every pair of policies."""
    policies = list(distributions(3, 6))
    for learner, sampler, baseline in product(policies, policies, (-1, 0, 2)):
        yield Bandit(learner, sampler, rival=Fraction(baseline))


def projected(case: Turned) -> list[Any]:
    """The projection in symbols."""
    import sympy

    sine = sympy.sqrt(sympy.cancel(1 - case.threshold**2))
    return [case.threshold * case.across / sine, case.across]


def cosine_in_symbols(case: Turned, project: Any = projected) -> Sides:
    """Squares of both sides, which are not negative."""
    along, across = project(case)
    return Sides(along**2 / (along**2 + across**2), case.threshold**2)


def gradient_in_symbols() -> Turned:
    """Any gradient that the projection acts on; the threshold is the cosine of any angle."""
    import sympy

    along, across, cotangent = sympy.symbols("along across cotangent", positive=True)
    return Turned(along, across, cotangent / sympy.sqrt(1 + cotangent**2))


@check(
    alignment_reaches_the_threshold,
    kind=Kind.PROVED,
    domain="every gradient and threshold",
    route=cosine_in_symbols,
    teeth={name: tooth.subject for name, tooth in alignment_reaches_the_threshold.teeth.items()},
)
def any_gradient(_: Budget) -> Iterator[Turned]:
    """Both parts and the threshold as symbols."""
    yield gradient_in_symbols()


def norm_in_symbols(case: Turned, ratio: Any = lambda c2, t2: (1 - c2) / (1 - t2)) -> Sides:
    """Squares of both sides, in the squares of cosine and threshold."""
    along, across = projected(case)
    before = case.along**2 + case.across**2
    return Sides((along**2 + across**2) / before, ratio(case.along**2 / before, case.threshold**2))


@check(
    alignment_shortens_by_a_known_factor,
    kind=Kind.PROVED,
    domain="every gradient and threshold",
    route=norm_in_symbols,
    teeth={
        "the orthogonal part alone": lambda c2, _: 1 - c2,
        "threshold over cosine": lambda c2, t2: t2 / c2,
    },
)
def any_gradient_shortened(_: Budget) -> Iterator[Turned]:
    """Both parts and the threshold as symbols."""
    yield gradient_in_symbols()


@check(
    shaping_factor_is_at_most_a_quarter,
    kind=Kind.ENUMERATED,
    domain="probabilities in twentieths, gamma in {1/10, 3/10, 1/2, 1}, exact rationals",
)
def every_shaped_token(_: Budget) -> Iterator[Shaped]:
    """Every probability, on both sides of gamma and at it."""
    for twentieths, tenths in product(range(21), (1, 3, 5, 10)):
        yield Shaped(Fraction(twentieths, 20), Fraction(tenths, 10))


def slope_in_symbols(case: Shaped, slope: Any = factor) -> Sides:
    """The derivative in the log-probability."""
    import sympy

    p, gamma = case.probability, case.gamma
    return Sides(p * sympy.diff(p / (p + gamma), p), slope(p, gamma))


@check(
    shaping_factor_is_the_slope,
    kind=Kind.PROVED,
    domain="every probability and gamma",
    route=slope_in_symbols,
    teeth={name: tooth.subject for name, tooth in shaping_factor_is_the_slope.teeth.items()},
)
def any_shaped_token(_: Budget) -> Iterator[Shaped]:
    """Probability and gamma as symbols."""
    import sympy

    yield Shaped(*sympy.symbols("p gamma", positive=True))


@check(
    rejection_targets_the_accepted_mean,
    kind=Kind.ENUMERATED,
    domain="two binary tokens, probabilities in quarters, thresholds 1/2, 1 and 3/2",
)
def every_rejection(_: Budget) -> Iterator[Rejected]:
    """Every dense and sparse policy, two learners."""
    policies = list(product([Fraction(j, 4) for j in (1, 2, 3)], repeat=2))
    thresholds = [Fraction(1, 2), Fraction(1), Fraction(3, 2)]
    for dense, sparse, threshold in product(policies, policies, thresholds):
        for learner in ((Fraction(1, 3), Fraction(2, 3)), dense):
            yield Rejected(learner, dense, sparse, threshold)


def droppings(chances: tuple[int, ...]) -> Iterator[Kept]:
    """Three prompts, kept with the given chances in quarters."""
    weights = [(Fraction(1, 3),) * 3, (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6))]
    values = (Fraction(0), Fraction(1), Fraction(1, 2))
    for row, kept in product(weights, product(chances, repeat=3)):
        if any(kept):
            yield Kept(row, tuple(Fraction(c, 4) for c in kept), values)


@check(
    dropping_moves_the_mean,
    kind=Kind.ENUMERATED,
    domain="three prompts, chances to be kept 0, 1/4, 3/4 and 1",
)
def every_dropping(_: Budget) -> Iterator[Kept]:
    """Every way to drop."""
    return droppings((0, 1, 3, 4))


@check(
    dropping_moves_the_mean_by_little,
    kind=Kind.ENUMERATED,
    domain="two and three prompts, chances to be kept 0, 1/4, 3/4 and 1",
)
def every_small_dropping(_: Budget) -> Iterator[Kept]:
    """Every way to drop, and the one that attains the bound."""
    yield from droppings((0, 1, 3, 4))
    ends = (Fraction(1), Fraction(0))
    yield Kept((Fraction(1, 2), Fraction(1, 2)), ends, ends)


@check(
    dropping_is_called_harmless,
    kind=Kind.ENUMERATED,
    domain="three prompts, chances to be kept 1/4, 3/4 and 1",
)
def every_harmful_dropping(_: Budget) -> Iterator[Kept]:
    """Every way to drop that starves no prompt altogether."""
    return droppings((4, 3, 1))


def agreements() -> list[Agreement]:
    """Four tokens each, the lowest quarter as tail."""
    values = [Fraction(j, 4) for j in range(5)]
    rows = combinations_with_replacement(values, 4)
    return [Agreement(row, Fraction(1, 4)) for row in rows]


@check(
    mean_leaves_the_tail_open,
    kind=Kind.ENUMERATED,
    domain="four tokens, agreements in quarters, the lower quartile",
)
def every_agreement(_: Budget) -> Iterator[Agreement]:
    """Every sampler of four tokens, and six tokens whose tail lies above their mean."""
    yield from agreements()
    yield Agreement((Fraction(0), *([Fraction(1)] * 5)), Fraction(1, 4))


@check(
    tail_separates_equal_means,
    kind=Kind.ENUMERATED,
    domain="pairs of four tokens, agreements in quarters, the lower quartile",
)
def every_pair_of_agreements(_: Budget) -> Iterator[TwoAgreements]:
    """Every pair of samplers."""
    return (TwoAgreements(*pair) for pair in combinations(agreements(), 2))
