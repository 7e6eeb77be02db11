"""The training runs on the command line, on a grid of two short runs."""

import json

import pytest

from validation.training import experiments as module
from validation.training.experiments import experiments


@pytest.fixture
def short(monkeypatch):
    """One experiment, with two short runs."""
    from dataclasses import replace

    known = experiments()["staleness/small_groups"]
    point = {**known.grid["smoke"][0], "updates": 9}
    brief = replace(known, grid={"smoke": [point]}, seeds={"smoke": 2})
    monkeypatch.setattr(module, "experiments", lambda: {known.id: brief})


def test_rows_and_evidence_are_kept(rolltheory, short, tmp_path):
    out = tmp_path / "out"
    options = ("--backend", "threading", "--jobs", 1, "--out", out, "--device", "cpu")
    first = rolltheory("validate", "staleness", *options)
    assert first.exit_code == 0, first.output
    assert "1 of 1 comparisons as declared; 2 runs (2 finished)" in first.stdout
    assert len(list((out / "rows").iterdir())) == 2
    found = json.loads((out / "evidence.json").read_text())
    assert [piece["kind"] for piece in found["evidence"]] == ["trained"]
    assert found["evidence"][0]["teeth_missed"] == []

    refused = rolltheory("validate", "staleness", *options)
    assert refused.exit_code == 2
    assert "--resume" in refused.stderr
    kept = {path: path.stat().st_mtime_ns for path in (out / "rows").iterdir()}
    again = rolltheory("validate", "staleness", *options, "--resume", "--json", "-")
    assert again.exit_code == 0
    assert json.loads(again.stdout) == found
    assert kept == {path: path.stat().st_mtime_ns for path in (out / "rows").iterdir()}


def test_bad_words_are_refused(refusal, tmp_path):
    assert "one with training runs" in refusal("validate", "chess", "--out", tmp_path)
    assert "smoke" in refusal("validate", "--scale", "huge")
    assert "the backend dask" in refusal(
        "validate", "--scheduler", "tcp://127.0.0.1:1", "--out", tmp_path / "out"
    )
