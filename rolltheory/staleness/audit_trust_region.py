"""What a log says of the trust region: whether its anchor is the sampler, whether it acts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rolltheory.errors import AssumptionError
from rolltheory.staleness.audit_lags import log_lag
from rolltheory.staleness.findings import Check, Finding, Level, Settings
from rolltheory.staleness.kl_exponent import kl_growth
from rolltheory.staleness.run_log import RunLog, Series

__all__ = ["TRUST_REGION_CHECKS"]

_NOTHING = 1e-7  # a KL or a distance of a ratio from 1 that is rounding
_ROUNDING = 1e-5  # a mean KL beside a clip that never acts
_FOREIGN, _OWN = 0.01, 0.5  # KL of the trust region over that of the sampler
_SEEN = 1e-3


@dataclass(frozen=True, slots=True)
class _Share:
    """KL of the trust region over the growth of the sampler's, and what it was measured with."""

    share: float
    sampler_key: str
    numerics_known: bool


def _inert(log: RunLog, settings: Settings) -> Iterator[Finding]:
    """An anchor recomputed with the current weights makes clip and KL zero at any lag."""
    del settings
    clip = log.get("clip_fraction")
    kl = log.get("anchor_kl_k1", "anchor_kl_k3")
    held = tuple(series for series in (clip, kl) if series is not None)
    if not held:
        text = "the log holds neither clip fraction nor KL of the trust region"
        yield Finding("trust_region.inert", Level.UNKNOWN, text)
        return
    lag = log_lag(log)
    keys = tuple(series.raw_key for series in held)
    numbers = {series.quantity: max(abs(series.low), abs(series.high)) for series in held}
    moves = max(numbers.values()) > _NOTHING
    if lag is not None and lag.high <= 0:
        text = "clip fraction and KL are 0, as they should be at lag 0 with one update per batch"
        if moves:
            text = "clip fraction or KL of the trust region move, so it is not inert"
        yield Finding("trust_region.inert", Level.GOOD, text, numbers, keys)
        return
    if kl is not None and lag is not None and moves:
        compared = _anchor_share(log, kl, lag)
        if compared is not None:
            yield _by_share(compared, numbers, (*keys, lag.raw_key))
            return
    yield _by_size(clip, kl, lag, numbers, keys)


def _anchor_share(log: RunLog, kl: Series, lag: Series) -> _Share | None:
    """Anchor KL over sampler KL at positive lag, less what the sampler's has at lag 0."""
    sampler = log.get(f"sampler{kl.quantity[-3:]}", "sampler_kl_k3", "sampler_kl_k1")
    if sampler is None:
        return None
    whole = np.isfinite(kl.values) & np.isfinite(sampler.values) & np.isfinite(lag.values)
    stale, fresh = whole & (lag.values > 0), whole & (lag.values == 0)
    if not stale.any():
        return None
    drift = np.abs(sampler.values[stale]).mean()
    if fresh.any():
        drift -= np.abs(sampler.values[fresh]).mean()
    if drift <= _NOTHING:
        return None
    share = float(np.abs(kl.values[stale]).mean() / drift)
    return _Share(share, sampler.raw_key, bool(fresh.any()))


def _by_share(found: _Share, numbers: dict[str, float], keys: tuple[str, ...]) -> Finding:
    share = found.share
    numbers, keys = numbers | {"anchor_share": share}, (*keys, found.sampler_key)
    text = f"at positive lag the KL of the trust region is {share:.2g} times that of the sampler"
    if share < _FOREIGN and not found.numerics_known:
        text += (
            ": either the anchor is not the sampler, or nearly all of the sampler's KL is numerics."
            " Rows at lag 0, of which the log has none, would tell"
        )
        return Finding("trust_region.inert", Level.UNKNOWN, text, numbers, keys)
    if share < _FOREIGN:
        text += (
            ": the anchor is not the sampler, so clip and KL do not see the staleness. Which"
            " correction the run applies instead must be declared"
        )
        return Finding("trust_region.inert", Level.ALARM, text, numbers, keys)
    if share < _OWN:
        text += ": numerics of the sampler or an anchor newer than it, the log does not tell which"
        return Finding("trust_region.inert", Level.UNKNOWN, text, numbers, keys)
    text += ", so it is not inert"
    return Finding("trust_region.inert", Level.GOOD, text, numbers, keys)


def _by_size(
    clip: Series | None,
    kl: Series | None,
    lag: Series | None,
    numbers: dict[str, float],
    keys: tuple[str, ...],
) -> Finding:
    """What the trust region's own series say where no KL of the sampler is beside them."""
    topic = "trust_region.inert"
    clips = clip is not None and clip.high > _NOTHING
    rounding = _NOTHING if clip is None else _ROUNDING
    if clips or (kl is not None and np.abs(kl.finite).mean() >= rounding):
        if clips and kl is not None and lag is not None and _grows(lag, kl):
            text = (
                "the clip acts and the KL of the trust region grows with the lag: it is not inert"
            )
            return Finding(topic, Level.GOOD, text, numbers, (*keys, lag.raw_key))
        text = (
            "the trust region moves, as it also does within a batch of several updates; a KL of the"
            " sampler or a KL of the trust region that grows with the lag would show that its"
            " anchor is the sampler"
        )
        return Finding(topic, Level.UNKNOWN, text, numbers, keys)
    if clip is None or kl is None or lag is None:
        absent = "the lag" if lag is None else "its KL" if kl is None else "the clip fraction"
        text = f"what is logged of the trust region is 0 throughout; {absent} would tell why"
        return Finding(topic, Level.UNKNOWN, text, numbers, keys)
    text = (
        f"clip fraction and KL are 0 throughout although the lag reaches {lag.high:g}: the anchor"
        " is the current policy, so the clip is inert and the bias is that of no ratio at all."
        " Which correction the run applies instead must be declared"
    )
    if max(numbers.values()) > _NOTHING:
        text = text.replace("are 0 throughout", "are 0 but for rounding")
    return Finding(topic, Level.ALARM, text, numbers, (*keys, lag.raw_key))


def _grows(lag: Series, kl: Series) -> bool:
    both = np.isfinite(lag.values) & np.isfinite(kl.values)
    if not both.any():
        return False
    try:
        return kl_growth(lag.values[both], kl.values[both]).growth_low > 0
    except AssumptionError:
        return False


def _zero_lag(log: RunLog, settings: Settings) -> Iterator[Finding]:
    """At lag 0 with one update per batch: KL 0, clip fraction 0, mean ratio 1."""
    lag = log_lag(log)
    if lag is None or lag.high > 0:
        return
    expected = {
        "anchor_kl_k1": 0.0,
        "anchor_kl_k3": 0.0,
        "clip_fraction": 0.0,
        "anchor_ratio_mean": 1.0,
        "sampler_ratio_mean": 1.0,
        "truncated_sampler_ratio_mean": 1.0,
    }
    held = [series for name in expected if (series := log.get(name)) is not None]
    off = {s.quantity: s.mean for s in held if abs(s.mean - expected[s.quantity]) > _SEEN}
    keys = (*(series.raw_key for series in held), lag.raw_key)
    if not off:
        text = "at lag 0 the run is what a synchronous one would be, by all that is logged"
        yield Finding("zero_lag.equivalence", Level.GOOD, text, keys=keys)
        return
    found = ", ".join(f"{name} {value:.3g}" for name, value in off.items())
    updates = settings.updates_per_version
    cause = (
        f"{updates} updates per version"
        if updates and updates > 1
        else "several updates per batch, another batch per step, or numerics"
    )
    text = f"the lag is 0 but the run is not the synchronous one: {found}. Likely {cause}"
    yield Finding("zero_lag.equivalence", Level.ALARM, text, off, keys)


TRUST_REGION_CHECKS: tuple[Check, ...] = (_inert, _zero_lag)
"""Checks on the anchor of the trust region, and on a lag of 0."""
