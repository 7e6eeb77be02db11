"""Exact checks of the claims about the surrogate-gradient map and what it ascends."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product
from typing import Any

from rolltheory.claims import Budget, Kind, check
from rolltheory.staleness.claims.objective import (
    group_normalised_map_has_a_potential,
    learner_ascends_the_total_derivative,
    three_levels_have_curl,
    total_derivative_is_zero,
)
from rolltheory.staleness.claims.prompts import Prompt
from rolltheory.staleness.claims.surrogate import (
    direction_is_kept,
    groups_of_two_and_three_have_no_bias,
    mean_only_advantages_have_no_bias,
    staleness_only_reweights,
    without_ratio_ascent_is_delayed,
)

__all__ = [
    "NARROW",
    "POLICIES",
    "every_closed_form",
    "every_closed_form_at_once",
    "every_curl",
    "every_curl_at_once",
    "every_delay",
    "every_delay_at_once",
    "every_direction",
    "every_direction_at_once",
    "every_field",
    "every_large_field",
    "every_mean_only",
    "every_mean_only_at_once",
    "every_small_group",
    "every_small_group_at_once",
    "every_total",
    "every_total_at_once",
    "every_total_of_a_large_group",
]

NARROW = Fraction(1, 10**40)
POLICIES = tuple(
    tuple(Fraction(part, 6) for part in parts)
    for parts in ((1, 1, 4), (1, 4, 1), (4, 1, 1), (1, 2, 3), (3, 1, 2), (2, 2, 2))
)
PAIRS = "three actions, six policies in sixths by six"


def symbolic_prompt(
    actions: int, rewards: tuple[int, ...], group_size: int, **options: Any
) -> Prompt:
    """A prompt whose policies are symbols."""
    import sympy

    first = sympy.symbols(f"p:{actions - 1}", positive=True)
    second = sympy.symbols(f"q:{actions - 1}", positive=True)
    return Prompt(
        (*first, 1 - sum(first)), (*second, 1 - sum(second)), rewards, group_size, **options
    )


def prompts(rewards: tuple[int, ...], group_size: int, **options: Any) -> Iterator[Prompt]:
    """Every pair of the policies."""
    for policy, behaviour in product(POLICIES, repeat=2):
        yield Prompt(policy, behaviour, rewards, group_size, **options)


def _fresh(cases: Iterator[Prompt]) -> Iterator[Prompt]:
    return (replace(case, behaviour=case.policy) for case in cases)


@check(
    total_derivative_is_zero,
    kind=Kind.PROVED,
    domain="every policy: two actions, n <= 4, and three actions with any order of rewards, n = 2",
)
def every_total_at_once(_: Budget) -> Iterator[Prompt]:
    """Polynomials in the probabilities."""
    cases = [symbolic_prompt(2, (1, 0), n) for n in (2, 3, 4)]
    cases += [symbolic_prompt(3, rewards, 2) for rewards in ((0, 1, 2), (0, 1, 1))]
    return _fresh(iter(cases))


@check(
    total_derivative_is_zero,
    kind=Kind.ENUMERATED,
    domain="three actions, six policies in sixths, rewards 0 to 2, mean-only, n <= 4",
)
def every_total(_: Budget) -> Iterator[Prompt]:
    """Rationals."""
    for n in (2, 3, 4):
        for rewards in ((0, 0, 1), (0, 1, 2), (2, 0, 1)):
            for policy in POLICIES:
                yield Prompt(policy, policy, rewards, n, std=None)


@check(
    total_derivative_is_zero,
    kind=Kind.CERTIFIED,
    domain="three actions, six policies in sixths, either standard deviation, n = 4 and 7",
    within=NARROW,
)
def every_total_of_a_large_group(_: Budget) -> Iterator[Prompt]:
    """Balls."""
    for n, std in ((4, "population"), (7, "sample")):
        for policy in POLICIES:
            yield Prompt(policy, policy, (0, 1, 2), n, std=std)


@check(
    learner_ascends_the_total_derivative,
    kind=Kind.PROVED,
    domain="every policy over two actions, n <= 3",
)
def every_fresh_gradient_at_once(_: Budget) -> Iterator[Prompt]:
    """Polynomials in the probabilities."""
    return _fresh(symbolic_prompt(2, (1, 0), n) for n in (2, 3))


@check(
    learner_ascends_the_total_derivative,
    kind=Kind.ENUMERATED,
    domain="three actions, six policies in sixths, mean-only, n <= 4",
)
def every_fresh_gradient(_: Budget) -> Iterator[Prompt]:
    """Rationals."""
    for n in (2, 3, 4):
        yield from (Prompt(policy, policy, (0, 1, 2), n, std=None) for policy in POLICIES)


@check(
    staleness_only_reweights,
    kind=Kind.PROVED,
    domain={
        "gate": "every pair of policies: two actions, n <= 4; three, n = 2",
        "deep": "every pair of policies: two actions, n <= 6; three, n <= 3",
    },
)
def every_closed_form_at_once(budget: Budget) -> Iterator[Prompt]:
    """Polynomials in the probabilities."""
    for n in range(2, 7 if budget.deep else 5):
        yield symbolic_prompt(2, (1, 0), n)
    for n in range(2, 4 if budget.deep else 3):
        yield symbolic_prompt(3, (1, 0, 1), n)


@check(
    staleness_only_reweights,
    kind=Kind.CERTIFIED,
    domain={"gate": f"{PAIRS}, n = 4 and 9", "deep": f"{PAIRS}, n <= 16"},
    within=Fraction(1, 10**12),
)
def every_closed_form(budget: Budget) -> Iterator[Prompt]:
    """The library's float weight against balls."""
    for n in range(2, 17) if budget.deep else (4, 9):
        yield from prompts((1, 0, 0), n)


@check(
    direction_is_kept,
    kind=Kind.PROVED,
    domain="every pair of policies over three actions, n = 2",
)
def every_direction_at_once(_: Budget) -> Iterator[Prompt]:
    """Polynomials in the probabilities."""
    yield symbolic_prompt(3, (1, 0, 0), 2)


@check(
    direction_is_kept,
    kind=Kind.CERTIFIED,
    domain={"gate": f"{PAIRS}, n = 4", "deep": f"{PAIRS}, n <= 9"},
    within=NARROW,
)
def every_direction(budget: Budget) -> Iterator[Prompt]:
    """Balls."""
    for n in range(2, 10) if budget.deep else (4,):
        yield from prompts((1, 0, 0), n)


@check(
    mean_only_advantages_have_no_bias,
    kind=Kind.PROVED,
    domain="every pair of policies: two actions, n <= 4; three, n = 2",
)
def every_mean_only_at_once(_: Budget) -> Iterator[Prompt]:
    """Polynomials in the probabilities."""
    yield from (symbolic_prompt(2, (2, 0), n, std=None) for n in (4, 3, 2))
    yield symbolic_prompt(3, (0, 1, 3), 2, std=None)


@check(
    mean_only_advantages_have_no_bias,
    kind=Kind.ENUMERATED,
    domain={
        "gate": f"{PAIRS}, rewards (0, 1, 3), n <= 4",
        "deep": f"{PAIRS}, rewards 0 to 3, n <= 6",
    },
)
def every_mean_only(budget: Budget) -> Iterator[Prompt]:
    """Rationals; the largest group first, where every wrong variant shows."""
    choices = tuple(product(range(4), repeat=3)) if budget.deep else ((0, 1, 3),)
    for n in range(6 if budget.deep else 4, 1, -1):
        for rewards in choices:
            yield from prompts(rewards, n, std=None)


@check(
    groups_of_two_and_three_have_no_bias,
    kind=Kind.PROVED,
    domain="every pair of policies over two and over three actions",
)
def every_small_group_at_once(_: Budget) -> Iterator[Prompt]:
    """Polynomials in the probabilities."""
    for n in (2, 3):
        yield symbolic_prompt(2, (1, 0), n)
    for n in (2, 3):
        yield symbolic_prompt(3, (1, 0, 0), n)


@check(groups_of_two_and_three_have_no_bias, kind=Kind.ENUMERATED, domain=f"{PAIRS}, n = 2")
def every_small_group(_: Budget) -> Iterator[Prompt]:
    """Rationals, since the advantages of two are 1 and -1."""
    for rewards in ((1, 0, 0), (1, 1, 0)):
        yield from prompts(rewards, 2)


@check(
    without_ratio_ascent_is_delayed,
    kind=Kind.PROVED,
    domain="every pair of policies: two actions, n <= 4; three reward levels, n = 2",
)
def every_delay_at_once(_: Budget) -> Iterator[Prompt]:
    """Polynomials in the probabilities."""
    yield from (symbolic_prompt(2, (1, 0), n, ratio="none") for n in (4, 3, 2))
    yield symbolic_prompt(3, (0, 1, 2), 2, ratio="none")


@check(
    without_ratio_ascent_is_delayed,
    kind=Kind.ENUMERATED,
    domain=f"{PAIRS}, rewards (0, 1, 2), mean-only for n = 3, normalised for n = 2",
)
def every_delay(_: Budget) -> Iterator[Prompt]:
    """Rationals."""
    yield from prompts((0, 1, 2), 2, ratio="none")
    yield from prompts((0, 1, 2), 3, ratio="none", std=None)


@check(three_levels_have_curl, kind=Kind.PROVED, domain="every policy, every order of rewards")
def every_curl_at_once(_: Budget) -> Iterator[Prompt]:
    """Polynomials in the probabilities."""
    for rewards in permutations((0, 1, 2)):
        case = symbolic_prompt(3, rewards, 2)
        yield replace(case, behaviour=case.policy)


@check(
    three_levels_have_curl,
    kind=Kind.ENUMERATED,
    domain="every policy in twelfths, every order of rewards",
)
def every_curl(_: Budget) -> Iterator[Prompt]:
    """Rationals."""
    for a, b in product(range(1, 11), repeat=2):
        if a + b < 12:
            policy = (Fraction(a, 12), Fraction(b, 12), Fraction(12 - a - b, 12))
            for rewards in permutations((0, 1, 5)):
                yield Prompt(policy, policy, rewards, 2)


@check(
    group_normalised_map_has_a_potential,
    kind=Kind.ENUMERATED,
    domain="six policies in sixths, three reward levels, n = 2",
)
def every_field(_: Budget) -> Iterator[Prompt]:
    """Rationals."""
    return (Prompt(policy, policy, (0, 1, 2), 2) for policy in POLICIES)


@check(
    group_normalised_map_has_a_potential,
    kind=Kind.CERTIFIED,
    domain="six policies in sixths, three reward levels, n = 3 and 6",
    within=NARROW,
)
def every_large_field(_: Budget) -> Iterator[Prompt]:
    """Balls."""
    for n in (3, 6):
        yield from (Prompt(policy, policy, (0, 1, 2), n) for policy in POLICIES)
