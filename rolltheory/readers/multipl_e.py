"""MultiPL-E's ``*.results.json``, one per problem: a pass has status OK and exit code 0."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rolltheory.readers.records import Item, Tries, has_fields, identifier, list_field, text

__all__ = ["SHAPE", "parse", "recognises"]

SHAPE = "{name, results: [{status, exit_code, program}]}"


def recognises(value: Any) -> bool:
    """An object with results, the first of which has a status."""
    if not has_fields(value, "results") or not isinstance(value["results"], list):
        return False
    return bool(value["results"]) and has_fields(value["results"][0], "status")


def parse(item: Item) -> Iterator[Tries]:
    """All tries of one problem."""
    results = list_field(item.value, "results", "status", "exit_code")
    problem = identifier(item.value, "name") if "name" in item.value else item.name
    scores = [float(attempt["status"] == "OK" and attempt["exit_code"] == 0) for attempt in results]
    yield Tries(problem, scores, [text(attempt.get("program")) for attempt in results], key=problem)
