"""The frozen types and the questions asked of them."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path

import numpy as np
import pytest

from rolltheory.errors import DomainError
from rolltheory.readers import (
    ANY_CREDIT,
    ScoredAttempts,
    SuccessCounts,
    is_binary,
    read_attempts,
    repeated_tries,
    threshold_sensitivity,
)

DATA = Path(__file__).parents[1] / "data" / "attempts"


def scored(
    *rows: list[float], prints: tuple[list[int] | None, ...] | None = None
) -> ScoredAttempts:
    fingerprints = prints or (None,) * len(rows)
    return ScoredAttempts(
        "file",
        "matrix",
        tuple("abcdefgh"[: len(rows)]),
        tuple(np.array(row) for row in rows),
        tuple(row if row is None else np.array(row, dtype=np.uint64) for row in fingerprints),
    )


def counted(samples: list[int], successes: list[int]) -> SuccessCounts:
    ids = tuple("abcdefgh"[: len(samples)])
    return SuccessCounts("file", "count-table", ids, np.array(samples), np.array(successes))


def test_a_score_at_the_threshold_is_a_success() -> None:
    tries = scored([0.0, 0.5, 0.999, 1.0, 3e-8], [-1.0, 2.0])
    for threshold, expected in ((1.0, [1, 1]), (0.5, [3, 1]), (ANY_CREDIT, [4, 1]), (0, [5, 1])):
        assert tries.counts(threshold=threshold).successes.tolist() == expected
    assert tries.counts().samples.tolist() == tries.samples.tolist() == [5, 2]


def test_counts_keep_what_identifies_them() -> None:
    tries = dataclasses.replace(scored([1.0], [0.0]), skipped=("line 3",))
    counts = tries.counts()
    assert (counts.source, counts.format, counts.problem_ids, counts.skipped) == (
        "file",
        "matrix",
        ("a", "b"),
        ("line 3",),
    )
    assert counts.samples.dtype == counts.successes.dtype == np.int64


def test_any_credit_is_the_least_positive_score() -> None:
    assert scored([5e-324, 0.0]).counts(threshold=ANY_CREDIT).successes.tolist() == [1]


def test_counted_tries_are_zero_or_one() -> None:
    table = counted([4, 9], [0, 9])
    assert table.counts() is table.counts(threshold=ANY_CREDIT) is table
    for threshold in (0.0, -1.0, 1.5):
        with pytest.raises(DomainError, match="0 < threshold <= 1"):
            table.counts(threshold=threshold)


@pytest.mark.parametrize("threshold", [math.nan, math.inf, "1", None])
def test_a_threshold_is_a_finite_number(threshold: object) -> None:
    for attempts in (scored([1.0]), counted([1], [1])):
        with pytest.raises(DomainError, match="threshold"):
            attempts.counts(threshold=threshold)  # type: ignore[arg-type]


def test_is_binary() -> None:
    assert is_binary(scored([0.0, 1.0], [1.0]))
    assert not is_binary(scored([0.0, 1.0], [0.999]))
    assert not is_binary(scored([-1.0, 1.0]))
    assert is_binary(counted([3], [2]))


def test_threshold_sensitivity_averages_over_problems_not_tries() -> None:
    tries = scored([1.0, 0.0], [0.5, 0.5, 0.5, 3e-8])
    expected = [(1 / 2 + 1) / 2, (1 / 2 + 3 / 4) / 2, (1 / 2 + 0) / 2]
    np.testing.assert_allclose(threshold_sensitivity(tries), expected, rtol=1e-15)
    np.testing.assert_array_equal(threshold_sensitivity(tries, [0.75]), [0.25])
    np.testing.assert_array_equal(threshold_sensitivity(counted([4], [1])), [0.25] * 3)


def test_repeated_tries_need_two_identical_texts_or_more() -> None:
    tries = scored([1.0, 1.0], [0.0, 0.0], [1.0], [0.0, 0.0], prints=([7, 7], [7, 8], [7], None))
    assert repeated_tries(tries) == ("a",)
    assert repeated_tries(counted([5], [5])) == ()


def test_the_arrays_cannot_be_written_to() -> None:
    tries, table = scored([1.0]), counted([1], [1])
    for array in (tries.scores[0], table.samples, table.successes):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(dataclasses.FrozenInstanceError):
        table.source = "other"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("samples", "successes", "found"),
    [
        ([0], [0], "samples = 0"),
        ([3], [-1], "successes = -1"),
        ([3, 2], [1, 3], "successes = 3 .* at most the 2 samples of 'b'"),
        ([2.5], [1], "samples = 2.5"),
    ],
)
def test_impossible_counts_are_refused(samples: list, successes: list, found: str) -> None:
    with pytest.raises(DomainError, match=found):
        counted(samples, successes)


def test_shapes_must_agree() -> None:
    with pytest.raises(DomainError, match="samples = \\(1,\\)"):
        SuccessCounts("f", "count-table", ("a", "b"), np.array([1]), np.array([1, 1]))
    with pytest.raises(DomainError, match="scores = '1 entries'"):
        ScoredAttempts("f", "matrix", ("a", "b"), (np.array([1.0]),), (None, None))
    with pytest.raises(DomainError, match="at least one try"):
        scored([])
    with pytest.raises(DomainError, match="scores = nan"):
        scored([math.nan])
    with pytest.raises(DomainError, match="fingerprints"):
        scored([1.0, 1.0], prints=([7],))


def test_the_table_that_ships_agrees_with_the_published_scores() -> None:
    airline = read_attempts(DATA / "tau_bench_gpt4o_airline_counts.csv").counts()
    assert set(airline.samples.tolist()) == {4}
    assert np.mean(airline.successes / 4) == 0.42
    assert np.mean(airline.successes == 4) == 0.2
