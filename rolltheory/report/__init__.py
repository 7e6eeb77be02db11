"""What a user's file says, as frozen records that the command line, JSON and pages share."""

from rolltheory.report.pass_at_k import (
    Extrapolation,
    PassAtKComparison,
    PassAtKReport,
    compare_reports,
    default_tries,
    pass_at_k_report,
)
from rolltheory.report.state_graph import StateGraphReport, state_graph_report

__all__ = [
    "Extrapolation",
    "PassAtKComparison",
    "PassAtKReport",
    "StateGraphReport",
    "compare_reports",
    "default_tries",
    "pass_at_k_report",
    "state_graph_report",
]
