"""Exact checks of the claims about graph world models."""

__all__: list[str] = []
