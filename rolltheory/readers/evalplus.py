"""evalplus' ``eval_results.json``, with graded scores: 1 passes all tests, 1/2 the base tests only.

At the threshold 1 this is evalplus' own "base + extra" number, at 1/2 its "base" number. A run of
the base tests alone has no second status; passing them scores 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rolltheory.readers.records import (
    Item,
    ItemError,
    Tries,
    excerpt,
    has_fields,
    identifier,
    list_field,
    text,
)

__all__ = ["SHAPE", "parse", "recognises"]

SHAPE = "{eval: {TASK: [{base_status, plus_status, solution}]}}"

_PASSED = {"pass": True, "fail": False, "timeout": False}


def recognises(value: Any) -> bool:
    """An object whose ``eval`` maps tasks to tries."""
    return has_fields(value, "eval") and isinstance(value["eval"], dict)


def parse(item: Item) -> Iterator[Tries]:
    """Every task of the run."""
    tasks = item.value["eval"]
    for name in tasks:
        tries = list_field(tasks, name, "base_status")
        yield Tries(
            identifier({"task": name}, "task"),
            [_score(attempt) for attempt in tries],
            [text(attempt.get("solution")) for attempt in tries],
            key=name,
        )


def _score(attempt: dict[str, Any]) -> float:
    base = _passed(attempt["base_status"], "base_status")
    if attempt.get("plus_status") is None:
        return float(base)
    plus = _passed(attempt["plus_status"], "plus_status")
    return (base + (base and plus)) / 2


def _passed(status: Any, name: str) -> bool:
    if not isinstance(status, str) or status not in _PASSED:
        raise ItemError(f"{name} = {excerpt(status)}", f"{', '.join(_PASSED)} as {name}")
    return _PASSED[status]
