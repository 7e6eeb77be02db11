"""
Length costs nothing
====================

Longer traces are other labels, and dimensions change with them. Which of them can grow?
"""

from rolltheory.dimension import (
    LocalFamily,
    four_token_gap,
    local_class_on,
    markov_tables,
    needle,
    rollout_class,
)
from rolltheory.plots.dimension import plot_rollouts
from rolltheory.report.dimension import describe_class, describe_rollouts


def against_length(family: LocalFamily, lengths: list[int]):
    """Dimensions and risk of the rules' traces."""
    local = describe_class(local_class_on(family.local, family.strings))
    rows = describe_rollouts(
        lambda steps: rollout_class(family.local, family.prompts, steps=steps), lengths
    )
    return plot_rollouts(local, rows)


# %%
# The DS dimension can. These 24 rules on four tokens are the fewest with which it does: 2 for the
# rules, and 3 for their traces from the second token on. The parity dimension stays flat, and with
# it what the learner gets wrong, 2 of 3 prompts in the worst case.

figure = against_length(four_token_gap(), [1, 2, 3, 5])

# %%
# All rules on the last two bits. Traces give rules away, and every dimension falls.

figure = against_length(markov_tables(2), [1, 2, 4, 8, 16])

# %%
# Needles: rules that say 1 once, at a step that only they know. The graph dimension, which governs
# those who take any rule that fits, grows with the logarithm of the length. Nothing else moves.

figure = against_length(needle(3), [1, 2, 3, 5, 7])
