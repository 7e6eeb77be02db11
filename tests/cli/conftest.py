"""Run the command line in this process, and name the tables of counts in ``tests/data``."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from rolltheory.cli import main

DATA = Path(__file__).parents[1] / "data"


@pytest.fixture
def data():
    return DATA


@pytest.fixture
def rolltheory():
    """Run with the given arguments; standard output and error are kept apart."""

    def run(*arguments, width=100, **options):
        arguments = [str(argument) for argument in arguments]
        return CliRunner().invoke(main, arguments, env={"COLUMNS": str(width)}, **options)

    return run


@pytest.fixture
def answer(rolltheory):
    """The JSON answer to the given arguments."""

    def run(*arguments):
        result = rolltheory(*arguments, "--json", "-")
        assert result.exit_code == 0, result.output
        return json.loads(result.stdout)

    return run


@pytest.fixture
def refusal(rolltheory):
    """The one line that refuses the given arguments."""

    def run(*arguments):
        result = rolltheory(*arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith("Error: ")
        assert result.stderr.count("\n") == 1
        return result.stderr.removeprefix("Error: ").rstrip()

    return run
