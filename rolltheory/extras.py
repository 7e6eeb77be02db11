"""Which optional extra brings which module."""

from __future__ import annotations

from rolltheory.errors import MissingExtraError

__all__ = ["missing_extra"]

_EXTRA_OF = {
    "distributed": "cluster",
    "filelock": "training",
    "flint": "exact",
    "hypothesis": "testing",
    "joblib": "training",
    "polars": "logs",
    "pysat": "exact",
    "pytest": "testing",
    "tensorboard": "logs",
    "threadpoolctl": "training",
    "torch": "training",
    "yaml": "formats",
    "z3": "exact",
}


def missing_extra(error: ModuleNotFoundError, feature: str) -> MissingExtraError | None:
    """The extra to install when an import failed for want of it; None if no extra brings it.

    >>> missing_extra(ModuleNotFoundError(name="z3"), "this proof")
    MissingExtraError("this proof needs an extra: pip install 'rolltheory[exact]'")
    >>> missing_extra(ModuleNotFoundError(name="nowhere"), "this proof") is None
    True
    """
    extra = _EXTRA_OF.get((error.name or "").partition(".")[0])
    return None if extra is None else MissingExtraError(feature, extra)
