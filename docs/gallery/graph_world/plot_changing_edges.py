"""
Edges that follow the state
===========================

Where edges are computed from the state, an error of the nodes becomes an error of the edges and
comes back. Two numbers per step and a 2 x 2 operator say whether this dies out.
"""

import matplotlib.pyplot as plt
import numpy as np

from rolltheory.graph_world import (
    edge_head_lipschitz,
    is_stable,
    joint_envelope,
    joint_operator,
    steady_state,
    transient_constant,
)
from rolltheory.plots.graph_world import plot_stability_region, stability_region_data
from rolltheory.plots.style import bound, dressed, legend
from simulators.graph_world.rollouts import dynamic_edge_rollout

# %%
# Where it dies out. The point has a radius of 0.7. With the same couplings, the operator is stable
# below the black line only: both diagonals must be below 1, and the product of the couplings below
# what they leave. A positive determinant of I - M is not enough: it is positive in the upper right
# corner as well.

operator = np.array([[0.5, 0.2], [0.3, 0.4]])
figure, ax = plt.subplots(layout="constrained")
ax = plot_stability_region(stability_region_data(operator), ax=dressed(ax))
print("a = d = 3, b = c = 0.1 is stable:", is_stable([[3, 0.1], [0.1, 3]]))

# %%
# A radius below 1 says what remains, not what comes first. The same radius of 0.7, but edges act on
# nodes a hundred times as strongly, and hardly the other way: powers may exceed those of the radius
# 500 times, and an edge error of 0.001 per step ends as a node error of 0.476.

lopsided = [[0.5, 100], [1 / 2500, 0.5]]
print("transient constant:", round(transient_constant(lopsided)))
print("nodes and edges in the end:", steady_state(lopsided, [0, 1e-3]).round(4))

# %%
# A rollout. The model has small errors in the weights of its nodes and of its edges. The norms
# along both trajectories and the one-step errors give the envelope, and the errors stay below it.
# They die out, since the state does; the envelope, told of the largest one-step errors only, ends
# at its steady state.

generator = np.random.default_rng(3)
size, steps = 12, 10
weight = 0.6 * np.linalg.qr(generator.normal(size=(4, 4)))[0]
query = 0.2 * np.eye(4)
start = 0.2 * generator.normal(size=4) + 0.02 * generator.normal(size=(size, 4))
rollout = dynamic_edge_rollout(
    start, weights=(weight, 1.02 * weight), queries=(query, 1.05 * query), horizon=steps, bias=-2.0
)


def largest(matrices):
    return float(np.linalg.norm(matrices, 2, axis=(1, 2)).max())


state = max(largest(rollout.truth), largest(rollout.model))
strength = float(np.linalg.norm(1.02 * weight, 2))
step = joint_operator(
    order="new_state",
    node_to_node=strength * largest(rollout.model_edges),
    edge_to_node=strength * largest(rollout.truth),
    node_to_edge=edge_head_lipschitz(1.05 * query, np.eye(4), state_norm=state),
    node_error=float(rollout.node_errors.max()),
    edge_error=float(rollout.edge_errors.max()),
)
edge_start = float(np.linalg.norm(rollout.model_edges[0] - rollout.true_edges[0]))
envelope = joint_envelope(step.matrix, step.forcing, [0.0, edge_start], steps)
print("operator:", step.matrix.round(3).tolist(), "stable:", is_stable(step.matrix.tolist()))

figure, axes = plt.subplots(1, 2, figsize=(9.6, 4.2), layout="constrained")
pairs = ((rollout.model, rollout.truth), (rollout.model_edges, rollout.true_edges))
for ax, (ours, truth), limit, name in zip(axes, pairs, envelope.T, ("node", "edge"), strict=True):
    dressed(ax)
    top = 1.3 * limit.max()
    bound(ax, np.arange(steps + 1), limit, edge=top, label="bound: joint envelope")
    ax.plot(np.linalg.norm(ours - truth, axis=(1, 2)), "o", label="rollout")
    ax.set_ylim(0, top)
    ax.set_xlabel("horizon, steps")
    ax.set_ylabel(f"{name} error, Frobenius norm")
    legend(ax)
