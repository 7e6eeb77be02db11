"""
What to repair?
===============

Not the node with the largest error: the node where an error is amplified. What that is, two sums of
matrix powers say; what it buys is a spectral radius that falls.
"""

import matplotlib.pyplot as plt
import networkx as nx
import numpy as np

from rolltheory.graph_world import critical_weights, horizon_factor, residual_relief
from rolltheory.plots.graph_world_repair import (
    criticality_data,
    plot_criticality,
    plot_repair,
    repair_data,
)
from rolltheory.plots.style import dressed
from simulators.graph_world.topologies import message_matrix, topology

# %%
# Where an error hurts. A scale-free graph whose messages go from older to younger nodes, over a
# weak background from everyone to everyone. Colour is what a unit of error at a node adds to the
# bound, area the bound on the error that is seen there: causes are not where the symptoms are.

messages = topology("scale_free", 50, seed=1, directed=True) + 0.05
messages *= 0.9 / np.abs(np.linalg.eigvals(messages)).max()
data = criticality_data(messages)
figure, ax = plt.subplots(figsize=(7.2, 5.4), layout="constrained")
ax = plot_criticality(data, ax=ax)

# %%
# Weights by row sums, as a published loss has them, point the other way here.

print("correlation with the weights:")
for name, proxy in (("row sums", messages.sum(axis=1)), ("column sums", messages.sum(axis=0))):
    print(f"  {name:12} {np.corrcoef(data.weight, proxy)[0, 1]:+.3f}")

# %%
# On symmetric messages row sums have the right order and still weigh a hub too much.

star = 0.9 * message_matrix(topology("star", 50), "symmetric")
for name, weight in (
    ("critical weights", critical_weights(star, horizon=32)),
    ("row sums", star.sum(axis=1)),
):
    print(f"hub over leaf, {name}: {weight.max() / weight.min():.3f}")

# %%
# What a repair buys. Two groups of five that are all joined, and a path of two nodes between them.
# The largest relief of a single node is on the bridge, so a choice by the radius spends one repair
# there, and after two it is not stable yet. A choice by the walks that a node destroys takes one
# node of each group. It alone has a guarantee, on the share of walks, and its path alone cannot be
# above the dash-dotted line.

groups = 0.3 * nx.to_numpy_array(nx.barbell_graph(5, 2))
figure, ax = plt.subplots(layout="constrained")
ax = plot_repair(repair_data(groups, 5, optimum=True), ax=dressed(ax))

# %%
# Growing from the wrong end. Six nodes that are all joined, and a path of three that hangs on them.
# A repair that starts at the end of the path, since the symptom was seen there, and adds neighbours
# leaves an error that neither grows nor shrinks. The best four connected nodes leave one
# that shrinks to a third in each step. What a plan over 32 steps may lose follows the last number.

clique = nx.to_numpy_array(nx.disjoint_union(nx.complete_graph(6), nx.path_graph(3)))
clique[5, 6] = clique[6, 5] = 1
for region in ([], [8, 7, 6, 5], [0, 1, 2, 5]):
    left = residual_relief(0.25 * clique, region).residual_upper
    cost = float(horizon_factor(32, discount=0.95, spectral_radius=left))
    print(f"{region!s:14} radius {left:.5f}, horizon factor {cost:8.2f}")

# %%
# One node need not help at all. Two triangles side by side: repairing a node of one of them changes
# nothing, a node of each halves the radius. A repair that stops at the first zero stops at once.

triangles = nx.to_numpy_array(nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3)))
for region in ([0], [3], [0, 3]):
    print(region, "relief", round(residual_relief(triangles, region).upper, 9))
