"""
What do 16 tries leave open?
============================

One problem, 16 tries, and the question is Pass@8. Three things are worth knowing before the number
is reported: how far off the popular formula is, how often an interval contains the truth, and how
wide that interval is.
"""

import matplotlib.pyplot as plt
import numpy as np

from rolltheory.plots.reachability import (
    interval_coverage_data,
    plot_interval_coverage,
    plot_plug_in_bias,
    plug_in_bias_data,
)
from rolltheory.plots.style import dressed, points_with_intervals
from rolltheory.reachability import pass_at_k, pass_at_k_interval

# %%
# The popular formula puts the share of successes into 1 - (1 - p)^8. Its mean is too low for
# every success probability, by up to 8 points at 16 tries. The leading term of the bias, dotted,
# says what more tries buy: half the bias for twice the tries.

figure, ax = plt.subplots(layout="constrained")
ax = plot_plug_in_bias(plug_in_bias_data([8, 16, 64], 8), ax=dressed(ax))

# %%
# The unbiased estimate has no such error on average, but says nothing of its own uncertainty.
# The interval that carries the Clopper-Pearson limits over keeps its level for every success
# probability. A Bayes interval from a uniform prior does not: it promises too much where p is
# small or large.

figure, ax = plt.subplots(layout="constrained")
ax = plot_interval_coverage(interval_coverage_data(16, 8), ax=dressed(ax))

# %%
# The interval after each possible count. No success in 16 tries leaves Pass@8 anywhere up to
# 0.84: 16 failures do not show that a problem cannot be solved.

successes = np.arange(17)
interval = pass_at_k_interval(16, successes, 8)
figure, ax = plt.subplots(layout="constrained")
points_with_intervals(dressed(ax), successes, pass_at_k(16, successes, 8), interval)
ax.set_xlabel("successes among 16 tries")
ax.set_ylabel("Pass@8 of the problem")

print("Pass@8 after no success is at most", interval.upper[0].round(3))
