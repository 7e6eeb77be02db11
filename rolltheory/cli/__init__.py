"""The command line. Each verb is one module of `rolltheory.cli.verbs`."""

from rolltheory.cli.main import main

__all__ = ["main"]
