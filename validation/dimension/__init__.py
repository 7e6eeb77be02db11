"""Searches and simulations that are held against the claims about dimensions."""

__all__: list[str] = []
