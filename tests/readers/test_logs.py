"""Training logs: every framework's keys, every container, in the common vocabulary."""

import csv
import gzip
import json

import numpy as np
import pytest

from rolltheory.errors import DomainError, MissingExtraError, ReaderError
from rolltheory.readers.logs import FRAMEWORKS, read_run_log
from rolltheory.readers.logs import json_lines as json_lines_module
from rolltheory.readers.logs import table as table_module
from rolltheory.staleness.run_log import QUANTITIES

VERL = {"actor/ppo_kl": 0.01, "actor/pg_clipfrac": 0.1, "actor/lr": 1e-6}


def write(folder, *lines, name="log.jsonl"):
    path = folder / name
    path.write_text("\n".join(lines) + "\n")
    return path


def verl_lines(rows, **more):
    keys = VERL | more
    return [
        json.dumps({"step": step, "data": {key: value * step for key, value in keys.items()}})
        for step in range(1, rows + 1)
    ]


def event_file(folder, *events, name="events.out.tfevents.1.host"):
    pytest.importorskip("tensorboard")
    from tensorboard.compat.proto.event_pb2 import Event
    from tensorboard.compat.proto.summary_pb2 import Summary
    from tensorboard.summary.writer.record_writer import RecordWriter

    path = folder / name
    with path.open("wb") as stream:
        writer = RecordWriter(stream)
        writer.write(Event(wall_time=1.0, file_version="brain.Event:2").SerializeToString())
        for step, tag, value in events:
            summary = Summary(value=[Summary.Value(tag=tag, simple_value=value)])
            writer.write(Event(wall_time=1.0, step=step, summary=summary).SerializeToString())
        writer.flush()
    return path


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_every_framework_is_known_by_its_keys(name, tmp_path):
    vocabulary = FRAMEWORKS[name].vocabulary()
    prefix = FRAMEWORKS[name].prefixes[0]
    keys = {raw: key for raw, key in vocabulary.items() if raw.startswith(prefix)}
    rows = [json.dumps({"step": step} | dict.fromkeys(keys, 0.5)) for step in (1, 2)]
    log = read_run_log(write(tmp_path, *rows))
    assert log.format == name
    assert {series.quantity for series in log.series} == {key.quantity for key in keys.values()}
    for series in log.series:
        assert keys[series.raw_key].quantity == series.quantity
    assert log.unknown == ()


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_every_key_names_a_quantity(name):
    for key in FRAMEWORKS[name].keys:
        assert key.quantity in QUANTITIES
        assert (key.lag is not None) == key.quantity.startswith("lag_")


def test_verl_lines(tmp_path):
    log = read_run_log(write(tmp_path, *verl_lines(3)))
    assert (log.format, log.rows, log.steps.tolist()) == ("verl", 3, [1, 2, 3])
    assert log.get("anchor_kl_k1").raw_key == "actor/ppo_kl"
    assert log.get("anchor_kl_k1").values == pytest.approx([0.01, 0.02, 0.03])
    assert log.get("clip_fraction").mean == pytest.approx(0.2)
    assert log.get("sampler_kl_k3") is None
    assert log.notes == ()


def test_trainer_state_and_the_same_rows_elsewhere(tmp_path):
    rows = [
        {"step": s, "epoch": 0.1, "reward": s / 100, "sampling/sampling_logp_difference/mean": 0.01}
        for s in (10, 20)
    ]
    state = write(tmp_path, json.dumps({"log_history": rows}, indent=2), name="state.json")
    one_line = write(tmp_path, json.dumps({"best": None, "log_history": rows}), name="one.json")
    array = write(tmp_path, json.dumps(rows), name="rows.json")
    train = [{k if k == "step" else f"train/{k}": v for k, v in row.items()} for row in rows]
    prefixed = write(tmp_path, *map(json.dumps, train), name="train.jsonl")
    for path in (state, one_line, array, prefixed):
        log = read_run_log(path)
        assert log.format == "trl"
        assert log.steps.tolist() == [10, 20]
        assert log.get("reward").values.tolist() == [0.1, 0.2]


def test_trl_kl_is_to_the_reference_but_to_the_sampler_in_async(tmp_path):
    row = {"step": 1, "kl": 0.1, "clip_ratio/region_mean": 0.0, "grad_norm": 1.0}
    plain = row | {"sampling/sampling_logp_difference/mean": 0.0}
    assert read_run_log(write(tmp_path, json.dumps(plain))).get("sampler_kl_k3") is None
    asynchronous = read_run_log(write(tmp_path, json.dumps(row | {"ratio": 1.0})))
    assert asynchronous.get("sampler_kl_k3").raw_key == "kl"
    assert asynchronous.get("reference_kl") is None
    with pytest.raises(Exception, match="trl and of trl-async"):
        read_run_log(write(tmp_path, json.dumps(row)))
    assert read_run_log(write(tmp_path, json.dumps(row)), format="trl").get("reference_kl")


def test_an_export_of_wandb_as_csv(tmp_path):
    path = tmp_path / "export.csv"
    key = "ppo_actor/update/clip_ratio/avg"
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["Step", f"a - {key}", f"a - {key}__MIN", f"a - {key}__MAX"])
        writer.writerows([[1, 0.1, 0.0, 0.9], [2, "", "", ""], [3, 0.3, 0.0, 0.9]])
    log = read_run_log(path)
    assert (log.format, log.steps.tolist()) == ("areal", [1, 2, 3])
    values = log.get("clip_fraction").values
    assert values[[0, 2]].tolist() == [0.1, 0.3]
    assert np.isnan(values[1])


def test_two_runs_side_by_side_need_a_choice(tmp_path):
    header = ",".join(["Step", "a - staleness_mean", "b - staleness_mean"])
    path = write(tmp_path, header, "1,1.0,5.0", "2,2.0,6.0", name="two.csv")
    with pytest.raises(Exception, match=r"2 runs in one file \(a, b\).*--run"):
        read_run_log(path)
    assert read_run_log(path, run=2).get("lag_mean").values.tolist() == [5.0, 6.0]
    with pytest.raises(Exception, match="2 runs; need run 3"):
        read_run_log(path, run=3)


def test_event_files(tmp_path):
    events = [
        (step, tag, value * step)
        for step in (1, 2)
        for tag, value in (("train/ppo_kl", 0.5), ("train/vllm_kl", 0.25))
    ]
    path = event_file(tmp_path, *events)
    for source in (path, tmp_path):
        log = read_run_log(source)
        assert (log.format, log.steps.tolist()) == ("openrlhf", [1, 2])
        assert log.get("anchor_kl_k1").values.tolist() == [0.5, 1.0]
        assert log.get("sampler_kl_k1").values.tolist() == [0.25, 0.5]


def test_tags_with_steps_of_their_own(tmp_path):
    events = [(1, "train/ppo_kl", 0.5), (2, "train/ppo_kl", 0.5), (1, "train/vllm_kl", 0.25)]
    log = read_run_log(event_file(tmp_path, *events))
    assert log.steps.tolist() == [1, 2]
    assert np.isnan(log.get("sampler_kl_k1").values[1])
    assert log.notes == ()


def test_event_files_of_a_resumed_run(tmp_path):
    tags = [(step, "train/ppo_kl", 1.0) for step in range(1, 11)]
    event_file(tmp_path, *tags, name="events.out.tfevents.1")
    event_file(
        tmp_path, *[(s, "train/ppo_kl", 2.0) for s in range(8, 13)], name="events.out.tfevents.2"
    )
    log = read_run_log(tmp_path)
    assert log.steps.tolist() == list(range(1, 13))
    assert log.get("anchor_kl_k1").values.tolist() == [1.0] * 7 + [2.0] * 5
    assert any("resumed at step 8 after step 10" in note for note in log.notes)


def test_a_cut_event_file_is_read_as_far_as_it_goes(tmp_path):
    path = event_file(tmp_path, (1, "train/ppo_kl", 1.0), (2, "train/ppo_kl", 1.0))
    path.write_bytes(path.read_bytes()[:-3])
    log = read_run_log(path)
    assert log.steps.tolist() == [1]
    assert log.notes == (f"{path.name} is cut short after 2 records",)


def test_a_damaged_event_file_is_refused(tmp_path):
    path = event_file(tmp_path, (1, "train/ppo_kl", 1.0), (2, "train/ppo_kl", 1.0))
    data = bytearray(path.read_bytes())
    data[-10] ^= 1
    path.write_bytes(bytes(data))
    with pytest.raises(Exception, match=r"a damaged record \(number 3\)"):
        read_run_log(path)


def test_event_files_without_the_extra(tmp_path, monkeypatch):
    path = event_file(tmp_path, (1, "train/ppo_kl", 1.0))
    monkeypatch.setitem(__import__("sys").modules, "tensorboard.compat.proto.event_pb2", None)
    with pytest.raises(MissingExtraError, match=r"rolltheory\[logs\]"):
        read_run_log(path)


def test_gzip(tmp_path):
    path = tmp_path / "log.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join(verl_lines(3)).encode()))
    assert read_run_log(path).rows == 3
    path.write_bytes(path.read_bytes()[:-12])
    with pytest.raises(Exception, match="a damaged gzip stream"):
        read_run_log(path)


def test_a_map_of_fields(tmp_path):
    path = write(tmp_path, *(json.dumps({"it": i, "my/lag": i, "my/kl": 0.1}) for i in (1, 2)))
    log = read_run_log(path, fields={"step": "it", "lag_mean": "my/lag", "sampler_kl_k3": "my/kl"})
    assert log.format == "generic"
    assert log.get("lag_mean").raw_key == "my/lag"
    assert log.get("lag_mean").lag.unit == "weight versions"
    with pytest.raises(Exception, match="no step among the keys"):
        read_run_log(path, fields={"lag_mean": "my/lag"})
    with pytest.raises(Exception, match="no key my/lagg; need a key of the file, such as my/lag"):
        read_run_log(path, fields={"step": "it", "lag_mean": "my/lagg"})
    with pytest.raises(DomainError, match="such as lag_mean"):
        read_run_log(path, fields={"step": "it", "lag_meen": "my/lag"})


def test_a_map_goes_before_the_frameworks_own_keys(tmp_path):
    path = write(tmp_path, *verl_lines(2, **{"other/kl": 5.0}))
    log = read_run_log(path, fields={"anchor_kl_k1": "other/kl"})
    assert log.get("anchor_kl_k1").raw_key == "other/kl"
    assert log.unused == (("actor/ppo_kl", "other/kl"),)


CONSOLE = [
    "Using LocalLogger is deprecated. step: none",
    "{'not': 'a row'} step:7 - actor/lr:1",
    "step:3 - loading the weights",
    "(TaskRunner pid=71) step:1 - actor/lr:1e-06 - actor/ppo_kl:np.float64(0.25) - a b/x@1:None",
    "\x1b[36m(TaskRunner pid=71)\x1b[0m ",
    "Training:  1%|  | 1/9\r\x1b[36m(TaskRunner pid=71)\x1b[0m step:2 - actor/lr:1e-06 - "
    "actor/ppo_kl:nan - actor/pg_clipfrac:np.float32(-0.5) [repeated 2x across cluster]",
    "step:3 - actor/lr:2e-06 - actor/ppo_kl:1",
]


def test_what_verl_prints_is_read(tmp_path):
    log = read_run_log(write(tmp_path, *CONSOLE))
    assert (log.format, log.steps.tolist(), log.notes[1:]) == ("verl", [1, 2, 3], ())
    assert log.get("learning_rate").values.tolist() == [1e-6, 1e-6, 2e-6]
    assert log.get("anchor_kl_k1").values == pytest.approx([0.25, np.nan, 1.0], nan_ok=True)
    assert log.get("anchor_kl_k1").not_finite == 1
    assert log.get("clip_fraction").total == -0.5
    assert [key.name for key in log.unknown] == ["a b/x@1"]
    path = tmp_path / "cut.log"
    path.write_text("\n".join(CONSOLE)[:-1])
    cut = read_run_log(path)
    assert cut.steps.tolist() == [1, 2]
    assert "line 7, the last one, may be cut short and was left out" in cut.notes


def test_rows_behind_much_other_output_are_read(tmp_path):
    path = write(tmp_path, *["loading"] * 5000, *CONSOLE)
    assert read_run_log(path).steps.tolist() == [1, 2, 3]


def test_a_printed_entry_without_a_number_is_bad(tmp_path):
    path = write(tmp_path, *CONSOLE, "step:4 - actor/lr:1 - actor/ppo_kl")
    with pytest.raises(ReaderError, match="line 8: found 'actor/ppo_kl'; need key:number"):
        read_run_log(path)
    path = write(tmp_path, "step:4 - actor/lr:1 - actor/ppo_kl:high")
    with pytest.raises(ReaderError, match="line 1: found actor/ppo_kl = 'high'"):
        read_run_log(path)


def test_what_trl_prints_is_refused_with_what_to_give(tmp_path):
    path = write(tmp_path, "", "Map: 100%", "{'loss': 0.1, 'grad_norm': 1.0, 'epoch': 0.1}")
    with pytest.raises(ReaderError, match=r"line 3: found rows as TRL prints.*trainer_state\.json"):
        read_run_log(path)


def test_a_format_that_knows_no_key_is_refused(tmp_path):
    rows = [{"step": s, "sampling/importance_sampling_ratio/mean": 1.0} for s in (1, 2)]
    path = write(tmp_path, *map(json.dumps, rows))
    with pytest.raises(ReaderError, match=r"no key of verl .*; the keys look like trl"):
        read_run_log(path, format="verl")
    own = {"reward": "sampling/importance_sampling_ratio/mean"}
    assert read_run_log(path, format="verl", fields=own).get("reward").mean == 1.0


@pytest.mark.parametrize("rows", [2, 300])
def test_a_second_framework_in_one_log_is_named(rows, tmp_path):
    foreign = json.dumps({"step": rows + 1, "optim/lr": 1.0, "off_policy/mean": 2.0})
    log = read_run_log(write(tmp_path, *verl_lines(rows), foreign))
    assert log.format == "verl"
    assert [note for note in log.notes if "prime-rl" in note] == [
        "keys of prime-rl beside those of verl were not read: optim/lr, off_policy/mean"
    ]


def test_unknown_keys_are_listed_with_the_nearest(tmp_path):
    log = read_run_log(
        write(tmp_path, *verl_lines(2, **{"actor/ppo_k1": 1.0, "timing_s/gen": 2.0}))
    )
    assert {key.name: key.nearest for key in log.unknown} == {
        "actor/ppo_k1": "actor/ppo_kl",
        "timing_s/gen": None,
    }


def test_counters_are_differentiated_and_survive_a_restart_at_zero(tmp_path):
    key = "fully_async/count/dropped_stale_samples"
    counts = [5, 7, 7, 10, 2, 3]
    rows = [json.dumps({"step": i, "data": VERL | {key: c}}) for i, c in enumerate(counts)]
    series = read_run_log(write(tmp_path, *rows)).get("dropped_samples")
    assert series.values.tolist() == [0, 2, 0, 3, 2, 1]
    assert series.total == 8


def test_rows_of_one_step_are_merged(tmp_path):
    rows = [
        {"step": 1, "optim/grad_norm": 1.0},
        {"step": 1, "mismatch_kl/all/mean": 0.1},
        {"step": 2, "optim/grad_norm": 2.0},
        {"step": 2, "optim/grad_norm": 3.0},
    ]
    log = read_run_log(write(tmp_path, *map(json.dumps, rows)))
    assert log.steps.tolist() == [1, 2]
    assert log.get("gradient_norm").values.tolist() == [1.0, 3.0]
    assert log.get("sampler_kl_k3").values[0] == 0.1
    assert log.notes == (
        "1 steps were logged more than once with different values; the later ones count",
    )


def test_rows_of_one_step_are_merged_across_blocks(tmp_path, monkeypatch):
    monkeypatch.setattr(json_lines_module, "BLOCK_BYTES", 64)
    rows = []
    for step in range(1, 30):
        rows.append({"step": step, "optim/grad_norm": float(step)})
        rows.append({"step": step, "mismatch_kl/all/mean": float(-step)})
    log = read_run_log(write(tmp_path, *map(json.dumps, rows)))
    assert log.steps.tolist() == list(range(1, 30))
    assert log.get("gradient_norm").values.tolist() == list(range(1, 30))
    assert log.get("sampler_kl_k3").values.tolist() == [-s for s in range(1, 30)]


@pytest.mark.parametrize("block", [64, 1000, 8 * 2**20])
def test_both_routes_give_the_same_log(block, tmp_path, monkeypatch):
    pytest.importorskip("polars")
    rng = np.random.default_rng(1)
    lines = [
        json.dumps({"step": i, "data": dict(zip(VERL, rng.normal(size=3).tolist(), strict=True))})
        for i in range(200)
    ]
    lines[50] = json.dumps({"step": 50, "data": {"actor/lr": None, "other": "text"}})
    lines[60] = '{"step": 60, "data": {"actor/lr": NaN, "actor/ppo_kl": "Infinity"}}'
    path = write(tmp_path, *lines)
    monkeypatch.setattr(json_lines_module, "BLOCK_BYTES", block)
    quick = read_run_log(path)
    monkeypatch.setattr(json_lines_module.JsonLines, "_quick", lambda *_: None)
    plain = read_run_log(path)
    assert quick.notes == plain.notes
    assert quick.steps.tolist() == plain.steps.tolist()
    for series in plain.series:
        other = quick.get(series.quantity)
        np.testing.assert_array_equal(other.values, series.values)
        assert (other.low, other.high, other.count) == (series.low, series.high, series.count)
        assert other.total == pytest.approx(series.total, rel=1e-12)


def test_the_quick_route_is_taken(tmp_path, monkeypatch):
    pytest.importorskip("polars")
    monkeypatch.setattr(json_lines_module, "block_of_rows", None)
    assert read_run_log(write(tmp_path, *verl_lines(5))).rows == 5


def test_a_long_log_is_thinned_without_a_rhythm(tmp_path, monkeypatch):
    monkeypatch.setattr(table_module, "MOST_ROWS", 500)
    lag = [step % 8 for step in range(8000)]
    rows = [json.dumps({"step": i, "staleness_mean": s, "lr": i}) for i, s in enumerate(lag)]
    log = read_run_log(write(tmp_path, *rows))
    assert log.rows == 8000
    assert 200 <= log.steps.size <= 500
    series = log.get("lag_mean")
    assert (series.mean, series.low, series.high, series.count) == (3.5, 0.0, 7.0, 8000)
    assert np.unique(series.values).tolist() == list(range(8))
    assert log.get("learning_rate").values.tolist() == log.steps.tolist()
    assert any(f"{log.steps.size} of 8000 rows were kept" in note for note in log.notes)


@pytest.mark.parametrize("count", range(8000, 8006))
def test_a_thinned_log_keeps_its_first_and_last_step(tmp_path, monkeypatch, count):
    monkeypatch.setattr(table_module, "MOST_ROWS", 50)
    rows = [json.dumps({"step": i, "staleness_mean": i % 3, "lr": i}) for i in range(7, count)]
    resumed = json.dumps({"step": count - 2, "staleness_mean": 9, "lr": count - 2})
    for lines, last in ((rows, count - 1), ([*rows, resumed], count - 2)):
        log = read_run_log(write(tmp_path, *lines))
        assert (log.steps[0], log.steps[-1]) == (7, last)
        assert (np.diff(log.steps) > 0).all()
        assert log.get("learning_rate").values.tolist() == log.steps.tolist()


def test_progress_covers_the_file(tmp_path):
    path = write(tmp_path, *verl_lines(100))
    read = []
    read_run_log(path, on_progress=read.append)
    assert sum(read) == path.stat().st_size


def test_an_unknown_format_is_refused(tmp_path):
    with pytest.raises(DomainError, match="one of verl, trl"):
        read_run_log(write(tmp_path, *verl_lines(1)), format="vearl")


@pytest.mark.parametrize(
    ("framework", "raw", "quantity"),
    [
        ("verl", "rollout_corr/rollout_is_mean", "truncated_sampler_ratio_mean"),
        ("areal", "ppo_actor/update/behave_imp_weight/avg", "truncated_sampler_ratio_mean"),
        ("nemo-rl", "train/sampling_importance_ratio", "truncated_sampler_ratio_mean"),
        ("openrlhf", "train/logprobs_diff", "reference_kl"),
        ("skyrl", "policy/mismatch/pooled/kl_k3", "sampler_kl_k3"),
        ("skyrl", "policy/mismatch/pooled/ess_fraction", "ess_fraction"),
        ("skyrl", "policy/raw_grad_norm", "gradient_norm"),
        ("slime", "train/train_rollout_kl", "sampler_kl_k3"),
    ],
)
def test_keys_mean_what_the_frameworks_write(framework, raw, quantity, tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_text(json.dumps({"step": 1, raw: 0.5}) + "\n")
    (series,) = read_run_log(path, format=framework).series
    assert (series.quantity, series.raw_key) == (quantity, raw)


def test_verl_counts_the_oldest_part_of_a_trajectory_where_it_logs_it(tmp_path):
    path, name = tmp_path / "log.jsonl", "training/off_policy/trajectory_staleness"
    newest = {f"{name}/mean": 1.0, f"{name}/max": 2.0}
    oldest = {f"{name}_worst/mean": 3.0, f"{name}_worst/max": 4.0}
    path.write_text(json.dumps({"step": 1, "data": newest}) + "\n")
    assert read_run_log(path).get("lag_mean").lag.token == "newest"
    path.write_text(json.dumps({"step": 1, "data": newest | oldest}) + "\n")
    log = read_run_log(path)
    assert (log.get("lag_mean").high, log.get("lag_max").high) == (3.0, 4.0)
    assert log.get("lag_mean").lag.token == "oldest"
    assert (f"{name}/mean", f"{name}_worst/mean") in log.unused
