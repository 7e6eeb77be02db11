"""Tables keep their heads, JSON its digits, files their wholeness."""

import json
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest

from rolltheory.cli import output
from rolltheory.cli.output import cell, print_paragraph, print_table, progress, write_json


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
        (float("nan"), "-"),
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


def test_json_has_null_for_what_is_undefined(capsys):
    write_json("-", {"ratios": np.array([0.5, np.nan]), "limit": float("inf")})
    assert json.loads(capsys.readouterr().out) == {"ratios": [0.5, None], "limit": "inf"}


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (1, []),
        (20, ["checking: 2 of 4", "checking: 4 of 4"]),
        (40, [f"checking: {n} of 4" for n in (1, 2, 3, 4)]),
    ],
)
def test_a_pipe_is_told_of_long_work_each_half_minute(monkeypatch, capsys, seconds, told):
    clock = iter(range(0, 1000, seconds))
    monkeypatch.setattr(output, "monotonic", lambda: next(clock))
    with progress("checking", 4) as step:
        for _ in range(4):
            step()
    out, err = capsys.readouterr()
    assert (out, err.splitlines()) == ("", told)


def test_json_on_stdout_is_ascii(capsys):
    write_json("-", ["é"])
    assert json.loads(capsys.readouterr().out.encode("ascii")) == ["é"]


COUNTS = "task_id,n,c\n0,50,0\n1,50,1\n"


@pytest.mark.parametrize("flag", ["--json", "--plot"])
@pytest.mark.parametrize("verb", [["pass-at-k"], ["staleness", "audit"]])
def test_an_output_never_replaces_an_input(refusal, tmp_path, verb, flag):
    (tmp_path / "sub").mkdir()
    source, link = tmp_path / "in.svg", tmp_path / "link.svg"
    source.write_text(COUNTS)
    link.hardlink_to(source)
    for target in (source, link, tmp_path / "sub" / ".." / "in.svg"):
        assert refusal(*verb, source, flag, target).startswith(f"{flag[2:]} = ")
    assert refusal(*verb, tmp_path, flag, source).endswith("is read or written too")
    assert source.read_text() == COUNTS


def test_no_run_compared_is_replaced(refusal, tmp_path):
    logs = [tmp_path / name for name in ("a.jsonl", "b.jsonl")]
    for log in logs:
        log.write_text("{}\n")
    for log in logs:
        refusal("staleness", "compare", "--first", logs[0], "--second", logs[1], "--json", log)
        assert log.read_text() == "{}\n"


@pytest.mark.parametrize(
    ("arguments", "first", "second"),
    [
        (["pass-at-k", "in.csv"], "--plot", "--json"),
        (["staleness", "audit", "in.csv"], "--plot", "--json"),
        (["verify"], "--junit", "--json"),
    ],
)
def test_two_outputs_are_two_files(refusal, tmp_path, monkeypatch, arguments, first, second):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.csv").write_text(COUNTS)
    found = refusal(*arguments, first, "out.svg", second, "./out.svg")
    assert "a file of its own" in found
    assert not (tmp_path / "out.svg").exists()


def test_outputs_may_stand_beside_the_input(rolltheory, tmp_path):
    source, target = tmp_path / "in.csv", tmp_path / "out.json"
    source.write_text(COUNTS)
    for _ in range(2):
        assert rolltheory("pass-at-k", source, "--json", target).exit_code == 0
        assert json.loads(target.read_text())
