"""What to do about each alarm of an audit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rolltheory.staleness.findings import Finding, Level

__all__ = ["NEXT_STEPS", "with_next_step"]

NEXT_STEPS: Mapping[str, str] = {
    "lag.bound": "find where samples wait (queue, buffer, resume), or state the bound meant",
    "lag.growth": "throttle the sampler, or drop what is too old, until the lag stays level",
    "lag.mixed_versions": "log the lag by the oldest token of a trajectory, and audit again",
    "buffer.straggler": "log fill and age of each target, and time out the one that waits",
    "selection.dropped": "compare the rewards of dropped and kept samples, or drop by age alone",
    "kl.rise": "halve the learning rate or the lag from the step at which the KL begins to rise",
    "kl.length": "divide the KL by the response length before any threshold is set on it",
    "rule.lag": "lower the learning rate to the one that the lag allows, or the lag",
    "rule.horizon": "lower the learning rate, or evaluate often from the first of the two on",
    "trust_region.inert": "take the sampler's log-probabilities as the anchor, or state the"
    " correction that the run applies instead",
    "zero_lag.equivalence": "run one update per batch at lag 0: what is left then is numerics",
    "ess.floor": "set the alarm above the floor, or clamp from above only",
    "ess.sequences": "weigh tokens or use a geometric mean, not products over whole sequences",
    "ratio.truncation": "log quantiles of the ratio, and the share that is cut, before the cap",
    "ratio.length": "use token ratios, or the geometric mean over a sequence",
    "ratio.one_sided": "have the sampler return probabilities before top-p, top-k or min-p",
    "ratio.tails": "log the share of tokens beyond the cap, and truncate if nothing does yet",
    "gradient.cosine": "halve the learning rate, and see whether the cosine falls",
    "reward.collapse": "go back to a checkpoint before that step, and lower the learning rate or"
    " the lag",
    "entropy.collapse": "compare with a synchronous run: if that narrows too, staleness is not why",
    "kl.and_gradient": "stop at the step where either begins to rise, and look at the tokens that"
    " are masked there",
    "values.not_finite": "look at the first row with one: what follows it is no evidence",
}
"""One step for every topic on which an audit raises an alarm."""


def with_next_step(finding: Finding) -> Finding:
    """The finding, with what to do next if it is an alarm.

    Parameters
    ----------
    finding : Finding

    Examples
    --------
    >>> with_next_step(Finding("kl.rise", Level.ALARM, "the KL rises")).next_step
    'halve the learning rate or the lag from the step at which the KL begins to rise'
    """
    if finding.level is not Level.ALARM:
        return finding
    return replace(finding, next_step=NEXT_STEPS[finding.topic])
