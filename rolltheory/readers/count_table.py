"""A table of counts: n tries of a task, c of them successful."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rolltheory.readers.records import Count, Item, ItemError, has_fields, identifier, whole_number

__all__ = ["SHAPE", "parse", "recognises"]

SHAPE = "rows of {task_id, n, c} with 0 <= c <= n and n >= 1, each task once"


def recognises(value: Any) -> bool:
    """An object with task_id, n and c."""
    return has_fields(value, "task_id", "n", "c")


def parse(item: Item) -> Iterator[Count]:
    """One counted task."""
    samples = whole_number(item.value, "n", at_least=1)
    successes = whole_number(item.value, "c", at_least=0)
    if successes > samples:
        raise ItemError(f"c = {successes} of n = {samples}", "c <= n")
    yield Count(identifier(item.value, "task_id"), samples, successes)
