"""What files are made of (items), what formats make of them (tries), and the checks on the way."""

from __future__ import annotations

import math
import re
import reprlib
from collections.abc import Hashable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol

__all__ = [
    "Cell",
    "Count",
    "Format",
    "Item",
    "ItemError",
    "Tries",
    "excerpt",
    "has_fields",
    "identifier",
    "list_field",
    "score",
    "text",
    "whole_number",
]

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_TRUTH = {"true": True, "false": False}


class ItemError(ValueError):
    """What was found in one item and what is allowed there; the reader adds the place."""

    def __init__(self, found: str, allowed: str) -> None:
        self.found, self.allowed = found, allowed
        super().__init__(f"{found}; need {allowed}")


class Cell(str):
    """The text of a CSV cell: the only kind of text in which a number may be written."""

    __slots__ = ()

    def parsed(self) -> bool | float | int | None:
        """The number or truth value that the cell holds, else None."""
        literal = self.strip()
        if not _NUMBER.fullmatch(literal):
            return _TRUTH.get(literal.lower())
        digits = literal.lstrip("+-")
        return int(literal) if digits.isdigit() and len(digits) < 20 else float(literal)


class Item(NamedTuple):
    """One line, row, list element or whole document.

    ``name`` is what to call a problem that the item itself does not name.
    """

    value: Any
    name: str
    line: int | None = None
    place: str = ""


class Tries(NamedTuple):
    """Some tries of one problem; a ``key`` may occur only once in all that is read."""

    problem: str
    scores: Sequence[float]
    texts: Sequence[str | None]
    key: Hashable = None


class Count(NamedTuple):
    """All tries of one problem, counted."""

    problem: str
    samples: int
    successes: int

    @property
    def key(self) -> Hashable:
        return self.problem


class Format(Protocol):
    """What the module of a format offers."""

    SHAPE: str

    def recognises(self, value: Any) -> bool:
        """Whether the value has the fields that tell this format from the others."""

    def parse(self, item: Item) -> Iterator[Tries | Count]:
        """The tries in an item that was recognised; ItemError for what is not allowed in it."""


def has_fields(value: Any, *names: str) -> bool:
    """Whether the value is an object with all of these fields."""
    return isinstance(value, dict) and all(name in value for name in names)


def list_field(record: dict[str, Any], name: str, *fields: str) -> list[Any]:
    """The non-empty list under a name; with ``fields``, every element must have them all."""
    value = record.get(name)
    if not isinstance(value, list) or not value:
        raise ItemError(f"{name} = {excerpt(value)}", f"a list with at least one element as {name}")
    for element in value if fields else ():
        if not has_fields(element, *fields):
            allowed = f"objects with the fields {', '.join(fields)} in {name}"
            raise ItemError(excerpt(element), allowed)
    return value


def identifier(record: dict[str, Any], name: str) -> str:
    """The text or whole number that names something, as text."""
    value = record.get(name)
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63:
        return str(value)
    if isinstance(value, str) and value.strip() and not _has_surrogates(value):
        return str(value)
    raise ItemError(f"{name} = {excerpt(value)}", f"a non-empty text or a whole number as {name}")


def score(value: Any, name: str) -> float:
    """A finite score; true and false are 1 and 0."""
    number = value.parsed() if isinstance(value, Cell) else value
    if isinstance(number, bool | int | float):
        try:
            result = float(number)
        except OverflowError:
            result = math.inf
        if math.isfinite(result):
            return result
    raise ItemError(f"{name} = {excerpt(value)}", f"a finite number, true or false as {name}")


def whole_number(record: dict[str, Any], name: str, *, at_least: int) -> int:
    """A whole number that fits 64 bits."""
    value = record.get(name)
    number = value.parsed() if isinstance(value, Cell) else value
    if isinstance(number, float) and number.is_integer():
        number = int(number)
    if isinstance(number, int) and not isinstance(number, bool) and at_least <= number < 2**63:
        return number
    raise ItemError(f"{name} = {excerpt(value)}", f"a whole number, at least {at_least}, as {name}")


def text(value: Any) -> str | None:
    """The text of a try, or None where it was not kept."""
    return value if isinstance(value, str) and value else None


def excerpt(value: Any) -> str:
    """A value in at most about 80 characters of one line."""
    try:
        shown = " ".join(reprlib.repr(value).split())
    except ValueError:  # more digits than Python is willing to print
        shown = "a number of thousands of digits"
    return shown if len(shown) <= 80 else f"{shown[:77]}..."


def _has_surrogates(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return True
    return False
