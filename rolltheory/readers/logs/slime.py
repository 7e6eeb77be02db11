"""slime's metrics, and those that its fork miles adds."""

from rolltheory.readers.logs.framework import Framework, Key
from rolltheory.staleness.run_log import LagDefinition

__all__ = ["FRAMEWORK"]

_LAG = LagDefinition("weight versions")

FRAMEWORK = Framework(
    name="slime",
    keys=(
        Key("staleness/total/mean", "lag_mean", _LAG),
        Key("staleness/rollout/mean", "lag_mean", _LAG),
        Key("staleness/rollout/max", "lag_max", _LAG),
        Key("rollout/weight_version/mixed_version_ratio", "mixed_version_fraction"),
        Key("train/ppo_kl", "anchor_kl_k1"),
        Key("train/pg_clipfrac", "clip_fraction"),
        Key("train/ois", "anchor_ratio_mean"),
        Key("train/train_rollout_kl", "sampler_kl_k3"),
        Key("train/train_rollout_logprob_abs_diff", "log_probability_gap_mean"),
        Key("train/tis", "sampler_ratio_mean"),
        Key("train/tis_clipfrac", "masked_fraction"),
        Key("train/opsm_clipfrac", "masked_fraction"),
        Key("train/kl_loss", "reference_kl"),
        Key("train/lr-pg_0", "learning_rate"),
        Key("train/grad_norm", "gradient_norm"),
        Key("train/entropy_loss", "entropy"),
        Key("rollout/raw_reward", "reward"),
        Key("rollout/response_len/mean", "response_length"),
        Key("rollout/response_len/max", "response_length_max"),
    ),
    limits=("Without staleness metrics the lag has to come from weight_version of the samples.",),
)
