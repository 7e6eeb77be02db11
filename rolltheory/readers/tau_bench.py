"""Trajectories of tau-bench: one object per task and trial."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from rolltheory.readers.records import Item, Tries, has_fields, identifier, score

__all__ = ["SHAPE", "parse", "recognises"]

SHAPE = "[{task_id, trial, reward, traj}], each task and trial once"


def recognises(value: Any) -> bool:
    """An object with task_id, trial and reward."""
    return has_fields(value, "task_id", "trial", "reward")


def parse(item: Item) -> Iterator[Tries]:
    """One trial of one task."""
    record = item.value
    task, trial = identifier(record, "task_id"), identifier(record, "trial")
    trajectory = record.get("traj")
    words = json.dumps(trajectory) if trajectory else None
    key = f"task_id {task}, trial {trial}"
    yield Tries(task, [score(record["reward"], "reward")], [words], key=key)
