"""Readers of outside formats; one module per format, all returning the same few frozen types."""
