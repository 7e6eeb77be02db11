"""large_language_monkeys: one YAML file per problem, named after it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rolltheory.readers.records import Item, ItemError, Tries, has_fields, list_field, score, text

__all__ = ["SHAPE", "parse", "recognises"]

SHAPE = "{is_corrects: [bool], samples: [text]}; is_correct is read as well"

_NAMES = ("is_corrects", "is_correct")  # the evaluation scripts and the published files differ


def recognises(value: Any) -> bool:
    """An object with is_corrects or is_correct."""
    return any(has_fields(value, name) for name in _NAMES)


def parse(item: Item) -> Iterator[Tries]:
    """All tries of one problem."""
    record = item.value
    name = next(name for name in _NAMES if name in record)
    grades = list_field(record, name)
    samples = list_field(record, "samples") if record.get("samples") else [None] * len(grades)
    if len(samples) != len(grades):
        found = f"{len(grades)} grades of {len(samples)} samples"
        raise ItemError(found, f"{name} and samples of the same length")
    scores = [score(grade, name) for grade in grades]
    yield Tries(item.name, scores, [text(sample) for sample in samples], key=item.name)
