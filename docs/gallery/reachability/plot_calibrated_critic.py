"""
Why does a calibrated critic promise too much?
==============================================

A critic gives each state a success probability. It may be perfectly calibrated: of all states to
which it gives 0.1, one continuation in ten succeeds. Put into Pass@k it promises too much all the
same, unless it tells all states apart.
"""

import matplotlib.pyplot as plt
import numpy as np

from rolltheory.plots.reachability_values import (
    calibration_data,
    limit_data,
    plot_calibration,
    plot_limit,
    plot_state_graph,
    state_graph_data,
)
from rolltheory.plots.style import dressed
from rolltheory.reachability import StateGraph

# %%
# A state graph shows where the truth comes from. States 3 and 4 wander in a loop that no success
# can be reached from; nothing but the graph tells them from a state that is merely hard.

edges = [
    (0, 1, 0.5), (0, 2, 0.3), (0, 3, 0.2),
    (1, 5, 0.6), (1, 2, 0.4),
    (2, 2, 0.5), (2, 0, 0.25), (2, 6, 0.25),
    (3, 4, 1.0), (4, 3, 1.0),
]  # fmt: skip
picture = state_graph_data(StateGraph.from_edges(edges, success=[5], absorbing=[6]))
figure, ax = plt.subplots(layout="constrained")
ax = plot_state_graph(picture, ax=ax)

# %%
# Real counts: 30 problems of AIME 2024, 50 tries each, the observed shares taken for the truth.
# One critic knows three levels of difficulty, the other only the mean. Both are calibrated for
# Pass@1. By Jensen's inequality the points lie below the diagonal, and the coarser the pools,
# the further.

share = np.array([0, 1, 17, 2, 0, 0, 0, 0, 2, 7, 3, 1] + [0] * 9 + [1, 0, 2] + [0] * 6) / 50
level = np.digitize(share, [0.01, 0.1])
by_level = np.array([share[level == grade].mean() for grade in range(3)])[level]
by_mean = np.full(share.size, share.mean())

figure, ax = plt.subplots(layout="constrained")
dressed(ax)
for name, critic in (("three levels", by_level), ("the mean only", by_mean)):
    data = calibration_data(critic, share, 16)
    plot_calibration(data, ax=ax, label=name)
    gap = data.pools.mean_pass_at_k_gap
    print(f"critic that knows {name}: promises {gap:.3f} more Pass@16 than there is")

# %%
# With endless tries Pass@k tells only whether success is possible at all. How many tries that
# takes is decided by the smallest positive success probability.

figure, ax = plt.subplots(layout="constrained")
ax = plot_limit(limit_data(picture.value[[1, 0, 2]]), ax=dressed(ax))
