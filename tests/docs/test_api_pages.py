"""The API pages show every public name of the modules that they list."""

from __future__ import annotations

import re
from importlib import import_module
from inspect import isclass, isroutine
from pathlib import Path

import pytest
from sphinx.pycode import ModuleAnalyzer

from rolltheory.readers import FORMATS
from rolltheory.readers.logs import FRAMEWORKS

PAGES = sorted((Path(__file__).parents[2] / "docs" / "api").glob("*.md"))
TEXTS = {page.stem: page.read_text("utf-8") for page in PAGES}
LISTED = re.compile(r"^\.\. automodule:: (\S+)$", re.MULTILINE)
BY_HAND = re.compile(r"^\.\. (?:autodata|py:data):: (\S+)\.(\w+)$", re.MULTILINE)


def undocumented(module: str) -> set[str]:
    """Public names that Sphinx leaves out, for they have no docstring."""
    loaded = import_module(module)
    documented = {name for _, name in ModuleAnalyzer.for_module(module).find_attr_docs()}
    for name in loaded.__all__:
        value = getattr(loaded, name)
        if (isclass(value) or isroutine(value)) and value.__doc__:
            documented.add(name)
    return set(loaded.__all__) - documented


@pytest.mark.parametrize("page", [page for page in TEXTS if LISTED.search(TEXTS[page])])
def test_every_public_name_is_on_its_page(page: str) -> None:
    modules = LISTED.findall(TEXTS[page])
    left_out = {(module, name) for module in modules for name in undocumented(module)}
    assert left_out - set(BY_HAND.findall(TEXTS[page])) == set()


@pytest.mark.parametrize("theory", ["graph_world", "reachability"])
def test_every_name_on_the_page_can_be_imported_from_the_theory(theory: str) -> None:
    exported = set(import_module(f"rolltheory.{theory}").__all__)
    for module in LISTED.findall(TEXTS[theory]):
        assert set(import_module(module).__all__) <= exported


def test_the_table_of_formats_is_that_of_the_readers() -> None:
    rows = re.findall(r"^\| `(\S+)` \| (.*) \|$", TEXTS["readers"], re.MULTILINE)
    assert dict(rows) == {name: module.SHAPE for name, module in FORMATS.items()}


def test_the_table_of_keys_is_that_of_the_readers() -> None:
    rows = re.findall(r"^\| (\S+) \| (`.*`) \| `(\S+)` \|$", TEXTS["readers"], re.MULTILINE)
    shown = [(name, raw, quantity) for name, keys, quantity in rows for raw in keys.split(", ")]
    expected = [
        (framework.name, f"`{key.raw}`", key.quantity)
        for framework in FRAMEWORKS.values()
        for key in framework.keys
        if framework.name != "generic"
    ]
    assert len(shown) == len(expected)
    assert set(shown) == set(expected)
    assert {prefix for each in FRAMEWORKS.values() for prefix in each.prefixes} == {"", "train/"}
