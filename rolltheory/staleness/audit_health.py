"""Whether a run is healthy, and what its log leaves open."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rolltheory.staleness.collapse import collapse_row, smoothed
from rolltheory.staleness.findings import Check, Finding, Level, Settings
from rolltheory.staleness.run_log import FloatArray, RunLog, Series

__all__ = ["HEALTH_CHECKS"]

_FEWEST_ROWS = 8
_FEWEST_REWARDS = 20
_DROP = 0.5  # of the range that the smoothed reward has covered
_NOISE = 6.0  # standard deviations: the running maximum of noise lies 3 above its mean
_ROUNDING = 1e-9
_KL_ROSE, _NORM_ROSE, _STILL = 10.0, 5.0, 2.0
_SILENT = {
    "lag_mean": "how stale the data are",
    "sampler_kl_k3": "how far sampler and trainer are apart",
    "clip_fraction": "whether the trust region acts",
    "ess_fraction": "how many samples the weights leave",
    "sampler_ratio_max": "the tails of the ratio",
    "learning_rate": "the drift per update",
    "gradient_norm": "whether updates explode",
    "gradient_cosine": "whether updates agree",
    "entropy": "whether the policy narrows",
    "reward": "whether the run learns or collapses",
    "response_length": "what is due to length",
}
_INSTEAD = {
    "lag_mean": ("lag_max", "oldest_sample_version"),
    "sampler_kl_k3": ("sampler_kl_k1", "sampler_kl_k2"),
    "ess_fraction": ("sequence_ess_fraction",),
    "sampler_ratio_max": ("sampler_ratio_p99",),
}


def _quarters(series: Series | None) -> tuple[float, float] | None:
    """Means over the first and the last quarter, if the first is not 0."""
    if series is None or series.finite.size < _FEWEST_ROWS:
        return None
    quarter = series.finite.size // 4
    early = float(series.finite[:quarter].mean())
    return (early, float(series.finite[-quarter:].mean())) if early else None


def _curve_noise(values: FloatArray, curve: FloatArray, window: int) -> float:
    """Standard deviation of the smoothed curve about its trend.

    By the steps of the values and by those of the curve over a window, the larger: noise that lasts
    over rows shows only in the second, rare outliers only in the first.
    """
    steps = float(np.std(np.diff(values)) / np.sqrt(2 * window))
    moves = curve[window:] - curve[:-window]
    # the median size of a difference of two normal variables is 0.954 standard deviations
    lasting = float(np.median(np.abs(moves - np.median(moves)))) / 0.954
    return max(steps, lasting, _ROUNDING * float(np.abs(curve).max()))


def _reward(log: RunLog, settings: Settings) -> Iterator[Finding]:
    del settings
    reward = log.get("reward")
    if reward is None or reward.finite.size < _FEWEST_REWARDS:
        return
    values, keys = reward.finite, (reward.raw_key,)
    window = max(values.size // 20, 3)
    curve = smoothed(values, window=window)[window - 1 :]
    spread = float(np.ptp(curve))
    least = _NOISE * _curve_noise(values, curve, window)
    if spread <= least:
        text = (
            f"the smoothed reward covers {spread:.3g}, no more than its noise explains: a collapse"
            f" by less than {least:.3g} would not show"
        )
        numbers = {"range": spread, "noise": least / _NOISE}
        yield Finding("reward.collapse", Level.UNKNOWN, text, numbers, keys)
        return
    drop = max(_DROP * spread, least)
    patience = max(values.size // 20, 5)
    row = collapse_row(values, drop=drop, patience=patience, window=window)
    numbers = {"drop": drop, "patience": float(patience), "highest": float(curve.max())}
    rule = f"{drop:.3g} below its maximum for {patience} rows"
    if row is None:
        yield _no_collapse(curve, drop, patience, window, keys)
        return
    step = int(log.steps[np.isfinite(reward.values)][row])
    text = f"the reward collapses at step {step}: from there its smoothed value stays {rule}"
    numbers["step"] = float(step)
    yield Finding("reward.collapse", Level.ALARM, text, numbers, keys)


def _no_collapse(
    curve: FloatArray, drop: float, patience: int, window: int, keys: tuple[str, ...]
) -> Finding:
    """A collapse shows only once the smoothed curve has stayed low for long enough."""
    below = curve < np.maximum.accumulate(curve) - drop
    low = int(np.argmin(below[::-1]))
    blind = patience + window - 1
    numbers = {
        "drop": drop,
        "patience": float(patience),
        "highest": float(curve.max()),
        "blind_rows": float(blind),
    }
    if low:
        text = (
            f"the smoothed reward ends {drop:.3g} or more below its maximum for {low} rows, of the"
            f" {patience} that make a collapse: that cannot be told from noise yet"
        )
        return Finding("reward.collapse", Level.UNKNOWN, text, numbers, keys)
    text = (
        f"the smoothed reward never stays {drop:.3g} below its maximum for {patience} rows; a"
        f" collapse in the last {blind} rows cannot be told from noise"
    )
    return Finding("reward.collapse", Level.GOOD, text, numbers, keys)


def _entropy(log: RunLog, settings: Settings) -> Iterator[Finding]:
    del settings
    entropy = log.get("entropy")
    ends = _quarters(entropy)
    if entropy is None or ends is None or not ends[1] < 0.2 * ends[0]:
        return
    text = f"the entropy falls from {ends[0]:.3g} to {ends[1]:.3g} nats: the policy narrows"
    numbers = {"early": ends[0], "late": ends[1]}
    yield Finding("entropy.collapse", Level.ALARM, text, numbers, (entropy.raw_key,))


def _joint(log: RunLog, settings: Settings) -> Iterator[Finding]:
    """Either sign alone misses a failure: masks hide a KL from the gradient norm."""
    del settings
    kl = log.get("sampler_kl_k3", "sampler_kl_k1", "sampler_kl_k2", "anchor_kl_k1", "anchor_kl_k3")
    norm = log.get("gradient_norm")
    kl_ends, norm_ends = _quarters(kl), _quarters(norm)
    if kl is None or norm is None or kl_ends is None or norm_ends is None:
        return
    kl_rise, norm_rise = abs(kl_ends[1] / kl_ends[0]), abs(norm_ends[1] / norm_ends[0])
    numbers = {"kl_rise": kl_rise, "gradient_norm_rise": norm_rise, "gradient_norm": norm_ends[1]}
    if kl_rise >= _KL_ROSE and norm_rise <= _STILL:
        text = (
            f"the KL rises {kl_rise:.3g}-fold while the gradient norm stays calm: masked tokens are"
            " missing from the gradient, not from the drift. Stop on the KL"
        )
    elif norm_rise >= _NORM_ROSE and kl_rise <= _STILL:
        text = (
            f"the gradient norm rises {norm_rise:.3g}-fold, to {norm_ends[1]:.3g}, while the KL"
            " stays calm: few sequences survive and carry the gradient. Stop on the norm"
        )
    elif kl_rise >= _KL_ROSE and norm_rise >= _NORM_ROSE:
        text = "KL and gradient norm rise together"
    else:
        text = f"last over first quarter: KL {kl_rise:.3g}-fold, gradient norm {norm_rise:.3g}-fold"
        level = Level.GOOD if max(kl_rise, norm_rise) < _STILL else Level.NOTE
        yield Finding("kl.and_gradient", level, text, numbers, (kl.raw_key, norm.raw_key))
        return
    yield Finding("kl.and_gradient", Level.ALARM, text, numbers, (kl.raw_key, norm.raw_key))


def _not_finite(log: RunLog, settings: Settings) -> Iterator[Finding]:
    del settings
    odd = {s.quantity: float(s.not_finite) for s in log.series if s.not_finite}
    if odd:
        keys = tuple(series.raw_key for series in log.series if series.not_finite)
        text = f"NaN or infinite values in {', '.join(keys)}"
        yield Finding("values.not_finite", Level.ALARM, text, odd, keys)


def _seeds(log: RunLog, settings: Settings) -> Iterator[Finding]:
    del log, settings
    text = (
        "one run is one seed: whether another staleness budget is better cannot be told from it."
        " `rolltheory staleness compare` takes the runs of both and says how many seeds it takes"
    )
    yield Finding("seeds", Level.UNKNOWN, text)


def _missing(log: RunLog, settings: Settings) -> Iterator[Finding]:
    del settings
    held = {series.quantity for series in log.series if series.count}
    open_questions = [
        f"{question} ({name})"
        for name, question in _SILENT.items()
        if not held & {name, *_INSTEAD.get(name, ())}
    ]
    if open_questions:
        text = f"the log does not say {'; '.join(open_questions)}"
        yield Finding(
            "log.missing", Level.UNKNOWN, text, {"quantities": float(len(open_questions))}
        )


HEALTH_CHECKS: tuple[Check, ...] = (_reward, _entropy, _joint, _not_finite, _seeds, _missing)
"""Checks on the run as a whole, and on what is missing."""
