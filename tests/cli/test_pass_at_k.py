"""Pass@k of files on the command line: numbers, warnings, refusals, files."""

import json

import pytest


@pytest.fixture
def aime(data):
    return [data / f"aime24_step_{step}_counts.csv" for step in (400, 800)]


@pytest.fixture
def table(tmp_path):
    """Write a table of counts."""

    def write(*rows, name="counts.csv"):
        path = tmp_path / name
        path.write_text("task_id,n,c\n" + "".join(f"{row}\n" for row in rows))
        return path

    return write


def column(record, name):
    return [point[name] for point in record["curve"]]


def test_the_two_checkpoints(answer, aime):
    result = answer("pass-at-k", *aime)
    first, second = result["files"]
    assert column(first, "k") == [1, 2, 4, 8, 16, 32, 50]
    worked = {1: (0.0240, 0.0267), 8: (0.1163, 0.1357), 16: (0.1742, 0.1847)}
    worked |= {32: (0.2501, 0.2191), 50: (0.3, 0.2333)}
    for record, which in ((first, 0), (second, 1)):
        found = dict(zip(column(record, "k"), column(record, "estimate"), strict=True))
        for k, values in worked.items():
            assert found[k] == pytest.approx(values[which], abs=5e-5)
    assert [30 - record["curve"][0]["unsolved_problems"] for record in (first, second)] == [9, 7]


def test_the_drop_at_50_is_not_significant(answer, rolltheory, aime):
    (comparison,) = answer("pass-at-k", *aime)["comparisons"]
    last = comparison["differences"][-1]
    assert last["k"] == 50
    assert last["difference"] == pytest.approx(-2 / 30)
    assert list(last["interval"].values()) == pytest.approx([-7 / 30, 0.1])
    assert last["significant"] is False
    text = rolltheory("pass-at-k", *aime).stdout
    assert "Not significant for k = 1, 2, 4, 8, 16, 32, 50: differences" in text


def test_the_tries_that_recover_the_later_checkpoint(answer, aime):
    (comparison,) = answer("pass-at-k", *aime)["comparisons"]
    recovery = comparison["recovery"]
    expected = [1.125, 2.35, 5.03, 10.35, 17.77, 24.48, 27.73]
    assert recovery["base_tries"] == pytest.approx(expected, abs=6e-3)
    assert recovery["law"]["coefficient"] == pytest.approx(1.392, abs=5e-4)
    assert recovery["law"]["exponent"] == pytest.approx(0.839, abs=5e-4)


def test_tries_that_cannot_be_matched_are_named(rolltheory, table):
    worse = table(*(f"{i},4,{int(i == 0)}" for i in range(20)))
    better = table(*(f"{i},4,4" for i in range(20)), name="better.csv")
    text = rolltheory("pass-at-k", worse, better).stdout
    assert "No number of tries of counts is known to match 1, 2, 4 of better" in text


def test_no_tries_are_matched_where_nothing_is_significant(rolltheory, aime):
    for second in aime:
        assert "that match tries" not in rolltheory("pass-at-k", aime[0], second).stdout


def test_the_comparison_says_which_difference_it_can_find(rolltheory, answer, aime, table):
    (comparison,) = answer("pass-at-k", *aime, "--k", "1,50")["comparisons"]
    last = comparison["differences"][-1]
    assert last["standard_error"] == pytest.approx(0.0821, abs=5e-5)
    text = " ".join(rolltheory("pass-at-k", *aime, "--k", "1,50").stdout.split())
    expected = "by 30 such problems: a difference of 0.027 at k = 1, 0.23 at k = 50."
    assert f"Found with 80 % power {expected}" in text
    assert "80 % power" not in rolltheory("pass-at-k", aime[0], aime[0]).stdout


def test_a_clear_difference_is_significant(rolltheory, table):
    rows = [(f"{i},4,0", f"{i},4,4") for i in range(20)]
    first = table(*(row[0] for row in rows))
    second = table(*(row[1] for row in rows), name="second.csv")
    text = rolltheory("pass-at-k", first, second, "--k", "1,2").stdout
    assert "Significant at 0.95 for k = 1, 2, each k for itself." in text
    assert "Not significant" not in text


def test_a_small_p_value_is_not_shown_as_zero(rolltheory, answer, table):
    first = table(*(f"{i},4,0" for i in range(20)))
    second = table(*(f"{i},4,4" for i in range(20)), name="second.csv")
    (comparison,) = answer("pass-at-k", first, second, "--k", "1")["comparisons"]
    assert comparison["differences"][0]["p_value"] < 1e-4
    rows = rolltheory("pass-at-k", first, second, "--k", "1").stdout.splitlines()
    assert any(row.endswith("< 0.0001  yes") for row in rows)


@pytest.mark.parametrize(
    ("first", "second", "names"),
    [
        ("step_400_counts.csv", "step_800_counts.csv", ("step_400", "step_800")),
        ("base/eval.json", "tuned/eval.json", ("base", "tuned")),
        ("eval.json", "eval_new.json", ("eval", "eval_new")),
        ("400.csv", "800.csv", ("400", "800")),
        ("a.csv", "a.json", ("first", "second")),
        ("a.csv", "a.csv", ("first", "second")),
        ("a.csv", f"{'b' * 30}.csv", ("first", "second")),
    ],
)
def test_columns_are_named_after_the_files(rolltheory, tmp_path, first, second, names):
    for name, row in ((first, "a,2,1"), (second, "a,2,2")):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"task_id,n,c\n{row}\n")
    text = rolltheory("pass-at-k", tmp_path / first, tmp_path / second, width=80).stdout
    _, _, comparison = text.partition("minus ")
    assert ["k", *names, "difference"] in [line.split()[:4] for line in comparison.splitlines()]
    assert f"minus {tmp_path / first} ({names[0]})" in text


def test_what_holds_for_every_file_is_said_once(rolltheory, aime):
    text = " ".join(rolltheory("pass-at-k", *aime, "--extrapolate", "100").stdout.split())
    for once in ("plug-in: 1 -", "zero: share", "No estimate beyond", "k = 32, 50: more than half"):
        assert text.count(once) == 1
    assert text.count("! No success in 2") == 2
    assert text.index("In each of these files:") < text.index("k = 32, 50: more than half")
    alone = rolltheory("pass-at-k", aime[0]).stdout
    assert "In each of these files:" not in alone
    assert "k = 32, 50: more than half" in alone


@pytest.mark.parametrize("level", ["0.95", "0.99999999999"])
def test_the_confidence_is_shown_in_full(rolltheory, aime, level):
    text = rolltheory("pass-at-k", aime[0], "--k", "1", "--confidence", level).stdout
    assert f"interval {level[1:]} " in text
    assert f"(one-sided, {level})" in " ".join(text.split())


def test_the_help_shows_what_each_format_holds(rolltheory):
    from rolltheory.readers import FORMATS

    _, _, shown = rolltheory("pass-at-k", "--help").stdout.partition("Formats:")
    expected = " ".join(f"{name} {module.SHAPE}" for name, module in FORMATS.items())
    assert " ".join(shown.split()) == expected


def test_the_airline_table_of_tau_bench(answer, data):
    path = data / "attempts" / "tau_bench_gpt4o_airline_counts.csv"
    (record,) = answer("pass-at-k", path, "--k", "1,2,3,4")["files"]
    assert record["all_of_k"] == pytest.approx([0.42, 0.273333, 0.22, 0.20], abs=1e-6)
    assert column(record, "estimate")[1::2] == pytest.approx([0.566667, 0.72], abs=1e-6)


def test_all_of_k_is_a_column_on_request(rolltheory, aime):
    plain = rolltheory("pass-at-k", aime[0]).stdout
    assert "all-of-k" not in plain
    assert "all-of-k" in rolltheory("pass-at-k", aime[0], "--all-of-k").stdout


def test_the_interval_for_a_k_does_not_depend_on_the_others(answer, aime):
    alone = answer("pass-at-k", aime[0], "--k", "8")["files"][0]["curve"][0]
    among = answer("pass-at-k", aime[0], "--k", "16,8,1")["files"][0]["curve"][1]
    assert alone == among
    other = answer("pass-at-k", aime[0], "--k", "8", "--seed", "1")["files"][0]["curve"][0]
    assert other["estimate"] == alone["estimate"]
    assert other["interval"] != alone["interval"]


def test_one_problem_has_the_exact_interval(answer, rolltheory, table):
    path = table("a,50,1")
    (record,) = answer("pass-at-k", path, "--k", "50")["files"]
    limits = {"lower": 0.025, "upper": 0.996407}
    assert record["curve"][0]["interval"] == pytest.approx(limits, abs=1e-6)
    assert record["curve"][0]["sampled_problems_error"] is None
    assert "exact (Clopper-Pearson)" in rolltheory("pass-at-k", path).stdout


def test_long_names_of_problems_show_where_they_differ(rolltheory, table):
    names = [f"Find the number of {what} in the file problems.parquet]" for what in ("ox", "emu")]
    rows = [f"{name},2,1" for name in (*names, "Find the number of oxen in the file z.parquet]")]
    text = rolltheory("pass-at-k", table(*rows[:2]), "--problems", "--k", "1").stdout
    assert [line.split()[0] for line in text.splitlines() if " 2  1 " in line] == ["'ox'", "'emu'"]
    text = rolltheory("pass-at-k", table(*rows), "--problems", "--k", "1").stdout
    assert text.count("'ox in ") == 1


def test_names_of_problems_that_are_cut_alike_are_numbered(rolltheory, table):
    rows = [f"{'a' * 40}{letter}{'b' * 40},2,1" for letter in "xyz"]
    text = rolltheory("pass-at-k", table(*rows), "--problems", "--k", "1").stdout
    assert [f"#{at} " in text for at in (1, 2, 3, 4)] == [True, True, True, False]


def test_every_problem_is_listed_on_request(answer, rolltheory, aime):
    (record,) = answer("pass-at-k", aime[0], "--problems", "--k", "10,50")["files"]
    first, last = record["problems"]["exact_intervals"]
    assert (first["k"], last["k"]) == (10, 50)
    assert first["upper"][0] == pytest.approx(0.521824, abs=1e-6)
    assert last["upper"][0] == pytest.approx(0.975)
    rows = rolltheory("pass-at-k", aime[0], "--problems", "--k", "10,50").stdout.splitlines()
    assert "'0'      50   0  10  0.0000  [0.0000, 0.5218]" in [row.strip() for row in rows]


@pytest.mark.parametrize(
    "name",
    [
        "evalplus.json",
        "human_eval.jsonl",
        "large_language_monkeys",
        "livecodebench.json",
        "matrix.csv",
        "multipl_e",
        "reasoning_gym_run.json",
        "tau_bench.json",
        "verl.jsonl",
    ],
)
@pytest.mark.parametrize("width", [80, 100])
def test_every_format_is_reported_within_the_width(rolltheory, data, name, width):
    result = rolltheory("pass-at-k", data / "attempts" / name, "--all-of-k", width=width)
    assert result.exit_code == 0, result.stderr
    source, *lines = result.stdout.splitlines()
    assert source.endswith(name)
    assert max(map(len, lines)) <= width


def test_the_same_input_gives_the_same_output(rolltheory, aime):
    runs = {rolltheory("pass-at-k", *aime, "--k", "1,50").stdout for _ in range(2)}
    assert len(runs) == 1


def test_extrapolation_shows_both_laws_and_the_caveat(rolltheory, aime, tmp_path):
    target = tmp_path / "out.json"
    options = ("--k", "1", "--extrapolate", "200", "--json", target)
    text = " ".join(rolltheory("pass-at-k", aime[1], *options, width=80).stdout.split())
    (record,) = json.loads(target.read_text())["files"]
    plain, inflated = record["extrapolation"]
    assert (plain["with_zero_mass"], inflated["with_zero_mass"]) == (False, True)
    assert (plain["preferred"], inflated["preferred"]) == (False, True)
    assert inflated["akaike"] < plain["akaike"]
    assert plain["limit"] == 1.0
    assert inflated["limit"] == pytest.approx(1 - inflated["zero_mass"])
    for law in (plain, inflated):
        assert law["interval"]["lower"] < law["estimate"] < law["interval"]["upper"]
    assert "No estimate beyond the tries is unbiased." in text
    assert "Preferred by Akaike's criterion (75.9450 and 74.5362): Beta and zero." in text
    assert "! The tries do not decide between the laws: the criteria differ by 1.4." in text
    assert f"[{plain['interval']['lower']:#.2g}, {plain['interval']['upper']:#.2g}]" in text


def test_a_clear_share_of_hopeless_problems_is_decided(rolltheory, table):
    path = table(*(f"{i},20,{c}" for i, c in enumerate([0] * 30 + [8, 9, 10, 11, 12] * 6)))
    text = rolltheory("pass-at-k", path, "--k", "1", "--extrapolate", "40").stdout
    assert "): Beta and zero." in text
    assert "do not decide" not in text


def test_extrapolations_by_different_laws_are_not_to_be_compared(rolltheory, aime):
    text = " ".join(
        rolltheory("pass-at-k", *aime, "--k", "1", "--extrapolate", "60").stdout.split()
    )
    assert "Do not compare the preferred extrapolations of these files: different laws." in text
    alone = rolltheory("pass-at-k", aime[1], "--k", "1", "--extrapolate", "60").stdout
    assert "Do not compare" not in alone


def test_limits_of_an_extrapolation_grow_with_k(answer, table):
    path = table("a,2,0", "b,2,1", "c,2,2", "d,2,0", "e,2,1")
    limits = []
    for k in (30, 31, 32):
        (record,) = answer("pass-at-k", path, "--extrapolate", k)["files"]
        limits.append(list(record["extrapolation"][0]["interval"].values()))
    assert limits[0] < limits[1] < limits[2]
    assert limits[0][1] <= limits[1][1] <= limits[2][1]


def test_two_tries_determine_no_mass_at_zero(answer, rolltheory, table):
    arguments = ("pass-at-k", table("a,2,0", "b,2,1", "c,2,2", "d,2,0"), "--extrapolate", "8")
    (record,) = answer(*arguments)["files"]
    assert [law["with_zero_mass"] for law in record["extrapolation"]] == [False]
    assert "cannot tell a share of unsolvable problems" in rolltheory(*arguments).stdout


@pytest.mark.parametrize("width", [80, 100])
def test_every_table_fits_the_width(rolltheory, table, width):
    first, second = table("a,3,0", "b,3,1", "c,3,2"), table("a,3,1", "b,3,1", "c,3,3", name="d")
    options = ("--extrapolate", "1000", "--all-of-k", "--problems")
    text = rolltheory("pass-at-k", first, second, *options, width=width).stdout
    assert "…" not in text
    lines = [line for line in text.splitlines() if str(first.parent) not in line]
    assert max(map(len, lines)) <= width


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_a_plot_is_written(rolltheory, aime, tmp_path, ending):
    target = tmp_path / f"curve.{ending}"
    result = rolltheory("pass-at-k", *aime, "--k", "1", "--plot", target)
    assert result.exit_code == 0, result.stderr
    opening = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}[ending]
    assert target.read_bytes().startswith(opening)
    assert [path.name for path in tmp_path.iterdir()] == [target.name]
    assert f"Wrote {target}: Pass@k of each file" in result.stdout


def test_a_plot_names_the_files_and_the_limit(rolltheory, table, tmp_path):
    target, options = tmp_path / "curve.svg", ("--extrapolate", "100", "--plot")
    rolltheory("pass-at-k", table("a,2,0", "b,2,1", "c,2,2"), *options, target)
    drawn = target.read_text("utf-8")
    assert "counts, extrapolated (Beta)" in drawn
    assert "counts, interval" in drawn
    assert "limit" in drawn


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (["--k", "0"], "k = '0' is not allowed: need whole numbers from 1 on"),
        (["--k", "-1"], "k = '-1' is not allowed"),
        (["--k", "1.5"], "k = '1.5' is not allowed"),
        (["--k", "many"], "k = 'many' is not allowed"),
        (["--k", "9" * 5000], "is not allowed: need whole numbers"),
        (["--k", "1,5"], "k = 5 is not allowed: need k <= n, and problem 'b' in "),
        (["--confidence", "nan"], "confidence = nan is not allowed"),
        (["--confidence", "1"], "confidence = 1.0 is not allowed"),
        (["--threshold", "2"], "threshold = 2.0 is not allowed"),
        (
            ["--extrapolate", "4"],
            "extrapolate = 4 is not allowed: need more than the 4 tries of a problem",
        ),
        (["--format", "verl"], "need verl: "),
        (["--format", "parquet"], "format = 'parquet' is not allowed: need one of reasoning-gym, "),
        (["--plot", "curve.jpg"], "plot = 'curve.jpg' is not allowed: need a name that ends in"),
        (["--plot", "/missing/curve.svg"], "need a writable place"),
        (["--json", "."], "need the name of a file, not of a directory"),
        (["--seed", "-1"], "Invalid value for '--seed'"),
    ],
)
def test_bad_options_are_refused(refusal, table, arguments, found):
    assert found in refusal("pass-at-k", table("a,9,1", "b,4,2"), *arguments)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", "found an empty file"),
        ("task_id,n,c\n", "found no tries"),
        ("task_id,n,c\na,4,5\n", "line 2: found c = 5 of n = 4"),
        ("task_id,n,c\na,4,1\na,4,1\n", "line 3: found 'a' a second time"),
        ("task_id,n,c\na,0,0\n", "line 2: found n = '0'"),
        ('{"uid": 1, "score": NaN}\n{"uid": 1, "score": 1}\n', "line 1: found score = nan"),
        ('{"uid": 1, "score": "yes"}\n{"uid": 1, "score": 1}\n', "line 1: found score = 'yes'"),
        ('{"uid": 1, "score": 1}\n{"uid": 1, "sco', "line 2: found truncated JSON"),
        ('{"uid": 1, "score": 1}\n{"task_id": 1, "passed": true}\n', "line 2: found an item of"),
    ],
)
def test_bad_files_are_refused(refusal, tmp_path, text, found):
    path = tmp_path / "file"
    path.write_text(text)
    line = refusal("pass-at-k", path)
    assert line.startswith(str(path))
    assert found in line


@pytest.mark.parametrize("name", ["missing", "."])
def test_what_is_no_file_is_refused(refusal, tmp_path, name):
    assert str(tmp_path) in refusal("pass-at-k", tmp_path / name)


def test_different_problems_are_not_compared(refusal, table):
    first, second = table("a,4,1", "b,4,1"), table("a,4,1", "c,4,1", name="second.csv")
    found = refusal("pass-at-k", first, second)
    assert found.startswith("problem = 'b' is not allowed: need the same problems in ")
    assert found.endswith("2 are in one only, this one in " + str(first))


def test_failures_only_determine_no_law(refusal, table):
    found = refusal("pass-at-k", table("a,4,0", "b,4,0"), "--extrapolate", "9")
    assert "some try succeeds" in found


def test_one_try_per_problem_determines_no_law(refusal, table):
    found = refusal("pass-at-k", table("a,1,0", "b,1,1"), "--extrapolate", "9")
    assert found.endswith("one try per problem in " + str(table("a,1,0")) + ": nothing to fit")


def test_several_k_without_commas_are_explained(refusal, table, tmp_path, monkeypatch):
    found = refusal("pass-at-k", table("a,9,1"), "--k", "1", "8")
    assert found == "file = '8' is not allowed: need a file; several k are written --k 1,8"
    monkeypatch.chdir(tmp_path)
    assert "need the same problems" in refusal(
        "pass-at-k", table("a,9,1"), "--k", "1", table("b,9,1", name="8").name
    )


def test_the_help_says_that_a_directory_is_read(rolltheory):
    assert "FILE may be a directory" in rolltheory("pass-at-k", "--help").stdout


def test_a_refusal_writes_nothing(refusal, table, tmp_path):
    path, old = table("a,4,1"), tmp_path / "old.json"
    old.write_text("old")
    refusal("pass-at-k", path, "--k", "5", "--json", old, "--plot", tmp_path / "new.svg")
    assert sorted(tmp_path.iterdir()) == [path, old]
    assert old.read_text() == "old"


def test_a_bad_line_can_be_left_out_and_is_reported(rolltheory, table, tmp_path):
    path, target = table("a,4,1", "b,4,9", "c,4,2"), tmp_path / "out.json"
    result = rolltheory("pass-at-k", path, "--skip-bad-lines", "--json", target)
    assert "1 line or file could not be read and is left out; first," in result.stdout
    (record,) = json.loads(target.read_text())["files"]
    assert record["problems"]["id"] == ["a", "c"]
    assert "line 3" in record["skipped"][0]
