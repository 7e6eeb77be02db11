"""Simulations and property tests of the claims about reachability."""

__all__: list[str] = []
