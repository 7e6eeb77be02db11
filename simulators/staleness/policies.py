"""Tabular policies over prompts, pairs of them at a given distance, and the groups they sample."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import integer_array, real_array

__all__ = ["FeaturePrompts", "displaced_logits", "feature_prompts", "sampled_groups"]

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]


class FeaturePrompts(NamedTuple):
    """Prompts whose logits are linear in parameters that they share."""

    features: FloatArray
    """Array (..., prompts, actions, parameters); logits are features @ parameters."""
    correct: npt.NDArray[np.bool_]
    """Array (..., prompts, actions): one correct action for each prompt."""


def feature_prompts(
    prompts: int,
    actions: int,
    parameters: int,
    *,
    copies: int = 1,
    generator: np.random.Generator,
) -> FeaturePrompts:
    """Prompts with standard normal features and one correct action each, drawn evenly.

    Parameters
    ----------
    prompts, actions, parameters : sizes, at least 1; actions at least 2
    copies : independent sets of prompts along the first axis, at least 1
    generator : source of all randomness

    Returns
    -------
    FeaturePrompts of arrays (copies, prompts, actions, parameters) and (copies, prompts, actions)

    Raises
    ------
    DomainError
        if a size is too small.

    Examples
    --------
    >>> found = feature_prompts(3, 4, 2, copies=5, generator=np.random.default_rng(0))
    >>> found.features.shape, found.correct.sum(axis=-1).min()
    ((5, 3, 4, 2), np.int64(1))
    """
    sizes = (
        integer_array("copies", copies, at_least=1),
        integer_array("prompts", prompts, at_least=1),
        integer_array("actions", actions, at_least=2),
        integer_array("parameters", parameters, at_least=1),
    )
    shape = tuple(int(size) for size in sizes)
    chosen = generator.integers(shape[2], size=shape[:2])
    return FeaturePrompts(
        features=generator.normal(size=shape), correct=np.arange(shape[2]) == chosen[..., None]
    )


def displaced_logits(
    logits: Any, displacement: Any, *, generator: np.random.Generator
) -> FloatArray:
    """Logits moved by a given distance in a random direction that keeps their sum.

    Parameters
    ----------
    logits : array (..., actions), at least 2 actions
    displacement : array that broadcasts to (...), Euclidean length of the move, at least 0
    generator : source of all randomness

    Returns
    -------
    array of the broadcast shape (..., actions)

    Raises
    ------
    DomainError
        if a logit is not finite, a displacement is negative, or there is only one action.

    Examples
    --------
    >>> start = np.zeros((2, 3))
    >>> moved = displaced_logits(start, [0.5, 2.0], generator=np.random.default_rng(0))
    >>> np.linalg.norm(moved - start, axis=-1).round(12)
    array([0.5, 2. ])
    """
    start = real_array("logits", logits)
    if start.ndim == 0 or start.shape[-1] < 2:
        raise DomainError("logits", logits, "at least 2 actions along the last axis")
    length = real_array("displacement", displacement, at_least=0.0)
    shape = np.broadcast_shapes(start.shape, (*length.shape, 1))
    direction = generator.normal(size=shape)
    direction -= direction.mean(axis=-1, keepdims=True)
    direction /= np.linalg.norm(direction, axis=-1, keepdims=True)
    return np.asarray(start + length[..., None] * direction)


def sampled_groups(
    logits: Any, group_size: int, groups: int, *, generator: np.random.Generator
) -> IntArray:
    """Groups of independent actions drawn from a softmax policy.

    Parameters
    ----------
    logits : array (actions,)
    group_size : actions per group, at least 1
    groups : number of groups, at least 1
    generator : source of all randomness

    Returns
    -------
    integer array (groups, group_size) of indices of actions

    Raises
    ------
    DomainError
        if a logit is not finite or a size is below 1.

    Examples
    --------
    >>> sampled_groups([0.0, 50.0], 3, 2, generator=np.random.default_rng(0))
    array([[1, 1, 1],
           [1, 1, 1]])
    """
    scores = real_array("logits", logits)
    if scores.ndim != 1 or scores.size == 0:
        raise DomainError("logits", logits, "one number per action")
    shape = (
        int(integer_array("groups", groups, at_least=1)),
        int(integer_array("group_size", group_size, at_least=1)),
    )
    weights = np.exp(scores - scores.max())
    edges = np.cumsum(weights / weights.sum())[:-1]
    return np.searchsorted(edges, generator.random(shape), side="right").astype(np.int64)
