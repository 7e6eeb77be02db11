"""
Does staleness bias the gradient at all?
========================================

Stale rollouts with an exact importance ratio and rewards of 0 and 1 do one thing: they weigh each
prompt by the success probability that it had when it was sampled. How much bias that is depends on
the group size, and for groups of two and three it is none.
"""

import matplotlib.pyplot as plt
import numpy as np

from rolltheory.plots.staleness_weights import (
    plot_prompt_weight,
    plot_stale_bias,
    prompt_weight_data,
    stale_bias_data,
)
from rolltheory.plots.style import dressed
from rolltheory.staleness.bias import bias_constant, binary_bias_bound

# %%
# The weight of a prompt. Where the line is flat, an old success probability weighs as much as the
# current one. For groups of 2 and 3 it is flat everywhere; for all others it is flat at one half,
# and steepest where nearly all answers are right or wrong.

figure, ax = plt.subplots(layout="constrained")
ax = plot_prompt_weight(prompt_weight_data(), ax=dressed(ax))

# %%
# So the law "bias of order lag times learning rate" has three cases: no bias, a bias of second
# order at success probability one half, and the proportional one elsewhere. A measurement that
# finds slope 2 has not refuted the bound; it has chosen an easy prompt.

data = stale_bias_data()
figure, ax = plt.subplots(layout="constrained")
ax = plot_stale_bias(data, ax=dressed(ax))
for p, bias in zip(data.success_probability, data.bias[-1], strict=True):
    slope = np.polyfit(np.log(data.displacement[:20]), np.log(bias[:20]), 1)[0]
    print(f"groups of 8, success probability {p}: slope {slope:.3f}")

# %%
# The constants certify, they do not predict. The bound for binary rewards is a few times the
# largest bias here; the one for any rewards is 40 times larger again.

print("binary rewards:", binary_bias_bound(1.0, [2, 3, 4, 8, 16]).round(3))
print("any rewards:", bias_constant([2, 3, 4, 8, 16], variant="exact_ratio").round(3))
