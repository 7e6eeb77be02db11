"""Readers of training logs: one module per framework, all returning one frozen record."""

from rolltheory.readers.logs.read import FRAMEWORKS, read_run_log

__all__ = ["FRAMEWORKS", "read_run_log"]
