"""Classes, rollouts, prompt distributions and samples to hold the theory of dimensions against.

Everything is an array of numbers: a class is rows (hypotheses, points), and rollouts are tokens
(rules, prompts, steps), written step by step from the last tokens instead of from strings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import integer_array, probability_array, real_array

__all__ = [
    "Sample",
    "ball",
    "cube",
    "cube_traces",
    "draw_sample",
    "markov_traces",
    "needle_traces",
    "random_window",
    "reveal",
    "skewed_law",
    "threshold_traces",
    "trace_labels",
    "uniform_law",
]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Sample:
    """What a learner sees: numbers of prompts (m,), and the target's labels at them (m,)."""

    prompts: IntArray
    labels: IntArray


def cube(points: int, labels: int = 2) -> IntArray:
    """All rows (labels ** points, points), in order."""
    return np.indices((labels,) * points).reshape(points, -1).T


def random_window(
    label_counts: Sequence[int], probability: float, *, generator: np.random.Generator
) -> IntArray:
    """The rows of a grid of those label counts that are kept, each with the probability.

    A line of k rows keeps k times the probability on average: with 2.5 of 24, on three points,
    there mostly is a pseudo-cube, and mostly no even one.
    """
    chance = float(probability_array("probability", probability))
    counts = tuple(integer_array("label_counts", label_counts, at_least=1).tolist())
    return np.argwhere(generator.random(counts) < chance)


def ball(points: int, labels: int, radius: int) -> IntArray:
    """The rows with at most that many labels that are not 0."""
    rows = cube(points, labels)
    kept: IntArray = rows[np.count_nonzero(rows, axis=1) <= radius]
    return kept


def reveal(points: int) -> IntArray:
    """For each set of points its number at its members, and 0 elsewhere."""
    return cube(points) * np.arange(2**points)[:, None]


def cube_traces(bits: int, steps: int) -> IntArray:
    """A free bit for each prompt, then the opposite of the last token, over and over."""
    first = cube(bits)[:, :, None]
    return (first + np.arange(steps)) % 2


def needle_traces(prompts: int, steps: int) -> IntArray:
    """For each set of prompts: a 1 on its members, at the step of the set's number, counted from 1.

    The empty set, and sets beyond the number of steps, write zeros only.
    """
    members = cube(prompts)
    number = np.arange(len(members))
    at = np.arange(1, steps + 1) == number[:, None]
    needles: IntArray = members[:, :, None] * at[:, None, :]
    return needles


def markov_traces(order: int, steps: int, *, tables: Any = None) -> IntArray:
    """Traces of rules on the last bits, from every prompt of that many bits, in order.

    ``tables`` (rules, 2 ** order) holds the next bit after each window; all tables if not given.
    """
    k = int(integer_array("order", order, at_least=1))
    rules = cube(2**k) if tables is None else integer_array("tables", tables, at_least=0, at_most=1)
    window = np.broadcast_to(np.arange(2**k), rules.shape).copy()
    written = np.empty((*rules.shape, steps), dtype=np.int64)
    for step in range(steps):
        written[..., step] = np.take_along_axis(rules, window, axis=1)
        window = (2 * window + written[..., step]) % 2**k
    return written


def threshold_traces(
    width: int, steps: int, *, rules: int, generator: np.random.Generator
) -> IntArray:
    """Traces of linear thresholds of the last bits, with normal weights and thresholds."""
    windows = cube(width)
    weights = generator.standard_normal((rules, width))
    tables = windows @ weights.T > generator.standard_normal(rules)
    return markov_traces(width, steps, tables=tables.T.astype(np.int64))


def trace_labels(traces: Any) -> IntArray:
    """For traces (rules, prompts, steps) the number of each among those of its prompt."""
    tokens = integer_array("traces", traces)
    numbers = [
        np.unique(tokens[:, prompt], axis=0, return_inverse=True)[1].reshape(-1)
        for prompt in range(tokens.shape[1])
    ]
    return np.stack(numbers, axis=1)


def uniform_law(prompts: int) -> FloatArray:
    """The same probability for each prompt (prompts,)."""
    return np.full(prompts, 1.0 / prompts)


def skewed_law(prompts: int, error: float) -> FloatArray:
    """8 error / (d - 1) on each prompt but the first, which has the rest (prompts,).

    The hard law for a class that shatters its prompts: an unseen one is a guess.
    """
    d = int(integer_array("prompts", prompts, at_least=2))
    rare = 8 * float(real_array("error", error, at_least=0.0, at_most=0.125))
    return np.append(1 - rare, np.full(d - 1, rare / (d - 1)))


def draw_sample(target: Any, law: Any, size: int, *, generator: np.random.Generator) -> Sample:
    """Independent prompts from the law (prompts,), with the labels of the target (prompts,)."""
    labels, weights = integer_array("target", target), probability_array("law", law)
    if labels.shape != weights.shape or not np.isclose(weights.sum(), 1.0, rtol=0, atol=1e-12):
        raise DomainError("law", law, "probabilities that sum to one, one for each label")
    prompts = generator.choice(labels.size, size, p=weights)
    return Sample(prompts, labels[prompts])
