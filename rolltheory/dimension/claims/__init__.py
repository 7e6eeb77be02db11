"""The statements of this theory, as claims."""

__all__: list[str] = []
