"""
Risk against the number of traces
=================================

What is guaranteed, what no learner beats, and what learners do; all numbers are exact.
"""

import matplotlib.pyplot as plt

from rolltheory.dimension import (
    OneInclusionLearner,
    exact_risk,
    grid,
    markov_tables,
    needle,
    rollout_class,
    worst_consistent_risk,
)
from rolltheory.plots.dimension import plot_risk
from rolltheory.plots.style import dressed

# %%
# Three prompts, each with a free bit: the mean over all targets is 1/2 (2/3)^m, whatever the
# tokens that follow the bit. The lower bound is for the prompts that are worst for that number of
# traces, so that a curve for uniform prompts may cross it.

samples = [1, 2, 4, 8]
cube = grid(3, 2)
learner = OneInclusionLearner(cube)
mean = [
    float(sum(exact_risk(learner, row, samples=m) for row in cube.rows) / len(cube))
    for m in samples
]
figure, ax = plt.subplots(layout="constrained")
ax = plot_risk(
    samples,
    [mean],
    ["one inclusion, mean target"],
    parity_dimension=3,
    ds_dimension=3,
    ax=dressed(ax),
)

# %%
# All rules on the last two bits, at three lengths. One bound holds for all: that of the rules. The
# curves are below it, and not in the order of the lengths: after one trace, two tokens are worse
# than one. The lower bound is that of DS dimension 2, which the traces have at every length.

family = markov_tables(2)
curves, names = [], []
for steps in (1, 2, 4):
    traces = rollout_class(family.local, family.prompts, steps=steps)
    learner = OneInclusionLearner(traces)
    curves.append(
        [
            float(sum(exact_risk(learner, row, samples=m) for row in traces.rows) / len(traces))
            for m in samples[:3]
        ]
    )
    names.append(f"traces of {steps}, mean target")
figure, ax = plt.subplots(layout="constrained")
ax = plot_risk(samples[:3], curves, names, parity_dimension=4, ds_dimension=2, ax=dressed(ax))

# %%
# Why not take any rule that fits? Needles among four prompts, traces of 15 tokens, dimension 1. The
# worst rule that fits keeps failing on whatever was not seen, and is above the bound at first. One
# inclusion keeps it on every target.

family = needle(4)
traces = rollout_class(family.local, family.prompts, steps=15)
zeros = next(row for row in traces.rows if all(set(label) == {"0"} for label in row))
learner = OneInclusionLearner(traces)
one_inclusion = [
    max(float(exact_risk(learner, row, samples=m)) for row in traces.rows) for m in samples
]
any_fit = [float(worst_consistent_risk(traces, zeros, samples=m)) for m in samples]
figure, ax = plt.subplots(layout="constrained")
ax = plot_risk(
    samples,
    [one_inclusion, any_fit],
    ["one inclusion, worst target", "worst rule that fits"],
    parity_dimension=1,
    ds_dimension=1,
    ax=dressed(ax),
)
