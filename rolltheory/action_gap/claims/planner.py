"""Claims about greedy planners: success under every way to break ties, step caps, tolerance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

from rolltheory.action_gap.claims.certificates import starts
from rolltheory.action_gap.claims.planned import Planned, Starts
from rolltheory.action_gap.moves import greedy_moves
from rolltheory.action_gap.rollouts import rollout
from rolltheory.action_gap.success import TieRule, reaches_goal, success_probability
from rolltheory.claims import Relation, Sides, Source, claim

__all__ = [
    "Perturbed",
    "all_and_some_are_over_every_rule",
    "memory_serves_like_chance",
    "random_ties_make_a_chain",
    "step_cap_that_loses_nothing",
    "tolerance_keeps_every_tie",
]

PAGE = "docs/theory/action_gap.md"
Reach: TypeAlias = Callable[[Planned, TieRule], Starts]


def by_the_library(case: Planned, ties: TieRule) -> Starts:
    """The starts that reach the goal, as the library says."""
    return starts(reaches_goal(*case.library(), case.goal, ties=ties))


def _followed(rule: tuple[int, ...], goal: int) -> Starts:
    """The starts from which a stationary rule leads to the goal."""
    reached = {goal}
    for _ in rule:
        reached |= {x for x, y in enumerate(rule) if y in reached}
    return frozenset(reached)


def _by_two_rules(case: Planned, ties: TieRule) -> Starts:
    low, high = (by_the_library(case, end) for end in ("lowest_index", "highest_index"))
    return low & high if ties == "all" else low | high


@claim(
    "action_gap.success.all_and_some",
    statement=r"\text{no tied moves lead to a cycle} \iff \text{every rule reaches}; \quad"
    r" \text{some tied moves lead to } g \iff \text{some rule reaches}",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#success"),
    assumes={},
    teeth={
        "lowest and highest index": _by_two_rules,
        "all as random": lambda case, ties: by_the_library(
            case, "random" if ties == "all" else ties
        ),
        "some as random": lambda case, ties: by_the_library(
            case, "random" if ties == "some" else ties
        ),
    },
)
def all_and_some_are_over_every_rule(case: Planned, reach: Reach = by_the_library) -> Sides:
    """Success under all and under some ways to break ties is found in linear time.

    The right side follows every stationary rule. A rule with memory or chance adds nothing: it can
    fail only where some rule fails, and reach only where some rule reaches.
    """
    outcomes = [_followed(rule, case.goal) for rule in product(*case.tied())]
    left = (reach(case, "all"), reach(case, "some"))
    every, some = frozenset(case.vertices), frozenset({case.goal})
    return Sides(left, (every.intersection(*outcomes), some.union(*outcomes)))


def absorption(case: Planned) -> tuple[Fraction, ...]:
    """The probability that uniformly random ties reach the goal, by eliminating all other states.

    A state from which nothing leads to the goal never enters the equations.
    """
    tied = case.tied()
    possible = {case.goal}
    for _ in case.vertices:
        possible |= {x for x in case.vertices if possible.intersection(tied[x])}
    rows = {
        x: {y: Fraction(1, len(tied[x])) for y in tied[x] if y in possible}
        for x in possible - {case.goal}
    }
    order = list(rows)
    for place, x in reversed(list(enumerate(order))):
        stay = rows[x].pop(x, Fraction(0))
        rows[x] = {y: share / (1 - stay) for y, share in rows[x].items()}
        for z in order[:place]:
            share = rows[z].pop(x, Fraction(0))
            for y, part in rows[x].items():
                rows[z][y] = rows[z].get(y, Fraction(0)) + share * part
    chance = {case.goal: Fraction(1)}
    for x in order:
        chance[x] = sum((share * chance[y] for y, share in rows[x].items()), Fraction(0))
    return tuple(chance.get(x, Fraction(0)) for x in case.vertices)


def _kinds(probabilities: Any) -> tuple[int, ...]:
    """0 for never, 2 for surely, 1 between."""
    return tuple(0 if p == 0 else 2 if p == 1 else 1 for p in probabilities)


def _library_kinds(case: Planned) -> tuple[int, ...]:
    return _kinds(success_probability(*case.library(), case.goal).tolist())


@claim(
    "action_gap.success.random",
    statement=r"\text{random ties reach } g \text{ from } x \text{ surely} \iff"
    r" \text{no tied moves lead from } x \text{ to where none lead to } g",
    relation=Relation.EQUAL,
    source=Source.known("finite Markov chains leave their transient states", f"{PAGE}#success"),
    assumes={},
    teeth={
        "possible is certain": lambda case: tuple(
            2 if x in by_the_library(case, "some") else 0 for x in case.vertices
        ),
        "certain only without a cycle": lambda case: tuple(
            2 if x in by_the_library(case, "all") else kind
            for x, kind in enumerate(min(k, 1) for k in _library_kinds(case))
        ),
    },
)
def random_ties_make_a_chain(
    case: Planned, kinds: Callable[[Planned], tuple[int, ...]] = _library_kinds
) -> Sides:
    """Random ties reach surely, never, or with a probability between: the library tells which.

    The right side solves the absorbing chain in rational arithmetic.
    """
    return Sides(kinds(case), _kinds(absorption(case)))


@claim(
    "action_gap.success.farthest_visited",
    statement=r"\text{random ties reach surely} \implies \text{ties to the neighbour left longest"
    r" ago reach} \implies \text{some ties reach}",
    relation=Relation.IMPLIES,
    source=Source.derived(f"{PAGE}#success"),
    assumes={},
    teeth={
        "lowest index": lambda case: by_the_library(case, "lowest_index"),
        "highest index": lambda case: by_the_library(case, "highest_index"),
        "all": lambda case: by_the_library(case, "all"),
    },
)
def memory_serves_like_chance(
    case: Planned,
    reach: Callable[[Planned], Starts] = lambda case: by_the_library(case, "farthest_visited"),
) -> Sides:
    """A rollout that goes where it has not been for longest reaches whatever random ties reach.

    Without chance: what it visits forever is closed under ties, so it would see the goal.
    """
    chance = absorption(case)
    surely = {x for x in case.vertices if chance[x] == 1}
    possibly = {x for x in case.vertices if chance[x] > 0}
    return Sides(len(surely) > 1, surely <= reach(case) <= possibly)


@claim(
    "action_gap.success.step_cap",
    statement=r"\text{a stationary rule that reaches } g \text{ does so in at most } n - 1"
    r" \text{ moves}",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#success"),
    assumes={},
    teeth={
        "n - 2": lambda case, _: len(case.values) - 2,
        "twice the distance": lambda case, start: 2 * case.distance()[start],
    },
)
def step_cap_that_loses_nothing(
    case: Planned,
    cap: Callable[[Planned, int], int] = lambda case, _: len(case.values) - 1,
) -> Sides:
    """A cap of n - 1 moves tells slow rollouts from lost ones; twice the distance does not."""
    graph, u = case.library()
    capped = frozenset(
        x for x in case.vertices if rollout(graph, u, x, case.goal, step_cap=cap(case, x)).reached
    )
    return Sides(capped, _followed(tuple(tied[0] for tied in case.tied()), case.goal))


@dataclass(frozen=True)
class Perturbed:
    """Exact values, and what a solver made of them: off by these errors."""

    exact: Planned
    errors: tuple[Fraction, ...]


@claim(
    "action_gap.ties.tolerance",
    statement=r"\sup |\tilde u - u| \le \delta, \ \tau \ge 2 \delta \implies"
    r" \arg\min Q_u \subseteq \{y : Q_{\tilde u} \le \min Q_{\tilde u} + \tau\}",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#tie-tolerance"),
    assumes={},
    teeth={
        "no tolerance": lambda _: Fraction(0),
        "once the error": lambda error: error,
    },
)
def tolerance_keeps_every_tie(
    case: Perturbed, tolerance: Callable[[Fraction], Fraction] = lambda error: 2 * error
) -> Sides:
    """A tie tolerance of twice the solver's error loses no move that truly ties.

    The sides are the true ties that the planner leaves out, and nothing.
    """
    exact = case.exact
    values = tuple(u + e for u, e in zip(exact.values, case.errors, strict=True))
    solved = Planned(exact.edges, values, exact.goal, exact.lengths)
    graph, u = solved.library()
    most = max(abs(e) for e in case.errors)
    chosen = greedy_moves(graph, u, tie_tolerance=float(tolerance(most) * solved.scale))
    kept = set(zip(graph.sources[chosen].tolist(), graph.neighbours[chosen].tolist(), strict=True))
    true = {(x, y) for x, tied in enumerate(exact.tied()) for y in tied}
    return Sides(frozenset(true - kept), frozenset())
