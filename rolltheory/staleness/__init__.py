"""Stale rollouts: what lag and learning rate do to the gradient, and what ratios can repair."""
