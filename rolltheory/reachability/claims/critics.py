"""Claims about what errors and pools of a critic do to the Pass@k that it predicts."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from rolltheory.claims import (
    Counterexample,
    Enclosure,
    Relation,
    Sides,
    Source,
    Tight,
    Tooth,
    Unbroken,
    Verdict,
    claim,
)
from rolltheory.reachability.claims.predictions import Pool, Prediction, Predictions
from rolltheory.reachability.critics import (
    calibration_gap_bound_exact,
    pass_at_k_error_bound_exact,
    pass_at_k_error_bound_near_exact,
)
from rolltheory.reachability.exact import pass_at_k_probability_exact

__all__ = [
    "calibration_is_kept",
    "calibration_is_kept_iff",
    "errors_propagate",
    "errors_propagate_by_slope",
    "errors_propagate_near",
    "mean_errors_propagate",
    "noise_promises_too_little",
    "pools_promise_too_much",
    "promises_are_limited",
]

PAGE = "docs/theory/reachability.md#critics"
HALF, THIRD, QUARTER = Fraction(1, 2), Fraction(1, 3), Fraction(1, 4)
ZERO, ONE = Fraction(0), Fraction(1)
SWAPPED = {"direction swapped": Tooth(relation=Relation.AT_LEAST)}

Modulus = Callable[[Any, int], Any]


def other_moduli(honest: Modulus) -> dict[str, Modulus]:
    """Wrong bounds of the error of Pass@k by the error of the critic."""
    return {
        "10 % smaller": lambda error, k: honest(error, k) * 9 / 10,
        "one try less": lambda error, k: honest(error, max(k - 1, 1)),
        "the error itself": lambda error, _: error,
        "half the error counted": lambda error, k: honest(error / 2, k),
    }


@claim(
    "reachability.critic.error",
    statement=r"|f_k(v) - f_k(V)| \le f_k(|v - V|) = 1 - (1 - |v - V|)^k \le k\,|v - V|, \quad"
    r" f_k(v) = 1 - (1 - v)^k",
    relation=Relation.AT_MOST,
    source=Source.derived(PAGE),
    assumes={},
    teeth=other_moduli(pass_at_k_error_bound_exact) | SWAPPED,
    tight=Tight(Prediction(ZERO, HALF, 3)),
)
def errors_propagate(case: Prediction, bound: Modulus = pass_at_k_error_bound_exact) -> Sides:
    """An error of the critic becomes at most the Pass@k of that error.

    Attained by every error at states from which no try succeeds.
    """
    return Sides(case.pass_at_k_error(), bound(case.error, case.k))


Near = Callable[[Any, Any, int], Any]
PROMISE = "the critic's error is at most e"


def other_near(honest: Near) -> dict[str, Near]:
    """Wrong bounds where the critic's value is known."""

    def rise_only(value: Any, error: Any, k: int) -> Any:
        return (1 - value) ** k - max(1 - value - error, 0) ** k

    return {
        "10 % smaller": lambda value, error, k: honest(value, error, k) * 9 / 10,
        "the slope at v": lambda value, error, k: k * (1 - value) ** (k - 1) * error,
        "errors upwards only": rise_only,
        "half the error counted": lambda value, error, k: honest(value, error / 2, k),
    }


@claim(
    "reachability.critic.error_near",
    statement=r"|V - v| \le e \implies |f_k(v) - f_k(V)| \le"
    r" \max\{f_k(v) - f_k((v - e)^+),\ f_k(\min(v + e, 1)) - f_k(v)\}",
    relation=Relation.AT_MOST,
    source=Source.derived(PAGE),
    assumes={PROMISE: lambda case: abs(case.predicted - case.actual) <= case.error},
    teeth=other_near(pass_at_k_error_bound_near_exact) | SWAPPED,
    breaks={
        PROMISE: Counterexample(
            Prediction(HALF, ZERO, 1, promised_error=QUARTER), "A larger error does more."
        )
    },
    tight=Tight(Prediction(QUARTER, HALF, 3)),
)
def errors_propagate_near(
    case: Prediction, bound: Near = pass_at_k_error_bound_near_exact
) -> Sides:
    """Where the critic's value is known, its error costs no more than at an end of its range."""
    return Sides(case.pass_at_k_error(), bound(case.predicted, case.error, case.k))


def slope_bound(actual: Any, predicted: Any, k: int) -> Any:
    """The slope of Pass@k at the smaller value, times the error."""
    return k * (1 - min(actual, predicted)) ** (k - 1) * abs(predicted - actual)


other_slope_bounds: dict[str, Near] = {
    "10 % smaller": lambda v, w, k: slope_bound(v, w, k) * 9 / 10,
    "the slope at the larger value": lambda v, w, k: k * (1 - max(v, w)) ** (k - 1) * abs(v - w),
    "the factor k dropped": lambda v, w, k: slope_bound(v, w, k) / k,
}


@claim(
    "reachability.critic.error_slope",
    statement=r"|f_k(v) - f_k(V)| \le k\,(1 - \min(v, V))^{k-1}\, |v - V|",
    relation=Relation.AT_MOST,
    source=Source.derived(PAGE),
    assumes={},
    teeth=other_slope_bounds | SWAPPED,
    tight=Tight(Prediction(THIRD, HALF, 1)),
)
def errors_propagate_by_slope(case: Prediction, bound: Near = slope_bound) -> Sides:
    """Far from zero, errors of the critic hardly matter: they count by the slope of Pass@k.

    Attained at k = 1, and for every k in the limit of a small error.
    """
    return Sides(case.pass_at_k_error(), bound(case.actual, case.predicted, case.k))


@claim(
    "reachability.critic.mean_error",
    statement=r"\bigl(E|f_k(v) - f_k(V)|^r\bigr)^{1/r} \le f_k\bigl((E|v - V|^r)^{1/r}\bigr),"
    r" \quad r \in \{1, 2\}; \quad\text{hence}\quad"
    r" E(f_k(v) - f_k(V))^2 \le k^2\, E(v - V)^2",
    relation=Relation.AT_MOST,
    source=Source.derived(PAGE),
    assumes={},
    teeth=other_moduli(pass_at_k_error_bound_exact) | SWAPPED,
    tight=Tight(Predictions((ZERO,), (HALF,), 3, 2)),
)
def mean_errors_propagate(case: Predictions, bound: Modulus = pass_at_k_error_bound_exact) -> Sides:
    """Over any population of states, mean and mean square errors propagate by the same modulus.

    At k = 1 both sides are one number. The r-th powers of both sides are compared; roots are
    enclosed to 30 digits.
    """
    error = case.error()
    low, high = bound(error.low, case.k), bound(min(error.high, ONE), case.k)
    return Sides(case.pass_at_k_error(), Enclosure(low**case.power, high**case.power))


CALIBRATED = "the critic is calibrated for Pass@1: it says the mean value of the pool"


def is_calibrated(case: Pool) -> bool:
    """Whether the critic says the mean."""
    return case.predicted == case.mean


@claim(
    "reachability.critic.calibration_kept",
    statement=r"E[V | v] = v \implies E[f_k(V) | v] = f_k(v)",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={CALIBRATED: is_calibrated},
    repairs={"V is a function of v: unlike states are told apart": Pool.by_value},
    breaks={CALIBRATED: Unbroken("false with it already")},
    declared=Verdict.REFUTED,
    repaired_by="reachability.critic.calibration_iff",
)
def calibration_is_kept(case: Pool, promise: Any = Pool.promised) -> Sides:
    """A critic that is calibrated for Pass@1 is calibrated for Pass@k.

    It is not, as soon as it gives one value to unlike states: a pool of V = 0 and V = .2, of which
    it rightly says .1, gets a promised Pass@16 of .815 and has .486. At k = 128 it is 1 and .5.
    """
    return Sides(promise(case), case.actual())


def kept(case: Pool) -> bool:
    """One try, or a pool of one value."""
    return case.k == 1 or len(set(case.values)) == 1


other_conditions: dict[str, Callable[[Pool], bool]] = {
    "always": lambda _: True,
    "only for one try": lambda case: case.k == 1,
    "for up to two tries": lambda case: case.k <= 2 or kept(case),
    "if the values are symmetric": lambda case: (
        kept(case) or sorted(case.values) == sorted(2 * case.mean - v for v in case.values)
    ),
}


@claim(
    "reachability.critic.calibration_iff",
    statement=r"E[V | v] = v \implies"
    r" \bigl(E[f_k(V) | v] = f_k(v) \iff k = 1 \text{ or } V \text{ is a function of } v\bigr)",
    relation=Relation.EQUAL,
    source=Source.derived(PAGE),
    assumes={CALIBRATED: is_calibrated},
    teeth=other_conditions,
    breaks={
        CALIBRATED: Counterexample(
            Pool((ONE,), (HALF,), 2, said=QUARTER), "A wrong value is wrong for Pass@k too."
        )
    },
)
def calibration_is_kept_iff(case: Pool, condition: Any = kept) -> Sides:
    """A calibrated critic stays calibrated for Pass@k exactly if it pools no unlike states.

    A pool's states have positive chances.
    """
    return Sides(case.promised() == case.actual(), condition(case))


Promise = Callable[[Any, int], Any]


def other_limits(honest: Promise) -> dict[str, Promise]:
    """Wrong limits of Pass@k by the Pass@k of a mean."""
    return {
        "10 % smaller": lambda value, k: honest(value, k) * 9 / 10,
        "one try less": lambda value, k: honest(value, max(k - 1, 1)),
        "no more than Pass@1": lambda value, _: value,
    }


@claim(
    "reachability.critic.overpromise",
    statement=r"E[V | v] = v \implies E[f_k(V) | v] \le f_k(v)",
    relation=Relation.AT_MOST,
    source=Source.derived(PAGE),
    assumes={CALIBRATED: is_calibrated},
    teeth=other_limits(pass_at_k_probability_exact) | SWAPPED,
    breaks={
        CALIBRATED: Counterexample(
            Pool((ONE,), (HALF,), 1, said=QUARTER), "A value that is too low promises too little."
        )
    },
    tight=Tight(Pool((HALF, HALF), (THIRD, THIRD), 2)),
)
def pools_promise_too_much(case: Pool, limit: Promise = pass_at_k_probability_exact) -> Sides:
    """A calibrated critic promises too much Pass@k for every pool, never too little."""
    return Sides(case.actual(), limit(case.predicted, case.k))


UNBIASED = "the critic is unbiased: the mean of what it says is the truth"


@claim(
    "reachability.critic.noise",
    statement=r"E[v | V] = V \implies E[f_k(v) | V] \le f_k(V)",
    relation=Relation.AT_MOST,
    source=Source.derived(PAGE),
    assumes={UNBIASED: is_calibrated},
    teeth=other_limits(pass_at_k_probability_exact) | SWAPPED,
    breaks={
        UNBIASED: Counterexample(
            Pool((ONE,), (HALF,), 1, said=QUARTER), "A critic that hopes promises too much."
        )
    },
    tight=Tight(Pool((HALF, HALF), (THIRD, THIRD), 2)),
)
def noise_promises_too_little(case: Pool, limit: Promise = pass_at_k_probability_exact) -> Sides:
    """The Pass@k of an unbiased but noisy critic is too low on average.

    Pools err the other way (reachability.critic.overpromise), so the two faults can hide each
    other. In the cases, the values are what the critic says and the prediction is the truth.
    """
    return Sides(case.actual(), limit(case.predicted, case.k))


def other_gap_bounds(honest: Promise) -> dict[str, Promise]:
    """Wrong bounds of the gap."""
    return {
        "10 % smaller": lambda value, k: honest(value, k) * 9 / 10,
        "one try less": lambda value, k: honest(value, max(k - 1, 1)),
        "by the variance of a fair pool": lambda value, k: k * (k - 1) * value * (1 - value) / 8,
    }


@claim(
    "reachability.critic.overpromise_bound",
    statement=r"E[V | v] = v \implies f_k(v) - E[f_k(V) | v] \le f_k(v) - v",
    relation=Relation.AT_MOST,
    source=Source.derived(PAGE),
    assumes={CALIBRATED: is_calibrated},
    teeth=other_gap_bounds(calibration_gap_bound_exact) | SWAPPED,
    breaks={
        CALIBRATED: Counterexample(
            Pool((ONE,), (ZERO,), 2, said=HALF), "A value that is too high promises any amount."
        )
    },
    tight=Tight(Pool((THIRD, 1 - THIRD), (ONE, ZERO), 4)),
)
def promises_are_limited(case: Pool, bound: Promise = calibration_gap_bound_exact) -> Sides:
    """A calibrated critic promises at most f_k(v) - v too much.

    Attained by a pool of solved and hopeless states, where Pass@k is Pass@1.
    """
    return Sides(case.promised() - case.actual(), bound(case.predicted, case.k))
