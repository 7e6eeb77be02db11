"""What a log says of importance ratios, effective samples and the cosine of gradients."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.special import ndtr

from rolltheory.staleness.cosines import fresh_gradient_cosine, snr_from_cosine
from rolltheory.staleness.findings import Check, Finding, Level, Settings
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

_FEW = 0.1
_TOO_LONG = 2.0**53  # no mean of tokens
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


def _ess(log: RunLog, settings: Settings) -> Iterator[Finding]:
    ess = log.get("ess_fraction", "sequence_ess_fraction")
    if ess is None:
        return
    yield _floor(log, ess, settings)
    if ess.quantity != "ess_fraction" or not 0 < ess.low <= 1:
        return
    length = log.get("response_length")
    if length is None or not 0 < length.mean < _TOO_LONG:
        text = (
            f"lowest effective share of tokens {ess.low:.3f}; what that is of the sequences needs"
            " the mean response length, which the log does not hold under a known name, or as one"
            " (--map response_length=KEY)"
        )
        numbers = {"lowest": ess.low}
        yield Finding("ess.sequences", Level.UNKNOWN, text, numbers, (ess.raw_key,))
        return
    yield _sequence_ess(ess, length)


def _floor(log: RunLog, ess: Series, settings: Settings) -> Finding:
    """An effective share of clamped weights has a floor, below which no alarm fires."""
    topic, keys, cap = "ess.floor", (ess.raw_key,), _cap(log, settings)
    if cap is None or cap <= 1:
        text = (
            "whether an alarm on the effective share can fire depends on the cap of the weights,"
            " which is not known (--ratio-cap); weights that nothing clamps have no floor"
        )
        return Finding(topic, Level.UNKNOWN, text, {"alarm": settings.ess_alarm}, keys)
    if outside := _outside(log, 1 / cap, cap):
        return _contradicted(topic, outside, f"within [1/{cap:g}, {cap:g}]")
    floor = float(effective_sample_floor(1 / cap, cap))
    needed = float(clamp_for_effective_sample_fraction(settings.ess_alarm))
    numbers = {"floor": floor, "alarm": settings.ess_alarm, "cap_needed": needed}
    if ess.low < floor * (1 - _SINGLE_PRECISION):
        text = (
            f"the effective share falls to {ess.low:.2g}, below the {floor:.2g} of weights within"
            f" [1/{cap:g}, {cap:g}]: they are not clamped from below, and an alarm can fire"
        )
        return Finding(topic, Level.NOTE, text, numbers, keys)
    if floor < settings.ess_alarm:
        text = f"the effective share can fall to {floor:.2g}, below the alarm"
        return Finding(topic, Level.NOTE, text, numbers, keys)
    text = (
        f"weights clamped to [1/{cap:g}, {cap:g}] have an effective share of at least {floor:.2f}:"
        f" an alarm below {settings.ess_alarm:g} can never fire, it needs a cap above {needed:.3f}."
        " Weights that are clamped from above only have no floor"
    )
    return Finding(topic, Level.ALARM, text, numbers, keys)


def _sequence_ess(ess: Series, length: Series) -> Finding:
    tokens = max(round(length.mean), 1)
    share = float(sequence_effective_sample_fraction(ess.low, tokens))
    numbers = {"lowest": ess.low, "length": float(tokens), "sequence_share": share}
    text = (
        f"lowest effective share of tokens {ess.low:.3f}; if the {tokens} tokens of a response are"
        f" independent, that is {ess.low:.3f}^{tokens} = {share:.2g} of the sequences. It is blind"
        " to weights near 0 and to the direction of the mismatch, so read the tails of the ratio"
        " beside it"
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
    if _one_sided_share(log) is not None:
        text += ". A one-sided gap explains the mean as well, see ratio.one_sided"
        level = Level.UNKNOWN if settings.kept_mass is None else Level.NOTE
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
    if gap is None or length is None or gap.mean < np.finfo(np.float64).tiny:
        return
    exponent = gap.mean * length.mean
    numbers = {"gap": gap.mean, "length": length.mean, "log_ratio": exponent}
    ratio = f"{np.exp(exponent):.3g}" if exponent < 500 else "astronomic"
    text = (
        f"if ratios are per sequence, a gap of {gap.mean:.3g} nats per token over"
        f" {length.mean:.4g} tokens makes one of up to {ratio}"
    )
    if cap is None:
        text += f"; whether a cap cuts it is not known ({_suggested_cap(log)})"
        keys = (gap.raw_key, length.raw_key)
        yield Finding("ratio.length", Level.UNKNOWN, text, numbers, keys)
        return
    reach = float(np.log(cap) / gap.mean)
    numbers |= {"longest": reach}
    text += f"; the cap {cap:g} is reached at {reach:.4g} tokens"
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


def _suggested_cap(log: RunLog) -> str:
    """The option for the cap, with the value at which the largest ratio stays."""
    most = log.get("truncated_sampler_ratio_max", "sampler_ratio_max")
    if most is None or most.low < most.high or most.high <= 1:
        return "--ratio-cap"
    return f"--ratio-cap {most.high:g}, the largest ratio in the log throughout"


def _one_sided_share(log: RunLog) -> tuple[Series, Series, float] | None:
    """Mean ratio, mean gap, and the share of the gap on one side, if nearly all of it is."""
    ratio = log.get("sampler_ratio_mean", "truncated_sampler_ratio_mean")
    gap = log.get("log_probability_gap_mean", "sampler_kl_k1")
    if ratio is None or gap is None or not (0 < ratio.mean < 1 and gap.mean > _SEEN):
        return None
    share = float(-np.log(ratio.mean) / gap.mean)
    return (ratio, gap, share) if 0.5 <= share <= 1.5 else None


def _one_sided(log: RunLog, settings: Settings) -> Iterator[Finding]:
    """E[r] = 1 for policies with the same support; top-p and the like cut the sampler's."""
    found = _one_sided_share(log)
    if found is None:
        return
    ratio, gap, share = found
    numbers = {"mean_ratio": ratio.mean, "gap": gap.mean, "one_sided_share": share}
    text = (
        f"the mean ratio {ratio.mean:.3f} is the exponential of minus the mean gap {gap.mean:.3g}:"
        " nearly all tokens are off to one side, as when top-p, top-k or min-p cut the sampler's"
        " support and its probabilities are those after the cut"
    )
    level = Level.ALARM
    if settings.kept_mass is not None:
        numbers["kept_mass"] = settings.kept_mass
        text += f"; the mass said to be kept is {settings.kept_mass:.3f}"
    else:
        text += f"; a kept mass near {ratio.mean:.3f} would explain it (--kept-mass)"
        if ratio.quantity.startswith("truncated"):
            text += ", and so would the cap on long sequences, see ratio.truncation"
            level = Level.UNKNOWN
    yield Finding("ratio.one_sided", level, text, numbers, (ratio.raw_key, gap.raw_key))


def _tails(log: RunLog, settings: Settings) -> Iterator[Finding]:
    top, cap = log.get("sampler_ratio_p99", "sampler_ratio_max"), _cap(log, settings)
    if top is None:
        text = "no quantile or maximum of the ratio is logged before truncation: tails are unknown"
        yield Finding("ratio.tails", Level.UNKNOWN, text)
        return
    if cap is not None and abs(top.high / cap - 1) <= _SINGLE_PRECISION:
        text = f"the largest ratio {top.high:g} is the cap: it is that after truncation"
        yield Finding("ratio.tails", Level.UNKNOWN, text, {"highest": top.high}, (top.raw_key,))
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
    if max(-cosine.low, cosine.high) > 1 + _SINGLE_PRECISION:
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
    _ess,
    _truncation,
    _length,
    _one_sided,
    _tails,
    _cosine,
)
"""Checks on ratios, effective samples and cosines."""
