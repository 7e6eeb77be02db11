"""Claims about the float routes of a state graph and of a batch of groups."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np

from rolltheory.claims import Relation, Sides, Source, Tight, Tooth, Unbroken, claim
from rolltheory.reachability.claims.graphs import PAGE, TRAP, Chain
from rolltheory.reachability.gradients import (
    pass_at_k_gradient_weights_exact,
    pass_at_k_sample_weights,
)
from rolltheory.reachability.reach import can_reach, reach_classes, surely_reaches
from rolltheory.reachability.state_graph import StateGraph
from rolltheory.reachability.success import success_probability

__all__ = [
    "Batch",
    "classes_are_those_of_the_value",
    "float_solution_is_within_tolerance",
    "weights_follow_the_counts",
]

Classes: TypeAlias = tuple[Any, Any]


@claim(
    "reachability.graph.classes",
    statement=r"\text{the two classes are } \{V > 0\} \text{ and } \{V = 1\}",
    relation=Relation.EQUAL,
    source=Source.known("absorbing Markov chains", f"{PAGE}#reachability-on-a-state-graph"),
    assumes={},
    teeth={
        "possible is certain": lambda graph: (can_reach(graph), can_reach(graph)),
        "certain is possible": lambda graph: (surely_reaches(graph), surely_reaches(graph)),
        "exchanged": lambda graph: reach_classes(graph)[::-1],
        "successes only": lambda graph: (can_reach(graph), graph.success),
    },
)
def classes_are_those_of_the_value(
    case: Chain, classes: Callable[[StateGraph], Classes] = reach_classes
) -> Sides:
    """Both classes that one search returns are those of the exact success probability."""
    found = tuple(tuple(bool(inside) for inside in mask) for mask in classes(case.graph()))
    value = case.solution()
    return Sides(found, (tuple(v > 0 for v in value), tuple(v == 1 for v in value)))


TOLERANCE = Fraction(1e-9)


@claim(
    "reachability.graph.float_accuracy",
    statement=r"\max_s |\hat V_s - V_s| \le \varepsilon = 10^{-9}, \text{ and }"
    r" \hat V_s = V_s \text{ where } V_s \in \{0, 1\}",
    relation=Relation.AT_MOST,
    source=Source.derived(f"{PAGE}#success-probability"),
    assumes={},
    teeth={
        "50 sweeps from 0": lambda graph: _swept(graph, graph.success.astype(float)),
        "50 sweeps from 1": lambda graph: _swept(graph, np.ones(graph.success.size)),
        "possible is certain": can_reach,
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    tight=Tight(
        Chain(((Fraction(0), Fraction(1, 3), Fraction(2, 3)), TRAP, (Fraction(0),) * 3), (2,)),
        at_least=3e-8,
    ),
)
def float_solution_is_within_tolerance(
    case: Chain, solver: Callable[[StateGraph], Any] = success_probability
) -> Sides:
    """The float route is within its tolerance of the exact solution of the chain as stored.

    Zeros and ones are exact: a state that is off by anything there counts as off by 1.
    """
    found = map(Fraction, np.asarray(solver(case.graph()), dtype=float).tolist())
    off = [
        Fraction(int(x != v)) if v in (0, 1) else abs(x - v)
        for x, v in zip(found, case.stored().solution(), strict=True)
    ]
    return Sides(max(off), TOLERANCE)


def _swept(graph: StateGraph, value: Any) -> Any:
    moves = graph.transition_matrix()
    for _ in range(50):
        value = np.where(graph.success, 1.0, moves @ value)
    return value


@dataclass(frozen=True)
class Batch:
    """Rewards of the tries of several groups of one size."""

    rewards: tuple[tuple[int, ...], ...]
    k: int
    variant: str = "score"


def weights_of_tries(case: Batch) -> Any:
    """What the library answers."""
    return pass_at_k_sample_weights(case.rewards, case.k, variant=case.variant)  # type: ignore[arg-type]


def of_the_batch(case: Batch) -> Any:
    """Successes counted over the batch, not the group."""
    flat = [reward for group in case.rewards for reward in group]
    found = pass_at_k_sample_weights(flat, case.k, variant=case.variant)  # type: ignore[arg-type]
    return np.reshape(found, np.shape(case.rewards))


@claim(
    "reachability.pass_at_k_gradient.batch",
    statement=r"|\hat w_{gi} - w_{r_{gi}}(n, c_g, k)| \le 10^{-12}, \quad c_g = \sum_i r_{gi}",
    relation=Relation.EQUAL,
    source=Source.derived(f"{PAGE}#gradients"),
    assumes={
        "1 <= k <= n, and groups have one size": lambda case: (
            len({len(group) for group in case.rewards}) == 1 and 1 <= case.k <= len(case.rewards[0])
        )
    },
    teeth={
        "successes and failures exchanged": lambda case: weights_of_tries(
            Batch(
                tuple(tuple(1 - reward for reward in group) for group in case.rewards),
                case.k,
                case.variant,
            )
        ),
        "counted over the batch": of_the_batch,
        "groups in reverse": lambda case: weights_of_tries(case)[::-1],
        "10 % smaller": lambda case: 0.9 * weights_of_tries(case),
    },
    breaks={"1 <= k <= n, and groups have one size": Unbroken("other batches are refused")},
)
def weights_follow_the_counts(
    case: Batch, weights: Callable[[Batch], Any] = weights_of_tries
) -> Sides:
    """Every try of a batch has the weight of its own reward and of its own group's count."""
    off = Fraction(0)
    for group, row in zip(case.rewards, np.asarray(weights(case)).tolist(), strict=True):
        exact = pass_at_k_gradient_weights_exact(
            len(group),
            sum(group),
            case.k,
            variant=case.variant,  # type: ignore[arg-type]
        )
        wanted = (exact[0] if reward else exact[1] for reward in group)
        off = max(off, *(abs(Fraction(x) - w) for x, w in zip(row, wanted, strict=True)))
    return Sides(off <= Fraction(1, 10**12), True)
