"""Every theory fills its cell in every layer, and nothing in the grid is no theory's."""

from __future__ import annotations

from pathlib import Path

import pytest

from rolltheory.claims import THEORIES

from .source import REPOSITORY, House

CELLS = (
    "rolltheory/{theory}/__init__.py",
    "rolltheory/{theory}/claims*",
    "rolltheory/plots/{theory}.py",
    "proofs_checks/{theory}*",
    "simulators/{theory}*",
    "validation/{theory}*",
    "tests/{theory}/test_*.py",
    "tests/simulators/test_{theory}*.py",
    "docs/theory/{theory}.md",
    "docs/api/{theory}.md",
    "docs/gallery/{theory}/GALLERY_HEADER.rst",
    "docs/gallery/{theory}/plot_*.py",
)


def empty_cells(root: Path, theory: str) -> list[str]:
    patterns = (cell.format(theory=theory) for cell in CELLS)
    return [pattern for pattern in patterns if not any(root.glob(pattern))]


@pytest.mark.parametrize("theory", [theory.name for theory in THEORIES])
def test_a_theory_fills_its_cells(theory: str) -> None:
    assert empty_cells(REPOSITORY, theory) == []


def test_every_package_is_a_shared_home_or_a_listed_theory() -> None:
    assert House(REPOSITORY).theories == {theory.name for theory in THEORIES}


@pytest.mark.parametrize("missing", CELLS)
def test_an_empty_cell_is_found(missing: str, tmp_path: Path) -> None:
    for cell in CELLS:
        if cell != missing:
            file = tmp_path / cell.format(theory="one").replace("*", "s")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.touch()
    assert empty_cells(tmp_path, "one") == [missing.format(theory="one")]
