"""Who can reach a success in a state graph, who surely does, and how probably."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import integer_array, real_array
from rolltheory.reachability.reach import reach_classes
from rolltheory.reachability.state_graph import StateGraph
from rolltheory.reachability.success import (
    success_probability_enclosure,
    success_probability_exact,
)
from rolltheory.reachability.tries import pass_at_k_probability, tries_needed

__all__ = ["StateGraphReport", "state_graph_report"]

FloatArray: TypeAlias = npt.NDArray[np.float64]
BoolArray: TypeAlias = npt.NDArray[np.bool_]

_SMALLEST = 1e-16  # below it the tries needed no longer fit 64 bits


@dataclass(frozen=True)
class StateGraphReport:
    """Reachability of a success from every state of a graph; arrays are of shape (states,).

    Attributes
    ----------
    states : labels
    success : the success states
    can_reach, surely_reaches : whether with positive probability, and with probability one
    probability, lower, upper : success probability, between certified limits
    exact : the same as rational numbers, if they were asked for
    tries : K numbers of tries
    pass_at_k : shape (K, states), of ``probability``
    target : a Pass@k
    tries_needed : tries from which on Pass@k is certified to reach the target; infinite if a
        success cannot be reached, or if it takes more than 64 bits hold
    smallest : the smallest certified lower limit of a positive probability; None without any
    limit_tries : tries from which on Pass@k of every state is within ``1 - target`` of 1 if it can
        reach a success; None without such a number
    """

    states: Sequence[Hashable]
    success: BoolArray
    can_reach: BoolArray
    surely_reaches: BoolArray
    probability: FloatArray
    lower: FloatArray
    upper: FloatArray
    exact: tuple[Fraction, ...] | None
    tries: tuple[int, ...]
    pass_at_k: FloatArray
    target: float
    tries_needed: FloatArray
    smallest: float | None
    limit_tries: int | None


def state_graph_report(
    graph: StateGraph, *, tries: Sequence[int], target: float = 0.95, exact: bool = False
) -> StateGraphReport:
    """Reachability, success probability and Pass@k of every state.

    Parameters
    ----------
    graph : StateGraph
    tries : k of the Pass@k columns, each at least 1
    target : Pass@k to reach with ``tries_needed``, within (0, 1)
    exact : rational numbers too, for small graphs

    Returns
    -------
    StateGraphReport

    Raises
    ------
    DomainError
        for arguments outside these ranges.
    """
    wanted = integer_array("k", tries, at_least=1)
    goal = float(real_array("target", target))
    if not 0 < goal < 1:
        raise DomainError("target", goal, "a Pass@k within (0, 1)")
    reachable, sure = reach_classes(graph)
    value, lower, upper = success_probability_enclosure(graph)
    rationals = success_probability_exact(graph) if exact else None
    if rationals is not None:
        value = np.array([float(number) for number in rationals])
        lower = np.array([_float_below(number) for number in rationals])
        upper = np.array([0.0 - _float_below(-number) for number in rationals])
    possible = lower[reachable]
    smallest = float(possible.min()) if possible.size else None
    large = smallest is not None and smallest >= _SMALLEST
    return StateGraphReport(
        states=graph.states,
        success=graph.success,
        can_reach=reachable,
        surely_reaches=sure,
        probability=value,
        lower=lower,
        upper=upper,
        exact=rationals,
        tries=tuple(wanted.tolist()),
        pass_at_k=pass_at_k_probability(value, wanted[:, np.newaxis]),
        target=goal,
        tries_needed=_tries_needed(lower, goal),
        smallest=smallest,
        limit_tries=int(tries_needed(possible.min(), goal)) if large else None,
    )


def _tries_needed(lower: FloatArray, goal: float) -> FloatArray:
    needed = np.full(lower.shape, np.inf)
    enough = lower >= _SMALLEST
    needed[enough] = tries_needed(lower[enough], goal)
    return needed


def _float_below(number: Fraction) -> float:
    nearest = float(number)
    return nearest if Fraction(nearest) <= number else float(np.nextafter(nearest, -np.inf))
