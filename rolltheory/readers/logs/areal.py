"""AReaL's scoped keys, in exports of W&B, SwanLab or TensorBoard.

Its ``approx_kl`` is the mean of the log-ratio itself, so k1 with its sign reversed.
"""

from rolltheory.readers.logs.framework import Framework, Key
from rolltheory.staleness.run_log import LagDefinition

__all__ = ["FRAMEWORK"]

_LAG = LagDefinition("weight versions", "mean")
_UPDATE = "ppo_actor/update/"

FRAMEWORK = Framework(
    name="areal",
    keys=(
        Key(f"{_UPDATE}version_stats/sample_staleness_theta_avg", "lag_mean", _LAG),
        Key(f"{_UPDATE}version_stats/sample_staleness_theta_max", "lag_max", _LAG),
        Key(f"{_UPDATE}version_stats/sample_staleness_theta_min", "lag_min", _LAG),
        Key(f"{_UPDATE}version_stats/sample_staleness_proximal_avg", "lag_mean", _LAG),
        Key(f"{_UPDATE}version_stats/sample_staleness_proximal_max", "lag_max", _LAG),
        Key(f"{_UPDATE}version_stats/v_theta", "current_version"),
        Key(f"{_UPDATE}behave_approx_kl/avg", "sampler_kl_k1", negated=True),
        Key(f"{_UPDATE}approx_kl/avg", "anchor_kl_k1", negated=True),
        Key(f"{_UPDATE}behave_imp_weight/avg", "truncated_sampler_ratio_mean"),
        Key(f"{_UPDATE}behave_imp_weight/min", "truncated_sampler_ratio_min"),
        Key(f"{_UPDATE}behave_imp_weight/max", "truncated_sampler_ratio_max"),
        Key(f"{_UPDATE}importance_weight/avg", "anchor_ratio_mean"),
        Key(f"{_UPDATE}importance_weight/min", "anchor_ratio_min"),
        Key(f"{_UPDATE}importance_weight/max", "anchor_ratio_max"),
        Key(f"{_UPDATE}clip_ratio/avg", "clip_fraction"),
        Key(f"{_UPDATE}rs_filtered_fraction", "masked_fraction"),
        Key("rs_filtered_fraction", "masked_fraction"),
        Key(f"{_UPDATE}behave_filtered_ratio/avg", "masked_fraction"),
        Key(f"{_UPDATE}entropy/avg", "entropy"),
        Key(f"{_UPDATE}grad_norm", "gradient_norm"),
        Key(f"{_UPDATE}lr", "learning_rate"),
        Key("ppo_actor/task_reward/avg", "reward"),
        Key("ppo_actor/seq_len/avg", "response_length"),
        Key("ppo_actor/seq_len/max", "response_length_max"),
    ),
    limits=(
        "With recompute_logprob the anchor is the current policy in the first minibatch.",
        "behave_imp_weight and behave_approx_kl are of the tokens that rejection sampling keeps.",
    ),
)
