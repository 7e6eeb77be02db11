"""What property tests of staleness draw: plain whole numbers, which Hypothesis draws fastest."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rolltheory.staleness.claims.prompts import Prompt

__all__ = ["any_policy", "any_prompt", "share"]

_MOST_ACTIONS = 4
_WEIGHTS = 200


def share(low: int, high: int, parts: int) -> Any:
    """Rationals from low/parts to high/parts."""
    from hypothesis import strategies as st

    return st.integers(low, high).map(lambda j: Fraction(j, parts))


def any_policy(actions: int) -> Any:
    """Positive rational probabilities of so many actions."""
    from hypothesis import strategies as st

    return st.tuples(*[st.integers(1, _WEIGHTS)] * actions).map(_normalised)


def any_prompt(largest_reward: int, sizes: tuple[int, ...], **options: Any) -> Any:
    """Prompts of two to four actions with any policies, and rewards that are not all equal.

    The options are values of the prompt, or strategies for them.
    """
    from hypothesis import strategies as st

    drawn = {name: value for name, value in options.items() if hasattr(value, "map")}
    fixed = {name: value for name, value in options.items() if name not in drawn}

    def build(parts: tuple[Any, ...]) -> Prompt:
        actions, n, weights, others, rewards, values = parts
        chosen = rewards[:actions]
        if len(set(chosen)) == 1:
            chosen = ((chosen[0] + 1) % (largest_reward + 1), *chosen[1:])
        named = dict(zip(drawn, values, strict=True))
        policies = (_normalised(weights[:actions]), _normalised(others[:actions]))
        return Prompt(*policies, rewards=chosen, group_size=n, **fixed, **named)

    weights = st.tuples(*[st.integers(1, _WEIGHTS)] * _MOST_ACTIONS)
    return st.tuples(
        st.integers(2, _MOST_ACTIONS),
        st.sampled_from(sizes),
        weights,
        weights,
        st.tuples(*[st.integers(0, largest_reward)] * _MOST_ACTIONS),
        st.tuples(*drawn.values()),
    ).map(build)


def _normalised(weights: tuple[int, ...]) -> tuple[Fraction, ...]:
    return tuple(Fraction(weight, sum(weights)) for weight in weights)
