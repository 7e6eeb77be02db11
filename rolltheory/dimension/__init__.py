"""Dimensions of classes of rollouts, and how many exact traces it takes to learn them."""

__all__: list[str] = []
