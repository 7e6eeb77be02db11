"""
How wrong may values be?
========================

A greedy step is optimal if no neighbour's value is wrong by half the action gap or more. On a maze
that is a strict demand, and most optimal steps do not meet it.
"""

import matplotlib.pyplot as plt
import numpy as np

from rolltheory.action_gap import EXTENSIONS, distances, maze_problem
from rolltheory.plots.action_gap import error_and_half_gap_data, plot_error_and_half_gap
from rolltheory.plots.style import dressed

# %%
# Each point is one decision. The half gap certifies those left of the vertical line; that the
# errors of the neighbours differ by less than the gap certifies those below the horizontal one, as
# an error that all neighbours share moves no decision. Crosses are wrong steps, and none of them
# is in either region.

problem = maze_problem("large", refinement=4, fraction=0.02, seed=3)
distance = distances(problem.graph, problem.goal)
figure, axes = plt.subplots(2, figsize=(7, 9), layout="constrained")
for ax, name in zip(axes, ("harmonic", "amle"), strict=True):
    extension = EXTENSIONS[name](problem.graph, problem.labels)
    data = error_and_half_gap_data(
        problem.graph, extension.values, distance, tie_tolerance=2 * extension.error_bound
    )
    plot_error_and_half_gap(data, ax=dressed(ax)).set_title(name)
    by_half_gap, by_oscillation = np.mean(data.error < 1), np.mean(data.oscillation < 1)
    error = np.abs(extension.values - distance).mean()
    print(
        f"{name}: half gap {by_half_gap:.0%}, oscillation {by_oscillation:.0%},"
        f" optimal {np.mean(data.optimal):.0%}, mean error {error:.1f}"
    )

# %%
# So the size of the error says little about the rollout. The two extensions differ by little in
# their mean error, and by all in what becomes of the starts.
