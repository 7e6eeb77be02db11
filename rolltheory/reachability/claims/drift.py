"""Claims about the mean of one-step Pass@k credit at a prefix."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from rolltheory.claims import (
    Counterexample,
    Relation,
    Sides,
    Source,
    Tight,
    Tooth,
    Unbroken,
    Verdict,
    claim,
)
from rolltheory.reachability.claims.trees import Continuations
from rolltheory.reachability.drift import expected_credit_bounds_exact

__all__ = [
    "credit_falls_at_least",
    "credit_falls_at_most",
    "second_order_suffices",
]

PAGE = "docs/theory/reachability.md#credit"
MEAN = "the value of the prefix is the mean over its continuations"
WITHIN = "the continuations are worth at least a and at most b"
SMALL = "their variance is at most 1/1000"
HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
Bounds = Callable[..., tuple[Any, Any]]

TWO_POINTS = (
    r" g(x, y) = w f_k(x) + (1 - w) f_k(y) - f_k(V), \ w x + (1 - w) y = V = E\,V(s_{t+1}),"
    r" \ \sigma^2 = \mathrm{Var}\,V(s_{t+1})"
)


def is_mean(case: Continuations) -> bool:
    """Whether the prefix is worth what its continuations are worth on average."""
    return case.value == case.mean


def is_within(case: Continuations) -> bool:
    """Whether the stated limits hold."""
    return all(case.lowest <= value <= case.highest for value in case.values)


def second_order(value: Any, variance: Any, k: int) -> Any:
    """The popular formula for small variances."""
    return -k * (k - 1) * (1 - value) ** max(k - 2, 0) * variance / 2


def other_bounds(honest: Bounds) -> dict[str, Bounds]:
    """Wrong ranges of the mean credit, each too narrow on both sides."""

    def narrower(*law: Any, **limits: Any) -> tuple[Any, Any]:
        low, high = honest(*law, **limits)
        return low * 9 / 10, high * 11 / 10

    def swapped(*law: Any, **limits: Any) -> tuple[Any, Any]:
        return honest(*law, **limits)[::-1]

    def one_try_off(value: Any, variance: Any, k: int, **limits: Any) -> tuple[Any, Any]:
        low = honest(value, variance, max(k - 1, 1), **limits)[0]
        return low, honest(value, variance, k + 1, **limits)[1]

    return {
        "10 % narrower": narrower,
        "ends swapped": swapped,
        "one try off": one_try_off,
        "the second-order formula": lambda v, s, k, **_: (second_order(v, s, k),) * 2,
    }


@claim(
    "reachability.credit_drift.most",
    statement=r"-E[\Delta_t | s_t] \le -g\bigl(a,\ V + \tfrac{\sigma^2}{V - a}\bigr), \quad"
    + TWO_POINTS,
    relation=Relation.AT_MOST,
    source=Source.derived(PAGE),
    assumes={MEAN: is_mean, WITHIN: is_within},
    teeth=other_bounds(expected_credit_bounds_exact)
    | {"direction swapped": Tooth(relation=Relation.AT_LEAST)},
    breaks={
        MEAN: Counterexample(
            Continuations((Fraction(1),), (Fraction(0),), 1, prefix=HALF),
            "A critic that hopes too much at the prefix is let down.",
        ),
        WITHIN: Counterexample(
            Continuations((HALF, HALF), (Fraction(0), HALF), 3, lowest=Fraction(1, 8)),
            "One hopeless continuation below the stated limit costs more.",
        ),
    },
    tight=Tight(Continuations((HALF, HALF), (Fraction(0), HALF), 3)),
)
def credit_falls_at_most(
    case: Continuations, bounds: Bounds = expected_credit_bounds_exact
) -> Sides:
    """One-step Pass@k credit is negative on average, by no more than a two-point law allows.

    For given mean and variance within [a, b], the mean credit is lowest if the continuations are
    worth either a or one other value.
    """
    limits = {"lowest": case.lowest, "highest": case.highest}
    return Sides(case.loss(), -bounds(case.value, case.variance, case.k, **limits)[0])


@claim(
    "reachability.credit_drift.least",
    statement=r"-E[\Delta_t | s_t] \ge -g\bigl(b,\ V - \tfrac{\sigma^2}{b - V}\bigr) \ge 0, \quad"
    + TWO_POINTS,
    relation=Relation.AT_LEAST,
    source=Source.derived(PAGE),
    assumes={MEAN: is_mean, WITHIN: is_within},
    teeth=other_bounds(expected_credit_bounds_exact)
    | {"direction swapped": Tooth(relation=Relation.AT_MOST)},
    breaks={
        MEAN: Counterexample(
            Continuations((Fraction(1),), (HALF,), 1, prefix=Fraction(0)),
            "A critic that hopes too little at the prefix is surprised.",
        ),
        WITHIN: Counterexample(
            Continuations(
                (Fraction(3, 4), QUARTER), (QUARTER, Fraction(1)), 3, highest=Fraction(15, 16)
            ),
            "One solved continuation above the stated limit costs less.",
        ),
    },
    tight=Tight(Continuations((Fraction(3, 4), QUARTER), (QUARTER, Fraction(1)), 3)),
)
def credit_falls_at_least(
    case: Continuations, bounds: Bounds = expected_credit_bounds_exact
) -> Sides:
    """One-step Pass@k credit is not centred: on average it falls by at least a two-point law's.

    For given mean and variance within [a, b], the mean credit is highest, and still not positive,
    if the continuations are worth either b or one other value. It is 0 only if k = 1 or all
    continuations are worth the same.
    """
    limits = {"lowest": case.lowest, "highest": case.highest}
    return Sides(case.loss(), -bounds(case.value, case.variance, case.k, **limits)[1])


def twice_second_order(case: Continuations) -> Any:
    """Twice the popular formula."""
    return -2 * second_order(case.value, case.variance, case.k)


def sharp(case: Continuations) -> Fraction:
    """The bound that a two-point law attains."""
    limits = {"lowest": case.lowest, "highest": case.highest}
    return -expected_credit_bounds_exact(case.value, case.variance, case.k, **limits)[0]


@claim(
    "reachability.credit_drift.second_order",
    statement=r"\sigma^2 \le 10^{-3} \implies"
    r" -E[\Delta_t | s_t] \le 2 \cdot \tfrac12 k (k-1) (1 - V)^{k-2} \sigma^2",
    relation=Relation.AT_MOST,
    source=Source.derived(PAGE),
    assumes={
        MEAN: is_mean,
        WITHIN: is_within,
        SMALL: lambda case: case.variance <= Fraction(1, 1000),
    },
    repairs={"the bound of the two-point law": sharp},
    breaks={
        MEAN: Unbroken("false with it already"),
        WITHIN: Unbroken("false with it already"),
        SMALL: Unbroken("false with it already, however small the variance"),
    },
    declared=Verdict.REFUTED,
    repaired_by="reachability.credit_drift.most",
)
def second_order_suffices(case: Continuations, bound: Any = twice_second_order) -> Sides:
    """A small variance of the continuations brings the second-order drift, within a factor of two.

    It does not, however small the variance: a rare hopeless continuation counts by its distance.
    A small range of values does, since then both two-point laws approach the formula.
    """
    return Sides(case.loss(), bound(case))
