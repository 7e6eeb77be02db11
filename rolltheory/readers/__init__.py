"""Readers of outside formats; one module per format, all returning the same few frozen types."""

from rolltheory.readers.attempts import (
    ANY_CREDIT,
    Attempts,
    ScoredAttempts,
    SuccessCounts,
    is_binary,
    repeated_tries,
    threshold_sensitivity,
)
from rolltheory.readers.logs import read_run_log
from rolltheory.readers.read import FORMATS, read_attempts
from rolltheory.readers.state_graph import read_state_graph

__all__ = [
    "ANY_CREDIT",
    "FORMATS",
    "Attempts",
    "ScoredAttempts",
    "SuccessCounts",
    "is_binary",
    "read_attempts",
    "read_run_log",
    "read_state_graph",
    "repeated_tries",
    "threshold_sensitivity",
]
