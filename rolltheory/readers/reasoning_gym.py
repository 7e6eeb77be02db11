"""Results of reasoning-gym's evaluation: a whole run, or one task of it per file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from rolltheory.readers.records import (
    Item,
    Tries,
    has_fields,
    identifier,
    list_field,
    score,
    text,
)

__all__ = ["SHAPE", "parse", "recognises"]

SHAPE = (
    "{categories: [{datasets: [TASK]}]} or a TASK alone, "
    "which is {name, results: [{question, completions: [{score, full_model_response}]}]}"
)


def recognises(value: Any) -> bool:
    """An object with categories, or with results that have completions."""
    if has_fields(value, "results"):
        results = value["results"]
        return isinstance(results, list) and bool(results) and has_fields(results[0], "completions")
    return has_fields(value, "categories")


def parse(item: Item) -> Iterator[Tries]:
    """Every question of every task; a question asked twice in a task is two problems."""
    for task in _tasks(item.value):
        name = identifier(task, "name")
        asked: Counter[str] = Counter()
        for result in list_field(task, "results", "question", "completions"):
            question = identifier(result, "question")
            asked[question] += 1
            again = f" #{asked[question]}" if asked[question] > 1 else ""
            problem = f"{question}{again} [{name}]"
            completions = list_field(result, "completions", "score")
            yield Tries(
                problem,
                [score(completion["score"], "score") for completion in completions],
                [text(completion.get("full_model_response")) for completion in completions],
                key=problem,
            )


def _tasks(run: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if "results" in run:
        yield run
        return
    for category in list_field(run, "categories", "datasets"):
        yield from list_field(category, "datasets", "name", "results")
