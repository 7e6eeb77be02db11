"""A bare matrix of scores: one row per problem, one column per try, problems named 1, 2, ..."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rolltheory.readers.records import Item, Tries, score

__all__ = ["SHAPE", "parse", "recognises"]

SHAPE = "M rows of N scores (CSV without a header, a JSON list of lists, or .npy)"


def recognises(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and not isinstance(value[0], dict | list)


def parse(item: Item) -> Iterator[Tries]:
    scores = [score(value, f"column {number}") for number, value in enumerate(item.value, 1)]
    yield Tries(item.name, scores, [None] * len(scores), key=item.name)
