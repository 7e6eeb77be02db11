"""Numbers over time in three formats, and what each kind of broken file gets."""

import re

import numpy as np
import pytest

from rolltheory.errors import ReaderError
from rolltheory.readers.series import read_series


@pytest.fixture
def file(tmp_path):
    def write(name, content):
        (tmp_path / name).write_text(content)
        return tmp_path / name

    return write


def test_csv_with_and_without_a_header(file):
    read = read_series(file("a.csv", "step,wind,rain\n0,1,2\n1,3,4.5\n"))
    assert read.names == ("wind", "rain")
    assert read.values.tolist() == [[1, 2], [3, 4.5]]
    read = read_series(file("b.csv", "1,2\n3,4\n"))
    assert read.names == ("1", "2")
    assert read.values.tolist() == [[1, 2], [3, 4]]


def test_json_lines_of_numbers_lists_and_objects(file):
    assert read_series(file("a.jsonl", "0.5\n\n0.25\n")).values.tolist() == [[0.5], [0.25]]
    assert read_series(file("b.jsonl", "[1, 2]\n[3, 4]\n")).values.tolist() == [[1, 2], [3, 4]]
    read = read_series(file("c.jsonl", '{"time": 0, "error": 1e-3}\n{"time": 1, "error": 2}\n'))
    assert (read.names, read.values.tolist()) == (("error",), [[0.001], [2.0]])


def test_arrays(tmp_path):
    np.save(tmp_path / "a.npy", np.arange(6.0).reshape(3, 2))
    assert read_series(tmp_path / "a.npy").values.tolist() == [[0, 1], [2, 3], [4, 5]]
    np.savez(tmp_path / "b.npz", Time=np.arange(3), wind=np.ones(3), rain=np.arange(3))
    read = read_series(tmp_path / "b.npz")
    assert (read.names, read.values.shape) == (("wind", "rain"), (3, 2))


def test_undefined_numbers_only_where_they_are_asked_for(file, tmp_path):
    text = "a,b\n1,nan\ninf,2\n"
    with pytest.raises(ReaderError, match="line 2: found b 'nan'; need a finite number"):
        read_series(file("a.csv", text))
    read = read_series(file("a.csv", text), finite=False)
    assert np.isfinite(read.values).tolist() == [[True, False], [False, True]]
    np.save(tmp_path / "a.npy", [1.0, np.inf])
    with pytest.raises(ReaderError, match="found inf in channel a at step 1"):
        read_series(tmp_path / "a.npy")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.csv", "", "found an empty file"),
        ("a.csv", "a,b\n", "found 0 steps of 2 channels"),
        ("a.csv", "step\n1\n", "found 1 steps of 0 channels"),
        ("a.csv", "a,a\n1,2\n", "line 1: found a header that repeats a channel (a, a)"),
        ("a.csv", "a,b\n1\n", "line 2: found 1 cells; need 2"),
        ("a.csv", "a,b\n1,x\n", "line 2: found b 'x'"),
        ("a.jsonl", "1\nx\n", "line 2: found broken JSON"),
        ("a.jsonl", '{"a": 1}\n{"b": 1}\n', "line 2: found channels b; need a"),
        ("a.jsonl", '{"a": "high"}\n', "line 1: found a 'high'"),
        ("a.jsonl", '{"a": true}\n', "line 1: found a 'True'"),
        ("a.jsonl", "[[1]]\n", "line 1: found 1 '[1]'"),
        ("a.txt", "1\n", "found the ending '.txt'; need .csv, .jsonl, .npz, .npy"),
    ],
)
def test_broken_files(file, name, text, message):
    with pytest.raises(ReaderError, match=re.escape(message)):
        read_series(file(name, text))


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"a": np.ones(2), "b": np.ones(3)}, "found arrays of shapes (2, 1), (3, 1)"),
        ({"a": np.ones((2, 2, 2))}, "found array 'a' of shape (2, 2, 2)"),
        ({"a": np.ones((2, 2)), "b": np.ones((2, 2))}, "one table at most"),
        ({"a": np.array(["x"])}, "found array 'a' of <U1"),
        ({}, "found arrays of shapes"),
    ],
)
def test_broken_arrays(tmp_path, arrays, message):
    np.savez(tmp_path / "a.npz", **arrays)
    with pytest.raises(ReaderError, match=re.escape(message)):
        read_series(tmp_path / "a.npz")
