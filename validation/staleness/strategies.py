"""Hypothesis strategies that several checks share."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

__all__ = ["logs", "policies"]


def policies(actions: int) -> Any:
    """Probability vectors with positive rationals."""
    from hypothesis import strategies as st

    def normalised(parts: list[int]) -> tuple[Fraction, ...]:
        return tuple(Fraction(part, sum(parts)) for part in parts)

    return st.lists(st.integers(1, 30), min_size=actions, max_size=actions).map(normalised)


def logs(tokens: int) -> Any:
    """Log-probabilities or log-ratios of a response as rationals, none above 0."""
    from hypothesis import strategies as st

    value = st.integers(0, 60).map(lambda n: Fraction(-n, 7))
    return st.lists(value, min_size=tokens, max_size=tokens).map(tuple)
