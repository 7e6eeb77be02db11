"""Graphs, environments, models and series to hold the theory of graph world models against."""

__all__: list[str] = []
