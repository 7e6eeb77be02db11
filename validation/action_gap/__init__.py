"""Simulations and property tests of the claims about action gaps."""

__all__: list[str] = []
