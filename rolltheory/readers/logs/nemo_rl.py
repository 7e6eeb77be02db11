"""NeMo-RL's metrics; its per-sample files are read by `rolltheory.readers.logs.samples`."""

from rolltheory.readers.logs.framework import Framework, Key
from rolltheory.staleness.run_log import LagDefinition

__all__ = ["FRAMEWORK"]

FRAMEWORK = Framework(
    name="nemo-rl",
    keys=(
        Key("avg_trajectory_age", "lag_mean", LagDefinition("weight versions", "oldest")),
        Key("buffer_size", "buffer_size"),
        Key("gen_kl_error", "sampler_kl_k3"),
        Key("token_mult_prob_error", "ratio_excess"),
        Key("sampling_importance_ratio", "truncated_sampler_ratio_mean"),
        Key("probs_ratio", "anchor_ratio_mean"),
        Key("probs_ratio_min", "anchor_ratio_min"),
        Key("probs_ratio_max", "anchor_ratio_max"),
        Key("probs_ratio_clamped", "truncated_anchor_ratio_mean"),
        Key("is_oob_ratio", "masked_fraction"),
        Key("kl_penalty", "reference_kl"),
        Key("lr", "learning_rate"),
        Key("grad_norm", "gradient_norm"),
        Key("approx_entropy", "entropy"),
        Key("reward", "reward"),
        Key("mean_gen_tokens_per_sample", "response_length"),
    ),
    prefixes=("train/", ""),
    limits=(
        "The share of clipped tokens is not logged, only the range of the ratio.",
        "sampling_importance_ratio is that after truncation or masking, where the run does either.",
    ),
)
