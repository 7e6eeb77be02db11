"""Cases that several claims share: a learner's and a sampler's policy in one state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["Policies"]


@dataclass(frozen=True)
class Policies:
    """Probabilities of the same actions under the learner and under the sampler.

    Rationals, or symbols that stand for every probability at once.
    """

    learner: tuple[Any, ...]
    sampler: tuple[Any, ...]

    @property
    def ratios(self) -> tuple[Any, ...]:
        """Learner over sampler."""
        return tuple(p / q for p, q in zip(self.learner, self.sampler, strict=True))
