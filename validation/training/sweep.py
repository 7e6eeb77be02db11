"""Many runs on the workers of a joblib backend, each row kept as soon as it is there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rolltheory.errors import DomainError, RolltheoryError
from rolltheory.extras import missing_extra
from validation.training.experiments import perform
from validation.training.folder import ResultsFolder
from validation.training.runs import Row, Run

__all__ = ["sweep"]

_DEATHS_ALLOWED = 2
_SECONDS_TO_ANSWER = 10


def sweep(
    runs: Sequence[Run],
    folder: ResultsFolder,
    *,
    backend: str = "loky",
    scheduler: str | None = None,
    jobs: int = 1,
    on_row: Callable[[Row], None] = lambda _: None,
    execute: Callable[[Run], Row] = perform,
) -> list[Row]:
    """Rows of all the runs, in their order; those that the folder has are not run again.

    Parameters
    ----------
    runs, folder
        The folder was opened for these runs.
    backend : str
        "loky" (processes here), "dask", "ray", or any name that was registered with joblib.
    scheduler : str, optional
        Address of a running Dask scheduler, such as ``tcp://127.0.0.1:8786``.
    jobs : int
        Processes at once; a cluster decides for itself.
    on_row
        Told of each row as it is there, also of those that were there before.
    execute
        What a worker does with a run.

    Raises
    ------
    DomainError
        for an unknown backend, or a scheduler that does not answer or has no workers.
    RolltheoryError
        if workers keep dying; the rows of runs that ended are in the folder.
    """
    rows = folder.rows(runs)
    for row in rows.values():
        on_row(row)
    with _workers(backend, scheduler, jobs):
        for remaining in range(_DEATHS_ALLOWED, -1, -1):
            pending = [run for run in runs if run.key not in rows]
            try:
                for row in _performed(pending, execute):
                    folder.add(row)
                    rows[row.run.key] = row
                    on_row(row)
                break
            except _worker_deaths() as error:
                if not remaining:
                    names = "; ".join(run.label for run in runs if run.key not in rows)
                    raise RolltheoryError(
                        f"a worker died {_DEATHS_ALLOWED + 1} times (out of memory, or killed); "
                        f"not run: {names}"
                    ) from error
    return [rows[run.key] for run in runs]


def _performed(runs: Sequence[Run], execute: Callable[[Run], Row]) -> Iterator[Row]:
    """The rows as they arrive, or in small lots from a backend that returns all at once."""
    from joblib import Parallel, delayed, parallel

    active, count = parallel.get_active_backend()
    if active.supports_return_generator:
        yield from Parallel(return_as="generator_unordered")(delayed(execute)(run) for run in runs)
        return
    lot = max(1, active.effective_n_jobs(count or -1))
    for start in range(0, len(runs), lot):
        yield from Parallel()(delayed(execute)(run) for run in runs[start : start + lot])


@contextmanager
def _workers(backend: str, scheduler: str | None, jobs: int) -> Iterator[None]:
    """The joblib backend that the block computes on."""
    if scheduler is not None and backend != "dask":
        raise DomainError("scheduler", scheduler, "the backend dask")
    if backend == "dask":
        with _connected(scheduler), _configured("dask"):
            yield
        return
    if backend == "ray":
        _register_ray()
    with _configured(backend, n_jobs=jobs):
        yield


def _configured(backend: str, **settings: Any) -> Any:
    from joblib import parallel_config

    try:
        return parallel_config(backend=backend, **settings)
    except (KeyError, ValueError):
        allowed = "loky, dask, ray, or a name registered with joblib"
        raise DomainError("backend", backend, allowed) from None


@contextmanager
def _connected(scheduler: str | None) -> Iterator[None]:
    """A client of the scheduler that answers and has workers."""
    if scheduler is None:
        raise DomainError("scheduler", None, "the address of a running Dask scheduler")
    try:
        from distributed import Client
    except ModuleNotFoundError as error:
        raise missing_extra(error, "the backend dask") or error from error
    try:
        client = Client(scheduler, timeout=_SECONDS_TO_ANSWER)
    except (OSError, ValueError) as error:
        reason = f"a Dask scheduler that answers within {_SECONDS_TO_ANSWER} s"
        raise DomainError("scheduler", scheduler, reason) from error
    with client:
        try:
            client.wait_for_workers(1, timeout=_SECONDS_TO_ANSWER)
        except TimeoutError as error:
            raise DomainError("scheduler", scheduler, "a Dask scheduler with workers") from error
        yield


def _register_ray() -> None:
    try:
        from ray.util.joblib import register_ray
    except ModuleNotFoundError as error:
        raise missing_extra(error, "the backend ray") or error from error
    register_ray()


def _worker_deaths() -> tuple[type[Exception], ...]:
    """What the backends raise when a worker is gone."""
    from joblib.externals.loky.process_executor import BrokenProcessPool

    try:
        from distributed.client import FutureCancelledError
        from distributed.scheduler import KilledWorker
    except ModuleNotFoundError:
        return (BrokenProcessPool,)
    return (BrokenProcessPool, KilledWorker, FutureCancelledError)
