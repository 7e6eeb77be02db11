"""Classes from rows of every kind, and what is refused as none."""

import numpy as np
import pytest

from rolltheory.dimension.classes import class_from_functions, class_from_rows, restrict
from rolltheory.errors import DomainError

LABELS = [0, 1, "0", "01", (1, 2), (3, 4), (), None, 2.5, frozenset([1]), b"z"]


@pytest.mark.parametrize("width", [1, 2, 3])
def test_labels_of_all_kinds_come_back(width):
    rows = [tuple(LABELS[(i + j) % len(LABELS)] for j in range(width)) for i in range(len(LABELS))]
    assert class_from_rows(rows).rows == rows


def test_numbers_that_are_equal_are_one_label():
    assert class_from_rows([[1, 0], [True, 1], [1.0, 2]]).label_counts == (1, 3)


def test_codes_follow_the_first_appearance():
    found = class_from_rows(np.array([[7, 5], [3, 5], [7, 2]]))
    assert found.codes.tolist() == [[0, 0], [1, 0], [0, 1]]
    assert found.labels == ((7, 3), (5, 2))


def test_merged_rows_keep_their_order():
    found = class_from_rows(["10", "01", "10", "00"], merge=True)
    assert found.rows == [("1", "0"), ("0", "1"), ("0", "0")]


def test_rows_may_come_one_by_one():
    assert len(class_from_rows(row for row in ["00", "01"])) == 2
    with pytest.raises(DomainError, match=r"row 1 = '011'.*2 labels"):
        class_from_rows(row for row in ["00", "011"])
    with pytest.raises(DomainError, match=r"row 2 = '01'.*row 1 is the same"):
        class_from_rows(row for row in ["00", "01", "01"])


@pytest.mark.parametrize("rows", [None, 3, [1, 2], np.array(3), np.array([1, 2])])
def test_what_is_no_rows_is_refused(rows):
    with pytest.raises(DomainError, match="a sequence of rows"):
        class_from_rows(rows)


@pytest.mark.parametrize("rows", [[], [[]], np.empty((0, 2)), np.empty((2, 0))])
def test_an_empty_class_is_refused(rows):
    with pytest.raises(DomainError, match="at least one"):
        class_from_rows(rows)


@pytest.mark.parametrize(
    "rows",
    [
        [[float("nan")], [0.0]],
        np.array([[float("nan")], [0.0]]),
        np.array([["NaT"], ["2020-01-01"]], dtype="M8[D]"),
    ],
)
def test_labels_that_are_not_themselves_are_refused(rows):
    with pytest.raises(DomainError, match="equal to itself"):
        class_from_rows(rows)


def test_labels_and_points_must_be_hashable():
    with pytest.raises(DomainError, match="hashable labels"):
        class_from_rows([[[1]], [[2]]])
    with pytest.raises(DomainError, match="hashable points"):
        class_from_rows(["01", "10"], points=[[1], [2]])


@pytest.mark.parametrize("points", [[0], [0, 1, 2], [0, 0], [1, True]])
def test_points_are_as_many_as_columns_and_differ(points):
    with pytest.raises(DomainError, match="points"):
        class_from_rows(["01", "10"], points=points)


def test_a_restriction_keeps_names_and_drops_repetitions():
    whole = class_from_rows(["aax", "aby", "aax"], points=["p", (1,), None], merge=True)
    found = restrict(whole, [None, "p"])
    assert (found.points, found.rows) == ((None, "p"), [("x", "a"), ("y", "a")])
    for points in ([], ["p", "p"], ["q"]):
        with pytest.raises(DomainError):
            restrict(whole, points)


def test_mappings_need_a_label_for_each_point():
    with pytest.raises(DomainError, match="each mapping"):
        class_from_functions([{0: "a", 1: "b"}, {0: "a"}], [0, 1])
