"""Pass@k of a whole benchmark: the mean over problems, its two errors, and paired comparison."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import integer_array
from rolltheory.reachability.counts import checked_counts
from rolltheory.reachability.estimators import (
    pass_at_k,
    pass_at_k_variance_estimate,
    plug_in_pass_at_k,
)
from rolltheory.stats.bootstrap import bootstrap_means, percentile_interval, sign_flip_p_value
from rolltheory.stats.intervals import Interval, tail_level

__all__ = ["BenchmarkPassAtK", "PairedPassAtK", "benchmark_pass_at_k", "compare_pass_at_k"]

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]

_POWER = 0.8


@dataclass(frozen=True)
class BenchmarkPassAtK:
    """Pass@k of a benchmark.

    Attributes
    ----------
    k : tries of which one must succeed
    problems : number of problems
    unsolved_problems : problems without a success; nothing shows that they cannot be solved
    fewest_samples, most_samples : smallest and largest number of tries of a problem
    estimate : mean of the unbiased estimates
    plug_in : mean of ``1 - (1 - c/n)^k``, biased low, for contrast
    fixed_problems_error : standard error from the tries alone, for exactly these problems; None if
        ``2 k`` exceeds the tries of a problem, where no unbiased estimate of it exists
    sampled_problems_error : standard error if the problems are a sample from a population; it
        contains the noise of the tries already. None for a single problem
    interval : bootstrap interval over problems, for that population
    confidence : its nominal level; with few problems it covers less
    """

    k: int
    problems: int
    unsolved_problems: int
    fewest_samples: int
    most_samples: int
    estimate: float
    plug_in: float
    fixed_problems_error: float | None
    sampled_problems_error: float | None
    interval: Interval
    confidence: float


@dataclass(frozen=True)
class PairedPassAtK:
    """Difference in Pass@k of two sets of tries on the same problems.

    Attributes
    ----------
    k : tries of which one must succeed
    problems : number of shared problems
    first, second : the two estimates
    difference : second minus first
    interval : paired bootstrap interval over problems for the difference
    standard_error : of the difference, over problems in pairs; None for a single problem
    p_value : two-sided, from random exchanges of the two sets within each problem
    significant : whether the interval leaves out zero and the p-value is at most
        ``1 - confidence``
    confidence : level of both
    """

    k: int
    problems: int
    first: float
    second: float
    difference: float
    interval: Interval
    standard_error: float | None
    p_value: float
    significant: bool
    confidence: float

    @property
    def detectable_difference(self) -> float | None:
        """Difference that as many problems, as noisy, show to be significant with 80 % power.

        Normal approximation, ``(z(1 - alpha / 2) + z(0.8))`` times the standard error; None where
        no spread between the problems tells an error.
        """
        if not self.standard_error:
            return None
        return float(ndtri(1 - tail_level(self.confidence)) + ndtri(_POWER)) * self.standard_error


def benchmark_pass_at_k(
    samples: npt.ArrayLike,
    successes: npt.ArrayLike,
    k: int,
    *,
    generator: np.random.Generator,
    confidence: float = 0.95,
    resamples: int = 10_000,
) -> BenchmarkPassAtK:
    r"""Mean Pass@k over problems, with the error for these problems and for a population of them.

    .. math:: \bar U = \frac1M \sum_i U_i, \qquad
              s_{\text{fixed}}^2 = \frac{1}{M^2} \sum_i \widehat{\operatorname{Var}}\, U_i, \qquad
              s_{\text{sampled}}^2 = \frac{1}{M (M-1)} \sum_i (U_i - \bar U)^2

    The second contains the noise within problems already (law of total variance), so the two are
    never added. The bootstrap resamples problems only: resampling the tries inside a problem too
    would centre the statistic on the plug-in estimate, too low.

    Assumes independent problems, and within a problem independent tries with one success
    probability.

    Parameters
    ----------
    samples, successes : array_like of int, broadcast to shape (M,)
        Tries and successes per problem.
    k : int
        At most the tries of every problem.
    generator : numpy.random.Generator
    confidence : float
        Level of the interval, within (0, 1).
    resamples : int
        Bootstrap resamples, at least 1.

    Returns
    -------
    BenchmarkPassAtK

    Raises
    ------
    DomainError
        for no problems, ``k`` above the tries of a problem, or counts outside their ranges.

    Notes
    -----
    Source: derived here.

    Examples
    --------
    >>> result = benchmark_pass_at_k(50, [0, 1, 17, 2], 8, generator=np.random.default_rng(0))
    >>> round(result.estimate, 4), round(result.sampled_problems_error, 4)
    (0.3578, 0.2142)
    """
    n, c, draws = _problems(samples, successes, k)
    values = pass_at_k(n, c, draws)
    fixed = None
    if 2 * draws <= n.min():
        fixed = float(np.sqrt(pass_at_k_variance_estimate(n, c, draws).sum()) / n.size)
    means = bootstrap_means(values, generator=generator, resamples=resamples)
    return BenchmarkPassAtK(
        k=draws,
        problems=n.size,
        unsolved_problems=int(np.count_nonzero(c == 0)),
        fewest_samples=int(n.min()),
        most_samples=int(n.max()),
        estimate=float(values.mean()),
        plug_in=float(plug_in_pass_at_k(n, c, draws).mean()),
        fixed_problems_error=fixed,
        sampled_problems_error=_standard_error(values),
        interval=percentile_interval(means, confidence=confidence),
        confidence=confidence,
    )


def compare_pass_at_k(
    samples: npt.ArrayLike,
    successes: npt.ArrayLike,
    other_samples: npt.ArrayLike,
    other_successes: npt.ArrayLike,
    k: int,
    *,
    generator: np.random.Generator,
    problems: Sequence[Hashable] | None = None,
    other_problems: Sequence[Hashable] | None = None,
    confidence: float = 0.95,
    resamples: int = 10_000,
) -> PairedPassAtK:
    r"""Difference in Pass@k on the same problems, and whether it is more than noise.

    .. math:: \frac1M \sum_i (U'_i - U_i)

    Assumes independent problems; under the null hypothesis of the p-value the two sets of tries of
    a problem could be exchanged. The p-value keeps its level for any number of problems, the
    interval only for many, so both must agree before the difference is called significant.

    Parameters
    ----------
    samples, successes, other_samples, other_successes : array_like of int, shape (M,)
        Tries and successes per problem of the first and of the second set.
    k : int
        At most the tries of every problem in both.
    generator : numpy.random.Generator
    problems, other_problems : sequences of M identifiers, optional
        If given, problems are paired by identifier; else by position.
    confidence : float
        Level of the interval and of the verdict, within (0, 1).
    resamples : int
        Resamples of the bootstrap and of the randomisation, at least 1.

    Returns
    -------
    PairedPassAtK

    Raises
    ------
    DomainError
        unless the two sets of problems are identical and without repetition.

    Notes
    -----
    Source: derived here; paired bootstrap and randomisation test known.

    Examples
    --------
    >>> result = compare_pass_at_k(
    ...     4, [0, 1, 2], 4, [4, 4, 4], 2, generator=np.random.default_rng(0)
    ... )
    >>> round(result.difference, 4), result.significant
    (0.5556, False)
    """
    n, c, draws = _problems(samples, successes, k)
    other_n, other_c, _ = _problems(other_samples, other_successes, k)
    order = _matching(n.size, other_n.size, problems, other_problems)
    first, second = pass_at_k(n, c, draws), pass_at_k(other_n, other_c, draws)[order]
    differences = second - first
    means = bootstrap_means(differences, generator=generator, resamples=resamples)
    interval = percentile_interval(means, confidence=confidence)
    p_value = sign_flip_p_value(differences, generator=generator, resamples=resamples)
    excluded = interval.lower > 0 or interval.upper < 0
    return PairedPassAtK(
        k=draws,
        problems=n.size,
        first=float(first.mean()),
        second=float(second.mean()),
        difference=float(differences.mean()),
        interval=interval,
        standard_error=_standard_error(differences),
        p_value=p_value,
        significant=bool(excluded and p_value <= 1 - confidence),
        confidence=confidence,
    )


def _standard_error(values: FloatArray) -> float | None:
    """Of the mean; None for a single value."""
    return float(values.std(ddof=1) / values.size**0.5) if values.size > 1 else None


def _problems(
    samples: npt.ArrayLike, successes: npt.ArrayLike, k: int
) -> tuple[IntArray, IntArray, int]:
    n, c = (np.atleast_1d(v) for v in np.broadcast_arrays(*checked_counts(samples, successes)))
    if n.ndim != 1 or not n.size:
        raise DomainError("shape of successes", n.shape, "one count per problem, at least one")
    return n, c, int(integer_array("k", k))


def _matching(
    size: int,
    other_size: int,
    problems: Sequence[Hashable] | None,
    other_problems: Sequence[Hashable] | None,
) -> IntArray:
    """Positions in the second set of the problems of the first."""
    first = range(size) if problems is None else problems
    second = range(other_size) if other_problems is None else other_problems
    place = {problem: index for index, problem in enumerate(second)}
    unique = len(set(first)) == len(first) == size and len(place) == len(second) == other_size
    if not unique:
        raise DomainError("problems", list(first), "one identifier per problem, each used once")
    different = set(first) ^ set(place)
    if different:
        example = min(different, key=str)
        raise DomainError(
            "problems", example, f"the same problems in both sets; {len(different)} are in one only"
        )
    return np.array([place[problem] for problem in first], dtype=np.int64)
