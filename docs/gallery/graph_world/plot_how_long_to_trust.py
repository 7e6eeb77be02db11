"""
How long can a rollout be trusted?
==================================

The field's answer multiplies the spectral radius of the graph by the norms of the weights. For
symmetric messages that is a theorem. For the normalisation that many graph networks use it is not,
and an error at one node shows by how much it can be wrong.
"""

import matplotlib.pyplot as plt
import numpy as np

from rolltheory.graph_world import power_norm_bound, validity_horizon
from rolltheory.plots.graph_world import (
    error_bounds_data,
    norm_gap_data,
    plot_error_bounds,
    plot_norm_gap,
)
from rolltheory.plots.style import dressed
from simulators.graph_world.rollouts import (
    MessagePassing,
    fixed_edge_rollout,
    planted_model,
)
from simulators.graph_world.topologies import TOPOLOGIES, message_matrix, topology

# %%
# One spectral radius, many norms. Messages averaged over neighbours have the spectral radius 1 on
# every graph. What one step can do to an error is the norm, and that is up to 3.54 on a star of 50
# nodes. No power exceeds the limit, a constant that the two Perron vectors give.

averages = {
    name.replace("_", " "): message_matrix(topology(name, 50, seed=1), "random_walk")
    for name in TOPOLOGIES
}
gap = norm_gap_data(averages)
figure, ax = plt.subplots(layout="constrained")
ax = plot_norm_gap(gap, ax=dressed(ax))
for name, norm, limit in zip(gap.name, gap.norm, gap.limit, strict=True):
    print(f"{name:12} norm {norm:.3f}, no power above {limit:.3f}")

# %%
# The same without averaging, from lower to higher nodes only. None of these graphs has a cycle: the
# radius is 0, and a bound by the radius promises that errors vanish in one step.

one_way = {name.replace("_", " "): topology(name, 50, seed=1, directed=True) for name in TOPOLOGIES}
figure, ax = plt.subplots(layout="constrained")
ax = plot_norm_gap(norm_gap_data(one_way), ax=dressed(ax))

# %%
# Rollouts on the star. The world turns features about and shrinks them to 0.88, the model has a
# small error in its weights, and at the start it is wrong about the hub alone. In one step the hub
# is copied to all leaves. The error passes the line that the radius alone draws and stays there; it
# keeps below both bounds.

generator = np.random.default_rng(7)
star = averages["star"]
rotation = np.linalg.qr(generator.normal(size=(8, 8)))[0]
world = MessagePassing(star, (0.88 * rotation,))
model = planted_model(world, weight_error=0.02, generator=generator)
start = 0.1 * generator.normal(size=(20, 50, 8))
rollout = fixed_edge_rollout(world, model, start, horizon=16, generator=generator)
states = [start.copy()]
states[0][:, 0] += 0.1 * generator.normal(size=(20, 8))
for _ in range(16):
    states.append(model(states[-1]))
errors = np.array(states) - rollout.truth

figure, ax = plt.subplots(layout="constrained")
data = error_bounds_data(star, rollout.one_step_errors, weight_product=0.9, rollout_errors=errors)
ax = plot_error_bounds(data, ax=dressed(ax))
over = (data.errors / data.radius_alone[:, np.newaxis]).max()
print(f"the radius alone is exceeded by a factor of up to {over:.2f}")

# %%
# The radius is a rate, in norms that weigh the nodes. There the bound needs no constant, and it is
# nearly attained: the weights keep lengths, and averaging keeps the weighted sum.

figure, axes = plt.subplots(1, 3, figsize=(12.8, 4.2), layout="constrained")
for ax, norm in zip(axes, ("largest", "total", "quadratic"), strict=True):
    data = error_bounds_data(
        star, rollout.one_step_errors, weight_product=0.9, norm=norm, rollout_errors=errors
    )
    plot_error_bounds(data, ax=dressed(ax))

# %%
# The answer in steps, for a model that starts where the truth does. An error of 3 is tolerable. By
# the norm of one step these runs can be trusted for a few steps, by the radius, whose constant has
# to be paid for, for ever.

missed = float(np.linalg.norm(rollout.one_step_errors, axis=(2, 3)).max())
kappa = power_norm_bound(star).transient_constant
print("by the norm:", validity_horizon(0.9 * float(gap.norm[5]), missed, 3.0))
print("by the radius:", validity_horizon(0.9, missed, 3.0 / kappa))
