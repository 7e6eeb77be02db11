"""Every error that rolltheory raises on purpose, under one base class.

Each says what was found, where, and what is allowed, in one line.
"""

from __future__ import annotations

from os import PathLike
from typing import Any

__all__ = [
    "AssumptionError",
    "DomainError",
    "MissingExtraError",
    "ReaderError",
    "RolltheoryError",
    "UnsupportedError",
]


class RolltheoryError(Exception):
    """Base of all errors that rolltheory raises on purpose."""


class DomainError(RolltheoryError, ValueError):
    """An argument lies outside the set on which a statement holds.

    Parameters
    ----------
    field : name of the argument
    value : what was given
    allowed : the allowed set, in words or as a formula

    Examples
    --------
    >>> raise DomainError("k", 0, "an integer with 1 <= k <= samples")
    Traceback (most recent call last):
    ...
    rolltheory.errors.DomainError: k = 0 is not allowed: need an integer with 1 <= k <= samples
    """

    def __init__(self, field: str, value: Any, allowed: str) -> None:
        self.field, self.value, self.allowed = field, value, allowed
        super().__init__(f"{field} = {_short(value)} is not allowed: need {allowed}")


class AssumptionError(RolltheoryError):
    """The data violate an assumption without which the statement is not known to hold."""

    def __init__(self, assumption: str, found: str) -> None:
        self.assumption, self.found = assumption, found
        super().__init__(f"assumption violated: {assumption}; found {found}")


class UnsupportedError(RolltheoryError):
    """The question makes sense, but no statement here answers it."""

    def __init__(self, what: str, supported: str) -> None:
        self.what, self.supported = what, supported
        super().__init__(f"{what} is not supported: {supported}")


class ReaderError(RolltheoryError):
    """A file cannot be read as what it should be.

    Parameters
    ----------
    path : the file
    found : what was found there
    allowed : what is allowed
    line : 1-based line number, if the file has lines
    """

    def __init__(
        self, path: str | PathLike[str], found: str, allowed: str, *, line: int | None = None
    ) -> None:
        self.path, self.found, self.allowed, self.line = path, found, allowed, line
        place = f"{path}" if line is None else f"{path}, line {line}"
        super().__init__(f"{place}: found {found}; need {allowed}")


class MissingExtraError(RolltheoryError, ImportError):
    """A feature needs an optional dependency that is not installed."""

    def __init__(self, feature: str, extra: str) -> None:
        self.feature, self.extra = feature, extra
        super().__init__(f"{feature} needs an extra: pip install 'rolltheory[{extra}]'")


def _short(value: Any) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= 80 else f"{text[:77]}..."
