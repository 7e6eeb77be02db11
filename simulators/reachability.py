"""Tries, walks, trajectories and critics to hold the theory of Pass@k against.

Every record carries the truth that its data were drawn from: probabilities, edges, policies.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import integer_array, probability_array

__all__ = [
    "Critic",
    "RandomGraph",
    "Trajectories",
    "TreePolicy",
    "Tries",
    "Walks",
    "beta_success_probabilities",
    "exchangeable_outcomes",
    "independent_tries",
    "mixture_success_probabilities",
    "noisy_critic",
    "pooled_critic",
    "random_state_graph",
    "random_tree_policy",
    "random_walks",
    "sampled_trajectories",
    "tree_policy",
]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Tries:
    """Counts of tries at problems: arrays (M,) of true probability, tries made, and successes."""

    success_probability: FloatArray
    samples: IntArray
    successes: IntArray


@dataclass(frozen=True)
class RandomGraph:
    """A Markov chain as an edge list sorted by source; states without edges absorb."""

    states: int
    source: IntArray
    target: IntArray
    probability: FloatArray
    success: IntArray
    failure: IntArray


@dataclass(frozen=True)
class Walks:
    """Walks on a graph: arrays (S, R) of their ends and whether they ended by absorption."""

    start: IntArray
    succeeded: BoolArray
    finished: BoolArray


@dataclass(frozen=True)
class TreePolicy:
    """A policy on a complete tree whose nodes are numbered breadth first, the root is 0.

    Attributes
    ----------
    action_probability : array (N, b), of each action at each inner node; action a of node i leads
        to node b i + 1 + a
    leaf_success : array (L,), probability that the outcome of a leaf is a success
    value : array (N + L,), success probability from each node on, by backward induction
    """

    action_probability: FloatArray
    leaf_success: FloatArray
    value: FloatArray


@dataclass(frozen=True)
class Trajectories:
    """Runs of a tree policy: arrays (R, T + 1) of nodes, (R, T) of actions, (R,) of outcomes."""

    nodes: IntArray
    actions: IntArray
    outcome: BoolArray


@dataclass(frozen=True)
class Critic:
    """What a critic says of states: arrays (N,) of true and predicted success probability."""

    actual: FloatArray
    predicted: FloatArray


def beta_success_probabilities(
    problems: int,
    alpha: float,
    beta: float,
    *,
    zero_mass: float = 0.0,
    generator: np.random.Generator,
) -> FloatArray:
    """Beta distributed problems (M,), each hopeless instead with probability zero_mass."""
    drawn = generator.beta(alpha, beta, problems)
    hopeless = generator.random(problems) < probability_array("zero_mass", zero_mass)
    return np.where(hopeless, 0.0, drawn)


def mixture_success_probabilities(
    problems: int, values: Any, weights: Any, *, generator: np.random.Generator
) -> FloatArray:
    """Problems (M,) that have one of a few success probabilities, with these weights (sum 1)."""
    points, chance = probability_array("values", values), probability_array("weights", weights)
    return generator.choice(points, size=problems, p=chance)


def independent_tries(
    success_probability: Any, samples: Any, *, generator: np.random.Generator
) -> Tries:
    """Independent tries at every problem; the two arguments broadcast."""
    probability = probability_array("success_probability", success_probability)
    made = integer_array("samples", samples, at_least=0)
    probability, made = np.broadcast_arrays(probability, made)
    return Tries(probability, made, generator.binomial(made, probability).astype(np.int64))


def exchangeable_outcomes(
    latent_probability: Any, group_size: int, *, generator: np.random.Generator
) -> BoolArray:
    """Outcomes (M, n) of groups whose tries share a latent success probability (M,).

    Without sight of the latent probability the tries of a group are exchangeable, not independent.
    """
    latent = probability_array("latent_probability", latent_probability)
    return generator.random((*latent.shape, group_size)) < latent[..., None]


def random_state_graph(
    states: int,
    *,
    edges_per_state: int,
    success: int = 1,
    failure: int = 1,
    trapped: int = 2,
    generator: np.random.Generator,
) -> RandomGraph:
    """A random chain with cycles, and with a closed loop that nothing leaves.

    The last states are, in this order, a loop of `trapped` states, `failure` and `success`
    absorbing states. Every other state draws `edges_per_state` targets among all states (double
    ones merge) and exponential weights.
    """
    ordinary = states - success - failure - trapped
    if ordinary < 1 or min(success, failure, trapped) < 0:
        raise DomainError("states", states, "more than success + failure + trapped states")
    loop = ordinary + np.arange(trapped)
    source = np.repeat(np.arange(ordinary), edges_per_state)
    target = generator.integers(0, states, source.size)
    drawn = generator.exponential(size=source.size)
    source = np.concatenate([source, loop])
    target = np.concatenate([target, np.roll(loop, -1)])
    edge, merged = np.unique(source * states + target, return_inverse=True)
    source, target = edge // states, edge % states
    weight = np.bincount(merged, np.concatenate([drawn, np.ones(trapped)]))
    total = np.bincount(source, weight, minlength=states)
    absorbing = np.arange(ordinary + trapped, states)
    return RandomGraph(
        states, source, target, weight / total[source], absorbing[failure:], absorbing[:failure]
    )


def random_walks(
    graph: RandomGraph, start: Any, *, walks: int, steps: int, generator: np.random.Generator
) -> Walks:
    """Walks from every start state (S,), each until it is absorbed or has taken so many steps.

    A walk that is not absorbed counts neither as finished nor as a success.
    """
    begin = integer_array("start", start, at_least=0, at_most=graph.states - 1)
    first = np.searchsorted(graph.source, np.arange(graph.states + 1))
    heaped = np.concatenate([[0.0], np.cumsum(graph.probability)])
    inner = first[1:] > first[:-1]
    state = np.repeat(begin, walks)
    moving = np.flatnonzero(inner[state])
    for _ in range(steps):
        here = state[moving]
        low, high = heaped[first[here]], heaped[first[here + 1]]
        drawn = low + generator.random(here.size) * (high - low)
        edge = np.searchsorted(heaped, drawn, side="right") - 1
        state[moving] = graph.target[np.clip(edge, first[here], first[here + 1] - 1)]
        moving = moving[inner[state[moving]]]
        if moving.size == 0:
            break
    end = state.reshape(begin.size, walks)
    return Walks(begin, np.isin(end, graph.success), ~inner[end])


def tree_policy(action_probability: Any, leaf_success: Any) -> TreePolicy:
    """A tree policy from the action probabilities (N, b) of its inner nodes and its leaves (L,)."""
    policy = probability_array("action_probability", action_probability)
    leaves = probability_array("leaf_success", leaf_success)
    inner, actions = policy.shape
    if inner * actions + 1 != inner + leaves.size:
        raise DomainError("leaf_success", leaves.size, f"{inner * (actions - 1) + 1} leaves")
    value = np.concatenate([np.zeros(inner), leaves])
    for node in range(inner - 1, -1, -1):
        child = actions * node + 1
        value[node] = policy[node] @ value[child : child + actions]
    return TreePolicy(policy, leaves, value)


def random_tree_policy(
    depth: int, actions: int, *, dead_leaves: float = 0.0, generator: np.random.Generator
) -> TreePolicy:
    """A tree policy with uniform random action and leaf probabilities.

    Every leaf is hopeless instead with probability `dead_leaves`.
    """
    levels = int(integer_array("depth", depth, at_least=1))
    inner = sum(actions**level for level in range(levels))
    leaves = beta_success_probabilities(
        actions**depth, 1.0, 1.0, zero_mass=dead_leaves, generator=generator
    )
    return tree_policy(generator.dirichlet(np.ones(actions), inner), leaves)


def sampled_trajectories(
    tree: TreePolicy, trajectories: int, *, generator: np.random.Generator
) -> Trajectories:
    """Runs of the policy from the root to an outcome; row r passes the prefixes nodes[r]."""
    inner, branching = tree.action_probability.shape
    heaped = np.cumsum(tree.action_probability, axis=1)[:, :-1]
    node = np.zeros(trajectories, dtype=np.int64)
    nodes, actions = [node], []
    while node.size and node[0] < inner:  # the tree is complete: all runs are equally deep
        action = (generator.random((trajectories, 1)) >= heaped[node]).sum(1)
        node = branching * node + 1 + action
        nodes.append(node)
        actions.append(action)
    outcome = generator.random(trajectories) < tree.value[node]
    return Trajectories(np.stack(nodes, 1), np.stack(actions, 1), outcome)


def pooled_critic(actual: Any, pools: int, *, generator: np.random.Generator) -> Critic:
    """A calibrated critic that tells only random pools of states apart, each by its mean."""
    truth = probability_array("actual", actual)
    pool = generator.integers(0, pools, truth.size)
    size = np.maximum(np.bincount(pool, minlength=pools), 1)
    return Critic(truth, (np.bincount(pool, truth, minlength=pools) / size)[pool])


def noisy_critic(actual: Any, concentration: float, *, generator: np.random.Generator) -> Critic:
    """A critic whose value is a Beta draw of mean V and variance V(1 - V) / (concentration + 1)."""
    truth = probability_array("actual", actual)
    inside = (truth > 0) & (truth < 1)
    safe = np.where(inside, truth, 0.5)
    drawn = generator.beta(concentration * safe, concentration * (1 - safe))
    return Critic(truth, np.where(inside, drawn, truth))
