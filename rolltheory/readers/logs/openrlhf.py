"""OpenRLHF's keys in W&B or TensorBoard."""

from rolltheory.readers.logs.framework import Framework, Key

__all__ = ["FRAMEWORK"]

FRAMEWORK = Framework(
    name="openrlhf",
    keys=(
        Key("vllm_kl", "sampler_kl_k1"),
        Key("ppo_kl", "anchor_kl_k1"),
        Key("ppo_clip_ratio", "clip_fraction"),
        Key("kl", "reference_kl"),
        Key("logprobs_diff", "reference_kl"),
        Key("actor_lr", "learning_rate"),
        Key("actor_grad_norm", "gradient_norm"),
        Key("entropy_loss", "entropy"),
        Key("reward", "reward"),
        Key("response_length", "response_length"),
        Key("rollout/response_length_mean", "response_length"),
        Key("rollout/reward_mean", "reward"),
    ),
    prefixes=("train/",),
    limits=(
        "The lag is not logged: async_queue_size is a setting. What each length would allow says"
        " `rolltheory staleness plan`, with the length as the lag.",
        "logprobs_diff is the k1 estimate of the KL to the frozen reference, not to the sampler.",
    ),
)
