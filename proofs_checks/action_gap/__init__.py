"""Exact checks of the claims about action gaps."""

__all__: list[str] = []
