"""The surrogate-gradient map of group-relative policy optimisation, exact for listed responses."""

from __future__ import annotations

from math import comb
from typing import Literal, TypeAlias

import torch
from torch import Tensor

from validation.training.policy import Parameters, ResponseLaw

__all__ = ["Advantage", "ascended", "directional_scores", "gradient", "mean_advantages", "success"]

Advantage: TypeAlias = Literal["divided", "mean-only", "raw"]


def mean_advantages(
    rewards: Tensor, behaviour: Tensor, *, group_size: int, advantage: Advantage = "divided"
) -> Tensor:
    """The mean advantage of each response over the rest of its group, which the behaviour draws.

    Every composition of the rest by reward level is listed.

    Parameters
    ----------
    rewards : shape (prompts, responses), of two or three levels
    behaviour : probabilities, shape (prompts, responses)
    advantage : the reward less the group's mean, "divided" by the group's standard deviation
        (population form; 0 in a constant group), or "mean-only"; or the "raw" reward

    Returns
    -------
    shape (prompts, responses)
    """
    levels = torch.unique(rewards)
    chances = torch.stack([(behaviour * (rewards == level)).sum(-1) for level in levels], -1)
    total = torch.zeros_like(rewards)
    for counts in _compositions(group_size - 1, len(levels)):
        chance = float(_ways(counts)) * torch.prod(chances ** torch.tensor(counts), -1)
        for number, level in enumerate(levels):
            group = torch.tensor(counts, dtype=rewards.dtype)
            group[number] += 1
            total = total + (rewards == level) * chance[:, None] * _of(
                level, group, levels, advantage
            )
    return total


def gradient(
    law: ResponseLaw,
    parameters: Parameters,
    rewards: Tensor,
    behaviour: Tensor,
    *,
    group_size: int,
    advantage: Advantage = "divided",
    ratio: bool = True,
) -> dict[str, Tensor]:
    """The learner's expected step: the mean over prompts of advantage times ratio times score.

    ``behaviour`` are the probabilities under the policy that sampled; without ``ratio`` its data
    are taken for fresh.
    """
    advantages = mean_advantages(rewards, behaviour, group_size=group_size, advantage=advantage)
    leaves = {name: value.detach().requires_grad_() for name, value in parameters.items()}
    log_probabilities = law.log_probabilities(leaves)
    source = log_probabilities.exp().detach() if ratio else behaviour
    objective = (source * advantages * log_probabilities).sum(-1).mean()
    found = torch.autograd.grad(objective, list(leaves.values()))
    return dict(zip(leaves, found, strict=True))


def success(law: ResponseLaw, parameters: Parameters, rewards: Tensor) -> Tensor:
    """Probability that the answer is right, shape (prompts,)."""
    right = rewards == rewards.max()
    return (law.log_probabilities(parameters).exp() * right).sum(-1)


def directional_scores(
    law: ResponseLaw, parameters: Parameters, direction: Parameters
) -> tuple[Tensor, Tensor]:
    """Log-probabilities, and their slopes along a direction of the parameters."""
    along = torch.func.jvp(law.log_probabilities, (dict(parameters),), (dict(direction),))
    return along[0], along[1]


def ascended(parameters: Parameters, step: Parameters, learning_rate: float) -> dict[str, Tensor]:
    """Parameters after one step of plain ascent."""
    return {name: value + learning_rate * step[name] for name, value in parameters.items()}


def _of(level: Tensor, group: Tensor, levels: Tensor, advantage: Advantage) -> Tensor:
    """The advantage of a reward level in a group with so many rewards of each level."""
    if advantage == "raw":
        return level
    mean = (group * levels).sum() / group.sum()
    if advantage == "mean-only":
        return level - mean
    spread = ((group * (levels - mean) ** 2).sum() / group.sum()).sqrt()
    return (level - mean) / spread if spread > 0 else torch.zeros_like(mean)


def _compositions(total: int, parts: int) -> list[tuple[int, ...]]:
    if parts == 1:
        return [(total,)]
    return [
        (first, *rest)
        for first in range(total + 1)
        for rest in _compositions(total - first, parts - 1)
    ]


def _ways(counts: tuple[int, ...]) -> int:
    ways, left = 1, sum(counts)
    for count in counts:
        ways *= comb(left, count)
        left -= count
    return ways
