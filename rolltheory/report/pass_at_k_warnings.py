"""What to know before one believes a Pass@k, as short sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from rolltheory.reachability.estimators import pass_at_k
from rolltheory.reachability.intervals import pass_at_k_interval, tries_to_certify
from rolltheory.readers.attempts import (
    ANY_CREDIT,
    Attempts,
    SuccessCounts,
    is_binary,
    repeated_tries,
    threshold_sensitivity,
)
from rolltheory.readers.records import excerpt

__all__ = ["pass_at_k_warnings"]

_FEW_PROBLEMS = 20
_CERTIFIED = 0.05


def pass_at_k_warnings(
    attempts: Attempts, tries: Sequence[int], *, threshold: float, confidence: float
) -> tuple[str, ...]:
    """Sentences on what the file and the choice of k and threshold do to the answer.

    Parameters
    ----------
    attempts : from `rolltheory.readers.read_attempts`
    tries : the k that are reported
    threshold : a try counts as a success from this score on
    confidence : of the intervals

    Returns
    -------
    tuple of str, in a fixed order; empty if there is nothing to warn of
    """
    counts = attempts.counts(threshold=threshold)
    return (
        *_skipped(counts),
        *_scores(attempts, threshold),
        *_numbers_of_tries(counts),
        *_repeats(attempts, counts),
        *_large_k(counts, tries),
        *_failures(counts, max(tries), confidence),
        *_few_problems(counts, tries, confidence),
    )


def _skipped(counts: SuccessCounts) -> Iterator[str]:
    if counts.skipped:
        yield (
            f"{_many(len(counts.skipped), 'line or file', 'lines or files')} could not be read and"
            f" {'is' if len(counts.skipped) == 1 else 'are'} left out; first, {counts.skipped[0]}."
        )


def _scores(attempts: Attempts, threshold: float) -> Iterator[str]:
    if is_binary(attempts):
        if not 0 < threshold <= 1:
            yield (
                f"Scores are 0 or 1, so the threshold {threshold:g} counts"
                f" {'every' if threshold <= 0 else 'no'} try as a success."
            )
        return
    others = {"any score > 0": ANY_CREDIT, "score >= 0.5": 0.5, "score >= 1": 1.0}
    others = {name: value for name, value in others.items() if value != threshold}
    used, *found = threshold_sensitivity(attempts, [threshold, *others.values()]).tolist()
    instead = ", ".join(
        f"{value:.4f} with {name}" for name, value in zip(others, found, strict=True)
    )
    yield (
        f"Scores other than 0 and 1 occur; a try counts as a success if score >= {threshold:g}."
        f" That rule decides the answer: Pass@1 is {used:.4f} with it, {instead}."
    )


def _numbers_of_tries(counts: SuccessCounts) -> Iterator[str]:
    fewest, most = int(counts.samples.min()), int(counts.samples.max())
    if fewest < most:
        named = excerpt(counts.problem_ids[int(counts.samples.argmin())])
        yield (
            f"Problems have from {fewest} ({named}) to {most} tries; k goes up to {fewest} only,"
            " and problems with more tries are known better."
        )
    if most == 1:
        yield (
            "One try per problem: it tells Pass@1 and nothing about larger k, nor how much of the"
            " spread between problems is chance."
        )


def _repeats(attempts: Attempts, counts: SuccessCounts) -> Iterator[str]:
    repeated = repeated_tries(attempts)
    if repeated:
        yield (
            f"All tries are the same text in {_many(len(repeated), 'problem', 'problems')}, such as"
            f" {excerpt(repeated[0])}: greedy or equally seeded repeats are one try, not"
            " independent ones."
        )
        return
    several = counts.samples > 1
    uniform = (counts.successes == 0) | (counts.successes == counts.samples)
    if several.any() and uniform.all() and counts.successes.any():
        yield (
            "Within every problem all tries end the same way, so Pass@k is the same for every k:"
            " check that the tries are independent, not repeats of one."
        )


def _large_k(counts: SuccessCounts, tries: Sequence[int]) -> Iterator[str]:
    fewest = int(counts.samples.min())
    near = [str(k) for k in tries if 2 * k > fewest]
    if near and fewest > 1:
        yield (
            f"k = {', '.join(near)}: more than half of the {fewest} tries. Their noise has no"
            " unbiased estimate there (no 'se tries'), and the estimate for one problem, close to 0"
            " or 1, may lie outside its exact interval."
        )


def _failures(counts: SuccessCounts, largest: int, confidence: float) -> Iterator[str]:
    failed = counts.successes == 0
    number = int(np.count_nonzero(failed))
    if not number:
        return
    most = int(counts.samples[failed].max())
    tries = sorted({1, largest})
    upper = pass_at_k_interval(most, 0, tries, confidence=confidence).upper.tolist()
    limits = " and ".join(f"Pass@{k} = {v:.4g}" for k, v in zip(tries, upper, strict=True))
    needed = tries_to_certify(_CERTIFIED, largest, confidence=confidence)
    yield (
        f"No success in {number} of {_many(counts.samples.size, 'problem', 'problems')}. That does"
        f" not show that none is possible: after {_many(most, 'failure', 'failures')} the exact"
        f" interval still reaches up to {limits}. To show Pass@{largest} <= {_CERTIFIED}"
        f" (one-sided, {confidence}) takes {_many(needed, 'failure', 'failures')} in a row."
    )


def _few_problems(counts: SuccessCounts, tries: Sequence[int], confidence: float) -> Iterator[str]:
    problems = counts.samples.size
    if problems == 1:
        return
    spread = [np.ptp(pass_at_k(counts.samples, counts.successes, k)) > 0 for k in tries]
    if not all(spread):
        flat = ", ".join(str(k) for k, some in zip(tries, spread, strict=True) if not some)
        yield (
            f"k = {flat}: every problem has the same estimate, so the bootstrap sees no spread and"
            " its interval says nothing; look at the exact intervals of the problems."
        )
    elif problems < _FEW_PROBLEMS:
        yield (
            f"Only {problems} problems: the bootstrap interval over problems covers less often than"
            f" {confidence}."
        )


def _many(number: int, one: str, several: str) -> str:
    return f"{number} {one if number == 1 else several}"
