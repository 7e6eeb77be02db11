"""
The learner's picture of a class
================================

Rules are vertices, and those that differ at one point only are joined. To predict a label there, a
learner needs to know one thing: which of them to bet on, the head. A rule that is no head is failed
when it is the target. How often at most, the density says.
"""

import matplotlib.pyplot as plt

from rolltheory.dimension import (
    all_field_gap,
    ds_dimension,
    hexagon,
    max_density,
    parity_dimension,
    projective_plane,
    star,
)
from rolltheory.plots.dimension import plot_one_inclusion

# %%
# The hexagon: every label that is left open has two values, and no four rules are the mixtures of
# two. One turn around it gives each rule one head, so no rule is failed at more than one point.

figure, ax = plt.subplots(figsize=(5.6, 5.0), layout="constrained")
ax = plot_one_inclusion(hexagon(), ax=ax)

# %%
# A star: zeros, and a rule for each point that says 1 there. The middle has five neighbours, its
# mean degree is above the dimension, and still one bet for each rule is enough.

figure, ax = plt.subplots(figsize=(5.6, 5.0), layout="constrained")
ax = plot_one_inclusion(star(5), ax=ax)

# %%
# A projective plane of 16 rules, whose parity dimension is 3 modulo 2, and 2 modulo 3. The smaller
# one counts: two bets suffice.

figure, ax = plt.subplots(figsize=(6.4, 5.6), layout="constrained")
ax = plot_one_inclusion(projective_plane(), ax=ax)

# %%
# The gap: 24 rules without an even part in any field. Its DS dimension is 3 and its density below
# 2, as its parity dimension promises.

figure, ax = plt.subplots(figsize=(7.2, 6.2), layout="constrained")
ax = plot_one_inclusion(all_field_gap(), ax=ax)
for name, rules in (("projective plane", projective_plane()), ("gap", all_field_gap())):
    values = [ds_dimension(rules).value]
    values += [parity_dimension(rules, field=prime).value for prime in (2, 3)]
    print(f"{name:16} DS, parity mod 2, mod 3: {values}; density {max_density(rules).value}")
