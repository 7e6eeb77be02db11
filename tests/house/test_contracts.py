"""The contracts on chains of imports hold here, and break in a house that breaks them."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from .source import PACKAGES, REPOSITORY

LINT = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as c; c()"]

HOMES = ("claims", "cli", "extras", "files", "numerics", "plots", "readers", "stats", "errors")

# Each chain needs two steps, so that no rule on a single import would see it.
CHAINS = {
    "rolltheory/one.py": "import rolltheory.cli, simulators.one, torch",
    "rolltheory/claims.py": "import rolltheory.one",
    "rolltheory/numerics.py": "import rolltheory.claims",
    "simulators/one.py": "import rolltheory.numerics",
}


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*LINT, "--no-cache"], cwd=folder, capture_output=True, text=True)


def test_this_house_keeps_its_contracts() -> None:
    result = lint(REPOSITORY)
    assert result.returncode == 0, result.stdout
    assert "4 kept, 0 broken" in result.stdout


def test_every_contract_bites(tmp_path: Path) -> None:
    shutil.copy(REPOSITORY / "pyproject.toml", tmp_path)
    empty = [f"{package}/__init__.py" for package in PACKAGES]
    empty += [f"rolltheory/{home}.py" for home in HOMES]
    for name, text in (dict.fromkeys(empty, "") | CHAINS).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    result = lint(tmp_path)
    assert result.returncode == 1
    assert "0 kept, 4 broken" in result.stdout
