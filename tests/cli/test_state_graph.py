"""Reachability of a file on the command line."""

import json

import pytest

HEAD = "source,target,probability\n"


@pytest.fixture
def loop(data):
    return data / "state_graphs" / "loop.csv"


def graph(folder, text):
    path = folder / "graph.csv"
    path.write_text(HEAD + text)
    return path


def test_the_worked_graph(answer, loop):
    record = answer("state-graph", loop, "--k", "8,2")
    states = record["states"]
    exact = dict(zip(states, record["exact"], strict=True))
    zeros = dict.fromkeys("346", "0")
    assert exact == {"0": "2/5", "1": "17/25", "2": "1/5", "5": "1", **zeros}
    assert {s for s, can in zip(states, record["can_reach"], strict=True) if can} == set("0125")
    assert {s for s, yes in zip(states, record["surely_reaches"], strict=True) if yes} == {"5"}
    assert record["tries"] == [2, 8]
    at = states.index("0")
    assert [row[at] for row in record["pass_at_k"]] == pytest.approx([0.64, 0.98320384])
    assert 0 <= 0.2 - record["smallest"] < 1e-16
    assert record["limit_tries"] == 14
    assert record["tries_needed"][at] == 6
    assert record["tries_needed"][states.index("3")] == "inf"


def test_the_table(rolltheory, loop):
    lines = rolltheory("state-graph", loop, "--k", "2").stdout.splitlines()
    assert "7 states, 11 edges, 1 success; 4 can reach a success, 1 surely do" in lines
    rows = [line.split() for line in lines]
    head = ["state", "reach", "success", "error", "exact", "pass@2", "k", "for", "0.95"]
    assert head in rows
    assert ["0", "can", "0.4000", "6e-17", "2/5", "0.6400", "6"] in rows
    assert ["3", "never", "0.0000", "0", "0", "0.0000", "-"] in rows
    assert ["5", "surely", "1.0000", "0", "1", "1.0000", "1"] in rows


def test_limits_enclose_the_exact_answer(answer, loop):
    record = answer("state-graph", loop)
    for low, text, high in zip(record["lower"], record["exact"], record["upper"], strict=True):
        numerator, _, denominator = text.partition("/")
        scale = int(denominator or 1)
        assert low * scale <= int(numerator) + 1e-15 * scale
        assert high * scale >= int(numerator) - 1e-15 * scale
        assert high - low <= 2.3e-16


def test_a_large_graph_is_listed_in_part_and_written_in_full(rolltheory, tmp_path):
    steps = "".join(f"{i},{i + 1},0.5\n{i},trap,0.5\n" for i in range(80))
    path = graph(tmp_path, f"{steps}80,,success\ntrap,,absorbing\n")
    target = tmp_path / "out.json"
    result = rolltheory("state-graph", path, "--json", target)
    assert "32 more states; --json FILE holds all." in result.stdout
    assert "exact" not in result.stdout
    assert "too small for a certified number of tries" in result.stdout
    record = json.loads(target.read_text())
    assert len(record["states"]) == 82
    assert record["exact"] is None
    assert record["limit_tries"] is None
    assert record["lower"][0] <= 0.5**80 <= record["upper"][0]


def test_success_states_can_be_added(answer, refusal, tmp_path):
    path = graph(tmp_path, "a,b,1\nb,,absorbing\n")
    assert "found no success state" in refusal("state-graph", path)
    assert answer("state-graph", path, "--success", "b")["surely_reaches"] == [True, True]
    assert "success state 'c' that no edge names" in refusal("state-graph", path, "--success", "c")


def test_a_numbered_state_is_named_by_its_digits(answer, tmp_path):
    path = tmp_path / "graph.json"
    path.write_text('{"edges": [[1, 2, 0.5], [1, 3, 0.5]], "absorbing": [2, 3]}')
    record = answer("state-graph", path, "--success", "3")
    assert dict(zip(record["states"], record["exact"], strict=True)) == {1: "1/2", 2: "0", 3: "1"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a,b,0.5\nb,,success\n", "line 2: found sum of the probabilities out of state 'a' = 0.5"),
        ("a,b,-0.5\na,a,1.5\nb,,success\n", "line 2: found probability '-0.5' from 'a' to 'b'"),
        ("a,b,nan\nb,,success\n", "line 2: found probability 'nan'"),
        ("a,b,1\n", "found no success state"),
        ("a,b,1\na,c,\nb,,success\n", "line 3: found probability ''"),
        ("a,b,0.5\na,c,0.5\nb,,success\n", "state 'c'"),
        ("", "found no success state"),
    ],
)
def test_bad_graphs_are_refused(refusal, tmp_path, text, found):
    assert found in refusal("state-graph", graph(tmp_path, text))


def test_a_self_loop_of_weight_one_never_succeeds(answer, tmp_path):
    record = answer("state-graph", graph(tmp_path, "a,a,1\nb,a,1\nb,,success\n"))
    assert dict(zip(record["states"], record["can_reach"], strict=True))["a"] is False


@pytest.mark.parametrize(
    ("option", "value", "found"),
    [
        ("--k", "0", "k = '0' is not allowed"),
        ("--target", "1", "target = 1.0 is not allowed"),
        ("--target", "nan", "target = nan is not allowed"),
        ("--json", "/missing/out.json", "need a writable place"),
    ],
)
def test_bad_options_are_refused(refusal, loop, option, value, found):
    assert found in refusal("state-graph", loop, option, value)


@pytest.mark.parametrize("target", ["5e-324", "1e-300", "1e-17"])
def test_a_tiny_target_takes_one_try(answer, rolltheory, loop, target):
    record = answer("state-graph", loop, "--target", target)
    assert record["limit_tries"] == 1
    assert set(record["tries_needed"]) == {1.0, "inf"}
    assert f"k for {target}" in rolltheory("state-graph", loop, "--target", target).stdout


def test_the_tries_for_all_states_are_those_of_the_least_probable(answer, loop):
    for target in ("0.3", "0.95", "0.999999"):
        record = answer("state-graph", loop, "--target", target)
        assert record["limit_tries"] == max(n for n in record["tries_needed"] if n != "inf")


def test_the_examples_of_the_help_can_be_read(answer, rolltheory, tmp_path):
    text = rolltheory("state-graph", "--help").stdout
    table = text[text.index("source,target") : text.index("Or JSON")]
    record = text[text.index('{"edges"') : text.index("Example:")]
    results = []
    for name, example in (("graph.csv", table), ("graph.json", record)):
        (tmp_path / name).write_text("\n".join(line.strip() for line in example.splitlines()))
        results.append(answer("state-graph", tmp_path / name))
    assert results[0] == results[1]
    assert results[0]["exact"] == ["2/5", "1", "0"]


@pytest.mark.parametrize("name", ["missing.csv", "."])
def test_what_is_no_file_is_refused(refusal, tmp_path, name):
    assert "need a readable file" in refusal("state-graph", tmp_path / name)
