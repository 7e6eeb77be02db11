"""The Littlestone dimension against its recursion, with trees that are followed."""

import sys
from itertools import product

import numpy as np
import pytest

from rolltheory.dimension.classes import class_from_rows
from rolltheory.dimension.littlestone import littlestone_dimension
from rolltheory.dimension.witnesses import MistakeTree, holds
from rolltheory.errors import AssumptionError, DomainError


def recursion(rows):
    deepest = 0
    for j in range(len(rows[0])):
        labels = {row[j] for row in rows}
        if len(labels) > 1:
            below = sorted(recursion([row for row in rows if row[j] == y]) for y in labels)
            deepest = max(deepest, 1 + below[-2])
    return deepest


def thresholds(count):
    return np.tri(count, count - 1, -1, dtype=int)


def test_random_classes_follow_the_recursion():
    generator = np.random.default_rng(20260604)
    seen = set()
    for _ in range(60):
        codes = generator.integers(0, 3, (12, 4))
        whole = class_from_rows(codes, merge=True)
        found = littlestone_dimension(whole)
        assert found.value == recursion(whole.rows)
        assert holds(found.witness, whole)
        seen.add(found.value)
    assert len(seen) > 1


@pytest.mark.parametrize(
    ("rows", "dimension"),
    [
        (["00", "01", "11", "12", "22", "20"], 2),
        (list(product(range(3), repeat=3)), 3),
        (["00000", "10000", "01000", "00100", "00010", "00001"], 1),
        (["001", "010", "011", "100"], 2),
        ([[n if n >> x & 1 else 0 for x in range(4)] for n in range(16)], 1),
        (["0", "1", "2", "3", "4"], 1),
    ],
)
def test_worked_examples(rows, dimension):
    found = littlestone_dimension(rows)
    assert found.value == dimension
    assert holds(found.witness, rows)


@pytest.mark.parametrize(("count", "dimension"), [(2, 1), (3, 1), (4, 2), (127, 6), (128, 7)])
def test_thresholds_have_the_logarithm(count, dimension):
    found = littlestone_dimension(thresholds(count))
    assert found.value == dimension
    assert holds(found.witness, thresholds(count))


def test_recursion_is_no_deeper_than_the_tree():
    """300 thresholds in a stack that has room for few more frames than the tree is deep."""
    frames, limit = len(_stack()), sys.getrecursionlimit()
    sys.setrecursionlimit(frames + 60)
    try:
        assert littlestone_dimension(thresholds(300)).value == 8
    finally:
        sys.setrecursionlimit(limit)


def _stack():
    frame, frames = sys._getframe(), []
    while frame:
        frames.append(frame)
        frame = frame.f_back
    return frames


def test_a_class_of_one_has_dimension_zero():
    found = littlestone_dimension(["0101"])
    assert (found.value, found.witness, found.reason) == (0, None, "depth 1 needs 2 hypotheses")


def test_constant_and_equal_points_add_nothing():
    found = littlestone_dimension(["0001", "0111", "0001"[::-1]])
    assert found.value == 1
    assert littlestone_dimension(["000", "011"]).witness == MistakeTree(
        1, (("0", None), ("1", None))
    )


def test_why_a_dimension_is_not_larger():
    assert littlestone_dimension(["0", "1", "2"]).reason == "there are 1 points"
    assert littlestone_dimension(["00", "01", "10"]).reason == "depth 2 needs 4 hypotheses"
    star = ["0000", "1000", "0100", "0010"]
    assert (
        littlestone_dimension(star).reason == "no tree of depth 2 has all of its branches followed"
    )


def test_a_budget_leaves_an_interval():
    found = littlestone_dimension(thresholds(64), budget=5)
    assert found.lower < 6 == found.upper
    assert found.tests == 5
    assert found.witness is None or holds(found.witness, thresholds(64))
    assert found.reason == "the budget of 5 subclasses is spent"
    with pytest.raises(AssumptionError, match="and 6"):
        _ = found.value
    assert littlestone_dimension(thresholds(64), budget=1000).value == 6


@pytest.mark.parametrize("budget", [0, -3])
def test_a_budget_is_positive(budget):
    with pytest.raises(DomainError, match="budget"):
        littlestone_dimension(["00", "11"], budget=budget)


def test_no_time_leaves_what_counting_says():
    found = littlestone_dimension(["00", "01", "10", "11"], seconds=0)
    assert (found.lower, found.upper, found.witness) == (0, 2, None)
    assert found.reason == "0 seconds are over after 0 subclasses"
    assert littlestone_dimension(["00", "01", "10", "11"], seconds=1e6).value == 2
