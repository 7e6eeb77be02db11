"""
How large may the lag be?
=========================

An asynchronous run samples with weights that are S updates old. Three answers exist, and they are
not the same answer: what is certified, what is stable, and how long it lasts.
"""

import matplotlib.pyplot as plt
import numpy as np

from rolltheory.plots.staleness import (
    collapse_time_data,
    learning_rate_map_data,
    plot_collapse_time,
    plot_learning_rate_map,
    plot_stability_limit,
    stability_limit_data,
)
from rolltheory.plots.style import dressed, legend
from rolltheory.staleness.drift import binary_gradient_norm_bound
from rolltheory.staleness.radii import clip_radius
from rolltheory.staleness.rule import max_lag, stable_learning_rate

# %%
# What is certified. A reader's note of the paper arXiv:2607.01083 reports runs that are stable
# while lag times learning rate is below 1.6e-6, and others that collapse when updates times
# learning rate reach 3.2e-5. Put into the two-constraint rule with a horizon of 320 updates, the
# two cross at a lag of 16. Below it a shorter lag buys nothing.
#
# The dots are the largest stable learning rates that this implies at the lags of the sweep. The
# one at lag 8 is above the horizon's limit: if both numbers were sharp and the drift straight,
# this run would collapse at step 160. It can be stable only if its drift is not straight.

threshold, collapse = 1.6e-6, 3.2e-5
figure, ax = plt.subplots(layout="constrained")
picture = learning_rate_map_data(320, threshold, collapse, 1.0)
plot_learning_rate_map(picture, ax=dressed(ax))
lags, rates = np.array([8, 16, 32]), np.array([2e-7, 1e-7, 5e-8])
ax.plot(lags, rates, "ko", label=r"implied by $S \eta = 1.6 \times 10^{-6}$")
legend(ax)
print("straight drift would collapse at step", (collapse / rates).round().astype(int))

# %%
# With a radius that comes from a theorem the same rule gives a number that holds. A tabular softmax
# that ascends exact gradients without ratios, groups of 8 with rewards of 0 and 1: at a lag of 8
# and up to this learning rate no ratio can leave the clip range of 0.2.

radius, norm = clip_radius(0.2, 0.2), binary_gradient_norm_bound(8)
rule = stable_learning_rate(8, 1, radius, radius, norm)
print("learning rate", rule.lag_limit.round(6), "and back: lag", max_lag(0.0243, radius, norm))

# %%
# What is stable. Near an optimum only the share of the sensitivity counts that the behaviour
# policy carries. Above one half the limit falls as one over the lag. Up to one half the lag sets
# no limit at all: the 1/S law is a property of the algorithm, not of staleness.

figure, ax = plt.subplots(layout="constrained")
ax = plot_stability_limit(stability_limit_data(), ax=dressed(ax))

# %%
# How long it lasts. Twice the learning rate halves the time to collapse only if all updates point
# the same way. Uncorrelated updates quarter it. The bound holds for every run, and is one-sided: a
# run may also go on for ever.

figure, ax = plt.subplots(layout="constrained")
rates = np.geomspace(0.2, 0.0125, 5)
ax = plot_collapse_time(collapse_time_data(rates, 1.0), ax=dressed(ax))
