"""
Do longer traces need more examples?
====================================

Hardly: the parity dimension of the traces never exceeds that of the rules that write them, whatever
the length. The DS dimension may rise, less than to the double, and both may fall.
"""

import matplotlib.pyplot as plt

from rolltheory.dimension import four_token_gap, markov_tables, needle, rollout_class
from rolltheory.dimension.local import local_class_on
from rolltheory.plots.dimension import plot_rollout_dimensions, plot_rollout_risks
from rolltheory.plots.style import dressed
from rolltheory.report.dimension import describe_class, describe_rollouts

LENGTHS = (1, 2, 3, 4, 6, 8)


def described(family, lengths=LENGTHS):
    """The rules of a family, and its traces at each length."""
    local = describe_class(local_class_on(family.local, family.strings))
    rolled = describe_rollouts(
        lambda steps: rollout_class(family.local, family.prompts, steps=steps), lengths
    )
    return local, rolled


# %%
# A jump. For 24 rules on four tokens the DS dimension is 2, and 3 for traces of two tokens or more:
# DS is not stable under rolling out. Parity is, and a learner needs no more than that.

local, rolled = described(four_token_gap())
figure, (left, right) = plt.subplots(1, 2, figsize=(9.6, 4.2), layout="constrained")
plot_rollout_dimensions(local, rolled, ax=dressed(left))
right = plot_rollout_risks(local, rolled, ax=dressed(right))
for name in ("parity mod 2", "DS"):
    values = [row.report.dimensions[name].value for row in rolled]
    print(f"{name:12} rules {local.dimensions[name].value}, traces {values}")

# %%
# A fall. Tables for the next bit after each window of three are eight free bits. A longer trace
# passes through more windows and gives more of its table away, so fewer traces are needed.

local, rolled = described(markov_tables(3), (1, 2, 3, 4))
figure, (left, right) = plt.subplots(1, 2, figsize=(9.6, 4.2), layout="constrained")
plot_rollout_dimensions(local, rolled, ax=dressed(left))
right = plot_rollout_risks(local, rolled, ax=dressed(right))
for row in rolled:
    dimensions = row.report.dimensions
    print(f"{row.steps} tokens: parity {dimensions['parity mod 2'].value}, risk {row.risk}")

# %%
# A growth that one inclusion does not pay for. The rules of a needle write a single 1, each after
# zeros of its own number, at some of the prompts. Who fits any rule that agrees is at risk: what
# that may cost is counted by the graph dimension, and it grows with the length.

local, rolled = described(needle(4), (1, 3, 5, 7, 11, 15))
figure, ax = plt.subplots(layout="constrained")
ax = plot_rollout_dimensions(local, rolled, ax=dressed(ax))
for row in rolled:
    dimensions = row.report.dimensions
    parity, graph = dimensions["parity mod 2"].value, dimensions["graph"].value
    print(f"{row.steps:2} tokens: parity {parity}, graph {graph}")
