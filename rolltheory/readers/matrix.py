"""A bare matrix of scores: one row per problem, one column per try, problems named 1, 2, ...

Nothing in such a file says what it is, so only scores within [0, 1] are believed: a table of names
and scores, or of counts, that lost its header is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rolltheory.readers.records import Item, ItemError, Tries, score

__all__ = ["SHAPE", "parse", "recognises"]

SHAPE = "M rows of N scores within [0, 1] (CSV without a header, a JSON list of lists, or .npy)"


def recognises(value: Any) -> bool:
    """A list that starts with no list or object."""
    return isinstance(value, list) and bool(value) and not isinstance(value[0], dict | list)


def parse(item: Item) -> Iterator[Tries]:
    """All tries of one problem."""
    scores = [score(value, f"column {number}") for number, value in enumerate(item.value, 1)]
    for number, value in enumerate(scores, 1):
        if not 0.0 <= value <= 1.0:
            raise ItemError(f"column {number} = {value:g}", "scores within [0, 1] in a bare matrix")
    yield Tries(item.name, scores, [None] * len(scores), key=item.name)
