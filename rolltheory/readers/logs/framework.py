"""What the module of a framework states: its keys, and what they mean in the vocabulary."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from rolltheory.staleness.run_log import LagDefinition

__all__ = ["STEP_KEYS", "Framework", "Key", "nearest"]

STEP_KEYS = (
    "step",
    "_step",
    "Step",
    "global_step",
    "trainer/global_step",
    "train/global_step",
    "training/global_step",
    "train/step",
    "rollout/step",
)
"""Keys under which loggers write the learner step, the first one found counts."""


@dataclass(frozen=True, slots=True)
class Key:
    """A raw key and the quantity that it holds; where two hold the same, the first one counts.

    Attributes
    ----------
    raw : as the framework writes it, without prefix
    quantity : a name in the vocabulary
    lag : what counts as lag, for quantities that are lags
    cumulative : whether it is a counter that only grows
    negated : whether the framework logs the quantity with its sign reversed
    """

    raw: str
    quantity: str
    lag: LagDefinition | None = None
    cumulative: bool = False
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Framework:
    """A framework's keys.

    Attributes
    ----------
    name : what ``format=`` calls it
    keys : in order of preference
    prefixes : what a logger may put before every key
    defaults : the framework's own settings that matter for an audit
    limits : what its logs cannot say
    """

    name: str
    keys: tuple[Key, ...]
    prefixes: tuple[str, ...] = ("",)
    defaults: Mapping[str, float] = field(default_factory=dict)
    limits: tuple[str, ...] = ()

    def vocabulary(self) -> dict[str, Key]:
        """Every raw key with every prefix."""
        return {prefix + key.raw: key for prefix in self.prefixes for key in self.keys}

    def matches(self, names: Collection[str]) -> int:
        """How many of the names are this framework's."""
        return sum(name in names for name in self.vocabulary())


def nearest(name: str, known: Collection[str]) -> str | None:
    """The known name most like this one, None if none is much alike.

    >>> nearest("actor/ppo_k1", ["actor/ppo_kl", "actor/lr"])
    'actor/ppo_kl'
    """
    return next(iter(difflib.get_close_matches(name, list(_plausible(name, known)), 1, 0.85)), None)


def _plausible(name: str, known: Collection[str]) -> Iterator[str]:
    """Those of about its length: the others cannot be close, and comparing them is slow."""
    for other in known:
        if 3 * abs(len(other) - len(name)) <= len(name) + len(other):
            yield other
