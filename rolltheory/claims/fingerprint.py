"""A digest of code that ignores comments, docstrings and layout."""

from __future__ import annotations

import ast
import hashlib
import importlib.util
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from rolltheory.errors import DomainError

__all__ = ["fingerprint", "source_files"]

_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


@cache
def fingerprint(modules: tuple[str, ...]) -> str:
    """Digest of the code of these modules and packages, submodules included.

    Renaming a variable changes it; rewording a docstring does not.
    """
    digest = hashlib.sha256()
    for name, path in source_files(modules):
        digest.update(f"{name}\0{_skeleton(path.read_text(encoding='utf-8'))}\0".encode())
    return digest.hexdigest()[:16]


def source_files(modules: Iterable[str]) -> Iterator[tuple[str, Path]]:
    """(name that is the same on every machine, file) of every module below the given ones."""
    for module in modules:
        spec = importlib.util.find_spec(module)
        if spec is None or spec.origin is None:
            raise DomainError("module", module, "an importable module with a source file")
        origin = Path(spec.origin)
        if spec.submodule_search_locations is None:
            yield module, origin
            continue
        for path in sorted(origin.parent.rglob("*.py")):
            yield f"{module}/{path.relative_to(origin.parent).as_posix()}", path


def _skeleton(source: str) -> str:
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, _DOCUMENTED) and ast.get_docstring(node) is not None:
            node.body = node.body[1:]
    return _dump(tree)


def _dump(node: object) -> str:
    """Like `ast.dump`, without empty fields, so that Python versions agree."""
    if isinstance(node, ast.AST):
        fields = ((name, value) for name, value in ast.iter_fields(node) if value not in (None, []))
        inside = ",".join(f"{name}={_dump(value)}" for name, value in fields)
        return f"{type(node).__name__}({inside})"
    if isinstance(node, list):
        return f"[{','.join(map(_dump, node))}]"
    return repr(node)
