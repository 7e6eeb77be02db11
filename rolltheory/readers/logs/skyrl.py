"""SkyRL's keys, which MarinSkyRL extends by the mismatch between sampler and trainer."""

from rolltheory.readers.logs.framework import Framework, Key
from rolltheory.staleness.run_log import LagDefinition

__all__ = ["FRAMEWORK"]

_LAG = LagDefinition("weight versions", "oldest")
_MISMATCH = "policy/mismatch/pooled/"

FRAMEWORK = Framework(
    name="skyrl",
    keys=(
        Key("async/staleness_mean", "lag_mean", _LAG),
        Key("async/staleness_max", "lag_max", _LAG),
        Key("async/staleness_min", "lag_min", _LAG),
        Key(f"{_MISMATCH}kl_k3", "sampler_kl_k3"),
        Key(f"{_MISMATCH}kl_k1", "sampler_kl_k1"),
        Key(f"{_MISMATCH}log_ratio_abs_mean", "log_probability_gap_mean"),
        Key(f"{_MISMATCH}log_ratio_abs_max", "log_probability_gap_max"),
        Key(f"{_MISMATCH}ess_fraction", "ess_fraction"),
        Key("policy/correction/weight_mean", "truncated_sampler_ratio_mean"),
        Key("policy/correction/masked_fraction", "masked_fraction"),
        Key("policy/correction/truncated_fraction", "masked_fraction"),
        Key("policy/ppo_clip_ratio", "clip_fraction"),
        Key("policy/policy_lr", "learning_rate"),
        Key("policy/grad_norm", "gradient_norm"),
        Key("policy/raw_grad_norm", "gradient_norm"),
        Key("policy/policy_entropy", "entropy"),
        Key("reward/avg_raw_reward", "reward"),
        Key("generate/avg_num_tokens", "response_length"),
    ),
)
