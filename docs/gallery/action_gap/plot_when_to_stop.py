"""
When may an iteration stop?
===========================

The infinity-harmonic extension is often computed by sweeps: every value becomes the middle of its
largest and smallest neighbour, until little changes. Little change is no small error.
"""

import matplotlib.pyplot as plt
import numpy as np

from rolltheory.action_gap import amle, iterative_amle, maze_problem
from rolltheory.plots.action_gap_study import amle_convergence_data, plot_amle_convergence
from rolltheory.plots.style import dressed

# %%
# The sweeps run twice, from below and from above. Half the distance between both bounds the error
# at any time, and the points show that it is not far from it. The residual, by which solvers mostly
# stop, lies below the error from the first sweep to the last.

problem = maze_problem("large", refinement=4, fraction=0.02, seed=3)
sweeps = np.unique(np.geomspace(1, 3000, 25).astype(int))
data = amle_convergence_data(problem.graph, problem.labels, sweeps=sweeps)
figure, ax = plt.subplots(layout="constrained")
ax = plot_amle_convergence(data, ax=dressed(ax))

# %%
# On a long path the two are worlds apart, and a thousand sweeps have not even begun. The exact
# extension takes no sweeps.

path = [(x, x + 1) for x in range(1000)]
labels = {0: 0.0, 1000: 1000.0}
for name, found in (
    ("1000 sweeps", iterative_amle(path, labels, method="gauss-seidel", max_sweeps=1000)),
    ("exact", amle(path, labels)),
):
    error = np.abs(found.values - np.arange(1001)).max()
    print(f"{name}: residual {found.residual:.2g}, error {error:.2g} <= {found.error_bound:.2g}")
