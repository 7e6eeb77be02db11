"""Hypothesis strategies and assertions for other people's tests."""

__all__: list[str] = []
