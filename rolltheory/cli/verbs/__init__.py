"""One module per verb; each defines ``command``."""

__all__: list[str] = []
