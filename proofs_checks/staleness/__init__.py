"""Exact checks of the claims about staleness."""

__all__: list[str] = []
