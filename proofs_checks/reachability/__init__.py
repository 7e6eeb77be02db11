"""Exact checks of the claims about reachability."""

__all__: list[str] = []
