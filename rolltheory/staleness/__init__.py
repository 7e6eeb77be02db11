<<<<<<< HEAD
"""Stale rollouts: what lag and learning rate do to the gradient, and what ratios can repair."""
=======
"""Stale rollouts: what a learner loses when its data come from an older policy."""
>>>>>>> st-surrogate
