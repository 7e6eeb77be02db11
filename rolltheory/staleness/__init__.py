"""Stale rollouts: what a learner loses when its data come from an older policy."""
