"""Simulations and property tests of the claims about graph world models."""

__all__: list[str] = []
