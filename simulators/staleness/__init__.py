"""Seeded generators of stale training data."""
