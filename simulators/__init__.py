"""Seeded generators of data that know nothing of the theory they are compared with."""
