"""Exact checks of the claims about aligned drift and about cosines."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from proofs_checks.staleness.arithmetic import BALLS
from rolltheory.claims import Budget, Kind, check
from rolltheory.staleness.claims.cosines import (
    GradientLaw,
    Stream,
    cosine_law_of_fresh_gradients,
    high_cosine_means_stale,
    mean_of_cosines,
)
from rolltheory.staleness.claims.displacement import (
    CollapseSlope,
    DivergenceGrowth,
    OneMoreUpdate,
    Signs,
    aligned_collapse_law,
    closed_form_by_induction,
    displacement_law,
    divergence_grows_as_displacement,
)

__all__ = [
    "every_collapse_slope",
    "every_correlation_at_once",
    "every_divergence",
    "every_horizon_at_once",
    "every_mean_of_signs",
    "every_next_update",
    "every_small_gradient_law",
    "every_small_stream",
    "every_walk_of_signs",
]

CORRELATIONS = tuple(Fraction(j, 4) for j in range(5))


@check(
    displacement_law,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "every walk of up to 7 signs, rho in quarters from -1 to 1",
        "deep": "every walk of up to 13 signs, rho in quarters from -1 to 1",
    },
)
def every_walk_of_signs(budget: Budget) -> Iterator[Signs]:
    """Walks with their probabilities, in rationals."""
    for horizon in range(1, 14 if budget.deep else 8):
        yield from (Signs(horizon, Fraction(j, 4)) for j in range(-4, 5))


@check(
    displacement_law,
    kind=Kind.PROVED,
    domain={"gate": "every rho, T <= 6", "deep": "every rho, T <= 9"},
)
def every_correlation_at_once(budget: Budget) -> Iterator[Signs]:
    """Both sides as polynomials in rho."""
    import sympy

    rho = sympy.Symbol("rho", real=True)
    return (Signs(horizon, rho) for horizon in range(1, 10 if budget.deep else 7))


@check(closed_form_by_induction, kind=Kind.PROVED, domain="every T and rho other than 1")
def every_horizon_at_once(_: Budget) -> Iterator[OneMoreUpdate]:
    """The step of the induction, with symbols for T and rho; its start is part of it."""
    import sympy

    yield OneMoreUpdate(
        sympy.Symbol("T", positive=True, integer=True), sympy.Symbol("rho", positive=True)
    )


@check(
    closed_form_by_induction,
    kind=Kind.ENUMERATED,
    domain={"gate": "T <= 20, rho in sevenths", "deep": "T <= 100, rho in sevenths"},
)
def every_next_update(budget: Budget) -> Iterator[OneMoreUpdate]:
    """Rationals from -6/7 to 6/7."""
    for horizon in range(1, 101 if budget.deep else 21):
        yield from (OneMoreUpdate(horizon, Fraction(j, 7)) for j in range(-6, 7))


@check(
    divergence_grows_as_displacement,
    kind=Kind.CERTIFIED,
    domain={
        "gate": "every walk of up to 8 signs, rho in quarters, success probability 1/2 and 3/4, "
        "steps of 1/100",
        "deep": "the same with up to 14 signs",
    },
    within=Fraction(1, 100),
)
def every_divergence(budget: Budget) -> Iterator[DivergenceGrowth]:
    """Mean divergences in ball arithmetic."""
    for horizon, start in product(range(1, 8 if budget.deep else 5), (1, 3)):
        for rho in CORRELATIONS:
            yield DivergenceGrowth(horizon, rho, Fraction(start), BALLS)


@check(
    aligned_collapse_law,
    kind=Kind.CERTIFIED,
    domain={"gate": "T up to 64, rho in quarters", "deep": "T up to 1024, rho in quarters"},
    within=Fraction(1, 10**12),
)
def every_collapse_slope(budget: Budget) -> Iterator[CollapseSlope]:
    """The counterexample is an unrelated pair of updates."""
    for power in range(11 if budget.deep else 7):
        yield from (CollapseSlope(2**power, rho, arithmetic=BALLS) for rho in CORRELATIONS)


def gradient_laws(dimension: int) -> Iterator[GradientLaw]:
    """Laws on two or three small gradients that are not all equal."""
    vectors = list(product((-1, 1, 3), repeat=dimension))
    for count, weights in ((2, (1, 2)), (2, (1, 1)), (3, (1, 1, 2))):
        for chosen in product(vectors, repeat=count):
            if len(set(chosen)) > 1:
                total = sum(weights)
                chances = tuple(Fraction(w, total) for w in weights)
                yield GradientLaw(tuple(tuple(map(Fraction, g)) for g in chosen), chances)


@check(
    cosine_law_of_fresh_gradients,
    kind=Kind.ENUMERATED,
    domain="laws on 2 or 3 gradients with coordinates -1, 1 or 3, in one and two dimensions",
)
def every_small_gradient_law(_: Budget) -> Iterator[GradientLaw]:
    """Pairs of batches, one by one."""
    yield from gradient_laws(1)
    yield from gradient_laws(2)


@check(
    mean_of_cosines,
    kind=Kind.ENUMERATED,
    domain="laws on 2 or 3 gradients of -1, 1 or 3 in one dimension",
)
def every_mean_of_signs(_: Budget) -> Iterator[GradientLaw]:
    """The counterexample has gradients -1 and 1."""
    return gradient_laws(1)


@check(
    high_cosine_means_stale,
    kind=Kind.ENUMERATED,
    domain="fresh batches of up to 6 equal gradients 3 and -1, and noiseless batches of any lag",
)
def every_small_stream(_: Budget) -> Iterator[Stream]:
    """Larger batches of the same fresh rollouts."""
    for batch in range(1, 7):
        law = GradientLaw(((Fraction(3),), (Fraction(-1),)), (Fraction(1, 2),) * 2)
        snr = batch * law.snr
        yield Stream(0, snr / (1 + snr), snr)
    yield from (Stream(lag, Fraction(1), Fraction(100)) for lag in range(1, 4))
