"""Tables keep their heads, JSON its digits, files their wholeness."""

import json
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest

from rolltheory.cli.output import cell, print_paragraph, print_table, write_json


@dataclass(frozen=True)
class Record:
    numbers: np.ndarray
    limit: float


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "-"),
        (True, "yes"),
        (False, "no"),
        (7, "7"),
        (0.0, "0.0000"),
        (0.123456, "0.1235"),
        (1e-9, "1e-09"),
        (12345.6, "1.235e+04"),
        (float("inf"), "inf"),
        ((0.5, -1.0), "[0.5000, -1.0000]"),
        ("text", "text"),
    ],
)
def test_a_cell_has_four_digits(value, text):
    assert cell(value) == text


@pytest.mark.parametrize("width", [80, 100])
def test_heads_are_never_folded(width, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", str(width))
    heads = ["identifier", "tightness", "rejected", "what it says", "domain"]
    print_table(heads, [["a" * 30, 0.5, 3, "many words " * 9, "more words " * 9]] * 2)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == " ".join(heads).split()
    assert max(map(len, lines)) <= width
    assert sum("a" * 30 in line for line in lines) == 2


def test_numbers_stand_to_the_right(capsys):
    print_table(["name", "value"], [["a", 0.5], ["b", None]])
    _, _, first, second = capsys.readouterr().out.splitlines()
    assert first.rstrip().endswith("0.5000")
    assert second.rstrip().endswith("     -")


def test_a_paragraph_hangs(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "20")
    print_paragraph("one two three four five", hang="! ")
    assert capsys.readouterr().out == "! one two three four\n  five\n"


def test_json_holds_every_digit_and_names_what_json_lacks(tmp_path):
    target = tmp_path / "out.json"
    record = Record(np.array([1 / 3, 2]), float("inf"))
    write_json(str(target), {"record": record, "exact": (Fraction(1, 3),), 5: "é"})
    assert json.loads(target.read_text("utf-8")) == {
        "record": {"numbers": [1 / 3, 2.0], "limit": "inf"},
        "exact": ["1/3"],
        "5": "é",
    }


def test_json_on_stdout_is_ascii(capsys):
    write_json("-", ["é"])
    assert json.loads(capsys.readouterr().out.encode("ascii")) == ["é"]
