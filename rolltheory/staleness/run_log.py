"""What a training log holds, in one vocabulary, whatever framework wrote it.

A log is columns over learner steps. Names tell apart what must not be mixed: the two estimators of
a KL, ratios before and after truncation, the sampler's ratio and that of the trust region.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from rolltheory.errors import DomainError

__all__ = ["QUANTITIES", "LagDefinition", "RunLog", "Series", "UnknownKey"]

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]

_SAMPLER = "the trainer's policy over the sampler's"
_ANCHOR = "the current policy over the anchor of the trust region"

QUANTITIES: Mapping[str, str] = {
    "lag_mean": "mean lag of a batch",
    "lag_max": "largest lag in a batch",
    "lag_min": "smallest lag in a batch",
    "current_version": "weight version that learns",
    "oldest_sample_version": "oldest weight version that sampled a part of the batch",
    "newest_sample_version": "newest weight version that sampled a part of the batch",
    "mixed_version_fraction": "share of trajectories that more than one weight version sampled",
    "version_span_max": "most weight versions that one trajectory spans beyond its first",
    "buffer_size": "samples or groups in the buffer",
    "sampler_kl_k1": "KL(sampler || trainer), mean of the negative log-ratio, nats per token",
    "sampler_kl_k2": "KL(sampler || trainer), half the mean squared log-ratio, nats per token",
    "sampler_kl_k3": "KL(sampler || trainer), mean of r - 1 - log r, nats per token",
    "anchor_kl_k1": "KL(anchor || current), mean of the negative log-ratio, nats per token",
    "anchor_kl_k3": "KL(anchor || current), mean of r - 1 - log r, nats per token",
    "reference_kl": "KL to a frozen reference policy, which says nothing of staleness",
    "log_probability_gap_mean": "mean absolute log-ratio between sampler and trainer, nats",
    "log_probability_gap_max": "largest absolute log-ratio between sampler and trainer, nats",
    "probability_gap_mean": "mean absolute difference of probabilities, sampler against trainer",
    "ratio_excess": "mean of exp|log-ratio| between sampler and trainer",
    "sampler_ratio_mean": f"mean ratio, {_SAMPLER}",
    "sampler_ratio_min": f"smallest ratio, {_SAMPLER}",
    "sampler_ratio_max": f"largest ratio, {_SAMPLER}",
    "sampler_ratio_p99": f"99th percentile of the ratio, {_SAMPLER}",
    "truncated_sampler_ratio_mean": f"mean ratio after truncation or masking, {_SAMPLER}",
    "truncated_sampler_ratio_min": f"smallest ratio after truncation or masking, {_SAMPLER}",
    "truncated_sampler_ratio_max": f"largest ratio after truncation or masking, {_SAMPLER}",
    "anchor_ratio_mean": f"mean ratio, {_ANCHOR}",
    "anchor_ratio_min": f"smallest ratio, {_ANCHOR}",
    "anchor_ratio_max": f"largest ratio, {_ANCHOR}",
    "truncated_anchor_ratio_mean": f"mean ratio after clamping, {_ANCHOR}",
    "ess_fraction": "effective share of the tokens, by their own weights",
    "sequence_ess_fraction": "effective share of the sequences, by their own weights",
    "clip_fraction": "share of tokens whose gradient the trust region's clip removes",
    "masked_fraction": "share of tokens or sequences that truncation, masking or rejection hits",
    "learning_rate": "learning rate",
    "gradient_norm": "gradient norm, as a rule before clipping",
    "gradient_cosine": "cosine of consecutive gradients",
    "entropy": "entropy of the policy, nats per token",
    "reward": "mean reward",
    "response_length": "mean response length, tokens",
    "response_length_max": "largest response length, tokens",
    "dropped_samples": "samples or groups dropped as stale, per row",
    "generated_samples": "samples generated, per row",
    "stale_samples": "stale samples used, per row",
    "duration_p50": "median time to sample a response, seconds",
    "duration_p99": "99th percentile of the time to sample a response, seconds",
}
"""Canonical names with what they mean; the step is apart, every log has it."""


@dataclass(frozen=True, slots=True)
class LagDefinition:
    """What a framework counts as lag.

    Attributes
    ----------
    unit : "learner updates" or "weight versions"
    token : whose version counts in a trajectory of several: "oldest", "newest", "mean" or
        "not stated"
    """

    unit: str
    token: str = "not stated"

    def __post_init__(self) -> None:
        if self.unit not in ("learner updates", "weight versions"):
            raise DomainError("unit", self.unit, "'learner updates' or 'weight versions'")
        if self.token not in ("oldest", "newest", "mean", "not stated"):
            raise DomainError("token", self.token, "'oldest', 'newest', 'mean' or 'not stated'")


@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """One quantity over the rows of a log.

    Attributes
    ----------
    quantity : a name in `QUANTITIES`
    raw_key : what the log calls it
    values : shape (N,), NaN where a row has no finite value
    low, high, total : smallest and largest finite value and their sum over all rows of the log,
        those left out of ``values`` by thinning too
    count, not_finite : numbers of finite and of NaN or infinite values over all rows
    lag : what counts as lag, for quantities that are lags

    A quantity that is never finite is a series too, of count 0.
    """

    quantity: str
    raw_key: str
    values: FloatArray
    low: float
    high: float
    total: float
    count: int
    not_finite: int = 0
    lag: LagDefinition | None = None

    def __post_init__(self) -> None:
        if self.quantity not in QUANTITIES:
            raise DomainError("quantity", self.quantity, "a name in QUANTITIES")

    @property
    def finite(self) -> FloatArray:
        """The finite values, in order."""
        return self.values[np.isfinite(self.values)]

    @property
    def mean(self) -> float:
        """Mean over all rows with a finite value."""
        return self.total / self.count


@dataclass(frozen=True, slots=True)
class UnknownKey:
    """A key that no name in the vocabulary covers, and the known key most like it, if one is."""

    name: str
    nearest: str | None = None


@dataclass(frozen=True, eq=False)
class RunLog:
    """A training log in the common vocabulary.

    Attributes
    ----------
    source, format : the file, and the framework that wrote it
    steps : shape (N,), strictly increasing
    series : one for each quantity that the log holds, all of N values
    rows : rows of the log, of which N were kept
    defaults : settings of the framework that matter for the audit, unless the user says otherwise
    limits : what logs of this framework cannot say
    notes : what was odd in the file
    unused : pairs of raw keys: one that was not used, and the one used for the same quantity
    unknown : keys that were not understood
    """

    source: str
    format: str
    steps: IntArray
    series: tuple[Series, ...]
    rows: int
    defaults: Mapping[str, float] = field(default_factory=dict)
    limits: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    unused: tuple[tuple[str, str], ...] = ()
    unknown: tuple[UnknownKey, ...] = ()

    def __post_init__(self) -> None:
        if self.steps.ndim != 1 or not self.steps.size or (np.diff(self.steps) <= 0).any():
            raise DomainError("steps", self.steps, "one or more steps, strictly increasing")
        names = [series.quantity for series in self.series]
        if len(set(names)) < len(names):
            raise DomainError("series", names, "each quantity once")
        for series in self.series:
            if series.values.shape != self.steps.shape:
                raise DomainError("series", series.values.shape, f"shape {self.steps.shape}")

    def get(self, *quantities: str) -> Series | None:
        """The first of the quantities of which the log holds a finite value, else None."""
        held = {series.quantity: series for series in self.series if series.count}
        return next((held[name] for name in quantities if name in held), None)

    def paired(self, *quantities: str) -> tuple[FloatArray, ...]:
        """Values of several quantities in the rows that have them all."""
        columns = []
        for name in quantities:
            series = self.get(name)
            if series is None:
                raise DomainError("quantities", name, "quantities that the log holds")
            columns.append(series.values)
        whole = np.logical_and.reduce([np.isfinite(column) for column in columns])
        return tuple(column[whole] for column in columns)
