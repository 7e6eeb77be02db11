"""Rollouts of graph world models: certified error, where it hurts, and what to repair."""
