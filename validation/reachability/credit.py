"""Simulations and property tests of the claims about token credit from differences of Pass@k."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from rolltheory.claims import Budget, Kind, Sides, check
from rolltheory.reachability.claims.credit import (
    all_credit_is_blame,
    credit_tends_to_reachability,
    credit_to_go_is_unbiased,
    credits_telescope,
    one_step_credit_is_unbiased,
    one_step_credit_rescales,
    other_limit_errors,
    other_reach_credits,
    other_scale_errors,
    other_scales,
    other_steps,
    scale_error,
    scale_is_local,
)
from rolltheory.reachability.claims.drift import (
    credit_falls_at_least,
    credit_falls_at_most,
    other_bounds,
    second_order_suffices,
)
from rolltheory.reachability.claims.trees import (
    BinaryTree,
    Continuations,
    ObservedTree,
    Step,
    Trajectory,
    Walk,
)
from rolltheory.reachability.credit import (
    credit_to_go,
    one_step_credit_gap,
    one_step_credit_scale,
    prefix_credit,
    prefix_credit_exact,
    reachability_credit,
)
from rolltheory.reachability.drift import expected_credit_bounds
from rolltheory.reachability.gradients import pass_at_k_slope
from rolltheory.reachability.tries import pass_at_k_limit_error
from simulators.reachability import sampled_trajectories, tree_policy
from validation.reachability.strategies import probabilities

__all__ = [
    "any_falling_law",
    "any_law_of_continuations",
    "any_limit",
    "any_rare_disaster",
    "any_step",
    "any_trajectory",
    "any_tree_and_critic",
    "any_tree_of_steps",
    "any_walk",
    "simulated_credit_to_go",
    "simulated_one_step_credit",
    "simulated_rescaled_credit",
]

RUNS = 400_000
POLICY = (0.3, 0.6, 0.2)
LEAVES = (0.9, 0.6, 0.1, 0.3)
TRIES = (1, 4, 16)


def observed(budget: Budget) -> Iterator[ObservedTree]:
    """Runs of one policy, looked at from every decision and with several k."""
    tree = tree_policy([[p, 1 - p] for p in POLICY], LEAVES)
    runs = sampled_trajectories(tree, RUNS, generator=budget.generator())
    drawn = 2 * (runs.nodes[:, -1] - len(POLICY)) + ~runs.outcome
    level = 1e-6 / (len(TRIES) * len(POLICY))
    for k in TRIES:
        for decision in range(len(POLICY)):
            yield ObservedTree(BinaryTree(POLICY, LEAVES, k, decision), level, drawn)


SIMULATED = f"{RUNS} runs of a tree with policy {POLICY} and leaves {LEAVES}, k in {TRIES}"


@check(credit_to_go_is_unbiased, kind=Kind.SIMULATED, domain=SIMULATED, error_level=1e-6)
def simulated_credit_to_go(budget: Budget) -> Iterator[ObservedTree]:
    """The policy gradient by Monte Carlo."""
    return observed(budget)


@check(one_step_credit_is_unbiased, kind=Kind.SIMULATED, domain=SIMULATED, error_level=1e-6)
def simulated_one_step_credit(budget: Budget) -> Iterator[ObservedTree]:
    """The policy gradient by Monte Carlo."""
    return observed(budget)


@check(one_step_credit_rescales, kind=Kind.SIMULATED, domain=SIMULATED, error_level=1e-6)
def simulated_rescaled_credit(budget: Budget) -> Iterator[ObservedTree]:
    """The policy gradient by Monte Carlo."""
    return observed(budget)


def float_steps(values: list[Any], outcome: Any, k: int) -> list[float]:
    """The library's float route."""
    return [float(step) for step in prefix_credit([float(v) for v in values], float(outcome), k)]


def float_to_go(values: list[Any], outcome: Any, k: int) -> list[float]:
    """The library's float route."""
    return [float(step) for step in credit_to_go([float(v) for v in values], float(outcome), k)]


def float_telescope(case: Trajectory, credit: Any = float_steps) -> Sides:
    """Both sides by the library's floats."""
    steps = credit(list(case.values), case.outcome, case.k)
    to_go = float_to_go(list(case.values), case.outcome, case.k)
    return Sides(float(sum(steps[case.step :])), to_go[case.step])


@check(
    credits_telescope,
    kind=Kind.PROPERTY_TESTED,
    domain="up to 6 steps, values in hundredths, k <= 60; the library's floats",
    route=float_telescope,
    teeth=other_steps(float_steps),
    within=1e-12,
)
def any_trajectory(_: Budget) -> Any:
    """Longer trajectories than can be enumerated."""
    from hypothesis import strategies as st

    def trajectories(length: int) -> Any:
        values, outcome = probabilities(length, 100), st.integers(0, 1)
        return st.builds(
            Trajectory, values, outcome, st.integers(1, 60), st.integers(0, length - 1)
        )

    return st.integers(1, 6).flatmap(trajectories)


def any_tree(*, with_critic: bool) -> Any:
    """Any tree of depth 1 or 2, with the true critic or any."""
    from hypothesis import strategies as st

    def trees(depth: int) -> Any:
        inner = 2**depth - 1
        row = probabilities(inner, 12)
        critic = st.none() | row if with_critic else st.none()
        tries, decision = st.integers(1, 8), st.integers(0, inner - 1)
        return st.builds(BinaryTree, row, probabilities(inner + 1, 12), tries, decision, critic)

    return st.integers(1, 2).flatmap(trees)


@check(
    credit_to_go_is_unbiased,
    kind=Kind.PROPERTY_TESTED,
    domain="trees of depth 1 or 2 with any probabilities in twelfths, any critic, k <= 8",
)
def any_tree_and_critic(_: Budget) -> Any:
    """Other numbers than can be enumerated."""
    return any_tree(with_critic=True)


def float_scale(value: Any, other: Any, k: int) -> float:
    """The library's float route."""
    return float(one_step_credit_scale(float(value), float(other), k))


def float_rescaled(case: BinaryTree, scale: Any = float_scale) -> Sides:
    """The exact gradient against the library's float factor."""
    return Sides(float(case.expected(prefix_credit_exact)), float(case.rescaled(scale)))


@check(
    one_step_credit_rescales,
    kind=Kind.PROPERTY_TESTED,
    domain="trees of depth 1 or 2 with any probabilities in twelfths, k <= 8; the library's floats",
    route=float_rescaled,
    teeth=other_scales(float_scale),
    tolerance=1e-9,
)
def any_tree_of_steps(_: Budget) -> Any:
    """Other numbers than can be enumerated."""
    return any_tree(with_critic=False)


def any_pair(largest: int) -> Any:
    """Any two values and k."""
    from hypothesis import strategies as st

    return st.builds(lambda pair, k: Step(*pair, k), probabilities(2, 100), st.integers(1, largest))


def float_local(case: Step, error: Any = scale_error) -> Sides:
    """The library's float factors."""
    local = float(pass_at_k_slope(float(case.value), case.k))
    distance = abs(float_scale(case.value, case.after, case.k) - local)
    return Sides(distance, error(case.value, case.after, case.k))


@check(
    scale_is_local,
    kind=Kind.PROPERTY_TESTED,
    domain="values in hundredths, k <= 60; the library's floats",
    route=float_local,
    teeth=other_scale_errors(scale_error),
    within=1e-9,
)
def any_step(_: Budget) -> Any:
    """More tries than can be enumerated."""
    return any_pair(60)


def float_limit_error(smallest: Any, k: int) -> float:
    """The library's float route."""
    return float(pass_at_k_limit_error(float(smallest), k))


def float_limit(case: Step, error: Any = float_limit_error) -> Sides:
    """The library's floats against each other."""
    credit = float(one_step_credit_gap(float(case.after), float(case.value), case.k))
    limit = (case.after > 0) - (case.value > 0)
    smallest = min((v for v in (case.value, case.after) if v > 0), default=Fraction(1))
    return Sides(abs(credit - limit), error(smallest, case.k))


@check(
    credit_tends_to_reachability,
    kind=Kind.PROPERTY_TESTED,
    domain="values in hundredths, k <= 60; the library's floats",
    route=float_limit,
    teeth=other_limit_errors(float_limit_error),
    within=1e-15,
)
def any_limit(_: Budget) -> Any:
    """More tries than can be enumerated."""
    return any_pair(60)


def library_blame(case: Walk, credit: Any = reachability_credit) -> Sides:
    """The library's credit in the limit."""
    happens, reachable, outcome = case.reach()
    if not happens:
        return Sides(False, True)
    return Sides(True, all(step <= 0 for step in credit(reachable, outcome)))


@check(
    all_credit_is_blame,
    kind=Kind.PROPERTY_TESTED,
    domain="trees of depth <= 3 with many zeros; the library's credit",
    route=library_blame,
    teeth=other_reach_credits(reachability_credit),
)
def any_walk(_: Budget) -> Any:
    """Deeper trees than can be enumerated."""
    from hypothesis import strategies as st

    def walks(depth: int) -> Any:
        inner = 2**depth - 1
        row, leaves = probabilities(inner, 2), probabilities(inner + 1, 2)
        tree = st.builds(BinaryTree, row, leaves, st.just(1))
        return st.builds(Walk, tree, st.integers(0, 2 * inner + 1))

    return st.integers(1, 3).flatmap(walks)


def float_bounds(value: Any, variance: Any, k: int, **limits: Any) -> tuple[float, float]:
    """The library's float route."""
    ends = {name: float(limit) for name, limit in limits.items()}
    low, high = expected_credit_bounds(float(value), float(variance), k, **ends)
    return float(low), float(high)


def float_most(case: Continuations, bounds: Any = float_bounds) -> Sides:
    """The exact loss against the library's bound, which is rounded outwards."""
    limits = {"lowest": case.lowest, "highest": case.highest}
    return Sides(case.loss(), -bounds(case.value, case.variance, case.k, **limits)[0])


def float_least(case: Continuations, bounds: Any = float_bounds) -> Sides:
    """The exact loss against the library's bound, which is rounded outwards."""
    limits = {"lowest": case.lowest, "highest": case.highest}
    return Sides(case.loss(), -bounds(case.value, case.variance, case.k, **limits)[1])


def any_dyadic_law() -> Any:
    """Laws whose mean and variance are floats: eight chances of 1/8 on sixteenths."""
    from hypothesis import strategies as st

    def law(values: tuple[Fraction, ...], k: int, own_range: bool) -> Continuations:
        limits = (min(values), max(values)) if own_range else (Fraction(0), Fraction(1))
        return Continuations((Fraction(1, 8),) * 8, values, k, *limits)

    def two_point(pair: tuple[Fraction, ...], copies: int) -> tuple[Fraction, ...]:
        return pair[:1] * copies + pair[1:] * (8 - copies)

    values = probabilities(8, 16) | st.builds(two_point, probabilities(2, 16), st.integers(1, 7))
    return st.builds(law, values, st.integers(1, 30), st.booleans())


@check(
    credit_falls_at_most,
    kind=Kind.PROPERTY_TESTED,
    domain="laws on sixteenths with chances in eighths, k <= 30; the library's floats, no slack",
    route=float_most,
    teeth=other_bounds(float_bounds),
)
def any_law_of_continuations(_: Budget) -> Any:
    """Laws spread out or on two points, within [0, 1] or their own range."""
    return any_dyadic_law()


@check(
    credit_falls_at_least,
    kind=Kind.PROPERTY_TESTED,
    domain="laws on sixteenths with chances in eighths, k <= 30; the library's floats, no slack",
    route=float_least,
    teeth=other_bounds(float_bounds),
)
def any_falling_law(_: Budget) -> Any:
    """Laws spread out or on two points, within [0, 1] or their own range."""
    return any_dyadic_law()


@check(
    second_order_suffices,
    kind=Kind.PROPERTY_TESTED,
    domain="k <= 30, value 0 with a chance down to 10^-6, otherwise hundredths",
)
def any_rare_disaster(_: Budget) -> Any:
    """Laws that lose all with a small chance."""
    from hypothesis import strategies as st

    def law(odds: int, percent: int, k: int) -> Continuations:
        rare = Fraction(1, odds)
        return Continuations((rare, 1 - rare), (Fraction(0), Fraction(percent, 100)), k)

    return st.builds(law, st.integers(1000, 10**6), st.integers(0, 100), st.integers(1, 30))
