"""The repository keeps every rule, and every rule rejects a house that breaks it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from .rules import RULES
from .source import REPOSITORY, House

Rule = Callable[[House], Iterator[str]]

LONG_BODY = "def compute():\n" + '    """Docstring."""\n' + "    x = 1\n" * 41

BREACHES = {
    "imports_follow_the_design": [
        ("rolltheory/one/a.py", "from rolltheory import two", "imports rolltheory.two"),
        ("rolltheory/one/a.py", "from ..two import f", "imports rolltheory.two.f"),
        ("rolltheory/one/a.py", "from rolltheory import plots", "imports rolltheory.plots"),
        ("rolltheory/one/a.py", "import simulators.one", "imports simulators.one"),
        ("rolltheory/numerics/a.py", "import rolltheory.one", "imports rolltheory.one"),
        ("rolltheory/stats/a.py", "import rolltheory.claims", "imports rolltheory.claims"),
        ("rolltheory/claims/a.py", "import rolltheory.one", "imports rolltheory.one"),
        ("rolltheory/errors.py", "import rolltheory.stats", "imports rolltheory.stats"),
        ("rolltheory/plots/a.py", "import rolltheory.cli", "imports rolltheory.cli"),
        ("simulators/one.py", "from rolltheory.one import f", "imports rolltheory.one.f"),
        ("simulators/one.py", "def f():\n    import rolltheory.one", "imports rolltheory.one"),
        ("proofs_checks/one.py", "import simulators", "imports simulators"),
        ("validation/one.py", "import proofs_checks.one", "imports proofs_checks.one"),
        ("validation/one.py", "import rolltheory.readers", "imports rolltheory.readers"),
    ],
    "evidence_rests_on_fingerprinted_code": [
        ("validation/one/a.py", "import rolltheory.two", "imports rolltheory.two"),
        ("validation/one.py", "from validation.two import f", "imports validation.two.f"),
        ("proofs_checks/one.py", "import proofs_checks.two", "imports proofs_checks.two"),
    ],
    "torch_has_one_home": [
        ("rolltheory/one/a.py", "import torch.nn", "rolltheory.one.a:1 imports torch.nn"),
        ("validation/one.py", "from torch import nn", "validation.one:1 imports torch.nn"),
    ],
    "proof_checks_are_exact": [
        ("proofs_checks/one.py", "import random", "uses random"),
        ("proofs_checks/one.py", "from numpy.random import Generator", "uses random"),
        ("proofs_checks/one.py", "np.random.default_rng(0)", "uses default_rng"),
        ("proofs_checks/one.py", "from hypothesis import given", "uses hypothesis"),
        ("proofs_checks/one.py", "math.isclose(1, 1)", "uses isclose"),
    ],
    "modules_are_short": [
        ("rolltheory/one/a.py", "_x = 1\n" * 401, "rolltheory.one.a has 401 lines")
    ],
    "functions_are_short": [("rolltheory/one/a.py", LONG_BODY, "compute has 41 lines")],
    "modules_say_what_is_public": [
        ("rolltheory/one/a.py", "def f(): ...", "has no __all__"),
        ("rolltheory/one/__init__.py", "from rolltheory.one.a import f", "has no __all__"),
    ],
    "public_names_are_explained": [
        ("rolltheory/cli/a.py", "__all__ = ['f']\ndef f(): ...", "a.f has no docstring"),
        ("rolltheory/one/a.py", "__all__ = ['f']\n@claim()\ndef f(): ...", "a.f has no docstring"),
        ("rolltheory/one/a.py", "__all__ = ['f']\ndef f(): 'One.'", "a.f has no example"),
        ("rolltheory/one/a.py", "__all__ = ['f_exact']\ndef f_exact(): 'One.'", "no example"),
    ],
}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_this_house_keeps_the_rule(rule: Rule) -> None:
    assert list(rule(House(REPOSITORY))) == []


@pytest.mark.parametrize(
    ("rule", "path", "source", "breach"),
    [(rule, *breach) for rule in RULES for breach in BREACHES[rule.__name__]],
)
def test_the_rule_bites(rule: Rule, path: str, source: str, breach: str, tmp_path: Path) -> None:
    files = {f"rolltheory/{name}/__init__.py": "" for name in ("one", "two")} | {path: source}
    for name, text in files.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    assert breach in "\n".join(rule(House(tmp_path)))


def test_the_walk_sees_the_four_packages() -> None:
    names = {module.name for module in House(REPOSITORY).modules}
    assert {"rolltheory.errors", "proofs_checks", "simulators", "validation"} <= names
    assert "reachability" in House(REPOSITORY).theories
