"""Sweeps on processes and on a cluster: nothing is lost, nothing is done twice."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rolltheory.errors import DomainError, RolltheoryError
from validation.training.folder import opened
from validation.training.runs import Outcome, Row, Run
from validation.training.sweep import sweep

REPOSITORY = Path(__file__).parents[2]


def runs(count):
    return [
        Run("t", "e", (("place", i),), 0, "smoke", "cpu", "float64", True, ()) for i in range(count)
    ]


def recorded(folder, seconds=0.0):
    """A run that leaves a trace of having been done, in a file that all processes append to."""

    def execute(run):
        time.sleep(seconds)
        with open(folder / "done.log", "a") as log:
            log.write(f"{run.at('place')}\n")
        return Row(run, Outcome.FINISHED, {"square": float(run.at("place") ** 2)})

    return execute


def done(folder):
    log = folder / "done.log"
    return [int(line) for line in log.read_text().split()] if log.exists() else []


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_every_run_is_done_once_and_in_order(tmp_path, backend, jobs):
    wanted = runs(6)
    with opened(tmp_path / "out", wanted, resume=False) as place:
        rows = sweep(wanted, place, backend=backend, jobs=jobs, execute=recorded(tmp_path))
        assert [row.run for row in rows] == wanted
        assert sorted(done(tmp_path)) == list(range(6))
        seen = []
        again = sweep(wanted, place, execute=recorded(tmp_path), on_row=seen.append)
    assert again == rows == seen
    assert len(done(tmp_path)) == 6


def test_a_backend_without_a_stream_works_in_lots(tmp_path):
    wanted = runs(5)
    with opened(tmp_path / "out", wanted, resume=False) as place:
        rows = sweep(wanted, place, backend="multiprocessing", jobs=2, execute=plain)
    assert [row.observed["square"] for row in rows] == [0, 1, 4, 9, 16]


def plain(run):
    return Row(run, Outcome.FINISHED, {"square": float(run.at("place") ** 2)})


def test_unknown_backends_and_lonely_schedulers_are_refused(tmp_path):
    wanted = runs(1)
    with opened(tmp_path, wanted, resume=False) as place:
        for settings, said in (
            ({"backend": "nowhere"}, "backend = 'nowhere'"),
            ({"scheduler": "tcp://127.0.0.1:1"}, "the backend dask"),
            ({"backend": "dask"}, "address of a running Dask scheduler"),
        ):
            with pytest.raises(DomainError, match=said):
                sweep(wanted, place, execute=plain, **settings)


def test_a_scheduler_that_does_not_answer_is_named_in_seconds(tmp_path, monkeypatch):
    monkeypatch.setattr("validation.training.sweep._SECONDS_TO_ANSWER", 1)
    wanted = runs(1)
    with (
        opened(tmp_path, wanted, resume=False) as place,
        pytest.raises(DomainError, match="answers within 1 s"),
    ):
        sweep(wanted, place, backend="dask", scheduler="tcp://127.0.0.1:9", execute=plain)


def test_a_worker_that_dies_once_loses_nothing(tmp_path):
    def execute(run):
        if run.at("place") == 2 and not (tmp_path / "died").exists():
            (tmp_path / "died").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return Row(run, Outcome.FINISHED)

    wanted = runs(4)
    with opened(tmp_path / "out", wanted, resume=False) as place:
        assert [row.run for row in sweep(wanted, place, jobs=2, execute=execute)] == wanted


def test_workers_that_keep_dying_end_the_sweep(tmp_path):
    def execute(run):
        if run.at("place") == 1:
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(0.1)
        return Row(run, Outcome.FINISHED)

    wanted = runs(2)
    with opened(tmp_path / "out", wanted, resume=False) as place:
        with pytest.raises(RolltheoryError, match=r"died 3 times.*place=1"):
            sweep(wanted, place, jobs=2, execute=execute)
        assert set(place.rows(wanted)) <= {wanted[0].key}


SCRIPT = """
import sys
from pathlib import Path
sys.path.insert(0, {tests!r})
from test_sweep import recorded, runs
from validation.training.folder import opened
from validation.training.sweep import sweep
if __name__ == "__main__":
    wanted = runs(8)
    with opened(Path({folder!r}) / "out", wanted, resume=True) as place:
        sweep(wanted, place, jobs=1, execute=recorded(Path({folder!r}), 0.2))
"""


def test_a_killed_sweep_goes_on_where_it_was(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.format(tests=str(Path(__file__).parent), folder=str(tmp_path)))
    command = [sys.executable, str(script)]
    first = subprocess.Popen(command, cwd=REPOSITORY, env={**os.environ, "PYTHONPATH": "."})
    rows = tmp_path / "out" / "rows"
    while not (rows.is_dir() and len(list(rows.glob("[!.]*"))) >= 3):
        assert first.poll() is None
        time.sleep(0.02)
    first.kill()
    first.wait()
    kept = {path: path.read_bytes() for path in rows.glob("[!.]*")}
    (rows / ".cut_off.json").write_text("{")
    assert 3 <= len(kept) < 8
    subprocess.run(command, cwd=REPOSITORY, env={**os.environ, "PYTHONPATH": "."}, check=True)
    assert len(list(rows.iterdir())) == 8
    assert all(path.read_bytes() == text for path, text in kept.items())
    counts = [done(tmp_path).count(i) for i in range(8)]
    assert sum(counts) <= 9  # the one that was cut off may have been done, not written
    assert min(counts) == 1


@pytest.fixture
def cluster():
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1"
    ) as running:
        yield running


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_cluster_survives_the_death_of_a_worker(tmp_path, cluster):
    wanted = runs(12)
    killed = []

    def kill_one(row):
        if not killed and len(place.rows(wanted)) >= 3:
            worker = next(iter(cluster.workers.values()))
            killed.append(worker.pid)
            os.kill(worker.pid, signal.SIGKILL)

    with opened(tmp_path / "out", wanted, resume=False) as place:
        rows = sweep(
            wanted,
            place,
            backend="dask",
            scheduler=cluster.scheduler_address,
            execute=recorded(tmp_path, 0.2),
            on_row=kill_one,
        )
    assert killed
    assert [row.run for row in rows] == wanted
    assert [row.observed["square"] for row in rows] == [float(i * i) for i in range(12)]
