"""Questions that users asked about stale rollouts, each as a small log in its framework's keys."""

import csv
import inspect
import json
import re

import numpy as np
import pytest

from rolltheory.errors import AssumptionError, DomainError
from rolltheory.readers.logs import read_run_log
from rolltheory.staleness import (
    audit_drift,
    audit_health,
    audit_lags,
    audit_ratios,
    audit_trust_region,
)
from rolltheory.staleness.audit import audit_run
from rolltheory.staleness.audit_next import NEXT_STEPS
from rolltheory.staleness.collapse import collapse_row, smoothed
from rolltheory.staleness.findings import Level, Settings
from rolltheory.staleness.kl_exponent import kl_by_lag, kl_growth
from rolltheory.staleness.lag_profile import lag_in_updates, lag_profile, reconstructed_lag
from rolltheory.staleness.run_log import LagDefinition, RunLog, Series
from rolltheory.staleness.seeds import compare_budgets, detection_power, seeds_needed

ROWS = 40
NEVER_ALARM = {
    *("bias.budget", "kl.exponent", "kl.offset", "lag.profile", "lag.updates", "log.missing"),
    "rule.update_norm",
}


@pytest.fixture
def verl(tmp_path):
    return lambda **columns: audited(json_lines(tmp_path, columns, "data"), columns)


@pytest.fixture
def flat(tmp_path):
    return lambda **columns: audited(json_lines(tmp_path, columns, None), columns)


@pytest.fixture
def trl(tmp_path):
    def run(**columns):
        settings = columns.pop("settings", None)
        path = tmp_path / "trainer_state.json"
        rows = table(columns)
        path.write_text(json.dumps({"global_step": len(rows), "log_history": rows}, indent=2))
        return audit_run(read_run_log(path), settings)

    return run


@pytest.fixture
def wandb(tmp_path):
    def run(**columns):
        settings = columns.pop("settings", None)
        path = tmp_path / "export.csv"
        rows = table(columns)
        with path.open("w", newline="") as stream:
            named = {key: key if key == "step" else f"run-1 - {key}" for key in rows[0]}
            writer = csv.DictWriter(stream, list(named.values()))
            writer.writeheader()
            writer.writerows({named[key]: value for key, value in row.items()} for row in rows)
        return audit_run(read_run_log(path), settings)

    return run


def table(columns):
    """Rows of columns that are numbers or arrays; keys are given in a dictionary ``keys``."""
    values = columns["keys"]
    size = max((np.size(value) for value in values.values()), default=1)
    size = size if size > 1 else ROWS
    wide = {key: np.broadcast_to(value, size).tolist() for key, value in values.items()}
    steps = columns.get("steps", range(1, size + 1))
    return [
        {"step": int(step)} | {key: wide[key][row] for key in wide}
        for row, step in enumerate(steps)
    ]


def json_lines(folder, columns, under):
    path = folder / "log.jsonl"
    lines = []
    for row in table(columns):
        step = row.pop("step")
        lines.append(json.dumps({"step": step, under: row} if under else {"step": step} | row))
    path.write_text("\n".join(lines) + "\n")
    return path


def audited(path, columns):
    return audit_run(read_run_log(path), columns.get("settings"))


def reward_level(values):
    return level(reward_audit(values), "reward.collapse")


def reward_audit(values):
    column = Series(
        "reward",
        "reward",
        values,
        low=values.min(),
        high=values.max(),
        total=values.sum(),
        count=values.size,
    )
    log = RunLog("a run", "columns", np.arange(values.size), (column,), values.size)
    return audit_run(log)


def level(audit, topic):
    found = audit.of(topic)
    return None if found is None else found.level


def test_1_asynchronous_at_lag_zero_is_not_the_synchronous_run(verl):
    keys = {
        "fully_async/trajectory_staleness/mean": 0.0,
        "fully_async/trajectory_staleness/max": 0.0,
        "actor/ppo_kl": 0.02,
        "actor/pg_clipfrac": 0.08,
        "rollout_corr/rollout_is_mean": 0.97,
    }
    found = verl(keys=keys, settings=Settings(updates_per_version=4)).of("zero_lag.equivalence")
    assert found.level is Level.ALARM
    assert set(found.numbers) == {"anchor_kl_k1", "clip_fraction", "truncated_sampler_ratio_mean"}
    assert "4 updates per version" in found.statement
    clean = keys | {"actor/ppo_kl": 0.0, "actor/pg_clipfrac": 0.0}
    clean["rollout_corr/rollout_is_mean"] = 1.0
    assert level(verl(keys=clean), "zero_lag.equivalence") is Level.GOOD


def test_2_counters_by_the_newest_version_hide_mixed_trajectories(verl):
    keys = {
        "fully_async/count/stale_trajectory_processed": np.arange(ROWS),
        "fully_async/count/current_param_version": np.arange(ROWS) // 4,
        "fully_async/partial/partial_ratio": 0.4,
        "fully_async/partial/max_partial_span": 3,
        "actor/ppo_kl": 0.01,
    }
    audit = verl(keys=keys)
    found = audit.of("lag.mixed_versions")
    assert found.level is Level.ALARM
    assert found.numbers == pytest.approx({"share": 0.4, "span": 3.0})
    assert "newest" in found.statement
    assert level(audit, "lag.profile") is Level.UNKNOWN
    whole = keys | {"fully_async/partial/partial_ratio": 0.0}
    whole["fully_async/partial/max_partial_span"] = 0
    assert verl(keys=whole).of("lag.mixed_versions") is None


def test_3_a_ratio_explodes_with_the_length(trl):
    keys = {
        "sampling/sampling_logp_difference/mean": 0.012,
        "completions/mean_length": 100.0,
        "sampling/importance_sampling_ratio/mean": 1.0,
    }
    found = trl(keys=keys).of("ratio.length")
    assert found.level is Level.ALARM
    assert np.exp(found.numbers["log_ratio"]) == pytest.approx(3.3201, abs=1e-4)
    assert found.numbers["longest"] == pytest.approx(91.55, abs=0.01)
    short = trl(keys=keys | {"completions/mean_length": 90.0})
    assert level(short, "ratio.length") is Level.GOOD


def test_a_ratio_without_a_known_cap_is_open_and_a_constant_maximum_suggests_it(flat):
    keys = {
        "log_probability_gap_mean": 0.012,
        "response_length": 100.0,
        "truncated_sampler_ratio_max": 2.0,
    }
    found = flat(keys=keys).of("ratio.length")
    assert found.level is Level.UNKNOWN
    assert "(--ratio-cap 2, the largest ratio in the log throughout)" in found.statement
    keys["truncated_sampler_ratio_max"] = np.linspace(1.0, 2.0, ROWS)
    found = flat(keys=keys).of("ratio.length")
    assert found.level is Level.UNKNOWN
    assert "(--ratio-cap)" in found.statement
    known = flat(keys=keys, settings=Settings(ratio_cap=2.0)).of("ratio.length")
    assert known.level is Level.ALARM
    assert "if ratios are per sequence" in known.statement


def test_4_top_p_makes_the_ratio_one_sided(trl):
    kept = 0.95
    keys = {
        "sampling/sampling_logp_difference/mean": -np.log(kept),
        "sampling/importance_sampling_ratio/mean": kept,
        "completions/mean_length": 10.0,
    }
    found = trl(keys=keys, settings=Settings(kept_mass=kept)).of("ratio.one_sided")
    assert found.level is Level.ALARM
    assert found.numbers["one_sided_share"] == pytest.approx(1.0)
    assert (
        level(trl(keys=keys, settings=Settings(kept_mass=kept)), "ratio.truncation") is Level.NOTE
    )
    noise = keys | {"sampling/importance_sampling_ratio/mean": 0.999}
    assert trl(keys=noise).of("ratio.one_sided") is None


def test_a_low_mean_that_two_causes_explain_names_both(trl):
    keys = {
        "sampling/sampling_logp_difference/mean": 0.15,
        "sampling/importance_sampling_ratio/mean": 0.85,
    }
    audit = trl(keys=keys)
    one_sided, truncation = audit.of("ratio.one_sided"), audit.of("ratio.truncation")
    assert one_sided.level is truncation.level is Level.UNKNOWN
    assert "see ratio.truncation" in one_sided.statement
    assert "see ratio.one_sided" in truncation.statement


def test_5_only_ratios_after_truncation_are_logged(trl):
    keys = {
        "sampling/importance_sampling_ratio/mean": 0.89,
        "sampling/importance_sampling_ratio/min": 0.0,
        "sampling/importance_sampling_ratio/max": 3.0,
    }
    audit = trl(keys=keys)
    assert level(audit, "ratio.tails") is Level.UNKNOWN
    found = audit.of("ratio.truncation")
    assert 0 < found.numbers["share_above_masked"] < found.numbers["share_above_truncated"] < 0.1
    assert "before the cap" in found.statement
    assert any("truncation or masking only" in limit for limit in audit.limits)


def test_5_per_token_log_probabilities_give_the_raw_ratio(tmp_path):
    gaps = np.array([0.0, 0.1, -0.2, 2.0])
    for step in (1, 2):
        row = {
            "generation_logprobs": [-9.0, -1.0, -1.0, -1.0, -3.0],
            "prev_logprobs": [-1.0, *(np.array([-1.0, -1.0, -1.0, -3.0]) + gaps)],
            "token_loss_mask": [0, 1, 1, 1, 1],
            "rewards": step,
        }
        (tmp_path / f"train_data_step{step}.jsonl").write_text(json.dumps(row) + "\n")
    log = read_run_log(tmp_path)
    assert log.steps.tolist() == [1, 2]
    assert log.get("sampler_kl_k1").values == pytest.approx([-gaps.mean()] * 2)
    assert log.get("sampler_kl_k3").mean == pytest.approx((np.exp(gaps) - 1 - gaps).mean())
    assert log.get("sampler_ratio_max").high == pytest.approx(np.exp(2.0))
    weights = np.exp(gaps)
    share = weights.sum() ** 2 / (4 * (weights**2).sum())
    assert log.get("ess_fraction").low == pytest.approx(share)
    assert log.get("reward").values.tolist() == [1.0, 2.0]


def test_6_a_truncated_sequence_ratio_deflates(trl):
    keys = {
        "sampling/importance_sampling_ratio/mean": 0.569,
        "sampling/sampling_logp_difference/mean": 0.01,
        "completions/mean_length": 400.0,
    }
    audit = trl(keys=keys)
    found = audit.of("ratio.truncation")
    assert found.level is Level.ALARM
    assert found.numbers["log_variance_truncated"] == pytest.approx(3.37, abs=0.005)
    assert audit.of("ratio.one_sided") is None
    keys["sampling/sampling_logp_difference/mean"] = 0.1
    sound = trl(keys=keys | {"sampling/importance_sampling_ratio/mean": 0.993})
    assert level(sound, "ratio.truncation") is Level.NOTE


@pytest.mark.parametrize("part", ["mean", "max"])
def test_a_truncated_ratio_beyond_the_cap_asks_for_the_true_one(trl, part):
    name = "sampling/importance_sampling_ratio"
    keys = {f"{name}/mean": 0.9, f"{name}/min": 0.0, f"{name}/max": np.full(ROWS, 3.0)}
    assert trl(keys=keys).of("ratio.truncation").numbers["cap"] == 3
    keys[f"{name}/{part}"] = np.append(np.full(ROWS - 1, 0.9), 4.5)
    found = trl(keys=keys).of("ratio.truncation")
    assert found.level is Level.UNKNOWN
    assert found.keys == (f"{name}/{part}",)
    assert "(--ratio-cap)" in found.statement
    named = trl(keys=keys, settings=Settings(ratio_cap=5.0)).of("ratio.truncation")
    assert named.numbers["cap"] == 5


@pytest.mark.parametrize(("part", "value"), [("min", 0.1), ("mean", 0.3), ("max", 4.5)])
def test_a_clamp_that_the_log_contradicts_gives_no_floor(flat, part, value):
    keys = {"staleness_mean": 1.0, "ess_fraction": 0.9, f"truncated_sampler_ratio_{part}": value}
    found = flat(keys=keys, settings=Settings(ratio_cap=2.0)).of("ess.floor")
    assert found.level is Level.UNKNOWN
    assert "[1/2, 2]" in found.statement
    held = flat(keys=keys, settings=Settings(ratio_cap=20.0)).of("ess.floor")
    assert held.level is Level.NOTE


def test_7_after_a_resume_the_lag_passes_its_bound(wandb):
    stats = "ppo_actor/update/version_stats/sample_staleness_theta_"
    lag = np.concatenate([np.full(20, 2.0), np.linspace(3, 30, 20)])
    keys = {f"{stats}avg": lag, f"{stats}max": lag + 2}
    steps = [*range(1, 21), *range(11, 31)]
    audit = wandb(keys=keys, steps=steps, settings=Settings(lag_bound=4))
    found = audit.of("lag.bound")
    assert found.level is Level.ALARM
    assert found.numbers == {"largest": 32.0, "bound": 4.0}
    assert level(audit, "lag.growth") is Level.ALARM
    assert "across a resume" in audit.of("lag.growth").statement
    held = wandb(keys={key: np.full(ROWS, 2.0) for key in keys}, settings=Settings(lag_bound=4))
    assert level(held, "lag.bound") is Level.GOOD
    assert held.of("lag.growth") is None


def test_a_lag_that_varies_does_not_grow(flat):
    rng = np.random.default_rng(8)
    for rows in (8, 20, 100):
        for _ in range(20):
            audit = flat(keys={"staleness_mean": rng.integers(0, 5, rows)})
            assert audit.of("lag.growth") is None


def test_8_a_recomputed_anchor_makes_the_clip_inert(wandb):
    keys = {
        "ppo_actor/update/version_stats/sample_staleness_theta_avg": 3.0,
        "ppo_actor/update/clip_ratio/avg": 0.0,
        "ppo_actor/update/approx_kl/avg": 0.0,
        "ppo_actor/update/importance_weight/avg": 1.0,
    }
    assert level(wandb(keys=keys), "trust_region.inert") is Level.ALARM
    rounding = keys | {"ppo_actor/update/approx_kl/avg": 4e-6}
    assert level(wandb(keys=rounding), "trust_region.inert") is Level.ALARM
    acts = keys | {"ppo_actor/update/clip_ratio/avg": 0.01}
    assert level(wandb(keys=acts), "trust_region.inert") is Level.UNKNOWN
    lag = np.tile([0.0, 1.0, 2.0, 4.0], 10)
    grows = acts | {
        "ppo_actor/update/version_stats/sample_staleness_theta_avg": lag,
        "ppo_actor/update/approx_kl/avg": -1e-3 * lag,
    }
    assert level(wandb(keys=grows), "trust_region.inert") is Level.GOOD
    fresh = keys | {"ppo_actor/update/version_stats/sample_staleness_theta_avg": 0.0}
    assert level(wandb(keys=fresh), "trust_region.inert") is Level.GOOD


def test_an_anchor_with_little_of_the_sampler_kl_is_not_the_sampler(verl):
    lag = np.tile([0.0, 2.0, 4.0, 8.0], 10)
    keys = {
        "fully_async/trajectory_staleness/mean": lag,
        "rollout_corr/k3_kl": 1e-3 + 1e-2 * lag,
        "actor/pg_clipfrac": 1e-3,
        "actor/ppo_kl": 2e-4,
    }
    found = verl(keys=keys).of("trust_region.inert")
    assert found.level is Level.ALARM
    assert "the anchor is not the sampler" in found.statement
    assert found.numbers["anchor_share"] == pytest.approx(2e-4 / (1e-2 * 14 / 3))
    no_fresh = verl(keys=keys | {"fully_async/trajectory_staleness/mean": lag + 1.0})
    assert level(no_fresh, "trust_region.inert") is Level.UNKNOWN
    assert "Rows at lag 0" in no_fresh.of("trust_region.inert").statement
    part = verl(keys=keys | {"actor/ppo_kl": 1e-3 * lag})
    assert level(part, "trust_region.inert") is Level.UNKNOWN
    same = verl(keys=keys | {"actor/ppo_kl": 1e-2 * lag})
    assert level(same, "trust_region.inert") is Level.GOOD


def test_9_an_anchor_that_generated_nothing_asks_for_a_declared_correction(flat):
    keys = {"staleness/rollout/mean": 1.0, "train/pg_clipfrac": 0.0, "train/ppo_kl": 0.0}
    found = flat(keys=keys).of("trust_region.inert")
    assert found.level is Level.ALARM
    assert "must be declared" in found.statement
    unknown = {key: value for key, value in keys.items() if key.startswith("train/")}
    assert level(flat(keys=unknown | {"train/ois": 1.0}), "trust_region.inert") is Level.UNKNOWN


def test_10_unclipped_sampling_weights_at_lag_three_blow_up(flat):
    keys = {
        "optim/kl_sample_train_v1": np.geomspace(0.002, 0.09, ROWS),
        "optim/entropy": np.geomspace(1.0, 0.02, ROWS),
    }
    audit = flat(keys=keys)
    assert audit.of("kl.rise").level is Level.ALARM
    assert 15 < audit.of("kl.rise").numbers["factor"] < 45
    assert level(audit, "entropy.collapse") is Level.ALARM
    assert level(audit, "kl.offset") is Level.UNKNOWN
    calm = flat(keys={"optim/kl_sample_train_v1": 0.003, "optim/entropy": 0.8})
    assert calm.of("kl.rise") is None
    assert calm.of("entropy.collapse") is None


def test_10_dropping_stale_groups_starves_slow_prompts(verl):
    keys = {
        "fully_async/count/dropped_stale_samples": 3 * np.arange(ROWS),
        "fully_async/count/total_generated_samples": 30 * np.arange(ROWS),
        "fully_async/processing_time/tp50": 10.0,
        "fully_async/processing_time/tp99": 80.0,
    }
    found = verl(keys=keys).of("selection.dropped")
    assert found.level is Level.ALARM
    assert found.numbers["share"] == pytest.approx(0.1)
    assert found.numbers["bias_bound"] == pytest.approx(0.1)
    assert found.numbers["duration_ratio"] == pytest.approx(8.0)
    even = verl(keys=keys | {"fully_async/processing_time/tp99": 12.0})
    assert level(even, "selection.dropped") is Level.NOTE
    del keys["fully_async/count/total_generated_samples"]
    uncounted = verl(keys=keys | {"fully_async/processing_time/tp99": 12.0})
    assert level(uncounted, "selection.dropped") is Level.UNKNOWN
    assert "--map generated_samples=KEY" in uncounted.of("selection.dropped").statement
    none = verl(keys=keys | {"fully_async/count/dropped_stale_samples": 0})
    assert none.of("selection.dropped") is None


def test_11_the_bias_budget_with_and_without_correction(flat):
    lag = np.tile([1.0, 2.0, 4.0, 8.0], 10)
    noise = np.repeat([-1e-6, 1e-6], 20)
    keys = {
        "train/avg_trajectory_age": lag,
        "train/gen_kl_error": 1e-3 + 2e-4 * lag**2 + noise,
        "train/mean_gen_tokens_per_sample": 10.0,
        "train/lr": 1e-6,
    }
    settings = Settings(updates_per_version=1, group_size=8)
    audit = flat(keys=keys, settings=settings)
    found = audit.of("bias.budget").numbers
    assert found["l1_distance"] == pytest.approx(np.sqrt(2 * 2e-4 * 64 * 10), rel=0.02)
    per_distance = {name: found[name] / found["l1_distance"] for name in found}
    tabular = {"no_ratio": 21.16601049, "exact_ratio": 18.52025918, "clipped": 31.74901573}
    for name, constant in tabular.items():
        assert per_distance[name] == pytest.approx(constant, rel=1e-6)
    assert level(flat(keys=keys), "bias.budget") is Level.UNKNOWN


def test_12_a_straggler_keeps_the_buffer_from_filling(flat):
    keys = {
        "train/buffer_size": np.minimum(np.arange(ROWS) * 8, 56),
        "train/avg_trajectory_age": np.maximum(np.arange(ROWS) - 8.0, 1.0),
    }
    found = flat(keys=keys).of("buffer.straggler")
    assert found.level is Level.ALARM
    assert found.numbers == {"buffer_size": 56.0, "age_rise": 19.0}
    steady = flat(keys=keys | {"train/avg_trajectory_age": 1.5})
    assert steady.of("buffer.straggler") is None


def test_13_the_lag_comes_from_the_versions_that_samples_bear(tmp_path):
    for step, versions in enumerate([[["0"]], [["0", "1"], ["1"]], [["1"], ["3"]]], 1):
        lines = [json.dumps({"weight_versions": each, "reward": 1.0}) for each in versions]
        (tmp_path / f"rollout_{step}.jsonl").write_text("\n".join(lines) + "\n")
    log = read_run_log(tmp_path)
    audit = audit_run(log)
    found = audit.of("lag.profile")
    assert found.numbers["largest"] == 2.0
    assert found.numbers["mean"] == pytest.approx(1.0)
    assert "lower bound" in found.statement
    assert audit.of("lag.mixed_versions").numbers["share"] == pytest.approx(0.5 / 3)


def test_14_a_reward_collapse_is_dated_and_what_is_missing_is_said(flat):
    reward = np.concatenate([np.linspace(0.2, 0.8, 60), np.full(20, 0.1)])
    audit = flat(keys={"reward/all/mean": reward, "entropy/all/mean": 0.3})
    found = audit.of("reward.collapse")
    assert found.level is Level.ALARM
    assert found.numbers["step"] == pytest.approx(63, abs=2)
    missing = audit.of("log.missing")
    assert missing.level is Level.UNKNOWN
    assert "lag_mean" in missing.statement
    assert "sampler_ratio_max" in missing.statement
    assert "entropy" not in missing.statement
    steady = flat(keys={"reward/all/mean": np.linspace(0.2, 0.8, 80)})
    assert level(steady, "reward.collapse") is Level.GOOD


def lasting_noise(rng, rows):
    """Noise of which 0.7 lasts into the next row."""
    shocks = rng.normal(size=rows)
    return np.array([shocks[row::-1] @ 0.7 ** np.arange(row + 1) for row in range(rows)])


@pytest.mark.parametrize(
    "reward",
    [
        lambda rng, rows: rng.normal(size=rows),
        lambda rng, rows: np.linspace(0.2, 0.4, rows) + rng.normal(0, 0.05, rows),
        lambda rng, rows: np.full(rows, rng.random()),
        lasting_noise,
    ],
    ids=["stationary", "slow rise", "constant", "lasting"],
)
def test_noise_is_no_collapse(reward):
    for rows in (20, 40, 100, 500):
        draws = [reward(np.random.default_rng(seed), rows) for seed in range(60)]
        found = [reward_level(values) for values in draws]
        assert found.count(Level.ALARM) <= 3


def test_a_reward_within_its_noise_says_nothing_of_a_collapse():
    rng = np.random.default_rng(4)
    found = [reward_level(rng.normal(size=100)) for _ in range(60)]
    assert found.count(Level.UNKNOWN) >= 54
    assert reward_level(np.full(40, 0.3)) is Level.UNKNOWN


@pytest.mark.parametrize(
    ("fallen", "expected"),
    [(0, Level.GOOD), (1, Level.GOOD), (3, Level.UNKNOWN), (5, Level.UNKNOWN), (7, Level.ALARM)],
)
def test_a_collapse_in_the_last_rows_cannot_be_told_from_noise_yet(fallen, expected):
    values = np.concatenate([np.linspace(0.2, 0.8, 20 - fallen), np.full(fallen, 0.1)])
    found = reward_audit(values).of("reward.collapse")
    assert found.level is expected
    if expected is Level.GOOD:
        assert "a collapse in the last 7 rows cannot be told from noise" in found.statement
    if expected is Level.UNKNOWN:
        assert "cannot be told from noise yet" in found.statement


def test_a_collapse_is_found_in_noise():
    fall = np.concatenate([np.linspace(0.2, 0.8, 75), np.full(25, 0.1)])
    found = [
        reward_level(fall + np.random.default_rng(seed).normal(0, 0.1, 100)) for seed in range(60)
    ]
    assert found.count(Level.ALARM) >= 57


def test_15_an_effective_share_near_one_accompanies_failure(flat):
    keys = {
        "async/staleness_mean": 1.0,
        "policy/mismatch/pooled/ess_fraction": np.linspace(0.999, 0.989, ROWS),
        "policy/mismatch/pooled/log_ratio_abs_mean": 0.01,
        "generate/avg_num_tokens": 1000.0,
    }
    audit = flat(keys=keys)
    found = audit.of("ess.sequences")
    assert found.level is Level.ALARM
    assert found.numbers["lowest"] == pytest.approx(0.989)
    assert found.numbers["sequence_share"] == pytest.approx(0.989**1000, rel=1e-6)
    assert "direction" in found.statement
    floor = audit.of("ess.floor")
    assert floor.level is Level.UNKNOWN
    assert "(--ratio-cap)" in floor.statement
    short = flat(keys=keys | {"generate/avg_num_tokens": 5.0})
    assert level(short, "ess.sequences") is Level.GOOD
    del keys["generate/avg_num_tokens"]
    lengthless = flat(keys=keys).of("ess.sequences")
    assert lengthless.level is Level.UNKNOWN
    assert "(--map response_length=KEY)" in lengthless.statement


def test_16_a_queue_length_is_no_lag(flat):
    keys = {"train/ppo_kl": 0.01, "train/ppo_clip_ratio": 0.1, "train/actor_lr": 1e-6}
    audit = flat(keys=keys)
    assert level(audit, "lag.profile") is Level.UNKNOWN
    assert level(audit, "rule.update_norm") is Level.UNKNOWN
    (limit,) = (limit for limit in audit.limits if "async_queue_size" in limit)
    assert "`rolltheory staleness plan`" in limit


@pytest.mark.parametrize(
    ("kl", "norm", "says"),
    [
        (-np.geomspace(0.001, 1.0, ROWS), np.full(ROWS, 0.4), "Stop on the KL"),
        (np.full(ROWS, -0.002), np.geomspace(0.4, 15.0, ROWS), "Stop on the norm"),
        (-np.geomspace(0.001, 1.0, ROWS), np.geomspace(0.4, 15.0, ROWS), "together"),
    ],
)
def test_17_kl_and_gradient_norm_are_read_together(wandb, kl, norm, says):
    keys = {"ppo_actor/update/behave_approx_kl/avg": kl, "ppo_actor/update/grad_norm": norm}
    found = wandb(keys=keys).of("kl.and_gradient")
    assert found.level is Level.ALARM
    assert says in found.statement


def test_17_a_calm_run_is_calm(wandb):
    keys = {"ppo_actor/update/behave_approx_kl/avg": -0.002, "ppo_actor/update/grad_norm": 0.4}
    assert level(wandb(keys=keys), "kl.and_gradient") is Level.GOOD


def test_18_three_seeds_cannot_tell_two_budgets_apart():
    gap, spread, other = 0.4011 - 0.3478, 0.0439, 0.0735
    assert gap / np.sqrt((spread**2 + other**2) / 2) == pytest.approx(0.88, abs=0.005)
    needed = seeds_needed(gap, spread, other)
    assert 20 <= needed <= 24
    assert detection_power(gap, spread, other, needed) >= 0.8
    assert detection_power(gap, spread, other, needed - 1) < 0.8
    assert detection_power(gap, spread, other, 3) < 0.2


def test_19_a_kl_that_adds_up_over_tokens_is_a_length(verl):
    length = np.tile([460.0, 3400.0], 10)
    kl = np.where(length < 1000, 0.22, np.tile([1.2, 1.4], 10))
    keys = {"actor/ppo_kl": kl, "response_length/mean": length}
    found = verl(keys=keys).of("kl.length")
    assert found.level is Level.ALARM
    assert 0.8 < found.numbers["exponent"] < 1.0
    assert found.numbers["per_token"] == pytest.approx(4.5e-4, rel=0.1)
    normalised = verl(keys=keys | {"actor/ppo_kl": 0.001})
    assert normalised.of("kl.length") is None


def walk(rng, exponent, *, offset=0.002, coefficient=1e-4, rows=400):
    lag = rng.integers(0, 9, rows).astype(float)
    noise = rng.normal(0, 2e-4, rows)
    return lag, offset + coefficient * lag**exponent + noise


@pytest.mark.parametrize(("exponent", "regime"), [(1.0, "diffusive"), (2.0, "ballistic")])
def test_the_exponent_of_growth_is_recovered_with_its_interval(exponent, regime):
    rng = np.random.default_rng(5)
    fit = kl_growth(*walk(rng, exponent, coefficient=1e-3))
    assert fit.low <= exponent <= fit.high
    assert fit.high - fit.low < 0.5
    assert fit.regime == regime
    assert fit.offset == pytest.approx(0.002, abs=3e-4)


def test_the_interval_covers_as_often_as_it_says():
    rng = np.random.default_rng(11)
    fits = [kl_growth(*walk(rng, 1.5)) for _ in range(200)]
    covered = np.mean([fit.low <= 1.5 <= fit.high for fit in fits])
    assert 0.90 <= covered <= 0.99


@pytest.mark.parametrize("rows", [2, 3, 4])
def test_the_interval_covers_with_few_rows_at_each_lag(rows):
    rng = np.random.default_rng(11)
    lag = np.repeat(np.arange(9.0), rows)
    kl = 0.002 + 1e-4 * lag**1.5 + rng.normal(0, 2e-4, (100, lag.size))
    fits = [kl_growth(lag, each) for each in kl]
    assert np.mean([fit.low <= 1.5 <= fit.high for fit in fits]) >= 0.91


def test_too_little_growth_leaves_the_exponent_open():
    rng = np.random.default_rng(2)
    fit = kl_growth(*walk(rng, 1.5, coefficient=1e-6))
    assert fit.regime == "open"


def test_numerics_and_staleness_are_split(verl):
    rng = np.random.default_rng(3)
    lag, kl = walk(rng, 2.0)
    keys = {
        "fully_async/trajectory_staleness/mean": lag,
        "fully_async/trajectory_staleness/max": lag,
        "rollout_corr/k3_kl": kl,
        "actor/lr": 1e-6,
    }
    settings = Settings(updates_per_version=2, critical_radius=10.0)
    audit = verl(keys=keys, settings=settings)
    offset = audit.of("kl.offset").numbers
    assert offset["low"] < 0.002 < offset["high"]
    assert "(k3)" in audit.of("kl.offset").statement
    norm = audit.of("rule.update_norm").numbers["update_norm"]
    assert norm == pytest.approx(np.sqrt(2e-4) / 2e-6, rel=0.15)
    rule = audit.of("rule.lag")
    radius = 0.05 * 0.2
    assert rule.numbers["lag"] == 17.0
    assert rule.numbers["radius"] == pytest.approx(radius)
    at_most = np.sqrt(2e-4) * 17 / 2
    assert radius / at_most * 0.85 < rule.numbers["margin"] < radius / at_most
    assert rule.level is Level.ALARM
    horizon = audit.of("rule.horizon").numbers
    assert horizon["earliest_collapse"] <= np.ceil(10 / (norm * 1e-6))
    assert horizon["earliest_collapse"] == pytest.approx(10 / np.sqrt(0.5e-4), rel=0.15)
    assert horizon["typical_collapse"] >= horizon["earliest_collapse"]
    assert level(verl(keys=keys), "rule.update_norm") is Level.UNKNOWN
    assert "--updates-per-version" in verl(keys=keys).of("lag.updates").statement


def rule_audit(flat, lag, kl, **settings):
    keys = {"train/avg_trajectory_age": lag, "train/gen_kl_error": kl, "train/lr": 1e-6}
    settings = {"updates_per_version": 1, "critical_radius": 10.0} | settings
    return flat(keys=keys, settings=Settings(**settings))


def test_a_drift_that_grows_faster_than_the_lag_is_held_against_the_radius(flat):
    lag = np.tile([1.0, 2.0, 4.0, 8.0], 10)
    rule = rule_audit(flat, lag, 1e-7 * lag**4).of("rule.lag")
    assert rule.level is Level.ALARM
    assert rule.numbers["margin"] == pytest.approx(0.35, abs=0.01)
    small = rule_audit(flat, lag, 1e-9 * lag**4)
    assert level(small, "rule.lag") is Level.UNKNOWN
    assert level(small, "rule.horizon") is Level.UNKNOWN


def test_a_settled_drift_within_the_radius_is_good(flat):
    lag = np.tile([0.0, 1.0, 2.0, 4.0, 8.0], 8)
    kl = 1e-7 * lag**2 + np.repeat([-1e-9, 1e-9], 20)
    audit = rule_audit(flat, lag, kl)
    assert level(audit, "rule.lag") is Level.GOOD
    assert audit.of("rule.lag").numbers["margin"] == pytest.approx(
        0.01 / np.sqrt(2e-7 * 64), rel=0.02
    )


def test_noise_does_not_show_that_there_is_no_drift(flat):
    rng = np.random.default_rng(1)
    lag = rng.integers(0, 9, ROWS).astype(float)
    found = []
    for spread in (2e-3, 1e-7):
        for _ in range(12):
            audit = rule_audit(flat, lag, 5e-3 + rng.normal(0, spread, ROWS))
            assert " -" not in audit.of("kl.offset").statement
            if (seen := audit.of("rule.update_norm")).level is not Level.NOTE:
                found.append((spread, seen.level))
    assert set(found) == {(2e-3, Level.UNKNOWN), (1e-7, Level.GOOD)}
    assert len(found) >= 18


def test_a_lag_of_no_versions_holds_updates(verl):
    rng = np.random.default_rng(6)
    versions = rng.integers(0, 5, 400).astype(float)
    updates = 4 * versions + rng.integers(0, 4, 400)
    keys = {
        "fully_async/trajectory_staleness/mean": versions,
        "rollout_corr/k3_kl": 1e-4 * updates**2 + rng.normal(0, 1e-5, 400),
    }
    audit = verl(keys=keys, settings=Settings(updates_per_version=4))
    assert "0 to 3 updates: the numerics are at most that" in audit.of("kl.offset").statement
    assert level(audit, "kl.exponent") is Level.UNKNOWN
    unsaid = verl(keys=keys)
    assert "--updates-per-version" in unsaid.of("kl.offset").statement
    assert level(unsaid, "kl.exponent") is Level.UNKNOWN
    single = verl(keys=keys, settings=Settings(updates_per_version=1))
    assert "at most that" not in single.of("kl.offset").statement
    assert level(single, "kl.exponent") is Level.NOTE


def test_k1_and_k3_are_never_mixed(verl):
    lag = np.tile([0.0, 1.0, 2.0, 4.0], 10)
    keys = {
        "fully_async/trajectory_staleness/mean": lag,
        "rollout_corr/kl": -0.001 + 0 * lag,
        "rollout_corr/k3_kl": 0.002 + 0 * lag,
    }
    log_statement = verl(keys=keys).of("kl.offset").statement
    assert "(k3)" in log_statement
    del keys["rollout_corr/k3_kl"]
    found = verl(keys=keys).of("kl.offset")
    assert "(k1)" in found.statement
    assert found.numbers["offset"] == pytest.approx(-0.001)


def test_the_effective_share_cannot_reach_an_alarm_below_its_floor(verl):
    keys = {"rollout_corr/rollout_is_eff_sample_size": 0.9, "rollout_corr/rollout_is_mean": 1.0}
    found = verl(keys=keys).of("ess.floor")
    assert found.level is Level.ALARM
    assert found.numbers["floor"] == pytest.approx(0.64)
    assert found.numbers["cap_needed"] == pytest.approx(3.352, abs=2e-3)
    wide = verl(keys=keys, settings=Settings(ratio_cap=5.0))
    assert level(wide, "ess.floor") is Level.NOTE
    below = verl(keys=keys | {"rollout_corr/rollout_is_eff_sample_size": 0.5}).of("ess.floor")
    assert below.level is Level.NOTE
    assert "not clamped from below" in below.statement


def test_the_effective_share_of_sequences_shows_its_power(verl):
    keys = {"rollout_corr/rollout_is_eff_sample_size": 0.35, "response_length/mean": 992.0}
    statement = verl(keys=keys).of("ess.sequences").statement
    assert "0.350^992" in statement
    assert "independent" in statement


@pytest.mark.parametrize(
    ("kl", "norm", "expected"),
    [(1.5, 1.2, Level.GOOD), (3.0, 1.0, Level.NOTE), (1.0, 4.0, Level.NOTE), (20, 1, Level.ALARM)],
)
def test_kl_and_norm_are_calm_below_a_twofold_rise(flat, kl, norm, expected):
    keys = {
        "sampler_kl_k3": np.repeat([0.1, 0.1 * kl], ROWS // 2),
        "gradient_norm": np.repeat([2.0, 2.0 * norm], ROWS // 2),
    }
    found = flat(keys=keys).of("kl.and_gradient")
    assert found.level is expected
    if expected is not Level.ALARM:
        assert f"KL {kl:.3g}-fold, gradient norm {norm:.3g}-fold" in found.statement


def test_every_alarm_says_what_to_do_next_and_nothing_else_does(verl):
    audit = verl(
        keys={"actor/ppo_kl": 0.0, "actor/pg_clipfrac": 0.0, "actor/entropy": np.nan}
        | {
            "fully_async/trajectory_staleness/mean": 2.0,
        }
    )
    assert {finding.topic for finding in audit.alarms} == {
        "trust_region.inert",
        "values.not_finite",
    }
    for finding in audit.findings:
        assert bool(finding.next_step) == (finding.level is Level.ALARM)


def test_every_topic_that_can_alarm_has_a_next_step():
    for module in (audit_drift, audit_health, audit_lags, audit_ratios, audit_trust_region):
        topics = set(re.findall(r'"([a-z_]+\.[a-z_]+)"', inspect.getsource(module)))
        assert topics - NEVER_ALARM <= NEXT_STEPS.keys()


def test_the_cosine_is_held_against_fresh_data(flat):
    keys = {"lag_mean": 2.0, "gradient_cosine": 0.6}
    unknown = flat(keys=keys).of("gradient.cosine")
    assert unknown.level is Level.UNKNOWN
    assert "1.5" in unknown.statement
    assert (
        level(flat(keys=keys, settings=Settings(signal_to_noise=1.5)), "gradient.cosine")
        is Level.GOOD
    )
    assert (
        level(flat(keys=keys, settings=Settings(signal_to_noise=0.1)), "gradient.cosine")
        is Level.ALARM
    )


@pytest.mark.parametrize("outlier", [1 + 3e-6, -1.01])
def test_a_cosine_beyond_one_is_none(flat, outlier):
    keys = {"lag_mean": 2.0, "gradient_cosine": np.full(ROWS, 0.6)}
    settings = Settings(signal_to_noise=0.1)
    assert "ratio of means" in flat(keys=keys).of("gradient.cosine").statement
    assert "ratio of means" in flat(keys=keys, settings=settings).of("gradient.cosine").statement
    keys["gradient_cosine"][4] = 1 + 3e-7  # rounding
    assert "ratio of means" in flat(keys=keys).of("gradient.cosine").statement
    keys["gradient_cosine"][3] = outlier
    found = flat(keys=keys, settings=settings).of("gradient.cosine")
    assert found.level is Level.UNKNOWN
    assert "is no cosine" in found.statement


def test_ratio_tails_before_truncation(verl):
    keys = {"rollout_corr/rollout_is_max": 40.0, "rollout_corr/rollout_is_min": 0.5}
    found = verl(keys=keys).of("ratio.tails")
    assert found.level is Level.ALARM
    assert found.numbers == {"highest": 40.0, "lowest": 0.5}
    narrow = verl(keys=keys | {"rollout_corr/rollout_is_max": 1.5})
    assert level(narrow, "ratio.tails") is Level.GOOD
    cut = verl(keys=keys | {"rollout_corr/rollout_is_max": 2.0}).of("ratio.tails")
    assert cut.level is Level.UNKNOWN
    assert "is the cap" in cut.statement


def test_weights_that_rejection_kept_show_no_tails(wandb):
    audit = wandb(keys={"ppo_actor/update/behave_imp_weight/max": 1.5})
    assert level(audit, "ratio.tails") is Level.UNKNOWN
    assert any("rejection sampling keeps" in limit for limit in audit.limits)


def test_every_audit_says_what_it_cannot_tell_and_that_it_is_observed(flat):
    audit = flat(keys={"staleness_mean": 1.0})
    assert audit.evidence_kind == "observed"
    assert level(audit, "seeds") is Level.UNKNOWN
    assert level(audit, "log.missing") is Level.UNKNOWN


def test_a_learning_rate_against_the_log_is_refused(verl):
    rate = np.geomspace(1e-6, 2e-6, ROWS)
    keys = {"actor/lr": rate, "fully_async/trajectory_staleness/mean": 1.0}
    for stated in (1e-6, 1.5e-6, 2e-6):
        assert verl(keys=keys, settings=Settings(learning_rate=stated)).rows == ROWS
    for stated in (0.99e-6, 2.01e-6):
        with pytest.raises(DomainError, match=r"learning_rate .* 1e-06 to 2e-06 \(actor/lr\)"):
            verl(keys=keys, settings=Settings(learning_rate=stated))


def test_a_quantity_that_is_never_finite_is_an_alarm_and_nothing_else(verl):
    keys = {"actor/ppo_kl": np.nan, "actor/lr": 1e-6, "critic/score/mean": np.nan}
    audit = verl(keys=keys)
    found = audit.of("values.not_finite")
    assert found.level is Level.ALARM
    assert found.numbers == {"anchor_kl_k1": ROWS, "reward": ROWS}
    assert audit.of("reward.collapse") is None
    assert "reward" in audit.of("log.missing").statement


def test_a_lag_and_a_kl_that_never_meet_in_one_row(verl):
    odd = np.arange(ROWS) % 2 == 1
    keys = {
        "fully_async/trajectory_staleness/mean": np.where(odd, np.nan, 2.0),
        "actor/ppo_kl": np.where(odd, 0.01, np.nan),
        "actor/pg_clipfrac": 0.1,
    }
    assert level(verl(keys=keys), "trust_region.inert") is Level.UNKNOWN


@pytest.mark.parametrize("length", [-5.0, 0.0, 1e38])
def test_a_response_length_that_is_none(flat, length):
    keys = {
        "lag_mean": np.tile([1.0, 2.0, 4.0, 8.0], 10),
        "sampler_kl_k3": np.tile([1.0, 2.0, 4.0, 8.0], 10) * 1e-3 + np.repeat([0.0, 1e-6], 20),
        "ess_fraction": 0.9,
        "response_length": length,
    }
    audit = flat(keys=keys, settings=Settings(group_size=8))
    assert level(audit, "ess.sequences") is Level.UNKNOWN
    assert level(audit, "bias.budget") is (Level.NOTE if length > 0 else Level.UNKNOWN)


def test_a_negative_lag_is_refused(flat):
    with pytest.raises(AssumptionError, match="newer than the learner; found lag_mean = -1"):
        flat(keys={"lag_mean": np.append(np.zeros(ROWS - 1), -1.0)})


@pytest.mark.filterwarnings("error")
def test_values_of_any_size_raise_no_warning(flat):
    with pytest.raises(AssumptionError, match=r"lag_mean = 1e\+38 in .*log\.jsonl"):
        flat(keys={"lag_mean": np.append(np.zeros(ROWS - 1), 1e38), "anchor_kl_k1": 0.1})
    lag = np.tile([1.0, 2.0, 4.0, 8.0], 10)
    keys = {
        "lag_mean": lag,
        "sampler_kl_k3": 1e-10 * lag + np.repeat([0.0, 1e-14], 20),
        "response_length": np.linspace(1.0, 2.0, ROWS),
        "anchor_kl_k3": np.geomspace(1e-300, 1e38, ROWS),
        "learning_rate": 1e-30,
    }
    settings = Settings(updates_per_version=1, critical_radius=1e9)
    assert "of fewer than" in flat(keys=keys, settings=settings).of("rule.horizon").statement


def test_a_horizon_alarm_names_the_number_that_raised_it(flat):
    lag = np.tile([1.0, 2.0, 4.0, 8.0], 10)
    kl = 1e-5 * lag + np.repeat([0.0, 1e-9], 20)
    found = rule_audit(flat, lag, kl, critical_radius=0.1).of("rule.horizon")
    assert found.level is Level.ALARM
    assert found.numbers["earliest_collapse"] < ROWS < found.numbers["typical_collapse"]
    assert "The first of the two lies within the 40 and is the alarm, the second not" in (
        found.statement
    )
    near = rule_audit(flat, lag, kl, critical_radius=0.01).of("rule.horizon")
    assert near.statement.endswith("the second too")
    far = rule_audit(flat, lag, kl, critical_radius=10.0).of("rule.horizon")
    assert "is the alarm" not in far.statement


def test_settings_out_of_range_are_refused(flat):
    with pytest.raises(DomainError, match="clip_low"):
        flat(keys={"staleness_mean": 1.0}, settings=Settings(clip_low=1.5))
    with pytest.raises(DomainError, match="critical_radius"):
        flat(keys={"staleness_mean": 1.0}, settings=Settings(critical_radius=0.0))


def test_a_lag_in_updates_needs_no_updates_per_version():
    definition = LagDefinition("learner updates")
    low, high = lag_in_updates([1.5], definition)
    assert low == high == 1.5
    with pytest.raises(DomainError, match="already counts"):
        lag_in_updates([1.5], definition, updates_per_version=2)
    with pytest.raises(AssumptionError, match="--updates-per-version"):
        lag_in_updates([1.5], LagDefinition("weight versions"))


def test_a_sample_from_the_future_is_refused():
    with pytest.raises(AssumptionError, match="newer than the learner"):
        reconstructed_lag([1], [3], [2])
    assert reconstructed_lag([1, 1], [1, 2], [1, 4]).tolist() == [0.0, 3.0]


def test_lag_profile_refuses_what_is_no_lag():
    with pytest.raises(DomainError):
        lag_profile([-1.0])
    with pytest.raises(DomainError):
        lag_profile([])


def test_many_lags_become_groups_of_as_many_rows():
    rng = np.random.default_rng(0)
    lag = rng.uniform(0, 100, 480)
    groups = kl_by_lag(lag, 2 * lag)
    assert groups.rows.tolist() == [20.0] * 24
    assert groups.mean == pytest.approx(2 * groups.lag)


def test_two_lags_are_too_few():
    with pytest.raises(AssumptionError, match="three different lags"):
        kl_growth([0, 0, 1, 1], [0.0, 0.1, 1.0, 1.1])


def test_collapse_needs_patience():
    score = [0.0, 1.0, 0.1, 1.0, 0.1, 0.1, 0.1]
    assert collapse_row(score, drop=0.5, patience=3) == 4
    assert collapse_row(score, drop=0.5, patience=4) is None
    assert collapse_row(score, drop=1.5, patience=1) is None
    assert collapse_row([9.0, 0.0, 0.0, 0.0], drop=1.0, patience=1, window=2) == 2
    assert collapse_row([9.0, 0.0], drop=1.0, patience=1, window=3) is None
    assert smoothed(score, window=1) == pytest.approx(score)


@pytest.mark.parametrize("drop", [np.nan, np.inf, 0.0, -1.0])
def test_a_drop_that_no_score_can_take_is_refused(drop):
    with pytest.raises(DomainError, match="drop"):
        collapse_row([0.0, 1.0, 0.0], drop=drop, patience=1)


def test_power_at_no_gap_is_the_level():
    assert detection_power(0.0, 1.0, 2.0, 10) == pytest.approx(0.05)
    with pytest.raises(DomainError):
        seeds_needed(0.0, 1.0, 1.0)


def test_the_power_formula_agrees_with_simulation():
    rng = np.random.default_rng(7)
    first = rng.normal(0.0, 1.0, (20000, 12))
    second = rng.normal(1.0, 1.0, (20000, 12))
    error = np.sqrt((first.var(1, ddof=1) + second.var(1, ddof=1)) / 12)
    found = np.abs(second.mean(1) - first.mean(1)) / error > 2.0738730679  # t of 22 at 0.975
    assert found.mean() == pytest.approx(detection_power(1.0, 1.0, 1.0, 12), abs=0.01)


def test_budgets_that_differ_plainly_are_told_apart():
    found = compare_budgets([0.1, 0.11, 0.12], [0.9, 0.91, 0.92])
    assert found.seeds <= 3
    assert "these seeds do" in found.statement
