"""Which weights a batch was sampled with: lag schedules, and a rollout queue with stragglers.

Versions and lags are counted in learner updates, time in ticks of the rollout workers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rolltheory.errors import DomainError
from rolltheory.numerics.arguments import integer_array, probability_array

__all__ = ["QueueRun", "fixed_lags", "random_lags", "rollout_queue", "sync_lags"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

_NEVER = np.iinfo(np.int64).max


def fixed_lags(updates: int, lag: Any) -> IntArray:
    """Lags ``(updates, *lag.shape)`` of batches that are always the same number of updates old.

    >>> fixed_lags(4, [1, 2]).T
    array([[0, 1, 1, 1],
           [0, 1, 2, 2]])
    """
    most = integer_array("lag", lag, at_least=0)
    return np.minimum(_clock(updates, most), most)


def sync_lags(updates: int, interval: Any) -> IntArray:
    """Lags ``(updates, *interval.shape)`` where the sampler is replaced every interval of updates.

    >>> sync_lags(5, [1, 3]).T
    array([[0, 0, 0, 0, 0],
           [0, 1, 2, 0, 1]])
    """
    cycle = integer_array("interval", interval, at_least=1)
    return _clock(updates, cycle) % cycle


def random_lags(updates: int, largest: Any, *, generator: np.random.Generator) -> IntArray:
    """Independent lags ``(updates, *largest.shape)``, uniform on 0, ..., largest.

    >>> bool(random_lags(100, 2, generator=np.random.default_rng(0)).max() == 2)
    True
    """
    most = integer_array("largest", largest, at_least=0)
    drawn = generator.integers(0, most + 1, size=(updates, *most.shape))
    return np.minimum(_clock(updates, most), drawn)


@dataclass(frozen=True)
class QueueRun:
    """What a learner met while a rollout queue fed it: T updates of R runs on batches of B groups.

    Attributes
    ----------
    oldest_lag, newest_lag : arrays (T, R, B), updates since the weights that sampled the first and
        the last token of each group
    mean_lag : array (T, R, B), the same on average over the group's tokens
    duration : array (T, R, B), ticks that each group took
    dropped, dropped_ticks : arrays (T, R), groups dropped as too old since the update before, and
        ticks that these took together
    tick : array (T, R), when each update was made
    """

    oldest_lag: IntArray
    newest_lag: IntArray
    mean_lag: FloatArray
    duration: IntArray
    dropped: IntArray
    dropped_ticks: IntArray
    tick: IntArray


def rollout_queue(
    largest_lag: Any,
    straggler_share: Any,
    *,
    updates: int,
    workers: int,
    batch_size: int,
    fast_ticks: int = 4,
    slow_ticks: int = 16,
    generator: np.random.Generator,
) -> QueueRun:
    """Feed learners from workers that go on sampling while the learner learns.

    A worker samples one token of its group per tick with the newest weights, so that a group may
    mix versions, and keeps the finished group until the learner takes it. The learner makes an
    update at each tick at which a batch is ready, on the groups that finished first. A finished
    group whose first token is older than the largest lag is dropped. A group takes 1, ...,
    ``fast_ticks`` ticks, a straggler ``slow_ticks``.

    Parameters
    ----------
    largest_lag : array, hard bound on the oldest lag, at least 0
    straggler_share : array, probability that a group is a straggler; both broadcast to the R runs
    updates : T, how many each run makes
    workers, batch_size : groups in flight or waiting at a time, and B, groups per update
    fast_ticks, slow_ticks : durations
    generator : source of the durations

    Returns
    -------
    `QueueRun`

    Examples
    --------
    >>> run = rollout_queue([0, 4], 0.2, updates=50, workers=12, batch_size=4,
    ...                     generator=np.random.default_rng(0))
    >>> run.oldest_lag.max((0, 2)), run.dropped.sum(0) > 0
    (array([0, 4]), array([ True,  True]))
    """
    if not 1 <= batch_size <= workers:
        raise DomainError("batch_size", batch_size, f"1 to {workers}, the number of workers")
    bound = integer_array("largest_lag", largest_lag, at_least=0)
    share = probability_array("straggler_share", straggler_share)
    bound, share = (a.ravel() for a in np.broadcast_arrays(bound, share))
    crew = _Workers(workers, share, (fast_ticks, slow_ticks), generator)
    book = _Book(updates, bound.size, batch_size)
    while (book.update < updates).any():
        crew.sample(book.update)
        done = crew.remaining == 0
        stale = done & (book.update[:, None] - crew.first > bound[:, None])
        book.drop(stale, crew)
        taken = _first_finished(done & ~stale, crew, batch_size)
        taken &= (book.update < updates)[:, None]
        book.take(taken, crew)
        crew.restart(stale | taken, book.update)
    return book.record


class _Workers:
    """State (R, W) of every worker: versions of its first and newest token, and time."""

    def __init__(
        self,
        workers: int,
        straggler_share: FloatArray,
        ticks: tuple[int, int],
        generator: np.random.Generator,
    ) -> None:
        shape = (straggler_share.size, workers)
        self.share = np.broadcast_to(straggler_share[:, None], shape)
        self.ticks, self.generator, self.now = ticks, generator, 0
        self.first, self.newest, self.version_sum, self.duration, self.remaining, self.finish = (
            np.zeros(shape, dtype=np.int64) for _ in range(6)
        )
        self.restart(np.ones(shape, dtype=bool), np.zeros(shape[0], dtype=np.int64))

    def restart(self, which: BoolArray, version: IntArray) -> None:
        fast, slow = self.ticks
        drawn = self.generator.integers(1, fast + 1, size=which.sum())
        straggles = self.generator.random(drawn.size) < self.share[which]
        self.duration[which] = self.remaining[which] = np.where(straggles, slow, drawn)
        self.first[which] = np.broadcast_to(version[:, None], which.shape)[which]
        self.version_sum[which] = 0

    def sample(self, version: IntArray) -> None:
        running = self.remaining > 0
        self.version_sum += running * version[:, None]
        self.newest = np.where(running, version[:, None], self.newest)
        self.finish = np.where(running, self.now, self.finish)
        self.remaining -= running
        self.now += 1


class _Book:
    """What is recorded of each update."""

    def __init__(self, updates: int, runs: int, batch_size: int) -> None:
        groups, totals = (updates, runs, batch_size), (updates, runs)
        self.record = QueueRun(
            oldest_lag=np.zeros(groups, dtype=np.int64),
            newest_lag=np.zeros(groups, dtype=np.int64),
            mean_lag=np.zeros(groups),
            duration=np.zeros(groups, dtype=np.int64),
            dropped=np.zeros(totals, dtype=np.int64),
            dropped_ticks=np.zeros(totals, dtype=np.int64),
            tick=np.zeros(totals, dtype=np.int64),
        )
        self.update = np.zeros(runs, dtype=np.int64)

    def drop(self, stale: BoolArray, crew: _Workers) -> None:
        open_runs = np.flatnonzero(self.update < len(self.record.tick))
        place = (self.update[open_runs], open_runs)
        self.record.dropped[place] += stale.sum(1)[open_runs]
        self.record.dropped_ticks[place] += (stale * crew.duration).sum(1)[open_runs]

    def take(self, taken: BoolArray, crew: _Workers) -> None:
        runs = np.flatnonzero(taken.any(1))
        place, version = (self.update[runs], runs), self.update[runs, None]

        def chosen(values: IntArray) -> IntArray:
            return values[taken].reshape(runs.size, self.record.duration.shape[2])

        self.record.oldest_lag[place] = version - chosen(crew.first)
        self.record.newest_lag[place] = version - chosen(crew.newest)
        duration = chosen(crew.duration)
        self.record.mean_lag[place] = version - chosen(crew.version_sum) / duration
        self.record.duration[place] = duration
        self.record.tick[place] = crew.now
        self.update[runs] += 1


def _first_finished(done: BoolArray, crew: _Workers, batch_size: int) -> BoolArray:
    """The batch of each run that has one: its groups that finished first."""
    order = np.argsort(np.where(done, crew.finish, _NEVER), axis=1, kind="stable")
    chosen = np.zeros(done.shape, dtype=bool)
    np.put_along_axis(chosen, order[:, :batch_size], True, axis=1)
    chosen &= (done.sum(1) >= batch_size)[:, None]
    return chosen


def _clock(updates: int, like: IntArray) -> IntArray:
    return np.arange(updates).reshape(-1, *([1] * like.ndim))
