"""Exact checks of the claims about distillation and tilting."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations, product
from typing import Any

from proofs_checks.staleness.balls import ball, enclosure
from proofs_checks.staleness.grids import distributions
from rolltheory.claims import Budget, Kind, Sides, check
from rolltheory.staleness.claims.distillation import (
    Bits,
    CachedSignal,
    Teacher,
    TopK,
    Visits,
    cached_signal_bias_is_bounded,
    cached_signal_is_biased,
    exact_ratios_are_called_enough,
    forward_signal_is_fresh,
    lumped_top_k_is_a_lower_bound,
    sampled_signal_has_this_variance,
    top_k_forgets_the_tail,
    top_k_is_called_a_lower_bound,
)
from rolltheory.staleness.claims.tilting import (
    Tied,
    Tilted,
    tilted_value_is_the_maximum,
    tilting_weights_reach_the_optimum,
    weighted_sft_is_called_regularised_rl,
    weighted_sft_reaches_the_optimum,
)

__all__ = [
    "any_logits",
    "every_bound_of_caches",
    "every_cache",
    "every_cached_sample",
    "every_called_cache",
    "every_called_tie",
    "every_called_top_k",
    "every_forgotten_tail",
    "every_realisable_tie",
    "every_state",
    "every_tilt",
    "every_tilted_value",
    "every_top_k",
]


@check(
    forward_signal_is_fresh,
    kind=Kind.ENUMERATED,
    domain="two states, two actions, probabilities in quarters, exact rationals",
)
def every_state(_: Budget) -> Iterator[Visits]:
    """Every learner, teacher and sampler, in two states."""
    policies = list(distributions(2, 4))
    states = [Teacher(*row) for row in product(policies, repeat=3)]
    for one, two in zip(states, reversed(states), strict=True):
        yield Visits((one, two), Fraction(1, 3), Fraction(1, 3))


@dataclass(frozen=True)
class Slope:
    """One partial derivative of the forward KL of a softmax; the state is visited alike."""

    actions: int
    index: int
    learner: int = 1
    sampler: int = 1


def slope_in_symbols(case: Slope, gradient: Any = lambda p, t, _: p - t) -> Sides:
    """The derivative of the divergence itself, by logit."""
    import sympy

    logits = sympy.symbols(f"theta:{case.actions}", real=True)
    rest = sympy.symbols(f"t:{case.actions - 1}", positive=True)
    other = sympy.symbols(f"phi:{case.actions}", positive=True)
    teacher = (*rest, 1 - sum(rest))
    total = sum(map(sympy.exp, logits))
    # the teacher's entropy does not depend on the logits
    cross = -sum(t * (z - sympy.log(total)) for t, z in zip(teacher, logits, strict=True))
    j = case.index
    return Sides(
        sympy.diff(cross, logits[j]),
        gradient(sympy.exp(logits[j]) / total, teacher[j], other[j]),
    )


@check(
    forward_signal_is_fresh,
    kind=Kind.PROVED,
    domain="every learner and teacher of 2 and of 3 actions",
    route=slope_in_symbols,
    teeth={
        "the sampler in place of the learner": lambda _, t, q: q - t,
        "the teacher less the learner": lambda p, t, _: t - p,
    },
)
def any_logits(_: Budget) -> Iterator[Slope]:
    """Logits and teacher as symbols."""
    return (Slope(actions, index) for actions in (2, 3) for index in range(actions))


def caches() -> Iterator[CachedSignal]:
    """Three actions, small displacements, one teacher."""
    gap = (Fraction(1), Fraction(-1, 2), Fraction(0))
    steps = product([Fraction(0), Fraction(1), Fraction(-1, 2)], repeat=3)
    for learner, step in product(distributions(3, 5), list(steps)):
        yield CachedSignal(learner, step, gap)


@check(
    cached_signal_is_biased,
    kind=Kind.ENUMERATED,
    domain="three actions, probabilities in fifths, displacements in {0, 1, -1/2}",
)
def every_cache(_: Budget) -> Iterator[CachedSignal]:
    """Every learner and displacement."""
    return caches()


@check(
    cached_signal_bias_is_bounded,
    kind=Kind.ENUMERATED,
    domain="two and three actions, probabilities in fourths and fifths",
)
def every_bound_of_caches(_: Budget) -> Iterator[CachedSignal]:
    """Every learner and displacement, and the one that attains the bound."""
    yield from caches()
    for learner in distributions(2, 4):
        yield CachedSignal(learner, (Fraction(1), Fraction(-1)), (Fraction(0), Fraction(0)))


@check(
    exact_ratios_are_called_enough,
    kind=Kind.ENUMERATED,
    domain="three actions, probabilities in fifths, displacements in {0, 1, -1/2}",
)
def every_called_cache(_: Budget) -> Iterator[CachedSignal]:
    """Every learner and displacement."""
    return caches()


def terms(case: TopK) -> list[tuple[Any, Any]]:
    """Both probabilities of each action, as balls."""
    return [(ball(p), ball(q)) for p, q in zip(case.learner, case.teacher, strict=True)]


def divergence(rows: list[tuple[Any, Any]]) -> Any:
    """Sum of p log(p/q), as a ball."""
    return sum(((p / q).log() * p for p, q in rows), ball(0))


def dropped(case: TopK) -> Any:
    """The first k terms."""
    return divergence(terms(case)[: case.k])


def lumped(case: TopK) -> Any:
    """The first k terms, and one for the rest."""
    rows = terms(case)
    p, q = (sum((row[side] for row in rows[case.k :]), ball(0)) for side in (0, 1))
    return divergence([*rows[: case.k], (p, q)])


def lumped_in_balls(case: TopK, value: Any = lumped) -> Sides:
    """A top-k value against the full divergence, in ball arithmetic."""
    return Sides(enclosure(value(case)), enclosure(divergence(terms(case))))


def top_ks() -> Iterator[TopK]:
    """Four actions, the learner's sorted, the teacher uneven in the tail."""
    teachers = [row for row in distributions(4, 8) if len(set(row[1:])) == 3]
    learners = [row for row in distributions(4, 9) if list(row) == sorted(row, reverse=True)]
    for learner, teacher, k in product(learners, teachers, (1, 2)):
        tail = {p / q for p, q in zip(learner[k:], teacher[k:], strict=True)}
        if len(tail) > 1:  # else both sides are equal, which balls cannot decide
            yield TopK(learner, teacher, k)


@check(
    lumped_top_k_is_a_lower_bound,
    kind=Kind.CERTIFIED,
    domain="four actions, probabilities in ninths and eighths, k of 1 and 2, ball arithmetic",
    route=lumped_in_balls,
    teeth={"the tail dropped": dropped, "10 % larger": lambda case: lumped(case) * 11 / 10},
)
def every_top_k(_: Budget) -> Iterator[TopK]:
    """Every pair of policies."""
    return top_ks()


@check(
    top_k_is_called_a_lower_bound,
    kind=Kind.CERTIFIED,
    domain="four actions, probabilities in ninths and eighths, k of 1 and 2, ball arithmetic",
    route=lambda case, value=dropped: lumped_in_balls(case, value),
    teeth={"the tail lumped into one action": lumped},
)
def every_called_top_k(_: Budget) -> Iterator[TopK]:
    """Every pair of policies."""
    return top_ks()


POWERS = ((1, 2, 3, 3), (2, 2, 2, 2), (1, 3, 3, 2))


def bits(counts: tuple[int, ...]) -> Iterator[Bits]:
    """Four actions, probabilities that are powers of 1/2."""
    for learner, powers, count in product(POWERS, POWERS, counts):
        for teacher in sorted(set(permutations(powers))):
            yield Bits(learner, teacher, count)


@check(
    top_k_forgets_the_tail,
    kind=Kind.ENUMERATED,
    domain="four actions, dyadic probabilities, every k, exact in bits",
)
def every_forgotten_tail(_: Budget) -> Iterator[Bits]:
    """Every dyadic pair of policies."""
    return bits((1, 2, 3, 4))


@check(
    sampled_signal_has_this_variance,
    kind=Kind.ENUMERATED,
    domain={
        "gate": "four actions, dyadic probabilities, 1 and 2 samples, exact in bits",
        "deep": "four actions, dyadic probabilities, up to 4 samples, exact in bits",
    },
)
def every_cached_sample(budget: Budget) -> Iterator[Bits]:
    """Every outcome of every cache."""
    return bits((1, 2, 3, 4) if budget.deep else (1, 2))


def logarithm(number: Fraction) -> Any:
    """Logarithm of a rational, as a ball."""
    return ball(number).log()


def maximum(case: Tilted) -> Any:
    """Log of the mean tilt."""
    return logarithm(
        sum((p * t for p, t in zip(case.reference, case.tilts, strict=True)), Fraction(0))
    )


def mean_reward(case: Tilted) -> Any:
    """Of the reference."""
    rows = zip(case.reference, case.tilts, strict=True)
    return sum((ball(p) * logarithm(t) for p, t in rows), ball(0))


def value_in_balls(case: Tilted, value: Any = maximum) -> Sides:
    """A policy's regularised value against the maximum, in ball arithmetic."""
    rows = zip(case.policy, case.reference, case.tilts, strict=True)
    reached = sum((ball(q) * (logarithm(t) - logarithm(q / p)) for q, p, t in rows), ball(0))
    return Sides(enclosure(reached), enclosure(value(case)))


@check(
    tilted_value_is_the_maximum,
    kind=Kind.CERTIFIED,
    domain="three actions, policies in sevenths, tilts in {1, 3, 9}, ball arithmetic",
    route=value_in_balls,
    teeth={
        "10 % smaller": lambda case: maximum(case) * 9 / 10,
        "the reference's mean reward": mean_reward,
    },
)
def every_tilted_value(_: Budget) -> Iterator[Tilted]:
    """Every policy but the optimum itself, at which balls cannot decide."""
    reference = (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6))
    tilts = list(product([Fraction(1), Fraction(3), Fraction(9)], repeat=3))
    for policy, row in product(distributions(3, 7), tilts):
        tilted = [p * t for p, t in zip(reference, row, strict=True)]
        if list(policy) != [part / sum(tilted) for part in tilted]:
            yield Tilted(reference, row, policy)


@check(
    tilting_weights_reach_the_optimum,
    kind=Kind.ENUMERATED,
    domain="three actions, references in sixths, tilts in {1, 3, 9}",
)
def every_tilt(_: Budget) -> Iterator[Tilted]:
    """Every reference and tilt."""
    tilts = list(product([Fraction(1), Fraction(3), Fraction(9)], repeat=3))
    for reference, row in product(distributions(3, 6), tilts):
        yield Tilted(reference, row, reference)


@check(
    weighted_sft_reaches_the_optimum,
    kind=Kind.ENUMERATED,
    domain="two pairs of tied actions, masses in fifths, tilts 1, 4, 9 and 25",
)
def every_realisable_tie(_: Budget) -> Iterator[Tied]:
    """One reward in each pair."""
    for masses, a, b in product(distributions(2, 5), (1, 2, 3, 5), (1, 2, 3, 5)):
        yield Tied(masses, ((a, a), (b, b)))


@check(
    weighted_sft_is_called_regularised_rl,
    kind=Kind.ENUMERATED,
    domain="two pairs of tied actions, masses in fifths, tilts 1, 4 and 9",
)
def every_called_tie(_: Budget) -> Iterator[Tied]:
    """Any rewards."""
    for masses, roots in product(distributions(2, 5), product((1, 2, 3), repeat=4)):
        yield Tied(masses, (roots[:2], roots[2:]))
