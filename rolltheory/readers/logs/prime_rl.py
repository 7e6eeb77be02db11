"""prime-rl's metric lines, which leave out every value that is not finite."""

from rolltheory.readers.logs.framework import Framework, Key
from rolltheory.staleness.run_log import LagDefinition

__all__ = ["FRAMEWORK"]

_LAG = LagDefinition("learner updates")

FRAMEWORK = Framework(
    name="prime-rl",
    keys=(
        Key("off_policy/mean", "lag_mean", _LAG),
        Key("off_policy/max", "lag_max", _LAG),
        Key("dispatcher/off_policy/mean", "lag_mean", _LAG),
        Key("dispatcher/off_policy/max", "lag_max", _LAG),
        Key("mismatch_kl/all/mean", "sampler_kl_k3"),
        Key("mismatch_kl/mean", "sampler_kl_k3"),
        Key("is_masked/all/mean", "masked_fraction"),
        Key("is_masked/mean", "masked_fraction"),
        Key("importance_ratio/mean", "sampler_ratio_mean"),
        Key("importance_ratio/max", "sampler_ratio_max"),
        Key("optim/lr", "learning_rate"),
        Key("optim/grad_norm", "gradient_norm"),
        Key("entropy/all/mean", "entropy"),
        Key("entropy/mean", "entropy"),
        Key("reward/all/mean", "reward"),
        Key("reward/mean", "reward"),
        Key("seq_len/all/mean", "response_length"),
        Key("seq_len/mean", "response_length"),
        Key("off_policy/dropped", "dropped_samples"),
    ),
    limits=(
        "Values that are not finite are left out, so a run that blew up looks like a gap.",
        "Newer versions need --map reward=train/ENV/all/AGENT/reward/mean, and so for lengths.",
    ),
)
