"""Exact checks of the claims about softmax policies and advantages."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product

from proofs_checks.staleness.surrogate import prompts, symbolic_prompt
from rolltheory.claims import Budget, Check, Claim, Kind, check
from rolltheory.staleness.claims.prompts import Prompt
from rolltheory.staleness.claims.softmax import (
    ConstantGroup,
    Direction,
    Group,
    advantages_are_bounded,
    chi_squared_is_bounded,
    constant_groups_have_no_advantage,
    kl_is_bounded,
    l1_distance_is_bounded,
    log_ratio_is_bounded,
    mean_square_of_the_score,
    nearby,
    rare_action,
    scores_are_short,
    success_curvature_has_two_parts,
    success_curves_boundedly,
    success_slope_is_bounded,
)

__all__ = [
    "every_chi_squared",
    "every_constant_group",
    "every_curvature",
    "every_divergence",
    "every_form",
    "every_form_at_once",
    "every_group",
    "every_l1_distance",
    "every_log_ratio",
    "every_mean_square",
    "every_mean_square_at_once",
    "every_score",
    "every_success_slope",
]

PAIRS = "three actions, six policies in sixths by six; near and rare pairs of two actions"


def pairs() -> Iterator[Prompt]:
    """Pairs near the bounds first."""
    for j in range(1, 6):
        yield nearby(Fraction(1, 10**j))
        yield rare_action(Fraction(1, 10**j))
    yield from prompts((1, 0, 0), 2)


def _every_pair(claim: Claim, name: str) -> Check:
    def supply(_: Budget) -> Iterator[Prompt]:
        return pairs()

    supply.__name__ = name
    return check(claim, kind=Kind.CERTIFIED, domain=PAIRS)(supply)


every_l1_distance = _every_pair(l1_distance_is_bounded, "every_l1_distance")
every_log_ratio = _every_pair(log_ratio_is_bounded, "every_log_ratio")
every_divergence = _every_pair(kl_is_bounded, "every_divergence")
every_chi_squared = _every_pair(chi_squared_is_bounded, "every_chi_squared")


@check(scores_are_short, kind=Kind.ENUMERATED, domain=PAIRS)
def every_score(_: Budget) -> Iterator[Prompt]:
    """Rationals."""
    return pairs()


@check(mean_square_of_the_score, kind=Kind.PROVED, domain="every policy over up to four actions")
def every_mean_square_at_once(_: Budget) -> Iterator[Prompt]:
    """Polynomials in the probabilities."""
    return (symbolic_prompt(k, (1,) + (0,) * (k - 1), 2) for k in (2, 3, 4))


@check(mean_square_of_the_score, kind=Kind.ENUMERATED, domain=PAIRS)
def every_mean_square(_: Budget) -> Iterator[Prompt]:
    """Rationals."""
    return pairs()


@check(success_slope_is_bounded, kind=Kind.ENUMERATED, domain=f"{PAIRS}; one or two are correct")
def every_success_slope(_: Budget) -> Iterator[Prompt]:
    """Rationals."""
    yield from pairs()
    yield from prompts((1, 0, 1), 2)


@check(
    success_curves_boundedly,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "two actions in hundredths; three in tenths along every small whole direction",
        "deep": "two actions in thousandths; three in twentieths along every small whole direction",
    },
)
def every_curvature(budget: Budget) -> Iterator[Direction]:
    """Rationals; two actions curve most."""
    parts, fine = (20, 1000) if budget.deep else (10, 100)
    for j in range(1, fine):
        policy = (Fraction(j, fine), Fraction(fine - j, fine))
        yield Direction(policy, (True, False), (1, -1))
    for a, b in product(range(1, parts - 1), repeat=2):
        if a + b < parts:
            policies = (Fraction(a, parts), Fraction(b, parts), Fraction(parts - a - b, parts))
            for x, y in product(range(-2, 3), repeat=2):
                yield Direction(policies, (True, True, False), (x, y, 1))


@check(success_curvature_has_two_parts, kind=Kind.PROVED, domain="every policy, every direction")
def every_form_at_once(_: Budget) -> Iterator[Direction]:
    """Polynomials in the probabilities and the direction."""
    import sympy

    p, q, x, y, b = sympy.symbols("p q x y b")
    yield Direction((p, q, 1 - p - q), (True, True, False), (x, y, b))


@check(
    success_curvature_has_two_parts,
    kind=Kind.ENUMERATED,
    domain="policies in tenths, directions from -1 to 1",
)
def every_form(_: Budget) -> Iterator[Direction]:
    """Rationals."""
    for a, b in product(range(1, 9), repeat=2):
        if a + b < 10:
            policy = (Fraction(a, 10), Fraction(b, 10), Fraction(10 - a - b, 10))
            for direction in product((-1, 0, 1), repeat=3):
                yield Direction(policy, (True, True, False), direction)


@check(
    advantages_are_bounded,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "3 <= n <= 6, rewards 0 to 3, either standard deviation",
        "deep": "3 <= n <= 10, rewards 0 to 3, either standard deviation",
    },
)
def every_group(budget: Budget) -> Iterator[Group]:
    """Squares of advantages, in rationals."""
    for n in range(3, 11 if budget.deep else 7):
        for rewards in combinations_with_replacement(range(4), n):
            yield from (Group(rewards, std) for std in ("population", "sample"))


@check(
    constant_groups_have_no_advantage,
    kind=Kind.ENUMERATED,
    domain="rewards in tenths below 2, as doubles, 2 <= n <= 16",
)
def every_constant_group(_: Budget) -> Iterator[ConstantGroup]:
    """Doubles are a finite set, and what numpy computes from them is what is claimed about."""
    for n, j in product(range(2, 17), range(20)):
        yield ConstantGroup(j / 10, n)
