"""Certificates of graph models, repair of their graphs, and regimes of their rollouts."""

from rolltheory.report.graph_world.certificate import Certificate, ErrorPaths, certify
from rolltheory.report.graph_world.regimes import RegimeReport, regime_report
from rolltheory.report.graph_world.repair import RepairReport, repair_report
from rolltheory.report.graph_world.step import StepModel, step_model

__all__ = [
    "Certificate",
    "ErrorPaths",
    "RegimeReport",
    "RepairReport",
    "StepModel",
    "certify",
    "regime_report",
    "repair_report",
    "step_model",
]
