"""LiveCodeBench's ``*_eval_all.json``: one object per question, one grade per try."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rolltheory.readers.records import (
    Item,
    ItemError,
    Tries,
    has_fields,
    identifier,
    list_field,
    score,
    text,
)

__all__ = ["SHAPE", "parse", "recognises"]

SHAPE = "[{question_id, graded_list: [bool], output_list: [text]}], each question once"


def recognises(value: Any) -> bool:
    """An object with question_id and graded_list."""
    return has_fields(value, "question_id", "graded_list")


def parse(item: Item) -> Iterator[Tries]:
    """All tries of one question."""
    record = item.value
    question = identifier(record, "question_id")
    grades = list_field(record, "graded_list")
    outputs = (
        list_field(record, "output_list") if record.get("output_list") else [None] * len(grades)
    )
    if len(outputs) != len(grades):
        found = f"{len(grades)} grades of {len(outputs)} outputs"
        raise ItemError(found, "graded_list and output_list of the same length")
    scores = [score(grade, "graded_list") for grade in grades]
    yield Tries(question, scores, [text(output) for output in outputs], key=question)
