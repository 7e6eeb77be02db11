"""
Which power of the p-Laplacian?
===============================

The maze study on a small scale: the same labels, extended with one power after the other, and the
share of all starts from which the greedy rollout arrives.
"""

import matplotlib.pyplot as plt

from rolltheory.action_gap import EXTENSIONS, maze_problems, study_rows, study_summary
from rolltheory.plots.action_gap_study import plot_success_by_p, success_by_p_data
from rolltheory.plots.style import dressed

# %%
# The crosses are the published numbers, whose protocol is not known: which fractions of labels,
# starts and ties. The grey lines show how much one of these matters. Up to the power of 8 the shape
# is the published one. The infinity-harmonic extension is not: solved exactly it loses next to
# nothing, and its published number is what a midrange iteration gives that is stopped too early.

problems = maze_problems(
    layouts=["medium"], refinements=[4, 8], fractions=[0.01, 0.02], seeds=range(3)
)
rows = list(study_rows(problems, methods=list(EXTENSIONS)))
figure, ax = plt.subplots(figsize=(8, 4.8), layout="constrained")
ax = plot_success_by_p(success_by_p_data(rows), ax=dressed(ax))

# %%
# Why: the share of labels that are sinks. Every finite power has some on some graph.

for method, found in study_summary(rows, "label_sinks").items():
    print(f"{method:>14}: {found.mean:.1%} of the labels are sinks")
