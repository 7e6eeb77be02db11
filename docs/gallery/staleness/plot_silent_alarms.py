"""
Alarms that cannot fire
=======================

A log that shows nothing is read as a run that is well. Some readings can show nothing: a clamp
bounds them, or they compare the learner with itself.
"""

import matplotlib.pyplot as plt
import numpy as np

from rolltheory.plots.staleness_weights import (
    effective_sample_floor_data,
    plot_effective_sample_floor,
)
from rolltheory.plots.style import dressed, legend
from rolltheory.staleness.anchors import interpolated_anchor, interpolated_clip_range
from rolltheory.staleness.decoupled import trust_region_reading
from rolltheory.staleness.softmax import log_policy
from rolltheory.staleness.surrogate import gradient_bias, surrogate_gradient
from rolltheory.staleness.weights import (
    effective_sample_floor,
    sequence_effective_sample_fraction,
)

# %%
# The effective sample size of clamped weights. Weights within [1/c, c] leave at least the black
# line, whatever the policies do. At a clamp of 2 that is 0.64: an alarm "below 0.3" is off for
# good, and needs a clamp above 3.35 to be one.

figure, ax = plt.subplots(layout="constrained")
ax = plot_effective_sample_floor(effective_sample_floor_data([0.3, 0.5]), ax=dressed(ax))
print("floor at clamps of 2, 5 and 10:", effective_sample_floor([1 / 2, 1 / 5, 1 / 10], [2, 5, 10]))

# %%
# Not clamped, but per token, it can stay near 1 in a run that fails. 0.989 was the least value of
# a run that finished 2 of 128 answers (marin-community/marin #8955). For whole sequences of
# independent tokens it becomes this.

length = [1, 100, 1000]
print("tokens", length, "->", sequence_effective_sample_fraction(0.989, length))

# %%
# An inert trust region. A policy over 50 tokens drifts from the one that sampled 20,000 of them.
# Against the sampler the clip fraction grows with the lag. If the anchor is recomputed with the
# current weights it is 0 at every lag, and so is ``ppo_kl``. The interpolated anchor of A-3PO
# clips the lag-th root of the ratio, which a drift at constant speed never moves: 0 again. The bias
# of a learner that takes the data for fresh grows all the same.

generator = np.random.default_rng(0)
sampler, drift = generator.normal(size=(2, 50))
tokens = generator.choice(50, size=20_000, p=np.exp(log_policy("sampler", sampler)))
advantage = generator.choice([-1.0, 1.0], size=tokens.size)
rewards = (np.arange(50) < 10).astype(int)

lags = np.arange(1, 33)
learners = sampler + 0.02 * lags[:, np.newaxis] * drift
before = log_policy("sampler", sampler)[tokens]
fractions: dict[str, list[float]] = {"sampler": [], "interpolated": [], "recomputed": []}
for lag, learner in zip(lags, learners, strict=True):
    now = log_policy("learner", learner)[tokens]
    anchors = (before, interpolated_anchor(now, before, lag), now)
    for name, anchor in zip(fractions, anchors, strict=True):
        reading = trust_region_reading(now, anchor, advantage, clip_low=0.2, clip_high=0.2)
        fractions[name].append(reading.clip_fraction)
bias = np.linalg.norm(gradient_bias(learners, sampler, rewards, 8, ratio="none"), axis=-1)

figure, (left, right) = plt.subplots(1, 2, figsize=(9.6, 4.2), layout="constrained")
dressed(left)
for name, style in zip(fractions, ("-", "-", "k:"), strict=True):
    left.plot(lags, fractions[name], style, linewidth=3.0, label=f"anchor: {name}")
left.set_ylim(-0.02, 0.6)
left.set_xlabel("lag, learner updates")
left.set_ylabel("clip fraction that the log shows")
legend(left)
dressed(right).plot(lags, bias, linewidth=2.0)
right.set_xlabel("lag, learner updates")
right.set_ylabel("norm of the bias without ratios")

low, high = interpolated_clip_range([2, 8, 16], clip_low=0.2, clip_high=0.2)
print("the interpolated anchor clips outside", low.round(3), "to", high.round(2))

# %%
# A clip fraction of 0 is no proof of nearness either. Two of these three ratios are outside the
# clip band, but each on the side on which the sign of its advantage leaves it alone. In the second
# case everything is clipped: the gradient is exactly 0.

for learner, sampler in (
    ([0.2, -0.1, 0.4], [0.5, -0.3, 0.1]),
    ([0.5, -0.3, 0.1], [-0.2, 0.2, 0.3]),
):
    ratio = np.exp(log_policy("learner", learner) - log_policy("sampler", sampler))
    free = surrogate_gradient(learner, sampler, [1, 0, 0], 4)
    clipped = surrogate_gradient(learner, sampler, [1, 0, 0], 4, clip=(0.2, 0.2))
    print("ratios", ratio.round(2), "gradient", free.round(3), "clipped", clipped.round(3))
