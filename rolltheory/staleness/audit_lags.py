"""What a log says of lags, versions, buffers and dropped samples."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rolltheory.errors import AssumptionError
from rolltheory.staleness.findings import Check, Finding, Level, Settings
from rolltheory.staleness.lag_profile import lag_in_updates, lag_profile, reconstructed_lag
from rolltheory.staleness.run_log import LagDefinition, RunLog, Series
from rolltheory.staleness.selection import selection_bias_bound

__all__ = ["LAG_CHECKS", "log_lag"]

_FEWEST_ROWS = 16
_NO_LAG = 2.0**53
_GREW = 2.0  # a lag at least doubled, and by one version at least
_SURE = 4.0  # standard errors
_BUFFER_SPREAD = 0.05
_LONG_TAIL = 3.0


def log_lag(log: RunLog) -> Series | None:
    """The lag of a log: as logged, else reconstructed from versions, else None.

    Parameters
    ----------
    log : RunLog

    Returns
    -------
    Series of the mean lag, or of the largest where only that is known

    Raises
    ------
    AssumptionError
        if a sample is newer than the learner, or a lag no count of anything.
    """
    logged = log.get("lag_mean", "lag_max")
    if logged is not None:
        if logged.low < 0:
            found = f"{logged.raw_key} = {logged.low:g} in {log.source}"
            raise AssumptionError("no sample is newer than the learner", found)
        if logged.high >= _NO_LAG:
            found = f"{logged.raw_key} = {logged.high:g} in {log.source}"
            raise AssumptionError("a lag is a number of updates or versions", found)
        return logged
    oldest = log.get("oldest_sample_version")
    newest = log.get("newest_sample_version")
    if oldest is None or newest is None:
        return None
    current = log.get("current_version")
    columns = [oldest, newest, *([current] if current else [])]
    whole = np.logical_and.reduce([np.isfinite(column.values) for column in columns])
    if not whole.any():
        return None
    lag = np.full(log.steps.size, np.nan)
    lag[whole] = reconstructed_lag(*(column.values[whole] for column in columns))
    held = lag[whole]
    return Series(
        "lag_max",
        ", ".join(column.raw_key for column in columns),
        lag,
        low=float(held.min()),
        high=float(held.max()),
        total=float(held.sum()),
        count=held.size,
        lag=LagDefinition("weight versions", "oldest"),
    )


def _profile(log: RunLog, settings: Settings) -> Iterator[Finding]:
    lag = log_lag(log)
    if lag is None or lag.lag is None:
        statement = "the log holds no lag and no versions of samples, so nothing depends on it here"
        yield Finding("lag.profile", Level.UNKNOWN, statement)
        return
    most = log.get("lag_max") or lag
    profile = lag_profile(lag.finite)
    numbers = {
        "mean": lag.mean,
        "largest": max(lag.high, most.high),
        "zero_share": profile.zero_share,
        "early": profile.early,
        "late": profile.late,
    }
    what = "mean" if lag.quantity == "lag_mean" else "oldest part's"
    text = (
        f"{what} lag {lag.mean:.3g}, largest {numbers['largest']:g} {lag.lag.unit}; in a trajectory"
        f" of several versions the {lag.lag.token} one counts"
    )
    if lag.lag.token == "not stated":
        text = f"{text.partition(';')[0]}; which version of a trajectory counts is not stated"
    if log.get("lag_mean", "lag_max") is None:
        sure = "" if log.get("current_version") else ", a lower bound as the learner's own is not"
        text += f"; reconstructed from the versions that samples bear{sure}"
    keys = tuple(dict.fromkeys((lag.raw_key, most.raw_key)))
    yield Finding("lag.profile", Level.NOTE, text, numbers, keys)
    yield _unit(lag, numbers["largest"], settings)


def _unit(lag: Series, largest: float, settings: Settings) -> Finding:
    definition = lag.lag or LagDefinition("weight versions")
    try:
        low, high = lag_in_updates(
            [lag.mean, largest], definition, updates_per_version=settings.updates_per_version
        )
    except AssumptionError as error:
        return Finding("lag.updates", Level.UNKNOWN, str(error), keys=(lag.raw_key,))
    numbers = {"mean_low": low[0], "mean_high": high[0], "largest": high[1]}
    text = f"in learner updates: mean {low[0]:.3g} to {high[0]:.3g}, largest {high[1]:g}"
    numbers = {name: float(value) for name, value in numbers.items()}
    return Finding("lag.updates", Level.NOTE, text, numbers, (lag.raw_key,))


def _bound(log: RunLog, settings: Settings) -> Iterator[Finding]:
    lag = log_lag(log)
    if lag is None:
        return
    most = log.get("lag_max") or lag
    if settings.lag_bound is not None:
        beyond = most.high > settings.lag_bound
        numbers = {"largest": most.high, "bound": settings.lag_bound}
        text = f"largest lag {most.high:g} against the configured bound {settings.lag_bound:g}"
        yield Finding(
            "lag.bound", Level.ALARM if beyond else Level.GOOD, text, numbers, (most.raw_key,)
        )
    if lag.finite.size < _FEWEST_ROWS:
        return
    profile = lag_profile(lag.finite)
    quarter = lag.finite.size // 4
    spread = lag.finite[:quarter].var() + lag.finite[-quarter:].var()
    least = max(1.0, _SURE * float(np.sqrt(spread / quarter)))
    if profile.late >= _GREW * profile.early and profile.late - profile.early >= least:
        resumed = any("resumed at step" in note for note in log.notes)
        text = (
            f"the lag grows, from {profile.early:.3g} in the first quarter to {profile.late:.3g} in"
            f" the last{', across a resume' if resumed else ''}: something no longer holds it back"
        )
        numbers = {"early": profile.early, "late": profile.late}
        yield Finding("lag.growth", Level.ALARM, text, numbers, (lag.raw_key,))


def _mixed(log: RunLog, settings: Settings) -> Iterator[Finding]:
    del settings
    share = log.get("mixed_version_fraction")
    span = log.get("version_span_max")
    found = share or span
    if found is None or found.high <= 0:
        return
    lag = log.get("lag_mean", "lag_max")
    blind = lag is None or lag.lag is None or lag.lag.token in ("newest", "not stated")
    keys = tuple(series.raw_key for series in (share, span) if series)
    numbers = {"share": share.mean} if share else {}
    numbers |= {"span": span.high} if span else {}
    text = "some trajectories hold tokens of several weight versions"
    if share:
        text = f"on average {share.mean:.0%} of the trajectories hold tokens of several versions"
    if span:
        text += f", up to {span.high:g} apart"
    stale = log.get("stale_samples")
    if blind and lag is None and stale is not None:
        text += (
            f"; {stale.raw_key} goes by the newest of them, and hides that older parts are staler"
        )
    elif blind:
        text += "; a lag by the newest version hides that older parts are staler"
    text += ". A histogram of lags weighted by tokens, oldest and newest, would tell"
    yield Finding("lag.mixed_versions", Level.ALARM if blind else Level.NOTE, text, numbers, keys)


def _buffer(log: RunLog, settings: Settings) -> Iterator[Finding]:
    del settings
    size, lag = log.get("buffer_size"), log.get("lag_mean", "lag_max")
    if size is None or lag is None:
        return
    held, age = log.paired(size.quantity, lag.quantity)
    last = max(held.size // 2, 1)
    held, age = held[-last:], age[-last:]
    if held.size < 4 or np.ptp(held) > _BUFFER_SPREAD * held.max():
        return
    rise = float(age[-1] - age[0])
    if rise >= 2 and (np.diff(age) >= 0).mean() > 0.9:
        text = (
            f"the buffer stays at {held[-1]:g} while the age of what is in it rises by {rise:.3g}:"
            " one target waits for a straggler. The fill and age of each target would name it"
        )
        numbers = {"buffer_size": float(held[-1]), "age_rise": rise}
        keys = (size.raw_key, lag.raw_key)
        yield Finding("buffer.straggler", Level.ALARM, text, numbers, keys)


def _selection(log: RunLog, settings: Settings) -> Iterator[Finding]:
    del settings
    dropped, made = log.get("dropped_samples"), log.get("generated_samples")
    if dropped is None or dropped.total <= 0:
        return
    numbers = {"dropped": dropped.total}
    text = f"{dropped.total:g} samples or groups were dropped as stale"
    keys = [dropped.raw_key]
    if made is not None and made.total > 0:
        share = min(dropped.total / made.total, 1.0)
        numbers |= {"share": share, "bias_bound": float(selection_bias_bound(share, 1.0))}
        text += f", {share:.1%} of those generated: the mean reward may be off by that of its range"
        keys.append(made.raw_key)
    else:
        text += (
            "; what share that is, and how far the mean reward may be off, needs the count of those"
            " generated (--map generated_samples=KEY)"
        )
    half, tail = log.get("duration_p50"), log.get("duration_p99")
    if half is None or tail is None or half.mean <= 0:
        text += ". Whether slow prompts starve cannot be told: the log has no durations"
        yield Finding("selection.dropped", Level.ALARM, text, numbers, tuple(keys))
        return
    ratio = tail.mean / half.mean
    numbers |= {"duration_ratio": ratio}
    slow = "slow prompts starve" if ratio >= _LONG_TAIL else "durations are even, so few starve"
    text += f". The slowest take {ratio:.3g} times the median: {slow}"
    keys += [half.raw_key, tail.raw_key]
    even = Level.NOTE if "share" in numbers else Level.UNKNOWN
    level = Level.ALARM if ratio >= _LONG_TAIL else even
    yield Finding("selection.dropped", level, text, numbers, tuple(keys))


LAG_CHECKS: tuple[Check, ...] = (_profile, _bound, _mixed, _buffer, _selection)
"""Checks on lags, versions, buffers and selection."""
