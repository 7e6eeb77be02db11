"""Local classes say what their tables say, in whatever form strings come."""

import numpy as np
import pytest

from rolltheory.dimension.local import (
    as_string,
    as_text,
    local_class_from_rows,
    local_class_from_tables,
    local_class_on,
)
from rolltheory.errors import DomainError


def test_tables_and_rows_give_the_same_class():
    tables = [{}, {"a": "1"}, {"a": "1", ("a", "0"): "2"}]
    local = local_class_from_tables(tables, default="0")
    assert local.strings == (("a",), ("a", "0"))
    same = local_class_from_rows(["00", "10", "12"], ["a", "a0"], default="0")
    assert np.array_equal(local.codes, same.codes)
    assert local.tokens == same.tokens == ("0", "1", "2")
    assert len(local) == 3


def test_a_constant_class_needs_no_string():
    constant = local_class_from_tables([{}], default="z")
    assert local_class_on(constant, ["", "z"]).rows == [("z", "z")]


def test_the_rules_are_the_rows():
    local = local_class_from_rows(["01", "12", "20"], ["", "00"], default="9", window=3)
    rows = [[rule(as_string(text)) for text in ("", "00", "0", "1100")] for rule in local.rules]
    assert rows == [["0", "1", "9", "9"], ["1", "2", "9", "9"], ["2", "0", "9", "9"]]
    assert rows == [list(row) for row in local_class_on(local, ["", "00", "0", "1100"]).rows]


def test_a_window_hides_what_is_further_back():
    last = local_class_from_rows(["01", "10"], ["0", "1"], default="0", window=1)
    assert local_class_on(last, ["0", "10", "110"]).rows == [("0",) * 3, ("1",) * 3]
    nothing = local_class_from_rows(["0", "1"], [""], default="0", window=0)
    assert local_class_on(nothing, ["", "01"]).rows == [("0", "0"), ("1", "1")]
    whole = local_class_from_rows(["01", "10"], ["0", "1"], default="0")
    assert local_class_on(whole, ["10"]).rows == [("0",)]


def test_functions_are_a_local_class_too_and_equal_ones_count_once():
    rules = [len, lambda string: 3, lambda string: len(string) + 0]
    assert local_class_on(rules, ["ab", (1, 2, 3)]).rows == [(2, 3), (3, 3)]
    assert local_class_on(rules, ["ab", (1, 2, 3)]).points == ("ab", (1, 2, 3))


def test_tokens_of_any_kind():
    local = local_class_from_tables([{(1, "x"): (2, 3)}, {}], default=None)
    assert local_class_on(local, [(1, "x")]).rows == [((2, 3),), (None,)]
    assert as_text((1, "x")) == (1, "x")
    assert as_text(("long", "x")) == ("long", "x")
    assert as_text(()) == ""


@pytest.mark.parametrize(
    ("rows", "strings", "said"),
    [
        ([], ["a"], "at least one hypothesis"),
        (["00", "0"], ["a", "b"], "row 1 = '0' is not allowed"),
        (["00", "00"], ["a", "b"], "row 0 is the same"),
        (["00"], ["a", ("a",)], "points that differ"),
        (["00"], ["a", "abc"], "at most the 2 tokens of the window"),
        (["00"], ["a"], "names, one for each column"),
    ],
)
def test_bad_tables_are_refused(rows, strings, said):
    with pytest.raises(DomainError, match=said):
        local_class_from_rows(rows, strings, default="0", window=2)


def test_a_negative_window_and_a_string_that_stands_twice_are_refused():
    with pytest.raises(DomainError, match="window"):
        local_class_from_rows(["0"], ["a"], default="0", window=-1)
    with pytest.raises(DomainError, match="points that differ"):
        local_class_on([len], ["ab", ("a", "b")])
    with pytest.raises(DomainError, match="at least one hypothesis"):
        local_class_on([], ["ab"])


def test_a_string_stands_once_in_a_table():
    with pytest.raises(DomainError, match=r"table 1.*each string once"):
        local_class_from_tables([{}, {"a": "1", ("a",): "2"}], default="0")
