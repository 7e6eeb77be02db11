"""AsyncOPD's ``log.jsonl``."""

from rolltheory.readers.logs.framework import Framework, Key
from rolltheory.staleness.run_log import LagDefinition

__all__ = ["FRAMEWORK"]

_LAG = LagDefinition("weight versions")

FRAMEWORK = Framework(
    name="async-opd",
    keys=(
        Key("staleness_mean", "lag_mean", _LAG),
        Key("staleness_max", "lag_max", _LAG),
        Key("staleness_min", "lag_min", _LAG),
        Key("grad_norm", "gradient_norm"),
        Key("lr", "learning_rate"),
    ),
)
