"""Exact checks of the claims about which data a model is trained on."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from rolltheory.claims import Budget, Kind, check
from rolltheory.graph_world.claims.chains import Decisions
from rolltheory.graph_world.claims.matrices import matrix, vector
from rolltheory.graph_world.claims.training_data import (
    Gaussians,
    Split,
    Window,
    mixture_bounds_the_shift,
    pinsker_by_deviations,
    pinsker_for_gaussians,
    split_is_best,
    window_is_best,
)
from rolltheory.graph_world.claims.value_bounds import leaking_decisions

__all__ = [
    "every_gaussian",
    "every_gaussian_by_deviations",
    "every_replay",
    "every_split",
    "every_window",
]

DISCOUNTS = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))


@check(
    mixture_bounds_the_shift,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "leaks up to 1/20 and shifts up to 1/5 at three discounts; every deterministic "
        "model of a chain on two states and two actions, and mixtures of two past policies",
        "deep": "the same with every deterministic truth",
    },
)
def every_replay(budget: Budget) -> Iterator[Decisions]:
    """Occupancies in rationals."""
    for discount, leak, shift in product(DISCOUNTS, range(3), range(3)):
        yield leaking_decisions(discount, Fraction(leak, 40), shift=Fraction(shift, 10), worst=0)
    laws = [
        tuple(matrix([[1 - a, a] for a in images[i : i + 2]]) for i in (0, 2))
        for images in product((0, 1), repeat=4)
    ]
    past = (matrix([[1, 0], [1, 0]]), matrix([[0, 1], ["1/2", "1/2"]]))
    present = matrix([["3/4", "1/4"], ["1/2", "1/2"]])
    truths = laws if budget.deep else laws[5:7]
    for discount, truth, model, share in product(DISCOUNTS, truths, laws, range(3)):
        shares = vector([Fraction(share, 2), 1 - Fraction(share, 2)])
        yield Decisions(discount, truth, model, matrix([[1, 1], [0, 0]]), present, past, shares)


@check(
    window_is_best,
    kind=Kind.CERTIFIED,
    domain={
        "gate": "drifts 1/50 and 1/3, 1 and 100 samples, best windows of 1/4 to 36 policies, "
        "others from a tenth of that to ten times as long",
        "deep": "the same with best windows up to 10000 policies",
    },
)
def every_window(budget: Budget) -> Iterator[Window]:
    """Roots in rational enclosures."""
    bests = [Fraction(1, 2), Fraction(2), Fraction(6), *([Fraction(100)] if budget.deep else [])]
    others = [Fraction(k, 100) for k in (10, 50, 99, 101, 200, 1000)]
    drifts = (Fraction(1, 50), Fraction(1, 3))
    for drift, samples, best, other in product(drifts, (1, 10), bests, others):
        yield Window(drift, samples, best, other)


@check(
    split_is_best,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "scales and unit costs of 1 and 2, exponents 1 and 2, other shares in tenths",
        "deep": "the same with exponents up to 4 and other shares in hundredths",
    },
)
def every_split(budget: Budget) -> Iterator[Split]:
    """Errors of float splits in rationals."""
    parts, powers = (100, range(1, 5)) if budget.deep else (10, range(1, 3))
    pairs = [(Fraction(a), Fraction(b)) for a, b in ((1, 2), (1, 1), (2, 1))]
    for scales, costs, alpha, beta, share in product(pairs, pairs, powers, powers, range(1, parts)):
        other = Fraction(share, parts)
        best_is_half = scales == costs[::-1] and alpha == beta
        if not (best_is_half and other == Fraction(1, 2)):  # there rounding would decide
            yield Split(Fraction(10), scales, (alpha, beta), costs, other)


def gaussians(budget: Budget) -> Iterator[Gaussians]:
    """From equal ones to ones that hardly overlap."""
    means = [Fraction(1, 20), Fraction(0), Fraction(1, 2), Fraction(8)]
    stds = [Fraction(1, 10), Fraction(1), Fraction(2)]
    if budget.deep:
        means += [Fraction(k, 16) for k in range(1, 33)]
        stds += [Fraction(k, 8) for k in range(1, 20)]
    for mean, std, other_std in product(means, stds, stds):
        yield Gaussians(Fraction(0), mean, std, other_std)


GAUSSIANS = {
    "gate": "shifts 0, 0.05, 0.5 and 8, standard deviations 0.1, 1 and 2",
    "deep": "the same, shifts in 16ths up to 2 and standard deviations in eighths up to 19/8",
}


@check(pinsker_for_gaussians, kind=Kind.CERTIFIED, domain=GAUSSIANS)
def every_gaussian(budget: Budget) -> Iterator[Gaussians]:
    """Total variation in balls."""
    return gaussians(budget)


@check(pinsker_by_deviations, kind=Kind.CERTIFIED, domain=GAUSSIANS)
def every_gaussian_by_deviations(budget: Budget) -> Iterator[Gaussians]:
    """The counterexample is the published one."""
    return gaussians(budget)
