"""What a log says of importance ratios, clipping, effective samples and the cosine of gradients."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.special import ndtr

from rolltheory.errors import AssumptionError
from rolltheory.staleness.audit_lags import log_lag
from rolltheory.staleness.cosines import fresh_gradient_cosine, snr_from_cosine
from rolltheory.staleness.findings import Check, Finding, Level, Settings
from rolltheory.staleness.kl_exponent import kl_growth
from rolltheory.staleness.lognormal import (
    log_variance_from_masked_mean,
    log_variance_from_truncated_mean,
)
from rolltheory.staleness.run_log import RunLog, Series
from rolltheory.staleness.weights import (
    clamp_for_effective_sample_fraction,
    effective_sample_floor,
    sequence_effective_sample_fraction,
)

__all__ = ["RATIO_CHECKS"]

_NOTHING = 1e-7  # a KL or a distance of a ratio from 1 that is rounding
_ROUNDING = 1e-5  # a mean KL beside a clip that never acts
_FOREIGN, _OWN = 0.01, 0.5  # KL of the trust region over that of the sampler
_FEW = 0.1
_SEEN = 1e-3

_SINGLE_PRECISION = 1e-6
"""Relative error of a number that passed through single precision and a log's few digits."""

_LAW = (
    "The law of fresh data is of a ratio of means, which a mean of cosines tends to in high"
    " dimension only"
)


def _cap(log: RunLog, settings: Settings) -> float | None:
    return log.defaults.get("ratio_cap") if settings.ratio_cap is None else settings.ratio_cap


def _outside(log: RunLog, least: float, cap: float) -> tuple[Series, ...]:
    """What is logged of truncated ratios but cannot come from ratios between these limits."""
    names = (f"truncated_sampler_ratio_{part}" for part in ("min", "mean", "max"))
    held = [series for name in names if (series := log.get(name)) is not None]
    low, high = least * (1 - _SINGLE_PRECISION), cap * (1 + _SINGLE_PRECISION)
    return tuple(series for series in held if series.low < low or series.high > high)


def _contradicted(topic: str, outside: tuple[Series, ...], limits: str) -> Finding:
    found = ", ".join(f"{held.raw_key} from {held.low:g} to {held.high:g}" for held in outside)
    text = f"{found} cannot come from ratios {limits}; name the run's cap (--ratio-cap)"
    return Finding(topic, Level.UNKNOWN, text, keys=tuple(held.raw_key for held in outside))


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
            yield _by_share(*compared, numbers, (*keys, lag.raw_key))
            return
    yield _by_size(clip, kl, lag, numbers, keys)


def _anchor_share(log: RunLog, kl: Series, lag: Series) -> tuple[float, str] | None:
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
    return float(np.abs(kl.values[stale]).mean() / drift), sampler.raw_key


def _by_share(
    share: float, sampler: str, numbers: dict[str, float], keys: tuple[str, ...]
) -> Finding:
    numbers, keys = numbers | {"anchor_share": share}, (*keys, sampler)
    text = f"at positive lag the KL of the trust region is {share:.2g} times that of the sampler"
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


def _ess(log: RunLog, settings: Settings) -> Iterator[Finding]:
    ess = log.get("ess_fraction", "sequence_ess_fraction")
    if ess is None:
        return
    cap = _cap(log, settings)
    if cap is not None and cap > 1 and (outside := _outside(log, 1 / cap, cap)):
        yield _contradicted("ess.floor", outside, f"within [1/{cap:g}, {cap:g}]")
    elif cap is not None and cap > 1:
        floor = float(effective_sample_floor(1 / cap, cap))
        needed = float(clamp_for_effective_sample_fraction(settings.ess_alarm))
        numbers = {"floor": floor, "alarm": settings.ess_alarm, "cap_needed": needed}
        if floor >= settings.ess_alarm:
            text = (
                f"weights within [1/{cap:g}, {cap:g}] have an effective share of at least"
                f" {floor:.2f}: an alarm below {settings.ess_alarm:g} can never fire, it needs a"
                f" cap above {needed:.3f}"
            )
            yield Finding("ess.floor", Level.ALARM, text, numbers, (ess.raw_key,))
        else:
            text = f"the effective share can fall to {floor:.2g}, below the alarm"
            yield Finding("ess.floor", Level.GOOD, text, numbers, (ess.raw_key,))
    length = log.get("response_length")
    if ess.quantity == "ess_fraction" and length is not None and 0 < ess.low <= 1:
        yield _sequence_ess(ess, length)


def _sequence_ess(ess: Series, length: Series) -> Finding:
    tokens = max(round(length.mean), 1)
    share = float(sequence_effective_sample_fraction(ess.low, tokens))
    numbers = {"lowest": ess.low, "length": float(tokens), "sequence_share": share}
    text = (
        f"lowest effective share of tokens {ess.low:.3f}, which over {tokens} tokens is"
        f" {share:.2g} of the sequences; it is blind to weights near 0 and to the direction of the"
        " mismatch, so tails of the ratio must be read beside it"
    )
    level = Level.ALARM if share < _FEW else Level.GOOD
    return Finding("ess.sequences", level, text, numbers, (ess.raw_key, length.raw_key))


def _truncation(log: RunLog, settings: Settings) -> Iterator[Finding]:
    """A mean after truncation implies a spread, if the raw ratio is log-normal of mean 1."""
    mean, cap = log.get("truncated_sampler_ratio_mean"), _cap(log, settings)
    if mean is None:
        return
    if cap is not None and (outside := _outside(log, 0.0, cap)):
        yield _contradicted("ratio.truncation", outside, f"of at most {cap:g}")
        return
    if cap is None or cap <= 1 or not 0 < mean.mean <= 1:
        text = f"mean ratio {mean.mean:.3f} after truncation; the raw ratio cannot be told from it"
        yield Finding("ratio.truncation", Level.UNKNOWN, text, {"mean": mean.mean}, (mean.raw_key,))
        return
    cut = float(log_variance_from_truncated_mean(mean.mean, cap))
    masked = float(log_variance_from_masked_mean(mean.mean, cap))
    numbers = {
        "mean": mean.mean,
        "cap": cap,
        "log_variance_truncated": cut,
        "log_variance_masked": masked,
        "share_above_truncated": _share_above(cut, cap),
        "share_above_masked": _share_above(masked, cap),
    }
    text = (
        f"mean ratio {mean.mean:.3f} after a cap at {cap:g}: a log-normal ratio of mean 1 gives"
        f" that at log-variance {cut:.3g} if truncated, {masked:.3g} if masked. Long sequences"
        " alone make such ratios, no changed policy is needed; quantiles and the share that is hit"
        " would have to be logged before the cap"
    )
    level = Level.ALARM if mean.mean < 1 - _FEW else Level.NOTE
    yield Finding("ratio.truncation", level, text, numbers, (mean.raw_key,))


def _share_above(log_variance: float, cap: float) -> float:
    if log_variance == 0:
        return 0.0
    root = np.sqrt(log_variance)
    return float(ndtr(-(np.log(cap) / root + root / 2)))


def _length(log: RunLog, settings: Settings) -> Iterator[Finding]:
    """A gap per token times the length is the log of a sequence ratio, at worst."""
    gap, length = log.get("log_probability_gap_mean"), log.get("response_length")
    cap = _cap(log, settings)
    if gap is None or length is None or cap is None or gap.mean <= 0:
        return
    exponent = gap.mean * length.mean
    reach = float(np.log(cap) / gap.mean)
    numbers = {"gap": gap.mean, "length": length.mean, "log_ratio": exponent, "longest": reach}
    ratio = f"{np.exp(exponent):.3g}" if exponent < 500 else "astronomic"
    text = (
        f"a gap of {gap.mean:.3g} nats per token over {length.mean:.4g} tokens makes a sequence"
        f" ratio of up to {ratio}; the cap {cap:g} is reached at {reach:.4g} tokens"
    )
    beyond = exponent > np.log(cap)
    if beyond:
        text += ". The ratio explodes with the length: use token ratios or a geometric mean"
    yield Finding(
        "ratio.length",
        Level.ALARM if beyond else Level.GOOD,
        text,
        numbers,
        (gap.raw_key, length.raw_key),
    )


def _one_sided(log: RunLog, settings: Settings) -> Iterator[Finding]:
    """E[r] = 1 for policies with the same support; top-p and the like cut the sampler's."""
    ratio = log.get("sampler_ratio_mean", "truncated_sampler_ratio_mean")
    gap = log.get("log_probability_gap_mean", "sampler_kl_k1")
    if ratio is None or gap is None or not (0 < ratio.mean < 1 and gap.mean > _SEEN):
        return
    share = float(-np.log(ratio.mean) / gap.mean)
    numbers = {"mean_ratio": ratio.mean, "gap": gap.mean, "one_sided_share": share}
    keys = (ratio.raw_key, gap.raw_key)
    if not 0.5 <= share <= 1.5:
        return
    text = (
        f"the mean ratio {ratio.mean:.3f} is the exponential of minus the mean gap {gap.mean:.3g}:"
        " nearly all tokens are off to one side, as when top-p, top-k or min-p cut the sampler's"
        " support and its probabilities are those after the cut"
    )
    if settings.kept_mass is not None:
        numbers["kept_mass"] = settings.kept_mass
        text += f"; the mass said to be kept is {settings.kept_mass:.3f}"
    else:
        text += f"; a kept mass near {ratio.mean:.3f} would explain it (--kept-mass)"
    yield Finding("ratio.one_sided", Level.ALARM, text, numbers, keys)


def _tails(log: RunLog, settings: Settings) -> Iterator[Finding]:
    del settings
    top = log.get("sampler_ratio_p99", "sampler_ratio_max")
    if top is None:
        text = "no quantile or maximum of the ratio is logged before truncation: tails are unknown"
        yield Finding("ratio.tails", Level.UNKNOWN, text)
        return
    low = log.get("sampler_ratio_min")
    numbers = {"highest": top.high, **({"lowest": low.low} if low else {})}
    wide = top.high > 10 or (low is not None and low.low < 0.1)
    text = f"largest ratio before truncation {top.high:.3g}"
    text += f", smallest {low.low:.3g}" if low else ""
    if wide:
        text += ": a few tokens carry the gradient's variance, which no mean shows"
    keys = (top.raw_key, *((low.raw_key,) if low else ()))
    yield Finding("ratio.tails", Level.ALARM if wide else Level.GOOD, text, numbers, keys)


def _cosine(log: RunLog, settings: Settings) -> Iterator[Finding]:
    cosine = log.get("gradient_cosine")
    if cosine is None:
        text = "the cosine of consecutive gradients is not logged, an early sign of aligned drift"
        yield Finding("gradient.cosine", Level.UNKNOWN, text)
        return
    mean, keys = cosine.mean, (cosine.raw_key,)
    if max(-cosine.low, cosine.high) > 1 + _ROUNDING:
        text = f"{cosine.raw_key} from {cosine.low:g} to {cosine.high:g} is no cosine"
        yield Finding("gradient.cosine", Level.UNKNOWN, text, keys=keys)
        return
    numbers = {"cosine": mean}
    if settings.signal_to_noise is None:
        implied = (
            f", or a signal to noise of {float(snr_from_cosine(mean)):.3g}" if 0 < mean < 1 else ""
        )
        text = (
            f"mean cosine {mean:.2f}: aligned drift{implied} on fresh data; which, the signal to"
            f" noise of a batch would tell (--signal-to-noise). {_LAW}"
        )
        yield Finding("gradient.cosine", Level.UNKNOWN, text, numbers, keys)
        return
    fresh = float(fresh_gradient_cosine(settings.signal_to_noise))
    numbers["fresh"] = fresh
    beyond = mean > fresh + _FEW
    text = f"mean cosine {mean:.2f} against {fresh:.2f} of fresh independent batches"
    text += ": more aligned than fresh data are" if beyond else ": as fresh data have it"
    text += f". {_LAW}"
    yield Finding("gradient.cosine", Level.ALARM if beyond else Level.GOOD, text, numbers, keys)


RATIO_CHECKS: tuple[Check, ...] = (
    _inert,
    _zero_lag,
    _ess,
    _truncation,
    _length,
    _one_sided,
    _tails,
    _cosine,
)
"""Checks on ratios, clipping, effective samples and cosines."""
