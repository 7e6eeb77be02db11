"""docs/house/dependencies.md explains each dependency, and nothing else."""

from __future__ import annotations

import re
import tomllib

from .source import REPOSITORY

PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))


def declared() -> set[str]:
    """Names of all dependencies in pyproject.toml, extras and build backend included."""
    project = PROJECT["project"]
    groups = [project["dependencies"], PROJECT["build-system"]["requires"]]
    groups += project["optional-dependencies"].values()
    names = {re.split(r"[^\w.-]", line)[0] for group in groups for line in group}
    return names - {project["name"]}


def test_each_dependency_has_one_line_that_says_why() -> None:
    page = (REPOSITORY / "docs/house/dependencies.md").read_text("utf-8")
    explained = re.findall(r"^- \*\*(\S+)\*\*: \S.{20}", page, flags=re.MULTILINE)
    assert sorted(explained) == sorted(declared())


def test_each_dependency_is_pinned() -> None:
    lines = (REPOSITORY / "constraints.txt").read_text("utf-8").splitlines()
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+", line) for line in lines)
    pinned = {line.partition("==")[0].lower() for line in lines}
    backend = {"hatchling"}  # pip installs it apart, where no constraint reaches
    assert {name.lower() for name in declared()} - pinned == backend
