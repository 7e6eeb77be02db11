"""The statements of reachability, as claims."""

__all__: list[str] = []
