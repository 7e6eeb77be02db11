"""The claim that rollouts on edges that follow the state stay within the joint envelope."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from rolltheory.claims import Relation, Sides, Source, Tight, Tooth, claim

__all__ = [
    "JointRun",
    "dynamic_rollouts_stay_within",
    "node_envelope",
    "scalar_world",
    "without",
]

PAGE = "docs/theory/graph_world.md#joint-operator"


@dataclass(frozen=True)
class JointRun:
    """A rollout on dynamic edges: constants, errors of each step, and the node error at the end.

    Edges follow the new state; truth and model start from the same state, perhaps on other edges.
    """

    node_to_node: Any
    edge_to_node: Any
    node_to_edge: Any
    node_errors: tuple[Any, ...]
    edge_errors: tuple[Any, ...]
    edge_start: Any
    error: Any


def scalar_world(
    state: Fraction,
    weights: tuple[Fraction, Fraction],
    queries: tuple[Fraction, Fraction],
    steps: int,
) -> JointRun:
    """One vertex with x' = w a x and a = q x'^2, rolled out with true and learned w and q."""
    truth = model = state
    edge, guess = (query * state**2 for query in queries)
    states, edges = [abs(state)], [abs(guess)]
    node_errors, edge_errors, start = [], [], abs(edge - guess)
    for _ in range(steps):
        node_errors.append(abs(weights[1] - weights[0]) * abs(edge * truth))
        truth, model = weights[0] * edge * truth, weights[1] * guess * model
        edge_errors.append(abs(queries[1] - queries[0]) * truth**2)
        edge, guess = queries[0] * truth**2, queries[1] * model**2
        states += [abs(truth), abs(model)]
        edges.append(abs(guess))
    return JointRun(
        node_to_node=abs(weights[1]) * max(edges),
        edge_to_node=abs(weights[1]) * max(states),
        node_to_edge=2 * abs(queries[1]) * max(states),
        node_errors=tuple(node_errors),
        edge_errors=tuple(edge_errors),
        edge_start=start,
        error=abs(truth - model),
    )


def node_envelope(case: JointRun) -> Any:
    """The node error that the recursion allows at the end."""
    node, edge = 0 * case.error, case.edge_start
    for node_error, edge_error in zip(case.node_errors, case.edge_errors, strict=True):
        node = case.node_to_node * node + case.edge_to_node * edge + node_error
        edge = case.node_to_edge * node + edge_error
    return node


def without(case: JointRun, **parts: Any) -> Any:
    """The envelope of an altered run."""
    return node_envelope(replace(case, **parts))


THIRD, HALF = Fraction(1, 3), Fraction(1, 2)


@claim(
    "graph_world.joint.dynamic_rollout",
    statement=r"e^X_{t+1} \le L_{XX} e^X_t + L_{XA} e^A_t + \varepsilon^X_t, \quad"
    r" e^A_{t+1} \le L_g e^X_{t+1} + \varepsilon^A_{t+1}",
    relation=Relation.AT_MOST,
    source=Source.derived(PAGE),
    assumes={},
    teeth={
        "edges follow exactly": lambda case: without(case, edge_to_node=0 * case.edge_to_node),
        "edge errors forgotten": lambda case: without(
            case, edge_errors=tuple(0 * e for e in case.edge_errors), edge_start=0 * case.edge_start
        ),
        "node errors forgotten": lambda case: without(
            case, node_errors=tuple(0 * e for e in case.node_errors)
        ),
        "direction swapped": Tooth(relation=Relation.AT_LEAST),
    },
    tight=Tight(scalar_world(HALF, (HALF, HALF), (THIRD, HALF), 1)),
)
def dynamic_rollouts_stay_within(
    case: JointRun, envelope: Callable[[JointRun], Any] = node_envelope
) -> Sides:
    """Rollouts on edges that follow the state stay within the joint envelope of both errors."""
    return Sides(case.error, envelope(case))
