"""Audits, plans and comparisons on the command line."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from rolltheory.cli import main


@pytest.fixture
def staleness():
    def run(*arguments):
        words = ["staleness", *map(str, arguments)]
        return CliRunner().invoke(main, words, env={"COLUMNS": "100"})

    return run


@pytest.fixture
def record(staleness):
    """The JSON of a run with this exit code."""

    def run(*arguments, exit_code=0):
        result = staleness(*arguments, "--json", "-")
        assert result.exit_code == exit_code, result.output
        return json.loads(result.stdout)

    return run


@pytest.fixture
def refusal(staleness):
    """The one line that refuses the given arguments."""

    def run(*arguments):
        result = staleness(*arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.count("\n") == 1
        return result.stderr

    return run


@pytest.fixture
def log(tmp_path):
    def write(name="log.jsonl", *, clip=0.0, kl=0.0, rows=40, seed=0):
        rng = np.random.default_rng(seed)
        lines = []
        for step in range(1, rows + 1):
            lag = int(rng.integers(0, 5))
            data = {
                "fully_async/trajectory_staleness/mean": lag,
                "fully_async/trajectory_staleness/max": lag,
                "rollout_corr/k3_kl": 0.001 + 1e-6 * lag**2 + 1e-8 * float(rng.normal()),
                "actor/pg_clipfrac": clip,
                "actor/ppo_kl": kl,
                "actor/lr": 1e-6,
                "critic/score/mean": float(rng.normal()) / 10,
                "actor/ppo_k1": 0.0,
            }
            lines.append(json.dumps({"step": step, "data": data}))
        path = tmp_path / name
        path.write_text("\n".join(lines) + "\n")
        return path

    return write


def test_an_audit_ends_with_1_on_an_alarm_and_prints_it(staleness, log):
    result = staleness("audit", log())
    assert result.exit_code == 1
    assert "verl; 40 rows, steps 1 to 40; 1 alarm." in result.stdout
    assert "! trust_region.inert: clip fraction and KL are 0 throughout" in result.stdout
    assert "? lag.updates:" in result.stdout
    assert "--updates-per-version" in result.stdout
    assert "actor/ppo_k1 (like actor/ppo_kl)" in result.stdout
    assert result.stderr == ""


def test_an_audit_without_alarm_ends_with_0(staleness, log):
    result = staleness("audit", log(clip=0.1, kl=0.01))
    assert result.exit_code == 0, result.output
    assert "0 alarms" in result.stdout


def test_the_record_holds_what_is_printed(record, log):
    found = record("audit", log(), "--updates-per-version", "1", exit_code=1)
    assert (found["format"], found["rows"], found["evidence_kind"]) == ("verl", 40, "observed")
    findings = {finding["topic"]: finding for finding in found["findings"]}
    assert findings["trust_region.inert"]["level"] == "alarm"
    assert findings["kl.exponent"]["numbers"]["exponent"] == pytest.approx(2.0, abs=0.1)
    norm = findings["rule.update_norm"]["numbers"]["update_norm"]
    assert norm == pytest.approx(np.sqrt(2e-6) / 1e-6, rel=0.1)
    assert findings["rule.lag"]["numbers"]["lag"] == 4.0
    assert found["unknown"] == [{"name": "actor/ppo_k1", "nearest": "actor/ppo_kl"}]


def test_a_learning_rate_against_the_log_is_refused(refusal, log):
    assert "the log's own, 1e-06 (actor/lr)" in refusal("audit", log(), "--learning-rate", "2e-6")


def test_a_json_file_beside_the_text(staleness, log, tmp_path):
    target = tmp_path / "audit.json"
    result = staleness("audit", log(), "--json", target)
    assert "trust_region.inert" in result.stdout
    assert json.loads(target.read_text())["rows"] == 40


def test_a_plot(staleness, log, tmp_path):
    target = tmp_path / "audit.svg"
    staleness("audit", log(), "--plot", target)
    text = target.read_text()
    assert "<svg" in text


def test_a_plot_says_where_it_is(staleness, record, log, tmp_path):
    target = tmp_path / "audit.svg"
    assert f"is in {target}." in staleness("audit", log(), "--plot", target).stdout
    assert record("audit", log(), "--plot", target, exit_code=1)["rows"] == 40


def test_alarms_come_first_with_one_next_step_each(staleness, log):
    lines = staleness("audit", log()).stdout.splitlines()
    marks = [line[0] for line in lines if line[1:2] == " " and ": " in line and line[0] in "!+?"]
    assert marks.count("!") == 1
    assert marks[0] == "!"
    steps = [line for line in lines if line.startswith("  Next: ")]
    assert len(steps) == 1
    assert steps[0].startswith("  Next: take the sampler's log-probabilities as the anchor")


def test_few_unknown_keys_are_listed(staleness, tmp_path):
    path = tmp_path / "log.jsonl"
    extra = {f"timing/{name}": 1.0 for name in "abcdefgh"}
    path.write_text(json.dumps({"step": 1, "data": {"actor/lr": 1e-6} | extra}) + "\n")
    text = " ".join(staleness("audit", path).stdout.split())
    assert "timing/a, timing/b, timing/c, timing/d and 4 more, see --json." in text


def test_the_help_lists_the_containers(staleness):
    text = staleness("audit", "--help").stdout
    listing = text[text.index("Files:") : text.index("Options:")]
    for container in ("JSON lines", "console output", "trainer_state.json", "CSV", "event files"):
        assert container in listing


def test_a_wrong_format_is_refused(refusal, log):
    assert "no key of trl with a value in this file; the keys look like verl" in refusal(
        "audit", log(), "--format", "trl"
    )


def test_a_map_of_fields(record, tmp_path):
    path = tmp_path / "own.csv"
    path.write_text("it,my lag\n1,2\n2,4\n")
    found = record("audit", path, "--map", "step=it", "--map", "lag_mean=my lag")
    profile = found["findings"][0]
    assert profile["topic"] == "lag.profile"
    assert profile["keys"] == ["my lag"]
    assert profile["numbers"]["mean"] == 3.0


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--map", "lag_mean"], "need FIELD=KEY"),
        (["--map", "lag=x"], "canonical name"),
        (["--clip-low", "2"], "clip_low"),
        (["--plot", "picture.gif"], ".svg, .png, .pdf"),
        (["--format", "vearl"], "one of verl"),
        (["--run", "2"], "run 2"),
    ],
)
def test_refused_options(arguments, says, refusal, log):
    assert says in refusal("audit", log(), *arguments)


def test_a_file_that_is_no_log(refusal, tmp_path):
    assert "found no such file" in refusal("audit", tmp_path / "nothing.jsonl")


def test_the_worked_plan(record):
    found = record("plan", "--lag", "8", "--horizon", "1000", "--group-size", "8")
    assert found["learning_rate"][0] == pytest.approx(0.0243637428, abs=5e-11)
    assert found["batch_radius"] == pytest.approx(0.1289208092, abs=5e-11)
    assert found["update_norm"] == pytest.approx(np.sqrt(7 / 16), rel=1e-12)
    assert found["stale_update_norm"] == pytest.approx(np.sqrt(7 / 8), rel=1e-12)
    assert (found["binding"], found["horizon_limit"]) == (["lag"], None)


def test_a_plan_over_lags_shows_where_the_lag_begins_to_bind(record):
    found = record(
        *("plan", "--lag", "1,2,4,8,16", "--horizon", "100", "--update-norm", "1"),
        *("--batch-radius", "0.1", "--critical-radius", "2", "--learning-rate", "0.01"),
    )
    rates = [0.02, 0.02, 0.02, 0.0125, 0.00625]
    assert found["learning_rate"] == pytest.approx(rates)
    assert found["binding"] == ["horizon", "horizon", "horizon", "lag", "lag"]
    assert found["crossover_lag"] == pytest.approx(5.0)
    assert (found["max_lag"], found["max_horizon"]) == (10, 199)


def test_a_plan_as_text(staleness):
    result = staleness("plan", "--lag", "8", "--horizon", "1000", "--group-size", "8")
    assert result.exit_code == 0
    text = " ".join(result.stdout.split())
    assert "cannot be told without --critical-radius" in text
    assert "That norm is of fresh data. A stale gradient" in text
    assert "as long as 0.935414; to cover it, multiply the learning rates by 0.7071" in text
    plain = staleness("plan", "--lag", "8", "--horizon", "1000", "--update-norm", "1")
    assert "fresh data" not in plain.stdout
    options = ["--critical-radius", "1", "--learning-rate", "0.001"]
    result = staleness("plan", "--lag", "8", "--horizon", "9", "--group-size", "8", *options)
    assert "allows a lag of 194 and a horizon of 1511" in result.stdout


@pytest.mark.parametrize(
    ("norm", "unit"),
    [
        (["--group-size", "8"], "in softmax logits under plain gradient ascent, not those of an"),
        (["--adam-parameters", "7e9"], "those of Adam with betas 0.9 and 0.999"),
        (["--adam-parameters", "7e9", "--adam-betas", "0.5", "0.75"], "with betas 0.5 and 0.75"),
        (["--update-norm", "1"], "in the unit of the update norm"),
    ],
)
def test_a_plan_says_what_its_rates_multiply(norm, unit, staleness):
    result = staleness("plan", "--lag", "8", "--horizon", "1000", *norm)
    assert unit in " ".join(result.stdout.split())


def test_a_lag_of_0_certifies_nothing_and_forbids_nothing(staleness):
    options = ["--horizon", "10", "--update-norm", "1", "--learning-rate"]
    for schedule in ("fixed_lag", "sync"):
        plan = ["plan", "--lag", "8", "--schedule", schedule, *options]
        assert "That certifies no stale batch" in staleness(*plan, "1").stdout
        assert "That certifies" not in staleness(*plan, "0.001").stdout


def test_whole_numbers_may_be_written_short(record):
    short = record("plan", "--lag", "1e1", "--horizon", "1e3", "--adam-parameters", "7e9")
    long = record("plan", "--lag", "10", "--horizon", "1000", "--adam-parameters", "7000000000")
    assert short == long


@pytest.mark.parametrize("value", ["1.5", "nan", "inf", "ten", "1e99", ""])
def test_what_is_no_whole_number_is_refused(value, refusal):
    assert "whole number such as 1000 or 1e3" in refusal(
        *("plan", "--lag", "8", "--update-norm", "1", "--horizon", value)
    )


@pytest.mark.filterwarnings("error")
def test_a_rate_beyond_floats_is_refused(refusal):
    options = ["--critical-radius", "1e300", "--update-norm", "1e-300"]
    assert "ratio = inf" in refusal("plan", "--lag", "1", "--horizon", "10", *options)


@pytest.mark.parametrize(
    ("norm", "expected"),
    [
        (["--gradient-clip", "0.5"], 0.5),
        (["--adam-parameters", "10000"], 727.03),
        (["--adam-parameters", "1", "--adam-betas", "0.9", "0.999"], 7.2703),
        (["--update-norm", "3"], 3.0),
    ],
)
def test_update_norms(norm, expected, record):
    found = record("plan", "--lag", "4", "--horizon", "10", *norm)
    assert found["update_norm"] == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "0 statements of it"),
        (["--update-norm", "1", "--group-size", "8"], "2 statements of it"),
        (["--update-norm", "1", "--clip-low", "1"], "clip_low"),
        (["--update-norm", "0"], "update_norm"),
        (["--update-norm", "1", "--adam-betas", "0.9", "0.99"], "--adam-parameters beside them"),
        (["--adam-parameters", "9", "--adam-betas", "0.9", "1"], "beta2"),
    ],
)
def test_refused_plans(arguments, says, refusal):
    assert says in refusal("plan", "--lag", "8", "--horizon", "10", *arguments)


def test_a_lag_that_is_no_number(refusal):
    assert "lag = 'x'" in refusal("plan", "--lag", "8,x", "--horizon", "10", "--update-norm", "1")


def runs(tmp_path, name, values):
    files = []
    for seed, value in enumerate(values):
        path = tmp_path / f"{name}{seed}.csv"
        rows = [f"{step},{value if step > 10 else 0}" for step in range(1, 21)]
        path.write_text("step,clip_fraction\n" + "\n".join(rows) + "\n")
        files += [f"--{name}", path]
    return files


def test_three_seeds_of_two_budgets_cannot_be_told_apart(record, tmp_path):
    """Means and deviations of a public comparison of staleness budgets 1 and 3."""
    first = 0.3478 + 0.0439 * np.array([-1, 0, 1])
    second = 0.4011 + 0.0735 * np.array([-1, 0, 1])
    options = [*runs(tmp_path, "first", first), *runs(tmp_path, "second", second)]
    found = record("compare", *options, "--field", "clip_fraction")
    assert found["mean"] == pytest.approx(0.3478)
    assert found["other_deviation"] == pytest.approx(0.0735)
    assert found["seeds"] == 22
    assert found["power_now"] < 0.2
    assert "they cannot be told apart" in found["statement"]


def test_a_comparison_as_text(staleness, tmp_path):
    options = [*runs(tmp_path, "first", [1.0, 1.1]), *runs(tmp_path, "second", [5.0, 5.1])]
    result = staleness("compare", *options, "--field", "clip_fraction")
    assert result.exit_code == 0, result.output
    assert "these seeds do" in result.stdout


def test_a_comparison_of_what_is_not_there(refusal, tmp_path):
    options = [*runs(tmp_path, "first", [1.0, 1.1]), *runs(tmp_path, "second", [5.0, 5.1])]
    assert "clip_fraction" in refusal("compare", *options, "--field", "reward")


@pytest.mark.parametrize(
    ("flag", "value"),
    [
        *(("--clip-low", "0"), ("--clip-low", "1.0"), ("--clip-high", "0"), ("--clip-high", "inf")),
        *(("--clip-budget", "1.1"), ("--lag-bound", "-3"), ("--lag-bound", "nan")),
        *(("--ess-alarm", "0"), ("--ess-alarm", "1.1"), ("--kept-mass", "0")),
        *(("--ratio-cap", "0"), ("--learning-rate", "-1"), ("--horizon", "0")),
    ],
)
def test_settings_are_checked_before_the_log_is_read(refusal, flag, value):
    found = refusal("audit", "never-written.jsonl", flag, value)
    assert found.startswith(f"Error: {flag[2:].replace('-', '_')} = ")
