"""Diagnostic plots: one module per theory over one style."""
