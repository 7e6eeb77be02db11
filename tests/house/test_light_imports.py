"""Importing the library loads nothing heavy, and none of the other three packages."""

from __future__ import annotations

import subprocess
import sys

import pytest

from rolltheory.claims import THEORIES

HEAVY = [
    "hypothesis",
    "matplotlib",
    "networkx",
    "numba",
    "pandas",
    "scipy.optimize",
    "scipy.stats",
    "statsmodels",
    "sympy",
    "torch",
]
OTHER_PACKAGES = ["proofs_checks", "simulators", "validation"]


def loaded(module: str, suspects: list[str]) -> str:
    """Those of the suspects that importing a module loads, in a fresh interpreter."""
    code = f"import sys, {module}; print(*(name for name in {suspects} if name in sys.modules))"
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()


@pytest.mark.parametrize(
    "module", ["rolltheory", *(f"rolltheory.{theory.name}" for theory in THEORIES)]
)
def test_the_library_is_light(module: str) -> None:
    assert loaded(module, [*HEAVY, *OTHER_PACKAGES]) == ""


def test_the_command_line_is_lighter() -> None:
    assert loaded("rolltheory.cli", [*HEAVY, *OTHER_PACKAGES, "numpy", "rich", "scipy"]) == ""


def test_a_heavy_import_is_seen() -> None:
    assert loaded("networkx", HEAVY) == "networkx"
