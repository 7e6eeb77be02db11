"""Small real training runs against the bounds, and what runs them anywhere."""

__all__: list[str] = []
