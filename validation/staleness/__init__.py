"""Simulations and property tests of the claims about staleness."""

__all__: list[str] = []
