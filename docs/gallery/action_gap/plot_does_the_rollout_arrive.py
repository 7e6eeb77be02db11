"""
Does the rollout arrive?
========================

Fifteen cells of a maze know how far they are from the goal. Three ways to extend these labels to
all cells, and one planner that always steps to the neighbour of least value. Which starts reach the
goal can be told exactly, for every way to break ties, without a single rollout.
"""

import matplotlib.pyplot as plt

from rolltheory.action_gap import (
    EXTENSIONS,
    maze_map,
    maze_problem,
    sink_free_certificate,
    sufficient_labels,
)
from rolltheory.plots.action_gap import maze_data, plot_maze
from rolltheory.plots.style import dressed

# %%
# Squares are labels, the star is the goal. Two of the labels are sinks of the harmonic extension,
# marked by a cross: all their neighbours have larger values, because a random walk from there hits
# farther labels first. What flows into a sink is lost. A larger power of the p-Laplacian repairs
# these two; the infinity-harmonic extension (AMLE) cannot have such sinks at all.

problem = maze_problem("large", refinement=4, fraction=0.02, seed=3)
free = maze_map("large", refinement=4)
figure, axes = plt.subplots(3, figsize=(8, 16), layout="constrained")
for ax, name in zip(axes, ("harmonic", "p = 4", "amle"), strict=True):
    extension = EXTENSIONS[name](problem.graph, problem.labels)
    data = maze_data(
        free,
        extension.values,
        problem.labels,
        problem.goal,
        tie_tolerance=2 * extension.error_bound,
    )
    plot_maze(data, ax=dressed(ax), vmax=46.0).set_title(name)

# %%
# Arrows that fork are ties; near its labels the infinity-harmonic extension is the exact distance,
# which ties wherever two ways are equally short. Its certificate needs neither rollouts nor the
# distances: the values fall out of every cell but the goal.

certificate = sink_free_certificate(problem.graph, extension.values, problem.labels, problem.goal)
print(
    f"{certificate.name}: {certificate.certified.mean():.0%} of the starts, {certificate.implies}"
)

# %%
# The harmonic extension can be mended with more labels. How many is a question for a search that
# adds a label against every trap, and takes back those that it did not need.


def harmonic(graph, labels):
    return EXTENSIONS["harmonic"](graph, labels).values


mended = sufficient_labels(problem.graph, problem.goal, harmonic, labelled=problem.labels[0])
print(f"{problem.labels[0].size} labels, {mended.size - problem.labels[0].size} more mend it")
