"""Each rule yields one line for each place that breaks it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from .source import PACKAGES, Function, House

MODULE_LINES = 400
BODY_LINES = 40

BASE = ("rolltheory.errors", "rolltheory.extras", "rolltheory.files")
NUMERICS, STATS, CLAIMS = "rolltheory.numerics", "rolltheory.stats", "rolltheory.claims"
EMPTY_ROOT = {"rolltheory", "rolltheory.__version__"}

INEXACT = {
    "allclose",
    "approx",
    "assert_allclose",
    "default_rng",
    "hypothesis",
    "isclose",
    "random",
    "seeded_generator",
}


def imports_follow_the_design(house: House) -> Iterator[str]:
    """Nobody imports what the table "Who may import whom" does not give them."""
    table = _who_may_import_whom(house.theories)
    for module in house.modules:
        own = _home(module.name)
        for line, imported in module.imports():
            ours = imported.partition(".")[0] in PACKAGES and imported not in EMPTY_ROOT
            if ours and not _within(imported, (own, *table.get(own, BASE))):
                yield f"{module.name}:{line} imports {imported}"


def evidence_rests_on_fingerprinted_code(house: House) -> Iterator[str]:
    """Checks and simulators of a theory reach no other theory, whose changes leave them fresh."""
    for module in house.modules:
        package, _, rest = module.name.partition(".")
        own = rest.partition(".")[0]
        if package != "rolltheory" and own in house.theories:
            others = [f"{home}.{name}" for home in PACKAGES for name in house.theories - {own}]
            for line, imported in module.imports():
                if _within(imported, others):
                    yield f"{module.name}:{line} imports {imported}"


def torch_has_one_home(house: House) -> Iterator[str]:
    """Only validation.training imports torch."""
    for module in house.modules:
        if not _within(module.name, ["validation.training"]):
            for line, imported in module.imports():
                if _within(imported, ["torch"]):
                    yield f"{module.name}:{line} imports {imported}"


def proof_checks_are_exact(house: House) -> Iterator[str]:
    """A proof check names nothing that samples, or compares within a tolerance."""
    for module in house.modules:
        if _home(module.name) == "proofs_checks":
            for node in ast.walk(module.tree):
                for name in sorted(_names(node) & INEXACT):
                    yield f"{module.name} uses {name}"


def modules_are_short(house: House) -> Iterator[str]:
    """A module stays within 400 lines; one that only gathers names may be longer."""
    for module in house.modules:
        lines = len(module.text.splitlines())
        if lines > MODULE_LINES and not all(map(_gathers_names, module.tree.body)):
            yield f"{module.name} has {lines} lines"


def functions_are_short(house: House) -> Iterator[str]:
    """A function's body, its docstring left out, stays within 40 lines."""
    for module in house.modules:
        for node in ast.walk(module.tree):
            if isinstance(node, Function):
                lines = _body_lines(node)
                if lines > BODY_LINES:
                    yield f"{module.name}.{node.name} has {lines} lines"


def modules_say_what_is_public(house: House) -> Iterator[str]:
    """A module that binds a public name has ``__all__``."""
    for module in house.modules:
        if module.exported is None and any(map(_binds_a_public_name, module.tree.body)):
            yield f"{module.name} has no __all__"


def public_names_are_explained(house: House) -> Iterator[str]:
    """A public name has a docstring; a function that computes shows an example or sections.

    An exact twin may leave them to the function that it is a twin of. Private modules are exempt,
    and from the example also the predicates and variants beside claims.
    """
    computing = (NUMERICS, STATS, *_theory_homes(house.theories))
    for module in house.modules:
        if module.name.rpartition(".")[2].startswith("_"):
            continue
        computes = _within(module.name, computing) and ".claims" not in module.name
        exported = module.exported or ()
        for name, node in module.definitions.items():
            if name in exported and not _is_record(node, "check"):
                text = ast.get_docstring(node) or ""
                twin = name.endswith("_exact") and name.removesuffix("_exact") in exported
                shown = twin or not computes or _shows_its_use(node, text)
                if not text:
                    yield f"{module.name}.{name} has no docstring"
                elif not shown:
                    yield f"{module.name}.{name} has no example, nor Parameters and Returns"


RULES = (
    imports_follow_the_design,
    evidence_rests_on_fingerprinted_code,
    torch_has_one_home,
    proof_checks_are_exact,
    modules_are_short,
    functions_are_short,
    modules_say_what_is_public,
    public_names_are_explained,
)


def _gathers_names(node: ast.stmt) -> bool:
    """Whether the statement is a docstring, an import or ``__all__``."""
    if isinstance(node, ast.Assign):
        return [ast.unparse(target) for target in node.targets] == ["__all__"]
    return isinstance(node, ast.Import | ast.ImportFrom | ast.Expr)


def _who_may_import_whom(theories: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """What each home may import besides itself; one that is not listed may import `BASE`."""
    homes = _theory_homes(theories)
    ground = (*BASE, NUMERICS, STATS, CLAIMS)
    outer = ("rolltheory.plots", "rolltheory.readers", "rolltheory.testing")
    library = (*ground, *homes, *outer)
    return {
        NUMERICS: BASE,
        STATS: (*BASE, NUMERICS),
        CLAIMS: (*BASE, NUMERICS, STATS),
        **dict.fromkeys(homes, ground),
        **dict.fromkeys(outer, library),
        "rolltheory.report": PACKAGES,
        "rolltheory.cli": PACKAGES,
        "rolltheory.__main__": PACKAGES,
        "proofs_checks": (*ground, *homes),
        "simulators": ("rolltheory.errors", NUMERICS),
        "validation": (*ground, *homes, "simulators"),
    }


def _theory_homes(theories: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"rolltheory.{theory}" for theory in theories)


def _home(name: str) -> str:
    package, *rest = name.split(".")
    return f"{package}.{rest[0]}" if package == "rolltheory" and rest else package


def _within(name: str, homes: Iterable[str]) -> bool:
    return any(name == home or name.startswith(f"{home}.") for home in homes)


def _names(node: ast.AST) -> set[str]:
    if isinstance(node, ast.Name):
        return {node.id}
    if isinstance(node, ast.Attribute):
        return {node.attr}
    if isinstance(node, ast.alias):
        return set(node.name.split("."))
    if isinstance(node, ast.ImportFrom):
        return set((node.module or "").split("."))
    return set()


def _body_lines(node: Function) -> int:
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def _binds_a_public_name(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return getattr(statement, "module", None) != "__future__"
    if isinstance(statement, Function | ast.ClassDef):
        return not statement.name.startswith("_")
    if isinstance(statement, ast.Assign | ast.AnnAssign):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        return any(isinstance(t, ast.Name) and not t.id.startswith("_") for t in targets)
    return False


def _shows_its_use(node: Function | ast.ClassDef, docstring: str) -> bool:
    if isinstance(node, ast.ClassDef) or _is_record(node, "claim"):
        return True
    sections = "Parameters\n" in docstring and ("Returns\n" in docstring or "Yields\n" in docstring)
    return ">>>" in docstring or sections


def _is_record(node: Function | ast.ClassDef, decorator: str) -> bool:
    """Whether ``@claim(...)`` or ``@check(...)`` turns it into a record."""
    calls = (call.func for call in node.decorator_list if isinstance(call, ast.Call))
    return any(isinstance(function, ast.Name) and function.id == decorator for function in calls)
