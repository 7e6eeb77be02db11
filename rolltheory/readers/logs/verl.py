"""verl's file logger, one ``{"step": ..., "data": {...}}`` per line, and its keys elsewhere."""

from rolltheory.readers.logs.framework import Framework, Key
from rolltheory.staleness.run_log import LagDefinition

__all__ = ["FRAMEWORK"]

_NEWEST = LagDefinition("weight versions", "newest")
_OLDEST = LagDefinition("weight versions", "oldest")
_WHOLE = LagDefinition("weight versions")
_STALENESS = "training/off_policy/trajectory_staleness"

FRAMEWORK = Framework(
    name="verl",
    keys=(
        Key(f"{_STALENESS}_worst/mean", "lag_mean", _OLDEST),
        Key(f"{_STALENESS}_worst/max", "lag_max", _OLDEST),
        Key(f"{_STALENESS}/mean", "lag_mean", _NEWEST),
        Key(f"{_STALENESS}/max", "lag_max", _NEWEST),
        Key(f"{_STALENESS}/min", "lag_min", _NEWEST),
        Key("fully_async/trajectory_staleness/mean", "lag_mean", _WHOLE),
        Key("fully_async/trajectory_staleness/max", "lag_max", _WHOLE),
        Key("fully_async/max_version_gap", "lag_max", _NEWEST),
        Key("fully_async/count/current_param_version", "current_version"),
        Key("fully_async/current_param_version", "current_version"),
        Key("fully_async/min_sample_weight_version", "oldest_sample_version"),
        Key("fully_async/max_sample_weight_version", "newest_sample_version"),
        Key("fully_async/partial/partial_ratio", "mixed_version_fraction"),
        Key("fully_async/partial/max_partial_span", "version_span_max"),
        Key("fully_async/monitor/queue/mq_queue_size", "buffer_size"),
        Key("rollout_corr/kl", "sampler_kl_k1"),
        Key("rollout_corr/k3_kl", "sampler_kl_k3"),
        Key("actor/ppo_kl", "anchor_kl_k1"),
        Key("actor/kl_loss", "reference_kl"),
        Key("rollout_corr/log_ppl_abs_diff", "log_probability_gap_mean"),
        Key("training/rollout_probs_diff_mean", "probability_gap_mean"),
        Key("rollout_corr/rollout_is_mean", "truncated_sampler_ratio_mean"),
        Key("rollout_corr/rollout_is_min", "sampler_ratio_min"),
        Key("rollout_corr/rollout_is_max", "sampler_ratio_max"),
        Key("rollout_corr/rollout_is_eff_sample_size", "ess_fraction"),
        Key("rollout_corr/rollout_rs_masked_fraction", "masked_fraction"),
        Key("rollout_corr/rollout_rs_seq_masked_fraction", "masked_fraction"),
        Key("rollout_corr/rollout_is_ratio_fraction_high", "masked_fraction"),
        Key("rollout_corr/rollout_is_oob_ratio", "masked_fraction"),
        Key("actor/pg_clipfrac", "clip_fraction"),
        Key("actor/lr", "learning_rate"),
        Key("actor/grad_norm", "gradient_norm"),
        Key("actor/entropy", "entropy"),
        Key("critic/score/mean", "reward"),
        Key("critic/rewards/mean", "reward"),
        Key("response_length/mean", "response_length"),
        Key("response_length/max", "response_length_max"),
        Key(
            "fully_async/count/dropped_stale_samples",
            "dropped_samples",
            cumulative=True,
        ),
        Key(
            "fully_async/count/total_generated_samples",
            "generated_samples",
            cumulative=True,
        ),
        Key("fully_async/count/stale_samples_processed", "stale_samples", cumulative=True),
        Key("fully_async/count/stale_trajectory_processed", "stale_samples", cumulative=True),
        Key("fully_async/processing_time/tp50", "duration_p50"),
        Key("fully_async/processing_time/tp99", "duration_p99"),
    ),
    defaults={"ratio_cap": 2.0},
    limits=(
        "Stale counters go by the newest version of a trajectory.",
        "The mean weight is after truncation; the largest before it with rollout_is=sequence only.",
        "The effective sample size clamps weights to [1/c, c] until early 2026, to [0, c] since.",
    ),
)
