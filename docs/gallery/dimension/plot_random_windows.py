"""
How common is the gap?
======================

Keep each row of a grid with some probability. At first there is nothing that a learner would
stumble over, then a pseudo-cube, which makes the DS dimension full, and later a zero-sum function,
which makes the parity dimension full. Between the two the dimensions differ, and a bound by parity
is the better one.
"""

import matplotlib.pyplot as plt
import numpy as np

from rolltheory.plots.dimension import plot_windows, window_shares
from rolltheory.plots.style import dressed
from simulators.dimension import random_window

# %%
# Thirty windows at each density, in a grid of three points and 32 labels a point; intervals are at
# level 0.95. What both curves have at the left is small: mostly eight rows that are
# a cube by chance. The larger the grid, the rarer these are, and the clearer the two thresholds.

LABELS, WINDOWS = 32, 30
mean_rules = np.arange(2.1, 2.85, 0.1)
generator = np.random.default_rng(1)
draws = [
    [random_window([LABELS] * 3, mean / LABELS, generator=generator) for _ in range(WINDOWS)]
    for mean in mean_rules
]
shares = window_shares(draws, mean_rules)
figure, ax = plt.subplots(layout="constrained")
ax = plot_windows(shares, ax=dressed(ax))

# %%
# The width of the gap, read off the numbers: how many windows have the one and not the other.

print("rules on a line  pseudo-cube  zero-sum function")
for mean, core, kernel in zip(mean_rules, shares.core, shares.kernel, strict=True):
    print(f"{mean:15.1f}  {core / WINDOWS:11.2f}  {kernel / WINDOWS:17.2f}")
