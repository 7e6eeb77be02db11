"""Training logs that are damaged, contradictory or not logs at all."""

import json

import numpy as np
import pytest

from rolltheory.errors import DomainError, ReaderError
from rolltheory.readers.logs import read_run_log
from rolltheory.staleness.run_log import LagDefinition, RunLog, Series


def row(step, **more):
    return json.dumps({"step": step, "data": {"actor/ppo_kl": 0.1, "actor/lr": 1e-6} | more})


@pytest.fixture
def file(tmp_path):
    def write(*lines, end="\n"):
        path = tmp_path / "log.jsonl"
        path.write_text("\n".join(lines) + end)
        return path

    return write


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ('{"data": {"actor/lr": 1}}', "no step"),
        ('{"step": null, "data": {}}', "step = None"),
        ('{"step": 1.5, "data": {}}', "step = 1.5"),
        ('{"step": -1, "data": {}}', "step = -1"),
        ('{"step": NaN, "data": {}}', "step = nan"),
        ('{"step": true, "data": {}}', "step = True"),
        ('{"step": 2, "data": {"actor/lr": %s}}' % ("1" * 5000), "broken JSON"),
        ("1" * 100, "no JSON object"),
        ('{"step": "two", "data": {}}', "step = 'two'"),
        ('{"step": 2, "data": {"actor/lr": "fast"}}', "actor/lr = 'fast'"),
        ('{"step": 2, "data": {"actor/lr": [1]}}', r"actor/lr = \[1\]"),
        ('{"step": 2, "data": {"actor/lr": 1}', "broken JSON"),
        ("[2]", "no JSON object"),
        ('{"step": 1e300, "data": {}}', "step = 1e"),
    ],
)
def test_a_bad_line_is_named_and_left_out_on_request(line, found, file):
    path = file(row(1), line, row(3))
    with pytest.raises(ReaderError, match=rf"line 2: found {found}"):
        read_run_log(path)
    log = read_run_log(path, skip_bad_lines=True)
    assert log.steps.tolist() == [1, 3]
    assert any("line 2" in note for note in log.notes)


def test_many_bad_lines_are_counted(file):
    log = read_run_log(file(row(1), *["[2]"] * 30), skip_bad_lines=True)
    assert sum("left out" in note for note in log.notes) == 21
    assert log.notes[-1] == "left out: 10 lines more"


@pytest.mark.parametrize(
    "spelling", ["NaN", "Infinity", "-Infinity", '"NaN"', '"inf"', '"-Infinity"', "1e999"]
)
def test_values_that_are_not_finite_are_counted(spelling, file):
    bad = f'{{"step": 2, "data": {{"actor/ppo_kl": {spelling}}}}}'
    log = read_run_log(file(row(1), bad, row(3)))
    series = log.get("anchor_kl_k1")
    assert (series.not_finite, series.count) == (1, 2)
    assert np.isnan(series.values[1])
    assert "actor/ppo_kl: 1 values are NaN or infinite" in log.notes


def test_values_that_are_not_finite_do_not_send_a_block_the_slow_way(file, monkeypatch):
    from rolltheory.readers.logs import json_lines

    def never(data, first):
        raise AssertionError(data)

    odd = '{"step": 2, "data": {"actor/ppo_kl":NaN, "name": -Infinity, "actor/lr" : -Infinity}}'
    path = file(row(1), odd, row(3))
    plain = read_run_log(path)
    monkeypatch.setattr(json_lines, "_rows", never)
    quick = read_run_log(path)
    for name in ("anchor_kl_k1", "learning_rate"):
        assert quick.get(name).not_finite == plain.get(name).not_finite == 1
        assert quick.get(name).values == pytest.approx([*plain.get(name).values], nan_ok=True)
    in_a_text = row(2, note='"actor/ppo_kl": NaN')
    with pytest.raises(AssertionError):
        read_run_log(file(row(1), in_a_text))


def test_a_key_that_comes_late_is_read(file):
    rows = [json.dumps({"step": s, "data": {"actor/lr": 1e-6}}) for s in range(1, 300)]
    path = file(*rows, row(300))
    assert read_run_log(path).get("anchor_kl_k1").count == 1


def test_nested_objects_are_read_as_keys_with_slashes(file):
    rows = [json.dumps({"step": s, "off_policy": {"mean": s}, "x": {"y": 1}}) for s in (1, 2)]
    log = read_run_log(file(*rows))
    assert log.get("lag_mean").values.tolist() == [1.0, 2.0]


@pytest.mark.parametrize("gap", [100.0, 800.0])
def test_a_sample_that_overflows_is_counted(gap, tmp_path):
    samples = [
        {"generation_logprobs": [-gap], "prev_logprobs": [0.0], "reward": 10**400},
        {"generation_logprobs": [-1.0], "prev_logprobs": [-1.0], "reward": 1.0},
    ]
    for step, sample in enumerate(samples, 1):
        (tmp_path / f"train_data_step{step}.jsonl").write_text(json.dumps(sample) + "\n")
    log = read_run_log(tmp_path)
    for name in ("sampler_kl_k3", "sampler_ratio_max", "sampler_ratio_p99", "reward"):
        assert (log.get(name).count, log.get(name).not_finite) == (1, 1)
    assert log.get("log_probability_gap_max").high == gap


@pytest.mark.parametrize("value", ["1e308", "-1e40", "1" + "0" * 39 + "1"])
def test_a_value_that_no_square_survives_is_a_bad_line(value, file):
    bad = f'{{"step": 2, "data": {{"actor/ppo_kl": {value}}}}}'
    path = file(row(1), bad, row(3))
    with pytest.raises(ReaderError, match=r"line 2: found actor/ppo_kl = .*up to 1e\+39"):
        read_run_log(path)
    assert read_run_log(path, skip_bad_lines=True).steps.tolist() == [1, 3]
    assert read_run_log(file(row(1), row(2, **{"actor/ppo_kl": 1e38}))).rows == 2


def test_a_header_without_end_is_shown_in_part(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("a" * 200_000)
    with pytest.raises(ReaderError, match=r"line 1: found broken CSV .*header 'aaaa") as error:
        read_run_log(path)
    assert len(str(error.value)) < 400


def test_a_missing_value_is_not_a_bad_one(file):
    log = read_run_log(file(row(1), row(2, **{"actor/ppo_kl": None})))
    assert log.get("anchor_kl_k1").not_finite == 0
    assert log.get("anchor_kl_k1").count == 1


def test_a_last_line_that_is_cut_short(file):
    log = read_run_log(file(row(1), row(2), row(3)[:30], end=""))
    assert log.steps.tolist() == [1, 2]
    assert log.notes == ("line 3, the last one, is cut short and was left out",)


def test_a_last_line_without_line_end_counts(file):
    log = read_run_log(file(row(1), row(2), end=""))
    assert (log.steps.tolist(), log.notes) == ([1, 2], ())


def test_a_cut_line_amid_the_file_is_bad(file):
    with pytest.raises(ReaderError, match="line 2: found broken JSON"):
        read_run_log(file(row(1), row(2)[:30], row(3)))


def test_a_csv_cut_short(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("step,staleness_mean,lr\n1,2,3\n2,2")
    log = read_run_log(path)
    assert log.steps.tolist() == [1]
    assert log.notes == ("line 3, the last one, is cut short and was left out",)
    path.write_text("step,staleness_mean,lr\n1,2,3\n2,2\n")
    with pytest.raises(ReaderError, match="line 3: found 2 cells; need 3, as in the header"):
        read_run_log(path)


def test_missing_steps_are_counted(file):
    log = read_run_log(file(*map(row, (10, 20, 30, 60, 70))))
    assert log.notes == ("2 steps are missing (usual distance 10)",)


def test_a_resume_replaces_the_steps_it_repeats(file):
    rows = [row(s, **{"actor/ppo_kl": 0.1}) for s in range(1, 6)]
    again = [row(s, **{"actor/ppo_kl": 0.7}) for s in range(4, 8)]
    log = read_run_log(file(*rows, *again))
    assert log.steps.tolist() == list(range(1, 8))
    assert log.get("anchor_kl_k1").values.tolist() == [0.1] * 3 + [0.7] * 4
    assert log.get("anchor_kl_k1").count == 9
    assert "line 6: resumed at step 4 after step 5" in log.notes[0]


def test_two_runs_in_one_file_need_a_choice(file):
    path = file(*map(row, (1, 2, 3)), *(row(s, **{"actor/ppo_kl": 0.7}) for s in (1, 2)))
    with pytest.raises(ReaderError, match=r"line 4: found a second run .*--run"):
        read_run_log(path)
    assert read_run_log(path, run=1).steps.tolist() == [1, 2, 3]
    second = read_run_log(path, run=2)
    assert second.get("anchor_kl_k1").values.tolist() == [0.7, 0.7]
    assert second.get("anchor_kl_k1").high == 0.7
    with pytest.raises(ReaderError, match="2 runs; need run 3"):
        read_run_log(path, run=3)


def test_two_runs_are_told_apart_across_blocks(file, monkeypatch):
    from rolltheory.readers.logs import json_lines

    monkeypatch.setattr(json_lines, "BLOCK_BYTES", 50)
    path = file(*map(row, (1, 2, 3, 1, 2, 5, 4, 6)))
    log = read_run_log(path, run=2)
    assert log.steps.tolist() == [1, 2, 4, 6]
    assert sum("resumed" in note for note in log.notes) == 1


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", "an empty file"),
        ("\0\0\0", "binary content"),
        ('{"step": 1, "loss": 2}\n', "keys of no known framework"),
        ('["staleness_mean"]\n{"step": 1, "staleness_mean": 2}\n', "line 2: found broken JSON"),
        ("[1]", "no rows"),
        (f"{'1' * 5000}\n", "line 1: found '1111"),
        ('{"step": 1, "staleness_mean": %s}' % ("1" * 5000), "line 1: found broken JSON"),
        ('{"actor/ppo_kl": 1, "actor/lr": 2}\n', "no step among the keys"),
        ("[1, 2", "broken JSON"),
        ('{\n "a": 1\n}', "no rows"),
        ("step,step\n1,2\n", "the header"),
        ("step,lr,staleness_mean\n", "no row with a step"),
    ],
)
def test_what_is_no_log_is_refused(text, found, tmp_path):
    path = tmp_path / "log"
    path.write_text(text)
    with pytest.raises(ReaderError, match=found):
        read_run_log(path)


def test_a_file_that_does_not_exist(tmp_path):
    with pytest.raises(ReaderError, match="found no such file"):
        read_run_log(tmp_path / "nothing")


def test_a_folder_without_logs(tmp_path):
    with pytest.raises(ReaderError, match="no event file and no file of samples"):
        read_run_log(tmp_path)


@pytest.mark.parametrize(
    ("sample", "found"),
    [
        ({"generation_logprobs": [0.0], "prev_logprobs": [0.0, 0.0]}, "lists that do not fit"),
        ({"generation_logprobs": ["a"], "prev_logprobs": [0.0]}, "lists that do not fit"),
        ({"generation_logprobs": [float("nan")], "prev_logprobs": [0.0]}, "not finite"),
        (
            {"generation_logprobs": [0.0], "prev_logprobs": [0.0], "token_loss_mask": [0]},
            "no token that counts",
        ),
        ({"weight_versions": ["latest"]}, "weight_versions"),
        ({"generation_logprobs": [10**400], "prev_logprobs": [0]}, "lists that do not fit"),
    ],
)
def test_bad_samples(sample, found, tmp_path):
    path = tmp_path / "train_data_step3.jsonl"
    path.write_text(json.dumps(sample) + "\n")
    with pytest.raises(ReaderError, match=found):
        read_run_log(path)


def test_samples_in_a_file_without_a_step(tmp_path):
    path = tmp_path / "samples.jsonl"
    path.write_text(json.dumps({"weight_versions": [1]}) + "\n")
    with pytest.raises(ReaderError, match="no step in the file's name"):
        read_run_log(path)


def test_records_check_themselves():
    with pytest.raises(DomainError, match="learner updates"):
        LagDefinition("seconds")
    with pytest.raises(DomainError, match="oldest"):
        LagDefinition("weight versions", "first")
    series = Series("reward", "r", np.array([1.0]), 1.0, 1.0, 1.0, 1)
    with pytest.raises(DomainError, match="QUANTITIES"):
        Series("rewards", "r", np.array([1.0]), 1.0, 1.0, 1.0, 1)
    with pytest.raises(DomainError, match="strictly increasing"):
        RunLog("f", "verl", np.array([2, 1]), (series,), rows=2)
    with pytest.raises(DomainError, match="shape"):
        RunLog("f", "verl", np.array([1, 2]), (series,), rows=2)
    with pytest.raises(DomainError, match="each quantity once"):
        RunLog("f", "verl", np.array([1]), (series, series), rows=1)


@pytest.mark.parametrize("deep", ["[" * 100_000, '{"a":' * 100_000])
def test_nesting_without_end_is_broken_json(tmp_path, deep):
    folder, sample = tmp_path / "folder", {"weight_versions": ["1"], "reward": 1.0}
    folder.mkdir()
    file = folder / "train_data_step1.jsonl"
    file.write_text(deep + "\n")
    for path in (folder, file):
        with pytest.raises(ReaderError):
            read_run_log(path)
    file.write_text(f"{json.dumps(sample)}\n{deep}\n")
    with pytest.raises(ReaderError, match="line 2: found broken JSON"):
        read_run_log(folder)
