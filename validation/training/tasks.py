"""Verifiable token tasks whose responses can all be listed, so that nothing need be sampled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise, product

import numpy as np
import numpy.typing as npt

from rolltheory.errors import DomainError

__all__ = ["TASKS", "Task", "task"]

Tokens = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """Prompts, every response of a fixed length, and which responses are right.

    Parameters
    ----------
    vocabulary : int
        Tokens are ``0 .. vocabulary - 1``; the last one stands between prompt and response.
    prompts : shape (prompts, prompt length)
    responses : shape (responses, response length)
    rewards : shape (prompts, responses)
        1 where the response answers the prompt, else 0.
    """

    vocabulary: int
    prompts: Tokens
    responses: Tokens
    rewards: npt.NDArray[np.float64]


def task(name: str) -> Task:
    """The task with this name.

    Raises
    ------
    DomainError
        if there is none.

    Examples
    --------
    >>> sorting = task("sorting")
    >>> sorting.responses.shape, sorting.rewards.sum(axis=1).tolist()
    ((64, 3), [1.0, 1.0, 1.0])
    """
    if name not in TASKS:
        raise DomainError("task", name, f"one of {', '.join(sorted(TASKS))}")
    return TASKS[name]()


def _sorting() -> Task:
    """Repeat three digits below 4 in ascending order."""
    prompts = [(2, 0, 1), (3, 1, 1), (0, 3, 2)]
    return _listed(4, 3, prompts, lambda prompt, answer: answer == tuple(sorted(prompt)))


def _modular_sum() -> Task:
    """Add two numbers of two ternary digits, modulo 9."""
    prompts = [(0, 2, 1, 1), (2, 2, 1, 0), (1, 1, 1, 2)]

    def right(prompt: tuple[int, ...], answer: tuple[int, ...]) -> bool:
        a, b, c, d = prompt
        return 3 * answer[0] + answer[1] == (3 * a + b + 3 * c + d) % 9

    return _listed(3, 2, prompts, right)


def _brackets() -> Task:
    """Complete opening (0) and closing (1) brackets to a balanced string of eight."""
    prompts = [(0,), (0, 0), (0, 1)]
    padded = [(2,) * (2 - len(prompt)) + prompt for prompt in prompts]

    def balanced(prompt: tuple[int, ...], answer: tuple[int, ...]) -> bool:
        steps = [1 - 2 * token for token in (*prompt, *answer) if token < 2]
        heights = np.cumsum(steps)
        return bool(heights[-1] == 0 and heights.min() >= 0)

    listed = [answer for answer in product(range(3), repeat=6) if _padded_at_the_end(answer)]
    return _with_rewards(3, padded, listed, balanced)


def _padded_at_the_end(answer: tuple[int, ...]) -> bool:
    """Whether padding (2) is followed by nothing else."""
    return all(b == 2 for a, b in pairwise(answer) if a == 2)


def _listed(
    digits: int,
    length: int,
    prompts: list[tuple[int, ...]],
    right: Callable[[tuple[int, ...], tuple[int, ...]], bool],
) -> Task:
    return _with_rewards(digits, prompts, list(product(range(digits), repeat=length)), right)


def _with_rewards(
    digits: int,
    prompts: list[tuple[int, ...]],
    responses: list[tuple[int, ...]],
    right: Callable[[tuple[int, ...], tuple[int, ...]], bool],
) -> Task:
    rewards = [[float(right(prompt, answer)) for answer in responses] for prompt in prompts]
    return Task(digits + 1, np.array(prompts), np.array(responses), np.array(rewards))


TASKS: dict[str, Callable[[], Task]] = {
    "brackets": _brackets,
    "modular sum": _modular_sum,
    "sorting": _sorting,
}
"""Builders of the tasks, by name."""
