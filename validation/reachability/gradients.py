"""Simulations and property tests of the claims about policy gradients of Pass@k."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from rolltheory.claims import Budget, Kind, Sides, check
from rolltheory.reachability.claims.gradients import (
    UNBIASED,
    GivenRule,
    Slope,
    condition_for_unbiasedness,
    other_crossovers,
    other_slopes,
    other_weights,
    pass_at_k_slope_is_the_derivative,
    required_step,
    rules_are_unbiased,
    slope,
    slope_crosses_one,
)
from rolltheory.reachability.claims.groups import CountedGroup, ObservedGroups
from rolltheory.reachability.claims.training import (
    TrainingGroup,
    other_conditions,
    other_pairs,
    other_scales,
    published,
    rules_follow_their_scale,
    silent,
    training_follows_pass_at_k,
    training_is_silent,
    training_simplifies,
    training_sums_to_zero,
)
from rolltheory.reachability.gradients import (
    pass_at_k_gradient_scale,
    pass_at_k_gradient_weights,
    pass_at_k_slope,
    pass_at_k_slope_crossover,
)
from validation.reachability.strategies import probabilities

__all__ = [
    "groups_of_any_size",
    "probabilities_of_any_size",
    "rules_of_any_kind",
    "scales_of_any_group",
    "silent_groups",
    "simulated_gradients",
    "simulated_scales",
    "simulated_training",
    "slopes_of_any_size",
    "summed_groups",
    "training_groups",
]

GROUPS = 500_000
POLICY = (0.2, 0.1, 0.4, 0.3)  # the first two actions succeed
EVERY_RULE = (*UNBIASED, "pass_at_1", "pass_at_k_training")
LAWS = ((2, 2), (4, 2), (8, 4))


def observed(
    budget: Budget, variants: tuple[str, ...], laws: tuple[tuple[int, int], ...] = LAWS
) -> Iterator[ObservedGroups]:
    """Groups of actions of one softmax policy, counted."""
    generator = budget.generator()
    level = 1e-6 / (len(laws) * len(variants))
    for n, k in laws:
        actions = generator.multinomial(n, POLICY, size=GROUPS)
        chosen, successes = actions[:, 0], actions[:, :2].sum(1)
        for variant in variants:
            if variant != "best_minus_second" or k == n:
                yield ObservedGroups(
                    n, k, POLICY[0], sum(POLICY[:2]), variant, level, chosen, successes
                )


def float_weights(n: int, c: int, k: int, *, variant: str) -> tuple[float, float]:
    """The library's float route."""
    weights = pass_at_k_gradient_weights(n, c, k, variant=variant)  # type: ignore[arg-type]
    return float(weights.success), float(weights.failure)


def float_gradients(case: CountedGroup, weights: Any = float_weights) -> Sides:
    """Both sides as floats."""
    target = case.gradient(slope(case.success_probability, case.k))
    return Sides(float(case.estimate(weights)), float(target))


@check(
    rules_are_unbiased,
    kind=Kind.PROPERTY_TESTED,
    domain="n <= 12, every k and rule, p in thousandths; the library's floats",
    route=float_gradients,
    teeth=other_weights(float_weights),
    within=1e-12,
)
def groups_of_any_size(_: Budget) -> Any:
    """Larger groups than can be enumerated."""
    return counted_groups(12, UNBIASED)


def counted_groups(largest: int, variants: tuple[str, ...]) -> Any:
    """Groups of tries of one problem, up to a size."""
    from hypothesis import strategies as st

    def laws(n: int, variant: str) -> Any:
        k = st.just(n) if variant == "best_minus_second" else st.integers(1, n)
        p = st.integers(0, 1000).map(lambda part: Fraction(part, 1000))
        return st.builds(CountedGroup, st.just(n), k, p, st.just(variant))

    return st.tuples(st.integers(1, largest), st.sampled_from(variants)).flatmap(lambda t: laws(*t))


@check(
    rules_are_unbiased,
    kind=Kind.SIMULATED,
    domain=f"{GROUPS} groups for each (n, k) in {LAWS}, softmax policy {POLICY}, every rule",
    error_level=1e-6,
)
def simulated_gradients(budget: Budget) -> Iterator[ObservedGroups]:
    """The gradient in one logit, by Monte Carlo."""
    return observed(budget, UNBIASED)


@check(
    condition_for_unbiasedness,
    kind=Kind.PROPERTY_TESTED,
    domain="n <= 4, weights in twelfths over the required steps, every second rule unbiased",
)
def rules_of_any_kind(_: Budget) -> Any:
    """Rules over any baseline, right or wrong in any step."""
    from hypothesis import strategies as st

    def rule(k: int, failure: tuple[Fraction, ...], error: tuple[Fraction, ...]) -> GivenRule:
        n = len(failure)
        right = (required_step(n, c, k) for c in range(n))
        success = (r + f + e for r, f, e in zip(right, failure, error, strict=True))
        return GivenRule(k, tuple(success), failure)

    def rules(n: int) -> Any:
        weights, none = probabilities(n, 12), st.just((Fraction(0),) * n)
        return st.builds(rule, st.integers(1, n), weights, none | weights)

    return st.integers(1, 4).flatmap(rules)


def float_slope(case: Slope, formula: Any = pass_at_k_slope) -> Sides:
    """Both sides as floats."""
    found = formula(float(case.success_probability), case.k)
    return Sides(float(case.derivative()), float(found))


@check(
    pass_at_k_slope_is_the_derivative,
    kind=Kind.PROPERTY_TESTED,
    domain="k <= 60, p in thousandths; the library's floats",
    route=float_slope,
    teeth=other_slopes(pass_at_k_slope),
    tolerance=1e-12,
)
def slopes_of_any_size(_: Budget) -> Any:
    """More tries than can be enumerated."""
    from hypothesis import strategies as st

    return st.builds(
        lambda part, k: Slope(Fraction(part, 1000), k), st.integers(0, 1000), st.integers(1, 60)
    )


def float_crossover(case: Slope, threshold: Any = pass_at_k_slope_crossover) -> Sides:
    """The library's threshold."""
    pushed_harder = slope(case.success_probability, case.k) > 1
    return Sides(pushed_harder, bool(float(case.success_probability) < threshold(case.k)))


@check(
    slope_crosses_one,
    kind=Kind.PROPERTY_TESTED,
    domain="2 <= k <= 40, p in thousandths, half to twice the threshold; the library's threshold",
    route=float_crossover,
    teeth=other_crossovers(pass_at_k_slope_crossover),
)
def probabilities_of_any_size(_: Budget) -> Any:
    """Probabilities from half to twice the threshold."""
    from hypothesis import strategies as st

    def near(k: int, percent: int) -> Slope:
        p = Fraction(float(pass_at_k_slope_crossover(k)) * percent / 100)
        return Slope(p.limit_denominator(1000), k)

    return st.builds(near, st.integers(2, 40), st.integers(50, 200))


def library_scale(p: float, n: int, k: int, variant: str) -> float:
    """The library's float route."""
    return float(pass_at_k_gradient_scale(p, n, k, variant=variant))  # type: ignore[arg-type]


def float_scales(case: CountedGroup, scale: Any = library_scale) -> Sides:
    """Both sides as floats."""
    p, n = float(case.success_probability), case.group_size
    followed = case.gradient(scale(p, n, case.k, case.variant))
    return Sides(float(case.estimate(float_weights)), float(followed))


@check(
    rules_follow_their_scale,
    kind=Kind.PROPERTY_TESTED,
    domain="n <= 10, every k and rule, p in thousandths; the library's floats",
    route=float_scales,
    teeth=other_scales,
    tolerance=1e-12,
)
def scales_of_any_group(_: Budget) -> Any:
    """Larger groups than can be enumerated, Pass@k training among the rules."""
    return counted_groups(10, EVERY_RULE)


@check(
    rules_follow_their_scale,
    kind=Kind.SIMULATED,
    domain=f"{GROUPS} groups for each (n, k) in {LAWS}, softmax policy {POLICY}, two rules",
    error_level=1e-6,
)
def simulated_scales(budget: Budget) -> Iterator[ObservedGroups]:
    """The gradient in one logit, by Monte Carlo."""
    return observed(budget, ("score", "pass_at_k_training"))


@check(
    training_follows_pass_at_k,
    kind=Kind.SIMULATED,
    domain=f"{GROUPS} groups for each (n, k) in {LAWS}, softmax policy {POLICY}",
    error_level=1e-6,
)
def simulated_training(budget: Budget) -> Iterator[ObservedGroups]:
    """The gradient in one logit, by Monte Carlo."""
    return observed(budget, ("pass_at_k_training",))


def training_groups_up_to(largest: int) -> Any:
    """Any group of Pass@k training, seen from one of its tries, often with about k failures."""
    from hypothesis import strategies as st

    def group(n: int, c: int, k: int, near: bool, succeeded: bool) -> TrainingGroup:
        c %= n + 1
        k = n - c + k % 3 - 1 if near else k % n + 1
        return TrainingGroup(n, c, min(max(k, 1), n), succeeded)

    numbers = st.integers(0, largest)
    return st.builds(group, st.integers(1, largest), numbers, numbers, st.booleans(), st.booleans())


def float_pair(n: int, c: int, k: int) -> tuple[float, float]:
    """The library's float route."""
    return float_weights(n, c, k, variant="pass_at_k_training")


def float_advantages(n: int, c: int, k: int) -> tuple[float, float]:
    """The library's weights as advantages."""
    success, failure = float_pair(n, c, k)
    return n * success, n * failure


def float_form(case: TrainingGroup, weights: Any = float_pair) -> Sides:
    """The published form in floats, against the library."""
    return Sides(float(case.own(published)) / case.group_size, case.own(weights))


@check(
    training_simplifies,
    kind=Kind.PROPERTY_TESTED,
    domain="n <= 100, every c and k; the library's floats",
    route=float_form,
    teeth=other_pairs(float_pair)
    | {"one success less": lambda n, c, k: float_pair(n, max(c - 1, 0), k)},
    tolerance=1e-12,
)
def training_groups(_: Budget) -> Any:
    """Larger groups than can be enumerated."""
    return training_groups_up_to(100)


def float_sum(case: TrainingGroup, advantages: Any = float_advantages) -> Sides:
    """The sum of the library's weights, as advantages."""
    return Sides(float(case.total(advantages)), 0.0)


@check(
    training_sums_to_zero,
    kind=Kind.PROPERTY_TESTED,
    domain="n <= 1000, every c and k; the library's floats",
    route=float_sum,
    teeth=other_pairs(float_advantages),
    within=1e-9,
)
def summed_groups(_: Budget) -> Any:
    """Larger groups than can be enumerated."""
    return training_groups_up_to(1000)


def float_silence(case: TrainingGroup, condition: Any = silent) -> Sides:
    """Silence by the library's floats, which are zeros and nothing else there."""
    n, c, k = case.group_size, case.successes, case.k
    return Sides(case.is_silent(float_pair), condition(n, c, k))


@check(
    training_is_silent,
    kind=Kind.PROPERTY_TESTED,
    domain="n <= 200, every c and k; the library's floats",
    route=float_silence,
    teeth=other_conditions,
)
def silent_groups(_: Budget) -> Any:
    """Larger groups than can be enumerated."""
    return training_groups_up_to(200)
