"""What the README shows is what the commands print."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from rolltheory.cli import main

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
README = (ROOT / "README.md").read_text(encoding="utf-8")


def shown_runs(text: str) -> list[tuple[str, str]]:
    """(command, output) of every `$ rolltheory` line whose output is shown."""
    runs = []
    for block in BLOCK.findall(text):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            if command.startswith("rolltheory ") and output.strip():
                runs.append((command, output.rstrip("\n")))
    return runs


def test_the_readme_shows_runs():
    assert len(shown_runs(README)) >= 3


@pytest.mark.parametrize(("command", "output"), shown_runs(README), ids=lambda part: part[:60])
def test_a_shown_run_is_true(command, output, monkeypatch):
    monkeypatch.chdir(ROOT)
    monkeypatch.delenv("COLUMNS", raising=False)
    result = CliRunner().invoke(main, shlex.split(command)[1:], prog_name="rolltheory")
    printed = result.output.rstrip("\n").splitlines()
    shown = output.splitlines()
    if "..." in shown:  # the rest is left out
        shown = shown[: shown.index("...")]
        printed = printed[: len(shown)]
    assert printed == shown


def test_the_python_shown_is_true():
    blocks = re.findall(r"^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    assert blocks
    for block in blocks:
        test = doctest.DocTestParser().get_doctest(block, {}, "README", "README.md", 0)
        assert doctest.DocTestRunner().run(test).failed == 0


def test_every_target_and_file_that_the_readme_names_exists():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"^\$ make (\w+)", README, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
    for link in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / link).exists(), link
