"""Runs as records, rows as files, and a folder that keeps them."""

import dataclasses
import errno
import json
import math

import pytest

from rolltheory.errors import DomainError, ReaderError, RolltheoryError
from validation.training import folder as folder_module
from validation.training.folder import opened
from validation.training.runs import Outcome, Row, Run


def run(seed=0, **point):
    given = tuple(sorted({"lag": 4, **point}.items()))
    return Run("staleness", "bias", given, seed, "smoke", "cpu", "float64", True, (("torch", "2"),))


def row(of, value=0.1):
    return Row(of, Outcome.FINISHED, {"bias": value}, {"bias": 0.0}, seconds=1.5)


def test_keys_tell_runs_apart():
    runs = [run(), run(1), run(lag=5), dataclasses.replace(run(), dtype="float32")]
    assert len({r.key for r in runs}) == 4
    assert run().key == run().key


def test_a_missing_coordinate_is_named():
    with pytest.raises(DomainError, match=r"coordinate = 'rate'.*one of lag"):
        run().at("rate")


@pytest.mark.parametrize("value", [0.1 + 0.2, math.inf, -math.inf, (1.0, 2.0, math.inf)])
def test_rows_survive_a_file(value):
    there = json.loads(json.dumps(row(run(), value).as_json(), allow_nan=False))
    assert Row.from_json(there) == row(run(), value)


def test_what_is_no_number_survives_too():
    there = json.loads(json.dumps(row(run(), math.nan).as_json(), allow_nan=False))
    assert math.isnan(Row.from_json(there).observed["bias"])


def test_rows_are_kept_and_read_again(tmp_path):
    runs = [run(0), run(1)]
    with opened(tmp_path / "new" / "out", runs, resume=False) as place:
        place.add(row(runs[0]))
    with opened(tmp_path / "new" / "out", runs, resume=True) as place:
        assert place.rows(runs) == {runs[0].key: row(runs[0])}


def test_a_used_folder_needs_resume(tmp_path):
    with opened(tmp_path, [run()], resume=False) as place:
        place.add(row(run()))
    with (
        pytest.raises(DomainError, match="--resume to go on"),
        opened(tmp_path, [run()], resume=False),
    ):
        pass


@pytest.mark.parametrize(
    ("others", "said"),
    [
        ([run(lag=5)], "found runs"),
        ([run(0), run(1)], "found runs"),
        ([dataclasses.replace(run(), device="cuda H200")], "found device cpu"),
        ([dataclasses.replace(run(), scale="small")], "found scale smoke"),
        ([dataclasses.replace(run(), versions=(("torch", "3"),))], "found versions"),
        ([dataclasses.replace(run(), experiment="other")], "found experiments"),
    ],
)
def test_a_folder_of_other_runs_is_refused(tmp_path, others, said):
    with opened(tmp_path, [run()], resume=False):
        pass
    with pytest.raises(ReaderError, match=said), opened(tmp_path, others, resume=True):
        pass


def test_two_processes_cannot_share_a_folder(tmp_path):
    with (
        opened(tmp_path, [run()], resume=False),
        pytest.raises(DomainError, match="no other process"),
        opened(tmp_path, [run()], resume=True),
    ):
        pass


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(DomainError, match="a writable folder"),
        opened(tmp_path / "file", [run()], resume=False),
    ):
        pass


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"run": 1}'])
def test_a_damaged_row_is_named(tmp_path, text):
    with opened(tmp_path, [run()], resume=False) as place:
        (tmp_path / "rows" / f"{run().key}.json").write_text(text)
        with pytest.raises(ReaderError, match=f"{run().key}.json.*no row"):
            place.rows([run()])


def test_the_row_of_another_run_is_refused(tmp_path):
    with opened(tmp_path, [run()], resume=False) as place:
        text = json.dumps(row(run(1)).as_json())
        (tmp_path / "rows" / f"{run().key}.json").write_text(text)
        with pytest.raises(ReaderError, match=r"seed 1.*seed 0"):
            place.rows([run()])


@pytest.mark.parametrize("text", ["", "[]", "{}"])
def test_a_damaged_manifest_is_refused(tmp_path, text):
    (tmp_path / "rows").mkdir()
    (tmp_path / "manifest.json").write_text(text)
    with (
        pytest.raises(ReaderError, match=r"manifest\.json"),
        opened(tmp_path, [run()], resume=True),
    ):
        pass


def test_rows_without_a_manifest_are_refused(tmp_path):
    (tmp_path / "rows").mkdir()
    (tmp_path / "rows" / "stray.json").write_text("{}")
    with (
        pytest.raises(ReaderError, match="without a manifest"),
        opened(tmp_path, [run()], resume=True),
    ):
        pass


def test_a_full_disk_keeps_what_is_there(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    with opened(tmp_path, [run(0), run(1)], resume=False) as place:
        place.add(row(run(0)))
        monkeypatch.setattr(folder_module, "write_text", full)
        with pytest.raises(RolltheoryError, match=r"No space left.*--resume"):
            place.add(row(run(1)))
        assert set(place.rows([run(0), run(1)])) == {run(0).key}
