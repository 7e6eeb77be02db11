"""Certificates of a greedy planner on a labelled graph, and the maze study."""

from rolltheory.report.action_gap.certify import ActionGapReport, LabelNoise, Starts, certify
from rolltheory.report.action_gap.labelled import LabelledGraph, drawn_labels, labelled_graph
from rolltheory.report.action_gap.study import (
    MethodResult,
    StudyReport,
    study_report,
    study_table,
)
from rolltheory.report.action_gap.suggestion import LabelSuggestion
from rolltheory.report.action_gap.verdicts import Verdict

__all__ = [
    "ActionGapReport",
    "LabelNoise",
    "LabelSuggestion",
    "LabelledGraph",
    "MethodResult",
    "Starts",
    "StudyReport",
    "Verdict",
    "certify",
    "drawn_labels",
    "labelled_graph",
    "study_report",
    "study_table",
]
