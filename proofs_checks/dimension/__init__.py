"""Exact checks of the claims about dimensions."""

__all__: list[str] = []
