"""Numerical ground that every theory stands on."""
