"""Pass@k of a file of scored tries, and of several files side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from rolltheory.errors import AssumptionError, DomainError
from rolltheory.numerics.arguments import integer_array
from rolltheory.numerics.generators import seeded_generator
from rolltheory.reachability.benchmark import (
    BenchmarkPassAtK,
    PairedPassAtK,
    benchmark_pass_at_k,
    compare_pass_at_k,
)
from rolltheory.reachability.beta_binomial import (
    ExtrapolatedPassAtK,
    compare_beta_binomial,
    extrapolate_pass_at_k,
)
from rolltheory.reachability.estimators import all_of_k
from rolltheory.reachability.intervals import pass_at_k_interval
from rolltheory.reachability.recovery import RecoveryMap, recovery_map_of_counts
from rolltheory.readers.attempts import Attempts, SuccessCounts
from rolltheory.readers.records import excerpt
from rolltheory.report.pass_at_k_warnings import pass_at_k_warnings
from rolltheory.stats.intervals import Interval

__all__ = [
    "Extrapolation",
    "PassAtKComparison",
    "PassAtKReport",
    "compare_reports",
    "default_tries",
    "pass_at_k_report",
]


@dataclass(frozen=True)
class Extrapolation:
    """Pass@k beyond the tries, from one law of the success probabilities.

    Attributes
    ----------
    with_zero_mass : whether the law may hold a share of problems that cannot be solved
    preferred : whether it has the smaller Akaike criterion of the two laws
    result : Pass@k of the law, its interval, and the law
    """

    with_zero_mass: bool
    preferred: bool
    result: ExtrapolatedPassAtK


@dataclass(frozen=True)
class PassAtKReport:
    """What one file of tries says about Pass@k.

    Attributes
    ----------
    counts : tries and successes of every problem
    threshold : the score from which on a try is a success
    confidence, seed : of all intervals
    curve : Pass@k of the benchmark, one point for each k; for a single problem the interval is the
        exact one
    all_of_k : mean estimate of the chance that all k tries succeed, for each k
    extrapolation : none, one or two laws and their Pass@k
    warnings : sentences
    """

    counts: SuccessCounts
    threshold: float
    confidence: float
    seed: int
    curve: tuple[BenchmarkPassAtK, ...]
    all_of_k: tuple[float, ...]
    extrapolation: tuple[Extrapolation, ...]
    warnings: tuple[str, ...]

    def exact_intervals(self) -> tuple[Interval, ...]:
        """For each k the exact interval of each problem, arrays of shape (M,)."""
        samples, successes = self.counts.samples, self.counts.successes
        return tuple(
            pass_at_k_interval(samples, successes, point.k, confidence=self.confidence)
            for point in self.curve
        )


@dataclass(frozen=True)
class PassAtKComparison:
    """The same problems, tried by two models or checkpoints.

    Attributes
    ----------
    first, second : the files
    differences : second minus first, one for each k
    recovery : tries of the first that match tries of the second; None if the second has no success
    """

    first: str
    second: str
    differences: tuple[PairedPassAtK, ...]
    recovery: RecoveryMap | None


def default_tries(fewest: int) -> tuple[int, ...]:
    """Powers of two up to the fewest tries of a problem, and that number.

    >>> default_tries(50)
    (1, 2, 4, 8, 16, 32, 50)
    """
    powers = (2**exponent for exponent in range(fewest.bit_length()))
    return tuple(sorted({*powers, fewest}))


def pass_at_k_report(
    attempts: Attempts,
    *,
    tries: Sequence[int] | None = None,
    threshold: float = 1.0,
    confidence: float = 0.95,
    seed: int = 0,
    extrapolate_to: int | None = None,
) -> PassAtKReport:
    """Pass@k of one file for each k, with errors, intervals and warnings.

    Parameters
    ----------
    attempts : from `rolltheory.readers.read_attempts`
    tries : ascending k, at most the tries of every problem; else `default_tries`
    threshold : a try counts as a success from this score on
    confidence : of all intervals
    seed : of the bootstrap; the interval for one k does not depend on the others, and all
        extrapolations are from the same resamples, so that their limits grow with k
    extrapolate_to : a k above the fewest tries of a problem

    Returns
    -------
    PassAtKReport

    Raises
    ------
    DomainError
        if k exceeds the tries of a problem, or for arguments outside their ranges.
    AssumptionError
        if an extrapolation is wanted and the counts determine no law.
    """
    counts = attempts.counts(threshold=threshold)
    if tries is None:
        tries = default_tries(int(counts.samples.min()))
    _require_enough_tries(counts, tries)
    table = counts.samples, counts.successes
    points = (
        benchmark_pass_at_k(
            *table, k, generator=seeded_generator(seed, "curve", str(k)), confidence=confidence
        )
        for k in tries
    )
    return PassAtKReport(
        counts=counts,
        threshold=threshold,
        confidence=confidence,
        seed=seed,
        curve=tuple(_exact_if_single(point, counts) for point in points),
        all_of_k=tuple(float(np.mean(all_of_k(*table, k))) for k in tries),
        extrapolation=_extrapolations(counts, extrapolate_to, confidence, seed),
        warnings=pass_at_k_warnings(attempts, tries, threshold=threshold, confidence=confidence),
    )


def compare_reports(first: PassAtKReport, second: PassAtKReport) -> PassAtKComparison:
    """The second file against the first, problem by problem, at the k that both report.

    Parameters
    ----------
    first, second : reports on the same problems

    Returns
    -------
    PassAtKComparison

    Raises
    ------
    DomainError
        unless the problems of both are the same.
    """
    one, other = first.counts, second.counts
    _require_same_problems(one, other)
    tries = sorted({point.k for point in first.curve} & {point.k for point in second.curve})
    differences = (
        compare_pass_at_k(
            *(one.samples, one.successes, other.samples, other.successes, k),
            generator=seeded_generator(first.seed, "difference", str(k)),
            problems=one.problem_ids,
            other_problems=other.problem_ids,
            confidence=first.confidence,
        )
        for k in tries
    )
    recovery = None
    if other.successes.any():
        recovery = recovery_map_of_counts(
            other.samples, other.successes, one.samples, one.successes, tries
        )
    return PassAtKComparison(one.source, other.source, tuple(differences), recovery)


def _require_enough_tries(counts: SuccessCounts, tries: Sequence[int]) -> None:
    wanted = integer_array("k", tries, at_least=1)
    at = int(counts.samples.argmin())
    fewest = int(counts.samples[at])
    if (beyond := wanted[wanted > fewest]).size:
        allowed = (
            f"k <= n, and problem {excerpt(counts.problem_ids[at])} in {counts.source} has n ="
            f" {fewest}; no estimate of Pass@k from n < k tries is unbiased, only a fitted law"
            " extrapolates"
        )
        raise DomainError("k", int(beyond[0]), allowed)


def _require_same_problems(one: SuccessCounts, other: SuccessCounts) -> None:
    different = set(one.problem_ids) ^ set(other.problem_ids)
    if different:
        example = min(different)
        where = one if example in set(one.problem_ids) else other
        allowed = (
            f"the same problems in {one.source} and {other.source}; {len(different)} are in one"
            f" only, this one in {where.source}"
        )
        raise DomainError("problem", example, allowed)


def _exact_if_single(point: BenchmarkPassAtK, counts: SuccessCounts) -> BenchmarkPassAtK:
    if point.problems > 1:
        return point
    samples, successes = int(counts.samples[0]), int(counts.successes[0])
    exact = pass_at_k_interval(samples, successes, point.k, confidence=point.confidence)
    return replace(point, interval=exact)


def _extrapolations(
    counts: SuccessCounts, k: int | None, confidence: float, seed: int
) -> tuple[Extrapolation, ...]:
    if k is None:
        return ()
    integer_array("extrapolate_to", k, at_least=int(counts.samples.min()) + 1)
    table = counts.samples, counts.successes
    kinds, preferred = [False], False
    try:
        laws = compare_beta_binomial(*table)
    except AssumptionError:
        pass  # perhaps only the mass at zero is undetermined; if not, the Beta law fails below
    else:
        kinds, preferred = [False, True], laws.preferred is laws.zero_inflated
    return tuple(
        Extrapolation(
            with_zero_mass=zero_mass,
            preferred=zero_mass is preferred,
            result=extrapolate_pass_at_k(
                *table,
                k,
                generator=seeded_generator(seed, "extrapolation"),  # the same for every k
                zero_mass=zero_mass,
                confidence=confidence,
            ),
        )
        for zero_mass in kinds
    )
