"""
Where DS and parity differ
==========================

The smallest class with a gap has 24 members. In large random classes gaps are nothing special.
"""

import matplotlib.pyplot as plt
import numpy as np

from rolltheory.plots.dimension import plot_windows, window_shares
from rolltheory.plots.style import dressed
from simulators.dimension import random_window

# %%
# Of the cells of a 10 x 10 x 10 x 10 grid each is kept with the same probability. Peeling leaves a
# pseudo-cube from a little over 3 members of a line on; a zero-sum function comes later, and just
# as suddenly. In between the four points are shattered for the DS dimension, and not for parity.
# Below both, a small cube may stand by chance, and holds both.

generator = np.random.default_rng(5)
degree = np.arange(2.9, 3.65, 0.1)
draws = [
    [random_window((10,) * 4, mean / 10, generator=generator) for _ in range(10)] for mean in degree
]
shares = window_shares(draws, degree)
figure, ax = plt.subplots(layout="constrained")
ax = plot_windows(shares, ax=dressed(ax))
for mean, core, kernel in zip(degree, shares.core, shares.kernel, strict=True):
    print(f"mean {mean:.1f}: {core:2} of 10 hold a pseudo-cube, {kernel:2} a zero-sum function")
