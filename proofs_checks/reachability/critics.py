"""Exact checks of the claims about critics."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from rolltheory.claims import Budget, Kind, Sides, check
from rolltheory.errors import UnsupportedError
from rolltheory.reachability.claims.critics import (
    calibration_is_kept,
    calibration_is_kept_iff,
    errors_propagate,
    errors_propagate_by_slope,
    errors_propagate_near,
    mean_errors_propagate,
    noise_promises_too_little,
    other_moduli,
    pools_promise_too_much,
    promises_are_limited,
)
from rolltheory.reachability.claims.predictions import Pool, Prediction, Predictions

__all__ = [
    "every_calibrated_pool",
    "every_error",
    "every_error_at_once",
    "every_gap",
    "every_noisy_critic",
    "every_pool",
    "every_population",
    "every_promised_error",
    "every_promising_pool",
    "every_slope_error",
]


def predictions(parts: int) -> Iterator[Prediction]:
    """Every true and predicted value of a grid, and as many tries."""
    grid = [Fraction(j, parts) for j in range(parts + 1)]
    for k, actual, predicted in product(range(1, parts + 1), grid, grid):
        yield Prediction(actual, predicted, k)


@check(
    errors_propagate,
    kind=Kind.ENUMERATED,
    domain={"gate": "k <= 8, values in eighths", "deep": "k <= 24, values in 24ths"},
)
def every_error(budget: Budget) -> Iterator[Prediction]:
    """Every pair of values."""
    return predictions(24 if budget.deep else 8)


def modulus(error: Any, k: int) -> Any:
    """Pass@k of the error, for any kind of number."""
    miss = 1
    for _ in range(k):
        miss = miss * (1 - error)
    return 1 - miss


def worst_error(case: Prediction, bound: Any = modulus) -> Sides:
    """Both sides where the solver finds them violated, or at the given case if it finds that
    they never are.
    """
    import z3

    low, error = z3.Reals("low error")
    claimed = bound(error, case.k)
    solver = z3.Solver()
    solver.add(low >= 0, error >= 0, low + error <= 1)
    solver.add(modulus(low + error, case.k) - modulus(low, case.k) > claimed)
    answer = solver.check()
    if answer == z3.unknown:
        raise UnsupportedError("the solver", solver.reason_unknown())
    if answer == z3.sat:
        model = solver.model()
        found, larger = (model.eval(part, model_completion=True) for part in (low, low + error))
        case = Prediction(found.as_fraction(), larger.as_fraction(), case.k)
    return Sides(case.pass_at_k_error(), bound(case.error, case.k))


@check(
    errors_propagate,
    kind=Kind.PROVED,
    domain={"gate": "every v and V, k <= 4, by z3", "deep": "every v and V, k <= 6, by z3"},
    route=worst_error,
    teeth=other_moduli(modulus),
)
def every_error_at_once(budget: Budget) -> Iterator[Prediction]:
    """The negation has no solution among the reals."""
    for k in range(1, 7 if budget.deep else 5):
        yield Prediction(Fraction(1, 4), Fraction(3, 4), k)


@check(
    errors_propagate_near,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "k <= 6, values and promised errors in sixths",
        "deep": "k <= 16, values and promised errors in 16ths",
    },
)
def every_promised_error(budget: Budget) -> Iterator[Prediction]:
    """Every pair of values, and every promise from their distance up."""
    parts = 16 if budget.deep else 6
    for case in predictions(parts):
        for j in range(parts + 1):
            yield Prediction(case.actual, case.predicted, case.k, Fraction(j, parts))


@check(
    errors_propagate_by_slope,
    kind=Kind.ENUMERATED,
    domain={"gate": "k <= 8, values in eighths", "deep": "k <= 24, values in 24ths"},
)
def every_slope_error(budget: Budget) -> Iterator[Prediction]:
    """Every pair of values."""
    return predictions(24 if budget.deep else 8)


@check(
    mean_errors_propagate,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "1 or 2 states, values in quarters, k = 2 to 4, mean absolute and mean square",
        "deep": "1 to 3 states, values in quarters, k = 2 to 6, mean absolute and mean square",
    },
)
def every_population(budget: Budget) -> Iterator[Predictions]:
    """Every population with values on a grid."""
    quarters = [Fraction(j, 4) for j in range(5)]
    most, tries = (3, 6) if budget.deep else (2, 4)
    for states in range(1, most + 1):
        grids = product(quarters, repeat=states), product(quarters, repeat=states)
        for actual, predicted in product(*grids):
            for k, power in product(range(2, tries + 1), (1, 2)):
                yield Predictions(actual, predicted, k, power)


def pools(budget: Budget) -> Iterator[Pool]:
    """Pools of two states of all values and chances of a grid, or of three with equal chances."""
    parts, tries, heaviest = (8, (1, 2, 3, 4, 8), 3) if budget.deep else (4, (1, 2, 4), 2)
    grid = [Fraction(j, parts) for j in range(parts + 1)]
    weights = [*product(range(1, heaviest + 1), repeat=2), (1, 1, 1)]
    for k, row in product(tries, weights):
        chances = tuple(Fraction(weight, sum(row)) for weight in row)
        yield from (Pool(chances, values, k) for values in product(grid, repeat=len(row)))


POOLS = {
    "gate": "2 states of weights 1 or 2, or 3 alike, values in quarters, k in 1, 2, 4",
    "deep": "2 states of weights 1 to 3, or 3 alike, values in eighths, k in 1, 2, 3, 4, 8",
}


@check(calibration_is_kept, kind=Kind.ENUMERATED, domain=POOLS)
def every_calibrated_pool(budget: Budget) -> Iterator[Pool]:
    """Pools of like and of unlike states."""
    return pools(budget)


@check(calibration_is_kept_iff, kind=Kind.ENUMERATED, domain=POOLS)
def every_pool(budget: Budget) -> Iterator[Pool]:
    """Pools of like and of unlike states."""
    return pools(budget)


@check(pools_promise_too_much, kind=Kind.ENUMERATED, domain=POOLS)
def every_promising_pool(budget: Budget) -> Iterator[Pool]:
    """Pools of like and of unlike states."""
    return pools(budget)


@check(noise_promises_too_little, kind=Kind.ENUMERATED, domain=POOLS)
def every_noisy_critic(budget: Budget) -> Iterator[Pool]:
    """Critics that say one of two or three values."""
    return pools(budget)


@check(promises_are_limited, kind=Kind.ENUMERATED, domain=POOLS)
def every_gap(budget: Budget) -> Iterator[Pool]:
    """Pools of like and of unlike states."""
    return pools(budget)
