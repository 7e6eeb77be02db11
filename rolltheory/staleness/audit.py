"""Audit a training log: what it allows one to conclude about staleness, and what it does not."""

from __future__ import annotations

from rolltheory.staleness.audit_drift import DRIFT_CHECKS
from rolltheory.staleness.audit_health import HEALTH_CHECKS
from rolltheory.staleness.audit_lags import LAG_CHECKS
from rolltheory.staleness.audit_next import with_next_step
from rolltheory.staleness.audit_ratios import RATIO_CHECKS
from rolltheory.staleness.audit_trust_region import TRUST_REGION_CHECKS
from rolltheory.staleness.findings import Audit, Level, Settings, checked
from rolltheory.staleness.run_log import RunLog

__all__ = ["audit_run"]

_CHECKS = (*LAG_CHECKS, *DRIFT_CHECKS, *TRUST_REGION_CHECKS, *RATIO_CHECKS, *HEALTH_CHECKS)


def audit_run(log: RunLog, settings: Settings | None = None) -> Audit:
    """All findings on one log: conclusions with their numbers, and reasons where there is none.

    Findings are observations of one run, a diagnostic; they never support a theorem. Constants of
    a worst case certify; they do not predict.

    Parameters
    ----------
    log : RunLog
    settings : what the log does not say

    Returns
    -------
    Audit

    Raises
    ------
    DomainError
        for a setting out of range or against the log: updates per version beside a lag in learner
        updates, another learning rate than the log's own.
    AssumptionError
        if a sample is newer than the learner.

    Notes
    -----
    Source: derived here; the statements behind the findings name theirs.

    Examples
    --------
    >>> import numpy as np
    >>> from rolltheory.staleness.run_log import Series
    >>> clip = Series("clip_fraction", "clip", np.array([0.0, 0.1]), 0.0, 0.1, 0.1, 2)
    >>> audit = audit_run(RunLog("run", "generic", np.array([1, 2]), (clip,), rows=2))
    >>> audit.of("trust_region.inert").level, audit.of("lag.profile").level
    (<Level.UNKNOWN: 'cannot tell'>, <Level.UNKNOWN: 'cannot tell'>)
    """
    chosen = checked(Settings() if settings is None else settings)
    findings = [with_next_step(finding) for check in _CHECKS for finding in check(log, chosen)]
    findings.sort(key=lambda finding: finding.level is not Level.ALARM)
    return Audit(
        source=log.source,
        format=log.format,
        rows=log.rows,
        first_step=int(log.steps[0]),
        last_step=int(log.steps[-1]),
        findings=tuple(findings),
        limits=log.limits,
        notes=log.notes,
        unused=log.unused,
        unknown=log.unknown,
    )
