"""
Did training cost the model its Pass@50?
========================================

Two checkpoints of one model made 50 tries at each of the 30 problems of AIME 2024. The later one is
better at few tries and worse at many, a picture that is often read as "training narrows what the
model can solve". Is the crossing more than noise?

The counts are those of a 3B model in the open reasoning-gym evaluations.
"""

import matplotlib.pyplot as plt
import numpy as np

from rolltheory.plots.reachability import (
    pass_at_k_curve_data,
    pass_at_k_difference_data,
    plot_pass_at_k,
    plot_pass_at_k_difference,
)
from rolltheory.plots.style import dressed
from rolltheory.reachability import compare_beta_binomial

samples = 50
step_400 = [0, 1, 17, 2, 0, 0, 0, 0, 2, 7, 3, 1] + [0] * 9 + [1, 0, 2] + [0] * 6
step_800 = [0, 0, 8, 12, 0, 0, 0, 0, 4, 8, 3] + [0] * 11 + [4] + [0] * 5 + [1, 0]
generator = np.random.default_rng(0)

# %%
# The unbiased estimate with a band that resamples problems, and the law of the success
# probabilities that reaches beyond 50 tries. The dotted plug-in estimate is lower: at 50 tries
# it reports 0.249 for the earlier checkpoint, although 9 of 30 problems were solved.
#
# Beyond 50 tries each checkpoint has the law that ``rolltheory pass-at-k --extrapolate 400``
# prefers for it, a Beta law for the earlier one, with a share of hopeless problems for the later
# one. They promise 1 and 0.24 for endless tries, and must not be compared: these are different
# laws, and the tries do not decide between them, for Akaike's criterion of the later checkpoint
# differs by only 1.4.

figure, ax = plt.subplots(layout="constrained")
dressed(ax)
for name, successes in (("step 400", step_400), ("step 800", step_800)):
    laws = compare_beta_binomial(samples, successes)
    curve = pass_at_k_curve_data(
        samples,
        successes,
        generator=generator,
        extrapolate_to=400,
        zero_mass=laws.preferred is laws.zero_inflated,
        resamples=40,
    )
    plot_pass_at_k(curve, ax=ax, label=name)

# %%
# The bands overlap, but they are the wrong thing to look at: both checkpoints met the same
# problems. The paired difference leaves the spread between problems out. No point is
# significant, at 50 tries included, where two problems of 30 make the difference.

figure, ax = plt.subplots(layout="constrained")
difference = pass_at_k_difference_data(
    samples, step_400, samples, step_800, tries=[1, 2, 4, 8, 16, 32, 50], generator=generator
)
plot_pass_at_k_difference(difference, ax=dressed(ax), label="step 800 less step 400")

last = np.array([difference.lower[-1], difference.difference[-1], difference.upper[-1]])
print("lower limit, difference and upper limit at 50 tries:", last.round(3))
