"""Batches that shrink where memory runs out, and workers of other versions."""

from dataclasses import replace

import pytest
import torch

from rolltheory.errors import RolltheoryError
from validation.training.devices import in_batches
from validation.training.experiments import perform, planned


def test_batches_shrink_until_they_fit():
    seen = []

    def evaluate(part):
        if part.stop - part.start > 3:
            raise torch.OutOfMemoryError("no memory")
        seen.extend(range(part.start, part.stop))
        return part

    parts, batch = in_batches(evaluate, 10, batch=8)
    assert seen == list(range(10))
    assert batch == 2
    assert len(parts) == 5


def test_one_that_does_not_fit_is_an_error():
    def evaluate(_):
        raise torch.OutOfMemoryError("no memory")

    with pytest.raises(torch.OutOfMemoryError):
        in_batches(evaluate, 3, batch=2)


def test_a_worker_of_other_versions_is_refused():
    run = planned(["staleness"], device="cpu")[0]
    with pytest.raises(RolltheoryError, match="planned with"):
        perform(replace(run, versions=(("torch", "1.0"),)))
