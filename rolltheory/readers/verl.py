"""verl's rollouts: one row per try, grouped by ``uid`` or, in its own dumps, by the prompt."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rolltheory.readers.records import Item, Tries, has_fields, identifier, score, text

__all__ = ["SHAPE", "parse", "recognises"]

SHAPE = "rows of {uid, score} or {input, output, score}"


def recognises(value: Any) -> bool:
    """An object with score and either uid or input."""
    return has_fields(value, "uid", "score") or has_fields(value, "input", "score")


def parse(item: Item) -> Iterator[Tries]:
    """One try."""
    record = item.value
    problem = identifier(record, "uid" if "uid" in record else "input")
    yield Tries(problem, [score(record["score"], "score")], [text(record.get("output"))])
