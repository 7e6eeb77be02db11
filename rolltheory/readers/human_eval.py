"""human-eval's ``*_results.jsonl``: one line per try; tries of a task have no number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rolltheory.readers.records import Item, Tries, has_fields, identifier, score, text

__all__ = ["SHAPE", "parse", "recognises"]

SHAPE = "lines of {task_id, passed, completion}"


def recognises(value: Any) -> bool:
    """An object with task_id and passed."""
    return has_fields(value, "task_id", "passed")


def parse(item: Item) -> Iterator[Tries]:
    """One try."""
    record = item.value
    passed = score(record["passed"], "passed")
    yield Tries(identifier(record, "task_id"), [passed], [text(record.get("completion"))])
