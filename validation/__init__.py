"""Simulations, property tests and training runs held against the bounds."""
