"""Seeded generators of stale learning: queues, delayed ascent, walks and log-ratios."""
