"""What a log says of the KL: numerics, staleness, length, and the two-constraint rule."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rolltheory.errors import AssumptionError, DomainError
from rolltheory.staleness.audit_lags import log_lag
from rolltheory.staleness.bias import bias_bound
from rolltheory.staleness.displacement import correlation_from_exponent, rms_collapse_time
from rolltheory.staleness.findings import Check, Finding, Level, Settings
from rolltheory.staleness.kl_exponent import KlGrowth, kl_growth
from rolltheory.staleness.lag_profile import lag_in_updates
from rolltheory.staleness.radii import SOFTMAX_SCORE_BOUND, batch_radius
from rolltheory.staleness.rule import collapse_time_lower_bound, stable_learning_rate
from rolltheory.staleness.run_log import FloatArray, RunLog, Series
from rolltheory.stats.fits import fit_power_law

__all__ = ["DRIFT_CHECKS"]

_SAMPLER_KLS = ("sampler_kl_k3", "sampler_kl_k1", "sampler_kl_k2")
_LENGTH_RANGE = 2.0
_LENGTH_EXPONENT = 0.5
_MOST_UPDATES = 1e12
_DIGITS = 1e-3  # of a learning rate, which a user types


@dataclass(frozen=True, slots=True)
class _KlAndLag:
    kl: Series
    lag: Series
    kl_values: FloatArray
    lag_values: FloatArray

    @property
    def keys(self) -> tuple[str, str]:
        return self.kl.raw_key, self.lag.raw_key


def _kl_and_lag(log: RunLog) -> _KlAndLag | None:
    kl, lag = log.get(*_SAMPLER_KLS), log_lag(log)
    if kl is None or lag is None:
        return None
    both = np.isfinite(kl.values) & np.isfinite(lag.values)
    return _KlAndLag(kl, lag, kl.values[both], lag.values[both]) if both.any() else None


def _growth(log: RunLog) -> tuple[_KlAndLag, KlGrowth] | None:
    pair = _kl_and_lag(log)
    if pair is None:
        return None
    try:
        return pair, kl_growth(pair.lag_values, pair.kl_values)
    except AssumptionError:
        return None


def _offset(log: RunLog, settings: Settings) -> Iterator[Finding]:
    """What is there at lag 0 is numerics, what grows with the lag is staleness."""
    kl = log.get(*_SAMPLER_KLS)
    if kl is None:
        text = "the log holds no KL between sampler and trainer"
        yield Finding("kl.offset", Level.UNKNOWN, text)
        return
    estimator = kl.quantity[-2:]
    pair = _kl_and_lag(log)
    if pair is None:
        text = (
            f"mean KL {kl.mean:.3g} nats ({estimator}), but no lag beside it: numerics cannot be"
            " told from staleness"
        )
        yield Finding("kl.offset", Level.UNKNOWN, text, {"mean": kl.mean}, (kl.raw_key,))
        return
    numbers = {"mean": kl.mean}
    zero = pair.kl_values[pair.lag_values == 0]
    fitted = _growth(log)
    if zero.size >= 2:
        offset = float(zero.mean())
        error = float(zero.std(ddof=1) / np.sqrt(zero.size))
        numbers |= {"offset": offset, "low": offset - 1.96 * error, "high": offset + 1.96 * error}
        source = f"{zero.size} rows at lag 0"
    elif fitted is not None and fitted[1].growth_low > 0 and np.isfinite(fitted[1].high):
        offset, source = fitted[1].offset, "extrapolated, no row has lag 0"
        numbers |= {"offset": offset}
    else:
        text = (
            f"mean KL {kl.mean:.3g} nats ({estimator}), without rows at lag 0 and a growth with the"
            " lag that is plain enough to split it"
        )
        yield Finding("kl.offset", Level.UNKNOWN, text, numbers, pair.keys)
        return
    text = f"{_split(kl.mean, offset, estimator)} ({source})"
    if (within := _within_version(pair, settings)) is not None:
        text += f". {within}: the numerics are at most that"
    yield Finding("kl.offset", Level.NOTE, text, numbers, pair.keys)


def _split(mean: float, offset: float, estimator: str) -> str:
    if mean <= offset:
        return (
            f"the mean KL is {mean:.3g} nats ({estimator}), and {offset:.3g} at lag 0: none that"
            " comes with the lag is seen"
        )
    return (
        f"of the mean KL of {mean:.3g} nats ({estimator}) {offset:.3g} is there at lag 0 and is"
        f" numerics; the other {mean - offset:.3g} comes with the lag"
    )


def _within_version(pair: _KlAndLag, settings: Settings) -> str | None:
    """What a lag of 0 holds besides numerics, None if it is a lag of no updates."""
    counted = pair.lag.lag is not None and pair.lag.lag.unit == "learner updates"
    updates = settings.updates_per_version
    if counted or updates == 1:
        return None
    if updates is None:
        return "A lag of 0 versions may hold updates, how many is not known (--updates-per-version)"
    return f"A lag of 0 versions holds 0 to {updates - 1} updates"


def _exponent(log: RunLog, settings: Settings) -> Iterator[Finding]:
    pair = _kl_and_lag(log)
    if pair is None:
        return
    fitted = _growth(log)
    if fitted is None:
        text = "the exponent needs three different lags, of two rows each"
        yield Finding("kl.exponent", Level.UNKNOWN, text, keys=pair.keys)
        return
    growth = fitted[1]
    numbers = {"exponent": growth.exponent, "low": growth.low, "high": growth.high}
    meaning = {
        "ballistic": "updates agree: the horizon scales as 1/eta, and a drift is soon far",
        "diffusive": "updates do not agree: the horizon scales as 1/eta^2",
        "between": "updates agree in part: the horizon scales between 1/eta and 1/eta^2",
        "open": "both growth laws fit, so the horizon law stays open",
        "neither": "no growth law of the theory fits: the KL has another cause",
    }[growth.regime]
    within = _within_version(pair, settings)
    level = Level.UNKNOWN if growth.regime == "open" or within else Level.NOTE
    text = (
        f"KL grows with the lag to the power {growth.exponent:.2f}, 95 % interval"
        f" [{growth.low:.2f}, {growth.high:.2f}]; {meaning}"
    )
    if within:
        text += f". {within}, so the power in updates may be another"
    yield Finding("kl.exponent", level, text, numbers, pair.keys)


def _rise(log: RunLog, settings: Settings) -> Iterator[Finding]:
    del settings
    kl = log.get(*_SAMPLER_KLS)
    if kl is None or kl.finite.size < 8:
        return
    quarter = kl.finite.size // 4
    early, late = float(kl.finite[:quarter].mean()), float(kl.finite[-quarter:].mean())
    if early > 0 and late >= 10 * early:
        text = f"the KL rises {late / early:.3g}-fold, from {early:.3g} to {late:.3g} nats"
        numbers = {"early": early, "late": late, "factor": late / early}
        yield Finding("kl.rise", Level.ALARM, text, numbers, (kl.raw_key,))


def _rule(log: RunLog, settings: Settings) -> Iterator[Finding]:
    """Both constraints in the norm of the root of twice the KL, which needs no parameters.

    By Pinsker's inequality the L1 distance of the policies is at most that root, so the batch
    radius has the constant 1.
    """
    fitted = _growth(log)
    rate = log.get("learning_rate")
    eta = _learning_rate(rate, settings)
    missing = [
        *([] if fitted else ["a KL at three or more lags"]),
        *([] if eta else ["the learning rate (--learning-rate)"]),
    ]
    if missing or fitted is None or not eta:
        text = f"the drift per update cannot be measured without {' and '.join(missing)}"
        yield Finding("rule.update_norm", Level.UNKNOWN, text)
        return
    pair, growth = fitted
    if pair.lag.lag is None:
        return
    most = max(pair.lag.high, (log.get("lag_max") or pair.lag).high)
    try:
        each = settings.updates_per_version
        (unit, _), (_, high) = lag_in_updates([1.0, most], pair.lag.lag, updates_per_version=each)
    except AssumptionError as error:
        yield Finding("rule.update_norm", Level.UNKNOWN, str(error), keys=pair.keys)
        return
    lag = int(np.ceil(high))
    least, most_drift = np.sqrt(2 * np.array(growth.growth_limits(lag / unit)))
    if least == 0:
        yield _no_growth(lag, float(most_drift), settings, pair.keys)
        return
    norm = float(np.sqrt(2 * growth.coefficient) / (unit * eta))
    keys = (*pair.keys, rate.raw_key) if rate else pair.keys
    text = (
        f"measured drift per update and unit of learning rate: {norm:.3g} (root of twice the KL, at"
        " a lag of one; an average over states, not a bound)"
    )
    yield Finding("rule.update_norm", Level.NOTE, text, {"update_norm": norm}, keys)
    yield _lag_constraint(lag, eta, (least, most_drift), growth, settings, keys)
    # a drift that grows faster than the lag is more per update than it is at a lag of one
    norm = max(norm, most_drift / (lag * eta))
    yield _horizon_constraint(log, lag, growth, eta, norm, settings, keys)


def _learning_rate(rate: Series | None, settings: Settings) -> float | None:
    """The largest one that the log holds, else the one that the user states."""
    given = settings.learning_rate
    if rate is None:
        return given
    if given is not None and not rate.low * (1 - _DIGITS) <= given <= rate.high * (1 + _DIGITS):
        own = f"{rate.low:g}" if rate.low == rate.high else f"{rate.low:g} to {rate.high:g}"
        raise DomainError("learning_rate", given, f"the log's own, {own} ({rate.raw_key}), or none")
    return rate.high


def _radius(settings: Settings) -> float:
    clip = settings.clip_low, settings.clip_high
    return float(batch_radius(settings.clip_budget, *clip, l1_constant=1.0))


def _settled(growth: KlGrowth) -> bool:
    return growth.regime not in ("open", "neither")


def _no_growth(lag: int, drift: float, settings: Settings, keys: tuple[str, ...]) -> Finding:
    """A growth that is not seen is small only if its upper end is."""
    radius = _radius(settings)
    numbers = {"lag": float(lag), "radius": radius, "drift_high": drift}
    text = f"no growth of the KL with the lag is seen; at lag {lag} the drift"
    if drift <= radius:
        text += f" is at most {drift:.3g}, within the radius {radius:.3g} of the lag rule"
        return Finding("rule.update_norm", Level.GOOD, text, numbers, keys)
    text += f" may still be {drift:.3g}, beyond the radius {radius:.3g} of the lag rule"
    return Finding("rule.update_norm", Level.UNKNOWN, text, numbers, keys)


def _lag_constraint(
    lag: int,
    eta: float,
    drift: tuple[float, float],
    growth: KlGrowth,
    settings: Settings,
    keys: tuple[str, ...],
) -> Finding:
    """The drift at the largest lag against the radius; the fit at a lag of one would not do."""
    radius = _radius(settings)
    margin = radius / drift[1]
    numbers = {"lag": float(lag), "radius": radius, "limit": margin * eta, "margin": margin}
    text = (
        f"lag {lag} updates allows a learning rate of {margin * eta:.3g} if at most"
        f" {settings.clip_budget:.0%} of the tokens may be clipped; the run has {eta:.3g}, a margin"
        f" of {margin:.3g} by the upper end of the drift, against the radius {radius:.3g}"
    )
    if drift[0] > radius:
        return Finding("rule.lag", Level.ALARM, text, numbers, keys)
    if not _settled(growth) or np.isinf(drift[1]):
        text = f"how the KL grows with the lag is not settled, so neither is the lag rule: {text}"
        return Finding("rule.lag", Level.UNKNOWN, text, numbers, keys)
    return Finding("rule.lag", Level.ALARM if margin < 1 else Level.GOOD, text, numbers, keys)


def _horizon_constraint(
    log: RunLog,
    lag: int,
    growth: KlGrowth,
    eta: float,
    norm: float,
    settings: Settings,
    keys: tuple[str, ...],
) -> Finding:
    if settings.critical_radius is None:
        text = (
            "when the run may collapse cannot be predicted without a critical radius"
            " (--critical-radius), as measured from a run that did collapse"
        )
        return Finding("rule.horizon", Level.UNKNOWN, text, keys=keys)
    if not _settled(growth) or np.isinf(norm):
        text = "how the KL grows with the lag is not settled, so a drift over the run is a guess"
        return Finding("rule.horizon", Level.UNKNOWN, text, keys=keys)
    updates = settings.horizon or int(log.steps[-1] - log.steps[0] + 1) * (
        settings.updates_per_version or 1
    )
    found = stable_learning_rate(0, updates, 1.0, settings.critical_radius, norm)
    limit = float(found.horizon_limit)
    earliest = int(collapse_time_lower_bound(eta, settings.critical_radius, norm))
    if earliest > _MOST_UPDATES:
        text = f"at the measured drift no run of fewer than {_MOST_UPDATES:.0e} updates collapses"
        return Finding("rule.horizon", Level.GOOD, text, {"limit": limit}, keys)
    correlation = correlation_from_exponent(np.clip(growth.exponent, 1.0, 2.0), max(lag, 2))
    typical = int(rms_collapse_time(eta, settings.critical_radius, correlation, update_norm=norm))
    numbers = {
        "horizon": float(updates),
        "limit": limit,
        "margin": limit / eta,
        "earliest_collapse": float(earliest),
        "typical_collapse": float(typical),
    }
    text = (
        f"over {updates} updates the critical radius allows a learning rate of {limit:.3g}, a"
        f" margin of {limit / eta:.3g}; collapse by drift cannot come before update {earliest}, and"
        f" at the measured exponent is due near {typical}"
    )
    if limit >= eta:
        return Finding("rule.horizon", Level.GOOD, text, numbers, keys)
    later = "too" if typical <= updates else "not"
    text += f". The first of the two lies within the {updates} and is the alarm, the second {later}"
    return Finding("rule.horizon", Level.ALARM, text, numbers, keys)


def _bias(log: RunLog, settings: Settings) -> Iterator[Finding]:
    fitted = _growth(log)
    if fitted is None:
        return
    pair, growth = fitted
    length = log.get("response_length")
    if settings.group_size is None or length is None or length.mean <= 0:
        known = length is not None and length.mean > 0
        length_key = "the response length (--map response_length=KEY)"
        what = "the group size (--group-size)" if known else length_key
        text = f"the bias budget needs {what}"
        yield Finding("bias.budget", Level.UNKNOWN, text, keys=pair.keys)
        return
    most = max(pair.lag.high, (log.get("lag_max") or pair.lag).high)
    kl = growth.coefficient * most**growth.exponent * length.mean
    distance = min(float(np.sqrt(2 * kl)), 2.0)
    bounds = _bias_bounds(distance, settings)
    text = (
        f"at lag {most:g} the policies of whole responses differ by about {distance:.3g} in L1"
        f" (Pinsker); per unit of score norm the gradient's bias is at most"
        f" {bounds['no_ratio']:.3g} without importance ratios, {bounds['exact_ratio']:.3g} with"
        f" those of whole responses and {bounds['clipped']:.3g} with clipping besides. Worst cases:"
        " they certify, they do not predict"
    )
    keys = (*pair.keys, length.raw_key)
    numbers = {"l1_distance": distance, **bounds}
    yield Finding("bias.budget", Level.NOTE, text, numbers, keys)


def _bias_bounds(distance: float, settings: Settings) -> dict[str, float]:
    clip = (settings.clip_low, settings.clip_high)
    size = settings.group_size
    bounds = {
        "no_ratio": bias_bound(distance, size, variant="no_ratio"),
        "exact_ratio": bias_bound(distance, size, variant="exact_ratio"),
        "clipped": bias_bound(distance, size, variant="clipped", clip=clip),
    }
    return {name: float(bound) / SOFTMAX_SCORE_BOUND for name, bound in bounds.items()}


def _length(log: RunLog, settings: Settings) -> Iterator[Finding]:
    """A KL that grows with the responses is a sum over tokens, or a mismatch at each of them."""
    del settings
    length = log.get("response_length")
    kl = log.get("anchor_kl_k1", "anchor_kl_k3", *_SAMPLER_KLS)
    if length is None or kl is None:
        return
    tokens, values = log.paired("response_length", kl.quantity)
    good = (tokens > 0) & (values > 0)
    tokens, values = tokens[good], values[good]
    if tokens.size < 4 or tokens.max() < _LENGTH_RANGE * tokens.min():
        return
    with np.errstate(over="ignore"):  # in its coefficient, which does not count here
        law = fit_power_law(tokens, values)
    if law.exponent < _LENGTH_EXPONENT:
        return
    per_token = float(np.median(values / tokens))
    numbers = {"exponent": law.exponent, "per_token": per_token}
    text = (
        f"the KL grows with the response length to the power {law.exponent:.2f}: it adds up over"
        f" tokens and says nothing of the policies unless divided, {per_token:.3g} nats per token"
    )
    keys = (kl.raw_key, length.raw_key)
    yield Finding("kl.length", Level.ALARM, text, numbers, keys)


DRIFT_CHECKS: tuple[Check, ...] = (_offset, _exponent, _rise, _length, _rule, _bias)
"""Checks on the KL and what it implies."""
