"""What a file of scored tries comes down to, and the questions to ask of it before any estimate."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import integer_array, real_array

__all__ = [
    "ANY_CREDIT",
    "Attempts",
    "ScoredAttempts",
    "SuccessCounts",
    "is_binary",
    "repeated_tries",
    "threshold_sensitivity",
]

ANY_CREDIT = math.nextafter(0.0, 1.0)
"""The smallest positive float: the threshold at which every score above zero is a success."""


@dataclass(frozen=True, slots=True, eq=False)
class SuccessCounts:
    """For every problem, how many tries were made and how many of them succeeded.

    Parameters
    ----------
    source : the file
    format : a name in ``FORMATS``
    problem_ids : M names, in file order
    samples : shape (M,), tries of each problem, at least 1
    successes : shape (M,), successes among them
    skipped : why each unreadable line was left out, where the caller asked for that

    Raises
    ------
    DomainError
        unless ``1 <= samples`` and ``0 <= successes <= samples``, one of each per problem.

    Examples
    --------
    >>> SuccessCounts("table.csv", "count-table", ("a", "b"), [4, 2], [1, 3])
    Traceback (most recent call last):
    ...
    rolltheory.errors.DomainError: successes = 3 is not allowed: need at most the 2 samples of 'b'
    """

    source: str
    format: str
    problem_ids: tuple[str, ...]
    samples: npt.NDArray[np.int64]
    successes: npt.NDArray[np.int64]
    skipped: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name, least in (("samples", 1), ("successes", 0)):
            array = integer_array(name, getattr(self, name), at_least=least)
            if array.shape != (len(self.problem_ids),):
                raise DomainError(name, array.shape, f"shape ({len(self.problem_ids)},)")
            object.__setattr__(self, name, _read_only(array))
        if (excess := np.flatnonzero(self.successes > self.samples)).size:
            at = excess[0]
            allowed = f"at most the {self.samples[at]} samples of {self.problem_ids[at]!r}"
            raise DomainError("successes", int(self.successes[at]), allowed)

    def counts(self, threshold: float = 1.0) -> SuccessCounts:
        """The counts themselves, which are the same at every threshold in (0, 1].

        Raises
        ------
        DomainError
            for any other threshold: a counted try scores 0 or 1, nothing beyond is known of it.
        """
        if not 0.0 < _threshold(threshold) <= 1.0:
            raise DomainError("threshold", threshold, "0 < threshold <= 1, the file holds counts")
        return self


@dataclass(frozen=True, slots=True, eq=False)
class ScoredAttempts:
    """For every problem, the score of each try and, where the text was kept, its fingerprint.

    Parameters
    ----------
    source : the file
    format : a name in ``FORMATS``
    problem_ids : M names, in file order
    scores : M arrays, the i-th of shape (n_i,) with ``n_i >= 1``, finite
    fingerprints : M arrays of the same shapes in which equal numbers mean equal texts, or None for
        a problem of which some try has no text
    skipped : why each unreadable line was left out, where the caller asked for that

    Raises
    ------
    DomainError
        unless each problem has one or more finite scores, and fingerprints of the same shape.

    Examples
    --------
    >>> tries = ScoredAttempts("x.json", "matrix", ("a",), ([0, 0.5, 1],), (None,))
    >>> tries.counts().successes, tries.counts(threshold=0.5).successes
    (array([1]), array([2]))
    """

    source: str
    format: str
    problem_ids: tuple[str, ...]
    scores: tuple[npt.NDArray[np.float64], ...]
    fingerprints: tuple[npt.NDArray[np.uint64] | None, ...]
    skipped: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        problems = len(self.problem_ids)
        for name in ("scores", "fingerprints"):
            if len(getattr(self, name)) != problems:
                raise DomainError(name, f"{len(getattr(self, name))} entries", f"{problems}")
        scores = tuple(_read_only(real_array("scores", row)) for row in self.scores)
        for row, prints in zip(scores, self.fingerprints, strict=True):
            if row.ndim != 1 or not row.size:
                raise DomainError("scores", row.shape, "at least one try of every problem")
            if prints is not None and prints.shape != row.shape:
                raise DomainError("fingerprints", prints.shape, f"shape {row.shape} as the scores")
        object.__setattr__(self, "scores", scores)

    @property
    def samples(self) -> npt.NDArray[np.int64]:
        """Tries of each problem, shape (M,)."""
        return np.array([row.size for row in self.scores], dtype=np.int64)

    def counts(self, threshold: float = 1.0) -> SuccessCounts:
        """Count a try as a success iff ``score >= threshold``."""
        least = _threshold(threshold)
        return SuccessCounts(
            self.source,
            self.format,
            self.problem_ids,
            self.samples,
            np.array([np.count_nonzero(row >= least) for row in self.scores], dtype=np.int64),
            self.skipped,
        )


Attempts: TypeAlias = ScoredAttempts | SuccessCounts
"""What a file of tries is read as: scores of single tries, or counts."""


def is_binary(attempts: Attempts) -> bool:
    """Whether every score is 0 or 1, so that no threshold in (0, 1] changes an answer.

    >>> is_binary(ScoredAttempts("x.json", "matrix", ("a",), ([0, 1, 3e-8],), (None,)))
    False
    """
    if isinstance(attempts, SuccessCounts):
        return True
    return all(bool(np.isin(row, (0.0, 1.0)).all()) for row in attempts.scores)


def threshold_sensitivity(
    attempts: Attempts, thresholds: Sequence[float] = (ANY_CREDIT, 0.5, 1.0)
) -> npt.NDArray[np.float64]:
    """Share of successes at each threshold, averaged over problems: Pass@1 by reporting rule.

    Parameters
    ----------
    attempts : M problems
    thresholds : T scores from which on a try is a success; ``ANY_CREDIT`` stands for "above 0"

    Returns
    -------
    shape (T,), the mean over problems of ``successes / samples``

    Examples
    --------
    >>> tries = ScoredAttempts("x.json", "matrix", ("a",), ([3e-8, 0, 0.999, 1],), (None,))
    >>> threshold_sensitivity(tries)
    array([0.75, 0.5 , 0.25])
    """
    tables = (attempts.counts(threshold=threshold) for threshold in thresholds)
    return np.array([np.mean(table.successes / table.samples) for table in tables])


def repeated_tries(attempts: Attempts) -> tuple[str, ...]:
    """Problems with two or more tries whose texts are all identical.

    Greedy or equally seeded repeats are one try written down n times, not n independent ones.
    Problems whose texts were not kept are never listed.
    """
    if isinstance(attempts, SuccessCounts):
        return ()
    return tuple(
        problem
        for problem, prints in zip(attempts.problem_ids, attempts.fingerprints, strict=True)
        if prints is not None and prints.size >= 2 and bool((prints == prints[0]).all())
    )


def _threshold(value: float) -> float:
    return real_array("threshold", value).item()


def _read_only(array: npt.NDArray[np.generic]) -> npt.NDArray[np.generic]:
    array.setflags(write=False)
    return array
