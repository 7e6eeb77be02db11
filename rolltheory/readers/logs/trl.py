"""TRL's ``trainer_state.json``, and its keys in other loggers, where they begin with ``train/``."""

from rolltheory.readers.logs.framework import Framework, Key

__all__ = ["ASYNC_FRAMEWORK", "FRAMEWORK"]

_SHARED = (
    Key("clip_ratio/region_mean", "clip_fraction"),
    Key("learning_rate", "learning_rate"),
    Key("grad_norm", "gradient_norm"),
    Key("entropy", "entropy"),
    Key("reward", "reward"),
    Key("completions/mean_length", "response_length"),
    Key("completions/max_length", "response_length_max"),
)
_NO_LAG = (
    "The lag is not logged: max_staleness and weight_sync_steps are settings, in weight syncs."
)

FRAMEWORK = Framework(
    name="trl",
    keys=(
        Key("sampling/sampling_logp_difference/mean", "log_probability_gap_mean"),
        Key("sampling/sampling_logp_difference/max", "log_probability_gap_max"),
        Key("sampling/importance_sampling_ratio/mean", "truncated_sampler_ratio_mean"),
        Key("sampling/importance_sampling_ratio/min", "truncated_sampler_ratio_min"),
        Key("sampling/importance_sampling_ratio/max", "truncated_sampler_ratio_max"),
        Key("kl", "reference_kl"),
        *_SHARED,
    ),
    prefixes=("", "train/"),
    defaults={"ratio_cap": 3.0},
    limits=(
        _NO_LAG,
        "Sampling ratios are logged after truncation or masking only.",
    ),
)

ASYNC_FRAMEWORK = Framework(
    name="trl-async",
    keys=(
        Key("kl", "sampler_kl_k3"),
        Key("ratio", "sampler_ratio_mean"),
        *_SHARED,
    ),
    prefixes=("", "train/"),
    limits=(_NO_LAG,),
)
