"""What an audit of a training log concludes, as data; a diagnostic, never support for a theorem."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from rolltheory.claims import Kind
from rolltheory.numerics.arguments import (
    integer_array,
    positive_array,
    probability_array,
    real_array,
)
from rolltheory.staleness._arrays import clip_edges
from rolltheory.staleness.run_log import RunLog, UnknownKey

__all__ = ["Audit", "Check", "Finding", "Level", "Settings", "checked"]


class Level(StrEnum):
    """How a finding should be taken."""

    GOOD = "good"
    NOTE = "note"
    ALARM = "alarm"
    UNKNOWN = "cannot tell"


@dataclass(frozen=True, slots=True)
class Finding:
    """One conclusion, or the reason why there is none.

    Attributes
    ----------
    topic : what it is about, such as "kl.exponent"
    level : how to take it
    statement : the conclusion; for "cannot tell" what is missing
    numbers : the numbers behind it
    keys : raw keys of the log that it rests on
    next_step : what to do about an alarm, else empty
    """

    topic: str
    level: Level
    statement: str
    numbers: Mapping[str, float] = field(default_factory=dict)
    keys: tuple[str, ...] = ()
    next_step: str = ""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a log does not say; None where it is not known.

    Attributes
    ----------
    updates_per_version : learner updates between two weight versions
    learning_rate : where it is not logged
    lag_bound : largest lag that the run was configured for, in the log's own unit
    clip_low, clip_high : the trust region's clip range
    clip_budget : share of clipped tokens that the batch radius of the lag rule allows; nothing else
        depends on it
    critical_radius : drift from the start, root of twice the KL in nats, at which runs collapse
    horizon : learner updates planned; by default those of the log
    group_size : responses per prompt
    ratio_cap : cap of truncated or masked ratios
    ess_alarm : effective share of samples below which the run's own alarm fires
    kept_mass : probability mass that top-p, top-k or min-p sampling keeps
    signal_to_noise : squared norm of the mean gradient over the trace of its covariance
    """

    updates_per_version: int | None = None
    learning_rate: float | None = None
    lag_bound: float | None = None
    clip_low: float = 0.2
    clip_high: float = 0.2
    clip_budget: float = 0.05
    critical_radius: float | None = None
    horizon: int | None = None
    group_size: int | None = None
    ratio_cap: float | None = None
    ess_alarm: float = 0.3
    kept_mass: float | None = None
    signal_to_noise: float | None = None


@dataclass(frozen=True, eq=False)
class Audit:
    """All findings of one log.

    Attributes
    ----------
    source, format : the log
    rows, first_step, last_step : its size
    findings : in the order of the checks, the alarms first
    limits : what logs of this framework cannot say
    notes, unused, unknown : as in `RunLog`
    evidence_kind : "observed", always
    """

    source: str
    format: str
    rows: int
    first_step: int
    last_step: int
    findings: tuple[Finding, ...]
    limits: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    unused: tuple[tuple[str, str], ...] = ()
    unknown: tuple[UnknownKey, ...] = ()
    evidence_kind: str = Kind.OBSERVED.value

    def of(self, topic: str) -> Finding | None:
        """The finding on a topic, None if the check did not apply."""
        return next((finding for finding in self.findings if finding.topic == topic), None)

    @property
    def alarms(self) -> tuple[Finding, ...]:
        """The findings that call for action."""
        return tuple(finding for finding in self.findings if finding.level is Level.ALARM)


Check: TypeAlias = Callable[[RunLog, Settings], Iterator[Finding]]
"""One check of an audit: from a log and settings to findings."""


def checked(settings: Settings) -> Settings:
    """The settings, if every one of them lies within its range.

    Raises
    ------
    DomainError
        for the first that does not.

    Examples
    --------
    >>> checked(Settings(group_size=1))
    Traceback (most recent call last):
    ...
    rolltheory.errors.DomainError: group_size = 1 is not allowed: need whole numbers, at least 2
    """
    for name in ("updates_per_version", "horizon", "group_size"):
        if (value := getattr(settings, name)) is not None:
            integer_array(name, value, at_least=2 if name == "group_size" else 1)
    shares = ("ess_alarm", "kept_mass")
    for name in ("learning_rate", "critical_radius", "ratio_cap", "signal_to_noise", *shares):
        if (value := getattr(settings, name)) is not None:
            positive_array(name, value)
    for name in ("clip_budget", *shares):
        if (value := getattr(settings, name)) is not None:
            probability_array(name, value)
    clip_edges(settings.clip_low, settings.clip_high)
    if settings.lag_bound is not None:
        real_array("lag_bound", settings.lag_bound, at_least=0.0)
    return settings
