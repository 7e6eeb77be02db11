"""Runs that find no memory, and workers of other versions."""

from dataclasses import replace

import pytest
import torch

from rolltheory.errors import RolltheoryError
from validation.training import experiments as module
from validation.training.experiments import experiments, perform, planned
from validation.training.runs import Outcome


def test_a_run_that_finds_no_memory_is_a_result(monkeypatch):
    def execute(_run, _generator):
        raise torch.OutOfMemoryError("no memory\nand a long table")

    run = planned(["staleness"], device="cpu")[0]
    known = experiments()[f"{run.theory}/{run.experiment}"]
    monkeypatch.setattr(module, "experiments", lambda: {known.id: replace(known, execute=execute)})
    row = perform(run)
    assert (row.outcome, row.note, row.observed) == (Outcome.OUT_OF_MEMORY, "no memory", {})


def test_a_worker_of_other_versions_is_refused():
    run = planned(["staleness"], device="cpu")[0]
    with pytest.raises(RolltheoryError, match="planned with"):
        perform(replace(run, versions=(("torch", "1.0"),)))
