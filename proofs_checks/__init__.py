"""Proof checks: integers, rationals, symbols, intervals and solvers; no floats, no sampling."""
