"""
Why a sequence ratio of 0.57 need not mean drift
================================================

A run logs a mean importance ratio of 0.569 per sequence, although trainer and sampler hold the
same weights. It looks as if the trainer no longer knew the policy that it sampled from. It is the
cap of 3 on the ratio, and the length of the sequences.

The numbers are those of a pull request to TRL, huggingface/trl #5815, where the mean log-ratio of
the same tokens gave 0.993 instead.
"""

import matplotlib.pyplot as plt
import numpy as np

from rolltheory.plots.staleness_weights import plot_truncated_mean, truncated_mean_data
from rolltheory.plots.style import dressed, legend, points_with_intervals
from rolltheory.staleness.lognormal import truncated_lognormal_mean

# %%
# A ratio that sums the log-ratios of many tokens is nearly log-normal. Its mean is 1 as long as
# nothing is cut off. With a cap the mean falls as the variance grows: 0.569 is what a cap of 3
# makes of a variance of 3.37, or of 1.74 if larger ratios are set to zero and not to the cap.

data = truncated_mean_data([2, 3, 5], logged_mean=0.569)
figure, ax = plt.subplots(layout="constrained")
ax = plot_truncated_mean(data, ax=dressed(ax))
variance = data.truncated_reading[1]
print("log-variance at a cap of 3:", variance.round(2))

# %%
# The geometric mean of 0.993 tells the variance of one token, as no cap touches it: with mean
# ratio 1 the mean log-ratio is minus half of it. Both numbers then belong to sequences of about
# 240 tokens. That can be held against the mean completion length in the same log: where it agrees,
# there is noise in the numerics of a token but no drift.

token_variance = -2 * np.log(0.993)
print("log-variance of a token:", token_variance.round(4))
print("tokens per sequence:", (variance / token_variance).round())

# %%
# The same tokens, longer sequences. The points are means over 4,000 sequences of simulated
# tokens, with intervals at 95 %; no weight changed between them. The mean of the log-ratios stays
# where it is, but it is another quantity: it weighs nothing correctly, it only measures.

generator = np.random.default_rng(0)
length = np.array([15, 30, 60, 120, 240, 480])
capped, geometric = [], []
for tokens in length:
    shape = (4000, tokens)
    log_ratio = generator.normal(-token_variance / 2, np.sqrt(token_variance), shape)
    capped.append(np.minimum(np.exp(log_ratio.sum(axis=1)), 3))
    geometric.append(np.exp(log_ratio.mean(axis=1)))

figure, ax = plt.subplots(layout="constrained")
dressed(ax)
grid = np.arange(1, 500)
ax.plot(grid, truncated_lognormal_mean(token_variance * grid, 3.0), label="sum, capped: exact")
for name, samples in (("sum, capped", capped), ("mean", geometric)):
    mean, error = np.mean(samples, axis=1), np.std(samples, axis=1) / np.sqrt(4000)
    interval = (mean - 1.96 * error, mean + 1.96 * error)
    points_with_intervals(ax, length, mean, interval, label=f"{name}: simulated")
ax.set_ylim(0, 1.05)
ax.set_xlabel("tokens per sequence")
ax.set_ylabel("mean ratio that the log shows")
legend(ax)
