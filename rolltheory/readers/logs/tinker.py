"""tinker-cookbook's ``metrics.jsonl``: its KL "v1" is k1, its "v2" is k2."""

from rolltheory.readers.logs.framework import Framework, Key

__all__ = ["FRAMEWORK"]

FRAMEWORK = Framework(
    name="tinker",
    keys=(
        Key("optim/kl_sample_train_v1", "sampler_kl_k1"),
        Key("optim/kl_sample_train_v2", "sampler_kl_k2"),
        Key("optim/entropy", "entropy"),
        Key("optim/lr", "learning_rate"),
        Key("env/all/reward/total", "reward"),
        Key("env/all/ac_tokens_per_turn", "response_length"),
    ),
    limits=("The lag is not logged: max_steps_off_policy is a setting.",),
)
