"""The arithmetic of balls, for claims whose cases carry one."""

from __future__ import annotations

from proofs_checks.staleness.balls import ball, enclosure
from rolltheory.staleness.claims.arithmetic import Arithmetic

__all__ = ["BALLS"]

BALLS = Arithmetic(ball, lambda x: x.sqrt(), lambda x: x.log(), enclosure)
"""Numbers with rigorous error bounds."""
