"""Both file formats, told apart by content, and what each kind of broken file gets."""

import json
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from rolltheory.errors import ReaderError
from rolltheory.reachability.success import success_probability, success_probability_exact
from rolltheory.readers import state_graph as reader
from rolltheory.readers.state_graph import read_state_graph

FILES = Path(__file__).parents[1] / "data" / "state_graphs"
HEADER = "source,target,probability\n"


@pytest.fixture
def file(tmp_path):
    def write(content):
        path = tmp_path / "graph.txt"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


def values(graph):
    return dict(zip(graph.states, success_probability(graph).tolist(), strict=True))


def test_csv_with_a_cycle_a_closed_loop_and_declarations():
    found = values(read_state_graph(FILES / "loop.csv"))
    expected = {"0": 0.4, "1": 0.68, "2": 0.2, "3": 0.0, "4": 0.0, "5": 1.0, "6": 0.0}
    assert found == pytest.approx(expected, abs=1e-15)


def test_exact_reading_keeps_the_written_decimals():
    graph = read_state_graph(FILES / "loop.csv", exact=True)
    found = dict(zip(graph.states, success_probability_exact(graph), strict=True))
    assert [found[label] for label in "0125"] == [Fraction(v) for v in ("2/5", "17/25", "1/5", "1")]
    # the binary values of the same decimals are another chain
    rounded = read_state_graph(FILES / "loop.csv")
    assert success_probability_exact(rounded)[rounded.states.index("0")] != Fraction(2, 5)


def test_json_with_fractions_and_written_self_loops():
    assert values(read_state_graph(FILES / "loop.json")) == {"start": 0.5, "solved": 1, "stuck": 0}


def test_json_labels_may_be_whole_numbers(file):
    path = file('{"edges": [[7, 3, 0.25], [7, 5, 7.5e-1]], "success": [3], "absorbing": [5]}')
    assert values(read_state_graph(path)) == {7: 0.25, 3: 1.0, 5: 0.0}


def test_parallel_edges_blank_lines_spaces_and_a_byte_order_mark(file):
    path = file("\ufeff" + HEADER + "a, b ,0.25\n\na,b,.75\r\nb,,success\n")
    graph = read_state_graph(path)
    assert graph.states == ("a", "b")
    assert graph.probabilities.tolist() == [1.0]


def test_zero_edges_name_states_but_are_left_out(file):
    path = file(HEADER + "a,b,1\na,c,0\nb,,success\nc,,absorbing\n")
    for exact in (False, True):
        graph = read_state_graph(path, exact=exact)
        assert graph.states == ("a", "b", "c")
        assert graph.targets.tolist() == [1, 2]


def test_row_sum_tolerance_is_stated_by_the_caller(file):
    path = file(HEADER + "a,b,0.33\na,c,0.66\nb,,success\nc,,absorbing\n")
    with pytest.raises(ReaderError, match=r"line 2: found sum .* 'a' = 0\.99; need 1 within 1e-05"):
        read_state_graph(path)
    value = success_probability(read_state_graph(path, row_sum_tolerance=0.02))
    assert value[0] == pytest.approx(1 / 3, abs=1e-15)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("a,b,-0.5\n", "line 2: found probability '-0.5' from 'a' to 'b'"),
        ("a,b,nan\n", "line 2: found probability 'nan'"),
        ("a,b,inf\n", "line 2: found probability 'inf'"),
        ("a,b,1/0\n", "line 2: found probability '1/0'"),
        ("a,b,half\n", "line 2: found probability 'half'"),
        ("a,b,1e-999999999\n", "line 2: found probability '1e-999999999'"),
        ("a,b\n", "line 2: found 2 columns"),
        ("a,b,1\n{}\n", "line 3: found 1 columns"),
        (",b,1\n", "line 2: found an empty source"),
        ("a,,1\n", "line 2: found no target and '1'"),
        ("a,b,1\n", "found no success state"),
        ("a,b,1\nc,,success\n", "line 3: found success state 'c' that no edge names"),
        ("a,b,1\nb,c,1\na,,success\n", "found number of ways out of state 'c' = 0"),
        ("a,b,.3\na,c,.7\nb,,success\n", "absorbing: add the line c,,absorbing (in JSON"),
        ('a,"b,c",1\na,d,0\nd,,success\n', 'add the line "b,c",,absorbing'),
        ("a,b,.333\na,b,.333\na,b,.333\nb,,success\n", "within 1e-05: write 1/3 for 0.333"),
        ("a,b,.17\na,b,.67\na,b,.17\nb,,success\n", "write 1/6 for 0.17 and 2/3 for 0.67"),
        ("a,b,1\nb,,success\na,,absorbing\n", "line 4: found number of ways out of state 'a' = 1"),
        ("a,b,0.5\nb,,success\n", "line 2: found sum of the probabilities out of state 'a' = 0.5"),
        ("a,b,1\na,b,1\nb,,success\n", "line 2: found sum of the probabilities out of state 'a'"),
        ('a,"b,1\n', "line 2: found malformed CSV"),
    ],
)
@pytest.mark.parametrize("exact", [False, True])
def test_broken_csv(file, body, message, exact):
    with pytest.raises(ReaderError, match=re.escape(message)):
        read_state_graph(file(HEADER + body), exact=exact)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"edges": [["a", "b", 1]], "succ', "line 1: found broken JSON"),
        ('{\n"edges": [["a", "b", 1}', "line 2: found broken JSON"),
        ('{"edges": [["a", "b", 1]]}', "found no success state"),
        ('{"edges": [], "success": [], "fail": []}', "found fields ['edges', 'fail', 'success']"),
        ('{"edges": 1, "success": ["b"]}', "found edges that is no list"),
        ('{"edges": [], "edges": [], "success": []}', "found a field twice"),
        ('{"edges": [["a", "b"]], "success": ["b"]}', "found edges[0] = ['a', 'b']"),
        ('{"edges": [["a", "b", null]], "success": ["b"]}', "found edges[0] with probability None"),
        ('{"edges": [["a", "b", true]], "success": ["b"]}', "found edges[0] with probability True"),
        ('{"edges": [["a", "b", NaN]], "success": ["b"]}', "found probability 'NaN'"),
        ('{"edges": [["a", "b", -1]], "success": ["b"]}', "found probability '-1'"),
        ('{"edges": [["a", 1.5, 1]], "success": ["b"]}', "found label '1.5' in edges[0]"),
        ('{"edges": [["a", ["b"], 1]], "success": ["b"]}', "found label ['b'] in edges[0]"),
        ('{"edges": [["a", "b", 1]], "success": [true]}', "found label True in success"),
        ('{"edges": [["a", "b", 1]], "success": ["c"]}', "found success state 'c'"),
        ('{"edges": [["a", "b", 1]], "success": []}', "found no success state"),
        ('{"edges": ' + "[" * 100_000, "found unreadable JSON"),
    ],
)
def test_broken_json(file, content, message):
    with pytest.raises(ReaderError, match=re.escape(message)):
        read_state_graph(file(content))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "found an empty file"),
        (" \n\t\n", "found an empty file"),
        ("from,to,p\na,b,1\n", "line 1: found header 'from,to,p'"),
        ('[["a", "b", 1]]', "line 1: found header"),
        (b"source,target,probability\n\xff\xfe,b,1\n", "found bytes that are not UTF-8"),
        ("a" * 70_000, "line 1: found a line that starts with 'aaaaaaaaaaaaaaaaaaaa'"),
    ],
)
def test_files_that_are_neither(file, content, message):
    with pytest.raises(ReaderError, match=re.escape(message)):
        read_state_graph(file(content))


def test_an_endless_line_is_not_read_to_its_end(file):
    path = file("")
    with path.open("r+b") as handle:
        handle.truncate(2 * 10**9)  # sparse: two billion zero bytes, no newline
    with pytest.raises(ReaderError, match="line 1: found a line"):
        read_state_graph(path)


def test_json_beyond_its_limit(file, monkeypatch):
    monkeypatch.setattr(reader, "_LARGEST_JSON", 50)
    with pytest.raises(ReaderError, match="found a larger file; need at most 50 characters"):
        read_state_graph(file(json.dumps({"edges": [["a", "b", 1]] * 9, "success": ["b"]})))


def test_no_fraction_is_advised_where_none_is_plain(file):
    with pytest.raises(ReaderError, match=r"need 1 within 1e-05$"):
        read_state_graph(file("source,target,probability\na,b,.5\na,b,.4\nb,,success\n"))


def test_a_directory_and_a_missing_file(tmp_path):
    with pytest.raises(ReaderError, match=r"found Is a directory; need a readable file"):
        read_state_graph(tmp_path)
    with pytest.raises(ReaderError, match=r"found no such file"):
        read_state_graph(tmp_path / "absent.csv")


def test_both_routes_build_the_same_graph():
    rounded, exact = (read_state_graph(FILES / "loop.csv", exact=exact) for exact in (False, True))
    assert rounded.states == exact.states
    assert rounded.rationals is None
    for field in ("row_start", "targets", "probabilities", "success"):
        np.testing.assert_array_equal(getattr(rounded, field), getattr(exact, field))


def test_success_states_may_be_named_by_the_caller(tmp_path):
    path = tmp_path / "graph.json"
    path.write_text('{"edges": [[1, 2, 0.5], [1, "2", 0.5]], "absorbing": [2, "2"]}')
    assert read_state_graph(path, success=["1"]).success.tolist() == [True, False, False]
    graph = read_state_graph(path, success=["2"])
    assert graph.states == (1, 2, "2")
    assert graph.success.tolist() == [False, False, True]
    path.write_text('{"edges": [[1, 2, 1], [2, 1, "1/1"], [2, 2, "0/1"]], "absorbing": ["2"]}')
    graph = read_state_graph(path, success=["2"])
    assert dict(zip(graph.states, graph.success, strict=True)) == {1: False, 2: False, "2": True}
    path.write_text('{"edges": [[1, 1, 1]], "absorbing": ["far"]}')
    assert read_state_graph(path, success=["far"]).states == (1, "far")


@pytest.mark.parametrize("exact", [False, True])
def test_a_state_is_not_declared_success_and_absorbing(tmp_path, exact):
    path = tmp_path / "graph.csv"
    path.write_text("source,target,probability\na,b,1\nb,,success\nb,,absorbing\n")
    for added in ((), ("b",)):
        with pytest.raises(ReaderError, match=r"line 4: found .* success and absorbing; need one"):
            read_state_graph(path, exact=exact, success=added)
