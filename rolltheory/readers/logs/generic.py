"""Any log whose keys are the vocabulary's own names, or are mapped to them by the user."""

from collections.abc import Mapping

from rolltheory.errors import DomainError
from rolltheory.readers.logs.framework import Framework, Key, nearest
from rolltheory.staleness.run_log import QUANTITIES, LagDefinition

__all__ = ["FRAMEWORK", "mapped"]

_LAGS = ("lag_mean", "lag_max", "lag_min")
_LAG = LagDefinition("weight versions")

FRAMEWORK = Framework(
    name="generic",
    keys=tuple(Key(name, name, _LAG if name in _LAGS else None) for name in QUANTITIES),
    limits=("What a mapped key measures is the user's word.",),
)


def mapped(fields: Mapping[str, str]) -> tuple[Key, ...]:
    """The keys that a user mapped, ``{quantity: raw key}``; the step is left out.

    Raises
    ------
    DomainError
        for a name outside the vocabulary.
    """
    for name in fields:
        if name != "step" and name not in QUANTITIES:
            alike = nearest(name, QUANTITIES) or "lag_mean, sampler_kl_k3"
            raise DomainError("map", name, f"step or a canonical name, such as {alike}")
    return tuple(
        Key(raw, name, _LAG if name in _LAGS else None)
        for name, raw in fields.items()
        if name != "step"
    )
