"""Exact checks of the claims about the stability of delayed ascent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from proofs_checks.staleness.arithmetic import BALLS
from proofs_checks.staleness.balls import ball, enclosure
from rolltheory.claims import Budget, Kind, Sides, check
from rolltheory.staleness.claims.edge import (
    EdgeRoots,
    EveryEdge,
    NumericEdge,
    cosine_at_the_edge,
    root_at_the_edge,
)
from rolltheory.staleness.claims.slopes import MapBias, bias_is_of_first_order
from rolltheory.staleness.claims.stability import (
    Cycle,
    DelayedAscent,
    LongLag,
    OneMoreStep,
    fixed_lag_limit_holds,
    lag_times_rate_is_bounded,
    limit_of_long_lags,
    multiplier_by_induction,
    multiplier_of_a_cycle,
    share_of_one_half,
    sync_limit_holds,
)
from rolltheory.staleness.stability import stability_limit

__all__ = [
    "every_cycle",
    "every_cycle_at_once",
    "every_edge_at_once",
    "every_edge_cosine",
    "every_edge_root",
    "every_fixed_lag",
    "every_lag_at_once",
    "every_limit_at_once",
    "every_long_lag",
    "every_next_step",
    "every_product_of_lag_and_rate",
    "every_slope",
    "every_sync",
]

SHARES = tuple(Fraction(j, 20) for j in (0, 2, 6, 8, 9, 10, 11, 12, 15, 18, 20))
AROUND = tuple(Fraction(j, 100) for j in (50, 98, 102, 150))
STEPS = tuple(map(Fraction, ("1/10", "1/2", "1", "3/2", "3")))


@check(
    multiplier_of_a_cycle,
    kind=Kind.PROVED,
    domain={"gate": "every step and share, S <= 5", "deep": "every step and share, S <= 10"},
)
def every_cycle_at_once(budget: Budget) -> Iterator[Cycle]:
    """With symbols for step and share."""
    import sympy

    x, share = sympy.symbols("x alpha", positive=True)
    return (Cycle(x, lag, share) for lag in range(1, 11 if budget.deep else 6))


@check(
    multiplier_of_a_cycle,
    kind=Kind.ENUMERATED,
    domain={"gate": "S <= 8, eleven shares, five steps", "deep": "S <= 32"},
)
def every_cycle(budget: Budget) -> Iterator[Cycle]:
    """Update by update, in rationals; a share of one included."""
    lags = range(1, 33 if budget.deep else 9)
    return (Cycle(x, lag, share) for lag, share, x in product(lags, SHARES, STEPS))


@check(multiplier_by_induction, kind=Kind.PROVED, domain="every S, step and share below one")
def every_lag_at_once(_: Budget) -> Iterator[OneMoreStep]:
    """The step of the induction, with symbols; its start is part of it."""
    import sympy

    x, share = sympy.symbols("x alpha", positive=True)
    yield OneMoreStep(x, sympy.Symbol("S", positive=True, integer=True), share)


@check(
    multiplier_by_induction,
    kind=Kind.ENUMERATED,
    domain={"gate": "S <= 8, eleven shares, five steps", "deep": "S <= 32"},
)
def every_next_step(budget: Budget) -> Iterator[OneMoreStep]:
    """In rationals; a share of one included."""
    lags = range(33 if budget.deep else 9)
    return (OneMoreStep(x, lag, share) for lag, share, x in product(lags, SHARES, STEPS))


def around_the_limit(budget: Budget, schedule: str) -> Iterator[DelayedAscent]:
    """Steps at half, 0.98, 1.02 and 1.5 times the library's limit, as rationals."""
    for lag, share in product(range(1, 17 if budget.deep else 9), SHARES):
        limit = float(stability_limit(lag, schedule=schedule, behaviour_share=float(share)))
        for part in AROUND:
            step = Fraction(round(limit * part * 10**6), 10**6)
            yield DelayedAscent(step, lag, share, schedule)


AROUND_THE_LIMIT = {
    "gate": "S <= 8, eleven shares from 0 to 1, steps from half to 1.5 times the limit",
    "deep": "S <= 16, eleven shares from 0 to 1, steps from half to 1.5 times the limit",
}


@check(sync_limit_holds, kind=Kind.ENUMERATED, domain=AROUND_THE_LIMIT)
def every_sync(budget: Budget) -> Iterator[DelayedAscent]:
    """Multipliers in rationals."""
    return around_the_limit(budget, "sync")


@check(fixed_lag_limit_holds, kind=Kind.ENUMERATED, domain=AROUND_THE_LIMIT)
def every_fixed_lag(budget: Budget) -> Iterator[DelayedAscent]:
    """Roots by the criterion of Schur and Cohn, in rationals."""
    return around_the_limit(budget, "fixed_lag")


def long_lags(budget: Budget) -> Iterator[DelayedAscent]:
    """Lags of 1 to 16 and shares on either side of one half, steps below 2."""
    steps = tuple(map(Fraction, ("1/2", "1", "19/10")))
    for lag in range(1, 33 if budget.deep else 17):
        for share, step, schedule in product(SHARES, steps, ("sync", "fixed_lag")):
            yield DelayedAscent(step, lag, share, schedule)


LONG_LAGS = {
    "gate": "S <= 16, eleven shares from 0 to 1, steps 1/2, 1 and 19/10, both schedules",
    "deep": "S <= 32, eleven shares from 0 to 1, steps 1/2, 1 and 19/10, both schedules",
}


@check(share_of_one_half, kind=Kind.ENUMERATED, domain=LONG_LAGS)
def every_long_lag(budget: Budget) -> Iterator[DelayedAscent]:
    """Those of `long_lags` that are long enough to matter."""
    return long_lags(budget)


@check(lag_times_rate_is_bounded, kind=Kind.ENUMERATED, domain=LONG_LAGS)
def every_product_of_lag_and_rate(budget: Budget) -> Iterator[DelayedAscent]:
    """The counterexample is a learner whose sampler carries nothing."""
    return long_lags(budget)


def symbolic_limit(case: LongLag, constant: Any = None) -> Sides:
    """The limit itself, by symbolic calculus; the fixed lag for a share of one only."""
    import sympy

    lag = sympy.Symbol("S", positive=True)
    share = sympy.Rational(case.behaviour_share.numerator, case.behaviour_share.denominator)
    rest = 1 - share
    if case.schedule == "fixed_lag":
        step = 2 * sympy.sin(sympy.pi / (2 * (2 * lag + 1)))
    elif rest == 0:
        step = 2 / lag
    else:
        step = (1 - (2 * share - 1) ** (1 / lag)) / rest
    return Sides(sympy.limit(lag * step, lag, sympy.oo), (constant or stated)(share, case.schedule))


def stated(share: Any, schedule: str) -> Any:
    """The constant of the claim, as a symbol."""
    import sympy

    rest = 1 - share
    if schedule == "sync":
        return sympy.log(1 / (2 * share - 1)) / rest if rest else sympy.Integer(2)
    return sympy.acos(-rest / share) / sympy.sqrt(2 * share - 1)


def swapped(share: Any, schedule: str) -> Any:
    """The constants of the schedules, swapped."""
    return stated(share, "sync" if schedule == "fixed_lag" else "fixed_lag")


def without_share(share: Any, schedule: str) -> Any:
    """The constant of a share of one."""
    return stated(share / share, schedule)


@check(
    limit_of_long_lags,
    kind=Kind.PROVED,
    domain="sync with shares 3/5, 3/4, 9/10 and 1; a fixed lag with share 1",
    route=symbolic_limit,
    teeth={"share forgotten": without_share, "schedules swapped": swapped},
)
def every_limit_at_once(_: Budget) -> Iterator[LongLag]:
    """Limits of S times the stability limit."""
    yield LongLag(Fraction(1), "fixed_lag")
    yield from (LongLag(Fraction(share), "sync") for share in ("1", "3/5", "3/4", "9/10"))


@dataclass(frozen=True)
class BallTrigonometry:
    """Trigonometry in balls."""

    @property
    def pi(self) -> Any:
        """The circle number, with the digits of `ball`."""
        return ball(1).atan() * 4

    def sin(self, angle: Any) -> Any:
        """Sine."""
        return angle.sin()

    def cos(self, angle: Any) -> Any:
        """Cosine."""
        return angle.cos()

    def result(self, value: Any) -> Any:
        """As an enclosure."""
        return enclosure(value)


@check(root_at_the_edge, kind=Kind.PROVED, domain="every S")
def every_edge_at_once(_: Budget) -> Iterator[EveryEdge]:
    """With a symbol for half the angle, which stands for the lag."""
    yield EveryEdge()


@check(
    root_at_the_edge,
    kind=Kind.CERTIFIED,
    domain={"gate": "S <= 64", "deep": "S <= 1024"},
    within=Fraction(1, 10**60),
)
def every_edge_root(budget: Budget) -> Iterator[NumericEdge]:
    """Squared modulus of the polynomial, in balls."""
    trigonometry = BallTrigonometry()
    return (NumericEdge(lag, trigonometry) for lag in range(1, 1025 if budget.deep else 65))


@dataclass(frozen=True)
class BallEdge(EdgeRoots):
    """The same, with the roots enclosed."""

    def cosine(self) -> Any:
        """Cosine of the argument of the largest root in the upper half plane."""
        from flint import acb_poly

        rising = [ball(c) for c in reversed(self.coefficients())]
        upper = [root for root in acb_poly(rising).roots() if not root.imag < 0]
        largest = max(upper, key=lambda root: float(abs(root).mid()))
        return enclosure(largest.real / abs(largest))


@check(
    cosine_at_the_edge,
    kind=Kind.CERTIFIED,
    domain={"gate": "S from 1 to 8, shares 0.3, 0.45, 0.6, 0.75, 1", "deep": "S up to 32"},
    within=Fraction(1, 10**7),
)
def every_edge_cosine(budget: Budget) -> Iterator[EdgeRoots]:
    """Roots at the library's limit, in balls."""
    shares = tuple(Fraction(j, 20) for j in (20, 15, 12, 9, 6))
    for lag, share in product(range(1, 33 if budget.deep else 9), shares):
        yield BallEdge(lag, share)


@check(
    bias_is_of_first_order,
    kind=Kind.CERTIFIED,
    domain={
        "gate": "n = 4, 8, 16, success probabilities 0.1, 1/4, 3/4, S of 1 and 2 against 2 and 4",
        "deep": "n up to 32",
    },
    within=Fraction(1, 50),
)
def every_slope(budget: Budget) -> Iterator[MapBias]:
    """Growth of the bias as the lag doubles, in balls."""
    sizes = range(4, 33) if budget.deep else (4, 8, 16)
    odds = (Fraction(1, 9), Fraction(1, 3), Fraction(3))
    for size, start, lag in product(sizes, odds, (1, 2)):
        yield MapBias(size, start, lag, arithmetic=BALLS)
