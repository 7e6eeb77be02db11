"""Classes of rules on the command line; the tests write every file."""

import json
from fractions import Fraction

import pytest

from rolltheory.dimension.local_families import four_token_gap

HEXAGON = "rule,x1,x2\na,0,0\nb,0,1\nc,1,1\nd,1,2\ne,2,2\nf,2,0\n"


@pytest.fixture
def hexagon(tmp_path):
    return written(tmp_path / "hexagon.csv", HEXAGON)


@pytest.fixture
def gap(tmp_path):
    """The smallest class of rules whose DS dimension grows when it is rolled out."""
    family = four_token_gap()
    local = family.local
    tables = [
        {"".join(s): local.tokens[code] for s, code in zip(local.strings, row, strict=False)}
        for row in local.codes.tolist()
    ]
    content = {"rules": tables, "default": "0", "prompts": list(family.prompts), "steps": 2}
    return written(tmp_path / "gap.json", json.dumps(content))


def written(path, text):
    path.write_text(text)
    return path


def values(report):
    return {name: (found["lower"], found["upper"]) for name, found in report["dimensions"].items()}


# -------------------------------------------------------------------- a table


def test_a_hexagon(answer, hexagon):
    found = answer("dimension", hexagon)["class"]
    two = (2, 2)
    assert values(found) == {
        "Natarajan": (1, 1),
        "parity mod 2": two,
        "parity mod 3": two,
        "DS": two,
        "graph": two,
        "Littlestone": two,
    }
    assert (found["hypotheses"], found["points"], found["label_counts"]) == (6, 2, [3, 3])
    assert found["density"] == "1"
    sizes = found["sizes"]
    assert (sizes["dimension"], sizes["expected"], sizes["probable"]) == (2, 19, 618)
    assert any(remark.startswith("Natarajan 1 < parity 2") for remark in found["remarks"])


def test_the_command_can_be_named(answer, hexagon):
    assert answer("dimension", "class", hexagon) == answer("dimension", hexagon)


def test_options_may_come_first(answer, hexagon):
    found = answer("dimension", "--field", 5, "--epsilon", 0.2, hexagon)["class"]
    assert "parity mod 5" in found["dimensions"]
    assert "parity mod 2" not in found["dimensions"]
    assert found["sizes"]["expected"] == 9


def test_binary_tables_have_a_vc_dimension(answer, tmp_path):
    table = written(tmp_path / "square.csv", "rule,a,b\n1,0,0\n2,0,1\n3,1,0\n4,1,1\n")
    assert values(answer("dimension", table)["class"])["VC"] == (2, 2)


def test_a_budget_leaves_an_interval(answer, hexagon):
    lower, upper = values(answer("dimension", hexagon, "--budget", 1)["class"])["DS"]
    assert (lower, upper) == (1, 2)


def test_a_time_limit_leaves_an_interval(answer, hexagon):
    found = answer("dimension", hexagon, "--seconds", 1e-9)["class"]
    assert values(found)["DS"] == (0, 2)
    assert "1e-09 seconds are over" in found["dimensions"]["DS"]["reason"]


def test_the_text_names_witnesses(rolltheory, hexagon):
    lines = rolltheory("dimension", hexagon).stdout.splitlines()
    assert lines[0] == str(hexagon)
    assert any(line.startswith("DS ") and "6 patterns at x1, x2" in line for line in lines)


def test_a_small_chance_of_failure_is_not_rounded_away(rolltheory, hexagon):
    text = " ".join(rolltheory("dimension", hexagon, "--delta", "1e-9").stdout.split())
    assert "for that error except with probability 1e-09" in text


def test_equal_rules_are_merged_on_request(answer, refusal, tmp_path):
    table = written(tmp_path / "twice.csv", "rule,a\nx,0\ny,1\nz,0\n")
    assert "line 4: found the labels of line 2 again" in refusal("dimension", table)
    assert answer("dimension", table, "--merge")["class"]["hypotheses"] == 2


def test_a_class_of_one_has_dimension_zero(answer, tmp_path):
    one = written(tmp_path / "one.csv", "rule,a,b\nonly,0,0\n")
    found = answer("dimension", one)["class"]
    assert set(values(found).values()) == {(0, 0)}


# -------------------------------------------------------------------- next-token rules


def test_traces_beside_rules(answer, gap):
    found = answer("dimension", gap)
    assert values(found["rules"])["DS"] == (2, 2)
    assert values(found["traces"])["DS"] == (3, 3)
    assert values(found["traces"])["parity mod 2"] == (2, 2)
    assert (found["rules"]["density"], found["traces"]["density"]) == ("10/7", "19/12")


def test_the_jump_of_the_ds_dimension(answer, gap):
    found = answer("dimension", "rollout", gap, "--steps", "1,2,5")
    rows = found["rollouts"]
    assert [row["steps"] for row in rows] == [1, 2, 5]
    assert [values(row["report"])["DS"] for row in rows] == [(2, 2), (3, 3), (3, 3)]
    assert [Fraction(row["mistakes"]) for row in rows] == [2, 2, 2]
    assert "DS: 2 for rules, 3 for traces of 2" in found["remarks"]


def test_a_stop_at_a_length_is_the_same(answer, gap, tmp_path):
    content = json.loads(gap.read_text())
    del content["steps"]
    content["halt"] = {"length": 3}
    halting = written(tmp_path / "halting.json", json.dumps(content))
    assert answer("dimension", halting)["traces"] == answer("dimension", gap)["traces"]


def test_a_stop_at_a_token(answer, tmp_path):
    content = {
        "rules": {"short": {"a": "."}, "long": {"a": "0", "a0": "."}},
        "default": "0",
        "prompts": ["a"],
        "halt": {"token": "."},
    }
    found = answer("dimension", written(tmp_path / "stop.json", json.dumps(content)))
    assert found["traces"]["label_counts"] == [2]


def test_pictures_are_written(rolltheory, hexagon, gap, tmp_path):
    first, second = tmp_path / "class.svg", tmp_path / "rollout.png"
    assert rolltheory("dimension", hexagon, "--plot", first).exit_code == 0
    assert (
        rolltheory("dimension", "rollout", gap, "--steps", "1,2", "--plot", second).exit_code == 0
    )
    assert first.read_text().startswith("<?xml")
    assert second.read_bytes()[:4] == b"\x89PNG"


# -------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "an empty file"),
        ("rule\nx\n", "a header rule,POINT,POINT"),
        ("rule,a,a\nx,0,1\n", "the point 'a' twice"),
        ("rule,a,b\n", "no rules"),
        ("rule,a,b\nx,0\n", "line 2: found 2 cells; need 3"),
        ("p1,p2\na,0\nb,1\n", "line 1: found a first line that starts with 'p1,p2'"),
        ("rule,a\nx,0\nx,1\n", "line 3: found the rule 'x' of line 2 again"),
        ("rule,a,b\nx,0,\n", "line 2: found no label at 'b'"),
    ],
)
def test_bad_tables(refusal, tmp_path, text, said):
    assert said in refusal("dimension", written(tmp_path / "bad.csv", text))


RULES = {"rules": [{"a": "1"}], "default": "0", "prompts": ["a"], "steps": 1}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"rules": []}, "one table or more"),
        ({"rules": [{"a": "10"}]}, "a table from strings to single characters"),
        ({"default": None}, "a single character"),
        ({"prompts": []}, "a list of strings"),
        ({"prompts": ["a", "a"]}, "all different"),
        ({"steps": 0}, "at least 1"),
        ({"steps": True}, "at least 1"),
        ({"halt": {"length": 2}}, "one of the two"),
        ({"steps": None, "halt": {"hypothesis": 1}}, '{"length": N} or {"token": "."}'),
        ({"steps": None, "halt": {"token": "."}}, "halts within"),
        ({"stop": 1}, "one of default, halt, prompts, rules, steps"),
    ],
)
def test_bad_rules(refusal, tmp_path, change, said):
    content = {name: value for name, value in (RULES | change).items() if value is not None}
    assert said in refusal("dimension", written(tmp_path / "bad.json", json.dumps(content)))


def test_malformed_json(refusal, tmp_path):
    assert "malformed JSON" in refusal("dimension", written(tmp_path / "bad.json", "{"))
    twice = written(tmp_path / "twice.json", '{"steps": 1, "steps": 2}')
    assert "the key 'steps' twice" in refusal("dimension", twice)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--field", 4), "field = 4 is not allowed: need a prime"),
        (("--budget", 0), "budget = 0 is not allowed"),
        (("--seconds", 0), "--seconds"),
        (("--epsilon", 0), "--epsilon"),
        (("--delta", 1), "--delta"),
        (("--plot", "picture.bmp"), "a name that ends in .svg, .png, .pdf"),
    ],
)
def test_bad_options(refusal, hexagon, options, said):
    assert said in refusal("dimension", hexagon, *options)


def test_an_interval_is_called_one(rolltheory, hexagon):
    text = " ".join(rolltheory("dimension", hexagon, "--budget", 1).stdout.split())
    assert "Exact traces at parity dimension 2 at most, whatever their length" in text


def test_lengths_are_needed_for_rules_only(refusal, hexagon, gap):
    assert "next-token rules" in refusal("dimension", "rollout", hexagon)
    for steps in ("0,1", "000", "1000000", "9" * 5000, "\u00b2", "1,,2"):
        assert "such as 1,2,4,8" in refusal("dimension", "rollout", gap, "--steps", steps)


def test_the_vc_dimension_is_left_out_where_only_short_traces_are_binary(rolltheory, tmp_path):
    tables = [{}, {"a": "1", "a1": "1"}, {"a0": "1"}]
    content = {"rules": tables, "default": "0", "prompts": ["a"], "steps": 1}
    file = written(tmp_path / "binary.json", json.dumps(content))
    lines = rolltheory("dimension", "rollout", file, "--steps", "1,2").stdout.splitlines()
    (header,) = (line.split() for line in lines if line.startswith("tokens"))
    assert header[-5:] == ["DS", "graph", "Littlestone", "density", "risk"]
    shown = [line.split()[:2] for line in lines if line.lstrip()[:1].isdigit()]
    assert shown == [["1", "2"], ["2", "3"]]
