"""
How often must a learner err?
=============================

Draw every rule as a dot, and join the rules that differ at one prompt only. A learner that has seen
all prompts but that one cannot tell them apart: it has to bet on one of them, the head of the line.
The others are its mistakes, and the densest part of the drawing says how many cannot be avoided.
"""

import matplotlib.pyplot as plt

from rolltheory.dimension import (
    ds_dimension,
    four_token_gap,
    hexagon,
    max_density,
    mean_degree,
    natarajan_dimension,
    parity_dimension,
    rollout_class,
    star,
)
from rolltheory.plots.dimension import plot_one_inclusion

# %%
# Six rules in a ring. Each is joined to one rule by either prompt, so nowhere does the drawing end,
# and the DS dimension is 2; but no square of two labels a prompt is inside, and the Natarajan
# dimension is 1. Heads that follow the ring leave every rule wrong once.

figure, ax = plt.subplots(figsize=(5.4, 4.8), layout="constrained")
ax = plot_one_inclusion(hexagon(), ax=ax)
print("DS", ds_dimension(hexagon()).value, "Natarajan", natarajan_dimension(hexagon()).value)

# %%
# A star. The rule in the middle is on every line, and yet one mistake is enough: it is the head of
# all of them. Density counts this, and the mean degree, a popular stand-in, does not.

figure, ax = plt.subplots(figsize=(5.4, 4.8), layout="constrained")
ax = plot_one_inclusion(star(5), ax=ax)
print("density", max_density(star(5)).value, "mean degree", mean_degree(star(5)))

# %%
# The traces of 24 rules on four tokens, two tokens from each of three prompts. Again no line ends,
# now in three directions: the DS dimension of these traces is 3. But no choice of dots, save none,
# takes an even number from every line: the parity dimension is 2, and two mistakes are enough.

gap = four_token_gap()
traces = rollout_class(gap.local, gap.prompts, steps=2)
figure, ax = plt.subplots(figsize=(7.2, 5.6), layout="constrained")
ax = plot_one_inclusion(traces, ax=ax)
print("DS", ds_dimension(traces).value, "parity", parity_dimension(traces).value)
